// The solvers of the 2013 to 2015 papers side by side: bodies that start out of shape and are
// projected back, without inertia, as in figures 6, 9 and 10 of 2015. Distance constraints, and
// signed volumes where there are tets.
//
//   same      iterations and time to the residual that Gauss-Seidel has after 16 (Table 2); rough:
//             every particle starts somewhere near its place, as in a frame of an animation
//   residual  residual after 1, 4, 16, ... iterations, and the time they take (2015: figures 6 and
//             9; the cube: figure 5 of 2013)
//   rigid     where the body ends up: how far its center moves, how far it turns (figure 10)
#include "base/memory.h"
#include "base/random.h"
#include "bench/pbd.h"
#include "bench/pbd_residual.h"
#include "load.h"
#include "mesh/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TARGET_ITERATIONS = 16,
    MOST_ITERATIONS = 8192,
    RIGID_ITERATIONS = 400,
    TIMED_ITERATIONS = 8
};
enum { LARGE_EDGES = 60000 };        // beyond, fewer iterations are tried
static const double stretch = 4;     // of lengths: 16 times the area
static const double roughness = 0.3; // of the mean edge, each way
static const double flatness = 0.1;  // of heights

typedef struct {
    const char* schedule;
    pliant_phantoms phantoms;
    pliant_merge merge;
    double relaxation;
    pliant_color_scope color_scope;
} variant;
static const variant variants[] = {
    {"serial", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_ALL},
    {"colored", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1,
     PLIANT_COLOR_SCOPE_ALL}, // Gauss-Seidel of 2013
    {"phantom", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_ALL},
    {"phantom", PLIANT_PHANTOMS_SINGLE, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_ALL},
    {"phantom", PLIANT_PHANTOMS_SINGLE, PLIANT_MERGE_DUPLICATE, 1,
     PLIANT_COLOR_SCOPE_ALL}, // as published
    {"hybrid", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_ALL},
    {"hybrid", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_DUPLICATE, 1,
     PLIANT_COLOR_SCOPE_ALL}, // as published
    {"jacobi", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_ALL},
    {"jacobi", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_DUPLICATE, 1,
     PLIANT_COLOR_SCOPE_ALL}, // as published
    {"jacobi", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1.5, PLIANT_COLOR_SCOPE_ALL},
    {"patched", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_ALL},
    {"colored", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_TYPE},
    {"patched", PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT, 1, PLIANT_COLOR_SCOPE_TYPE},
};
enum {
    VARIANTS = sizeof variants / sizeof variants[0],
    COLORED = 1,
    PHANTOM = 4,
    JACOBI = 8,
    PER_TYPE = VARIANTS - 2 // from here on: where there are several types
};

// A body, and what is measured of it.
typedef struct job {
    const char* mesh; // a word, or a scene's name
    bool tets, same, residual, rigid;
    bool flat;             // of residual: the start
    double paper_ratio[2]; // speed over averaged Jacobi (2015, Table 2): colored, phantoms
    bool is_long;          // takes minutes
} job;
static const job jobs[] = {
    {"cloth:19x19", false, true, true, true, false, {0, 0}, false}, // figure 10: 1121 constraints
    {"cloth:9x9", false, false, false, true, false, {0, 0}, false},
    {"cloth:39x39", false, false, false, true, false, {0, 0}, false},
    {"cloth:59x59", false, true, false, true, false, {0, 0}, true}, // figure 5: 10561 constraints
    {"cloth:99x99", false, true, false, false, false, {0, 0}, true},
    {"torus:1:0.4:8", false, true, true, false, false, {0, 0}, false},
    {"torus:1:0.4:16", false, true, false, false, false, {0, 0}, true},
    {"cube", true, true, true, false, false, {0, 0}, false}, // 2013: figure 5
    {"tori", true, true, true, false, false, {8, 8.6}, true},
    {"fat", true, true, true, false, true, {1.4, 2}, true},
    {"squishy", true, true, false, false, false, {5.9, 11.6}, true},
};

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"part", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 14, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"constraints", COLUMN_INT, 11, 0},
    {"clique", COLUMN_INT, 6, 0},
    {"start", COLUMN_TEXT, 9, 0},
    {"schedule", COLUMN_TEXT, 8, 0},
    {"phantoms", COLUMN_TEXT, 8, 0},
    {"merge", COLUMN_TEXT, 9, 0},
    {"relaxation", COLUMN_NUMBER, 10, 1},
    {"color_scope", COLUMN_TEXT, 11, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"share", COLUMN_NUMBER, 7, 2}, // [%] rows beyond the particles
    {"iterations", COLUMN_INT, 10, 0},
    {"passes", COLUMN_INT, 6, 0}, // in parallel, one after the other; 2015: kernel calls
    {"residual", COLUMN_NUMBER, 10, 6},
    {"ms", COLUMN_NUMBER, 9, 3},
    {"ratio", COLUMN_NUMBER, 6, 2}, // speed over averaged Jacobi as published
    {"paper_ratio", COLUMN_NUMBER, 11, 1},
    {"shift", COLUMN_NUMBER, 9, 5}, // [%] of the size at rest
    {"turn", COLUMN_NUMBER, 9, 5},  // [degrees]
};

