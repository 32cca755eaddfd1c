#include "world/liquid.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/heat.h"
#include "world/immersion.h"
#include "world/residency.h"

bool body_create_liquid(body* b)
{
    if (!asset_is_liquid(b->asset)) return true;
    size_t count = (size_t)b->s.particle_count;
    bool tense = b->asset->def.liquid.surface_tension > 0;
    b->pressure = (double*)mem_array_zero(count, sizeof(double));
    if (tense) b->drawn = (double*)mem_array_zero(count, sizeof(double));
    return b->pressure && (b->drawn || !tense);
}

static double body_spacing(const body* b) { return def_spacing(&b->asset->def); }
static const char* kind_of(const body* b) { return asset_is_gas(b->asset) ? "gas" : "liquid"; }

// What the first liquid of a world is, the others have to be.
static pliant_result check_alike(const pliant_world* world, const body* first, const body* b, int i)
{
    if (!b->remote != !first->remote)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "body %d is a %s and stepped by %s, and another one is not: all liquids and "
                    "gases of a world need the same backend",
                    i, kind_of(b), b->remote ? "a GPU" : "the CPU");
    if (b->remote && (asset_is_gas(b->asset) || b->temperature || b->spin))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "body %d is a %s and stepped by a GPU, which knows liquids but no gas and no "
                    "heat yet: use the backend cpu",
                    i, asset_is_gas(b->asset) ? "gas" : "liquid with a temperature");
    if (world->batch)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "body %d is a %s in a batch of worlds, where nothing flows yet: step its "
                    "world by itself",
                    i, kind_of(b));
    if (body_spacing(b) != body_spacing(first))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "body %d is a %s with a spacing of %g m, and another one has %g m: all liquids "
                    "and gases of a world need the same",
                    i, kind_of(b), body_spacing(b), body_spacing(first));
    if (b->asset->def.liquid.classic != first->asset->def.liquid.classic)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "body %d is a %s that is classic or not, unlike another one: all liquids and "
                    "gases of a world need the same",
                    i, kind_of(b));
    if (b->s.scalar_bytes != first->s.scalar_bytes)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "body %d is a %s of another precision than another one: all liquids and gases "
                    "of a world need the same",
                    i, kind_of(b));
    return PLIANT_OK;
}

// Sweeps of viscosity in which the thickest liquid acts in full. More would take too long: what is
// thicker than that acts less.
static void choose_sweeps(const pliant_world* world, double h, fluid_system* s)
{
    enum { MOST = 16 };
    static const double full = 0.02, little = 1e-4; // of h nu / spacing^2 in one sweep
    double most = 0;
    bool tense = false, whirls = false;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (!b || !b->pressure) continue;
        double nu = def_viscosity(&b->asset->def) / b->asset->material[0].density;
        double rate = nu / (body_spacing(b) * body_spacing(b));
        most = rate > most ? rate : most;
        tense = tense || b->asset->def.liquid.surface_tension > 0;
        whirls = whirls || b->asset->def.liquid.vorticity > 0;
    }
    double needed = most * h / full;
    s->sweeps = needed > 0 ? needed > MOST ? MOST : 1 + (int)needed : 0;
    s->thick = most * h > little;
    s->tense = tense;
    s->whirls = whirls;
}

// Who is there: other particles need other lists.
static uint64_t note_who(uint64_t hash, const body* b)
{
    const uint64_t who[] = {b->born, b->there.changes};
    return hash_bytes(hash, who, sizeof who);
}

static pliant_result add_all(pliant_world* world, uint64_t* out_who)
{
    fluid_system* s = &world->flowing.system;
    const body* first = NULL;
    if (!mem_reserve((void**)&world->flowing.copy, &world->flowing.copy_capacity,
                     world->liquid_count, sizeof(device_copy*)))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !b->pressure || b->failed) continue;
        const pliant_liquid_def* l = &b->asset->def.liquid;
        if (!first) first = b;
        pliant_result result = check_alike(world, first, b, i);
        if (result) return result;
        *out_who = note_who(*out_who, b);
        world->flowing.copy[s->member_count] = b->remote;
        fluid_add(s, (fluid_member){.run = b->run,
                                    .viscosity = def_viscosity(&b->asset->def),
                                    .tension = l->surface_tension,
                                    .adhesion = l->adhesion,
                                    .vorticity = l->vorticity,
                                    .slips = l->slips,
                                    .group = b->contact.group,
                                    .mask = b->contact.mask,
                                    .pressure = b->pressure,
                                    .drawn = b->drawn});
    }
    if (!first) return PLIANT_OK;
    s->spacing = body_spacing(first);
    s->set.classic = first->asset->def.liquid.classic;
    s->scalar_bytes = first->s.scalar_bytes;
    s->lanes = world->def.lanes;
    world->flowing.remote = first->remote != NULL;
    return PLIANT_OK;
}

pliant_result world_prepare_liquids(pliant_world* world, double h, bool* out_any)
{
    fluid_system* s = &world->flowing.system;
    uint64_t who = HASH_SEED;
    *out_any = world->flowing.remote = false;
    if (world->liquid_count == 0) return PLIANT_OK;
    if (!fluid_start(s, world->liquid_count)) return PLIANT_ERROR_MEMORY;
    pliant_result result = add_all(world, &who);
    if (result) return result;
    if (who != world->flowing.who) world->flowing.anew = true;
    if (world->flowing.anew) s->listed = false;
    if (!world->flowing.remote) world->flowing.anew = false;
    world->flowing.who = who;
    choose_sweeps(world, h, s);
    if (s->member_count > 0) result = world_immerse_bodies(world);
    if (result) return result;
    *out_any = s->member_count > 0;
    return world_prepare_gases(world, h);
}

pliant_result world_describe_liquids(pliant_world* world)
{
    pliant_result result = PLIANT_OK;
    if (!world->flowing.there) result = device_add_liquids(*world->gpu, &world->flowing.there);
    if (!result)
        result = device_describe_liquids(*world->gpu, world->flowing.there, &world->flowing.system,
                                         world->flowing.copy, world->flowing.anew);
    if (!result) world->flowing.anew = false;
    return result;
}

pliant_result world_liquid_figures(const pliant_world* world, fluid_figures* out)
{
    *out = world->flowing.system.figures;
    if (!world->flowing.there) return PLIANT_OK;
    return device_read_liquids(*world->gpu, world->flowing.there, out);
}

pliant_result pliant_body_read_pressures(const pliant_world* world, pliant_body_id id, float* out,
                                         int capacity)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(capacity >= 0 && (out || capacity == 0))) return PLIANT_ERROR_ARGUMENT;
    if (!body_fetch(world, b, STATE_PRESSURES)) return PLIANT_ERROR_DEVICE;
    int count = b->s.particle_count < capacity ? b->s.particle_count : capacity;
    for (int i = 0; i < count; ++i) {
        double drawn = b->drawn ? b->drawn[i] : 0;
        out[i] = 0;
        if (b->pressure && body_has(b, i))
            out[i] = (float)(FLUID_PRESSURE * b->pressure[i] + drawn);
    }
    return PLIANT_OK;
}

pliant_liquid_stats pliant_world_liquid_stats(const pliant_world* world)
{
    if (!REQUIRE(world) || world->liquid_count == 0) return (pliant_liquid_stats){0};
    return world->flowing.system.stats;
}
