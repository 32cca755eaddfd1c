// Gases against theories of plumes and vortices: a thermal that rises, a plume that widens, a
// vortex ring that travels. Each in a closed room full of gas, of which a part is warm, or turns.
#include "base/memory.h"
#include "bench/physics.h"
#include "scene/scene.h"
#include <math.h>

static const double pi = 3.14159265358979323846, cold = 300; // [K]

// A room whose floor has its middle at the origin.
typedef struct {
    pliant_world* world;
    pliant_body_id gas;
    double size[3], spacing;
    int count;
    pliant_vec3 *at, *velocity, *turn; // of the particles, as they were read
    float* warm;                       // [K]
} room;

typedef struct {
    double size[3], spacing; // [m]
    int substeps;            // of 1/60 s
    double swirl;            // [1/s]
} room_def;

static pliant_result add_wall(pliant_world* world, const double size[3], int axis, bool far)
{
    pliant_collider_def def = pliant_collider_defaults();
    double place[3] = {0, size[1] / 2, 0};
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = (pliant_vec3){10, 10, 10};
    place[axis] += far ? size[axis] / 2 + 10 : -size[axis] / 2 - 10;
    for (int k = 0; k < 3; ++k) def.position[k] = place[k];
    return pliant_world_add_collider(world, &def, NULL);
}

static pliant_result add_gas(room* r, const room_def* def)
{
    int n[3];
    for (int k = 0; k < 3; ++k) n[k] = (int)(def->size[k] / def->spacing + 0.5);
    r->count = n[0] * n[1] * n[2];
    size_t count = (size_t)r->count;
    double* x = (double*)mem_array(3 * count, sizeof(double));
    r->at = (pliant_vec3*)mem_array(count, sizeof *r->at);
    r->velocity = (pliant_vec3*)mem_array(count, sizeof *r->velocity);
    r->turn = (pliant_vec3*)mem_array(count, sizeof *r->turn);
    r->warm = (float*)mem_array(count, sizeof *r->warm);
    bool good = x && r->at && r->velocity && r->turn && r->warm;
    for (int i = 0; i < r->count && good; ++i) {
        const int at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        for (int k = 0; k < 3; ++k) {
            double low = k == 1 ? 0 : -r->size[k] / 2;
            x[3 * i + k] = low + r->size[k] * (at[k] + 0.5) / n[k];
        }
        for (int k = 0; k < 3; ++k) (&r->at[i].x)[k] = (float)x[3 * i + k];
        r->warm[i] = (float)cold;
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = r->count};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def body = pliant_body_defaults();
    soft.gas.spacing = def->spacing;
    soft.gas.swirl = def->swirl;
    soft.gas.drag = 0;
    soft.material.density = 1.2;
    soft.heat = (pliant_heat_def){cold, cold, 0.026, 1005, 0};
    pliant_result result = good ? pliant_mesh_create(&arrays, &mesh) : PLIANT_ERROR_MEMORY;
    if (!result) result = pliant_world_add_soft(r->world, mesh, &soft, &body, &r->gas);
    pliant_mesh_destroy(mesh);
    mem_free(x);
    return result;
}

static void close_room(room* r)
{
    if (r->world) pliant_world_destroy(r->world);
    mem_free(r->at);
    mem_free(r->velocity);
    mem_free(r->turn);
    mem_free(r->warm);
}

static pliant_result open_room(const room_def* def, room* out)
{
    pliant_world_def world = pliant_world_defaults();
    world.substeps = def->substeps;
    world.threads = 1;
    *out = (room){.spacing = def->spacing};
    for (int k = 0; k < 3; ++k)
        out->size[k] = floor(def->size[k] / def->spacing + 0.5) * def->spacing;
    pliant_result result = pliant_world_create(&world, &out->world);
    for (int axis = 0; axis < 3 && !result; ++axis) {
        result = add_wall(out->world, out->size, axis, false);
        if (!result) result = add_wall(out->world, out->size, axis, true);
    }
    return result ? result : add_gas(out, def);
}

static pliant_result read_room(room* r)
{
    pliant_result result = pliant_body_read_positions(r->world, r->gas, r->at, r->count);
    if (!result) result = pliant_body_read_velocities(r->world, r->gas, r->velocity, r->count);
    if (!result) result = pliant_body_read_temperatures(r->world, r->gas, r->warm, r->count);
    if (!result) result = pliant_body_read_swirls(r->world, r->gas, r->turn, r->count);
    return result;
}

static pliant_result step_room(room* r)
{
    pliant_result result = pliant_world_step(r->world, 1 / 60.0f);
    return result ? result : read_room(r);
}

// A line through points.
typedef struct {
    double n, x, y, xx, xy;
} line_sums;

