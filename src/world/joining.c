// What a step is told of the joints, and what it leaves.
#include "base/hash.h"
#include "base/platform.h"
#include "base/sort.h"
#include "world/contacts.h"
#include "world/joints.h"
#include <math.h>
#include <string.h>

static body* body_at(const pliant_world* world, const pliant_joint_point* p)
{
    return world_body_at(world, (int)p->body.index1 - 1);
}

// ---- the system ---------------------------------------------------------------------------------

static uint64_t key_of(const pliant_joint_point* p, int i)
{
    return (uint64_t)(p->body.index1 - 1) << 32 | (uint32_t)p->particle[i];
}

// Joints are where their bodies are: on the CPU or on a GPU; those with rigid sides (links.c) on
// the CPU.
static bool is_there(const pliant_world* world, const joint_slot* j)
{
    return !j->link && body_at(world, &j->point[0])->remote != NULL;
}

// A joint that holds its bodies, on that side; or NULL.
static joint_slot* whole_joint(const pliant_world* world, int i, bool there)
{
    joint_slot* j = world_joint_at(world, i);
    return j && !j->link && !j->broken && is_there(world, j) == there ? j : NULL;
}

static int count_whole(const pliant_world* world, bool there)
{
    int count = 0;
    for (int i = 0; i < world->joints.count; ++i) count += whole_joint(world, i, there) != NULL;
    return count;
}

static bool has_jumped(const pliant_world* world, const joint_slot* j)
{
    bool jumped = false;
    for (int side = 0; side < 2; ++side)
        jumped = jumped || j->moves[side] != body_at(world, &j->point[side])->moves;
    return jumped;
}

static void enter_joint(const joint_system* s, const joint_slot* from, joint_state* to)
{
    *to = (joint_state){.compliance = from->compliance, .breaking_force = from->breaking_force};
    memcpy(to->lambda, from->lambda, sizeof to->lambda);
    memcpy(to->rest, from->rest, sizeof to->rest);
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < from->point[side].count; ++i) {
            to->weight[to->count] = (side ? -1 : 1) * from->point[side].share[i];
            to->point[to->count++] = joint_system_point(s, key_of(&from->point[side], i));
        }
}

// Keys of all particles of all joints; how many.
static int list_keys(const pliant_world* world, bool there, joint_system* s)
{
    int keys = 0;
    s->set.count = 0;
    for (int i = 0; i < world->joints.count; ++i) {
        const joint_slot* j = whole_joint(world, i, there);
        if (!j) continue;
        s->slot[s->set.count++] = i;
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < j->point[side].count; ++k)
                s->key[keys++] = key_of(&j->point[side], k);
    }
    return keys;
}

static int slot_of_point(const joint_system* s, int point) { return (int)(s->key[point] >> 32); }

void world_enter_joint_point(const pliant_world* world, joint_system* s, int i)
{
    const body* b = world_body_at(world, slot_of_point(s, i));
    const copies* c = &b->s.plan->copies;
    int particle = (int)(s->key[i] & UINT32_MAX);
    if (i == 0 || slot_of_point(s, i) != slot_of_point(s, i - 1)) s->set.body_count++;
    s->set.row[i] = (joint_row){.body = s->set.body_count - 1,
                                .row = plan_row(b->s.plan, particle, 0),
                                .copy = c->start ? c->row + c->start[particle] : NULL,
                                .copies = plan_copy_count(b->s.plan, particle)};
    s->set.scalar_bytes = b->s.scalar_bytes;
}

// The system has the joints of one side, as their slots say.
static bool enter_all(const pliant_world* world, bool there, joint_system* s)
{
    int count = count_whole(world, there);
    if (!joint_system_reserve(s, count, JOINT_PARTICLES * count)) return false;
    joint_system_number(s, list_keys(world, there, s));
    s->set.body_count = 0;
    for (int i = 0; i < s->set.point_count; ++i) world_enter_joint_point(world, s, i);
    for (int i = 0; i < s->set.count; ++i)
        enter_joint(s, world_joint_at(world, s->slot[i]), &s->set.joint[i]);
    joint_system_link(s);
    return true;
}

void world_tell_joint_points(const pliant_world* world, joint_system* s)
{
    for (int i = 0; i < s->set.point_count; ++i) {
        body_run* run = world_body_at(world, slot_of_point(s, i))->run;
        s->body[s->set.row[i].body] = run;
        run->meets = true;
    }
}

