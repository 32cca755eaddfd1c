// Adding, removing and reading joints.
#include "world/joints.h"
#include "base/cookie.h"
#include "world/links.h"
#include "world/residency.h"
#include "world/rigid.h"
#include <math.h>
#include <string.h>

static const char* const sides[2] = {"first", "second"};

pliant_joint_def pliant_joint_defaults(void)
{
    pliant_joint_def def = {.point = {{.count = 1, .share = {1}}, {.count = 1, .share = {1}}},
                            .breaking_force = INFINITY,
                            .axis = {1, 0, 0},
                            .breaking_torque = INFINITY,
                            .angle_limits = {-INFINITY, INFINITY},
                            .swing_limit = INFINITY,
                            .motor_torque = INFINITY,
                            .cookie = COOKIE_JOINT};
    return def;
}

// ---- checks -------------------------------------------------------------------------------------

static body* body_of(const pliant_world* world, pliant_body_id id)
{
    body** slot = (body**)pool_get(&world->bodies, id.index1, id.generation);
    return slot ? *slot : NULL;
}

static pliant_result check_particles(const body* b, const pliant_joint_point* p, const char* side)
{
    for (int i = 0; i < p->count; ++i) {
        if (p->particle[i] < 0 || p->particle[i] >= b->s.particle_count)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a joint's %s side has particle %d, but its body has particles 0 to %d",
                        side, p->particle[i], b->s.particle_count - 1);
        for (int k = 0; k < i; ++k)
            if (p->particle[i] == p->particle[k])
                return fail(
                    PLIANT_ERROR_ARGUMENT,
                    "a joint's %s side has particle %d twice: give it once, with the sum of "
                    "both shares",
                    side, p->particle[i]);
    }
    return PLIANT_OK;
}

static pliant_result check_place(const body* b, const pliant_joint_point* p, const char* side)
{
    if (b && !b->rigid)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's %s side has no particles, and its body is not rigid: give it 1 to 4 "
                    "particles (pliant_body_find_joint_point)",
                    side);
    return isfinite(p->place[0] + p->place[1] + p->place[2])
               ? PLIANT_OK
               : fail(PLIANT_ERROR_ARGUMENT, "a joint's %s side is at a place that is not finite",
                      side);
}

static pliant_result check_point(const pliant_world* world, const pliant_joint_point* p,
                                 const char* side)
{
    const body* b = body_of(world, p->body);
    double sum = 0;
    if (!p->body.index1 && p->count == 0) return check_place(NULL, p, side);
    if (!b)
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "the body of a joint's %s side (%u, %u) is not in the world: it was removed, or "
            "never added",
            side, (unsigned)p->body.index1, (unsigned)p->body.generation);
    if (asset_is_carried(b->asset))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "a joint's %s side is of particles that a gas carries: nothing holds them",
                    side);
    if (p->count == 0) return check_place(b, p, side);
    if (p->count < 1 || p->count > 4)
        return fail(PLIANT_ERROR_ARGUMENT, "a joint's %s side has %d particles, it must be 1 to 4",
                    side, p->count);
    for (int i = 0; i < p->count; ++i) sum += p->share[i];
    if (!(fabs(sum - 1) <= 1e-6))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the shares of a joint's %s side have the sum %g: shares of a point in a "
                    "triangle or a tet have the sum 1",
                    side, sum);
    return check_particles(b, p, side);
}

static pliant_result check_numbers(const pliant_joint_def* def)
{
    if (!(def->compliance >= 0 && isfinite(def->compliance)))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's compliance is %g, it must be 0 or more, and finite [m/N]",
                    def->compliance);
    if (!(def->breaking_force > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a joint's breaking_force is %g, it must be above 0 [N]; INFINITY: it does not "
                    "break",
                    def->breaking_force);
    return PLIANT_OK;
}

static bool is_held(const body* b, const pliant_joint_point* p)
{
    for (int i = 0; i < p->count; ++i)
        if (p->share[i] != 0 && state_read_inverse_mass(&b->s, p->particle[i]) > 0) return false;
    return true;
}