static void add_point(line_sums* l, double x, double y)
{
    l->n += 1, l->x += x, l->y += y, l->xx += x * x, l->xy += x * y;
}
static double slope_of(const line_sums* l)
{
    return (l->n * l->xy - l->x * l->y) / (l->n * l->xx - l->x * l->x);
}
static double at_zero(const line_sums* l) { return (l->y - slope_of(l) * l->x) / l->n; }

// Particles that begin on a grid come to lie as a gas does.
static pliant_result settle(room* r)
{
    enum { STEPS = 12 };
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < STEPS && !result; ++i) {
        result = step_room(r);
        for (int k = 0; k < r->count; ++k) r->velocity[k] = (pliant_vec3){0, 0, 0};
        if (!result) result = pliant_body_write_velocities(r->world, r->gas, r->velocity, r->count);
    }
    return result;
}

// ---- a thermal ----------------------------------------------------------------------------------

typedef struct {
    double height, speed, radius; // [m, m/s, m] of the warm part
} cloud;

// As large as an even ball whose parts are as far from its axis.
static cloud find_cloud(const room* r)
{
    cloud c = {0, 0, 0};
    double sum = 0;
    for (int i = 0; i < r->count; ++i) {
        double w = (double)r->warm[i] - cold, x = (double)r->at[i].x, z = (double)r->at[i].z;
        sum += w;
        c.height += w * (double)r->at[i].y;
        c.speed += w * (double)r->velocity[i].y;
        c.radius += w * (x * x + z * z);
    }
    c.height /= sum, c.speed /= sum;
    c.radius = sqrt(2.5 * c.radius / sum);
    return c;
}

static pliant_result warm_ball(room* r, double height, double radius, double temperature)
{
    for (int i = 0; i < r->count; ++i) {
        double x = (double)r->at[i].x, y = (double)r->at[i].y - height, z = (double)r->at[i].z;
        if (x * x + y * y + z * z < radius * radius) r->warm[i] = (float)temperature;
    }
    return pliant_body_write_temperatures(r->world, r->gas, r->warm, r->count);
}

// Z = z - origin grows as (t - t0)^n: Z over its speed is (t - t0) / n. The origin is where its
// radius, which grows evenly with the height, would be 0.
static double exponent_of(const cloud* course, int first, int last)
{
    line_sums widening = {0}, life = {0};
    for (int i = first; i < last; ++i) add_point(&widening, course[i].height, course[i].radius);
    double origin = -at_zero(&widening) / slope_of(&widening);
    for (int i = first; i < last; ++i)
        add_point(&life, i / 60.0, (course[i].height - origin) / course[i].speed);
    return 1 / slope_of(&life);
}

// From where it has begun to widen until it is half as wide as the room, whose walls hold it back.
pliant_result physics_gas_thermal(judge* j)
{
    enum { MOST = 120 };
    const room_def def = {{1.6, 2.0, 1.6}, j->quick ? 0.065 : 0.05, 5, 20};
    const double radius = 0.2;
    cloud course[MOST];
    int first = 0, last = 0;
    room r;
    pliant_result result = open_room(&def, &r);
    if (!result) result = warm_ball(&r, 0.1 + radius, radius, cold + 60);
    for (; last < MOST && !result; ++last) {
        result = step_room(&r);
        if (!result) course[last] = find_cloud(&r);
        if (!result && course[last].radius < 1.1 * radius) first = last + 1;
        if (!result && course[last].radius > r.size[0] / 4) break;
    }
    if (!result)
        judge_row(j, &(judgment){"gas_thermal", "exponent", 0.5, exponent_of(course, first, last),
                                 0.1, 0.5});
    close_room(&r);
    return result;
}

// ---- a plume ------------------------------------------------------------------------------------

// The mean upward velocity in rings of slices between two heights.
enum { SLICES = 10, RINGS = 12 };
typedef struct {
    double low, high, reach;                           // [m]
    double speed[SLICES][RINGS], count[SLICES][RINGS]; // sums
} profile;
static void add_speeds(const room* r, profile* p)
{
    for (int i = 0; i < r->count; ++i) {
        double x = (double)r->at[i].x, z = (double)r->at[i].z, up = (double)r->at[i].y - p->low;
        int slice = (int)floor(up / (p->high - p->low) * SLICES);
        int ring = (int)(sqrt(x * x + z * z) / p->reach * RINGS);
        if (slice < 0 || slice >= SLICES || ring >= RINGS) continue;
        p->speed[slice][ring] += (double)r->velocity[i].y;
        p->count[slice][ring] += 1;
    }
}

// [m] The radius of an even stream with the same flux of volume Q and of momentum M: Q / sqrt(pi
// M). What flows back around it does not count.
static double width_of(const profile* p, int slice)
{
    double volume = 0, momentum = 0, wide = p->reach / RINGS;
    for (int i = 0; i < RINGS; ++i) {
        double speed = p->speed[slice][i] / fmax(p->count[slice][i], 1);
        double area = pi * wide * wide * (2 * i + 1);
        if (speed <= 0) break;
        volume += area * speed;
        momentum += area * speed * speed;
    }
    return volume / sqrt(pi * momentum);
}

