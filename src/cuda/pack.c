#include "cuda/pack.h"
#include "cuda/contacts.h"
#include "cuda/match.h"
#include <string.h>

void* pack_claim(packer* p, size_t bytes, void** out_there)
{
    enum { ALIGNMENT = 64 };
    size_t at = p->bytes;
    p->bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bool fits = p->bytes <= p->capacity;
    *out_there = fits ? p->there + at : NULL;
    return fits ? p->here + at : NULL;
}

void* pack_list(packer* p, const void* list, int count, size_t each)
{
    void* there;
    size_t bytes = (size_t)count * each;
    void* here = pack_claim(p, bytes, &there);
    if (here && bytes) memcpy(here, list, bytes);
    return there;
}

const void* data_there(const device* d, const collider* c)
{
    size_t bytes;
    const void* here = collider_data(c, &bytes);
    for (int i = 0; here && i < d->shape_count; ++i)
        if (d->shape[i].key == here) return d->shape[i].on_device;
    return NULL;
}

const collider_pose* pack_poses(packer* p, const particle_work* of)
{
    const collider_pose* first = NULL;
    int moving = 0;
    for (int i = 0; i < of->collider_count; ++i) {
        if (!of->colliders[i].way) continue;
        if (!first) first = of->colliders[i].way - 1;
        moving++;
    }
    if (first && first != p->poses) {
        p->poses_there = pack_list(p, first, moving * (of->substeps + 1), sizeof *first);
        p->poses = first;
    }
    return first;
}

const collider_pose* pose_there(const packer* p, const collider_pose* first,
                                const collider_pose* here)
{
    return here && p->poses_there ? (const collider_pose*)p->poses_there + (here - first) : NULL;
}

const void* pack_nearby(packer* p, const particle_work* of)
{
    nearby_tree t = of->nearby;
    if (t.leaf_count == 0) return NULL;
    if (p->boxes == t.own) return p->nearby_there;
    p->boxes = t.own;
    t.node = (const nearby_box*)pack_list(p, t.node, 2 * t.leaf_count - 1, sizeof *t.node);
    t.own = (const nearby_box*)pack_list(p, t.own, of->collider_count, sizeof *t.own);
    t.order = (const int*)pack_list(p, t.order, t.count, sizeof *t.order);
    t.wide = (const int*)pack_list(p, t.wide, t.wide_count, sizeof *t.wide);
    p->nearby_there = pack_list(p, &t, 1, sizeof t);
    return p->nearby_there;
}

// Whether two bodies meet the same colliders in the same way.
static bool meet_alike(const body_run* a, const body_run* b)
{
    const particle_work *x = &a->work, *y = &b->work;
    return x->colliders == y->colliders && x->collider_count == y->collider_count &&
           x->friction == y->friction && x->restitution == y->restitution &&
           a->plan->scalar_bytes == b->plan->scalar_bytes && !x->sunk && !y->sunk &&
           memcmp(x->aside, y->aside, sizeof x->aside) == 0;
}

static void pack_obstacles(const device* d, packer* p, const body_run* b, device_paths* out)
{
    if (p->met && meet_alike(p->met, b)) {
        out->obstacles = p->met_there;
        return;
    }
    const fill_functions* fill = fill_for(b);
    const collider_pose* first = pack_poses(p, &b->work);
    void* there;
    int count = b->work.collider_count;
    char* here = (char*)pack_claim(p, (size_t)count * fill->obstacle_bytes, &there);
    out->obstacles = p->met_there = there;
    p->met = b;
    for (int i = 0; i < count && here; ++i) {
        const collider* c = &b->work.colliders[i];
        fill->obstacle(b, c, data_there(d, c), pose_there(p, first, c->way),
                       here + (size_t)i * fill->obstacle_bytes);
    }
}

static const void* pack_flow(packer* p, const body_run* b, const device_copy* c)
{
    void* there;
    const fill_functions* fill = fill_for(b);
    if (!c->s.flow) return NULL;
    void* here = pack_claim(p, fill->flow_bytes, &there);
    if (here) fill->flow(b, &c->plan->on_device, &c->s, here);
    return there;
}

static void fill_match(const body_run* b, const device_copy* c, device_match* out)
{
    memset(out, 0, sizeof *out);
    out->set = c->plan->on_device.clusters;
    out->state = c->s.matched;
    for (int i = 0; i < 2; ++i)
        for (int first = 0; first < 2; ++first)
            out->rules[i][first] = cluster_rules(b->clusters, b->work.h, seen_step(b, i), first);
}

static const void* pack_match(packer* p, const body_run* b, const device_copy* c)
{
    void* there;
    if (!b->clusters) return NULL;
    device_match* here = (device_match*)pack_claim(p, sizeof *here, &there);
    if (here) fill_match(b, c, here);
    return there;
}

