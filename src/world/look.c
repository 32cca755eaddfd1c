// A look at a world before it is stepped: what may not come out as it was meant.
#define PRECISION_DOUBLE
#include "fill/balls.h"
#include "world/contacts.h"
#include "world/inside.h"
#include "world/motion.h"
#include "world/overlap.h"
#include "world/residency.h"
#include "world/stepping.h"
#include "world/swept.h"
#include <stdio.h>
#include <string.h>

typedef struct {
    pliant_world* world;
    float dt; // [s]
    pliant_finding* out;
    int count, capacity;
} look;

// A new finding, or NULL when there is no room for more.
// `number` is of the body; -1: of none.
static pliant_finding* add_finding(look* l, pliant_finding_kind kind, int number)
{
    if (l->count == l->capacity) return NULL;
    pliant_finding* f = &l->out[l->count++];
    memset(f, 0, sizeof *f);
    f->kind = kind;
    if (number < 0) return f;
    f->body = (pliant_body_id){(uint32_t)number + 1, l->world->bodies.slot[number].generation};
    return f;
}

// ---- inside of colliders ------------------------------------------------------------------------

static void look_inside(look* l, int number, const body* b)
{
    const double nowhere[3] = {0, 0, 0};
    inside in = body_look_inside(l->world, b, nowhere);
    if (in.kind == OUTSIDE) return;
    pliant_finding* f = add_finding(
        l, in.kind == HAS_ROOM ? PLIANT_FINDING_INSIDE : PLIANT_FINDING_NO_ROOM, number);
    if (!f) return;
    f->collider = world_collider_id(l->world, in.collider);
    f->size = in.depth;
    f->way = (pliant_vec3){(float)in.way[0], (float)in.way[1], (float)in.way[2]};
    inside_describe(l->world, &in, number, f->text, sizeof f->text);
}

// ---- too small or too fast ----------------------------------------------------------------------

// What a collider is like for particles that come.
typedef struct {
    double half[3];    // [m] of the box around it, along the axes of the world
    double middle[3];  // [m] of that box
    double thin, slim; // [m] half of its thickness, and of the hole that it fits through
} outline;

static outline outline_of(const collider* c)
{
    outline o = {.thin = c->thin, .slim = c->slim};
    double center[3], local[3], low[3], high[3];
    collider_box(c, low, high);
    for (int k = 0; k < 3; ++k) {
        o.half[k] = (high[k] - low[k]) / 2;
        center[k] = (low[k] + high[k]) / 2;
    }
    memcpy(local, o.half, sizeof local);
    for (int k = 0; k < 3; ++k) {
        o.middle[k] = c->position[k];
        o.half[k] = 0;
        for (int i = 0; i < 3; ++i) {
            o.middle[k] += c->axis[i][k] * center[i];
            o.half[k] += fabs(c->axis[i][k]) * local[i];
        }
    }
    return o;
}