static pliant_result check_self(const pliant_joint_def* def)
{
    const pliant_joint_point *a = &def->point[0], *b = &def->point[1];
    if (a->body.index1 != b->body.index1) return PLIANT_OK;
    for (int i = 0; i < a->count; ++i)
        for (int k = 0; k < b->count; ++k)
            if (a->particle[i] == b->particle[k])
                return fail(
                    PLIANT_ERROR_ARGUMENT,
                    "both sides of a joint have particle %d of the same body: a body may be "
                    "joined with itself at points that have no particle in common",
                    a->particle[i]);
    return PLIANT_OK;
}

static pliant_result check_pair(const pliant_world* world, const pliant_joint_def* def)
{
    const body *a = body_of(world, def->point[0].body), *b = body_of(world, def->point[1].body);
    bool link = def_is_link(world, def);
    pliant_result result = link ? check_link(world, def) : PLIANT_OK;
    if (result || !a || !b) return result;
    if (!a->remote != !b->remote)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "one body of a joint is on the CPU and the other on a GPU: give the world a "
                    "backend, or both assets the same target_backend");
    if (a->s.scalar_bytes != b->s.scalar_bytes)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the two bodies of a joint have different precisions: use one precision");
    if (!link && is_held(a, &def->point[0]) && is_held(b, &def->point[1]))
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "both sides of a joint are pinned, so that it cannot hold anything: free one of "
            "them first");
    return link ? PLIANT_OK : check_self(def);
}

static pliant_result check_def(const pliant_world* world, const pliant_joint_def* def)
{
    pliant_result result = check_numbers(def);
    for (int i = 0; i < 2 && !result; ++i) result = check_point(world, &def->point[i], sides[i]);
    return result ? result : check_pair(world, def);
}

// ---- joints -------------------------------------------------------------------------------------

// Without particles that have no share. The sum of the others is 1 to the last digit: a gap does
// not depend on how far from the origin it is.
static pliant_joint_point clean_point(const pliant_joint_point* p)
{
    pliant_joint_point out = {.body = p->body};
    double left = 1;
    memcpy(out.place, p->place, sizeof out.place);
    if (p->count == 0) return out;
    for (int i = 0; i < p->count; ++i) {
        if (p->share[i] == 0) continue;
        out.particle[out.count] = p->particle[i];
        out.share[out.count++] = p->share[i];
    }
    for (int i = 0; i + 1 < out.count; ++i) left -= out.share[i];
    out.share[out.count - 1] = left;
    return out;
}

static void count_joint(const pliant_world* world, const pliant_joint_point* p, int change)
{
    body* b = p->body.index1 ? body_of(world, p->body) : NULL;
    if (b) b->joint_count += change;
}

