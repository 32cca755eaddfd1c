// Frames per second of the papers' scenes, on the processor or a GPU, beside theirs: sections
// frames (Table 1 of 2013, Table 2 of 2015) and kernels (Table 1 of 2015) of `bench pbd`.
#include "base/platform.h"
#include "bench/pbd.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// A way to step a scene. Those of the papers have one kernel per color, for each type of
// constraint.
typedef enum {
    COLORED,        // 2013
    GRAPH,          // the same kernels, launched together; on a GPU alone
    IN_ONE,         // colored, with colors for all types together
    PHANTOM,        // 2015
    JACOBI,         // 2014
    PATCHED,        // all bodies as one, colors for all types together
    TYPES,          // the same with colors of each type
    BODIES,         // patched, each body for itself
    BODIES_BY_TYPE, // the same with colors of each type
    FAST,           // each body for itself, with the shorter arithmetic; on a GPU alone
    FAST_BY_TYPE,   // the same with colors of each type
    FEW,            // with few colors, by copies; on a GPU alone
    SUBSTEPS,       // with substeps of one iteration
    TEN_ROWS,       // and another material: neo-Hookean
    METHODS
} method;
static const char* const method_words[METHODS] = {
    "colored", "graph",          "in_one", "phantom",      "jacobi",     "patched",  "by_type",
    "bodies",  "bodies_by_type", "fast",   "fast_by_type", "few_colors", "substeps", "ten_rows"};

// A row, and what the paper says of it; 0: nothing.
typedef struct {
    const char* scene;
    int year;
    method how;
    int iterations;
    double launches, fps, fps_one_core, fps_cores; // of the paper; launches of 2013: colors times
                                                   // iterations
} job;
static const job jobs[] = {
    {"cloth", 2013, COLORED, 8, 208, 1105, 25, 73},
    {"cloth", 2013, GRAPH, 8, 208, 1105, 0, 0},
    {"cloth", 0, IN_ONE, 8, 0, 0, 0, 0},
    {"cloth", 0, PATCHED, 8, 0, 0, 0, 0},
    {"cloth", 0, FAST, 8, 0, 0, 0, 0},
    {"cloth", 0, TYPES, 8, 0, 0, 0, 0},
    {"cube", 0, COLORED, 8, 0, 0, 0, 0},
    {"cube", 0, JACOBI, 24, 0, 0, 0, 0},
    {"cube", 0, PATCHED, 8, 0, 0, 0, 0},
    {"cube", 0, TYPES, 8, 0, 0, 0, 0},
    {"bunny", 2013, COLORED, 4, 832, 326, 15, 45},
    {"bunny", 2013, GRAPH, 4, 832, 326, 0, 0},
    {"bunny", 0, IN_ONE, 4, 0, 0, 0, 0},
    {"bunny", 0, PATCHED, 4, 0, 0, 0, 0},
    {"bunny", 0, TYPES, 4, 0, 0, 0, 0},
    {"bunny", 0, TEN_ROWS, 4, 0, 0, 0, 0},
    {"tori", 2013, COLORED, 8, 344, 700, 3, 5},
    {"tori", 2013, GRAPH, 8, 344, 700, 0, 0},
    {"tori", 0, IN_ONE, 8, 0, 0, 0, 0},
    {"tori", 0, PATCHED, 8, 0, 0, 0, 0},
    {"tori", 0, BODIES, 8, 0, 0, 0, 0},
    {"tori", 0, FAST, 8, 0, 0, 0, 0},
    {"tori", 0, BODIES_BY_TYPE, 8, 0, 0, 0, 0},
    {"tori", 0, FAST_BY_TYPE, 8, 0, 0, 0, 0},
    {"tori", 0, FEW, 8, 0, 0, 0, 0},
    {"tori", 0, SUBSTEPS, 8, 0, 0, 0, 0},
    {"tori", 0, TEN_ROWS, 8, 0, 0, 0, 0},
    {"tori", 2015, COLORED, 4, 172, 225, 0, 0},
    {"tori", 2015, PHANTOM, 4, 148, 240, 0, 0},
    {"tori", 2015, JACOBI, 43, 40, 28, 0, 0},
    {"tori", 0, BODIES, 4, 0, 0, 0, 0},
    {"tori400", 0, COLORED, 8, 0, 0, 0, 0},
    {"tori400", 0, BODIES, 8, 0, 0, 0, 0},
    {"tori400", 0, TEN_ROWS, 8, 0, 0, 0, 0},
    {"squishy", 2015, COLORED, 8, 880, 205, 0, 0},
    {"squishy", 2015, PHANTOM, 8, 448, 405, 0, 0},
    {"squishy", 2015, JACOBI, 110, 110, 35, 0, 0},
    {"squishy", 0, PATCHED, 8, 0, 0, 0, 0},
    {"squishy", 0, TYPES, 8, 0, 0, 0, 0},
    {"fat", 2015, COLORED, 16, 736, 280, 0, 0},
    {"fat", 2015, PHANTOM, 16, 432, 384, 0, 0},
    {"fat", 2015, JACOBI, 74, 74, 195, 0, 0},
    {"fat", 0, PATCHED, 16, 0, 0, 0, 0},
    {"fat", 0, TYPES, 16, 0, 0, 0, 0},
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"section", COLUMN_TEXT, 7, 0},
    {"scene", COLUMN_TEXT, 8, 0},
    {"paper", COLUMN_INT, 5, 0}, // its year
    {"method", COLUMN_TEXT, 14, 0},
    {"bodies", COLUMN_INT, 6, 0}, // in the world; the papers have one particle system for all
    {"particles", COLUMN_INT, 9, 0},
    {"constraints", COLUMN_INT, 11, 0},
    {"paper_constraints", COLUMN_INT, 17, 0},
    {"substeps", COLUMN_INT, 8, 0},
    {"iterations", COLUMN_INT, 10, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"patches", COLUMN_INT, 7, 0}, // of a body
    {"copies", COLUMN_NUMBER, 6, 3},
    {"launches", COLUMN_INT, 8, 0}, // of a frame; on the processor: passes one after the other
    {"paper_launches", COLUMN_INT, 14, 0},
    {"threads", COLUMN_INT, 7, 0},
    {"ms_per_frame", COLUMN_NUMBER, 12, 3},
    {"paper_ms", COLUMN_NUMBER, 8, 2},
    {"fps", COLUMN_NUMBER, 9, 1},
    {"paper_fps", COLUMN_NUMBER, 9, 0},          // its GPU, or on the processor its processors
    {"ratio", COLUMN_NUMBER, 7, 2},              // of fps to the paper's of this scene
    {"ns_per_constraint", COLUMN_NUMBER, 17, 3}, // and iteration
};

