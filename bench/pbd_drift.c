// What copies of particles do to a motion: sections error (figure 5 of 2015: the difference to the
// exact solution against the number of colors) and momentum of `bench pbd`.
#include "base/memory.h"
#include "base/random.h"
#include "bench/pbd.h"
#include <math.h>
#include <string.h>

enum { ITERATIONS = 8, MANY_ITERATIONS = 400 };

// A body that moves, and where it is.
typedef struct {
    pliant_mesh* mesh;
    int count;
    double *start, *x, *exact, *converged, *mass; // [m], [kg]
    pliant_vec3* v;                               // [m/s]
} mover;

static pliant_result mover_open(const char* words, mover* out)
{
    *out = (mover){0};
    pliant_result result = pliant_mesh_generate(words, &out->mesh);
    if (result) return result;
    pliant_mesh_arrays a = pliant_mesh_view(out->mesh);
    size_t bytes = sizeof(double[3]), count = (size_t)a.vertex_count;
    out->count = a.vertex_count;
    out->start = (double*)mem_array(count, bytes);
    out->x = (double*)mem_array(count, bytes);
    out->exact = (double*)mem_array(count, bytes);
    out->converged = (double*)mem_array(count, bytes);
    out->mass = (double*)mem_array(count, sizeof(double));
    out->v = (pliant_vec3*)mem_array(count, sizeof(pliant_vec3));
    bool good = out->start && out->x && out->exact && out->converged && out->mass && out->v;
    if (good) memcpy(out->start, a.vertices, count * bytes);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static void mover_close(mover* m)
{
    pliant_mesh_destroy(m->mesh);
    mem_free(m->start);
    mem_free(m->x);
    mem_free(m->exact);
    mem_free(m->converged);
    mem_free(m->mass);
    mem_free(m->v);
}

static pliant_soft_def soft_of(pliant_schedule schedule, pliant_merge merge)
{
    const pbd_scene plain = {.theirs = {.bend = NAN}};
    pliant_soft_def def = pbd_scene_soft(&plain, schedule);
    def.research.merge = merge;
    return def;
}

static pliant_result open_world(const mover* m, const pliant_soft_def* def, int iterations,
                                double gravity, pliant_world** out, pliant_body_id* out_body)
{
    pliant_world_def world_def = pliant_world_defaults();
    pliant_body_def place = pliant_body_defaults();
    world_def.gravity = (pliant_vec3){0, -(float)gravity, 0};
    world_def.substeps = 1;
    world_def.iterations = iterations;
    pliant_result result = pliant_world_create(&world_def, out);
    if (result) return result;
    result = pliant_world_add_soft(*out, m->mesh, def, &place, out_body);
    return result ? result : pliant_body_write_positions_exact(*out, *out_body, m->start, m->count);
}

// ---- error --------------------------------------------------------------------------------------

enum { ERROR_FRAMES = 30, CELLS = 59 }; // 3600 particles, 10 561 distances

static const column error_columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},       {"section", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 14, 0},       {"constraints", COLUMN_INT, 11, 0},
    {"schedule", COLUMN_TEXT, 8, 0},    {"phantoms", COLUMN_TEXT, 8, 0},
    {"merge", COLUMN_TEXT, 9, 0},       {"colors", COLUMN_INT, 6, 0},
    {"share", COLUMN_NUMBER, 7, 2},     // [%] phantoms over particles
    {"error", COLUMN_NUMBER, 8, 3},     // [%] to the same without phantoms, over the way moved
    {"converged", COLUMN_NUMBER, 9, 3}, // [%] to one with many iterations
};

// A cloth that hangs from two corners swings for half a second.
static pliant_result swing(const mover* m, const pliant_soft_def* def, int iterations, double* out)
{
    pliant_world* world = NULL;
    pliant_body_id body = {0, 0};
    pliant_result result = open_world(m, def, iterations, 9.81, &world, &body);
    if (!result) pliant_body_pin(world, body, 0);
    if (!result) pliant_body_pin(world, body, CELLS);
    for (int i = 0; i < ERROR_FRAMES && !result; ++i) result = pliant_world_step(world, pbd_dt);
    if (!result) result = pliant_body_read_positions_exact(world, body, out, m->count);
    if (world) pliant_world_destroy(world);
    return result;
}

// The root mean square distance over that to the start [%].
static double difference(const mover* m, const double* to)
{
    double off = 0, moved = 0;
    for (int i = 0; i < 3 * m->count; ++i) {
        off += (m->x[i] - to[i]) * (m->x[i] - to[i]);
        moved += (to[i] - m->start[i]) * (to[i] - m->start[i]);
    }
    return 100 * sqrt(off / moved);
}

