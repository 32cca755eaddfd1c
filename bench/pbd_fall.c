// Figure 4 of 2013: a cube of 25 thousand constraints falls on the ground, by averaged Jacobi and
// by Gauss-Seidel, both with what fits into 5 ms a frame. Section fall of `bench pbd`.
#include "base/memory.h"
#include "bench/paper_scene.h"
#include "bench/pbd.h"
#include "bench/pbd_residual.h"
#include <math.h>
#include <stdio.h>

enum { FRAMES = 90, MOST_ITERATIONS = 200 };
static const double budget = 5;                // [ms] of a frame, of the paper
static const double paper_constraints = 25000; // as printed

typedef struct {
    const char* name;
    pliant_schedule schedule;
    pliant_merge merge;
    int iterations;      // the paper's
    bool of_paper;       // or beside it
    const char* picture; // NULL: none
    const double* color;
} solver;
static const solver solvers[] = {
    {"gauss_seidel", PLIANT_SCHEDULE_COLORED, PLIANT_MERGE_SPLIT, 8, true, "gauss-seidel",
     paper_green},
    {"jacobi", PLIANT_SCHEDULE_JACOBI, PLIANT_MERGE_DUPLICATE, 24, true, "jacobi", paper_pink},
    {"patches", PLIANT_SCHEDULE_PATCHED, PLIANT_MERGE_SPLIT, 8, false, NULL, NULL},
};
enum { SOLVERS = sizeof solvers / sizeof solvers[0] };

// As many iterations as the paper has, or as the same time holds here.
static const char* const limit_words[] = {"iterations", "time"};
enum { BY_ITERATIONS, BY_TIME, LIMITS };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"section", COLUMN_TEXT, 7, 0},
    {"solver", COLUMN_TEXT, 12, 0},
    {"constraints", COLUMN_INT, 11, 0},
    {"paper_constraints", COLUMN_INT, 17, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"same", COLUMN_TEXT, 10, 0}, // what is the paper's: iterations, or the time of a frame
    {"iterations", COLUMN_INT, 10, 0},
    {"paper_iterations", COLUMN_INT, 16, 0},
    {"ms_per_frame", COLUMN_NUMBER, 12, 2}, // on one core
    {"paper_ms", COLUMN_NUMBER, 8, 0},
    {"lowest", COLUMN_NUMBER, 7, 1},    // [%] the least height, of that at rest
    {"residual", COLUMN_NUMBER, 10, 5}, // the most of all frames
    {"mean_residual", COLUMN_NUMBER, 13, 5},
};
static const column curve_columns[] = {
    {"solver", COLUMN_TEXT, 12, 0},     {"same", COLUMN_TEXT, 10, 0},
    {"frame", COLUMN_INT, 5, 0},        {"height", COLUMN_NUMBER, 8, 3}, // [%] of that at rest
    {"residual", COLUMN_NUMBER, 10, 6},
};

typedef struct {
    double height[FRAMES], residual[FRAMES]; // [%], [-]
    double ms;                               // of a frame
    int iterations, colors, constraints;
} fall;

typedef struct {
    const bench_settings* settings;
    const pbd_scene* scene;
    pliant_mesh *mesh, *lines;
    pliant_mesh_arrays arrays; // tets, and their edges
    double* x;
    fall got[SOLVERS][LIMITS];
} cube;

static pliant_result cube_open(const bench_settings* settings, cube* c)
{
    *c = (cube){.settings = settings, .scene = pbd_scene_named("cube")};
    pliant_result result = settings->quick ? pliant_mesh_generate("beam:4x4x4:0.1", &c->mesh)
                                           : pbd_scene_mesh(c->scene, NULL, false, &c->mesh);
    if (result) return result;
    c->arrays = pliant_mesh_view(c->mesh);
    result = pbd_take_edges(&c->arrays, &c->lines);
    if (result) return result;
    c->arrays.edges = pliant_mesh_view(c->lines).edges;
    c->arrays.edge_count = pliant_mesh_view(c->lines).edge_count;
    c->x = (double*)mem_array((size_t)c->arrays.vertex_count, sizeof(double[3]));
    return c->x ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void cube_close(cube* c)
{
    pliant_mesh_destroy(c->mesh);
    pliant_mesh_destroy(c->lines);
    mem_free(c->x);
}

// ---- runs ---------------------------------------------------------------------------------------

static double height_of(const double* x, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; ++i) {
        low = fmin(low, x[3 * i + 1]);
        high = fmax(high, x[3 * i + 1]);
    }
    return high - low;
}

static pliant_result follow(const cube* c, const pbd_run* run, fall* out)
{
    pliant_world* world = pbd_scene_open(c->scene, run);
    pliant_body_id body;
    if (!world || pliant_world_bodies(world, &body, 1) != 1) return PLIANT_ERROR_ARGUMENT;
    int count = c->arrays.vertex_count;
    double rest = height_of(c->arrays.vertices, count);
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < FRAMES && !result; ++i) {
        result = pliant_world_step(world, pbd_dt);
        if (!result) result = pliant_body_read_positions_exact(world, body, c->x, count);
        out->height[i] = 100 * height_of(c->x, count) / rest;
        out->residual[i] = pbd_residual(&c->arrays, c->x);
    }
    pliant_world_destroy(world);
    return result;
}

