// A drop of water without weight, held by its surface tension, against Laplace and Rayleigh.
#include "base/memory.h"
#include "base/random.h"
#include "bench/physics.h"
#include <math.h>

static const double pi = 3.14159265358979323846;
static const double radius = 1e-3, tension = 0.0728, density = 1000; // [m], [N/m], [kg/m^3]

typedef struct {
    pliant_world* world;
    pliant_body_id body;
    int count;
    double spacing, round; // [m], and the radius of a ball of their volumes
    double omega;          // [1/s] of Rayleigh's lowest mode
    float dt;              // [s] of a step
    pliant_vec3 *at, *velocity;
    float* pressure;
} drop;

// ---- a drop -------------------------------------------------------------------------------------

// Places of a grid within a ball, a little uneven. Returns how many.
static int place_all(const drop* d, int across, double* out)
{
    random_source random = {5};
    int n = across + 2, count = 0;
    for (int i = 0; i < n * n * n; ++i) {
        const int grid[3] = {i % n, i / n % n, i / n / n};
        double at[3], square = 0;
        for (int k = 0; k < 3; ++k) {
            at[k] = d->spacing * (grid[k] - (n - 1) / 2.0);
            square += at[k] * at[k];
        }
        if (square > radius * radius) continue;
        for (int k = 0; k < 3 && out; ++k)
            out[3 * count + k] = at[k] + d->spacing * random_range(&random, -0.15, 0.15);
        count++;
    }
    return count;
}

static pliant_result add_drop(drop* d, int across)
{
    size_t count = (size_t)(d->count = place_all(d, across, NULL));
    double* x = (double*)mem_array(3 * count, sizeof(double));
    d->at = (pliant_vec3*)mem_array(count, sizeof *d->at);
    d->velocity = (pliant_vec3*)mem_array_zero(count, sizeof *d->velocity);
    d->pressure = (float*)mem_array(count, sizeof(float));
    pliant_result result =
        x && d->at && d->velocity && d->pressure ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def body = pliant_body_defaults();
    soft.liquid.spacing = d->spacing;
    soft.liquid.surface_tension = tension;
    soft.material.density = density;
    if (!result) place_all(d, across, x);
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = d->count};
    if (!result) result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = pliant_world_add_soft(d->world, mesh, &soft, &body, &d->body);
    pliant_mesh_destroy(mesh);
    mem_free(x);
    return result;
}

static pliant_result open_drop(int across, drop* out)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = 10;
    def.threads = 1;
    *out = (drop){.spacing = 2 * radius / across};
    pliant_result result = pliant_world_create(&def, &out->world);
    if (!result) pliant_world_set_gravity(out->world, (pliant_vec3){0, 0, 0});
    if (!result) result = add_drop(out, across);
    out->dt = (float)sqrt(density * pow(out->spacing, 3) / tension);
    out->round = out->spacing * cbrt(out->count * 3 / (4 * pi));
    out->omega = sqrt(8 * tension / (density * pow(out->round, 3)));
    return result;
}

static void close_drop(drop* d)
{
    if (d->world) pliant_world_destroy(d->world);
    mem_free(d->at);
    mem_free(d->velocity);
    mem_free(d->pressure);
}

// ---- Laplace ------------------------------------------------------------------------------------

// Shaken, so that they lie as a liquid's particles do, and then held back until they are calm.
static pliant_result calm_down(drop* d, int steps)
{
    random_source random = {9};
    const double fast = 0.3 * sqrt(tension / (density * d->spacing));
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < d->count; ++i)
        d->velocity[i] = (pliant_vec3){(float)random_range(&random, -fast, fast),
                                       (float)random_range(&random, -fast, fast),
                                       (float)random_range(&random, -fast, fast)};
    for (int n = 0; n < steps && !result; ++n) {
        const float keep = n < steps / 2 ? 0.98f : 0.93f;
        for (int i = 0; i < d->count; ++i) {
            d->velocity[i].x *= keep;
            d->velocity[i].y *= keep;
            d->velocity[i].z *= keep;
        }
        result = pliant_body_write_velocities(d->world, d->body, d->velocity, d->count);
        if (!result) result = pliant_world_step(d->world, d->dt);
        if (!result) result = pliant_body_read_velocities(d->world, d->body, d->velocity, d->count);
    }
    return result;
}