static pliant_result run_error(progress* bar, const rows* t, mover* m, const char* name,
                               const pliant_soft_def* def)
{
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(m->mesh, def, &asset);
    if (result) return result;
    pliant_asset_info info = pliant_asset_describe(asset);
    pliant_asset_destroy(asset);
    result = swing(m, def, ITERATIONS, m->x);
    bool phantom = def->solver.schedule == PLIANT_SCHEDULE_PHANTOM;
    const cell row[] = {
        {.text = "pbd"},
        {.text = "error"},
        {.text = name},
        {.number = info.constraints},
        {.text = schedule_words[def->solver.schedule]},
        {.text = phantom ? phantoms_words[def->research.phantoms] : NULL},
        {.text = phantom ? merge_words[def->research.merge] : NULL},
        {.number = info.colors},
        {.number = phantom ? 100 * (info.copies - 1) : (double)NAN},
        {.number = difference(m, m->exact)},
        {.number = difference(m, m->converged)},
    };
    if (!result) bench_row(bar, t, row);
    return result;
}

// As published: one phantom for each constraint, with the whole mass; and ours.
static pliant_result run_errors(progress* bar, const rows* t, mover* m, const char* name,
                                bool quick)
{
    pliant_soft_def def = soft_of(PLIANT_SCHEDULE_COLORED, PLIANT_MERGE_SPLIT);
    int most = 7;
    pliant_result result = swing(m, &def, ITERATIONS, m->exact);
    if (!result) result = swing(m, &def, MANY_ITERATIONS, m->converged);
    if (!result) result = run_error(bar, t, m, name, &def);
    for (int way = 0; way < 2; ++way)
        for (int colors = most; colors >= 2 && !result; colors -= quick ? 5 : 1) {
            def =
                soft_of(PLIANT_SCHEDULE_PHANTOM, way ? PLIANT_MERGE_DUPLICATE : PLIANT_MERGE_SPLIT);
            def.research.phantoms = way ? PLIANT_PHANTOMS_SINGLE : PLIANT_PHANTOMS_GROUPED;
            def.research.most_colors = colors;
            result = run_error(bar, t, m, name, &def);
        }
    def = soft_of(PLIANT_SCHEDULE_JACOBI, PLIANT_MERGE_DUPLICATE);
    return result ? result : run_error(bar, t, m, name, &def);
}

int pbd_error_section(const bench_settings* settings)
{
    rows t = bench_rows(settings, error_columns, sizeof error_columns / sizeof error_columns[0]);
    progress bar = progress_start("rows", false);
    mover m;
    rows_head(&t);
    const char* name = "cloth:59x59";
    pliant_result result = mover_open(name, &m);
    if (!result) result = run_errors(&bar, &t, &m, name, settings->quick);
    mover_close(&m);
    progress_end(&bar);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}

// ---- momentum -----------------------------------------------------------------------------------

enum { FREE_FRAMES = 60 };
static const double roughness = 0.02; // [m] each way: a fifth of an edge

static const column momentum_columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},       {"section", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 18, 0},       {"constraints", COLUMN_INT, 11, 0},
    {"schedule", COLUMN_TEXT, 9, 0},    {"phantoms", COLUMN_TEXT, 8, 0},
    {"merge", COLUMN_TEXT, 9, 0},       {"frames", COLUMN_INT, 6, 0},
    {"momentum", COLUMN_NUMBER, 12, 9}, // [-] the most, over the sum of the particles' momenta
    {"shift", COLUMN_NUMBER, 12, 9},    // [%] of the center of mass, of the size
};

typedef struct {
    double momentum, shift;
} drift;

// |sum m v| over the most that sum m |v| was.
static double momentum_of(const mover* m, double* most)
{
    double sum[3] = {0, 0, 0}, all = 0;
    for (int i = 0; i < m->count; ++i) {
        const double v[3] = {(double)m->v[i].x, (double)m->v[i].y, (double)m->v[i].z};
        for (int k = 0; k < 3; ++k) sum[k] += m->mass[i] * v[k];
        all += m->mass[i] * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    *most = fmax(*most, all);
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / *most;
}

static double shift_of(const mover* m)
{
    double moved[3] = {0, 0, 0}, mass = 0, size = 0;
    for (int i = 0; i < m->count; ++i) {
        mass += m->mass[i];
        for (int k = 0; k < 3; ++k) {
            moved[k] += m->mass[i] * (m->x[3 * i + k] - m->start[3 * i + k]);
            size = fmax(size, fabs(m->start[3 * i + k] - m->start[k]));
        }
    }
    double way = sqrt(moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2]) / mass;
    return 100 * way / size;
}

