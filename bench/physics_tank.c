#include "bench/physics_tank.h"
#include "base/memory.h"
#include "base/random.h"
#include <math.h>

int tank_all(const double size[3], const double at[3])
{
    (void)size;
    (void)at;
    return 0;
}

tank_def tank_defaults(const double size[3], double spacing, int substeps)
{
    tank_def def = {.size = {size[0], size[1], size[2]},
                    .gravity = 9.81,
                    .substeps = substeps,
                    .fill = tank_all,
                    .density = {1000, 1000}};
    def.liquid = pliant_soft_defaults().liquid;
    def.liquid.spacing = spacing;
    return def;
}

// ---- walls --------------------------------------------------------------------------------------

static pliant_result add_wall(pliant_world* world, const tank_def* of, int axis, bool far,
                              pliant_collider_id* out)
{
    pliant_collider_def def = pliant_collider_defaults();
    double place[3] = {of->size[0] / 2, of->size[1] / 2, of->size[2] / 2};
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = (pliant_vec3){10, 10, 10};
    def.measure_force = axis == 1;
    place[axis] = far ? of->size[axis] + 10 : -10;
    for (int k = 0; k < 3; ++k) def.position[k] = place[k];
    return pliant_world_add_collider(world, &def, out);
}

static pliant_result add_walls(tank* t, const tank_def* def)
{
    // Their order is a part of the case: each counts for what those before it have not filled.
    static const struct {
        int axis;
        bool far;
    } wall[] = {{1, false}, {0, true}, {0, false}, {2, true}, {2, false}, {1, true}};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 6 && !result; ++i) {
        pliant_collider_id made = {0, 0};
        if (def->open[wall[i].axis] || (i == 5 && !def->lid)) continue;
        result = add_wall(t->world, def, wall[i].axis, wall[i].far, &made);
        if (i == 0) t->floor = made;
        if (i == 1) t->gate = made;
    }
    return result;
}

// ---- liquids ------------------------------------------------------------------------------------

// The places of one of them; returns how many.
static int place_all(const tank_def* def, int kind, double* out)
{
    const double pitch = def->pitch > 0 ? def->pitch : def->liquid.spacing;
    random_source random = {7};
    const double high = def->high > 0 ? def->high : def->size[1];
    int nx = (int)(def->size[0] / pitch + 0.5), ny = (int)(high / pitch + 0.5),
        nz = (int)(def->size[2] / pitch + 0.5), count = 0;
    for (int i = 0; i < nx * ny * nz; ++i) {
        const double at[3] = {pitch * (i % nx + 0.5), pitch * (i / nx % ny + 0.5),
                              pitch * (i / nx / ny + 0.5)};
        if (def->fill(def->size, at) != kind) continue;
        for (int k = 0; k < 3 && out; ++k)
            out[3 * count + k] = at[k] + random_range(&random, -def->uneven, def->uneven);
        count++;
    }
    return count;
}

static pliant_result add_liquid(tank* t, const tank_def* def, int kind)
{
    int count = place_all(def, kind, NULL);
    if (count == 0) return PLIANT_OK;
    double* x = (double*)mem_array(3 * (size_t)count, sizeof(double));
    if (!x) return PLIANT_ERROR_MEMORY;
    place_all(def, kind, x);
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = count};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def body = pliant_body_defaults();
    soft.liquid = def->liquid;
    soft.material.density = def->density[kind];
    pliant_result result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = pliant_world_add_soft(t->world, mesh, &soft, &body, &t->body[kind]);
    pliant_mesh_destroy(mesh);
    mem_free(x);
    t->count[kind] = count;
    t->total += count;
    return result;
}

static pliant_result add_room(tank* t)
{
    size_t count = (size_t)t->total + 1;
    t->at = (pliant_vec3*)mem_array(count, sizeof *t->at);
    t->velocity = (pliant_vec3*)mem_array(count, sizeof *t->velocity);
    t->pressure = (float*)mem_array(count, sizeof *t->pressure);
    return t->at && t->velocity && t->pressure ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

pliant_result tank_open(const tank_def* def, tank* out)
{
    pliant_world_def world = pliant_world_defaults();
    world.substeps = def->substeps;
    world.threads = 1;
    *out = (tank){.spacing = def->liquid.spacing};
    pliant_result result = pliant_world_create(&world, &out->world);
    if (result) return result;
    pliant_world_set_gravity(out->world, (pliant_vec3){0, (float)-def->gravity, 0});
    result = add_walls(out, def);
    for (int kind = 0; kind < 2 && !result; ++kind) result = add_liquid(out, def, kind);
    return result ? result : add_room(out);
}

void tank_close(tank* t)
{
    if (t->world) pliant_world_destroy(t->world);
    mem_free(t->at);
    mem_free(t->velocity);
    mem_free(t->pressure);
}

// ---- runs ---------------------------------------------------------------------------------------

pliant_result tank_step(tank* t, float dt)
{
    pliant_result result = pliant_world_step(t->world, dt);
    for (int b = 0, first = 0; b < 2 && !result; first += t->count[b++])
        if (t->count[b])
            result = pliant_body_read_positions(t->world, t->body[b], t->at + first, t->count[b]);
    return result;
}

pliant_result tank_read_velocities(tank* t)
{
    pliant_result result = PLIANT_OK;
    for (int b = 0, first = 0; b < 2 && !result; first += t->count[b++])
        if (t->count[b])
            result =
                pliant_body_read_velocities(t->world, t->body[b], t->velocity + first, t->count[b]);
    return result;
}

pliant_result tank_write_velocities(tank* t)
{
    pliant_result result = PLIANT_OK;
    for (int b = 0, first = 0; b < 2 && !result; first += t->count[b++])
        if (t->count[b])
            result = pliant_body_write_velocities(t->world, t->body[b], t->velocity + first,
                                                  t->count[b]);
    return result;
}

pliant_result tank_read_pressures(tank* t)
{
    pliant_result result = PLIANT_OK;
    for (int b = 0, first = 0; b < 2 && !result; first += t->count[b++])
        if (t->count[b])
            result =
                pliant_body_read_pressures(t->world, t->body[b], t->pressure + first, t->count[b]);
    return result;
}
