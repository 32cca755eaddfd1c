// Whether automatic substeps keep their word: bodies that hang, lie, are twisted or spin, their
// elastic energy at the number of substeps that a world chooses against a converged one, what the
// library says of the error, and the error with the number that it advises.
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/files.h"
#include "facts.h"
#include "load.h"
#include "options.h"
#include "progress.h"
#include <math.h>
#include <string.h>

enum { SETTLE_STEPS = 150, SPIN_STEPS = 60, PRECISE = 6, FILLED_TETS = 1500 };
static const float dt = 1 / 60.0f;       // [s]
static const double enough = 0.01;       // share of the energy from which on advice is taken
static const double twist = 1, spin = 6; // [rad] from end to end, [rad/s]
static const double calming = 0.01;      // [s] damping, so that they come to rest

typedef enum { HANGING, LYING, TWISTED, SPINNING, POSES } pose;
static const char* const pose_words[POSES] = {"hanging", "lying", "twisted", "spinning"};

static const pliant_formulation forms[] = {
    PLIANT_FORMULATION_TEN_ROWS, PLIANT_FORMULATION_TWO_ROWS, PLIANT_FORMULATION_DECOUPLED,
    PLIANT_FORMULATION_DECOUPLED_NODES, PLIANT_FORMULATION_EDGES_AND_VOLUME};
enum { POSE_FORMS = sizeof forms / sizeof forms[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
    {"mesh", COLUMN_TEXT, 17, 0},
    {"elements", COLUMN_INT, 8, 0},
    {"pose", COLUMN_TEXT, 8, 0},
    {"formulation", COLUMN_TEXT, 16, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"energy_expected", COLUMN_NUMBER, 15, 4}, // [J]
    {"error", COLUMN_NUMBER, 8, 2},            // [%]
    {"unresolved", COLUMN_NUMBER, 10, 2},      // [%] of the energy: the library's estimate
    {"advised", COLUMN_INT, 7, 0},             // substeps; absent where the estimate is small
    {"advised_error", COLUMN_NUMBER, 13, 2},   // [%]
};

typedef struct {
    const rows* table;
    progress bar;
    double done, total; // meshes
    const char* name;   // of the mesh
    pliant_mesh* mesh;
    double low[3], high[3]; // [m] its bounds
} poses;

typedef struct {
    double elastic, unresolved; // [J]
    int substeps, advised;
} outcome;

// ---- one body -----------------------------------------------------------------------------------

typedef struct {
    pliant_world* world;
    pliant_body_id body;
    int count;
    double* x;      // [m]
    pliant_vec3* v; // zero
} posed;

static void posed_close(posed* p)
{
    if (p->world) pliant_world_destroy(p->world);
    mem_free(p->x);
    mem_free(p->v);
}

// One end hangs, both are twisted; a thin rope or sheet has but one row of particles there.
static void pin_ends(const poses* c, const posed* p, pose how)
{
    double length = c->high[0] - c->low[0], near = 0.05 * length;
    for (int i = 0; i < p->count; ++i) {
        double at = p->x[3 * (ptrdiff_t)i];
        bool end = at <= c->low[0] + near || (how == TWISTED && at >= c->high[0] - near);
        if (end) pliant_body_pin(p->world, p->body, i);
    }
}

static void turn_about_x(const poses* c, posed* p)
{
    double middle[2] = {(c->low[1] + c->high[1]) / 2, (c->low[2] + c->high[2]) / 2};
    for (int i = 0; i < p->count; ++i) {
        double* x = p->x + 3 * (ptrdiff_t)i;
        double angle = twist * (x[0] - c->low[0]) / (c->high[0] - c->low[0]);
        double y = x[1] - middle[0], z = x[2] - middle[1];
        x[1] = middle[0] + cos(angle) * y - sin(angle) * z;
        x[2] = middle[1] + sin(angle) * y + cos(angle) * z;
    }
    pliant_body_write_positions_exact(p->world, p->body, p->x, p->count);
}

static pliant_result posed_open(const poses* c, const pliant_asset* asset, pose how, int substeps,
                                posed* out)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = substeps;
    if (how == SPINNING) def.gravity = (pliant_vec3){0, 0, 0};
    pliant_body_def body = pliant_body_defaults();
    if (how == SPINNING) body.angular_velocity = (pliant_vec3){0, (float)spin, 0};
    *out = (posed){0};
    pliant_result result = pliant_world_create(&def, &out->world);
    if (!result) result = pliant_world_add_body(out->world, asset, &body, &out->body);
    if (result) return result;
    out->count = pliant_body_particle_count(out->world, out->body);
    out->x = (double*)mem_array((size_t)out->count, 3 * sizeof(double));
    out->v = (pliant_vec3*)mem_array((size_t)out->count, sizeof(pliant_vec3));
    if (!out->x || !out->v) return PLIANT_ERROR_MEMORY;
    memset(out->v, 0, (size_t)out->count * sizeof *out->v);
    result = pliant_body_read_positions_exact(out->world, out->body, out->x, out->count);
    if (result) return result;
    if (how == TWISTED) turn_about_x(c, out);
    if (how == HANGING || how == TWISTED) pin_ends(c, out, how);
    if (how != LYING) return PLIANT_OK;
    pliant_collider_def floor = pliant_collider_defaults();
    floor.position[1] = c->low[1];
    floor.static_friction = floor.dynamic_friction = 0; // with it, rest depends on the way there
    return pliant_world_add_collider(out->world, &floor, NULL);
}

