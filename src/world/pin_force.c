// What pins do. All pins of a body together have done to its momentum what weight, forces and
// contacts have not: that is exact, whatever the substeps. How it is shared among them comes from
// the elements at each pin.
#include "world/air.h"
#include "world/joints.h"
#include "world/reaction.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

// Along an axis.
static bool is_pinned(const body* b, int particle, int axis)
{
    if (!body_has(b, particle)) return false;
    return b->s.axes[particle] >> axis & 1 || !(state_read_inverse_mass(&b->s, particle) > 0);
}

// Weight, the caller's forces and air.
static void find_load(const pliant_world* world, const body* b, int particle, double out[3])
{
    double mass = b->mass[particle] * b->gravity_scale;
    const double gravity[3] = {(double)world->def.gravity.x, (double)world->def.gravity.y,
                               (double)world->def.gravity.z};
    body_air_force(world, b, particle, out);
    for (int k = 0; k < 3; ++k)
        out[k] += mass * gravity[k] + state_read(&b->s, b->s.force, ROW4, particle, k);
}

// What holds pinned particles against the elements.
static void hold_elements(const body* b, double* out)
{
    for (int i = 0; i < asset_part_count(b->asset); ++i) {
        reaction e;
        reaction_find(b, i, &e);
        for (int c = 0; c < e.corners; ++c)
            for (int k = 0; k < 3; ++k)
                if (is_pinned(b, e.corner[c], k))
                    out[3 * (size_t)e.corner[c] + (size_t)k] -= e.force[c][k];
    }
}

// What came to the free particles from pins, by elements: the change of their momentum that has no
// other reason.
static void find_passed_on(const pliant_world* world, const body* b, const pliant_vec3* before,
                           double dt, double out[3])
{
    for (int i = 0; i < b->s.particle_count; ++i) {
        double v[3], load[3], mass = b->mass[i];
        const double old[3] = {(double)before[i].x, (double)before[i].y, (double)before[i].z};
        state_read_velocity(&b->s, i, v);
        find_load(world, b, i, load);
        for (int k = 0; k < 3; ++k)
            if (!is_pinned(b, i, k))
                out[k] += mass * (v[k] - old[k]) / dt - load[k] -
                          state_read(&b->s, b->s.contact, CONTACT, i, k);
    }
}

// The sum along an axis becomes `wanted`; each pin takes a share of what lacks as large as its
// force.
static void correct_sum(const body* b, double wanted, int axis, double* force)
{
    double sum = 0, sizes = 0;
    for (int i = 0; i < b->s.particle_count; ++i) {
        sum += force[3 * i + axis];
        sizes += fabs(force[3 * i + axis]);
    }
    if (!(sizes > 0)) return; // nothing hangs on the pins
    for (int i = 0; i < b->s.particle_count; ++i)
        force[3 * i + axis] += fabs(force[3 * i + axis]) / sizes * (wanted - sum);
}

// What joints pull at goes to the pins, at once or by elements.
typedef struct {
    const body* b;
    double* held;   // 3 each, of pinned particles
    double* others; // [3] in sum, of free ones
} joint_pull_sums;

static void add_joint(void* context, int particle, const double force[3])
{
    joint_pull_sums* s = (joint_pull_sums*)context;
    for (int k = 0; k < 3; ++k) {
        bool pinned = is_pinned(s->b, particle, k);
        if (pinned && s->held) s->held[3 * (size_t)particle + (size_t)k] -= force[k];
        if (!pinned && s->others) s->others[k] -= force[k];
    }
}

pliant_result pliant_body_read_pin_forces(const pliant_world* world, pliant_body_id id,
                                          const pliant_vec3* before, double dt, double* out,
                                          int capacity)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(out && capacity >= b->s.particle_count)) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch_joined(world, b)) return PLIANT_ERROR_DEVICE;
    double wanted[3] = {0, 0, 0}, load[3];
    memset(out, 0, 3 * (size_t)b->s.particle_count * sizeof *out);
    hold_elements(b, out);
    if (before && dt > 0) {
        find_passed_on(world, b, before, dt, wanted);
        world_each_joint_force(world, b, add_joint, &(joint_pull_sums){b, NULL, wanted});
        for (int k = 0; k < 3; ++k) correct_sum(b, wanted[k], k, out);
    }
    for (int i = 0; i < b->s.particle_count; ++i) {
        find_load(world, b, i, load);
        for (int k = 0; k < 3; ++k)
            if (is_pinned(b, i, k)) out[3 * (size_t)i + (size_t)k] -= load[k];
    }
    world_each_joint_force(world, b, add_joint, &(joint_pull_sums){b, out, NULL});
    return PLIANT_OK;
}
