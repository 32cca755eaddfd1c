// What can be read of contacts between bodies.
#include "base/memory.h"
#include "contact/pressing.h"
#include "world/contacts.h"
#include "world/residency.h"
#include <stdlib.h>
#include <string.h>

// ---- bodies and pairs ---------------------------------------------------------------------------

// A body of the system as the world has it now, or NULL when it was removed.
static body* body_now(const pliant_world* world, int number, pliant_body_id* out)
{
    const contact_body* b = &world->contacts.set.body[number];
    body* now = world_body_at(world, b->slot);
    if (!now || now->born != b->born) return NULL;
    *out = (pliant_body_id){(uint32_t)b->slot + 1, world->bodies.slot[b->slot].generation};
    return now;
}

static int particle_of(const contact_system* s, int point)
{
    const contact_body* b = &s->set.body[s->set.owner[point]];
    return b->surface->particle[point - b->first_point];
}

static double to_force(const pliant_world* world)
{
    const contact_system* s = &world->contacts;
    int substeps = world->profile.substeps;
    return s->last_h > 0 && substeps > 0 ? 1 / (s->last_h * s->last_h * substeps) : 0;
}

// [m] the nearest point of a side.
static void side_point(const pliant_contact* c, int side, const body* b, double out[3])
{
    int first = side ? c->count[0] : 0, last = first + c->count[side];
    memset(out, 0, 3 * sizeof(double));
    for (int k = first; k < last; ++k) {
        double x[3];
        state_read_position(&b->s, c->particle[k], x);
        for (int axis = 0; axis < 3; ++axis) out[axis] += c->share[k] * x[axis];
    }
}

static void read_numbers(const pliant_world* world, const contact_description* d, double sign,
                         pliant_contact* out)
{
    double scale = sign * to_force(world);
    out->depth = d->depth;
    for (int k = 0; k < 3; ++k) {
        out->normal[k] = sign * d->normal[k];
        out->force[k] = scale * d->sum[k];
        out->normal_force += out->force[k] * out->normal[k];
    }
}

static bool read_bodies(const pliant_world* world, const near_pair* p, const contact_description* d,
                        pliant_contact* out)
{
    body* b[2];
    for (int side = 0; side < 2; ++side)
        if (!(b[side] = body_now(world, p->body[side], &out->body[side]))) return false;
    out->count[0] = pair_first_side(p->kind);
    out->count[1] = p->kind == PAIR_TRIANGLE ? 3 : 2;
    for (int k = 0; k < out->count[0] + out->count[1]; ++k) {
        out->particle[k] = particle_of(&world->contacts, p->point[k]);
        out->share[k] = k < out->count[0] ? d->weight[k] : -d->weight[k];
    }
    double at[2][3];
    for (int side = 0; side < 2; ++side) side_point(out, side, b[side], at[side]);
    for (int k = 0; k < 3; ++k) out->point[k] = 0.5 * (at[0][k] + at[1][k]);
    read_numbers(world, d, 1, out);
    return true;
}

// The body is the first side for readers, whichever it is of the pair.
static bool read_collider(const pliant_world* world, const near_pair* p,
                          const contact_description* d, pliant_contact* out)
{
    const contact_body* all = world->contacts.set.body;
    int side = all[p->body[0]].collider, first = pair_first_side(p->kind);
    const contact_body* by = &all[p->body[1 - side]];
    body* b = body_now(world, p->body[side], &out->body[0]);
    out->collider = (pliant_collider_id){(uint32_t)by->slot + 1, (uint32_t)by->born};
    if (!b || !pliant_collider_is_valid(world, out->collider)) return false;
    int from = side ? first : 0, last = !side ? first : p->kind == PAIR_SEGMENT ? 3 : 4;
    for (int k = from; k < last; ++k) {
        out->particle[out->count[0]] = particle_of(&world->contacts, p->point[k]);
        out->share[out->count[0]++] = side ? -d->weight[k] : d->weight[k];
    }
    side_point(out, 0, b, out->point);
    read_numbers(world, d, side ? -1 : 1, out);
    return true;
}

// Contacts, and places of particles.
static pliant_result fetch(const pliant_world* world)
{
    pliant_world* w = (pliant_world*)world;
    pliant_result result = world_fetch_contacts(world);
    return result ? result : worlds_fetch(&w, 1, STATE_ROWS | STATE_RESIDUES);
}

