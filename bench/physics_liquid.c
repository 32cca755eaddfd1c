// Liquids against closed forms and an experiment: a column at rest, a standing wave, a dam that
// breaks.
#include "base/memory.h"
#include "bench/tank.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double gravity = 9.81, pi = 3.14159265358979323846;

static pliant_result add_wall(pliant_world* world, const double size[3], int axis, bool far,
                              pliant_collider_id* out)
{
    pliant_collider_def def = pliant_collider_defaults();
    double place[3] = {size[0] / 2, size[1] / 2, size[2] / 2};
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = (pliant_vec3){10, 10, 10};
    def.measure_force = axis == 1;
    place[axis] = far ? size[axis] + 10 : -10;
    for (int k = 0; k < 3; ++k) def.position[k] = place[k];
    return pliant_world_add_collider(world, &def, out);
}

static pliant_result add_walls(tank* t, const double size[3])
{
    pliant_collider_id made;
    pliant_result result = add_wall(t->world, size, 1, false, &t->floor);
    if (!result) result = add_wall(t->world, size, 0, true, &t->gate);
    if (!result) result = add_wall(t->world, size, 0, false, &made);
    if (!result) result = add_wall(t->world, size, 2, true, &made);
    return result ? result : add_wall(t->world, size, 2, false, &made);
}

static pliant_result add_water(tank* t, const double size[3], double high, fill_fn* fill)
{
    const double s = t->spacing;
    int nx = (int)(size[0] / s + 0.5), ny = (int)(high / s + 0.5), nz = (int)(size[2] / s + 0.5);
    size_t most = (size_t)nx * (size_t)ny * (size_t)nz;
    double* x = (double*)mem_array(3 * most, sizeof(double));
    t->at = (pliant_vec3*)mem_array(most, sizeof *t->at);
    if (!x || !t->at) {
        mem_free(x);
        return PLIANT_ERROR_MEMORY;
    }
    for (int i = 0; i < nx * ny * nz; ++i) {
        double* to = x + 3 * (size_t)t->count;
        to[0] = s * (i % nx + 0.5);
        to[1] = s * (i / nx % ny + 0.5);
        to[2] = s * (i / nx / ny + 0.5);
        t->count += fill(size, to[0], to[1]);
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = t->count};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.liquid.spacing = s;
    pliant_result result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = pliant_world_add_soft(t->world, mesh, &soft, &def, &t->water);
    pliant_mesh_destroy(mesh);
    mem_free(x);
    return result;
}

void close_tank(tank* t)
{
    if (t->world) pliant_world_destroy(t->world);
    mem_free(t->at);
}

pliant_result open_tank(const double size[3], double high, double spacing, int substeps,
                        fill_fn* fill, tank* out)
{
    pliant_world_def def = pliant_world_defaults();
    def.substeps = substeps;
    def.threads = 1;
    *out = (tank){.spacing = spacing};
    pliant_result result = pliant_world_create(&def, &out->world);
    if (!result) result = add_walls(out, size);
    return result ? result : add_water(out, size, high, fill);
}

pliant_result step_tank(tank* t, float dt)
{
    pliant_result result = pliant_world_step(t->world, dt);
    return result ? result : pliant_body_read_positions(t->world, t->water, t->at, t->count);
}

bool everywhere(const double size[3], double x, double y)
{
    (void)size;
    (void)x;
    (void)y;
    return true;
}

// ---- at rest ------------------------------------------------------------------------------------

// A line through pressures against heights, away from walls and the surface.
typedef struct {
    double n, y, p, yy, yp;
} line_sums;

static pliant_result add_pressures(tank* t, const double size[3], float* pressure, line_sums* sums)
{
    const double edge = 2.4 * t->spacing;
    pliant_result result = pliant_body_read_pressures(t->world, t->water, pressure, t->count);
    for (int i = 0; i < t->count && !result; ++i) {
        double x = (double)t->at[i].x, y = (double)t->at[i].y, z = (double)t->at[i].z;
        double p = (double)pressure[i];
        if (x < edge || x > size[0] - edge || z < edge || z > size[2] - edge || y < edge ||
            y > 0.85 * size[1])
            continue;
        sums->n += 1, sums->y += y, sums->p += p, sums->yy += y * y, sums->yp += y * p;
    }
    return result;
}