// What the step at hand adds to that.
static void tell_step(pliant_world* world, double h, joint_system* s)
{
    s->exec = &world->exec;
    s->h = h;
    s->set.close_speed = (double)world->def.exit_speed;
    world_tell_joint_points(world, s);
    for (int i = 0; i < s->set.count; ++i)
        s->set.joint[i].jumped = has_jumped(world, world_joint_at(world, s->slot[i]));
}

// ---- points that are no contacts ----------------------------------------------------------------

static const contact_body* contact_body_at(const pliant_world* world, const pliant_joint_point* p)
{
    const contact_system* s = &world->contacts;
    for (int i = 0; i < s->set.first_collider; ++i)
        if (s->set.body[i].slot == (int)p->body.index1 - 1) return &s->set.body[i];
    return NULL;
}

// The point of a particle; -1 for one that is not on the surface.
static int point_of(const contact_body* b, int particle)
{
    for (int i = 0; i < b->surface->point_count; ++i)
        if (b->surface->particle[i] == particle) return i;
    return -1;
}

// Pairs as they come, and whose they are.
typedef struct {
    uint64_t* pair;
    int* owner;
    int count, pair_capacity, owner_capacity;
    int joint; // the one at hand
} joined_list;

static bool add_pair(joined_list* out, int a, int b)
{
    if (!mem_reserve((void**)&out->pair, &out->pair_capacity, (int64_t)out->count + 1,
                     sizeof *out->pair) ||
        !mem_reserve((void**)&out->owner, &out->owner_capacity, (int64_t)out->count + 1,
                     sizeof *out->owner))
        return false;
    out->owner[out->count] = out->joint;
    out->pair[out->count++] = joined_key(a, b);
    return true;
}

// A point of one side with one of the other, and with all neighbors of that.
static bool add_pairs(joined_list* out, const contact_body* a, int point, const contact_body* b,
                      int other)
{
    const contact_surface* of = b->surface;
    int first = a->first_point + point;
    bool good = add_pair(out, first, b->first_point + other);
    for (int i = of->neighbor_start[other]; i < of->neighbor_start[other + 1] && good; ++i)
        good = add_pair(out, first, b->first_point + of->neighbor[i]);
    return good;
}

static bool list_joint(const pliant_world* world, const joint_slot* j, joined_list* out)
{
    const contact_body *a = contact_body_at(world, &j->point[0]),
                       *b = contact_body_at(world, &j->point[1]);
    bool good = true;
    for (int i = 0; a && b && i < j->point[0].count; ++i)
        for (int k = 0; k < j->point[1].count && good; ++k) {
            int p = point_of(a, j->point[0].particle[i]), q = point_of(b, j->point[1].particle[k]);
            if (p < 0 || q < 0) continue;
            good = add_pairs(out, a, p, b, q) && add_pairs(out, b, q, a, p);
        }
    return good;
}

static bool list_each(const pliant_world* world, joined_list* out)
{
    int number[2] = {0, 0}; // of joints on the CPU, on a GPU
    for (int i = 0; world->contacts.numbered && i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        if (!j || j->broken) continue;
        out->joint = j->link ? -1 : number[is_there(world, j)]++;
        if (!list_joint(world, j, out)) return false;
    }
    return true;
}