typedef struct {
    const rows* table;
    progress bar;
    double done, total;      // variants
    const char *name, *kind; // of mesh and start
    const struct job* job;
    pliant_mesh *mesh, *lines; // what the body is made of, and its edges
    pliant_mesh_arrays arrays; // of the edges, and the tets of the body
    double *start, *x;         // [m] places
} pbd;

typedef struct {
    double residual;
    double seconds;
    double shift, turn; // [%], [degrees]
} outcome;

// ---- bodies -------------------------------------------------------------------------------------

static void start_stretched(pbd* p)
{
    p->kind = "stretched";
    for (int i = 0; i < 3 * p->arrays.vertex_count; ++i)
        p->start[i] = stretch * p->arrays.vertices[i];
}

static void start_rough(pbd* p)
{
    random_source random = {1};
    double mean = 0;
    p->kind = "rough";
    for (int e = 0; e < p->arrays.edge_count; ++e)
        mean += sqrt(squared_distance(p->arrays.vertices, p->arrays.edges[2 * e],
                                      p->arrays.edges[2 * e + 1])) /
                p->arrays.edge_count;
    for (int i = 0; i < 3 * p->arrays.vertex_count; ++i)
        p->start[i] = p->arrays.vertices[i] + random_range(&random, -1, 1) * roughness * mean;
}

static void start_flat(pbd* p)
{
    p->kind = "flat";
    for (int i = 0; i < 3 * p->arrays.vertex_count; ++i)
        p->start[i] = p->arrays.vertices[i] * (i % 3 == 1 ? flatness : 1);
}