// False when it has done nothing, or has gone apart: whether pairs that are apart are found depends
// on what happened before.
static bool describe_pair(const contact_system* s, int pair, contact_description* out)
{
    pressing_kernels_for(s->scalar_bytes)->describe(&s->set, pair, out);
    return out->touches && (out->sum[0] != 0 || out->sum[1] != 0 || out->sum[2] != 0);
}

// False likewise, or when a body is gone.
static bool read_pair(const pliant_world* world, int pair, pliant_contact* out)
{
    const contact_system* s = &world->contacts;
    const near_pair* p = &s->set.pair[pair];
    contact_description d;
    if (!describe_pair(s, pair, &d)) return false;
    *out = (pliant_contact){.depth = 0};
    return collider_of(&s->set, p) ? read_collider(world, p, &d, out)
                                   : read_bodies(world, p, &d, out);
}

// Likewise of what is kept of two loose particles.
static bool read_loose(const pliant_world* world, const kept_contact* k, pliant_contact* out)
{
    near_pair p;
    contact_description d;
    if (!loose_has(&world->contacts.set, k) || !kept_has_pushed(k)) return false;
    loose_describe(&world->contacts, k, &p, &d);
    *out = (pliant_contact){.depth = 0};
    if (!read_bodies(world, &p, &d, out)) return false;
    out->count[1] = 1;
    out->particle[2] = 0;
    out->share[2] = 0;
    return true;
}

static void add_contact(const pliant_contact* one, pliant_contact* out, int capacity, int* count)
{
    if (*count < capacity) out[*count] = *one;
    ++*count;
}

pliant_result pliant_world_read_contacts(const pliant_world* world, pliant_contact* out,
                                         int capacity, int* out_count)
{
    if (!REQUIRE(world && out_count && capacity >= 0 && (out || capacity == 0)))
        return PLIANT_ERROR_ARGUMENT;
    *out_count = 0;
    pliant_result result = fetch(world);
    if (result) return result;
    const contact_system* s = &world->contacts;
    pliant_contact one;
    for (int i = 0; s->numbered && i < s->kept_count; ++i)
        if (read_loose(world, &s->kept[i], &one)) add_contact(&one, out, capacity, out_count);
    for (int i = 0; s->numbered && i < s->set.pair_count; ++i)
        if (read_pair(world, i, &one)) add_contact(&one, out, capacity, out_count);
    return PLIANT_OK;
}

// ---- sums ---------------------------------------------------------------------------------------

static void add_force(const double force[3], const double point[3], double sign, double sum[6])
{
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        sum[k] += sign * force[k];
        sum[3 + k] += sign * (point[a] * force[b] - point[b] * force[a]);
    }
}

// A pair that has gone apart before the step ended: its bodies, and what the second did to the
// first at the middle of their first element. False when a body is gone.
static bool read_gone(const pliant_world* world, const kept_contact* k, pliant_contact* out)
{
    const contact_system* s = &world->contacts;
    int number[2] = {key_first(k->key), key_second(k->key)}, owner[2];
    body* b[2];
    if (key_sub(k->key) >= SUB_SECOND && key_sub(k->key) < SUB_EDGES) {
        number[0] = key_second(k->key);
        number[1] = key_first(k->key);
    }
    for (int side = 0; side < 2; ++side) {
        owner[side] = contact_body_of(&s->set, number[side]);
        if (s->set.body[owner[side]].collider) return false;
        if (!(b[side] = body_now(world, owner[side], &out->body[side]))) return false;
    }
    const contact_body* of = &s->set.body[owner[0]];
    const surface_element* e = &of->surface->element[number[0] - of->first_element];
    state_read_position(&b[0]->s, of->surface->particle[e->point[0]], out->point);
    for (int axis = 0; axis < 3; ++axis) out->force[axis] = to_force(world) * k->sum[axis];
    return true;
}

static void add_gone(const pliant_world* world, const kept_contact* k, const pliant_body_id id[2],
                     double sum[6])
{
    pliant_contact c;
    if (!read_gone(world, k, &c)) return;
    bool straight = c.body[0].index1 == id[0].index1 && c.body[1].index1 == id[1].index1;
    bool turned = c.body[1].index1 == id[0].index1 && c.body[0].index1 == id[1].index1;
    if (straight || turned) add_force(c.force, c.point, straight ? 1 : -1, sum);
}