typedef struct {
    const rows* table;
    const bench_settings* settings;
    const char* section;
    progress bar;
    double done, total;
    pliant_mesh *one, *all; // of the scene at hand: one body, all bodies
    double tori;            // the best rate of the tori of 2013 over the paper's; NAN before
} frames;

static bool is_apart(method how) { return how >= BODIES; }
static bool is_by_type(method how)
{
    return how == COLORED || how == GRAPH || how == TYPES || how == BODIES_BY_TYPE ||
           how == FAST_BY_TYPE;
}
static bool is_fast(method how) { return how == FAST || how == FAST_BY_TYPE; }
static bool is_of_gpu(method how) { return how == GRAPH || how == FEW || is_fast(how); }

static pliant_soft_def soft_of(const frames* f, const pbd_scene* s, method how)
{
    static const pliant_schedule schedule[METHODS] = {[COLORED] = PLIANT_SCHEDULE_COLORED,
                                                      [GRAPH] = PLIANT_SCHEDULE_COLORED,
                                                      [IN_ONE] = PLIANT_SCHEDULE_COLORED,
                                                      [PHANTOM] = PLIANT_SCHEDULE_PHANTOM,
                                                      [JACOBI] = PLIANT_SCHEDULE_JACOBI};
    pliant_soft_def def = pbd_scene_soft(s, schedule[how]);
    if (is_by_type(how)) def.research.color_scope = PLIANT_COLOR_SCOPE_TYPE;
    if (how == JACOBI) def.research.merge = PLIANT_MERGE_DUPLICATE;
    if (f->settings->on_gpu) def.solver.target_backend = PLIANT_BACKEND_CUDA;
    // As many bodies as multiprocessors: one block each.
    if (f->settings->on_gpu && is_apart(how) && s->across[0] > 1)
        def.solver.patch_rows = pliant_mesh_view(f->one).vertex_count;
    if (how == FEW) def.solver.patch_colors = 20;
    if (how == TEN_ROWS) {
        def.research.stiffness_mode = PLIANT_STIFFNESS_MODE_COMPLIANT;
        def.solver.formulation = PLIANT_FORMULATION_TEN_ROWS;
        def.research.boundary.bending = 0; // angles are of edges and volumes
        def.solver.integrator = PLIANT_INTEGRATOR_FORESIGHT;
        def.material.young = 1e5;
    }
    return def;
}

