// A body whose vertices have parted goes on with an asset of its own.
#include "world/flow.h"
#include "world/load.h"
#include "world/residency.h"
#include "world/tearing.h"
#include "world/unresolved.h"
#include <math.h>
#include <string.h>

// ---- state --------------------------------------------------------------------------------------

static void copy_row(state* to, const state* from, store_array which, int particle, int source)
{
    const store_kind kind = to->rows.chunk->kind;
    int stride = store_stride(kind, which);
    void *there = slice_array(&to->rows, which), *here = slice_array(&from->rows, which);
    for (int k = 0; k < stride; ++k) {
        bool mass = (which == STORE_ROW && k == ROW_W) || (which == STORE_VELOCITY && k == ROW4_W);
        if (!mass)
            state_write(to, there, stride, particle, k, state_read(from, here, stride, source, k));
    }
}

// What pushes a particle from outside pushes both parts of it, each by its share of the mass.
static void share_force(body* to, const body* from, int particle, int source)
{
    double share = to->mass[particle] / from->mass[source];
    for (int k = 0; k < 3; ++k) {
        double force = state_read(&from->s, from->s.force, ROW4, source, k);
        state_write(&to->s, to->s.force, ROW4, particle, k, share * force);
    }
}

static void copy_particle(body* to, const body* from, int particle, int source)
{
    for (int i = 0; i < STORE_ARRAYS; ++i)
        copy_row(&to->s, &from->s, (store_array)i, particle, source);
    share_force(to, from, particle, source);
    bool pinned = !(state_read_inverse_mass(&from->s, source) > 0);
    state_write_inverse_mass(&to->s, particle, pinned ? 0 : 1 / to->mass[particle]);
    to->s.axes[particle] = from->s.axes[source];
    to->s.phase[particle] = from->s.phase[source];
}

static void copy_flow(body* to, const body* from)
{
    for (int i = 0; i < to->asset->mesh->tet_count; ++i) {
        double flow[FLOW_STATE];
        if (!body_can_flow(from, i)) continue;
        body_read_flow(from, i, flow);
        body_write_flow(to, i, flow);
    }
}

static void copy_state(body* to, const body* from, int before)
{
    const mesh_stars* s = &from->tear->stars;
    int most = before < from->s.particle_count ? before : from->s.particle_count;
    for (int i = 0; i < to->s.particle_count; ++i)
        copy_particle(to, from, i, stars_before(s, i, most));
    to->s.past_h = from->s.past_h;
    to->s.pushed = from->s.pushed;
    if (from->s.flow) copy_flow(to, from);
}

// ---- the body -----------------------------------------------------------------------------------

static pliant_result make_asset(const body_tear* t, const pliant_asset** out)
{
    pliant_asset* made = NULL;
    *out = t->whole;
    if (t->stars.vertex_count == t->stars.first_count) {
        asset_retain(t->whole);
        return PLIANT_OK;
    }
    pliant_mesh* mesh = stars_mesh(&t->stars, t->whole->mesh);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    pliant_result result = asset_create_torn(t->whole, mesh, &made);
    *out = made;
    return result;
}

// Contacts and joints take it for another body, whose surface they do not know.
static void take_over(pliant_world* world, body* b, body* made, int before)
{
    copy_state(made, b, before);
    bool remembers = b->warned;
    body_release_loads(world, b);
    body_trade(b, made);
    b->warned = remembers;
    b->born = made->born;
    b->tear->version = ++world->tears.versions;
    world_forget_loads(world);
    world_change_bodies(world);
}

static pliant_result go_on(pliant_world* world, body* b, int before)
{
    pliant_body_def def = pliant_body_defaults();
    const pliant_asset* asset;
    body* made = NULL;
    pliant_result result = make_asset(b->tear, &asset);
    if (result) return result;
    int64_t events = world->tears.count + (int64_t)(b->tear->stars.vertex_count - before);
    if (!mem_reserve((void**)&world->pull, &world->pull_capacity, asset->mesh->vertex_count,
                     PULL * sizeof(double)) ||
        !mem_reserve((void**)&world->tears.event, &world->tears.capacity, events,
                     sizeof *world->tears.event))
        result = PLIANT_ERROR_MEMORY;
    if (!result) result = body_create(world, asset, &def, &made);
    if (!result) {
        take_over(world, b, made, before);
        body_destroy(world, made);
    }
    asset_release(asset);
    return result;
}

pliant_result body_go_on_torn(pliant_world* world, body* b, int before)
{
    pliant_result result = go_on(world, b, before);
    if (result) stars_forget(&b->tear->stars, before);
    return result;
}