pliant_result pliant_world_add_joint(pliant_world* world, const pliant_joint_def* def,
                                     pliant_joint_id* out)
{
    pliant_joint_id id = {0, 0};
    if (out) *out = id;
    if (!REQUIRE(world) || !REQUIRE_DEF(def, COOKIE_JOINT)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_def(world, def);
    if (!result) result = world_fetch_joints(world);
    if (result) return result;
    link_slot* link = NULL;
    if (def_is_link(world, def)) result = link_slot_create(world, def, &link);
    if (result) return result;
    joint_slot* slot = (joint_slot*)pool_add(&world->joints, &id.index1, &id.generation);
    if (!slot) mem_free(link);
    if (!slot) return PLIANT_ERROR_MEMORY;
    *slot = (joint_slot){
        .compliance = def->compliance, .breaking_force = def->breaking_force, .link = link};
    for (int i = 0; i < 2; ++i) {
        slot->point[i] = clean_point(&def->point[i]);
        count_joint(world, &def->point[i], 1);
    }
    world->joint_changes++;
    history_clear(&world->past);
    if (out) *out = id;
    return PLIANT_OK;
}

// A device that does not say what the others did fails in the next step, too.
static void remove_joint(pliant_world* world, uint32_t index1)
{
    if (world_fetch_joints(world)) world_forget_joints(world);
    const joint_slot* j = world_joint_at(world, (int)index1 - 1);
    for (int i = 0; i < 2; ++i) count_joint(world, &j->point[i], -1);
    mem_free(j->link);
    pool_remove(&world->joints, index1);
    world->joint_changes++;
    history_clear(&world->past);
}

void world_remove_joints_of(pliant_world* world, pliant_body_id id)
{
    for (int i = 0; i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        if (!j) continue;
        if (j->point[0].body.index1 == id.index1 || j->point[1].body.index1 == id.index1)
            remove_joint(world, (uint32_t)i + 1);
    }
}

joint_slot* world_find_joint(const pliant_world* world, pliant_joint_id id)
{
    joint_slot* j = (joint_slot*)pool_get(&world->joints, id.index1, id.generation);
    if (j) return j;
    assert_failed("the id is of a joint in the world", __FILE__, __LINE__);
    fail(PLIANT_ERROR_ARGUMENT,
         "there is no joint of this id (%u, %u): it was removed, one of its bodies was, or it was "
         "never added to this world",
         (unsigned)id.index1, (unsigned)id.generation);
    return NULL;
}

pliant_result pliant_joint_remove(pliant_world* world, pliant_joint_id id)
{
    if (!REQUIRE(world) || !world_find_joint(world, id)) return PLIANT_ERROR_ARGUMENT;
    remove_joint(world, id.index1);
    return PLIANT_OK;
}

bool pliant_joint_is_valid(const pliant_world* world, pliant_joint_id id)
{
    return REQUIRE(world) && pool_get(&world->joints, id.index1, id.generation);
}

int pliant_world_joint_count(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; REQUIRE(world) && i < world->joints.count; ++i)
        count += world_joint_at(world, i) != NULL;
    return count;
}

int pliant_world_joints(const pliant_world* world, pliant_joint_id* out, int capacity)
{
    int count = 0;
    if (!REQUIRE(world && (out || capacity == 0))) return 0;
    for (int i = 0; i < world->joints.count && count < capacity; ++i)
        if (world_joint_at(world, i))
            out[count++] = (pliant_joint_id){(uint32_t)i + 1, world->joints.slot[i].generation};
    return count;
}

// [m] where a point is now.
static void find_place(const body* b, const pliant_joint_point* p, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < p->count; ++i) {
        double x[3];
        state_read_position(&b->s, p->particle[i], x);
        for (int k = 0; k < 3; ++k) out[k] += p->share[i] * x[k];
    }
}

pliant_result pliant_joint_describe(const pliant_world* world, pliant_joint_id id,
                                    pliant_joint_info* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_joint_info){0};
    const joint_slot* j = REQUIRE(world) ? world_find_joint(world, id) : NULL;
    if (!j) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = world_fetch_joints(world);
    if (result) return result;
    double square = 0;
    for (int i = 0; i < 2; ++i) {
        body* b = j->point[i].body.index1 ? body_of(world, j->point[i].body) : NULL;
        if (b && !body_fetch(world, b, STATE_ROWS | STATE_RESIDUES)) return PLIANT_ERROR_DEVICE;
        out->point[i] = j->point[i];
        if (b && !b->rigid)
            find_place(b, &j->point[i], out->place[i]);
        else
            link_find_place(world, j, i, out->place[i]);
    }
    for (int k = 0; k < 3; ++k) {
        double d = out->place[0][k] - out->place[1][k];
        square += d * d;
        out->force[k] = j->force[k];
    }
    out->gap = sqrt(square);
    out->compliance = j->compliance;
    out->breaking_force = j->breaking_force;
    out->broken = j->broken;
    if (j->link) link_describe(world, j, out);
    return PLIANT_OK;
}