// A body as it flies.
typedef struct {
    double middle[3], half[3]; // [m] of its box
    double velocity[3];        // [m/s] of its center of mass
    double spread;             // [m/s] of its particles around that, the most
    double pull[3];            // [m/s^2]
    double radius;             // [m] the least of its particles
    double spacing;            // [m] mean length of its elements' edges
    bool held;
} flight;

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double mean_edge(const pliant_mesh* m)
{
    int corners = m->triangle_count ? 3 : m->tet_count ? 4 : 2;
    const int* corner = corners == 3 ? m->triangles : corners == 4 ? m->tets : m->edges;
    int count = corners == 3 ? m->triangle_count : corners == 4 ? m->tet_count : m->edge_count;
    double sum = 0;
    for (int e = 0; e < count; ++e)
        for (int i = 0; i < corners; ++i)
            for (int j = i + 1; j < corners; ++j) {
                const int* at = corner + (size_t)e * (size_t)corners;
                const double *a = m->vertices + 3 * (size_t)at[i],
                             *b = m->vertices + 3 * (size_t)at[j];
                sum += length_of((double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
            }
    return count ? sum / ((double)count * corners * (corners - 1) / 2) : 0;
}

static void measure_spread(const body* b, flight* f)
{
    for (int i = 0; i < b->s.particle_count; ++i) {
        double v[3];
        if (!body_has(b, i)) continue;
        state_read_velocity(&b->s, i, v);
        for (int k = 0; k < 3; ++k) v[k] -= f->velocity[k];
        f->spread = fmax(f->spread, length_of(v));
    }
}

static flight flight_of(const pliant_world* world, const body* b)
{
    const state* s = &b->s;
    const pliant_vec3* g = &world->def.gravity;
    flight f = {.radius = INFINITY,
                .pull = {(double)g->x, (double)g->y, (double)g->z},
                .held = b->holder_count + b->joint_count > 0,
                .spacing = mean_edge(b->asset->mesh)};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double mass = body_mass(b);
    for (int i = 0; i < s->particle_count; ++i) {
        double x[3], v[3], r = state_read(s, s->row, ROW, i, ROW_RADIUS);
        if (!body_has(b, i)) continue;
        state_read_position(s, i, x);
        state_read_velocity(s, i, v);
        f.radius = fmin(f.radius, r);
        f.held = f.held || !(state_read_inverse_mass(s, i) > 0);
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], x[k] - r);
            high[k] = fmax(high[k], x[k] + r);
            f.velocity[k] += b->mass[i] / mass * v[k];
        }
    }
    for (int k = 0; k < 3; ++k) {
        f.middle[k] = (low[k] + high[k]) / 2;
        f.half[k] = (high[k] - low[k]) / 2;
        f.pull[k] *= b->gravity_scale;
    }
    measure_spread(b, &f);
    return f;
}

static void place_at(const flight* f, double time, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = f->middle[k] + time * (f->velocity[k] + time / 2 * f->pull[k]);
}

static bool is_below_a_plane(const pliant_world* world, const double place[3])
{
    for (int i = 0; i < world->collider_count; ++i) {
        const collider* c = &world->collider_list[i];
        double height = 0;
        for (int k = 0; k < 3; ++k) height += c->axis[1][k] * (place[k] - c->position[k]);
        if (c->shape == PLIANT_SHAPE_PLANE && height < 0) return true;
    }
    return false;
}

// [s] When the box of a body that nothing stops but planes comes to the box of a collider;
// INFINITY: never. What is held falls no farther than it is long.
static double meeting_time(const pliant_world* world, const flight* f, const outline* o)
{
    enum { MOMENTS = 1000 };
    double pull = length_of(f->pull), last = 10, before[3], now[3];
    if (f->held) last = pull > 0 ? fmin(last, sqrt(4 * length_of(f->half) / pull)) : 0;
    place_at(f, 0, before);
    for (int i = 0; i <= MOMENTS; ++i) {
        double time = last * i / MOMENTS;
        bool meets = true;
        place_at(f, time, now);
        for (int k = 0; k < 3; ++k) {
            double low = fmin(before[k], now[k]) - f->half[k],
                   high = fmax(before[k], now[k]) + f->half[k];
            meets = meets && low < o->middle[k] + o->half[k] && o->middle[k] - o->half[k] < high;
        }
        if (meets) return time;
        if (is_below_a_plane(world, now)) return INFINITY;
        memcpy(before, now, sizeof before);
    }
    return INFINITY;
}

// A ball goes through a triangle of particles when it is smaller than the circle around them.
static void look_at_size(look* l, int number, const flight* f, int other, const outline* o)
{
    double hole = 0.6 * f->spacing;
    if (o->slim + f->radius >= hole) return;
    pliant_finding* found = add_finding(l, PLIANT_FINDING_SMALL, number);
    if (!found) return;
    char name[48];
    collider_describe(l->world, other, name, sizeof name);
    found->collider = world_collider_id(l->world, other);
    found->size = 2 * o->slim;
    snprintf(found->text, sizeof found->text,
             "%s is %.2g m across and may pass between the particles of body %d, which are about "
             "%.2g m apart: take a finer mesh, a larger collider, a radius of %.2g m for the "
             "particles, or surface contacts of the collider",
             name, 2 * o->slim, number, f->spacing, hole - o->slim);
}