// Bodies of triangles are their edges alone.
static pliant_result open_mesh(pbd* p, const struct job* j, const char* folder)
{
    p->job = j;
    p->name = j->mesh;
    const pbd_scene* scene = pbd_scene_named(j->mesh);
    pliant_result result = scene ? pbd_scene_mesh(scene, folder, false, &p->mesh)
                                 : pliant_mesh_generate(j->mesh, &p->mesh);
    if (result || !p->mesh) return result;
    pliant_mesh_arrays body = pliant_mesh_view(p->mesh);
    result = pbd_take_edges(&body, &p->lines);
    if (result) return result;
    p->arrays = pliant_mesh_view(p->lines);
    if (j->tets) {
        p->arrays.tets = body.tets;
        p->arrays.tet_count = body.tet_count;
    }
    p->start = (double*)mem_array((size_t)p->arrays.vertex_count, sizeof(double[3]));
    p->x = (double*)mem_array((size_t)p->arrays.vertex_count, sizeof(double[3]));
    return p->start && p->x ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void close_mesh(pbd* p)
{
    pliant_mesh_destroy(p->mesh);
    pliant_mesh_destroy(p->lines);
    mem_free(p->start);
    mem_free(p->x);
    p->mesh = p->lines = NULL;
    p->start = p->x = NULL;
}

// Next to rigid, and thin: what counts is what holds. Solids are of the classic manner.
static pliant_result make_asset(const pbd* p, const variant* v, pliant_asset** out)
{
    bool solid = p->arrays.tet_count > 0;
    pliant_soft_def def =
        bench_rubber_as(solid ? PLIANT_FORMULATION_EDGES_AND_VOLUME : PLIANT_FORMULATION_TEN_ROWS,
                        schedule_of_word(v->schedule));
    def.research.stiffness_mode =
        solid ? PLIANT_STIFFNESS_MODE_CLASSIC : PLIANT_STIFFNESS_MODE_COMPLIANT;
    def.research.color_scope = v->color_scope;
    def.material.young = 1e14;
    def.rope.radius = 1e-3;
    def.solver.integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER;
    def.research.phantoms = v->phantoms;
    def.research.merge = v->merge;
    def.research.relaxation = v->relaxation;
    return pliant_asset_create(solid ? p->mesh : p->lines, &def, out);
}

// ---- measures -----------------------------------------------------------------------------------

typedef struct {
    double x[3];
} spot;

static spot center_of(const double* x, const double* mass, int count)
{
    spot c = {{0, 0, 0}};
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) c.x[k] += mass[i] * x[3 * i + k];
        sum += mass[i];
    }
    for (int k = 0; k < 3; ++k) c.x[k] /= sum;
    return c;
}

// Of the center of mass, and about y: the rotation that fits best.
static void find_motion(const pbd* p, const double* mass, outcome* out)
{
    int count = p->arrays.vertex_count;
    spot from = center_of(p->start, mass, count), to = center_of(p->x, mass, count);
    double square = 0, along = 0, across = 0, size = 0;
    for (int k = 0; k < 3; ++k) square += (to.x[k] - from.x[k]) * (to.x[k] - from.x[k]);
    for (int i = 0; i < count; ++i) {
        double ax = p->start[3 * i] - from.x[0], az = p->start[3 * i + 2] - from.x[2];
        double bx = p->x[3 * i] - to.x[0], bz = p->x[3 * i + 2] - to.x[2];
        along += mass[i] * (ax * bx + az * bz);
        across += mass[i] * (az * bx - ax * bz);
        size = fmax(size, 2 * sqrt(ax * ax + az * az) / stretch);
    }
    out->shift = 100 * sqrt(square) / size;
    out->turn = atan2(across, along) * 180 / 3.14159265358979323846;
}

// One step of one substep from the start, several times: the best time.
static pliant_result project(pbd* p, const pliant_asset* asset, int iterations, int rounds,
                             outcome* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def place = pliant_body_defaults();
    pliant_world* world = NULL;
    int count = p->arrays.vertex_count;
    def.gravity = (pliant_vec3){0, 0, 0};
    def.substeps = 1;
    def.iterations = iterations;
    def.threads = 1;
    double* mass = (double*)mem_array((size_t)count, sizeof(double));
    pliant_vec3* still = (pliant_vec3*)mem_array_zero((size_t)count, sizeof(pliant_vec3));
    pliant_result result = mass && still ? pliant_world_create(&def, &world) : PLIANT_ERROR_MEMORY;
    pliant_body_id body = {0, 0};
    if (!result) result = pliant_world_add_body(world, asset, &place, &body);
    *out = (outcome){INFINITY, INFINITY, NAN, NAN};
    for (int i = 0; i < rounds && !result; ++i) {
        pliant_body_write_positions_exact(world, body, p->start, count);
        pliant_body_write_velocities(world, body, still, count);
        double began = (double)clock(); // of this program alone
        result = pliant_world_step(world, 1);
        out->seconds = fmin(out->seconds, ((double)clock() - began) / CLOCKS_PER_SEC);
    }
    if (!result) result = pliant_body_read_positions_exact(world, body, p->x, count);
    if (!result) result = pliant_body_read_masses(world, body, mass, count);
    if (!result) {
        out->residual = pbd_residual(&p->arrays, p->x);
        find_motion(p, mass, out);
    }
    pliant_world_destroy(world);
    mem_free(mass);
    mem_free(still);
    return result == PLIANT_ERROR_DIVERGED ? PLIANT_OK : result; // an outcome too
}

