// One step of all bodies: the story of the solver.
//
//   for each substep
//     brake                damped bodies: sweeps of viscosity take their part of the velocity
//     predict              every particle: velocity, the part of the increment that is seen
//     flow                 rest shapes of tets beyond their yield stress (constraint/flow.h):
//     before
//                          the first sweep, whatever it is of
//     for each iteration
//       sweep              color after color; what it turned by itself is taken back (torque.h)
//       touch              the whole increment; attachments, contacts with friction
//     update               velocity and position from the increment, restitution
//
// Viscosity comes first and sees the velocity alone, so that it only takes energy, whatever its
// strength, and does not touch an equilibrium. Between the elastic constraints it would resist
// their corrections instead, and its one-sided sweeps would drive a body that is strongly damped
// (damping times h times the square of the highest frequency above 1) until it bursts. A sweep sees
// that much of it as there are sweeps for (asset_brakes in asset/substep_choice.c), one after the
// other.
//
// What limits the accuracy of one sweep is its lag: an element sees the corrections of those before
// it and not of those after it, so the place at which it takes its force is wrong by parts of
// h^2 f / m. Hence constraints see less than the whole substep: x + a h v + b h^2 f / m, then
//     v' = v + h f / m,     x' = x + h v'.
// The lag is that of a substep of h sqrt(b). For one oscillator, s = (h omega)^2, the product of
// the eigenvalues is 1 - a s / (1 + b s), and no s is unstable when b >= (1 + 2 a) / 4. a = b = 1
// is implicit Euler, which is what XPBD is otherwise; a = 0, b = 1/4 is the trapezoidal rule, which
// damps nothing. Where viscosity leaves a share c of the velocity it takes b >= (1 + 2 a c) / (2 +
// 2 c), which is 1/2 for what is damped the most. Velocity and motion stay the same thing, so
// contacts and pins know nothing of it.
//
// A contact pushes after the sweep. The elements of its particle, half of which come before the
// average one, have then moved what that one sees by b/2 h^2 f / m, and in balance the contact's
// force F is -f, but for gravity, which all particles see alike. So the prediction expects the
// contact that was there in the substep before, without what was an impact, as a force: of F b / (2
// a), for that much is seen as b/2 h^2 F / m. Before contacts are found it is taken back.
//
// Second order (BDF2): a substep goes on from the last motion p and the last gain of velocity g,
//     v~ = v + b g + (1 - b) h a,     x~ = x + h v~ + b (p - h v~),     b = 1/3,
// constraints see a substep of (1 - b) h, and v' = (x' - x + b / (1 - b) (x' - x - p)) / h. b = 0
// is implicit Euler. A substep r times as long as the one before has b = r / (1 + 2 r), and r p and
// r g.
//
// Two drivers run it, with the same bits. In phases (phases.c) all bodies do the same at the same
// time; after the phase `join` of a sweep all rows of the world are complete and at the same
// instant, which is where bodies can meet. Bodies of patches that meet nobody run fused
// (patches.c): each patch does all of it alone and meets the others of its body once per sweep, or
// once per turn. No two threads of a phase touch the same row, so results do not depend on the
// number of threads. What comes when is in order.h.
#pragma once
#include "base/workers.h"
#include "rigid/rigid.h"
#include "solver/clusters.h"
#include "solver/enclosure.h"
#include "solver/order.h"
#include "solver/particles.h"
#include "solver/rods.h"
#include "solver/sweep.h"
#include "solver/torques.h"
#include <stdatomic.h>

typedef struct {
    workers* own;             // used unless the caller has threads of its own
    pliant_run_tasks_fn* run; // NULL: own
    void* context;
    int width; // threads
} executor;

// Calls task(index, argument) for each index below count, on the executor's threads.
void executor_run(executor* exec, pliant_task_fn* task, void* argument, int count);

// Scratch of one piece of a body's work: a patch, or a slice of a body without patches.
typedef struct {
    _Alignas(64) row_contacts contacts; // of a patch, of the particles it has alone,
    row_contacts shared_contacts;       // and of those it shares
    row_box completed;                  // of a patch, around its inner rows after the sweep
    double time[4];                     // [s] predict, sweep, touch, update of the first substep
} piece_run;