static const void* pack_rigid(const device* d, packer* p, const body_run* b, const device_copy* c)
{
    void* there;
    if (!b->rigid) return NULL;
    device_rigid* here = (device_rigid*)pack_claim(p, sizeof *here, &there);
    if (!here) return there;
    *here = (device_rigid){
        .state = d->rigid.there + c->rigid, .local = c->plan->on_device.local, .h = b->work.h};
    memcpy(here->acceleration, b->work.acceleration, sizeof here->acceleration);
    return there;
}

// A body, where there is memory for it; its paths and obstacles come behind all bodies.
static void pack_body(const device* d, packer* p, const step_work* step, int number, device_copy* c,
                      void* out)
{
    const body_run* b = &step->body[number];
    device_paths paths = {.diverged = d->diverged + c->slot, .first_meeting = d->next_meeting};
    int components = b->work.pins ? b->plan->component_count : 0;
    paths.movers = (const path*)pack_list(p, b->work.movers, b->work.mover_count, sizeof(path));
    paths.holders = (path*)pack_list(p, b->work.holders, b->work.holder_count, sizeof(path));
    paths.rollers =
        (const roller*)pack_list(p, b->work.rollers, b->work.roller_count, sizeof(roller));
    paths.pins =
        (const component_pins*)pack_list(p, b->work.pins, components, sizeof(component_pins));
    paths.load = c->load;
    paths.flow = pack_flow(p, b, c);
    paths.match = pack_match(p, b, c);
    paths.rigid = pack_rigid(d, p, b, c);
    c->holders = paths.holders;
    pack_obstacles(d, p, b, &paths);
    paths.nearby = pack_nearby(p, &b->work);
    device_state s = c->s;
    if (b->work.air) s.force = air_pushed(c);
    if (out) fill_for(b)->body(b, step, &c->plan->on_device, &s, &paths, out);
}

bool meets_special(const particle_work* w)
{
    return w->net_count > 0 || w->hull_count > 0 || w->nearby.leaf_count > 0 || w->swept_there;
}

static family family_of(const body_run* b, const device_copy* c)
{
    const device_stream* s = &c->plan->on_device.sweep[0];
    int type = s->uniform ? (int)s->type : TYPE_COUNT + s->one_row_fields;
    bool crowd = !b->rigid && !b->plan->patched && b->plan->node_count == 0 &&
                 b->plan->particle_count <= CROWD_PARTICLES;
    bool special = (b->plan->patched || crowd) && meets_special(&b->work);
    family f = {.patched = b->plan->patched,
                .alone = b->plan->patch_count == 1,
                .past = b->plan->second_order,
                .special = special,
                .crowd = crowd,
                .rigid = b->rigid != NULL,
                .kind = arithmetic_of(b),
                .type = c->s.flow ? FLOWING : type};
    return f;
}

static bool same_family(family a, family b)
{
    return a.patched == b.patched && a.alone == b.alone && a.past == b.past &&
           a.special == b.special && a.crowd == b.crowd && a.rigid == b.rigid && a.kind == b.kind &&
           a.type == b.type;
}

// The same for one body more.
static void widen(patched_work* w, const body_run* b, const patched_work* of)
{
    keep_most(&w->last_meeting, order_last_meeting(&b->order));
    keep_most(&w->turn_count, of->turn_count);
    keep_most(&w->colors, of->colors);
    keep_most(&w->rows, of->rows);
    keep_most(&w->shared, of->shared);
    keep_most(&w->sources, of->sources);
    keep_most(&w->lanes, of->lanes);
    keep_most(&w->components, of->components);
    keep_most(&w->strips, of->strips);
    w->task_count += of->task_count;
}

static int rows_of_crowd(const plan* p)
{
    return (p->particle_count + CROWD_ROWS - 1) / CROWD_ROWS;
}

// Packs a family; out_work has pointers to the device's memory.
static void pack_family(const selection* s, packer* p, patched_work* out_work)
{
    size_t bytes = 0;
    int count = 0, number = 0, task = 0, crowd_tasks = 0;
    const bool listed = s->kind.patched || s->kind.crowd;
    void *bodies_there, *tasks_there;
    for (int i = 0; i < s->step->body_count; ++i)
        if (is_selected(s, i)) {
            const cluster_set* c = s->step->body[i].clusters;
            bytes = fill_for(&s->step->body[i])->body_bytes;
            count++;
            widen(out_work, &s->step->body[i], &s->copy[i]->plan->size);
            crowd_tasks += rows_of_crowd(s->step->body[i].plan);
            if (s->kind.rigid) keep_most(&out_work->rows, s->step->body[i].plan->particle_count);
            keep_most(&out_work->pieces, c ? c->piece_count : 0);
            keep_most(&out_work->clusters, c ? c->count : 0);
        }
    if (s->kind.crowd) out_work->task_count = crowd_tasks;
    char* bodies = (char*)pack_claim(p, (size_t)count * bytes, &bodies_there);
    device_task* tasks = (device_task*)pack_claim(
        p, listed ? (size_t)out_work->task_count * sizeof *tasks : 0, &tasks_there);
    for (int i = 0; i < s->step->body_count; ++i) {
        if (!is_selected(s, i)) continue;
        pack_body(s->d, p, s->step, i, s->copy[i], bodies ? bodies + (size_t)number * bytes : NULL);
        const plan* of = s->step->body[i].plan;
        int parts = s->kind.crowd ? rows_of_crowd(of) : s->kind.patched ? of->patch_count : 0;
        for (int k = 0; tasks && k < parts; ++k) tasks[task++] = (device_task){number, k};
        number++;
    }
    out_work->body = bodies_there;
    out_work->task = (const device_task*)tasks_there;
    out_work->bodies = count;
    out_work->alone = s->kind.alone;
    out_work->past = s->kind.past;
    out_work->special = s->kind.special;
    out_work->type = s->kind.type;
}

