#include "world/air.h"
#include "base/cookie.h"
#include "world/checks.h"
#include <string.h>

// ---- what it can be told ------------------------------------------------------------------------

pliant_result pliant_world_set_air(pliant_world* world, const pliant_air_def* def)
{
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    if (!def) {
        world->air.there = false;
        return PLIANT_OK;
    }
    if (!REQUIRE_DEF(def, COOKIE_AIR)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_air_def(def);
    if (result) return result;
    world->air.there = true;
    world->air.field.def = *def;
    return PLIANT_OK;
}

pliant_result pliant_world_set_winds(pliant_world* world, const pliant_wind_def* winds, int count)
{
    if (!REQUIRE(world && count >= 0 && (winds || count == 0))) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < count; ++i) {
        if (!REQUIRE_DEF(&winds[i], COOKIE_WIND)) return PLIANT_ERROR_ARGUMENT;
        pliant_result result = check_wind_def(&winds[i]);
        if (result) return result;
    }
    if (!mem_reserve((void**)&world->air.winds, &world->air.wind_capacity, count, sizeof *winds))
        return PLIANT_ERROR_MEMORY;
    if (count) memcpy(world->air.winds, winds, (size_t)count * sizeof *winds);
    world->air.field.winds = world->air.winds;
    world->air.field.wind_count = count;
    return PLIANT_OK;
}

void pliant_world_set_wind_function(pliant_world* world, pliant_wind_fn* function, void* context)
{
    if (!REQUIRE(world)) return;
    world->air.function = function;
    world->air.context = context;
}

pliant_result pliant_body_set_air(pliant_world* world, pliant_body_id id,
                                  const pliant_airfoil_def* air)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(air)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = check_airfoil_def(air);
    if (result) return result;
    return body_set_airfoil(b, air) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- bodies -------------------------------------------------------------------------------------

static pliant_airfoil_def foil_of(const body* b)
{
    return b->air ? b->air->foil : pliant_body_defaults().air;
}

// Most bodies never need it: they stay small.
static bool make_air(body* b)
{
    if (b->air) return true;
    pliant_airfoil_def foil = foil_of(b);
    b->air = (body_air*)mem_alloc_zero(sizeof *b->air);
    if (b->air) b->air->foil = foil;
    return b->air != NULL;
}

bool body_set_airfoil(body* b, const pliant_airfoil_def* foil)
{
    pliant_airfoil_def now = foil_of(b);
    if (memcmp(&now, foil, sizeof now) == 0) return true;
    if (!make_air(b)) return false;
    b->air->foil = *foil;
    return true;
}

void body_forget_surface(body* b)
{
    if (!b->air) return;
    air_skin_destroy(b->air->skin);
    b->air->skin = NULL;
}

void body_release_air(body* b)
{
    body_forget_surface(b);
    mem_free(b->air);
}

void world_release_air(pliant_world* world)
{
    mem_free(world->air.winds);
    mem_free(world->air.place);
    air_system_destroy(&world->air.system);
    air_system_destroy(&world->air.remote);
    mem_free(world->air.copy);
}

// ---- before a step ------------------------------------------------------------------------------

static bool feels_air(const body* b)
{
    if (asset_is_gas(b->asset) || asset_is_carried(b->asset)) return false; // (gas/, carried.h)
    return !b->failed && foil_of(b).exposure > 0 && !b->asset->clusters.count;
}

// When none is given, that of its shape.
static double drag_of(const pliant_airfoil_def* foil, const contact_surface* surface)
{
    static const double of_sheet = 1.2, of_rope = 1.1, of_ball = 0.47;
    if (foil->drag > 0) return (double)foil->drag;
    return surface->loose ? of_ball : surface->rope ? of_rope : of_sheet;
}

static air_rules rules_of(const pliant_world* world, const body_air* a, double dt, int substeps)
{
    const pliant_airfoil_def* f = &a->foil;
    return (air_rules){{drag_of(f, a->skin->surface), (double)f->lift, (double)f->friction},
                       (double)world->air.field.def.density * (double)f->exposure,
                       dt / substeps,
                       substeps};
}

static bool make_skin(body* b)
{
    const contact_surface* surface = asset_surface(b->asset);
    if (!surface || !make_air(b)) return false;
    if (!b->air->skin)
        b->air->skin = air_skin_create(surface, &b->s, 2 * (double)b->asset->def.rope.radius,
                                       b->rigid != NULL);
    return b->air->skin != NULL;
}

static bool add_body(pliant_world* world, body* b, double dt, int substeps)
{
    if (!make_skin(b)) return false;
    body_air* a = b->air;
    air_system* s = b->remote ? &world->air.remote : &world->air.system;
    if (b->remote)
        world->air.copy[s->member_count] = b->remote;
    else
        air_skin_start(a->skin, &b->s);
    b->run->work.air = a->skin->pushed;
    a->step = world->step_count + 1;
    a->newer_there = b->remote != NULL;
    return air_system_add(s, (air_member){b->run, a->skin, rules_of(world, a, dt, substeps)});
}