// The mean pressure well inside, over some steps.
static pliant_result find_pressure(drop* d, int steps, double* out)
{
    pliant_result result = PLIANT_OK;
    double sum = 0, n = 0;
    for (int step = 0; step < steps && !result; ++step) {
        result = pliant_world_step(d->world, d->dt);
        if (!result) result = pliant_body_read_positions(d->world, d->body, d->at, d->count);
        if (!result) result = pliant_body_read_pressures(d->world, d->body, d->pressure, d->count);
        for (int i = 0; i < d->count && !result; ++i) {
            double x = (double)d->at[i].x, y = (double)d->at[i].y, z = (double)d->at[i].z;
            if (sqrt(x * x + y * y + z * z) > 0.6 * d->round) continue;
            sum += (double)d->pressure[i];
            n += 1;
        }
    }
    *out = sum / n;
    return result;
}

// ---- Rayleigh -----------------------------------------------------------------------------------

// Long along y, or flat [-].
static double elongation(const drop* d)
{
    double sum = 0;
    for (int i = 0; i < d->count; ++i) {
        double x = (double)d->at[i].x, y = (double)d->at[i].y, z = (double)d->at[i].z;
        sum += 2 * y * y - x * x - z * z;
    }
    return sum / (d->count * d->round * d->round);
}

static pliant_result strike(drop* d)
{
    const double rate = 0.1 * d->omega;
    for (int i = 0; i < d->count; ++i)
        d->velocity[i] = (pliant_vec3){(float)(-rate * (double)d->at[i].x),
                                       (float)(2 * rate * (double)d->at[i].y),
                                       (float)(-rate * (double)d->at[i].z)};
    return pliant_body_write_velocities(d->world, d->body, d->velocity, d->count);
}

// Half a period, and the swings before and after it.
typedef struct {
    double first, last, peak[2];
} swing;

static pliant_result watch(drop* d, swing* out)
{
    const int most = (int)(4 * pi / (d->omega * (double)d->dt));
    double before = 0, rest = 0;
    int crossings = 0;
    pliant_result result = pliant_body_read_positions(d->world, d->body, d->at, d->count);
    rest = elongation(d);
    for (int step = 1; step < most && crossings < 2 && !result; ++step) {
        result = pliant_world_step(d->world, d->dt);
        if (!result) result = pliant_body_read_positions(d->world, d->body, d->at, d->count);
        double now = elongation(d) - rest, time = (step - now / (now - before)) * (double)d->dt;
        out->peak[crossings] = fmax(out->peak[crossings], fabs(now));
        if (before * now < 0 && crossings++ == 0)
            out->first = time;
        else if (before * now < 0)
            out->last = time;
        before = now;
    }
    return result;
}

// A drop of particles is thicker than water: of the two swings, what it would do undamped.
static double undamped(const swing* s)
{
    double half = s->last - s->first, fall = log(s->peak[0] / s->peak[1]) / half;
    return sqrt(pi * pi / (half * half) + fall * fall);
}

pliant_result physics_liquid_drop(judge* j)
{
    drop d;
    swing s = {0, 0, {0, 0}};
    double pressure = 0;
    pliant_result result = open_drop(j->quick ? 16 : 20, &d);
    const int period = (int)(2 * pi / (d.omega * (double)d.dt));
    if (!result) result = calm_down(&d, 3 * period / 2);
    if (!result) result = find_pressure(&d, period / 2, &pressure);
    if (!result) result = strike(&d);
    if (!result) result = watch(&d, &s);
    double laplace = 2 * tension / d.round, hertz = d.omega / (2 * pi);
    if (!result) {
        judge_row(j, &(judgment){"liquid_drop", "laplace_Pa", laplace, pressure, 0.05, laplace});
        judge_row(j, &(judgment){"liquid_drop", "rayleigh_Hz", hertz, undamped(&s) / (2 * pi), 0.05,
                                 hertz});
    }
    close_drop(&d);
    return result;
}
