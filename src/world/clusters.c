// Clusters of particles, as the world sees them.
#include "math/rotation.h"
#include "world/checks.h"
#include "world/inside.h"
#include "world/residency.h"
#include <math.h>

// ---- rotations ----------------------------------------------------------------------------------

static pliant_quat quat_of(const double turn[9])
{
    // The component that is the largest is found from the diagonal, the others from it.
    const double squares[4] = {1 + turn[0] - turn[4] - turn[8], 1 - turn[0] + turn[4] - turn[8],
                               1 - turn[0] - turn[4] + turn[8], 1 + turn[0] + turn[4] + turn[8]};
    const double even[3] = {turn[5] + turn[7], turn[2] + turn[6], turn[1] + turn[3]};
    const double odd[3] = {turn[7] - turn[5], turn[2] - turn[6], turn[3] - turn[1]};
    double q[4];
    int largest = 0;
    for (int k = 1; k < 4; ++k)
        if (squares[k] > squares[largest]) largest = k;
    for (int k = 0; k < 3; ++k)
        q[k] = largest == 3 ? odd[k] : k == largest ? squares[k] : even[3 - k - largest];
    q[3] = largest == 3 ? squares[3] : odd[largest];
    const quaternion unit = turn_unit((quaternion){q[0], q[1], q[2], q[3]});
    return (pliant_quat){(float)unit.x, (float)unit.y, (float)unit.z, (float)unit.w};
}

// ---- reading ------------------------------------------------------------------------------------

int pliant_body_cluster_count(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    return b ? b->asset->clusters.count : 0;
}

pliant_result pliant_body_read_clusters(const pliant_world* world, pliant_body_id id,
                                        pliant_cluster_pose* out, int capacity)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(capacity >= 0 && (out || capacity == 0))) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_ROWS | STATE_RESIDUES | STATE_VELOCITIES | STATE_SHAPES))
        return PLIANT_ERROR_DEVICE;
    const cluster_set* c = &b->asset->clusters;
    for (int i = 0; i < c->count && i < capacity; ++i) {
        cluster_find_center(c, &b->matched, &b->s, i, out[i].position);
        out[i].rotation = quat_of(b->matched.turn + 9 * (size_t)i);
        out[i].particles = c->first[i + 1] - c->first[i];
    }
    return PLIANT_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static pliant_result check_poses(const body* b, const pliant_cluster_pose* poses, int count)
{
    if (b->asset->clusters.count == 0)
        return fail(PLIANT_ERROR_ARGUMENT, "the body has no clusters of particles: its asset was "
                                           "made with clusters.stiffness 0");
    if (count != b->asset->clusters.count)
        return fail(PLIANT_ERROR_ARGUMENT, "%d poses for the %d clusters of a body", count,
                    b->asset->clusters.count);
    for (int i = 0; i < count; ++i) {
        const double* x = poses[i].position;
        if (!isfinite(x[0] + x[1] + x[2]) || !rotation_is_valid(poses[i].rotation))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "the pose of cluster %d is not finite, or its rotation is zero (the "
                        "identity is {0, 0, 0, 1})",
                        i);
    }
    return PLIANT_OK;
}

// The mean of the places that its clusters have for it.
static void find_place(const body* b, const pliant_cluster_pose* poses, int particle, double x[3])
{
    const cluster_set* c = &b->asset->clusters;
    const int first = c->start[particle], last = c->start[particle + 1];
    for (int k = 0; k < 3; ++k) x[k] = 0;
    for (int i = first; i < last; ++i) {
        double goal[3];
        cluster_find_goal(c, &b->matched, c->member[i], poses[c->of[i]].position, goal);
        for (int k = 0; k < 3; ++k) x[k] += goal[k] / (last - first);
    }
}

// No place is farther from the origin than its center and the radius of its cluster.
static bool can_place(const body* b, const pliant_cluster_pose* poses)
{
    const cluster_set* c = &b->asset->clusters;
    for (int i = 0; i < c->count; ++i)
        for (int k = 0; k < 3; ++k)
            if (!state_can_hold(2 * (fabs(poses[i].position[k]) + c->radius[i] * (1 + c->most)),
                                b->s.scalar_bytes)) {
                fail(PLIANT_ERROR_ARGUMENT,
                     "cluster %d would be beyond the range of the body's precision: place it "
                     "nearer, or use other units",
                     i);
                return false;
            }
    return true;
}

pliant_result pliant_body_write_clusters(pliant_world* world, pliant_body_id id,
                                         const pliant_cluster_pose* poses, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(poses && count >= 0)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_poses(b, poses, count);
    if (result) return result;
    if (!body_edit(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    if (!can_place(b, poses)) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < count; ++i)
        rotation_matrix(poses[i].rotation, b->matched.turn + 9 * (size_t)i);
    for (int i = 0; i < b->s.particle_count; ++i) {
        double x[3];
        find_place(b, poses, i, x);
        state_write_position(&b->s, i, x);
    }
    b->mover_count = 0;
    body_start_anew(b);
    body_look_again(b);
    return body_revive(world, b) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}
