// Colliders beside a liquid: what they fill of the kernels of its particles, what they push, and
// how they hold back what flows along them.
#define PRECISION_DOUBLE
#include "collide/probe.h"
#include "contact/list.h"
#include "fluid/system.h"
#include "solver/particles.h"
#include "solver/state.h"
#include <math.h>
#include <string.h>

// A collider as it is in the substep, near some particles.
typedef struct {
    probe_shape shape;
    const collider_pose* way; // NULL: it rests
    int load;                 // number of its sum of forces; -1: nobody asks
} wall;

enum { MOST_WALLS = 64 }; // that count at one place: more fill it many times over

// What a wall fills of a particle's kernel.
typedef struct {
    const wall* by;
    double share, slope;        // [-], [1/m] (fluid_wall)
    double free;                // [-] of that what others before it have not filled already
    double distance, normal[3]; // [m], away from it
} cover;

typedef struct {
    const fluid_system* s;
    const particle_work* work; // of the body whose colliders count
    double low[3], high[3];    // around a block's places, in the world
    wall near[MOST_WALLS];
    int count;
} wall_look;

static double get(const fluid_system* s, const void* array, size_t at)
{
    return state_get(array, at, s->scalar_bytes);
}
static void put(const fluid_system* s, void* array, size_t at, double value)
{
    if (s->scalar_bytes == 4)
        ((float*)array)[at] = (float)value;
    else
        ((double*)array)[at] = value;
}

// ---- which colliders ----------------------------------------------------------------------------

static void look_around(wall_look* l, int block)
{
    const fluid_system* s = l->s;
    for (int k = 0; k < 3; ++k) l->low[k] = INFINITY, l->high[k] = -INFINITY;
    for (int i = block * FLUID_BLOCK; i < (block + 1) * FLUID_BLOCK && i < s->set.count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            double x = s->origin[k] + get(s, s->set.place, 4 * (size_t)i + k);
            l->low[k] = fmin(l->low[k], x - s->set.kernel.reach);
            l->high[k] = fmax(l->high[k], x + s->set.kernel.reach);
        }
}

static wall wall_of(const wall_look* l, int number)
{
    const collider* c = &l->work->colliders[number];
    wall w = {.shape = probe_shape_of(c), .load = c->load};
    if (!c->way) return w;
    w.way = c->way + l->work->substep;
    for (int k = 0; k < 3; ++k) {
        const double* axis = w.way->axis[k];
        w.shape.position[k] = w.way->position[k];
        w.shape.axis[k] = v3(axis[0], axis[1], axis[2]);
    }
    return w;
}

static bool is_far(const wall_look* l, int number)
{
    collider here = l->work->colliders[number];
    if (here.way) {
        memcpy(here.position, here.way[l->work->substep].position, sizeof here.position);
        memcpy(here.axis, here.way[l->work->substep].axis, sizeof here.axis);
    }
    return collider_is_far(&here, l->low, l->high, DBL_EPSILON);
}

static void add_near(wall_look* l, int number)
{
    if (l->count < MOST_WALLS && !is_far(l, number)) l->near[l->count++] = wall_of(l, number);
}

// Those that are near a block, ascending. All bodies meet the same ones.
static void find_near(wall_look* l, int block)
{
    const particle_work* w = l->work;
    nearby_list near = {.more = w->nearby.leaf_count > 0};
    l->count = 0;
    look_around(l, block);
    for (int i = 0; w->nearby.leaf_count == 0 && i < w->collider_count; ++i) add_near(l, i);
    for (int after = -1; near.more; after = near.count ? near.number[near.count - 1] : after) {
        nearby_find(&w->nearby, l->low, l->high, after, &near);
        for (int i = 0; i < near.count; ++i) add_near(l, near.number[i]);
    }
}

// ---- what they fill -----------------------------------------------------------------------------

// How much of one half space's part of the kernel another one has already: none where they face
// each other, all where they are one, and where they are square the product, nearly.
static double part_in(const cover* a, const cover* b)
{
    double cosine = 0;
    for (int k = 0; k < 3; ++k) cosine += a->normal[k] * b->normal[k];
    double least = fmin(a->share, b->share) / fmax(b->share, 1e-30);
    double whole = cosine > 0 ? cosine : 0, square = 1 - fabs(cosine);
    return fmin(whole * least + square * a->share, 1);
}

// Of the particle at a place of `array`: what each wall fills. Returns how many do.
static int find_covers(const wall_look* l, const void* array, size_t i, cover out[MOST_WALLS])
{
    const fluid_system* s = l->s;
    double at[3];
    int count = 0;
    for (int n = 0; n < l->count; ++n) {
        cover* c = &out[count];
        for (size_t k = 0; k < 3; ++k)
            at[k] = s->origin[k] + get(s, array, 4 * i + k) - l->near[n].shape.position[k];
        probe found = probe_world(&l->near[n].shape, at, s->set.kernel.reach, false);
        if (!(found.distance < s->set.kernel.reach)) continue;
        *c = (cover){.by = &l->near[n],
                     .free = 1,
                     .distance = found.distance,
                     .normal = {found.normal.x, found.normal.y, found.normal.z}};
        fluid_wall(&s->set.kernel, found.distance, &c->share, &c->slope);
        for (int k = 0; k < count; ++k) c->free *= 1 - part_in(&out[k], c);
        count++;
    }
    return count;
}

// How a wall moves under a particle in the substep [m].
static void surface_motion_at(const wall* w, const double at[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = w->way ? w->way->shift[i] : 0;
        for (int k = 0; w->way && k < 3; ++k)
            out[i] += w->way->turn[i][k] * (at[k] - w->way->position[k]);
    }
}

