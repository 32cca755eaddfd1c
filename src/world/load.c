#include "world/load.h"
#include "world/residency.h"
#include <string.h>

static size_t load_bytes(const body* b, int count)
{
    return (size_t)count * (size_t)b->s.row_count * LOAD * (size_t)b->s.scalar_bytes;
}

void body_release_loads(pliant_world* world, body* b)
{
    if (b->remote) device_reserve_loads(*world->gpu, b->remote, 0);
    mem_free(b->load);
    b->load = NULL;
    b->load_bytes = 0;
    b->load_count = 0;
}

// A body on a device has them there, and room here for who reads them.
bool body_reserve_loads(pliant_world* world, body* b)
{
    size_t bytes = load_bytes(b, world->load_count);
    b->loads_there = b->remote != NULL && bytes > 0;
    b->load_count = world->load_count;
    if (bytes == b->load_bytes) return true;
    body_release_loads(world, b);
    world_change_bodies(world);
    if (bytes == 0) return true;
    b->load = mem_array_zero(bytes, 1);
    if (!b->load) return false;
    b->load_bytes = bytes;
    b->load_count = world->load_count;
    return !b->remote || device_reserve_loads(*world->gpu, b->remote, bytes) == PLIANT_OK;
}

void world_forget_loads(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && b->load_bytes) memset(b->load, 0, b->load_bytes);
        if (b) b->loads_there = b->holders_there = false;
        for (int k = 0; b && k < b->holder_count; ++k)
            memset(b->holders[k].force, 0, sizeof b->holders[k].force);
    }
}

static pliant_result fetch_loads(const pliant_world* world, body* b)
{
    if (!b->loads_there) return PLIANT_OK;
    pliant_result result = device_read_loads(*world->gpu, b->remote, b->load, b->load_bytes);
    if (!result) b->loads_there = false;
    return result;
}

static void add_loads(const body* b, int number, double force[3], double torque[3])
{
    const char* first =
        (const char*)b->load + (size_t)number * (b->load_bytes / (size_t)b->load_count);
    for (int i = 0; i < b->s.particle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            force[k] -= state_read(&b->s, first, LOAD, i, k);
            torque[k] -= state_read(&b->s, first, LOAD, i, LOAD_TORQUE + k);
        }
}

pliant_result pliant_collider_force(const pliant_world* world, pliant_collider_id id,
                                    double out_force[3], double out_torque[3])
{
    double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
    int number = world_find_collider(world, id);
    if (number < 0) return PLIANT_ERROR_ARGUMENT;
    const collider* c = &world->collider_list[number];
    if (c->load < 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the last step did not measure forces on this collider: set measure_force of "
                    "its definition, or call pliant_collider_measure_force before a step");
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b || b->failed || c->load >= b->load_count) continue;
        pliant_result result = fetch_loads(world, b);
        if (result) return result;
        add_loads(b, c->load, force, torque);
    }
    if (out_force) memcpy(out_force, force, sizeof force);
    if (out_torque) memcpy(out_torque, torque, sizeof torque);
    return PLIANT_OK;
}

pliant_result pliant_collider_measure_force(pliant_world* world, pliant_collider_id id,
                                            bool measured)
{
    int number = world_find_collider(world, id);
    if (number < 0) return PLIANT_ERROR_ARGUMENT;
    world_collider_at(world, number)->measured = measured;
    return PLIANT_OK;
}
