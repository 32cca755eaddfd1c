#include "world/rigid.h"
#include "math/rotation.h"
#include "solver/rigid_body.h"
#include "world/inside.h"
#include "world/motion.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

static void from_turn(quaternion t, double out[4])
{
    quaternion u = turn_unit(t);
    out[0] = u.x, out[1] = u.y, out[2] = u.z, out[3] = u.w;
}
static quaternion to_turn(const double t[4]) { return (quaternion){t[0], t[1], t[2], t[3]}; }
static void turn_vector(double axis[3][3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = axis[0][k] * v[0] + axis[1][k] * v[1] + axis[2][k] * v[2];
}

// ---- where it is --------------------------------------------------------------------------------

// From where the mesh is, and how it is turned.
static void place(body* b, const double position[3], quaternion turn)
{
    const rigid_shape* shape = &b->asset->rigid;
    double axis[3][3], arm[3];
    turn_axes(turn, axis);
    turn_vector(axis, shape->center, arm);
    for (int k = 0; k < 3; ++k) b->rigid->center[k] = position[k] + arm[k];
    from_turn(turn_after(turn_unit(turn), to_turn(shape->turn)), b->rigid->turn);
}

// How the mesh is turned.
static quaternion mesh_turn(const body* b)
{
    return turn_unit(turn_after(to_turn(b->rigid->turn), turn_back(to_turn(b->asset->rigid.turn))));
}

void body_place_rigid(body* b)
{
    rigid_frame(b->rigid);
    rigid_body_place(&b->s, b->rigid, b->asset->rigid.local);
}

static pliant_result check_range(const body* b, const double center[3], const double velocity[3],
                                 const double omega[3])
{
    double fast = 0, reach = b->rigid->reach;
    for (int k = 0; k < 3; ++k) fast += fabs(velocity[k]) + reach * fabs(omega[k]);
    for (int k = 0; k < 3; ++k)
        if (!state_can_hold(fabs(center[k]) + reach, b->s.scalar_bytes))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a rigid body is beyond the range of its precision: place it nearer, or "
                        "use other units");
    return state_can_hold(fast, b->s.scalar_bytes)
               ? PLIANT_OK
               : fail(PLIANT_ERROR_ARGUMENT,
                      "a rigid body is faster than its precision can tell: use other units");
}

pliant_result body_make_rigid(body* b, const pliant_body_def* def)
{
    const rigid_shape* shape = &b->asset->rigid;
    const double velocity[3] = {(double)def->velocity.x, (double)def->velocity.y,
                                (double)def->velocity.z},
                 omega[3] = {(double)def->angular_velocity.x, (double)def->angular_velocity.y,
                             (double)def->angular_velocity.z};
    rigid_state* r = b->rigid = (rigid_state*)mem_alloc_zero(sizeof *r);
    if (!r) return PLIANT_ERROR_MEMORY;
    r->mass = shape->mass;
    r->reach = shape->reach;
    memcpy(r->inertia, shape->inertia, sizeof r->inertia);
    place(b, def->position, rotation_turn(def->rotation));
    pliant_result result = check_range(b, r->center, velocity, omega);
    if (result) return result;
    memcpy(r->velocity, velocity, sizeof velocity);
    rigid_set_angular_velocity(r, omega);
    body_place_rigid(b);
    if (def->held) body_hold_rigid(b, true);
    return PLIANT_OK;
}

void body_free_rigid(body* b)
{
    mem_free(b->rigid);
    b->rigid = NULL;
}

void world_count_rigid(pliant_world* world, const body* b, int change)
{
    if (!b->rigid) return;
    world->rigid_count += change;
    world_relink_colliders(world); // planes have surfaces for rigid bodies
}

bool body_refuse_rigid(const body* b, const char* what)
{
    if (!b->rigid) return true;
    fail(PLIANT_ERROR_UNSUPPORTED, "a rigid body goes as one: %s", what);
    return false;
}

pliant_result body_teleport_rigid(body* b, const double pivot[3], pliant_quat rotation,
                                  const double translation[3])
{
    rigid_state* r = b->rigid;
    double axis[3][3], from[3], to[3], velocity[3], momentum[3], omega[3];
    rotation_axes(rotation, axis);
    for (int k = 0; k < 3; ++k) from[k] = r->center[k] - pivot[k];
    turn_vector(axis, from, to);
    for (int k = 0; k < 3; ++k) to[k] += pivot[k] + translation[k];
    rigid_angular_velocity(r, omega);
    pliant_result result = check_range(b, to, r->velocity, omega);
    if (result) return result;
    turn_vector(axis, r->velocity, velocity);
    turn_vector(axis, r->momentum, momentum);
    memcpy(r->center, to, sizeof to);
    memcpy(r->velocity, velocity, sizeof velocity);
    memcpy(r->momentum, momentum, sizeof momentum);
    from_turn(turn_after(turn_unit(rotation_turn(rotation)), to_turn(r->turn)), r->turn);
    body_place_rigid(b);
    return PLIANT_OK;
}

