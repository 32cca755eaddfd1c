// Colliders beside a liquid: what they fill of the kernels of its particles, what they push, and
// how they hold back what flows along them. In double, whatever the precision of the particles. The
// same source for the processor and for CUDA; PRECISION_DOUBLE is defined by whoever includes it.
#pragma once
#include "collide/probe.h"
#include "fluid/fluid.h"
#include "solver/row.h"
#include "solver/scalars.h"

// A collider as it is in the substep.
typedef struct {
    probe_shape shape;
    const collider_pose* way; // NULL: it rests
    int load;                 // number of its sum of forces; -1: nobody asks
} wall;

enum { MOST_COVERS = 16 }; // walls that count for a particle: more fill it many times over

// What a wall fills of a particle's kernel.
typedef struct {
    const wall* by;
    double share, slope;        // [-], [1/m] (fluid_wall)
    double free;                // [-] of that what others before it have not filled already
    double distance, normal[3]; // [m], away from it
} cover;

// What is the same for all particles of a pass.
typedef struct {
    const fluid_set* set;
    int scalar_bytes;
    double origin[3]; // [m] of places
    double least;     // [m] walls that are nearer hold a particle back as if they were that far
    int substeps;
    bool first; // of the substep's iterations
} wall_scene;

// The body of a particle.
typedef struct {
    double viscosity; // [Pa s] 0: it slips
    double adhesion;  // [N/m]
    void *contact, *load;
    int row_count;
} wall_body;

// A particle that goes from wall to wall.
typedef struct {
    const wall_scene* scene;
    wall_body of;
    size_t place, row;
    double at[3];              // [m] where it was at first, in the world
    double share[MOST_COVERS]; // of the walls so far
    double normal[MOST_COVERS][3];
    int count;
    double sum[4];
} wall_visit;

INLINE double wall_get(const wall_scene* s, const void* array, size_t at)
{
    return state_get(array, at, s->scalar_bytes);
}
INLINE void wall_put(const wall_scene* s, void* array, size_t at, double value)
{
    if (s->scalar_bytes == 4)
        ((float*)array)[at] = (float)value;
    else
        ((double*)array)[at] = value;
}
INLINE void wall_add(const wall_scene* s, void* array, size_t at, double value)
{
    wall_put(s, array, at, wall_get(s, array, at) + value);
}

// ---- what walls fill ----------------------------------------------------------------------------

// At a place of `array`.
INLINE void wall_start(wall_visit* v, const wall_scene* s, const void* array, size_t place,
                       wall_body of, size_t row)
{
    v->scene = s;
    v->of = of;
    v->place = place;
    v->row = row;
    v->count = 0;
    for (size_t k = 0; k < 3; ++k) v->at[k] = s->origin[k] + wall_get(s, array, 4 * place + k);
    for (int k = 0; k < 4; ++k) v->sum[k] = 0;
}

// How much of one half space's part of the kernel the k-th wall has already: none where they face
// each other, all where they are one, and where they are square the product, nearly.
INLINE double part_in(const wall_visit* v, int k, const cover* b)
{
    double cosine = 0;
    for (int i = 0; i < 3; ++i) cosine += v->normal[k][i] * b->normal[i];
    double least = fmin(v->share[k], b->share) / fmax(b->share, 1e-30);
    double whole = cosine > 0 ? cosine : 0, square = 1 - fabs(cosine);
    return fmin(whole * least + square * v->share[k], 1);
}

// Whether the wall counts, and what it fills. `simple` is that of probe_world.
INLINE bool find_cover(wall_visit* v, const wall* w, bool simple, cover* out)
{
    const fluid_kernel* kernel = &v->scene->set->kernel;
    double at[3];
    if (v->count == MOST_COVERS) return false;
    for (int k = 0; k < 3; ++k) at[k] = v->at[k] - w->shape.position[k];
    probe found = probe_world(&w->shape, at, kernel->reach, simple);
    if (!(found.distance < kernel->reach)) return false;
    out->by = w;
    out->free = 1;
    out->distance = found.distance;
    out->normal[0] = found.normal.x;
    out->normal[1] = found.normal.y;
    out->normal[2] = found.normal.z;
    fluid_wall(kernel, found.distance, &out->share, &out->slope);
    for (int k = 0; k < v->count; ++k) out->free *= 1 - part_in(v, k, out);
    v->share[v->count] = out->share;
    for (int k = 0; k < 3; ++k) v->normal[v->count][k] = out->normal[k];
    v->count++;
    return true;
}

// ---- what walls hold back -----------------------------------------------------------------------

// How a wall moves under a particle in the substep [m].
INLINE void surface_motion_at(const wall* w, const double at[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = w->way ? w->way->shift[i] : 0;
        for (int k = 0; w->way && k < 3; ++k)
            out[i] += w->way->turn[i][k] * (at[k] - w->way->position[k]);
    }
}