// A particle that ends a substep behind the middle is pushed out at the far side.
static void look_at_speed(look* l, int number, const flight* f, int other, const outline* o,
                          double time)
{
    int substeps = world_choose_substeps(l->world, l->dt);
    double v[3], thick = o->thin + f->radius;
    const double* own = world_collider_at(l->world, other)->motion.velocity;
    for (int k = 0; k < 3; ++k) v[k] = f->velocity[k] + (f->held ? 0 : time * f->pull[k]) - own[k];
    double speed = length_of(v) + f->spread, step = speed * (double)l->dt / substeps;
    if (step <= thick) return;
    pliant_finding* found = add_finding(l, PLIANT_FINDING_FAST, number);
    if (!found) return;
    char name[48];
    collider_describe(l->world, other, name, sizeof name);
    found->collider = world_collider_id(l->world, other);
    found->size = speed;
    snprintf(found->text, sizeof found->text,
             "body %d may come to %s at %.3g m/s and go through it: that is %.2g m in a substep, "
             "and it is %.2g m thick; use %.0f substeps instead of %d, a thicker collider, or its "
             "surface contacts",
             number, name, speed, step, 2 * o->thin, ceil(substeps * step / thick), substeps);
}

static void look_at_colliders(look* l, int number, const body* b)
{
    const pliant_world* world = l->world;
    if (world->collider_count == 0 || (b->there.mass && b->there.present == 0)) return;
    flight f = flight_of(world, b);
    bool sweeps = (b->remote != NULL) == world_meets_remotely(world);
    for (int i = 0; i < world->collider_count; ++i) {
        pliant_shape shape = world->collider_list[i].shape;
        if (shape == PLIANT_SHAPE_PLANE || shape == PLIANT_SHAPE_TRIANGLES) continue;
        if (sweeps && collider_has_surface(world, i) &&
            (b->rigid || !world_collider_at(world, i)->only_rigid))
            continue; // nothing passes that
        outline o = outline_of(&world->collider_list[i]);
        double time = meeting_time(world, &f, &o);
        if (time == INFINITY) continue;
        look_at_size(l, number, &f, i, &o);
        look_at_speed(l, number, &f, i, &o, time);
    }
}

// ---- bodies among each other --------------------------------------------------------------------

static void tell_overlap(look* l, int one, int other, overlap found)
{
    pliant_finding* f = add_finding(l, PLIANT_FINDING_OVERLAP, one);
    if (!f) return;
    f->other = (pliant_body_id){(uint32_t)other + 1, l->world->bodies.slot[other].generation};
    snprintf(f->text, sizeof f->text,
             found == OVERLAPPING ? "body %d and body %d overlap: place them apart"
                                  : "body %d and body %d may overlap: their boxes do",
             one, other);
}

static void look_at_pairs(look* l, const body_space* space)
{
    int bodies = l->world->bodies.count;
    for (int i = 0; i < bodies; ++i)
        for (int k = i + 1; k < bodies && l->count < l->capacity; ++k) {
            if (!space[i].x || !space[k].x || !boxes_overlap(&space[i], &space[k])) continue;
            overlap found = spaces_overlap(&space[i], &space[k]);
            if (found != APART) tell_overlap(l, i, k, found);
        }
}

// ---- particles among each other -----------------------------------------------------------------

static const double DEEP = 0.1; // of a radius: as much as that is no rounding

