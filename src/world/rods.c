// Segments of rods, as the world sees them.
#include "math/rotation.h"
#include "world/inside.h"
#include "world/residency.h"
#include <math.h>

static const rod_set* rods_of(const body* b) { return &b->asset->rods; }

static bool refuse_none(void)
{
    fail(PLIANT_ERROR_ARGUMENT, "the body is no rod: its asset was made without rope.rod");
    return false;
}

// The body, with that segment of a rod; NULL, with the error text.
static body* rod_with(const pliant_world* world, pliant_body_id id, int segment)
{
    body* b = world_body(world, id);
    if (!b || (rods_of(b)->count == 0 && !refuse_none())) return NULL;
    if (segment >= 0 && segment < rods_of(b)->count) return b;
    fail(PLIANT_ERROR_ARGUMENT, "segment %d of a rod that has %d", segment, rods_of(b)->count);
    return NULL;
}

static pliant_vec3 vector_of(const double v[3])
{
    return (pliant_vec3){(float)v[0], (float)v[1], (float)v[2]};
}

static bool is_finite(pliant_vec3 v) { return isfinite(v.x + v.y + v.z); }

// ---- reading ------------------------------------------------------------------------------------

int pliant_body_segment_count(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? rods_of(b)->count : 0;
}

static pliant_rod_segment describe(const body* b, int segment)
{
    const rod_set* r = rods_of(b);
    const rod_state* s = b->oriented;
    const double* q = s->turn + 4 * (size_t)segment;
    double force[3], moment[3] = {0, 0, 0};
    rods_read_force(r, s, &b->s, segment, force);
    if (r->hangs[segment] >= 0) rods_read_moment(r, s, r->hangs[segment], moment);
    return (pliant_rod_segment){
        .rotation = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]},
        .spin = vector_of(s->spin + 3 * (size_t)segment),
        .force = vector_of(force),
        .moment = vector_of(moment),
        .inertia = r->inertia[segment],
        .particles = {r->end[2 * (size_t)segment], r->end[2 * (size_t)segment + 1]},
        .clamped = s->clamped[segment] != 0};
}

pliant_result pliant_body_read_segments(const pliant_world* world, pliant_body_id id,
                                        pliant_rod_segment* out, int capacity)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(capacity >= 0 && (out || capacity == 0))) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_ROWS | STATE_RESIDUES)) return PLIANT_ERROR_DEVICE;
    for (int i = 0; i < rods_of(b)->count && i < capacity; ++i) out[i] = describe(b, i);
    return PLIANT_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static pliant_result check_segments(const body* b, const pliant_quat* rotations,
                                    const pliant_vec3* spins, int count)
{
    if (rods_of(b)->count == 0 && !refuse_none()) return PLIANT_ERROR_ARGUMENT;
    if (count < 0 || count > rods_of(b)->count)
        return fail(PLIANT_ERROR_ARGUMENT, "%d segments are written of a rod that has %d", count,
                    rods_of(b)->count);
    for (int i = 0; i < count; ++i)
        if ((rotations && !rotation_is_valid(rotations[i])) || (spins && !is_finite(spins[i])))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "the rotation or spin of segment %d is zero or not finite", i);
    return PLIANT_OK;
}

static void write_rotation(double* out, pliant_quat rotation)
{
    quaternion q = turn_unit(rotation_turn(rotation));
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

pliant_result pliant_body_write_segments(pliant_world* world, pliant_body_id id,
                                         const pliant_quat* rotations, const pliant_vec3* spins,
                                         int count)
{
    body* b = world_body(world, id);
    pliant_result result = b ? check_segments(b, rotations, spins, count) : PLIANT_ERROR_ARGUMENT;
    if (result) return result;
    for (int i = 0; i < count; ++i) {
        double* spin = b->oriented->spin + 3 * (size_t)i;
        if (rotations) write_rotation(b->oriented->turn + 4 * (size_t)i, rotations[i]);
        if (spins)
            spin[0] = (double)spins[i].x, spin[1] = (double)spins[i].y,
            spin[2] = (double)spins[i].z;
    }
    return !b->failed || body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

// ---- clamps and torques -------------------------------------------------------------------------

static pliant_result clamp(body* b, int segment, unsigned char how)
{
    if (!b) return PLIANT_ERROR_ARGUMENT;
    b->oriented->clamped[segment] = how;
    for (size_t k = 0; k < 3; ++k) b->oriented->spin[3 * (size_t)segment + k] = 0;
    return PLIANT_OK;
}

pliant_result pliant_body_clamp(pliant_world* world, pliant_body_id id, int segment)
{
    return clamp(rod_with(world, id, segment), segment, ROD_CLAMPED);
}

pliant_result pliant_body_unclamp(pliant_world* world, pliant_body_id id, int segment)
{
    return clamp(rod_with(world, id, segment), segment, 0);
}

pliant_result pliant_body_turn_clamp(pliant_world* world, pliant_body_id id, int segment,
                                     pliant_quat rotation)
{
    body* b = rod_with(world, id, segment);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!rotation_is_valid(rotation))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "segment %d is to be turned to a rotation that is zero or not finite", segment);
    write_rotation(b->oriented->goal + 4 * (size_t)segment, rotation);
    return clamp(b, segment, ROD_CLAMPED | ROD_GOING);
}

static void add_torque(body* b, int segment, pliant_vec3 torque)
{
    double* sum = b->oriented->torque + 3 * (size_t)segment;
    sum[0] += (double)torque.x, sum[1] += (double)torque.y, sum[2] += (double)torque.z;
}

pliant_result pliant_body_set_torques(pliant_world* world, pliant_body_id id,
                                      const pliant_vec3* torques, int count)
{
    body* b = world_body(world, id);
    pliant_result result =
        b ? check_segments(b, NULL, torques, torques ? count : 0) : PLIANT_ERROR_ARGUMENT;
    if (result) return result;
    for (int i = 0; i < 3 * rods_of(b)->count; ++i) b->oriented->torque[i] = 0;
    for (int i = 0; torques && i < count; ++i) add_torque(b, i, torques[i]);
    return PLIANT_OK;
}

pliant_result pliant_body_add_torque(pliant_world* world, pliant_body_id id, int segment,
                                     pliant_vec3 torque)
{
    body* b = rod_with(world, id, segment);
    if (!b || !REQUIRE(is_finite(torque))) return PLIANT_ERROR_ARGUMENT;
    add_torque(b, segment, torque);
    return PLIANT_OK;
}