// Number of a family among those that are known, `count` before; -1 when memory runs out.
static int enter_family(device* d, int* count, family f)
{
    int k = 0;
    while (k < *count && !same_family(d->kind[k], f)) ++k;
    if (k < *count) return k;
    if (!mem_reserve((void**)&d->kind, &d->kind_capacity, (int64_t)k + 1, sizeof *d->kind) ||
        !mem_reserve((void**)&d->work, &d->work_capacity, (int64_t)k + 1, sizeof *d->work))
        return -1;
    d->kind[(*count)++] = f;
    return k;
}

int find_families(const selection* s)
{
    device* d = s->d;
    int count = 0;
    if (!mem_reserve((void**)&d->family_of, &d->family_capacity, s->step->body_count, sizeof(int)))
        return -1;
    for (int i = 0; i < s->step->body_count; ++i) {
        d->family_of[i] = -1;
        if (*s->step->body[i].failed) continue;
        d->family_of[i] = enter_family(d, &count, family_of(&s->step->body[i], s->copy[i]));
        if (d->family_of[i] < 0) return -1;
    }
    return count;
}

void pack_families(selection* s, packer* p, int count)
{
    for (int i = 0; i < count; ++i) {
        s->number = i;
        s->kind = s->d->kind[i];
        memset(&s->d->work[i], 0, sizeof *s->d->work);
        pack_family(s, p, &s->d->work[i]);
    }
}

// How a collider goes in the step.
static void fill_told(packer* p, const contact_body* b, int substeps, collider_told* out)
{
    const collider_pose* way = b->shape->way;
    if (way) way = (const collider_pose*)pack_list(p, way, substeps, sizeof *way);
    if (!out) return;
    memset(out, 0, sizeof *out);
    out->shape = *b->shape;
    out->shape.field = NULL;
    out->shape.way = way;
    memcpy(out->velocity, b->velocity, sizeof out->velocity);
    memcpy(out->low, b->low, sizeof out->low);
    memcpy(out->high, b->high, sizeof out->high);
    out->haste = b->haste;
    out->place = b->place;
    out->load = b->load;
    out->still = b->still;
    out->turns = b->turns;
    out->only_rigid = b->only_rigid;
}

static const collider_told* pack_colliders(packer* p, const contact_told* told)
{
    const contact_set* s = &told->s->set;
    void* there;
    int count = s->body_count - s->first_collider;
    if (count == 0) return NULL;
    collider_told* here = (collider_told*)pack_claim(p, (size_t)count * sizeof *here, &there);
    for (int i = 0; i < count; ++i)
        fill_told(p, &s->body[s->first_collider + i], told->rules.substeps, here ? &here[i] : NULL);
    return (const collider_told*)there;
}

packed_meetings pack_meetings(packer* p, const device* d, const step_work* step, int scalar_bytes)
{
    void* there;
    size_t bytes = sizeof(meeting_step) + (size_t)step->meeting_count * sizeof(meeting_world);
    meeting_step* here = (meeting_step*)pack_claim(p, bytes, &there);
    packed_meetings out = {.step = (const meeting_step*)there, .alone = true};
    if (here) here->first_meeting = d->next_meeting;
    for (int sleeps = 0; sleeps < 2; ++sleeps)
        for (int i = 0; i < step->meeting_count; ++i) {
            const device_contacts* c = (const device_contacts*)step->meetings[i].system;
            if (contacts_scalar_bytes(c) != scalar_bytes || step->meetings[i].sleeps != sleeps)
                continue;
            const contact_told* told = contacts_told(c);
            meeting_world w = {.of = contacts_there(c), .rules = told->rules};
            if (!sleeps) w.colliders = pack_colliders(p, told);
            if (here) here->world[out.count] = w;
            out.alone = out.alone && (sleeps || contacts_are_loose(c));
            out.rigid = out.rigid || contacts_are_rigid(c);
            keep_most(&out.bodies, contacts_body_count(c));
            out.count++;
            out.awake += !sleeps;
        }
    return out;
}