// The caller's wind, on the thread that steps.
static bool add_function(pliant_world* world, const air_member* m, double time)
{
    const contact_surface* of = m->skin->surface;
    if (!mem_reserve((void**)&world->air.place, &world->air.place_capacity, of->point_count,
                     3 * sizeof(double)))
        return false;
    for (int i = 0; i < of->point_count; ++i)
        state_read_position(m->run->s, of->particle[i], world->air.place + 3 * (size_t)i);
    world->air.function(time, of->point_count, world->air.place, m->skin->wind, world->air.context);
    return true;
}

// INFINITY where some wind is no number.
static double fastest_of(const air_system* s)
{
    double most = 0;
    for (int i = 0; i < s->member_count; ++i) {
        const air_skin* a = s->member[i].skin;
        for (int p = 0; p < a->surface->point_count; ++p) {
            const double* v = a->wind + 3 * (size_t)p;
            double square = air_dot(v, v);
            most = square >= 0 ? fmax(most, square) : INFINITY;
        }
    }
    return sqrt(most);
}

static pliant_result find_wind(pliant_world* world, double dt)
{
    air_system* s = &world->air.system;
    double time = world->time + dt / 2;
    air_system_find_wind(s, &world->exec, &world->air.field, time);
    for (int i = 0; i < s->member_count && world->air.function; ++i)
        if (!add_function(world, &s->member[i], time)) return PLIANT_ERROR_MEMORY;
    world->air.fastest = fastest_of(s);
    world->air.remote.field = &world->air.field;
    world->air.remote.time = time;
    if (world->air.remote.member_count > 0)
        world->air.fastest = fmax(world->air.fastest, wind_bound(&world->air.field));
    if (isfinite(world->air.fastest)) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the wind is not finite at time %g s: look at what the wind function adds", time);
}

pliant_result world_prepare_air(pliant_world* world, double dt, int substeps, bool* out_any,
                                bool* out_there)
{
    const int most = world->bodies.count;
    *out_any = *out_there = false;
    world->air.fastest = 0;
    if (!world->air.there) return PLIANT_OK;
    if (!air_system_start(&world->air.system, most) ||
        !air_system_start(&world->air.remote, most) ||
        !mem_reserve((void**)&world->air.copy, &world->air.copy_capacity, most,
                     sizeof(device_copy*)))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || !feels_air(b)) continue;
        if (b->remote && world->air.function)
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "body %d is stepped by a GPU, which cannot call a wind function: use the "
                        "backend cpu, or winds of the world (pliant_world_set_winds)",
                        i);
        if (!add_body(world, b, dt, substeps)) return PLIANT_ERROR_MEMORY;
    }
    *out_any = world->air.system.member_count > 0;
    *out_there = world->air.remote.member_count > 0;
    return *out_any || *out_there ? find_wind(world, dt) : PLIANT_OK;
}

pliant_result world_describe_air(pliant_world* world)
{
    world->air.there_told = (device_airs){&world->air.remote, world->air.copy};
    return device_describe_air(*world->gpu, &world->air.there_told);
}

// ---- what it did --------------------------------------------------------------------------------

static bool has_felt(const pliant_world* world, const body* b)
{
    return b->air && b->air->skin && b->air->step == world->step_count && world->step_count > 0;
}

// Readers may be several threads: one brings what all see.
static pliant_result fetch(const pliant_world* world, const body* b)
{
    pliant_result result = PLIANT_OK;
    if (!has_felt(world, b) || !b->air->newer_there || !b->remote) return PLIANT_OK;
    platform_mutex_lock(world->reading);
    if (b->air->newer_there) result = device_fetch_air(*world->gpu, b->remote, b->air->skin);
    if (!result) b->air->newer_there = false;
    platform_mutex_unlock(world->reading);
    return result;
}

void body_air_force(const pliant_world* world, const body* b, int particle, double out[3])
{
    fetch(world, b); // what cannot be read is as it was
    int point = has_felt(world, b) ? b->air->skin->point[particle] : -1;
    for (int k = 0; k < 3; ++k)
        out[k] = point < 0 ? 0 : b->air->skin->mean[3 * (size_t)point + (size_t)k];
}

pliant_result pliant_body_air(const pliant_world* world, pliant_body_id id, pliant_air_load* out)
{
    const body* b = world_body(world, id);
    if (!b || !REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    if (!has_felt(world, b)) return PLIANT_OK;
    pliant_result result = fetch(world, b);
    if (result) return result;
    memcpy(out->force, b->air->skin->total.force, sizeof out->force);
    memcpy(out->torque, b->air->skin->total.torque, sizeof out->torque);
    out->power = b->air->skin->total.power;
    return PLIANT_OK;
}

pliant_result pliant_world_wind_at(const pliant_world* world, const double point[3], double out[3])
{
    if (!REQUIRE(world && point && out)) return PLIANT_ERROR_ARGUMENT;
    memset(out, 0, 3 * sizeof *out);
    if (!world->air.there) return PLIANT_OK;
    wind_at(&world->air.field, world->time, point, out);
    if (world->air.function) world->air.function(world->time, 1, point, out, world->air.context);
    return PLIANT_OK;
}
