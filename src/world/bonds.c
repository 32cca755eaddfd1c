// Bonds of bodies that tear: what a step is told of them, and what it leaves.
#include "base/hash.h"
#include "world/joints.h"
#include "world/tearing.h"
#include <string.h>

void body_add_bond(body* b, int particle, int twin, double force, double energy)
{
    body_tear* t = b->tear;
    if (!(energy > 0) || !(force > 0)) return;
    t->bond[t->bond_count++] = (tear_bond){{particle, twin}, force, 2 * energy / force, 0, 0};
}

static int count_bonds(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (b && b->tear) count += b->tear->bond_count;
    }
    return count;
}

static uint64_t key_of(int slot, int particle) { return (uint64_t)slot << 32 | (uint32_t)particle; }

// Keys of their particles, bond by bond.
static int list_keys(const pliant_world* world, bond_system* s)
{
    int keys = 0;
    s->count = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        for (int k = 0; b && b->tear && k < b->tear->bond_count; ++k) {
            tear_bond* t = &b->tear->bond[k];
            s->bond[s->count++] = (bond_state){.bond = t};
            for (int side = 0; side < 2; ++side) s->at.key[keys++] = key_of(i, t->particle[side]);
        }
    }
    return keys;
}

static void find_points(const pliant_world* world, bond_system* s)
{
    int at = 0;
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        for (int k = 0; b && b->tear && k < b->tear->bond_count; ++k, ++at)
            for (int side = 0; side < 2; ++side)
                s->bond[at].point[side] =
                    joint_system_point(&s->at, key_of(i, b->tear->bond[k].particle[side]));
    }
}

bool world_prepare_bonds(pliant_world* world, bool* out_any)
{
    bond_system* s = &world->bonds;
    int count = count_bonds(world);
    *out_any = count > 0;
    s->count = 0;
    if (count == 0) return true;
    if (!joint_system_reserve(&s->at, 0, 2 * count) ||
        !mem_reserve((void**)&s->bond, &s->capacity, count, sizeof *s->bond))
        return false;
    joint_system_number(&s->at, list_keys(world, s));
    s->at.set.count = s->at.set.body_count = 0;
    for (int i = 0; i < s->at.set.point_count; ++i) {
        world_enter_joint_point(world, &s->at, i);
        s->at.set.point[i].joints = 1;
    }
    find_points(world, s);
    world_tell_joint_points(world, &s->at);
    return true;
}

// Those that hold nothing any more go; what they took stays known.
static void finish_body(body_tear* t)
{
    int left = 0;
    for (int i = 0; i < t->bond_count; ++i) {
        if (bond_holds(&t->bond[i]))
            t->bond[left++] = t->bond[i];
        else
            t->spent += t->bond[i].spent;
    }
    t->bond_count = left;
}

void world_finish_bonds(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b && b->tear) finish_body(b->tear);
    }
}

double pliant_body_tear_energy(const pliant_world* world, pliant_body_id id)
{
    const body* b = world_body(world, id);
    double sum = b && b->tear ? b->tear->spent : 0;
    for (int i = 0; b && b->tear && i < b->tear->bond_count; ++i) sum += b->tear->bond[i].spent;
    return sum;
}

uint64_t tear_hash(const body* b, uint64_t hash)
{
    const body_tear* t = b->tear;
    hash = hash_bytes(hash, t->stars.corner, (size_t)t->stars.corner_count * sizeof(int));
    for (int i = 0; i < t->bond_count; ++i) {
        const tear_bond* k = &t->bond[i];
        const double numbers[] = {k->particle[0], k->particle[1], k->force,
                                  k->reach,       k->opening,     k->spent};
        hash = hash_bytes(hash, numbers, sizeof numbers);
    }
    return hash_bytes(hash, &t->spent, t->spent > 0 ? sizeof t->spent : 0);
}