// Whenever its motion slows down the body is stopped: it soon rests. One that spins goes on.
static pliant_result let_settle(posed* p, pose how)
{
    double last = 0;
    int steps = how == SPINNING ? SPIN_STEPS : SETTLE_STEPS;
    for (int i = 0; i < steps; ++i) {
        pliant_energies now;
        pliant_result result = pliant_world_step(p->world, dt);
        if (!result) result = pliant_body_energies(p->world, p->body, &now);
        if (result) return result;
        bool stops = how != SPINNING && now.kinetic < last && i + 5 < steps;
        if (stops) pliant_body_write_velocities(p->world, p->body, p->v, p->count);
        last = stops ? 0 : now.kinetic;
    }
    return PLIANT_OK;
}

static pliant_result run_pose(const poses* c, const pliant_asset* asset, pose how, int substeps,
                              outcome* out)
{
    posed p;
    *out = (outcome){NAN, NAN, substeps, 0};
    pliant_result result = posed_open(c, asset, how, substeps, &p);
    if (!result) result = let_settle(&p, how);
    pliant_energies e;
    int advice;
    if (!result) result = pliant_body_energies(p.world, p.body, &e);
    if (!result) result = pliant_body_advise_substeps(p.world, p.body, &advice);
    if (!result)
        *out = (outcome){e.elastic, e.unresolved, pliant_world_profile(p.world).substeps, advice};
    posed_close(&p);
    return result == PLIANT_ERROR_DIVERGED ? PLIANT_OK : result;
}

// ---- the table ----------------------------------------------------------------------------------

static void print_pose(poses* c, pose how, const char* form, const outcome* got, double expected,
                       double advised_error)
{
    pliant_mesh_arrays a = pliant_mesh_view(c->mesh);
    bool advises = !isnan(advised_error);
    const cell row[] = {
        {.text = "poses"},
        {.text = c->name},
        {.number = a.tet_count        ? a.tet_count
                   : a.triangle_count ? a.triangle_count
                                      : a.edge_count},
        {.text = pose_words[how]},
        {.text = form},
        {.number = got->substeps},
        {.number = expected},
        {.number = 100 * (got->elastic / expected - 1)},
        {.number = 100 * got->unresolved / got->elastic},
        {.number = advises ? got->advised : (double)NAN},
        {.number = advised_error},
    };
    bench_row(&c->bar, c->table, row);
}

// What all elastic forms of tets converge to is that of ten rows; other things have their own.
static pliant_result find_expected(const poses* c, const pliant_soft_def* def, pose how,
                                   double* out)
{
    pliant_soft_def precise = *def;
    if (def->solver.formulation != PLIANT_FORMULATION_EDGES_AND_VOLUME)
        precise.solver.formulation = PLIANT_FORMULATION_TEN_ROWS;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(c->mesh, &precise, &asset);
    if (result) return result;
    outcome got;
    result = run_pose(c, asset, how, PRECISE * pliant_asset_substeps(asset, dt), &got);
    *out = got.elastic;
    pliant_asset_destroy(asset);
    return result;
}

