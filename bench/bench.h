// What the benchmarks share: settings, a body that hangs from one end, the rows' columns.
#pragma once
#include "pliant.h"
#include "progress.h"
#include "rows.h"
#include "scene/words.h"
#include "sheet.h"

typedef struct {
    rows_form form;
    const char* meshes;  // folder of mesh files; NULL: none
    bool quick;          // a short version of the same
    bool brief;          // without what takes minutes
    const char* section; // of a bench that has sections; NULL: its usual one
    const char* only;    // rows of this schedule or formulation; NULL: all
    bool unguarded;      // of contact: also without the guard
    bool on_gpu;         // bodies are stepped there, where a benchmark can choose
    const char* out;     // folder for files; NULL: none
    sheet* keep;         // what is printed, for the files; NULL: nobody asks
} bench_settings;

// Return an exit status.
typedef int bench_fn(const bench_settings* settings);
bench_fn bench_accuracy, bench_bodies, bench_colors, bench_converge, bench_cpu, bench_figures,
    bench_contact, bench_fluid, bench_gpu, bench_many, bench_mesher, bench_particles, bench_patches,
    bench_pbd, bench_physics, bench_poses, bench_rigid, bench_scramble, bench_skin, bench_solver,
    bench_substeps, bench_surface;

// A table that is printed as the settings say.
rows bench_rows(const bench_settings* settings, const column* columns, int count);

// A row, with the progress bar out of its way.
void bench_row(progress* bar, const rows* t, const cell* row);

// E = 1e7, nu = 0.45, rho = 1000 with the papers' plain parameters.
pliant_soft_def bench_rubber(void);

// The same with another formulation and schedule.
pliant_soft_def bench_rubber_as(pliant_formulation formulation, const schedule_choice* choice);

// What tables of all formulations and schedules have, in their order.
enum { FORMS = 3, KINDS = 4 };
extern const pliant_formulation bench_forms[FORMS]; // ten rows first
extern const char* const bench_schedules[KINDS];    // words; serial first, patched last

// |value / expected - 1| in percent; NAN where there is nothing to compare with.
double bench_percent_off(double value, double expected);

// A body that hangs from the vertices with the smallest x.
typedef struct {
    const pliant_mesh* mesh;
    const pliant_asset* asset;
    double pinned;    // share of the mesh's extent along x that is pinned; 0: the smallest x alone
    double place;     // [m] where along x the body is put
    double clearance; // [m] from the body down to the ground; 0: no ground
    int bodies;       // of it in one world, side by side; 0: one
    int substeps;
    int threads, lanes; // 0: what the machine has
    bool rival;         // explicit finite elements instead of the solver
    pliant_backend backend;
    pliant_arithmetic arithmetic;
    pliant_launch_mode launch_mode;
} trial;

// NULL on failure, with pliant_error_text().
pliant_world* trial_create(const trial* t, pliant_body_id* out_body);

// After `steps` steps of dt [s].
typedef struct {
    double elastic;    // [J]; not finite when the body diverged
    double tip;        // [m] y of the vertex asked for
    double unresolved; // [J] how much of the energy the library takes for an error
} trial_outcome;
pliant_result trial_run(const trial* t, int steps, float dt, int tip, trial_outcome* out);

// Threads that are worth their barriers for a body of this size: what to use where time does not
// matter, since threads do not change a bit.
int trial_threads(const trial* t);
// The first of the vertices with the largest x, and its y at rest [m].
int trial_tip(const trial* t, double* out_rest);
// y at or below which a ground lies [m]; -INFINITY without one. x up to which vertices are pinned.
double trial_ground(const trial* t);
double trial_pinned_x(const trial* t);
