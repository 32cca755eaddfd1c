// Bodies of particles that keep their shape: what matching takes, and a step of all of them.
#include "base/memory.h"
#include "base/platform.h"
#include "bench/bench.h"
#include "facts.h"
#include "options.h"
#include <math.h>

enum { SUBSTEPS = 4, STEPS = 20, SIDE = 4 };
static const double spacing = 0.1; // [m]

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"kind", COLUMN_TEXT, 8, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"bodies", COLUMN_INT, 6, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"members", COLUMN_INT, 8, 0},           // of all clusters: a particle may be in several
    {"match_us", COLUMN_NUMBER, 9, 1},       // a pass over all bodies
    {"match_ns_each", COLUMN_NUMBER, 13, 2}, // of a member
    {"ms_per_step", COLUMN_NUMBER, 11, 3},   // 4 substeps, on a plane
    {"launches", COLUMN_INT, 8, 0},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

typedef struct {
    const char* name;
    int bodies, side;
    double stiffness, spacing; // of clusters [m]
    bool meet;                 // each other
} rigid_case;

static pliant_result make_cube(int side, pliant_mesh** out)
{
    size_t count = (size_t)side * (size_t)side * (size_t)side;
    double* x = (double*)mem_array(3 * count, sizeof(double));
    if (!x) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        const size_t n = (size_t)side, at[3] = {i % n, i / n % n, i / n / n};
        for (size_t k = 0; k < 3; ++k) x[3 * i + k] = spacing * ((double)at[k] + 0.5);
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = (int)count};
    pliant_result result = pliant_mesh_create(&arrays, out);
    mem_free(x);
    return result;
}

static pliant_result make_asset(const rigid_case* c, double stiffness, pliant_asset** out)
{
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_result result = make_cube(c->side, &mesh);
    soft.radius = spacing / 2;
    soft.clusters.stiffness = stiffness;
    soft.clusters.spacing = stiffness > 0 ? c->spacing : 0;
    if (!result) result = pliant_asset_create(mesh, &soft, out);
    pliant_mesh_destroy(mesh);
    return result;
}

// Side by side on a plane, with a little of a turn.
static pliant_result fill_world(pliant_world* world, const rigid_case* c, const pliant_asset* asset)
{
    int row = (int)ceil(sqrt((double)c->bodies));
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_result result = pliant_world_add_collider(world, &floor, NULL);
    for (int i = 0; i < c->bodies && !result; ++i) {
        pliant_body_def def = pliant_body_defaults();
        double apart = 1.2 * spacing * c->side;
        def.position[0] = apart * (i % row);
        def.position[2] = apart * (i / row);
        def.position[1] = 0.01;
        def.angular_velocity = (pliant_vec3){0.3f, 0.2f, 0.1f};
        result = pliant_world_add_body(world, asset, &def, NULL);
    }
    return result;
}

// [s] of a step, the best of several; NAN where it fails.
static double time_steps(pliant_world* world, int steps, double* out_sweep)
{
    double best = INFINITY;
    *out_sweep = INFINITY;
    for (int i = 0; i < steps; ++i) {
        double start = platform_seconds();
        if (pliant_world_step(world, 1.0f / 60) || pliant_world_wait(world)) return NAN;
        best = fmin(best, platform_seconds() - start);
        *out_sweep = fmin(*out_sweep, pliant_world_profile(world).sweep);
    }
    return best;
}

typedef struct {
    double step, sweep; // [s]
    int launches;
} rigid_times;

static pliant_result time_world(const rigid_case* c, const pliant_asset* asset,
                                const bench_settings* settings, rigid_times* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = SUBSTEPS;
    def.backend = settings->on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU;
    def.contacts = c->meet;
    pliant_result result = pliant_world_create(&def, &world);
    if (!result) result = fill_world(world, c, asset);
    if (!result) out->step = time_steps(world, settings->quick ? 3 : STEPS, &out->sweep);
    if (!result && isnan(out->step)) result = PLIANT_ERROR_DEVICE;
    if (!result) out->launches = pliant_world_profile(world).launches;
    pliant_world_destroy(world);
    return result;
}

static int members_of(const pliant_asset* asset)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_world* world = NULL;
    pliant_body_id id;
    int sum = 0;
    if (pliant_world_create(&def, &world) || pliant_world_add_body(world, asset, &at, &id))
        return 0;
    int count = pliant_body_cluster_count(world, id);
    pliant_cluster_pose* pose = (pliant_cluster_pose*)mem_array((size_t)count, sizeof *pose);
    if (pose && !pliant_body_read_clusters(world, id, pose, count))
        for (int i = 0; i < count; ++i) sum += pose[i].particles;
    mem_free(pose);
    pliant_world_destroy(world);
    return sum;
}

// On a GPU what matching takes is the difference to loose particles at the same places.
static pliant_result run_case(const rows* t, const rigid_case* c, const bench_settings* settings)
{
    pliant_asset *asset = NULL, *loose = NULL;
    rigid_times with = {0}, without = {0};
    pliant_result result = make_asset(c, c->stiffness, &asset);
    if (!result) result = make_asset(c, 0, &loose);
    if (!result) result = time_world(c, asset, settings, &with);
    if (!result && settings->on_gpu) result = time_world(c, loose, settings, &without);
    if (!result) {
        double match = (settings->on_gpu ? with.step - without.step : with.sweep) / SUBSTEPS;
        double particles = (double)c->bodies * c->side * c->side * c->side;
        double members = (double)c->bodies * members_of(asset);
        const cell row[] = {{.text = "rigid"},
                            {.text = c->name},
                            {.text = settings->on_gpu ? "cuda" : "cpu"},
                            {.number = c->bodies},
                            {.number = particles},
                            {.number = members},
                            {.number = 1e6 * match},
                            {.number = 1e9 * match / members},
                            {.number = 1e3 * with.step},
                            {.number = with.launches}};
        rows_add(t, row);
    }
    pliant_asset_destroy(asset);
    pliant_asset_destroy(loose);
    return result;
}

int bench_rigid(const bench_settings* settings)
{
    static const rigid_case cases[] = {
        {"rigid", 64, SIDE, 1, 0, false},    {"rigid", 1024, SIDE, 1, 0, false},
        {"rigid", 4096, SIDE, 1, 0, false},  {"meeting", 1024, SIDE, 1, 0, true},
        {"soft", 256, 6, 0.9, 0.25, false},  {"large", 1, 32, 1, 0, false},
        {"clusters", 1, 32, 0.9, 0.3, false}};
    rows t = bench_rows(settings, columns, COLUMNS);
    rows_head(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        rigid_case c = cases[i];
        if (settings->quick && c.bodies > 64) c.bodies /= 64;
        if (settings->quick && c.side > 8) c.side = 8;
        if (run_case(&t, &c, settings)) return tell_failure("bench rigid");
    }
    return EXIT_DONE;
}