// The same, with the time scaled up from that of a few iterations.
static pliant_result measure(pbd* p, const pliant_asset* asset, int iterations, int rounds,
                             outcome* out)
{
    outcome timed;
    int few = iterations < TIMED_ITERATIONS ? iterations : TIMED_ITERATIONS;
    pliant_result result = project(p, asset, iterations, 1, out);
    if (!result) result = project(p, asset, few, rounds, &timed);
    if (!result) out->seconds = timed.seconds * iterations / few;
    return result;
}

// What Table 2 of 2015 has for it; NAN: nothing.
static double paper_ratio(const pbd* p, const variant* v)
{
    int which = v == &variants[COLORED] ? 0 : v == &variants[PHANTOM] ? 1 : -1;
    bool there = which >= 0 && p->job->paper_ratio[which] > 0;
    return there ? p->job->paper_ratio[which] : (double)NAN;
}

// ---- rows ---------------------------------------------------------------------------------------

static void print_row(pbd* p, const char* part, const variant* v, const pliant_asset* asset,
                      int iterations, const outcome* got, double ratio)
{
    pliant_asset_info info = pliant_asset_describe(asset);
    const schedule_choice* choice = schedule_of_word(v->schedule);
    bool copied = info.copies > 1, phantom = choice->schedule == PLIANT_SCHEDULE_PHANTOM;
    bool patched = choice->schedule == PLIANT_SCHEDULE_PATCHED, rigid = strcmp(part, "rigid") == 0;
    bool averages =
        choice->schedule == PLIANT_SCHEDULE_HYBRID || choice->schedule == PLIANT_SCHEDULE_JACOBI;
    bool serial = choice->schedule == PLIANT_SCHEDULE_SERIAL;
    int per_iteration = patched ? 1 : info.colors + (copied ? 1 : 0);
    const cell row[] = {
        {.text = "pbd"},
        {.text = part},
        {.text = p->name},
        {.number = info.particles},
        {.number = info.constraints},
        {.number = info.clique},
        {.text = p->kind},
        {.text = v->schedule},
        {.text = phantom ? phantoms_words[v->phantoms] : NULL},
        {.text = copied ? merge_words[v->merge] : NULL},
        {.number = averages ? v->relaxation : (double)NAN},
        {.text = p->arrays.tet_count ? color_scope_words[v->color_scope] : NULL},
        {.number = info.colors},
        {.number = copied ? 100 * (info.copies - 1) : (double)NAN},
        {.number = iterations},
        {.number = serial ? (double)NAN : (double)per_iteration * iterations},
        {.number = got->residual},
        {.number = 1e3 * got->seconds},
        {.number = ratio},
        {.number = isnan(ratio) ? ratio : paper_ratio(p, v)},
        {.number = rigid ? got->shift : (double)NAN},
        {.number = rigid ? got->turn : (double)NAN},
    };
    bench_row(&p->bar, p->table, row);
}

// ---- the same residual --------------------------------------------------------------------------

// The fewest iterations that come to the target, within a twentieth; the most: none do.
static pliant_result find_iterations(pbd* p, const pliant_asset* asset, double target, int* out)
{
    outcome got;
    bool large = p->arrays.edge_count > LARGE_EDGES;
    int low = 0, high = 1, most = large ? MOST_ITERATIONS / 16 : MOST_ITERATIONS;
    pliant_result result = project(p, asset, high, 1, &got);
    while (!result && got.residual > target && high < most) {
        low = high;
        high *= 2;
        result = project(p, asset, high, 1, &got);
    }
    bool met = got.residual <= target;
    while (!result && met && high - low > 1 + high / 20) {
        int middle = (low + high) / 2;
        result = project(p, asset, middle, 1, &got);
        if (got.residual > target)
            low = middle;
        else
            high = middle;
    }
    *out = high;
    return result;
}

