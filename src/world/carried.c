#include "world/carried.h"
#include "base/memory.h"
#include "contact/list.h"
#include <math.h>

// Of a world's step.
typedef struct {
    pliant_world* world;
    carrier* c;
    body* b;     // whose particles go,
    int first;   // the first of them among all
    double dt;   // [s]
    bool middle; // to the middle of the step, to look there; else on from where they were
} carrying;

static bool is_gas(const body* b) { return b && !b->failed && asset_is_gas(b->asset); }
static bool is_carried(const body* b) { return b && asset_is_carried(b->asset); }

static int count_of(const pliant_world* world, bool (*is)(const body*))
{
    int64_t count = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (is(b)) count += b->s.particle_count;
    }
    return (int)count;
}

// ---- the gas ------------------------------------------------------------------------------------

static grid_ball ball_at(const carrying* w, const body* b, int particle, const double place[3])
{
    const double* origin = w->world->flowing.system.origin;
    if (!body_has(b, particle)) return (grid_ball){0, 0, 0, -1};
    return (grid_ball){(float)(place[0] - origin[0]), (float)(place[1] - origin[1]),
                       (float)(place[2] - origin[2]), (float)(w->c->kernel.reach / 2)};
}

static void note_gas(carrying* w, const body* b, int first)
{
    for (int i = 0; i < b->s.particle_count; ++i) {
        double place[3], v[3];
        state_read_position(&b->s, i, place);
        state_read_velocity(&b->s, i, v);
        w->c->gas[first + i] = ball_at(w, b, i, place);
        float* flow = w->c->flow[first + i];
        for (int k = 0; k < 3; ++k) flow[k] = (float)v[k];
        flow[3] = b->temperature ? (float)(b->temperature[i] - b->asset->def.heat.ambient) : 0;
    }
}

static void note_gases(carrying* w)
{
    int first = 0;
    for (int i = 0; i < w->world->bodies.count; ++i) {
        const body* b = world_body_at(w->world, i);
        if (!is_gas(b)) continue;
        note_gas(w, b, first);
        first += b->s.particle_count;
    }
}

// ---- what is carried ----------------------------------------------------------------------------

// What is between particles of a gas goes with them, also where these are half as dense as at rest;
// what is outside goes with the air.
static void find_flow(const carrying* w, int particle, const double place[3], double out[3],
                      double* out_warmer)
{
    const float* found = w->c->found[w->first + particle];
    double inside = (double)found[0], open = fmax(0.5 - inside, 0), all = inside + open;
    double air[3] = {0, 0, 0};
    if (w->world->air.there && open > 0) wind_at(&w->world->air.field, w->world->time, place, air);
    for (int k = 0; k < 3; ++k) out[k] = ((double)found[1 + k] + open * air[k]) / all;
    *out_warmer = (double)found[4] / all;
}

static void look_where(void* work, int first, int last)
{
    const carrying* w = (const carrying*)work;
    for (int i = first; i < last; ++i) {
        double place[3];
        state_read_position(&w->b->s, i, place);
        w->c->place[w->first + i] = ball_at(w, w->b, i, place);
    }
}

// By the velocity in the middle of the way: vortices do not throw out what they carry.
static void go(void* work, int first, int last)
{
    const carrying* w = (const carrying*)work;
    for (int i = first; i < last; ++i) {
        double place[3], v[3], warmer, part = w->middle ? w->dt / 2 : w->dt;
        if (!body_has(w->b, i)) continue;
        state_read_position(&w->b->s, i, place);
        find_flow(w, i, place, v, &warmer);
        for (int k = 0; k < 3; ++k) place[k] += part * v[k];
        if (w->middle) {
            w->c->place[w->first + i] = ball_at(w, w->b, i, place);
            continue;
        }
        state_write_position(&w->b->s, i, place);
        state_write_velocity(&w->b->s, i, v);
        if (w->b->temperature) w->b->temperature[i] = w->b->asset->def.heat.ambient + warmer;
    }
}

static void each(carrying* w, split_fn* what)
{
    enum { GRAIN = 4096 };
    w->first = 0;
    for (int i = 0; i < w->world->bodies.count; ++i) {
        w->b = world_body_at(w->world, i);
        if (!is_carried(w->b)) continue;
        split_run(&w->world->exec, what, w, w->b->s.particle_count, GRAIN);
        w->first += w->b->s.particle_count;
    }
}

static pliant_result check_here(const pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (is_carried(b) && (b->remote || world->batch))
            return fail(PLIANT_ERROR_UNSUPPORTED,
                        "the particles of body %d are carried, and it is %s, where nothing is "
                        "carried yet: %s",
                        i, world->batch ? "in a batch of worlds" : "on a GPU",
                        world->batch ? "step its world by itself" : "use the backend cpu");
    }
    return PLIANT_OK;
}

pliant_result world_carry(pliant_world* world, double dt)
{
    carrier* c = &world->flowing.carrier;
    carrying w = {.world = world, .c = c, .dt = dt, .middle = true};
    if (world->carried_count == 0) return PLIANT_OK;
    if (check_here(world)) return PLIANT_ERROR_UNSUPPORTED;
    if (!carry_reserve(c, count_of(world, is_gas), count_of(world, is_carried)))
        return PLIANT_ERROR_MEMORY;
    c->kernel = fluid_kernel_of(world->flowing.system.spacing);
    c->run = carry_kernel_for(world->def.lanes);
    note_gases(&w);
    each(&w, look_where);
    if (!carry_find(c, &world->exec)) return PLIANT_ERROR_MEMORY;
    each(&w, go);
    w.middle = false;
    if (!carry_find(c, &world->exec)) return PLIANT_ERROR_MEMORY;
    each(&w, go);
    return PLIANT_OK;
}