// What is held is pinned at all its particles, for whoever asks one of them.
void body_hold_rigid(body* b, bool held)
{
    rigid_hold(b->rigid, b->asset->rigid.inertia, held);
    for (int i = 0; i < b->s.particle_count; ++i)
        state_write_inverse_mass(&b->s, i, held ? 0 : 1 / b->asset->mass[i]);
    body_place_rigid(b);
}

// ---- the interface ------------------------------------------------------------------------------

static body* rigid_body(const pliant_world* world, pliant_body_id id)
{
    body* b = world_body(world, id);
    if (!b || b->rigid) return b;
    fail(PLIANT_ERROR_ARGUMENT, "the body is not rigid: its particles go each by itself");
    return NULL;
}

// Likewise, to be changed.
static pliant_result open_rigid(const pliant_world* world, pliant_body_id id, body** out)
{
    *out = rigid_body(world, id);
    if (!*out) return PLIANT_ERROR_ARGUMENT;
    return body_edit(world, *out, STATE_ALL) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

pliant_result pliant_body_motion(const pliant_world* world, pliant_body_id id, pliant_motion* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_motion){0};
    body* b = rigid_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_RIGID)) return PLIANT_ERROR_DEVICE;
    double axis[3][3], arm[3];
    quaternion turn = mesh_turn(b);
    turn_axes(turn, axis);
    turn_vector(axis, b->asset->rigid.center, arm);
    for (int k = 0; k < 3; ++k) out->position[k] = b->rigid->center[k] - arm[k];
    from_turn(turn, out->rotation);
    memcpy(out->center, b->rigid->center, sizeof out->center);
    memcpy(out->velocity, b->rigid->velocity, sizeof out->velocity);
    memcpy(out->angular_momentum, b->rigid->momentum, sizeof out->angular_momentum);
    rigid_angular_velocity(b->rigid, out->angular_velocity);
    out->held = b->rigid->held;
    return PLIANT_OK;
}

static bool is_finite_motion(const pliant_motion* m)
{
    double sum = 0, square = 0;
    for (int k = 0; k < 3; ++k) sum += m->position[k] + m->velocity[k] + m->angular_velocity[k];
    for (int k = 0; k < 4; ++k) square += m->rotation[k] * m->rotation[k];
    return isfinite(sum) && square > 0 && isfinite(square);
}

pliant_result pliant_body_set_motion(pliant_world* world, pliant_body_id id,
                                     const pliant_motion* to)
{
    body* b;
    if (!REQUIRE(to)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = open_rigid(world, id, &b);
    if (result) return result;
    if (!is_finite_motion(to))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a body is to be placed by what is not finite, or turned by a rotation that is "
                    "zero; the identity is {0, 0, 0, 1}");
    const rigid_state before = *b->rigid;
    place(b, to->position, to_turn(to->rotation));
    result = check_range(b, b->rigid->center, to->velocity, to->angular_velocity);
    if (result) {
        *b->rigid = before;
        return result;
    }
    memcpy(b->rigid->velocity, to->velocity, sizeof to->velocity);
    rigid_set_angular_velocity(b->rigid, to->angular_velocity);
    rigid_hold(b->rigid, b->asset->rigid.inertia, b->rigid->held);
    body_place_rigid(b);
    body_start_anew(b);
    return body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

pliant_result pliant_body_push(pliant_world* world, pliant_body_id id, const double at[3],
                               const double impulse[3])
{
    body* b;
    if (!REQUIRE(at && impulse)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = open_rigid(world, id, &b);
    if (result) return result;
    double sum = 0, arm[3], torque[3];
    for (int k = 0; k < 3; ++k) sum += at[k] + impulse[k];
    if (!isfinite(sum))
        return fail(PLIANT_ERROR_ARGUMENT, "a body is to be pushed by what is not finite");
    if (b->rigid->held) return PLIANT_OK;
    for (int k = 0; k < 3; ++k) arm[k] = at[k] - b->rigid->center[k];
    d3_cross(arm, impulse, torque);
    for (int k = 0; k < 3; ++k) {
        b->rigid->velocity[k] += impulse[k] / b->rigid->mass;
        b->rigid->momentum[k] += torque[k];
    }
    body_place_rigid(b);
    return PLIANT_OK;
}

pliant_result pliant_body_set_held(pliant_world* world, pliant_body_id id, bool held)
{
    body* b;
    pliant_result result = open_rigid(world, id, &b);
    if (!result && b->rigid->held != held) body_hold_rigid(b, held);
    return result;
}

pliant_result pliant_asset_rigid(const pliant_asset* a, pliant_rigid_info* out)
{
    if (!REQUIRE(a && out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_rigid_info){0};
    if (!asset_is_rigid(a))
        return fail(PLIANT_ERROR_ARGUMENT, "the asset is not rigid: see pliant_soft_def.rigid");
    out->mass = a->rigid.mass;
    memcpy(out->center, a->rigid.center, sizeof out->center);
    memcpy(out->inertia, a->rigid.inertia, sizeof out->inertia);
    memcpy(out->axes, a->rigid.axis, sizeof out->axes);
    return PLIANT_OK;
}