// A stream widens by 6/5 of its entrainment, which is 0.10 to 0.16 (Morton, Taylor and Turner 1956;
// van Reeuwijk and others 2016).
pliant_result physics_gas_plume(judge* j)
{
    const room_def def = {{1.2, 1.6, 1.2}, j->quick ? 0.06 : 0.05, 4, 20};
    const int steps = j->quick ? 120 : 210, start = steps * 4 / 7;
    profile p = {.low = 0.25, .high = 0.95, .reach = 0.5};
    line_sums widening = {0};
    room r;
    pliant_result result = open_room(&def, &r);
    if (!result) result = settle(&r);
    for (int i = 0; i < steps && !result; ++i) {
        result = warm_ball(&r, 0.09, 0.09, cold + 60);
        if (!result) result = step_room(&r);
        if (!result && i >= start) add_speeds(&r, &p);
    }
    for (int i = 0; i < SLICES && !result; ++i) {
        add_point(&widening, p.low + (p.high - p.low) * (i + 0.5) / SLICES, width_of(&p, i));
    }
    if (!result)
        judge_row(j, &(judgment){"gas_plume", "widening", 0.156, slope_of(&widening), 0.036, 1});
    close_room(&r);
    return result;
}

// ---- a ring -------------------------------------------------------------------------------------

typedef struct {
    double height, radius, circulation, energy; // [m, m, m^2/s, J]
} ring;

// Where its particles remember that they turn.
static ring find_ring(const room* r)
{
    ring f = {0, 0, 0, 0};
    double sum = 0, volume = r->size[0] * r->size[1] * r->size[2] / r->count;
    for (int i = 0; i < r->count; ++i) {
        const double x = (double)r->at[i].x, z = (double)r->at[i].z;
        const double v[3] = {(double)r->velocity[i].x, (double)r->velocity[i].y,
                             (double)r->velocity[i].z};
        double from = sqrt(x * x + z * z) + 1e-9;
        double turn = ((double)r->turn[i].x * z - (double)r->turn[i].z * x) / from;
        double w = turn > 0 ? turn * turn : 0;
        sum += w;
        f.height += w * (double)r->at[i].y;
        f.radius += w * from;
        f.circulation += volume * turn / (2 * pi * from);
        f.energy += 0.6 * volume * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    f.height /= sum, f.radius /= sum;
    return f;
}

// It travels with G / (4 pi R) (2 E / (rho G^2 R) + 3/2): its kinetic energy E tells of its core
// (Saffman 1992; for a core that turns as one that is log(8 R / core) - 1/4). Beside it the room's
// air goes back, as that of rings in all rooms beside this would: by 0.72 G pi R^2 / wide^3.
static double ring_speed(const room* r, const ring* f)
{
    const double rho = 1.2, g = f->circulation, wide = r->size[0];
    double travel = g / (4 * pi * f->radius) * (2 * f->energy / (rho * g * g * f->radius) + 1.5);
    return travel - 0.72 * g * pi * f->radius * f->radius / (wide * wide * wide);
}

pliant_result physics_gas_ring(judge* j)
{
    enum { STEPS = 36, SKIPPED = 9 };
    const room_def def = {{1.2, 1.1, 1.2}, 0.045, 5, 20};
    const scene_vortex vortex = {
        .center = {0, 0.3, 0}, .axis = {0, 1, 0}, .radius = 0.2, .core = 0.07, .circulation = 0.6};
    double wanted = 0, from = 0;
    room r;
    pliant_result result = open_room(&def, &r);
    if (!result) result = settle(&r);
    for (int i = 0; i < r.count && !result; ++i) {
        const double at[3] = {(double)r.at[i].x, (double)r.at[i].y, (double)r.at[i].z};
        double v[3];
        vortex_velocity(&vortex, at, v);
        r.velocity[i] = (pliant_vec3){(float)v[0], (float)v[1], (float)v[2]};
    }
    if (!result) result = pliant_body_write_velocities(r.world, r.gas, r.velocity, r.count);
    ring f = {0, 0, 0, 0};
    for (int i = 0; i < STEPS && !result; ++i) {
        result = step_room(&r);
        if (!result) f = find_ring(&r);
        if (i == SKIPPED) from = f.height;
        if (i > SKIPPED) wanted += ring_speed(&r, &f) / (STEPS - 1 - SKIPPED);
    }
    double speed = (f.height - from) / ((STEPS - 1 - SKIPPED) / 60.0);
    if (!result) judge_row(j, &(judgment){"gas_ring", "speed_m_s", wanted, speed, 0.2, wanted});
    close_room(&r);
    return result;
}