static pliant_result run_form(poses* c, const pliant_soft_def* def, const char* form, pose how,
                              double expected)
{
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(c->mesh, def, &asset);
    if (result) return result;
    outcome got, again = {NAN, NAN, 0, 0};
    result = run_pose(c, asset, how, 0, &got);
    bool advises = got.unresolved > enough * got.elastic && got.advised > got.substeps;
    if (!result && advises) result = run_pose(c, asset, how, got.advised, &again);
    double again_error = advises ? 100 * (again.elastic / expected - 1) : (double)NAN;
    if (!result) print_pose(c, how, form, &got, expected, again_error);
    pliant_asset_destroy(asset);
    return result;
}

// Tets have formulations; what is thin neither lies nor spins to a rest that one could compare.
static pliant_result run_mesh(poses* c, const char* only)
{
    bool solid = pliant_mesh_view(c->mesh).tet_count > 0;
    pliant_result result = PLIANT_OK;
    for (int how = 0; how < (solid ? POSES : LYING) && !result; ++how) {
        double expected = NAN;
        for (int f = 0; f < (solid ? POSE_FORMS : 1) && !result; ++f) {
            pliant_soft_def def = pliant_soft_defaults();
            def.solver.formulation = forms[f];
            def.material.damping = def.cloth.damping = calming;
            const char* form = solid ? formulation_word(forms[f]) : "-";
            if (only && strcmp(only, form) != 0 && strcmp(only, pose_words[how]) != 0) continue;
            if (isnan(expected) || forms[f] == PLIANT_FORMULATION_EDGES_AND_VOLUME)
                result = find_expected(c, &def, (pose)how, &expected);
            if (!result) result = run_form(c, &def, form, (pose)how, expected);
        }
    }
    return result;
}

// A surface of a file is filled, coarsely: what is compared is not the shape.
static pliant_result fill_surface(poses* c)
{
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = FILLED_TETS;
    pliant_mesh* filled = NULL;
    pliant_result result = pliant_mesh_tetrahedralize(c->mesh, &def, &filled, NULL);
    if (result) return result;
    pliant_mesh_destroy(c->mesh);
    c->mesh = filled;
    return PLIANT_OK;
}

static pliant_result open_mesh(poses* c, const char* path)
{
    bool file = strchr(path, '/') != NULL;
    pliant_mesh_quality q;
    pliant_result result = load_mesh(path, &c->mesh);
    if (!result && file && pliant_mesh_view(c->mesh).tet_count == 0) result = fill_surface(c);
    if (!result && file) result = mesh_scale_to(c->mesh, 2);
    if (!result) result = pliant_mesh_measure(c->mesh, &q);
    for (int k = 0; k < 3 && !result; ++k) {
        c->low[k] = q.min[k];
        c->high[k] = q.max[k];
    }
    return result;
}

static pliant_result list_meshes(const bench_settings* settings, mesh_list* list)
{
    static const char* const words[] = {"beam:8x3x3",  "box6:8x4x4",      "sphere:0.3:6",
                                        "beam:21x6x6", "cloth:12x12:1x1", "rope:2:40"};
    if (settings->quick) return mesh_list_add(list, NULL, "beam:5x2x2");
    if (!settings->meshes) return mesh_list_add_all(list, NULL, words, 6);
    pliant_result result = mesh_list_add_folder(list, settings->meshes);
    return result ? result : mesh_list_add_surfaces(list, settings->meshes);
}

int bench_poses(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    poses c = {.table = &t, .bar = progress_start("meshes", false)};
    mesh_list list = {0};
    int status = EXIT_DONE;
    if (list_meshes(settings, &list)) status = tell_failure("bench poses");
    c.total = list.count;
    if (!status) rows_head(&t);
    for (int i = 0; i < list.count; ++i) {
        char name[64];
        mesh_short_name(list.name[i], name);
        c.name = name;
        c.mesh = NULL;
        if (open_mesh(&c, list.name[i]) || run_mesh(&c, settings->only))
            status = tell_failure("bench poses");
        if (c.mesh) pliant_mesh_destroy(c.mesh);
        progress_show(&c.bar, ++c.done, c.total);
    }
    progress_end(&c.bar);
    mesh_list_destroy(&list);
    return status;
}