// It carries its weight, and the pressure is rho g times the depth.
pliant_result physics_liquid_rest(judge* j)
{
    const double size[3] = {0.24, 0.4, 0.24};
    int steps = j->quick ? 60 : 180;
    tank t;
    line_sums sums = {0};
    double floor = 0;
    pliant_result result = open_tank(size, size[1], 0.02, 20, everywhere, &t);
    float* pressure = (float*)mem_array((size_t)t.count + 1, sizeof(float));
    if (!pressure && !result) result = PLIANT_ERROR_MEMORY;
    for (int i = 0; i < steps && !result; ++i) {
        double force[3] = {0, 0, 0};
        result = step_tank(&t, 1 / 60.0f);
        if (i < steps / 2 || result) continue;
        result = pliant_collider_force(t.world, t.floor, force, NULL);
        floor -= force[1] / (steps - steps / 2);
        if (!result) result = add_pressures(&t, size, pressure, &sums);
    }
    double weight = t.count * 1000 * pow(t.spacing, 3) * gravity;
    double slope = (sums.n * sums.yp - sums.y * sums.p) / (sums.n * sums.yy - sums.y * sums.y);
    double surface = sums.y / sums.n - sums.p / sums.n / slope;
    if (!result) {
        judge_row(j, &(judgment){"liquid_rest", "floor_N", weight, floor, 0.01, weight});
        judge_row(j, &(judgment){"liquid_rest", "pressure_Pa_m", 1000 * gravity, -slope, 0.02,
                                 1000 * gravity});
        judge_row(j, &(judgment){"liquid_rest", "surface_m", size[1], surface, 0.02, size[1]});
    }
    mem_free(pressure);
    close_tank(&t);
    return result;
}

// ---- a wave -------------------------------------------------------------------------------------

static bool below_wave(const double size[3], double x, double y)
{
    return y < size[1] + 0.05 * size[0] * cos(pi * x / size[0]);
}

// Half a wavelength in a tank 1 m long and filled to 0.5 m: omega^2 = g k tanh(k h).
pliant_result physics_liquid_wave(judge* j)
{
    const double size[3] = {1, 0.5, 0.1}, k = pi / size[0];
    double wanted = 2 * pi / sqrt(gravity * k * tanh(k * size[1]));
    double first = 0, last = 0, before = 0;
    int crossings = 0, enough = j->quick ? 4 : 8;
    tank t;
    pliant_result result = open_tank(size, 0.55, 0.025, 12, below_wave, &t);
    for (int step = 1; crossings < enough && step < 600 && !result; ++step) {
        double middle = -size[0] / 2, time = step / 60.0;
        result = step_tank(&t, 1 / 60.0f);
        for (int i = 0; i < t.count && !result; ++i) middle += (double)t.at[i].x / t.count;
        if (before * middle < 0) {
            last = time - middle / (middle - before) / 60;
            if (crossings++ == 0) first = last;
        }
        before = middle;
    }
    double period = crossings > 1 ? 2 * (last - first) / (crossings - 1) : 0;
    if (!result) judge_row(j, &(judgment){"liquid_wave", "period_s", wanted, period, 0.03, wanted});
    close_tank(&t);
    return result;
}

// ---- a dam --------------------------------------------------------------------------------------

// Martin and Moyce (1952): a column 57.15 mm wide and twice as high. The front x / a against
// t sqrt(2 g / a), and the height over 2 a against t sqrt(g / a).
static const double front_table[][2] = {
    {2.11, 1.83}, {2.56, 2.20}, {3.00, 2.51}, {3.44, 2.83}, {3.89, 3.11}};
static const double height_table[][2] = {
    {0.56, 0.94}, {0.93, 0.83}, {1.28, 0.72}, {1.66, 0.61}, {2.00, 0.50}};
