#include "world/heat.h"
#include "base/memory.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

bool body_create_heat(body* b)
{
    const pliant_soft_def* def = &b->asset->def;
    size_t count = (size_t)b->s.particle_count;
    bool warm = def->heat.temperature > 0 && (b->pressure || asset_is_carried(b->asset));
    bool spins = asset_is_gas(b->asset) && def->gas.swirl > 0;
    if (warm) b->temperature = (double*)mem_array_zero(count, sizeof(double));
    if (spins) b->spin = (double*)mem_array_zero(count, 3 * sizeof(double));
    if ((warm && !b->temperature) || (spins && !b->spin)) return false;
    for (int i = 0; i < (int)count; ++i)
        if (body_has(b, i)) body_enter_heat(b, i, 0);
    return true;
}

void body_destroy_heat(body* b)
{
    mem_free(b->temperature);
    mem_free(b->spin);
}

void body_enter_heat(body* b, int particle, double temperature)
{
    if (b->temperature)
        b->temperature[particle] = temperature > 0 ? temperature : b->asset->def.heat.temperature;
    body_forget_spin(b, particle);
}

void body_leave_heat(body* b, int particle)
{
    if (b->temperature) b->temperature[particle] = 0;
    if (b->spin) memset(b->spin + 3 * (size_t)particle, 0, 3 * sizeof(double));
}

void body_forget_spin(body* b, int particle)
{
    if (b->spin) b->spin[3 * (size_t)particle] = INFINITY;
}

// ---- before a step ------------------------------------------------------------------------------

static gas_member member_of(const pliant_world* world, const body* b)
{
    const pliant_soft_def* def = &b->asset->def;
    const pliant_vec3 g = world->def.gravity;
    const double gravity[3] = {(double)g.x, (double)g.y, (double)g.z};
    double density = b->asset->material[0].density;
    gas_member m = {.gas = def->gas,
                    .heat = def->heat,
                    .temperature = b->temperature,
                    .spin = b->spin,
                    .particle_mass = asset_ball_mass(b->asset, 0),
                    .density = world->air.there ? (double)world->air.field.def.density : density};
    for (int k = 0; k < 3; ++k) m.weight[k] = b->gravity_scale * gravity[k];
    return m;
}

// In the order in which liquids are told of them.
pliant_result world_prepare_gases(pliant_world* world, double h)
{
    fluid_system* fluid = &world->flowing.system;
    gas_system* s = &world->flowing.gas;
    bool any = false;
    fluid->flow = NULL;
    for (int i = 0; i < world->bodies.count && !any; ++i) {
        const body* b = world_body_at(world, i);
        any = b && b->pressure && !b->failed && (b->temperature || asset_is_gas(b->asset));
    }
    if (!any) return PLIANT_OK;
    if (!gas_start(s, fluid->member_count)) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (!b || !b->pressure || b->failed) continue;
        gas_member m = member_of(world, b);
        gas_add(s, &m);
    }
    gas_prepare(s, h, fluid->spacing);
    s->wind = world->air.there ? &world->air.field : NULL;
    s->time = world->time;
    fluid->flow = gas_flow;
    fluid->flowing = s;
    return PLIANT_OK;
}

// ---- reading and writing ------------------------------------------------------------------------

static int to_read(const body* b, int capacity)
{
    return b->s.particle_count < capacity ? b->s.particle_count : capacity;
}

pliant_result pliant_body_read_temperatures(const pliant_world* world, pliant_body_id id,
                                            float* out, int capacity)
{
    const body* b = world_body(world, id);
    if (!b || !REQUIRE(capacity >= 0 && (out || capacity == 0))) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < to_read(b, capacity); ++i)
        out[i] = b->temperature ? (float)b->temperature[i] : 0;
    return PLIANT_OK;
}

pliant_result pliant_body_write_temperatures(pliant_world* world, pliant_body_id id,
                                             const float* temperatures, int count)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(count >= 0 && (temperatures || count == 0))) return PLIANT_ERROR_ARGUMENT;
    if (!b->temperature)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the body knows no heat: its definition needs a temperature (heat)");
    count = to_read(b, count);
    for (int i = 0; i < count; ++i)
        if (body_has(b, i) && !(temperatures[i] > 0 && isfinite(temperatures[i])))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "the temperature of particle %d is %g K: above 0 is needed", i,
                        (double)temperatures[i]);
    for (int i = 0; i < count; ++i)
        if (body_has(b, i)) b->temperature[i] = (double)temperatures[i];
    return PLIANT_OK;
}

pliant_result pliant_body_read_swirls(const pliant_world* world, pliant_body_id id,
                                      pliant_vec3* out, int capacity)
{
    const body* b = world_body(world, id);
    if (!b || !REQUIRE(capacity >= 0 && (out || capacity == 0))) return PLIANT_ERROR_ARGUMENT;
    for (int i = 0; i < to_read(b, capacity); ++i) {
        const double* s = b->spin + 3 * (size_t)i;
        bool known = b->spin && isfinite(s[0]);
        out[i] =
            known ? (pliant_vec3){(float)s[0], (float)s[1], (float)s[2]} : (pliant_vec3){0, 0, 0};
    }
    return PLIANT_OK;
}
