// What a step is told of the joints, and what it leaves.
#include "base/hash.h"
#include "base/sort.h"
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

static int count_whole(const pliant_world* world)
{
    int count = 0;
    for (int i = 0; i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        count += j && !j->broken;
    }
    return count;
}

// A stiff joint closes a gap that was there at first, or that its bodies were moved apart by,
// little by little: at once it would throw them.
static void look_for_jump(const pliant_world* world, joint_slot* j)
{
    double gap[3] = {0, 0, 0};
    bool jumped = false;
    for (int side = 0; side < 2; ++side) {
        const pliant_joint_point* p = &j->point[side];
        const body* b = body_at(world, p);
        jumped = jumped || j->moves[side] != b->moves;
        for (int i = 0; i < p->count; ++i) {
            double x[3];
            state_read_position(&b->s, p->particle[i], x);
            for (int k = 0; k < 3; ++k) gap[k] += (side ? -1 : 1) * p->share[i] * x[k];
        }
    }
    if (!jumped || j->compliance > 0) return;
    bool small = joint_length(gap) <= world->joining.close_speed * world->joining.h;
    for (int k = 0; k < 3; ++k) j->rest[k] = small ? 0 : gap[k]; // small: closed in a substep
}

static void enter_joint(const pliant_world* world, const joint_slot* from, joint_state* to)
{
    *to = (joint_state){.compliance = from->compliance, .closed = true};
    memcpy(to->lambda, from->lambda, sizeof to->lambda);
    memcpy(to->rest, from->rest, sizeof to->rest);
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < from->point[side].count; ++i) {
            to->weight[to->count] = (side ? -1 : 1) * from->point[side].share[i];
            to->point[to->count++] =
                joint_system_point(&world->joining, key_of(&from->point[side], i));
        }
}

// Keys of all particles of all joints; how many.
static int list_keys(pliant_world* world)
{
    joint_system* s = &world->joining;
    int keys = 0;
    s->count = 0;
    for (int i = 0; i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        if (!j || j->broken) continue;
        s->slot[s->count++] = i;
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < j->point[side].count; ++k)
                s->key[keys++] = key_of(&j->point[side], k);
    }
    return keys;
}

static void enter_all(pliant_world* world)
{
    joint_system* s = &world->joining;
    joint_system_number(s, list_keys(world));
    for (int i = 0; i < s->point_count; ++i) {
        body* b = world_body_at(world, (int)(s->key[i] >> 32));
        s->row[i] = (joint_row){.run = b->run, .particle = (int)(s->key[i] & UINT32_MAX)};
        s->scalar_bytes = b->s.scalar_bytes;
        b->run->meets = true;
    }
    for (int i = 0; i < s->count; ++i) {
        joint_slot* j = world_joint_at(world, s->slot[i]);
        look_for_jump(world, j);
        enter_joint(world, j, &s->joint[i]);
    }
    joint_system_link(s);
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

static bool add_pair(joined_points* out, int a, int b)
{
    if (!mem_reserve((void**)&out->pair, &out->capacity, (int64_t)out->count + 1,
                     sizeof *out->pair))
        return false;
    out->pair[out->count++] = joined_key(a, b);
    return true;
}

// A point of one side with one of the other, and with all neighbors of that.
static bool add_pairs(joined_points* out, const contact_body* a, int point, const contact_body* b,
                      int other)
{
    const contact_surface* of = b->surface;
    int first = a->first_point + point;
    bool good = add_pair(out, first, b->first_point + other);
    for (int i = of->neighbor_start[other]; i < of->neighbor_start[other + 1] && good; ++i)
        good = add_pair(out, first, b->first_point + of->neighbor[i]);
    return good;
}

static bool list_joint(const pliant_world* world, const joint_slot* j, joined_points* out)
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
    uint64_t hash = hash_of_joined(world);
    if (out->known == hash) return true;
    out->count = 0;
    out->known = 0;
    for (int i = 0; world->contacts.numbered && i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        if (j && !j->broken && !list_joint(world, j, out)) return false;
    }
    sort_keys(out->pair, out->count);
    int left = 0;
    for (int i = 0; i < out->count; ++i)
        if (i == 0 || out->pair[i] != out->pair[i - 1]) out->pair[left++] = out->pair[i];
    out->count = left;
    out->known = hash;
    return true;
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
        if (b && b->joint_count) most = fmax(most, fastest_of(b, dt));
    }
    return most;
}

// ---- before and after a step --------------------------------------------------------------------

pliant_result world_prepare_joints(pliant_world* world, double h, bool* out_any)
{
    joint_system* s = &world->joining;
    int count = count_whole(world);
    *out_any = count > 0;
    if (world->joints.count > 0 && !list_joined(world)) return PLIANT_ERROR_MEMORY;
    s->count = s->point_count = 0;
    if (count == 0) return PLIANT_OK;
    if (!joint_system_reserve(s, count, JOINT_PARTICLES * count)) return PLIANT_ERROR_MEMORY;
    s->exec = &world->exec;
    s->h = h;
    s->close_speed = (double)world->def.exit_speed;
    enter_all(world);
    return PLIANT_OK;
}

// The mean force over a step decides. A joint that still closes a gap of the start does not break:
// its force is that of closing it.
static void note_force(joint_slot* j, const joint_state* from, double h, int substeps)
{
    memcpy(j->lambda, from->lambda, sizeof j->lambda);
    memcpy(j->rest, from->rest, sizeof j->rest);
    for (int k = 0; k < 3; ++k) j->force[k] = from->sum[k] / (h * h * substeps);
    j->broken = from->closed && joint_length(j->force) > j->breaking_force;
    if (j->broken) memset(j->lambda, 0, sizeof j->lambda);
}

void world_finish_joints(pliant_world* world)
{
    joint_system* s = &world->joining;
    for (int i = 0; i < world->joints.count; ++i) {
        joint_slot* j = world_joint_at(world, i);
        if (!j) continue;
        memset(j->force, 0, sizeof j->force);
        for (int k = 0; k < 2; ++k) // which the start of the next step adds
            j->moves[k] = body_at(world, &j->point[k])->moves + 1;
    }
    for (int i = 0; i < s->count; ++i) {
        joint_slot* j = world_joint_at(world, s->slot[i]);
        note_force(j, &s->joint[i], s->h, world->profile.substeps);
        if (j->broken) world->joint_changes++;
    }
    s->count = 0;
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
