// A body that goes on with another asset: of another material, or shape at rest.
#include "world/air.h"
#include "world/immersion.h"
#include "world/load.h"
#include "world/residency.h"
#include "world/tearing.h"
#include <string.h>

static bool same_numbers(const int* a, const int* b, size_t count)
{
    return (!a && !b) || (a && b && memcmp(a, b, count * sizeof(int)) == 0);
}

static bool same_elements(const pliant_mesh* a, const pliant_mesh* b)
{
    return a->vertex_count == b->vertex_count && a->tet_count == b->tet_count &&
           a->triangle_count == b->triangle_count && a->edge_count == b->edge_count &&
           same_numbers(a->tets, b->tets, 4 * (size_t)a->tet_count) &&
           same_numbers(a->triangles, b->triangles, 3 * (size_t)a->triangle_count) &&
           same_numbers(a->edges, b->edges, 2 * (size_t)a->edge_count);
}

// Surfaces that the body carries, and views of its state, know particles by their rows.
static bool same_rows(const plan* a, const plan* b)
{
    return a->row_count == b->row_count && a->second_order == b->second_order &&
           same_numbers(a->copies.first, b->copies.first, (size_t)a->particle_count);
}

// What has flowed goes on, so the same tets must be able to.
static bool flows_alike(const plan* a, const plan* b)
{
    if (a->node_count != b->node_count) return a->flow.count == 0 && b->flow.count == 0;
    for (int i = 0; i < a->node_count && (a->flow.count || b->flow.count); ++i)
        if (plan_flows(a, i) != plan_flows(b, i)) return false;
    return true;
}

// So do rotations of clusters, and what has flowed of them.
static bool clusters_alike(const cluster_set* a, const cluster_set* b)
{
    return a->count == b->count && a->member_count == b->member_count &&
           clusters_flow(a) == clusters_flow(b) &&
           (a->count == 0 ||
            (memcmp(a->first, b->first, ((size_t)a->count + 1) * sizeof(int)) == 0 &&
             memcmp(a->particle, b->particle, (size_t)a->member_count * sizeof(int)) == 0));
}

static pliant_result check_asset(const pliant_asset* old, const pliant_asset* asset)
{
    if (asset_is_rigid(old) || asset_is_rigid(asset))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "a rigid body keeps its asset: remove it, and add another one at its place "
                    "(pliant_body_motion)");
    if (asset_changes(old) || asset_changes(asset))
        return fail(
            PLIANT_ERROR_UNSUPPORTED,
            "a body whose particles come and go keeps its asset: give each particle that is "
            "added its own mass and radius");
    if (!same_elements(old->mesh, asset->mesh))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a body goes on with an asset of the same elements only: compile it from the "
                    "same mesh, or one with other places of its vertices");
    if (old->plan.scalar_bytes != asset->plan.scalar_bytes)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a body goes on with an asset of the same precision only");
    if (!flows_alike(&old->plan, &asset->plan))
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "a body goes on with an asset only in which the same tets have a yield_stress, "
            "or swell: a very high one stands for none, and so does a very small expansion");
    if (!clusters_alike(&old->clusters, &asset->clusters))
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "a body goes on with an asset only that has the same particles in the same "
            "clusters, which all yield or do not: a very high yield_strain stands for none");
    if (old->rods.count != asset->rods.count)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a body goes on with an asset only whose edges are rods as before, or ropes as "
                    "before (rope.rod)");
    if (!same_rows(&old->plan, &asset->plan))
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "a body goes on with an asset only that has its particles at the same places in "
            "memory: compile it with the same schedule, patches and order of the "
            "integrator");
    return PLIANT_OK;
}

void body_trade(body* b, body* made)
{
    body old = *b;
    b->asset = made->asset, made->asset = old.asset;
    b->mass = made->mass, made->mass = old.mass;
    b->s = made->s, made->s = old.s;
    b->inside = made->inside, made->inside = old.inside;
    b->matched = made->matched, made->matched = old.matched;
    b->oriented = made->oriented, made->oriented = old.oriented;
    b->torque = made->torque, made->torque = old.torque;
    b->remote = made->remote, made->remote = old.remote;
    b->surface = made->surface, made->surface = old.surface;
    body_forget_surface(b);
    body_forget_hull(b);
    b->newer_here = made->newer_here;
    b->newer_there = made->newer_there;
    b->holders_there = false;
    b->pins_known = false;
    b->warned = false;
}

static pliant_result set_asset(pliant_world* world, body* b, const pliant_asset* asset)
{
    pliant_body_def def = pliant_body_defaults();
    void* kept = mem_alloc(body_state_bytes(b));
    body* made = NULL;
    pliant_result result = kept ? body_create(world, asset, &def, &made) : PLIANT_ERROR_MEMORY;
    if (!result) {
        body_state_save(b, kept);
        body_release_loads(world, b);
        body_close_tear(b);
        body_trade(b, made);
        body_state_restore(b, kept);
        body_destroy(world, made);
        world_forget_loads(world);
        world_change_bodies(world);
        history_clear(&world->past);
    }
    mem_free(kept);
    return result;
}

pliant_result pliant_body_set_asset(pliant_world* world, pliant_body_id id,
                                    const pliant_asset* asset)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(asset)) return PLIANT_ERROR_ARGUMENT;
    if (b->asset != body_whole(b))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the body has torn or was cut: it keeps what it is made of");
    pliant_result result = check_asset(b->asset, asset);
    if (result || b->asset == asset) return result;
    return body_fetch(world, b, STATE_ALL) ? set_asset(world, b, asset) : PLIANT_ERROR_DEVICE;
}