typedef struct body_run {
    const plan* plan;
    state* s;
    const enclosure* inside; // NULL: nothing
    enclosure_sums* inside_sums;
    const cluster_set* clusters; // NULL: none
    cluster_state* matched;
    const match_kernels* matches;
    const rod_set* rods; // NULL: none
    rod_state* oriented;
    const rod_kernels* rod_sweeps;
    const sweep_kernels* sweep;
    const particle_kernels* particles;
    const torque_kernels* torques;
    const torque_scratch* torque; // of bodies without patches
    rigid_state* rigid;  // of a body that does not deform, with the places of its particles in its
    const double* local; // axes [m]; else NULL
    particle_work work;
    bool* failed;      // set when the body left the finite numbers; it is then no longer stepped
    piece_run* pieces; // one for each patch or slice
    int piece_count;
    int brakes;            // sweeps of viscosity in a substep; 0: no damping
    work_order order;      // known once the step is prepared
    double share;          // [-] of an iteration, for the classic manner; 0: XPBD
    bool fast;             // a GPU may take the shorter arithmetic
    bool meets;            // it may touch others, or itself, and runs in phases
    _Atomic bool diverged; // some piece of it
    int last_meeting;      // of its patches
} body_run;

// A patch of a body, among those of all bodies.
typedef struct {
    int body, patch;
} patch_task;

// Where bodies meet each other, as phases call it: after every join of places, when all rows are at
// the same instant, and after the velocities are known. (contact/system.h) Each may be NULL.
typedef struct step_work step_work;
typedef struct {
    void* system;
    bool sleeps; // of a device: nobody can be near another in this step
    int rounds;  // in which those of a world take turns after each join; 0: one
    pliant_result (*meet)(void* system, step_work* step, const sweep_pass* pass);
    void (*bounce)(void* system, step_work* step);
    void (*blow)(void* system, step_work* step); // before a substep: of air (air/system.h)
} meeting_place;

struct step_work {
    body_run* body;
    int body_count;
    executor* exec;
    int substeps, iterations;
    bool phased;                           // no body runs fused
    const meeting_place* meetings;         // of bodies that do not run fused
    int meeting_count;                     //
    struct device_joints* const* joints;   // of a device: those of each world that has some
    int joint_count;                       //
    const struct device_airs* const* airs; // likewise what each world with air has of it
    int air_count;                         //
    struct device_liquids* liquids;        // of a device: those of the world, or NULL
    pliant_result result;                  // of them: the first that fails ends the step
    double dt;                             // [s]
    patch_task* tasks;                     // scratch, one for each patch of all bodies
    pliant_profile* profile;
};

void step_run(step_work* step);

// The first part of it, for those who do the rest elsewhere: what the bodies' particles need to
// know of the step.
void step_prepare(step_work* step);

// ---- shared by the two ways to run a body -------------------------------------------------------

// [s] What one sweep of viscosity sees of a substep: each is one of its own, of a part of it.
static inline double brake_step(const body_run* b)
{
    return b->work.h / (b->order.brakes + !b->order.brakes);
}

// [s] Substep `number` as constraints on places see it. A correction is h^2 times a force over a
// mass: a share of it is that of a shorter substep.
static inline double seen_step(const body_run* b, int number)
{
    return b->work.h * (1 - work_lean(&b->work, number)) * sqrt(b->work.sees.push);
}

// Lanes `lane` to lane + lanes - 1 of a group, all its rounds.
void solve_group(const body_run* b, const patch* t, const lane_group* g, const sweep_pass* pass,
                 int lane, int lanes);

// Has memory brought near that will be needed soon: `bytes` from `at` on. It may lie beyond what
// there is. (ASK: inlined,
// since compilers drop calls of functions that do nothing but that.)
#define ASK static inline __attribute__((always_inline))
ASK void ask_for(const void* base, size_t at, size_t bytes)
{
    enum { LINE = 64 };
    uintptr_t first = (uintptr_t)base + at;
    for (size_t i = 0; i < bytes; i += LINE) __builtin_prefetch((const void*)(first + i), 0, 2);
}

// ---- drivers ------------------------------------------------------------------------------------

// All bodies that do not run fused.
void phases_step(step_work* step);
// Bodies of patches that do.
void patches_step(step_work* step);

static inline bool runs_fused(const body_run* b) { return b->plan->patched && !b->order.phased; }