// A wall stops what flows along it, as a liquid beyond it would that moves the other way. [m] By
// how much that holds a particle back.
static void hold_back(const fluid_system* s, size_t i, const cover* c, double out[3])
{
    const double least = s->spacing / 4, viscosity = s->member[s->owner[i]].viscosity;
    double away = c->distance > least ? c->distance : least, at[3], surface[3], slip[3], along = 0;
    double rate = 2 * s->set.h * get(s, s->set.place, 4 * i + 3) * viscosity *
                  s->set.kernel.volume * c->slope / away * c->free;
    for (size_t k = 0; k < 3; ++k) at[k] = s->origin[k] + get(s, s->set.place, 4 * i + k);
    surface_motion_at(c->by, at, surface);
    for (size_t k = 0; k < 3; ++k) {
        slip[k] = get(s, s->set.motion, 4 * i + k) - surface[k];
        along += slip[k] * c->normal[k];
    }
    for (int k = 0; k < 3; ++k) out[k] = -rate / (1 + rate) * (slip[k] - along * c->normal[k]);
}

// ---- forces -------------------------------------------------------------------------------------

static void add(const fluid_system* s, void* array, size_t at, double value)
{
    put(s, array, at, get(s, array, at) + value);
}

// What moves a particle is a force on it [N], of the step's mean.
static void note_force(const fluid_system* s, size_t i, const wall* by, const double moved[3])
{
    const body_run* run = s->member[s->owner[i]].run;
    double inverse_mass = get(s, s->set.place, 4 * i + 3), force[3], arm[3];
    size_t row = (size_t)s->row[i];
    if (!(inverse_mass > 0)) return;
    for (size_t k = 0; k < 3; ++k) {
        force[k] = moved[k] / (inverse_mass * s->set.h * s->set.h * s->step->substeps);
        add(s, run->s->contact, row * CONTACT + k, force[k]);
    }
    if (by->load < 0 || !run->work.load) return;
    size_t load = ((size_t)by->load * (size_t)run->s->row_count + row) * LOAD;
    for (size_t k = 0; k < 3; ++k)
        arm[k] = s->origin[k] + get(s, s->set.place, 4 * i + k) - by->shape.position[k];
    for (size_t k = 0; k < 3; ++k) {
        size_t a = (k + 1) % 3, b = (k + 2) % 3;
        add(s, run->work.load, load + k, force[k]);
        add(s, run->work.load, load + LOAD_TORQUE + k, arm[a] * force[b] - arm[b] * force[a]);
    }
}

// ---- passes -------------------------------------------------------------------------------------

typedef void wall_fn(fluid_system* s, const wall_look* l, size_t i);

static void find_wall(fluid_system* s, const wall_look* l, size_t i)
{
    cover found[MOST_WALLS];
    double sum[4] = {0, 0, 0, 0}, moved[3];
    int count = find_covers(l, s->set.place, i, found);
    for (int n = 0; n < count; ++n) {
        const cover* c = &found[n];
        for (int k = 0; k < 3; ++k) sum[k] += c->free * c->slope * c->normal[k];
        sum[3] += c->free * c->share;
        if (!s->pass->first || !(s->member[s->owner[i]].viscosity > 0)) continue;
        hold_back(s, i, c, moved);
        note_force(s, i, c->by, moved);
        for (size_t k = 0; k < 3; ++k) {
            add(s, s->set.motion, 4 * i + k, moved[k]);
            add(s, s->set.move, 4 * i + k, moved[k]);
            add(s, s->set.place, 4 * i + k, moved[k]);
        }
    }
    for (size_t k = 0; k < 4; ++k) put(s, s->set.wall, 4 * i + k, sum[k]);
}

// What pressure did, wall by wall.
static void note_wall(fluid_system* s, const wall_look* l, size_t i)
{
    cover found[MOST_WALLS];
    double change = get(s, s->set.press, 4 * i + 3), moved[3];
    double unit = s->set.h * s->set.h * s->set.kernel.volume * get(s, s->set.place, 4 * i + 3);
    if (change == 0 || get(s, s->set.wall, 4 * i + 3) == 0) return;
    int count = find_covers(l, s->set.press, i, found);
    for (int n = 0; n < count; ++n) {
        const cover* c = &found[n];
        for (int k = 0; k < 3; ++k) moved[k] = unit * change * c->free * c->slope * c->normal[k];
        note_force(s, i, c->by, moved);
    }
}

typedef struct {
    fluid_system* s;
    wall_fn* one;
    bool again; // walls have been found: most blocks have none
} wall_work;

static bool has_walls(const fluid_system* s, int block)
{
    bool any = false;
    for (int i = block * FLUID_BLOCK; i < (block + 1) * FLUID_BLOCK && i < s->set.count; ++i)
        any = any || get(s, s->set.wall, 4 * (size_t)i + 3) > 0;
    return any;
}

static void over_blocks(void* work, int first, int last)
{
    const wall_work* w = (const wall_work*)work;
    fluid_system* s = w->s;
    wall_look l = {.s = s, .work = &s->member[0].run->work};
    for (int block = first; block < last; ++block) {
        int end =
            (block + 1) * FLUID_BLOCK < s->set.count ? (block + 1) * FLUID_BLOCK : s->set.count;
        if (w->again && !has_walls(s, block)) continue;
        find_near(&l, block);
        for (int i = block * FLUID_BLOCK; i < end; ++i) w->one(s, &l, (size_t)i);
    }
}

static void run_walls(fluid_system* s, wall_fn* one, bool again)
{
    enum { GRAIN = 16 };
    wall_work w = {s, one, again};
    split_run(s->exec, over_blocks, &w, fluid_blocks(&s->set), GRAIN);
}

void fluid_find_walls(fluid_system* s) { run_walls(s, find_wall, false); }
void fluid_note_walls(fluid_system* s) { run_walls(s, note_wall, true); }