// What the paper says where the row runs.
static double paper_fps(const job* j, bool there, int threads)
{
    double fps = there ? j->fps : threads == 1 ? j->fps_one_core : j->fps_cores;
    return fps > 0 ? fps : (double)NAN;
}

// The best of the papers for this scene: what rows of ours are held against.
static double best_paper_fps(const job* j, bool there, int threads)
{
    double best = NAN;
    for (int i = 0; i < JOBS; ++i)
        if (pbd_scene_named(jobs[i].scene) == pbd_scene_named(j->scene) &&
            jobs[i].iterations == j->iterations)
            best = fmax(best, paper_fps(&jobs[i], there, threads));
    return best;
}

static double sum_of(const pbd_counts* c)
{
    double sum = NAN;
    const double parts[] = {c->stretch, c->bend, c->tets};
    for (int i = 0; i < 3; ++i)
        if (!isnan(parts[i])) sum = isnan(sum) ? parts[i] : sum + parts[i];
    return sum;
}

typedef struct {
    const job* job;
    const pbd_scene* scene;
    const pliant_asset* asset;
    const pbd_run* run;
    double seconds, paper_fps;
} outcome;

static void print_row(frames* f, const outcome* o)
{
    pliant_asset_info info = pliant_asset_describe(o->asset);
    const pbd_run* r = o->run;
    int bodies = r->apart ? o->scene->across[0] * o->scene->across[1] : 1;
    int threads = r->threads ? r->threads : platform_core_count();
    double sweeps = (double)r->substeps * r->iterations;
    double constraints = (double)bodies * info.constraints;
    double best = best_paper_fps(o->job, r->on_gpu, r->threads);
    double ratio = 1 / o->seconds / (isnan(o->paper_fps) ? best : o->paper_fps);
    if (o->scene == pbd_scene_named("tori") && o->job->iterations == 8)
        f->tori = fmax(f->tori, ratio);
    const cell row[] = {
        {.text = "pbd"},
        {.text = f->section},
        {.text = o->scene->name},
        {.number = o->job->year ? o->job->year : (double)NAN},
        {.text = method_words[o->job->how]},
        {.number = bodies},
        {.number = (double)bodies * info.particles},
        {.number = constraints},
        {.number = sum_of(&o->scene->theirs)},
        {.number = r->substeps},
        {.number = r->iterations},
        {.number = info.colors},
        {.number = info.patches},
        {.number = info.copies},
        {.number = pbd_launches(o->asset, r->substeps, r->iterations)},
        {.number = o->job->launches > 0 ? o->job->launches : (double)NAN},
        {.number = r->on_gpu ? (double)NAN : threads},
        {.number = 1e3 * o->seconds},
        {.number = 1e3 / o->paper_fps},
        {.number = 1 / o->seconds},
        {.number = o->paper_fps},
        {.number = ratio},
        {.number = 1e9 * o->seconds / sweeps / constraints},
    };
    bench_row(&f->bar, f->table, row);
}

static pliant_result run_job(frames* f, const pbd_scene* s, const job* j, const pliant_asset* asset)
{
    bool there = f->settings->on_gpu, small_steps = j->how >= SUBSTEPS;
    pliant_result result = PLIANT_OK;
    int most = there ? 1 : platform_core_count() > 1 ? 2 : 1;
    for (int i = 0; i < most && !result; ++i) {
        pbd_run run = {
            .mesh = is_apart(j->how) ? f->one : f->all,
            .asset = asset,
            .apart = is_apart(j->how),
            .substeps = small_steps ? j->iterations : 1,
            .iterations = small_steps ? 1 : j->iterations,
            .threads = there || i == 0 ? 1 : 0,
            .on_gpu = there,
            .arithmetic = is_fast(j->how) ? PLIANT_ARITHMETIC_FAST : PLIANT_ARITHMETIC_EXACT,
            .launch_mode = j->how == GRAPH ? PLIANT_LAUNCH_MODE_GRAPH : PLIANT_LAUNCH_MODE_EACH};
        outcome o = {j, s, asset, &run, NAN, paper_fps(j, there, run.threads)};
        pliant_world* world = pbd_scene_open(s, &run);
        if (!world) return PLIANT_ERROR_ARGUMENT;
        result = pbd_time(world, f->settings->quick, &o.seconds);
        pliant_world_destroy(world);
        if (!result) print_row(f, &o);
    }
    return result;
}

static void close_scene(frames* f)
{
    pliant_mesh_destroy(f->one);
    pliant_mesh_destroy(f->all);
    f->one = f->all = NULL;
}