bool body_fetch_joined(const pliant_world* world, body* b)
{
    return body_fetch(world, b, STATE_ALL) && world_fetch_joints(world) == PLIANT_OK;
}

void world_each_joint_force(const pliant_world* world, const body* b, joint_force_fn* each,
                            void* context)
{
    for (int i = 0; b->joint_count && i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        for (int side = 0; j && side < 2; ++side) {
            const pliant_joint_point* p = &j->point[side];
            if (!p->body.index1 || body_of(world, p->body) != b) continue;
            for (int n = 0; n < p->count; ++n) {
                double share = side ? -p->share[n] : p->share[n];
                const double force[3] = {share * j->force[0], share * j->force[1],
                                         share * j->force[2]};
                each(context, p->particle[n], force);
            }
        }
    }
}

// ---- places -------------------------------------------------------------------------------------

pliant_result pliant_body_find_joint_point(const pliant_world* world, pliant_body_id id,
                                           const double place[3], pliant_joint_point* out)
{
    pliant_hit hit;
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = (pliant_joint_point){.body = {0, 0}};
    pliant_result result = pliant_body_find_nearest(world, id, place, &hit);
    if (result) return result;
    if (hit.corners < 1)
        return fail(PLIANT_ERROR_ARGUMENT, "the body has no surface that could be joined");
    pliant_joint_point found = {.body = id, .count = hit.corners};
    for (int i = 0; i < hit.corners; ++i) {
        found.particle[i] = hit.particle[i];
        found.share[i] = hit.share[i];
    }
    *out = clean_point(&found);
    return PLIANT_OK;
}

// Particles of the region, one by one; those that were sewn before an error are let go again.
static pliant_result sew_each(pliant_world* world, pliant_joint_def* def, const double* places,
                              const int* index, int count)
{
    pliant_joint_id* made = (pliant_joint_id*)mem_array((size_t)count, sizeof *made);
    pliant_result result = made ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    int done = 0;
    pliant_body_id other = def->point[1].body;
    for (int i = 0; i < count && !result; ++i) {
        def->point[0].particle[0] = index[i];
        result = pliant_body_find_joint_point(world, other, places + 3 * (size_t)index[i],
                                              &def->point[1]);
        if (!result) result = pliant_world_add_joint(world, def, &made[done]);
        done += !result;
    }
    for (int i = 0; i < done && result; ++i) remove_joint(world, made[i].index1);
    mem_free(made);
    return result;
}

pliant_result pliant_world_sew(pliant_world* world, const pliant_joint_def* like,
                               const pliant_region* region, int* out_count)
{
    if (out_count) *out_count = 0;
    if (!REQUIRE(world) || !REQUIRE_DEF(like, COOKIE_JOINT)) return PLIANT_ERROR_ARGUMENT;
    pliant_joint_def def = pliant_joint_defaults();
    def.compliance = like->compliance;
    def.breaking_force = like->breaking_force;
    for (int i = 0; i < 2; ++i) def.point[i].body = like->point[i].body;
    pliant_result result = check_numbers(&def);
    for (int i = 0; i < 2 && !result; ++i) result = check_point(world, &def.point[i], sides[i]);
    if (result) return result;
    if (def.point[0].body.index1 == def.point[1].body.index1)
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "a body cannot be sewn to itself, where every particle is its own nearest point: "
            "join points of it one by one");
    int particles = pliant_body_particle_count(world, def.point[0].body), count = 0;
    double* places = (double*)mem_array(3 * (size_t)particles, sizeof(double));
    int* index = (int*)mem_array((size_t)particles, sizeof(int));
    result = places && index ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result)
        result = pliant_body_read_positions_exact(world, def.point[0].body, places, particles);
    if (!result) result = pliant_region_select(region, places, particles, index, &count);
    if (!result) result = sew_each(world, &def, places, index, count);
    if (out_count && !result) *out_count = count;
    mem_free(places);
    mem_free(index);
    return result;
}
