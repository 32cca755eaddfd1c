#include "world/motion.h"
#include "math/rotation.h"
#include "solver/particle.h"
#include "world/checks.h"
#include "world/inside.h"
#include "world/swept.h"
#include <stdio.h>
#include <string.h>

void collider_place(collider* c, const double position[3], quaternion rotation)
{
    memcpy(c->position, position, sizeof c->position);
    turn_axes(rotation, c->axis);
}

// ---- what it can be told ------------------------------------------------------------------------

pliant_result motion_check_pose(const double position[3], pliant_quat rotation)
{
    pliant_result result = check_collider_member("position", position);
    return result ? result : check_collider_member("rotation", &rotation);
}

pliant_result motion_check_velocity(pliant_vec3 linear, pliant_vec3 angular)
{
    pliant_result result = check_collider_member("velocity", &linear);
    return result ? result : check_collider_member("angular_velocity", &angular);
}

// ---- one collider in a step ---------------------------------------------------------------------

// How it goes: at constant velocities, which are those that lead to the target if there is one.
typedef struct {
    double velocity[3], angular[3]; // [m/s, rad/s]
    bool goes, turns, slides;       // its place, its axes, its surface
} going;

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static going going_of(const collider* c, const collider_motion* m, double dt)
{
    going g;
    memcpy(g.velocity, m->velocity, sizeof g.velocity);
    memcpy(g.angular, m->angular, sizeof g.angular);
    if (m->told) {
        turn_angle(turn_after(m->target_rotation, turn_back(m->rotation)), g.angular);
        for (int k = 0; k < 3; ++k) {
            g.velocity[k] = (m->target[k] - c->position[k]) / dt;
            g.angular[k] /= dt;
        }
    }
    g.turns = !is_zero(g.angular);
    g.goes = g.turns || !is_zero(g.velocity);
    g.slides = !is_zero(m->surface) || !is_zero(m->surface_angular);
    return g;
}

static void scale3(double s, const double v[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = s * v[k];
}

static void add_product(double m[3][3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] += m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
}

// What a surface does that moves in the collider's own axes, in those of the world.
static void add_surface(collider_pose* p, const collider_motion* m, double h)
{
    double angle[3], local[3][3];
    scale3(h, m->surface_angular, angle);
    turn_motion(turn_by(angle), local);
    for (int r = 0; r < 3; ++r)
        for (int i = 0; i < 3; ++i) {
            p->shift[r] += h * m->surface[i] * p->axis[i][r];
            for (int k = 0; k < 3; ++k)
                for (int c = 0; c < 3; ++c)
                    p->turn[r][c] += p->axis[i][r] * local[i][k] * p->axis[k][c];
        }
}

// A particle that starts from x is carried to c' + R (x - c), where R is the turn of a substep and
// c goes to c'. As seen from c' that is a motion of (c' - c) + (R - 1) (x - c' + (c' - c)).
static void fill_way(const collider* c, const collider_slot* slot, const going* g, double dt,
                     int substeps, collider_pose* out)
{
    double h = dt / substeps, angle[3], step[3];
    memset(&out[-1], 0, sizeof *out);
    memcpy(out[-1].position, c->position, sizeof out->position);
    memcpy(out[-1].axis, c->axis, sizeof out->axis);
    quaternion now = slot->motion.rotation;
    scale3(h, g->angular, angle);
    scale3(h, g->velocity, step);
    const quaternion by = turn_by(angle);
    for (int i = 0; i < substeps; ++i) {
        collider_pose* p = &out[i];
        memset(p, 0, sizeof *p);
        if (g->turns) now = turn_unit(turn_after(by, now));
        memcpy(p->axis, c->axis, sizeof p->axis);
        if (g->turns) turn_axes(now, p->axis);
        way_point(c->position, slot->after, i, substeps, p->position);
        if (g->turns) turn_motion(by, p->turn);
        memcpy(p->shift, step, sizeof p->shift);
        add_product(p->turn, step, p->shift);
        if (g->slides) add_surface(p, &slot->motion, h);
    }
}

// Where it is after the step.
static void find_end(const collider* c, collider_slot* slot, const going* g, double dt)
{
    const collider_motion* m = &slot->motion;
    double angle[3];
    scale3(dt, g->angular, angle);
    for (int k = 0; k < 3; ++k)
        slot->after[k] = m->told ? m->target[k] : c->position[k] + dt * g->velocity[k];
    slot->after_rotation = m->told    ? m->target_rotation
                           : g->turns ? turn_unit(turn_after(turn_by(angle), m->rotation))
                                      : m->rotation;
}

// ---- too fast -----------------------------------------------------------------------------------

// How many times its own thickness a collider's surface goes towards the outside in a time of one
// second: beyond half of it in a substep, what it meets comes out at its back.
static double thicknesses(const collider* c, const going* g)
{
    double along = sqrt(dot3(g->velocity, g->velocity)), most = 0;
    double spin = sqrt(dot3(g->angular, g->angular)), v[3], w[3];
    for (int k = 0; k < 3; ++k) v[k] = fabs(dot3(g->velocity, c->axis[k]));
    for (int k = 0; k < 3; ++k) w[k] = fabs(dot3(g->angular, c->axis[k]));
    switch (c->shape) {
    case PLIANT_SHAPE_PLANE:
        return 0;
    case PLIANT_SHAPE_SPHERE:
        return along / c->radius;
    case PLIANT_SHAPE_CAPSULE:
        return (along + (w[0] + w[2]) * c->half_height) / c->radius;
    case PLIANT_SHAPE_MESH:
    case PLIANT_SHAPE_CONVEX:
    case PLIANT_SHAPE_TRIANGLES:
        return (along + spin * c->reach) / c->thin;
    case PLIANT_SHAPE_BOX:
        break;
    }
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double speed = v[k] + w[i] * c->half_extents[j] + w[j] * c->half_extents[i];
        most = fmax(most, speed / c->half_extents[k]);
    }
    return most;
}