// Nothing pulls: what moves the whole is a mistake of the solver.
static pliant_result run_free(mover* m, const pliant_soft_def* def, int frames, drift* out)
{
    pliant_world* world = NULL;
    pliant_body_id body = {0, 0};
    double most = 0;
    *out = (drift){0, NAN};
    pliant_result result = open_world(m, def, ITERATIONS, 0, &world, &body);
    if (!result) result = pliant_body_read_masses(world, body, m->mass, m->count);
    for (int i = 0; i < frames && !result; ++i) {
        result = pliant_world_step(world, pbd_dt);
        if (!result) result = pliant_body_read_velocities(world, body, m->v, m->count);
        out->momentum = fmax(out->momentum, momentum_of(m, &most));
    }
    if (!result) result = pliant_body_read_positions_exact(world, body, m->x, m->count);
    out->shift = shift_of(m);
    if (world) pliant_world_destroy(world);
    return result;
}

static const struct {
    pliant_schedule schedule;
    pliant_phantoms phantoms;
    pliant_merge merge;
} ways[] = {
    {PLIANT_SCHEDULE_SERIAL, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_COLORED, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_PATCHED, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_PHANTOM, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_PHANTOM, PLIANT_PHANTOMS_SINGLE, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_HYBRID, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_JACOBI, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_SPLIT},
    {PLIANT_SCHEDULE_PATCHED, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_DUPLICATE},
    {PLIANT_SCHEDULE_PHANTOM, PLIANT_PHANTOMS_SINGLE, PLIANT_MERGE_DUPLICATE},
    {PLIANT_SCHEDULE_HYBRID, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_DUPLICATE},
    {PLIANT_SCHEDULE_JACOBI, PLIANT_PHANTOMS_GROUPED, PLIANT_MERGE_DUPLICATE},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static pliant_result run_way(progress* bar, const rows* t, mover* m, const char* name, int way,
                             int frames)
{
    pliant_soft_def def = soft_of(ways[way].schedule, ways[way].merge);
    bool copies = def.solver.schedule == PLIANT_SCHEDULE_PATCHED ||
                  def.solver.schedule > PLIANT_SCHEDULE_SERIAL;
    drift got;
    pliant_asset* asset = NULL;
    def.research.phantoms = ways[way].phantoms;
    def.solver.patch_rows = 256; // so that there are several
    pliant_result result = pliant_asset_create(m->mesh, &def, &asset);
    if (result) return result;
    int constraints = pliant_asset_describe(asset).constraints;
    pliant_asset_destroy(asset);
    result = run_free(m, &def, frames, &got);
    const cell row[] = {
        {.text = "pbd"},
        {.text = "momentum"},
        {.text = name},
        {.number = constraints},
        {.text = schedule_words[def.solver.schedule]},
        {.text = def.solver.schedule == PLIANT_SCHEDULE_PHANTOM
                     ? phantoms_words[def.research.phantoms]
                     : NULL},
        {.text = copies ? merge_words[def.research.merge] : NULL},
        {.number = frames},
        {.number = got.momentum},
        {.number = got.shift},
    };
    if (!result) bench_row(bar, t, row);
    return result;
}

static void make_rough(mover* m)
{
    random_source random = {1};
    for (int i = 0; i < 3 * m->count; ++i) m->start[i] += random_range(&random, -1, 1) * roughness;
}

int pbd_momentum_section(const bench_settings* settings)
{
    static const char* const names[] = {"cloth:39x39:4x4", "beam:13x13x13:0.1", "torus:1:0.275:4"};
    rows t = bench_rows(settings, momentum_columns,
                        sizeof momentum_columns / sizeof momentum_columns[0]);
    progress bar = progress_start("rows", false);
    pliant_result result = PLIANT_OK;
    rows_head(&t);
    for (int i = settings->quick ? 2 : 0; i < 3 && !result; ++i) {
        mover m;
        result = mover_open(names[i], &m);
        if (!result) make_rough(&m);
        for (int way = 0; way < WAYS && !result; ++way)
            result = run_way(&bar, &t, &m, names[i], way, settings->quick ? 5 : FREE_FRAMES);
        mover_close(&m);
    }
    progress_end(&bar);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}