enum { FRONTS = 5, HEIGHTS = 5 };

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The farthest cell of a spacing that half a layer has reached.
static double find_front(const tank* t, double depth)
{
    enum { CELLS = 512 };
    int count[CELLS] = {0}, reached = CELLS - 1;
    for (int i = 0; i < t->count; ++i) {
        int at = (int)((double)t->at[i].x / t->spacing);
        if (at >= 0 && at < CELLS) count[at]++;
    }
    while (reached > 0 && count[reached] < 0.5 * depth / t->spacing) --reached;
    double farthest = 0;
    for (int i = 0; i < t->count; ++i)
        if ((double)t->at[i].x < (reached + 1) * t->spacing)
            farthest = fmax(farthest, (double)t->at[i].x);
    return farthest + t->spacing / 2;
}

// Beside the wall, below a layer of spray.
static double find_height(const tank* t, double depth, double* scratch)
{
    int count = 0, layer = (int)(depth / t->spacing + 0.5);
    for (int i = 0; i < t->count; ++i)
        if ((double)t->at[i].x < 2.5 * t->spacing) scratch[count++] = (double)t->at[i].y;
    qsort(scratch, (size_t)count, sizeof *scratch, by_size);
    return count > layer ? scratch[count - 1 - layer] + t->spacing / 2 : 0;
}

typedef struct {
    double time[FRONTS], height[HEIGHTS]; // both without units, as the tables have them
} dam_course;

static pliant_result watch_dam(tank* t, double a, double depth, double* scratch, dam_course* out)
{
    pliant_result result = PLIANT_OK;
    double unit = sqrt(gravity / a), front_before = a;
    int fronts = 0, heights = 0;
    const float dt = 0.001f;
    for (int step = 1; (fronts < FRONTS || heights < HEIGHTS) && step < 600 && !result; ++step) {
        double time = step * (double)dt;
        result = step_tank(t, dt);
        double front = find_front(t, depth);
        for (; fronts < FRONTS && front >= a * front_table[fronts][0]; ++fronts) {
            double part = (front - a * front_table[fronts][0]) / fmax(front - front_before, 1e-9);
            out->time[fronts] = (time - part * (double)dt) * unit * sqrt(2);
        }
        for (; heights < HEIGHTS && time * unit >= height_table[heights][0]; ++heights)
            out->height[heights] = find_height(t, depth, scratch) / (2 * a);
        front_before = front;
    }
    return result;
}

static pliant_result break_dam(int across, dam_course* out)
{
    const double a = 0.05715, spacing = a / across, depth = 6 * spacing;
    const double size[3] = {a, 2 * a, depth};
    int substeps = (across + 4) / 5; // of 1 ms
    tank t;
    pliant_result result = open_tank(size, size[1], spacing, substeps, everywhere, &t);
    double* scratch = (double*)mem_array((size_t)t.count + 1, sizeof(double));
    if (!scratch && !result) result = PLIANT_ERROR_MEMORY;
    for (int i = 0; i < 200 && !result; ++i) result = step_tank(&t, 0.001f); // comes to rest
    if (!result) pliant_collider_remove(t.world, t.gate);
    if (!result) result = watch_dam(&t, a, depth, scratch, out);
    mem_free(scratch);
    close_tank(&t);
    return result;
}

// The front is early, since no gate holds it back, and nothing slows its tip.
pliant_result physics_liquid_dam(judge* j)
{
    static const int across[] = {10, 14, 20};
    pliant_result result = PLIANT_OK;
    for (int n = 0; n < (j->quick ? 1 : 3) && !result; ++n) {
        dam_course c = {{0}, {0}};
        double early = 0, off = 0;
        char name[24];
        result = break_dam(across[n], &c);
        for (int i = 0; i < FRONTS; ++i) early += c.time[i] / front_table[i][1] / FRONTS;
        for (int i = 0; i < HEIGHTS; ++i) off = fmax(off, fabs(c.height[i] - height_table[i][1]));
        if (result) return result;
        snprintf(name, sizeof name, "front_time_%d", across[n]);
        judge_row(j, &(judgment){"liquid_dam", name, 1, early, 0.15, 1});
        snprintf(name, sizeof name, "height_off_%d", across[n]);
        judge_row(j, &(judgment){"liquid_dam", name, 0, off, 0.05, 1});
    }
    return result;
}