// Left without meshes when its file is missing.
static pliant_result open_scene(frames* f, const pbd_scene* s)
{
    pliant_result result = pbd_scene_mesh(s, f->settings->meshes, false, &f->one);
    return !result && f->one ? pbd_scene_mesh(s, f->settings->meshes, true, &f->all) : result;
}

static pliant_result compile_and_run(frames* f, const pbd_scene* s, const job* j)
{
    pliant_asset* asset = NULL;
    pliant_soft_def def = soft_of(f, s, j->how);
    pliant_result result = pliant_asset_create(is_apart(j->how) ? f->one : f->all, &def, &asset);
    if (!result) result = run_job(f, s, j, asset);
    pliant_asset_destroy(asset);
    return result;
}

static frames start(const rows* t, const bench_settings* settings, const char* section)
{
    frames f = {
        .table = t, .settings = settings, .section = section, .bar = progress_start("rows", false)};
    rows_head(t);
    return f;
}

static bool is_left_out(const frames* f, const job* j)
{
    const pbd_scene* s = pbd_scene_named(j->scene);
    const char* only = f->settings->only;
    if (only && strcmp(only, j->scene) != 0 && strcmp(only, method_words[j->how]) != 0) return true;
    if (is_of_gpu(j->how) && !f->settings->on_gpu) return true;
    if (f->settings->brief && (s->across[0] > 10 || s->fill > 100000)) return true;
    if (!f->settings->quick) return false;
    return s->across[0] > 1 || s->fill > 0 || (s->is_file && !f->settings->meshes);
}

int pbd_frames_section(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    frames f = start(&t, settings, "frames");
    const pbd_scene* open = NULL;
    int status = EXIT_DONE;
    f.total = JOBS;
    for (int i = 0; i < JOBS; ++i) {
        const pbd_scene* s = pbd_scene_named(jobs[i].scene);
        progress_show(&f.bar, f.done++, f.total);
        if (is_left_out(&f, &jobs[i])) continue;
        pliant_result result = PLIANT_OK;
        if (s != open) {
            close_scene(&f);
            result = open_scene(&f, s);
            open = s;
        }
        if (!result && f.all) result = compile_and_run(&f, s, &jobs[i]);
        if (result) status = tell_failure("bench pbd");
    }
    close_scene(&f);
    progress_end(&f.bar);
    if (settings->on_gpu && settings->form == FORM_ALIGNED)
        printf("wanted: tori at 10 times the rate of 2013; %.1f times, %s\n", f.tori,
               f.tori >= 10 ? "met" : "MISSED");
    return status;
}

// ---- kernels ------------------------------------------------------------------------------------

// 43 colors times 8, 16 and 24 iterations, on a GeForce 660: `turns` of 8 for one of three sizes.
static job kernels_job(method how, int size, int turns)
{
    static const double ms[3][3] = {{1.7, 2.2, 1.9}, {3.8, 4.0, 3.7}, {5.3, 5.5, 13.0}};
    double fps = 1e3 / ms[turns - 1][size];
    return (job){"tori",
                 is_apart(how) ? 0 : 2015,
                 how,
                 8 * turns,
                 is_apart(how) ? 0 : 344.0 * turns,
                 fps,
                 fps,
                 fps};
}

static pliant_result run_size(frames* f, int size)
{
    static const int across[3][2] = {{5, 5}, {10, 5}, {10, 10}};
    static const double constraints[3] = {200e3, 400e3, 800e3};
    static const method ways[] = {COLORED, GRAPH, BODIES};
    pbd_scene s = *pbd_scene_named("tori");
    s.across[0] = across[size][0], s.across[1] = across[size][1];
    s.theirs = (pbd_counts){NAN, constraints[size], NAN, NAN};
    pliant_result result = open_scene(f, &s);
    for (int way = 0; way < 3; ++way)
        for (int turns = 1; turns <= (f->settings->quick ? 1 : 3) && !result; ++turns) {
            job j = kernels_job(ways[way], size, turns);
            progress_show(&f->bar, f->done++, f->total);
            if (j.how == GRAPH && !f->settings->on_gpu) continue;
            result = compile_and_run(f, &s, &j);
        }
    close_scene(f);
    return result;
}

int pbd_kernels_section(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    frames f = start(&t, settings, "kernels");
    int sizes = settings->quick ? 1 : 3;
    f.total = 9.0 * sizes;
    pliant_result result = PLIANT_OK;
    for (int size = 0; size < sizes && !result; ++size) result = run_size(&f, size);
    progress_end(&f.bar);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}