// A wall stops what flows along it, as a liquid beyond it would that moves the other way. [m] By
// how much that holds a particle back.
FUNCTION void hold_back(const wall_visit* v, const cover* c, double out[3])
{
    const wall_scene* s = v->scene;
    double away = c->distance > s->least ? c->distance : s->least;
    double at[3], surface[3], slip[3], along = 0;
    double rate = 2 * s->set->h * wall_get(s, s->set->place, 4 * v->place + 3) * v->of.viscosity *
                  s->set->kernel.volume * c->slope / away * c->free;
    for (size_t k = 0; k < 3; ++k)
        at[k] = s->origin[k] + wall_get(s, s->set->place, 4 * v->place + k);
    surface_motion_at(c->by, at, surface);
    for (size_t k = 0; k < 3; ++k) {
        slip[k] = wall_get(s, s->set->motion, 4 * v->place + k) - surface[k];
        along += slip[k] * c->normal[k];
    }
    for (int k = 0; k < 3; ++k) out[k] = -rate / (1 + rate) * (slip[k] - along * c->normal[k]);
}

// [m] What draws a particle to a wall that its liquid likes, in addition.
FUNCTION void adhere(const wall_visit* v, const cover* c, double out[3])
{
    const fluid_set* set = v->scene->set;
    double force = v->of.adhesion * fluid_adhesion(&set->kernel, c->distance);
    double step = set->h * set->h * wall_get(v->scene, set->place, 4 * v->place + 3) * c->free;
    for (int k = 0; k < 3; ++k) out[k] -= step * force * c->normal[k];
}

// What moves a particle is a force on it [N], of the step's mean.
FUNCTION void note_force(const wall_visit* v, const wall* by, const double moved[3])
{
    const wall_scene* s = v->scene;
    double inverse_mass = wall_get(s, s->set->place, 4 * v->place + 3), force[3], arm[3];
    if (!(inverse_mass > 0)) return;
    for (size_t k = 0; k < 3; ++k) {
        force[k] = moved[k] / (inverse_mass * s->set->h * s->set->h * s->substeps);
        wall_add(s, v->of.contact, v->row * CONTACT + k, force[k]);
    }
    if (by->load < 0 || !v->of.load) return;
    size_t load = ((size_t)by->load * (size_t)v->of.row_count + v->row) * LOAD;
    for (size_t k = 0; k < 3; ++k)
        arm[k] =
            s->origin[k] + wall_get(s, s->set->place, 4 * v->place + k) - by->shape.position[k];
    for (size_t k = 0; k < 3; ++k) {
        size_t a = (k + 1) % 3, b = (k + 2) % 3;
        wall_add(s, v->of.load, load + k, force[k]);
        wall_add(s, v->of.load, load + LOAD_TORQUE + k, arm[a] * force[b] - arm[b] * force[a]);
    }
}

// ---- wall by wall, in the order of their numbers ------------------------------------------------

// Before pressures are found, of a visit that starts at `place`.
FUNCTION void visit_wall(wall_visit* v, const wall* w, bool simple)
{
    const wall_scene* s = v->scene;
    cover c;
    double moved[3];
    if (!find_cover(v, w, simple, &c)) return;
    for (int k = 0; k < 3; ++k) v->sum[k] += c.free * c.slope * c.normal[k];
    v->sum[3] += c.free * c.share;
    if (!s->first || !(v->of.viscosity > 0 || v->of.adhesion > 0)) return;
    hold_back(v, &c, moved);
    adhere(v, &c, moved);
    note_force(v, w, moved);
    for (size_t k = 0; k < 3; ++k) {
        wall_add(s, s->set->motion, 4 * v->place + k, moved[k]);
        wall_add(s, s->set->move, 4 * v->place + k, moved[k]);
        wall_add(s, s->set->place, 4 * v->place + k, moved[k]);
    }
}

INLINE void leave_walls(const wall_visit* v)
{
    for (size_t k = 0; k < 4; ++k)
        wall_put(v->scene, v->scene->set->wall, 4 * v->place + k, v->sum[k]);
}

// Whether there is something to note of a particle: pressure changed, beside a wall.
INLINE bool is_pressed_by_walls(const wall_scene* s, size_t place)
{
    return wall_get(s, s->set->press, 4 * place + 3) != 0 &&
           wall_get(s, s->set->wall, 4 * place + 3) != 0;
}

// What pressure did at a wall, of a visit that starts at `press`.
FUNCTION void note_wall(wall_visit* v, const wall* w, bool simple)
{
    const wall_scene* s = v->scene;
    const fluid_set* set = s->set;
    double change = wall_get(s, set->press, 4 * v->place + 3), moved[3];
    double unit = set->h * set->h * set->kernel.volume * wall_get(s, set->place, 4 * v->place + 3);
    cover c;
    if (!find_cover(v, w, simple, &c)) return;
    for (int k = 0; k < 3; ++k) moved[k] = unit * change * c.free * c.slope * c.normal[k];
    note_force(v, w, moved);
}