// How many reach into earlier ones, and by how much the deepest. False when memory runs out.
static bool count_deep(const body* b, int* out_count, double* out_depth)
{
    ball_list balls;
    bool good = true;
    *out_count = 0;
    *out_depth = 0;
    balls_start(&balls, asset_smallest_radius(b->asset), asset_largest_radius(b->asset), 0);
    for (int i = 0; i < b->s.particle_count && good; ++i) {
        double at[3], radius = state_read(&b->s, b->s.row, ROW, i, ROW_RADIUS);
        if (!body_has(b, i)) continue;
        state_read_position(&b->s, i, at);
        vec3 place = v3(at[0], at[1], at[2]);
        double depth = radius - balls_room(&balls, place, -INFINITY, radius);
        *out_count += depth > DEEP * radius;
        *out_depth = fmax(*out_depth, depth);
        good = balls_add(&balls, place, radius, 0);
    }
    balls_release(&balls);
    return good;
}

static bool look_at_particles(look* l, int number, const body* b)
{
    int count;
    double depth;
    bool meet = l->world->def.contacts && (b->contact.group & b->contact.mask);
    if (!meet || !mesh_is_loose(b->asset->mesh) || b->asset->clusters.count) return true;
    if (!count_deep(b, &count, &depth)) return false;
    pliant_finding* f = count ? add_finding(l, PLIANT_FINDING_OVERLAP, number) : NULL;
    if (!f) return true;
    f->other = f->body;
    f->size = depth;
    snprintf(f->text, sizeof f->text,
             "%d of the %d particles of body %d overlap others of it, by up to %.2g m, and will be "
             "pushed apart: place them apart, or make their radius smaller",
             count, b->s.particle_count, number, depth);
    return true;
}

// Returns false when memory runs out.
static bool look_at_bodies(look* l)
{
    int bodies = l->world->bodies.count;
    for (int i = 0; i < bodies; ++i) {
        const body* b = world_body_at(l->world, i);
        if (!b || asset_is_carried(b->asset)) continue;
        if (!look_at_particles(l, i, b)) return false;
    }
    if (pliant_world_body_count(l->world) < 2) return true;
    body_space* space = (body_space*)mem_alloc_zero((size_t)bodies * sizeof *space);
    bool good = space != NULL;
    for (int i = 0; i < bodies && good; ++i) {
        body* b = world_body_at(l->world, i);
        if (b && !asset_is_carried(b->asset)) good = body_space_create(b, &space[i]);
    }
    if (good) look_at_pairs(l, space);
    for (int i = 0; i < bodies && space; ++i) body_space_destroy(&space[i]);
    mem_free(space);
    return good;
}

// Colliders that move, by their own speed.
static void look_at_motion(look* l)
{
    int substeps = world_choose_substeps(l->world, l->dt);
    for (int i = 0; i < l->world->collider_count; ++i) {
        char text[sizeof(((pliant_finding*)0)->text)];
        if (world_sweeps_collider(l->world, i)) continue;
        double haste =
            world_collider_haste(l->world, i, (double)l->dt, substeps, text, sizeof text);
        pliant_finding* f = haste > 1 ? add_finding(l, PLIANT_FINDING_FAST_COLLIDER, -1) : NULL;
        if (!f) continue;
        f->collider = world_collider_id(l->world, i);
        f->size = haste;
        memcpy(f->text, text, sizeof text);
    }
}

pliant_result pliant_world_look(pliant_world* world, float dt, pliant_finding* out, int capacity,
                                int* out_count)
{
    look l = {world, dt, out, 0, capacity};
    if (!REQUIRE(out_count)) return PLIANT_ERROR_ARGUMENT;
    *out_count = 0;
    if (!REQUIRE(world) || !REQUIRE(dt > 0) || !REQUIRE(out && capacity > 0))
        return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || asset_is_carried(b->asset)) continue; // it touches nothing
        if (!body_fetch(world, b, STATE_ROWS | STATE_RESIDUES | STATE_VELOCITIES))
            return PLIANT_ERROR_DEVICE;
        look_inside(&l, i, b);
        look_at_colliders(&l, i, b);
    }
    look_at_motion(&l);
    if (!look_at_bodies(&l)) return PLIANT_ERROR_MEMORY;
    *out_count = l.count;
    return PLIANT_OK;
}