static pliant_result time_frame(const cube* c, const pbd_run* run, double* out_ms)
{
    double seconds = NAN;
    pliant_world* world = pbd_scene_open(c->scene, run);
    if (!world) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = pbd_time(world, c->settings->quick, &seconds);
    pliant_world_destroy(world);
    *out_ms = 1e3 * seconds;
    return result;
}

static int fitting(double ms, int iterations)
{
    return (int)fmax(1, fmin(MOST_ITERATIONS, floor(budget / ms * iterations)));
}

static pliant_result run_solver(cube* c, int number)
{
    const solver* s = &solvers[number];
    pliant_soft_def def = pbd_scene_soft(c->scene, s->schedule);
    pliant_asset* asset = NULL;
    def.research.merge = s->merge;
    if (s->schedule == PLIANT_SCHEDULE_COLORED) def.research.color_scope = PLIANT_COLOR_SCOPE_TYPE;
    pliant_result result = pliant_asset_create(c->mesh, &def, &asset);
    int iterations = s->iterations;
    for (int limit = 0; limit < LIMITS && !result; ++limit) {
        fall* f = &c->got[number][limit];
        const pbd_run run = {
            .mesh = c->mesh, .asset = asset, .substeps = 1, .iterations = iterations, .threads = 1};
        pliant_asset_info info = pliant_asset_describe(asset);
        f->iterations = iterations;
        f->colors = info.colors;
        f->constraints = info.constraints;
        result = time_frame(c, &run, &f->ms);
        if (!result) result = follow(c, &run, f);
        iterations = fitting(f->ms, iterations);
    }
    pliant_asset_destroy(asset);
    return result;
}

// ---- rows ---------------------------------------------------------------------------------------

static void print_fall(const rows* t, const solver* s, int limit, const fall* f)
{
    double lowest = INFINITY, most = 0, sum = 0;
    for (int i = 0; i < FRAMES; ++i) {
        lowest = fmin(lowest, f->height[i]);
        most = fmax(most, f->residual[i]);
        sum += f->residual[i];
    }
    bool same = s->of_paper && limit == BY_ITERATIONS;
    const cell row[] = {
        {.text = "pbd"},
        {.text = "fall"},
        {.text = s->name},
        {.number = f->constraints},
        {.number = s->of_paper ? paper_constraints : (double)NAN},
        {.number = f->colors},
        {.text = limit_words[limit]},
        {.number = f->iterations},
        {.number = same ? s->iterations : (double)NAN},
        {.number = f->ms},
        {.number = s->of_paper ? budget : (double)NAN},
        {.number = lowest},
        {.number = most},
        {.number = sum / FRAMES},
    };
    rows_add(t, row);
}

static void keep_curves(const cube* c)
{
    sheet* keep = c->settings->keep;
    if (!keep) return;
    sheet_begin(keep, curve_columns, sizeof curve_columns / sizeof curve_columns[0]);
    for (int i = 0; i < SOLVERS * LIMITS; ++i)
        for (int frame = 0; frame < FRAMES; ++frame) {
            const fall* f = &c->got[i / LIMITS][i % LIMITS];
            const cell row[] = {{.text = solvers[i / LIMITS].name},
                                {.text = limit_words[i % LIMITS]},
                                {.number = frame + 1},
                                {.number = f->height[frame]},
                                {.number = f->residual[frame]}};
            sheet_add(keep, row);
        }
}

// A strip: before the ground, on it, and after.
static pliant_result draw(const bench_settings* settings, const solver* s)
{
    const style look = style_defaults();
    json_t* body =
        json_pack("{s:s, s:{s:s, s:s, s:s}, s:{s:s, s:s}, s:[f,f,f], s:[f,f,f]}", "mesh",
                  pbd_scene_named("cube")->mesh, "solver", "formulation", "edges_and_volume",
                  "integrator", "implicit_euler", "schedule", schedule_words[s->schedule],
                  "research", "stiffness_mode", "classic", "merge", merge_words[s->merge],
                  "position", 0.0, 1.0, 0.0, "color", s->color[0], s->color[1], s->color[2]);
    json_t* fall_of = json_pack(
        "{s:i, s:i, s:i, s:[o], s:[{s:s}], s:{s:i, s:i, s:[f,f,f], s:[f,f,f], s:[f,f,f,f,f]}}",
        "substeps", 1, "iterations", s->iterations, "frames", 60, "bodies", body, "colliders",
        "shape", "plane", "camera", "width", 1500, "height", 360, "eye", 3.5, 1.85, 5.7, "target",
        0.65, 0.6, 0.65, "times", 0.4, 0.5, 0.6, 0.68, 0.9);
    return paper_shoot(settings, "pbd-fall", s->picture, fall_of, &look);
}

int pbd_fall_section(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    cube c;
    pliant_result result = cube_open(settings, &c);
    rows_head(&t);
    for (int i = 0; i < SOLVERS && !result; ++i) result = run_solver(&c, i);
    for (int i = 0; i < SOLVERS * LIMITS && !result; ++i)
        print_fall(&t, &solvers[i / LIMITS], i % LIMITS, &c.got[i / LIMITS][i % LIMITS]);
    if (!result) keep_curves(&c);
    cube_close(&c);
    for (int i = 0; i < SOLVERS && !result; ++i)
        if (solvers[i].picture) result = draw(settings, &solvers[i]);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}