typedef struct {
    pliant_asset* asset[VARIANTS];
    int iterations[VARIANTS];
    outcome got[VARIANTS];
} field;

static pliant_result run_same(pbd* p, field* f, int rounds)
{
    outcome wanted;
    start_rough(p);
    pliant_result result = project(p, f->asset[COLORED], TARGET_ITERATIONS, 1, &wanted);
    for (int i = 0; i < VARIANTS && f->asset[i] && !result; ++i) {
        result = find_iterations(p, f->asset[i], wanted.residual, &f->iterations[i]);
        if (!result) result = measure(p, f->asset[i], f->iterations[i], rounds, &f->got[i]);
        progress_show(&p->bar, ++p->done, p->total);
    }
    for (int i = 0; i < VARIANTS && f->asset[i] && !result; ++i)
        print_row(p, "same", &variants[i], f->asset[i], f->iterations[i], &f->got[i],
                  f->got[JACOBI].seconds / f->got[i].seconds);
    return result;
}

static pliant_result run_residual(pbd* p, field* f, int rounds)
{
    pliant_result result = PLIANT_OK;
    if (p->job->flat)
        start_flat(p);
    else if (p->arrays.tet_count)
        start_rough(p);
    else
        start_stretched(p);
    int most = p->arrays.edge_count > LARGE_EDGES ? 256 : 1024;
    for (int i = COLORED; i < VARIANTS && f->asset[i] && !result; ++i)
        for (int iterations = 1; iterations <= most && !result; iterations *= 4) {
            result = measure(p, f->asset[i], iterations, rounds, &f->got[i]);
            if (!result)
                print_row(p, "residual", &variants[i], f->asset[i], iterations, &f->got[i], NAN);
        }
    return result;
}

static pliant_result run_rigid(pbd* p, field* f)
{
    pliant_result result = PLIANT_OK;
    start_stretched(p);
    for (int i = COLORED; i < VARIANTS && f->asset[i] && !result; ++i) {
        result = project(p, f->asset[i], RIGID_ITERATIONS, 1, &f->got[i]);
        if (!result)
            print_row(p, "rigid", &variants[i], f->asset[i], RIGID_ITERATIONS, &f->got[i], NAN);
        progress_show(&p->bar, ++p->done, p->total);
    }
    return result;
}

// ---- the whole ----------------------------------------------------------------------------------

// Colors per type only where there are several types.
static pliant_result make_assets(pbd* p, field* f)
{
    pliant_result result = PLIANT_OK;
    int count = p->arrays.tet_count ? VARIANTS : PER_TYPE;
    for (int i = 0; i < count && !result; ++i) result = make_asset(p, &variants[i], &f->asset[i]);
    return result;
}

static pliant_result run_job(pbd* p, const job* j, const bench_settings* settings)
{
    field f = {{NULL}, {0}, {{0, 0, 0, 0}}};
    bool quick = settings->quick;
    pliant_result result = open_mesh(p, j, settings->meshes);
    if (!result && p->mesh) {
        int rounds = quick ? 1 : p->arrays.edge_count > LARGE_EDGES ? 4 : 12;
        result = make_assets(p, &f);
        if (!result && j->same) result = run_same(p, &f, rounds);
        if (!result && j->residual && !quick) result = run_residual(p, &f, rounds);
        if (!result && j->rigid) result = run_rigid(p, &f);
    }
    for (int i = 0; i < VARIANTS; ++i) pliant_asset_destroy(f.asset[i]);
    close_mesh(p);
    return result;
}

int pbd_solvers_section(const bench_settings* settings)
{
    int count = settings->quick ? 1 : (int)(sizeof jobs / sizeof jobs[0]);
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    pbd p = {.table = &t, .bar = progress_start("variants", false)};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count; ++i)
        p.total += (jobs[i].same ? VARIANTS : 0) + (jobs[i].rigid ? VARIANTS - COLORED : 0);
    rows_head(&t);
    for (int i = 0; i < count && !result; ++i)
        if (!(settings->brief && jobs[i].is_long)) result = run_job(&p, &jobs[i], settings);
    progress_end(&p.bar);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}