// Whether what is kept is part of a pair that is read.
static bool has_pair(const contact_system* s, uint64_t key)
{
    int low = 0, high = s->set.pair_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->set.pair[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    contact_description d;
    return low < s->set.pair_count && s->set.pair[low].key == key && describe_pair(s, low, &d);
}

pliant_result pliant_body_force_of(const pliant_world* world, pliant_body_id id,
                                   pliant_body_id other, double out_force[3], double out_torque[3])
{
    if (!world_body(world, id) || !world_body(world, other)) return PLIANT_ERROR_ARGUMENT;
    const contact_system* s = &world->contacts;
    const pliant_body_id both[2] = {id, other};
    double sum[6] = {0};
    pliant_result result = fetch(world);
    if (result) return result;
    for (int i = 0; s->numbered && i < s->set.pair_count; ++i) {
        pliant_contact c;
        if (!read_pair(world, i, &c)) continue;
        if (c.body[0].index1 == id.index1 && c.body[1].index1 == other.index1)
            add_force(c.force, c.point, 1, sum);
        else if (c.body[1].index1 == id.index1 && c.body[0].index1 == other.index1)
            add_force(c.force, c.point, -1, sum);
    }
    for (int i = 0; s->numbered && i < s->kept_count; ++i)
        if (kept_has_pushed(&s->kept[i]) && !has_pair(s, s->kept[i].key))
            add_gone(world, &s->kept[i], both, sum);
    if (out_force) memcpy(out_force, sum, 3 * sizeof(double));
    if (out_torque) memcpy(out_torque, sum + 3, 3 * sizeof(double));
    return PLIANT_OK;
}

// ---- pairs of bodies ----------------------------------------------------------------------------

// One contact's part of the sum of its pair of bodies.
typedef struct {
    uint64_t bodies; // the lower slot, the higher slot
    int order;       // equal pairs keep the order in which they were read
    int contacts;    // 1, or 0 of one that has ended
    double sum[6];   // force and torque on the body of the lower slot
} pair_part;

static int by_bodies(const void* a, const void* b)
{
    const pair_part *p = (const pair_part*)a, *q = (const pair_part*)b;
    if (p->bodies != q->bodies) return p->bodies < q->bodies ? -1 : 1;
    return (p->order > q->order) - (p->order < q->order);
}

static void add_part(const pliant_contact* c, int contacts, pair_part* part, int* count)
{
    uint32_t first = c->body[0].index1, second = c->body[1].index1;
    bool straight = first <= second;
    pair_part* p = &part[*count];
    *p = (pair_part){.order = *count, .contacts = contacts};
    p->bodies = straight ? (uint64_t)first << 32 | second : (uint64_t)second << 32 | first;
    if (first != second) add_force(c->force, c->point, straight ? 1 : -1, p->sum);
    ++*count;
}

static int read_parts(const pliant_world* world, pair_part* part)
{
    const contact_system* s = &world->contacts;
    int count = 0;
    pliant_contact c;
    for (int i = 0; i < s->set.pair_count; ++i)
        if (!collider_of(&s->set, &s->set.pair[i]) && read_pair(world, i, &c))
            add_part(&c, 1, part, &count);
    for (int i = 0; i < s->kept_count; ++i)
        if (read_loose(world, &s->kept[i], &c))
            add_part(&c, 1, part, &count);
        else if (kept_has_pushed(&s->kept[i]) && !has_pair(s, s->kept[i].key) &&
                 read_gone(world, &s->kept[i], &c))
            add_part(&c, 0, part, &count);
    return count;
}

// The sum of the parts from `first` on that are of the same two bodies; returns the next part.
static int sum_parts(const pliant_world* world, const pair_part* part, int first, int count,
                     pliant_pair_force* out)
{
    int slot[2] = {(int)(part[first].bodies >> 32) - 1,
                   (int)(part[first].bodies & 0xffffffffu) - 1};
    *out = (pliant_pair_force){.contacts = 0};
    for (int side = 0; side < 2; ++side)
        out->body[side] =
            (pliant_body_id){(uint32_t)slot[side] + 1, world->bodies.slot[slot[side]].generation};
    int i = first;
    for (; i < count && part[i].bodies == part[first].bodies; ++i) {
        out->contacts += part[i].contacts;
        for (int k = 0; k < 3; ++k) {
            out->force[k] += part[i].sum[k];
            out->torque[k] += part[i].sum[3 + k];
        }
    }
    return i;
}

pliant_result pliant_world_read_pair_forces(const pliant_world* world, pliant_pair_force* out,
                                            int capacity, int* out_count)
{
    if (!REQUIRE(world && out_count && capacity >= 0 && (out || capacity == 0)))
        return PLIANT_ERROR_ARGUMENT;
    const contact_system* s = &world->contacts;
    *out_count = 0;
    if (!s->numbered) return PLIANT_OK;
    pliant_result result = fetch(world);
    if (result) return result;
    size_t most = (size_t)s->set.pair_count + (size_t)s->kept_count;
    pair_part* part = (pair_part*)mem_array(most + 1, sizeof *part);
    if (!part) return PLIANT_ERROR_MEMORY;
    int count = read_parts(world, part);
    if (count) qsort(part, (size_t)count, sizeof *part, by_bodies);
    for (int i = 0; i < count; ++*out_count) {
        pliant_pair_force one;
        i = sum_parts(world, part, i, count, &one);
        if (*out_count < capacity) out[*out_count] = one;
    }
    mem_free(part);
    return PLIANT_OK;
}

// ---- events -------------------------------------------------------------------------------------

typedef struct {
    const pliant_world* world;
    pliant_touch_event* out;
    int capacity, count;
} event_list;

static void add_event(event_list* list, pliant_touch kind, uint64_t slots)
{
    pliant_touch_event e = {.kind = kind};
    int slot[2] = {(int)(slots >> 32), (int)(slots & 0xffffffffu)};
    for (int k = 0; k < 2; ++k) {
        if (!world_body_at(list->world, slot[k])) return;
        e.body[k] =
            (pliant_body_id){(uint32_t)slot[k] + 1, list->world->bodies.slot[slot[k]].generation};
    }
    if (list->count < list->capacity) list->out[list->count] = e;
    list->count++;
}

pliant_result pliant_world_read_touch_events(const pliant_world* world, pliant_touch_event* out,
                                             int capacity, int* out_count)
{
    if (!REQUIRE(world && out_count && capacity >= 0 && (out || capacity == 0)))
        return PLIANT_ERROR_ARGUMENT;
    const contact_system* s = &world->contacts;
    event_list list = {world, out, capacity, 0};
    pliant_result result = world_start_events((pliant_world*)world);
    if (result) return result;
    int now = 0, before = 0;
    while (now < s->touch_count || before < s->touch_before_count) {
        uint64_t a = now < s->touch_count ? s->touch[now] : UINT64_MAX;
        uint64_t b = before < s->touch_before_count ? s->touch_before[before] : UINT64_MAX;
        if (a < b) add_event(&list, PLIANT_TOUCH_BEGAN, a);
        if (b < a) add_event(&list, PLIANT_TOUCH_ENDED, b);
        now += a <= b;
        before += b <= a;
    }
    *out_count = list.count;
    return PLIANT_OK;
}

// ---- figures ------------------------------------------------------------------------------------

static void count_contact(const contact_description* d, pliant_contact_stats* out)
{
    if (!d->pushes) return;
    out->contacts++;
    if (d->depth > out->deepest) out->deepest = d->depth;
}

pliant_contact_stats pliant_world_contact_stats(const pliant_world* world)
{
    pliant_contact_stats out = {0};
    if (!REQUIRE(world)) return out;
    const contact_system* s = &world->contacts;
    const contact_figures* f = &s->figures;
    if (world_fetch_contacts(world)) return out;
    out = (pliant_contact_stats){.near_pairs = s->set.pair_count + (int)loose_count_near(s),
                                 .lists = f->lists,
                                 .guard_rounds = s->set.guarded_rounds,
                                 .stopped = s->flags.stopped,
                                 .squeezed = s->set.squeezed,
                                 .guarded = 1e-12 * (double)s->flags.guarded,
                                 .guarded_angular = 1e-12 * (double)s->flags.guarded_angular,
                                 .find = f->find,
                                 .solve = f->solve,
                                 .guard = f->guard};
    for (int i = 0; i < s->set.pair_count; ++i) {
        contact_description d;
        pressing_kernels_for(s->scalar_bytes)->describe(&s->set, i, &d);
        count_contact(&d, &out);
    }
    for (int i = 0; i < s->kept_count; ++i) {
        near_pair p;
        contact_description d;
        if (!loose_has(&s->set, &s->kept[i])) continue;
        loose_describe(s, &s->kept[i], &p, &d);
        count_contact(&d, &out);
    }
    return out;
}