static int place_of_pair(const joined_points* j, uint64_t pair)
{
    int low = 0, high = j->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (j->pair[middle] < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Each pair once, in their order, with its owners.
static void sort_joined(const joined_list* from, joined_points* out)
{
    memcpy(out->pair, from->pair, (size_t)from->count * sizeof *out->pair);
    sort_keys(out->pair, from->count);
    out->count = 0;
    for (int i = 0; i < from->count; ++i)
        if (i == 0 || out->pair[i] != out->pair[i - 1]) out->pair[out->count++] = out->pair[i];
    for (int i = 0; i < out->count + 2; ++i) out->start[i] = 0;
    for (int i = 0; i < from->count; ++i) out->start[place_of_pair(out, from->pair[i]) + 2]++;
    for (int i = 0; i < out->count; ++i) out->start[i + 2] += out->start[i + 1];
    for (int i = 0; i < from->count; ++i)
        out->owner[out->start[place_of_pair(out, from->pair[i]) + 1]++] = from->owner[i];
    out->owner_count = from->count;
}

static bool make_joined(const joined_list* from, joined_points* out)
{
    size_t count = (size_t)from->count;
    joined_points_destroy(out);
    if (count == 0) return true;
    out->pair = (uint64_t*)mem_array(count, sizeof *out->pair);
    out->start = (int*)mem_array(count + 2, sizeof *out->start);
    out->owner = (int*)mem_array(count, sizeof *out->owner);
    if (out->pair && out->start && out->owner) sort_joined(from, out);
    return out->pair && out->start && out->owner;
}

void joined_points_destroy(joined_points* j)
{
    mem_free(j->pair);
    mem_free(j->start);
    mem_free(j->owner);
    memset(j, 0, sizeof *j);
}

// Of the joints and of the numbers that contacts have for points. Never 0.
static uint64_t hash_of_joined(const pliant_world* world)
{
    uint64_t hash = hash_mix(HASH_SEED, world->joint_changes);
    for (int i = 0; i < world->contacts.set.body_count; ++i) {
        const contact_body* b = &world->contacts.set.body[i];
        hash = hash_mix(hash_mix(hash, (uint64_t)b->slot), b->born);
        hash = hash_mix(hash, (uint64_t)b->first_point);
    }
    return hash | 1;
}

static bool list_joined(pliant_world* world)
{
    joined_points* out = &world->joined;
    joined_list each = {0};
    uint64_t hash = hash_of_joined(world);
    if (out->known == hash) return true;
    bool good = list_each(world, &each) && make_joined(&each, out);
    mem_free(each.pair);
    mem_free(each.owner);
    if (good)
        out->known = hash;
    else
        joined_points_destroy(out);
    return good;
}

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double fastest_of(const body* b, double dt)
{
    double most = 0;
    for (int i = 0; i < b->s.particle_count; ++i) {
        double v[3];
        state_read_velocity(&b->s, i, v);
        most = fmax(most, length(v));
    }
    for (int i = 0; i < b->mover_count; ++i) {
        const path* m = &b->movers[i];
        const double way[3] = {m->to[0] - m->from[0], m->to[1] - m->from[1], m->to[2] - m->from[2]};
        most = fmax(most, length(way) / dt);
    }
    return most;
}

double world_fastest_joined(const pliant_world* world, double dt)
{
    double most = 0;
    for (int i = 0; i < world->bodies.count && world->joints.count; ++i) {
        const body* b = world_body_at(world, i);
        if (b && b->joint_count && !b->remote) most = fmax(most, fastest_of(b, dt));
    }
    return most;
}

// ---- on a GPU -----------------------------------------------------------------------------------

// As a step left it.
static void take_joint(joint_slot* j, const joint_state* from)
{
    memcpy(j->lambda, from->lambda, sizeof j->lambda);
    memcpy(j->rest, from->rest, sizeof j->rest);
    memcpy(j->force, from->force, sizeof j->force);
    j->broken = from->broken;
}

static void take_all(pliant_world* world, const joint_system* s)
{
    for (int i = 0; i < s->set.count; ++i) {
        joint_slot* j = world_joint_at(world, s->slot[i]);
        take_joint(j, &s->set.joint[i]);
        if (j->broken) world->joint_changes++;
    }
}

pliant_result world_fetch_joints(const pliant_world* world)
{
    pliant_world* w = (pliant_world*)world;
    pliant_result result = PLIANT_OK;
    if (!w->remote_joints.newer_there) return PLIANT_OK;
    platform_mutex_lock(w->reading);
    if (w->remote_joints.newer_there) {
        joint_system* s = &w->remote_joints.told;
        result = device_read_joints(*w->gpu, w->remote_joints.system, s->set.joint);
        if (!result) take_all(w, s);
        if (!result) w->remote_joints.newer_there = false;
    }
    platform_mutex_unlock(w->reading);
    return result;
}

void world_forget_joints(pliant_world* world)
{
    world->remote_joints.newer_there = false;
    world->remote_joints.known = 0;
}

// Of the joints and bodies that there are. Never 0.
static uint64_t hash_of_changes(const pliant_world* world)
{
    return hash_mix(hash_mix(HASH_SEED, world->joint_changes), world->body_changes) | 1;
}

static bool reserve_copies(pliant_world* world, int bodies)
{
    return mem_reserve((void**)&world->remote_joints.copy, &world->remote_joints.copy_capacity,
                       bodies, sizeof(device_copy*));
}

// The GPU has the joints that there are.
static pliant_result renew_remote(pliant_world* world)
{
    joint_system* s = &world->remote_joints.told;
    pliant_result result = PLIANT_OK;
    if (world->remote_joints.known == hash_of_changes(world)) return PLIANT_OK;
    world->remote_joints.known = 0;
    if (!enter_all(world, true, s) || !reserve_copies(world, s->set.body_count))
        return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < s->set.point_count; ++i)
        world->remote_joints.copy[s->set.row[i].body] =
            world_body_at(world, slot_of_point(s, i))->remote;
    if (s->set.count == 0) return PLIANT_OK;
    if (!world->remote_joints.system)
        result = device_add_joints(*world->gpu, &world->remote_joints.system);
    if (!result)
        result = device_describe_joints(*world->gpu, world->remote_joints.system, s,
                                        world->remote_joints.copy);
    if (!result) world->remote_joints.known = hash_of_changes(world);
    return result;
}

void world_tell_joints(pliant_world* world) { joint_set_tell(&world->remote_joints.told); }

// ---- before and after a step --------------------------------------------------------------------

static pliant_result prepare_there(pliant_world* world, double h, bool* out_any)
{
    joint_system* s = &world->remote_joints.told;
    pliant_result result = renew_remote(world);
    *out_any = !result && s->set.count > 0;
    if (!*out_any) return result;
    tell_step(world, h, s);
    s->set.last_h = world->joining.last_h;
    world->joined.broken =
        world_meets_remotely(world) ? device_broken_joints(world->remote_joints.system) : NULL;
    return PLIANT_OK;
}

pliant_result world_prepare_joints(pliant_world* world, double h, bool* out_here, bool* out_there)
{
    *out_here = *out_there = false;
    world->joining.set.count = world->joining.set.point_count = 0;
    if (world->joints.count == 0) {
        world->remote_joints.told.set.body_count = 0; // their bodies may be gone
        return PLIANT_OK;
    }
    // What the list leaves out, the systems leave out, too.
    if (world->remote_joints.known != hash_of_changes(world)) {
        pliant_result result = world_fetch_joints(world);
        if (result) return result;
    }
    if (!list_joined(world)) return PLIANT_ERROR_MEMORY;
    if (world->census.here) {
        if (!enter_all(world, false, &world->joining)) return PLIANT_ERROR_MEMORY;
        *out_here = world->joining.set.count > 0;
        if (*out_here) tell_step(world, h, &world->joining);
    }
    return world->census.there ? prepare_there(world, h, out_there) : PLIANT_OK;
}

// What is on a GPU is known to who asks for it.
static void finish_there(pliant_world* world, double h)
{
    if (!world->census.there || world->remote_joints.told.set.count == 0) return;
    world->remote_joints.newer_there = true;
    world->joining.last_h = h;
}

void world_finish_joints(pliant_world* world)
{
    joint_system* s = &world->joining;
    for (int i = 0; i < world->joints.count; ++i) {
        joint_slot* j = world_joint_at(world, i);
        if (!j || j->link) continue;
        memset(j->force, 0, sizeof j->force);
        for (int k = 0; k < 2; ++k) // which the start of the next step adds
            j->moves[k] = body_at(world, &j->point[k])->moves + 1;
    }
    for (int i = 0; i < s->set.count; ++i)
        joint_finish(&s->set.joint[i], s->h, world->profile.substeps);
    take_all(world, s);
    s->set.count = 0;
    finish_there(world, world->substep);
}

// ---- snapshots ----------------------------------------------------------------------------------

joint_record world_joint_record(const pliant_world* world, const joint_slot* j)
{
    joint_record r = {.broken = j->broken};
    for (int k = 0; k < 2; ++k)
        if (j->moves[k] != body_at(world, &j->point[k])->moves + 1) r.jumped = 1;
    memcpy(r.lambda, j->lambda, sizeof r.lambda);
    memcpy(r.rest, j->rest, sizeof r.rest);
    return r;
}

void world_restore_joint(pliant_world* world, joint_slot* j, const joint_record* from)
{
    memcpy(j->lambda, from->lambda, sizeof j->lambda);
    memcpy(j->rest, from->rest, sizeof j->rest);
    memset(j->force, 0, sizeof j->force);
    if (j->broken != (from->broken != 0)) world->joint_changes++;
    j->broken = from->broken != 0;
    for (int k = 0; k < 2; ++k)
        j->moves[k] = from->jumped ? 0 : body_at(world, &j->point[k])->moves + 1;
}