double world_collider_spin_pace(const pliant_world* world, int number, double dt)
{
    const collider* c = &world->collider_list[number];
    going g = going_of(c, &world_collider_at(world, number)->motion, dt);
    memset(g.velocity, 0, sizeof g.velocity);
    return thicknesses(c, &g);
}

double world_collider_haste(const pliant_world* world, int number, double dt, int substeps,
                            char* out_text, size_t bytes)
{
    const collider* c = &world->collider_list[number];
    going g = going_of(c, &world_collider_at(world, number)->motion, dt);
    double ratio = thicknesses(c, &g) * dt / substeps, wanted = ceil(ratio * substeps);
    if (c->shape == PLIANT_SHAPE_TRIANGLES) return 0; // nothing passes these
    if (!(ratio > 1)) return ratio;
    char name[48];
    collider_describe(world, number, name, sizeof name);
    if (wanted <= MOST_SUBSTEPS)
        snprintf(out_text, bytes,
                 "%s moves by %.2g times half of its thickness in a substep and may pass through "
                 "bodies: use %.0f substeps for a step of %g s instead of %d",
                 name, ratio, wanted, dt, substeps);
    else
        snprintf(out_text, bytes,
                 "%s moves by far more than its thickness in a substep and passes through bodies, "
                 "whatever the number of substeps: move it slower, or make it thicker",
                 name);
    return ratio;
}

static void warn_if_fast(const pliant_world* world, int number, double dt, int substeps)
{
    collider_slot* slot = world_collider_at(world, number);
    char text[400];
    if (slot->warned || world_sweeps_collider(world, number)) return;
    if (!(world_collider_haste(world, number, dt, substeps, text, sizeof text) > 1)) return;
    slot->warned = true;
    warn("%s", text);
}

// ---- all colliders ------------------------------------------------------------------------------

static int count_moving(const pliant_world* world, double dt)
{
    int count = 0;
    for (int i = 0; i < world->collider_count; ++i) {
        going g = going_of(&world->collider_list[i], &world_collider_at(world, i)->motion, dt);
        count += g.goes || g.slides;
    }
    return count;
}

static void number_loads(pliant_world* world)
{
    world->load_count = 0;
    for (int i = 0; i < world->collider_count; ++i)
        world->collider_list[i].load =
            world_collider_at(world, i)->measured ? world->load_count++ : -1;
}

bool world_start_motion(pliant_world* world, double dt, int substeps)
{
    number_loads(world);
    for (int i = 0; i < world->collider_count; ++i) {
        world->collider_list[i].way = NULL;
        world->collider_list[i].turns = false;
        memset(world_collider_at(world, i)->seen, 0, sizeof(double[3]));
        memset(world_collider_at(world, i)->seen_angular, 0, sizeof(double[3]));
    }
    int moving = dt > 0 ? count_moving(world, dt) : 0;
    if (moving == 0) return true;
    if (!mem_reserve((void**)&world->poses, &world->pose_capacity, (int64_t)moving * (substeps + 1),
                     sizeof *world->poses))
        return false;
    collider_pose* next = world->poses + 1;
    for (int i = 0; i < world->collider_count; ++i) {
        collider* c = &world->collider_list[i];
        collider_slot* slot = world_collider_at(world, i);
        going g = going_of(c, &slot->motion, dt);
        if (!g.goes && !g.slides) continue;
        find_end(c, slot, &g, dt);
        memcpy(slot->seen, g.velocity, sizeof slot->seen);
        memcpy(slot->seen_angular, g.angular, sizeof slot->seen_angular);
        fill_way(c, slot, &g, dt, substeps, next);
        warn_if_fast(world, i, dt, substeps);
        c->way = next;
        c->turns = g.turns;
        next += substeps + 1;
    }
    return true;
}

// After a move it stands, and shows the velocity that it had.
static void arrive(collider* c, collider_slot* slot)
{
    collider_motion* m = &slot->motion;
    if (c->way && (m->told || !is_zero(m->velocity) || !is_zero(m->angular))) {
        m->rotation = slot->after_rotation;
        m->changed = true;
        collider_place(c, slot->after, m->rotation);
    }
    c->way = NULL;
    if (!m->told) return;
    m->told = false;
    memset(m->velocity, 0, sizeof m->velocity);
    memset(m->angular, 0, sizeof m->angular);
}

void world_finish_motion(pliant_world* world, double dt)
{
    for (int i = 0; i < world->collider_count && dt > 0; ++i)
        arrive(&world->collider_list[i], world_collider_at(world, i));
}
