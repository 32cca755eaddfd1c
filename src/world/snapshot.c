// The state of the world as one block of bytes. One walk over the state serves for measuring,
// saving, restoring and hashing, so that none of them can forget an array.
#include "base/hash.h"
#include "world/contacts.h"
#include "world/flow.h"
#include "world/joints.h"
#include "world/links.h"
#include "world/load.h"
#include "world/motion.h"
#include "world/presence.h"
#include "world/residency.h"
#include "world/tearing.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct visitor visitor;
struct visitor {
    void (*visit)(visitor* v, void* data, size_t bytes);
    size_t bytes; // visited so far
    char* out;
    const char* in; // restoring, when it is there
    uint64_t hash;
    bool failed; // a device did not give or take the state; the error text says so
};

static void visit_measure(visitor* v, void* data, size_t bytes)
{
    (void)data;
    v->bytes += bytes;
}

static void visit_save(visitor* v, void* data, size_t bytes)
{
    if (bytes) memcpy(v->out + v->bytes, data, bytes);
    v->bytes += bytes;
}

static void visit_restore(visitor* v, void* data, size_t bytes)
{
    if (bytes) memcpy(data, v->in + v->bytes, bytes);
    v->bytes += bytes;
}

static void visit_hash(visitor* v, void* data, size_t bytes)
{
    v->hash = hash_bytes(v->hash, data, bytes);
}

// Of the usual sizes without a call.
static inline void copy_row(char* to, const char* from, size_t bytes)
{
    if (bytes == 16)
        memcpy(to, from, 16);
    else if (bytes == 32)
        memcpy(to, from, 32);
    else
        memcpy(to, from, bytes);
}

static void restore_rows(visitor* v, const state* s, char* array, size_t row_bytes)
{
    const char* from = v->in + v->bytes;
    for (int i = 0; i < s->particle_count; ++i, from += row_bytes)
        for (int copy = 0; copy < plan_copy_count(s->plan, i); ++copy)
            copy_row(array + (size_t)plan_row(s->plan, i, copy) * row_bytes, from, row_bytes);
    v->bytes += (size_t)s->particle_count * row_bytes;
}

// An array of rows in the order of the particles, one row each, whatever the layout: copies are
// equal. `left_out` is one of the row's numbers that follows from others; -1: none.
static void visit_rows(visitor* v, const state* s, void* array, int stride, int left_out)
{
    enum { CHUNK = 64 };
    char chunk[CHUNK * ROW * sizeof(double)];
    size_t bytes = (size_t)s->scalar_bytes, row_bytes = (size_t)stride * bytes;
    if (v->visit == visit_measure) {
        v->bytes += (size_t)s->particle_count * row_bytes;
        return;
    }
    if (v->in) {
        restore_rows(v, s, (char*)array, row_bytes);
        return;
    }
    for (int first = 0; first < s->particle_count; first += CHUNK) {
        int count = s->particle_count - first < CHUNK ? s->particle_count - first : CHUNK;
        for (int i = 0; i < count; ++i) {
            char* to = chunk + (size_t)i * row_bytes;
            copy_row(to, (char*)array + (size_t)plan_row(s->plan, first + i, 0) * row_bytes,
                     row_bytes);
            if (left_out >= 0) memset(to + (size_t)left_out * bytes, 0, bytes);
        }
        v->visit(v, chunk, (size_t)count * row_bytes);
    }
}

// What follows from the rest.
static void restore_derived(body* b)
{
    state* s = &b->s;
    body_count_present(b);
    s->pushed = false;
    b->pins_known = false;
    b->moves++;
    for (int i = 0; i < s->particle_count; ++i) {
        bool pinned = !(state_read_inverse_mass(s, i) > 0);
        state_write_inverse_mass(s, i, pinned ? 0 : 1 / b->mass[i]);
        for (int k = 0; k < 3 && !s->pushed; ++k)
            s->pushed = state_read(s, s->force, ROW4, i, k) != 0;
    }
}

// Which colliders it has met is no part of the state, but a world that goes on from a snapshot is
// not to look again. A body that is not on its way out of any has the digest of one that never was.
static void visit_way_out(visitor* v, way_out* out)
{
    way_out hashed = *out;
    hashed.met = 0;
    if (v->visit != visit_hash)
        v->visit(v, out, sizeof *out);
    else if (out->time > 0 || out->way[0] != 0 || out->way[1] != 0 || out->way[2] != 0)
        v->visit(v, &hashed, sizeof hashed);
}

// As above: who has none has the digest of those that never had any.
static void visit_axes(visitor* v, state* s)
{
    bool any = v->visit != visit_hash;
    for (int i = 0; i < s->particle_count && !any; ++i) any = s->axes[i] != 0;
    if (any) v->visit(v, s->axes, (size_t)s->particle_count);
}

// A body without contacts has the digest of one that knows of none.
static void visit_lift(visitor* v, const state* s)
{
    bool any = v->visit != visit_hash;
    for (int i = 0; s->lift && i < s->particle_count && !any; ++i)
        for (int k = 0; k < 3; ++k) any = any || state_read(s, s->lift, ROW4, i, k) != 0;
    if (s->lift && any) visit_rows(v, s, s->lift, ROW4, -1);
}

static bool has_flowed(const body* b)
{
    bool any = false;
    for (int i = 0; i < body_flow_count(b) && !any; ++i) {
        double flow[FLOW_STATE];
        body_read_flow(b, i, flow);
        any = flow[TET_SHAPE] != 0;
    }
    return any;
}

// Tet by tet or plate by plate, whatever the layout. A body that has not flowed has the digest of
// one that cannot.
static void visit_flow(visitor* v, body* b)
{
    if (!b->s.flow || (v->visit == visit_hash && !has_flowed(b))) return;
    for (int i = 0; i < body_flow_count(b); ++i) {
        double flow[FLOW_STATE];
        if (!body_can_flow(b, i)) continue;
        body_read_flow(b, i, flow);
        v->visit(v, flow, sizeof flow);
        if (v->in) body_write_flow(b, i, flow);
    }
}

static void visit_clusters(visitor* v, body* b)
{
    const cluster_set* c = &b->asset->clusters;
    if (c->count) v->visit(v, b->matched.turn, 9 * (size_t)c->count * sizeof(double));
    if (b->matched.rest) v->visit(v, b->matched.rest, 3 * (size_t)c->member_count * sizeof(double));
}

static void visit_rods(visitor* v, body* b)
{
    rod_state* s = b->oriented;
    const size_t n = (size_t)b->asset->rods.count, bytes = n * sizeof(double);
    if (n == 0) return;
    v->visit(v, s->turn, 4 * bytes);
    v->visit(v, s->spin, 3 * bytes);
    v->visit(v, s->torque, 3 * bytes);
    v->visit(v, s->clamped, n);
    for (size_t i = 0; i < n && v->in; ++i) s->clamped[i] &= ROD_CLAMPED; // as movers are forgotten
}

// What follows from it is found again.
static void visit_rigid(visitor* v, body* b)
{
    rigid_state* r = b->rigid;
    if (!r) return;
    v->visit(v, r->center, sizeof r->center);
    v->visit(v, r->turn, sizeof r->turn);
    v->visit(v, r->velocity, sizeof r->velocity);
    v->visit(v, r->momentum, sizeof r->momentum);
    v->visit(v, &r->held, sizeof r->held);
    if (!v->in) return;
    const double* inertia = b->asset->rigid.inertia;
    double most = fmax(inertia[0], fmax(inertia[1], inertia[2]));
    for (int k = 0; k < 3; ++k) r->inertia[k] = r->held ? most : inertia[k];
    rigid_frame(r);
}

// Who is there.
static void visit_presence(visitor* v, body* b)
{
    size_t bytes = b->there.mass ? (size_t)b->s.particle_count * sizeof(double) : 0;
    if (bytes) v->visit(v, b->there.mass, bytes);
    if (bytes) v->visit(v, b->there.until, bytes);
}

static void visit_fluid(visitor* v, body* b)
{
    size_t count = (size_t)b->s.particle_count;
    if (b->pressure) v->visit(v, b->pressure, count * sizeof(double));
    if (b->drawn) v->visit(v, b->drawn, count * sizeof(double));
    if (b->temperature) v->visit(v, b->temperature, count * sizeof(double));
    if (b->spin) v->visit(v, b->spin, 3 * count * sizeof(double));
}

static void visit_body(visitor* v, body* b)
{
    state* s = &b->s;
    visit_rigid(v, b);
    visit_presence(v, b);
    visit_rows(v, s, s->row, ROW, ROW_W);
    visit_rows(v, s, s->velocity, ROW4, -1);
    visit_rows(v, s, s->residue, ROW4, -1);
    visit_rows(v, s, s->force, ROW4, -1);
    visit_rows(v, s, s->contact, CONTACT, -1);
    visit_lift(v, s);
    if (s->past) visit_rows(v, s, s->past, PAST, -1);
    visit_flow(v, b);
    visit_clusters(v, b);
    visit_rods(v, b);
    visit_fluid(v, b);
    if (body_remembers(b)) v->visit(v, &s->past_h, sizeof s->past_h);
    visit_axes(v, s);
    v->visit(v, s->phase, (size_t)s->particle_count * sizeof(uint32_t));
    v->visit(v, &b->gravity_scale, sizeof b->gravity_scale);
    visit_way_out(v, &b->out);
    v->visit(v, &b->failed, sizeof b->failed);
    for (int i = 0; i < b->holder_count; ++i) {
        v->visit(v, b->holders[i].from, sizeof(double[3]));
        v->visit(v, b->holders[i].to, sizeof(double[3]));
    }
    if (v->in) restore_derived(b);
}

size_t body_state_bytes(body* b)
{
    visitor v = {.visit = visit_measure};
    visit_body(&v, b);
    return v.bytes;
}

void body_state_save(body* b, void* out)
{
    visitor v = {.visit = visit_save, .out = (char*)out};
    visit_body(&v, b);
}

void body_state_restore(body* b, const void* data)
{
    visitor v = {.visit = visit_restore, .in = (const char*)data};
    visit_body(&v, b);
}

static void visit_joint(visitor* v, pliant_world* world, joint_slot* j)
{
    if (j->link) {
        link_record r = world_link_record(world, j);
        v->visit(v, &r, sizeof r);
        if (v->in) world_restore_link(world, j, &r);
        return;
    }
    joint_record r = world_joint_record(world, j);
    v->visit(v, &r, sizeof r);
    if (v->in) world_restore_joint(world, j, &r);
}

// A world without joints has the digest of one that knows of none.
static void visit_joints(visitor* v, pliant_world* world)
{
    bool any = false, links = false;
    if (v->in) world_forget_joints(world);
    if (v->visit != visit_measure && world_fetch_joints(world)) v->failed = true;
    for (int i = 0; i < world->joints.count; ++i) {
        joint_slot* j = world_joint_at(world, i);
        if (!j) continue;
        visit_joint(v, world, j);
        any = true;
        links = links || j->link;
    }
    if (any) v->visit(v, &world->joining.last_h, sizeof world->joining.last_h);
    if (links) v->visit(v, &world->linking.last_h, sizeof world->linking.last_h);
}

static void visit_world(visitor* v, pliant_world* world)
{
    v->visit(v, &world->time, sizeof world->time);
    v->visit(v, &world->step_count, sizeof world->step_count);
    v->visit(v, &world->def.gravity, sizeof world->def.gravity);
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        if (v->visit != visit_measure && !(v->in ? body_edit : body_fetch)(world, b, STATE_ALL))
            v->failed = true;
        double largest = b->largest_radius;
        visit_body(v, b);
        if (b->largest_radius > largest) world_change_bodies(world);
        if (v->in && !b->failed && !body_revive(world, b)) v->failed = true;
    }
    visit_joints(v, world);
}

// ---- colliders ----------------------------------------------------------------------------------

// What can change of a collider at run time. Numbers of 8 bytes alone: it is hashed as it is.
typedef struct {
    uint64_t id, key, changed;
    double position[3];
    quaternion rotation;
    double velocity[3], angular[3], surface[3], surface_angular[3];
    double static_friction, dynamic_friction, restitution;
} collider_record;

static uint64_t number_of(pliant_collider_id id)
{
    return (uint64_t)id.generation << 32 | id.index1;
}

static collider_record record_of(const pliant_world* world, int number)
{
    const collider* c = &world->collider_list[number];
    const collider_motion* m = &world_collider_at(world, number)->motion;
    collider_record r = {.id = number_of(world_collider_id(world, number)),
                         .key = c->key,
                         .changed = m->changed,
                         .rotation = m->rotation,
                         .static_friction = c->static_friction,
                         .dynamic_friction = c->dynamic_friction,
                         .restitution = c->restitution};
    memcpy(r.position, c->position, sizeof r.position);
    memcpy(r.velocity, m->velocity, sizeof r.velocity);
    memcpy(r.angular, m->angular, sizeof r.angular);
    memcpy(r.surface, m->surface, sizeof r.surface);
    memcpy(r.surface_angular, m->surface_angular, sizeof r.surface_angular);
    return r;
}

static void put_back(pliant_world* world, int number, const collider_record* r)
{
    collider* c = &world->collider_list[number];
    collider_slot* slot = world_collider_at(world, number);
    collider_motion* m = &slot->motion;
    c->key = r->key;
    c->static_friction = r->static_friction;
    c->dynamic_friction = r->dynamic_friction;
    c->restitution = r->restitution;
    m->rotation = r->rotation;
    m->changed = r->changed != 0;
    collider_place(c, r->position, r->rotation);
    memcpy(m->velocity, r->velocity, sizeof r->velocity);
    memcpy(m->angular, r->angular, sizeof r->angular);
    memcpy(m->surface, r->surface, sizeof r->surface);
    memcpy(m->surface_angular, r->surface_angular, sizeof r->surface_angular);
    memcpy(slot->seen, r->velocity, sizeof slot->seen);
    memcpy(slot->seen_angular, r->angular, sizeof slot->seen_angular);
}

// A collider that never changed, neither here nor there, may be another one: it stays as it is.
static void restore_colliders(pliant_world* world, const char* data, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        collider_record r;
        memcpy(&r, data + k * sizeof r, sizeof r);
        for (int i = 0; i < world->collider_count; ++i) {
            bool changed = r.changed || world_collider_at(world, i)->motion.changed;
            if (changed && r.id == number_of(world_collider_id(world, i))) put_back(world, i, &r);
        }
    }
    for (int i = 0; i < world->collider_count; ++i)
        world_collider_at(world, i)->motion.told = false;
    world_relink_colliders(world);
}

// Worlds whose colliders never changed have the digest of their bodies.
static uint64_t hash_colliders(const pliant_world* world, uint64_t hash)
{
    for (int i = 0; i < world->collider_count; ++i) {
        collider_record r = record_of(world, i);
        if (r.changed) hash = hash_bytes(hash, &r, sizeof r);
    }
    return hash;
}

// ---- contacts between bodies --------------------------------------------------------------------

static void save_contacts(visitor* v, const pliant_world* world)
{
    const contact_system* s = &world->contacts;
    for (int i = 0; i < s->kept_count; ++i) {
        contact_record r = world_contact_record(world, i);
        // One that stored nothing has the digest of one that knows of no restitution.
        bool all = v->visit != visit_hash || r.stored > 0;
        if (kept_goes_on(&s->kept[i]))
            v->visit(v, &r, all ? sizeof r : offsetof(contact_record, stored));
    }
}

// ---- a header that tells whether a snapshot fits ------------------------------------------------

typedef struct {
    char magic[8];
    uint64_t structure; // hash of what the world is made of
    uint64_t bytes;     // of everything
    uint64_t colliders; // whose records come after the bodies,
    uint64_t contacts;  // and then those of pairs of surfaces
    uint64_t tears;     // [bytes] what comes first: which particles torn bodies have
    double substep;     // [s] of these
    uint64_t content;   // hash of what follows, and of the two before
} header;

static uint64_t bytes_of_bodies(const header* h)
{
    return h->bytes - h->tears - h->colliders * sizeof(collider_record) -
           h->contacts * sizeof(contact_record);
}

// Of what follows, and of what the header alone has of the state.
static uint64_t content_hash(const header* h, const void* data, size_t bytes)
{
    uint64_t hash = hash_bytes(HASH_SEED, data, bytes);
    return hash_bytes(hash_mix(hash, h->contacts), &h->substep, sizeof h->substep);
}

// Whether its numbers of records fit its size.
static bool header_is_sound(const header* h)
{
    uint64_t most = h->bytes / sizeof(contact_record);
    return h->colliders <= most && h->contacts <= most && h->contacts < INT32_MAX / 64 &&
           h->tears <= h->bytes / 2 &&
           sizeof *h + h->tears + h->colliders * sizeof(collider_record) +
                   h->contacts * sizeof(contact_record) <=
               h->bytes;
}

static uint64_t structure_of_joints(const pliant_world* world, uint64_t hash)
{
    for (int i = 0; i < world->joints.count; ++i) {
        const joint_slot* j = world_joint_at(world, i);
        if (j && j->link) hash = hash_mix(hash, 1 + (uint64_t)j->link->rules.kind);
        for (int side = 0; j && side < 2; ++side) {
            hash = hash_mix(hash_mix(hash, (uint64_t)i), j->point[side].body.index1);
            for (int k = 0; k < j->point[side].count; ++k)
                hash = hash_mix(hash, (uint64_t)j->point[side].particle[k]);
        }
    }
    return hash;
}

static uint64_t structure_of(const pliant_world* world)
{
    uint64_t hash = HASH_SEED;
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (!b) continue;
        const pliant_asset* whole = body_whole(b);
        hash = hash_mix(hash, (uint64_t)i);
        hash = hash_mix(hash, (uint64_t)whole->plan.particle_count);
        hash = hash_mix(hash, (uint64_t)b->s.scalar_bytes);
        if (b->s.past) hash = hash_mix(hash, PAST);
        if (b->there.mass) hash = hash_mix(hash, 255); // any number: it tells them apart
        for (int k = 0; b->s.flow && k < body_flow_count(b); ++k)
            hash = hash_mix(hash, (uint64_t)body_can_flow(b, k));
        if (b->asset->clusters.count) {
            hash = hash_mix(hash, (uint64_t)b->asset->clusters.count);
            hash = hash_mix(hash, (uint64_t)b->asset->clusters.member_count);
            hash = hash_mix(hash, b->matched.rest != NULL);
        }
        if (b->asset->rods.count) hash = hash_mix(hash, (uint64_t)b->asset->rods.count);
        for (int k = 0; k < b->holder_count; ++k)
            hash = hash_mix(hash, (uint64_t)b->holders[k].particle);
        hash = hash_mix(hash, hash_bytes(HASH_SEED, whole->mass,
                                         (size_t)whole->plan.particle_count * sizeof(double)));
    }
    return structure_of_joints(world, hash);
}

static size_t measure_bodies(const pliant_world* world)
{
    visitor v = {.visit = visit_measure};
    visit_world(&v, (pliant_world*)world);
    return v.bytes + sizeof(header);
}

static header make_header(const pliant_world* world)
{
    header h = {{'P', 'L', 'I', 'A', 'N', 'T', '0', '9'},
                structure_of(world),
                measure_bodies(world),
                (uint64_t)world->collider_count,
                world_contact_record_count(world),
                tear_bytes(world),
                world->contacts.last_h,
                0};
    h.bytes += h.tears;
    h.bytes += h.colliders * sizeof(collider_record) + h.contacts * sizeof(contact_record);
    return h;
}

// 0 where a GPU fails.
size_t snapshot_bytes(const pliant_world* world)
{
    if (world_fetch_contacts(world)) return 0;
    return (size_t)make_header(world).bytes;
}

bool snapshot_write(const pliant_world* world, void* out)
{
    header h = make_header(world);
    visitor v = {.visit = visit_save, .out = (char*)out + sizeof h, .bytes = (size_t)h.tears};
    tear_save(world, v.out);
    visit_world(&v, (pliant_world*)world);
    for (int i = 0; i < world->collider_count; ++i) {
        collider_record r = record_of(world, i);
        visit_save(&v, &r, sizeof r);
    }
    save_contacts(&v, world);
    h.content = content_hash(&h, v.out, v.bytes);
    memcpy(out, &h, sizeof h);
    return !v.failed;
}

size_t pliant_world_snapshot_size(const pliant_world* world)
{
    return REQUIRE(world) ? snapshot_bytes(world) : 0;
}

pliant_result pliant_world_snapshot_save(const pliant_world* world, void* out, size_t bytes)
{
    if (!REQUIRE(world && out)) return PLIANT_ERROR_ARGUMENT;
    size_t needed = snapshot_bytes(world);
    if (needed == 0) return PLIANT_ERROR_DEVICE;
    if (bytes < needed)
        return fail(PLIANT_ERROR_ARGUMENT, "the snapshot needs %zu bytes, %zu were given", needed,
                    bytes);
    return snapshot_write(world, out) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

// Where pins were told to go belongs to the present, not to the state that comes back.
static void drop_paths(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        if (b) b->mover_count = 0;
    }
}

static void look_for_phases(pliant_world* world)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        for (int k = 0; b && k < b->s.particle_count; ++k)
            if (b->s.phase[k]) b->phased = true;
    }
    world_change_bodies(world);
}

static pliant_result refuse_structure(void)
{
    return fail(PLIANT_ERROR_ARGUMENT,
                "the snapshot was taken of a world with other bodies, joints or attachments");
}

// All that comes behind the header.
static pliant_result put_all_back(pliant_world* world, const header* found, const char* content)
{
    visitor v = {.visit = visit_restore, .in = content};
    pliant_result result = tear_restore(world, v.in, (size_t)found->tears);
    if (result) return result;
    if (bytes_of_bodies(found) != measure_bodies(world)) return refuse_structure();
    v.bytes = (size_t)found->tears;
    visit_world(&v, world);
    restore_colliders(world, v.in + v.bytes, found->colliders);
    if (!world_restore_contacts(world, v.in + v.bytes + found->colliders * sizeof(collider_record),
                                found->contacts, found->substep))
        return PLIANT_ERROR_MEMORY;
    drop_paths(world);
    look_for_phases(world);
    world_forget_loads(world);
    return v.failed ? PLIANT_ERROR_DEVICE : PLIANT_OK;
}

pliant_result pliant_world_snapshot_restore(pliant_world* world, const void* data, size_t bytes)
{
    if (!REQUIRE(world && data)) return PLIANT_ERROR_ARGUMENT;
    header expected = make_header(world), found;
    if (bytes < sizeof found)
        return fail(PLIANT_ERROR_FORMAT,
                    "%zu bytes are no whole snapshot, which has %zu at least: it is cut off", bytes,
                    sizeof found);
    memcpy(&found, data, sizeof found);
    if (memcmp(found.magic, expected.magic, sizeof found.magic) != 0)
        return fail(PLIANT_ERROR_FORMAT, "not a snapshot of this version");
    if (found.structure != expected.structure || !header_is_sound(&found))
        return refuse_structure();
    if (bytes < found.bytes)
        return fail(PLIANT_ERROR_FORMAT, "the snapshot is cut off: %zu of %zu bytes", bytes,
                    (size_t)found.bytes);
    const char* content = (const char*)data + sizeof found;
    if (found.content != content_hash(&found, content, (size_t)found.bytes - sizeof found))
        return fail(PLIANT_ERROR_FORMAT, "the snapshot is damaged: its bytes were changed");
    return put_all_back(world, &found, content);
}

bool snapshot_fits(const pliant_world* world, const void* data)
{
    header found;
    memcpy(&found, data, sizeof found);
    return found.structure == structure_of(world);
}

pliant_result snapshot_put_back(pliant_world* world, const void* data)
{
    header found;
    memcpy(&found, data, sizeof found);
    return put_all_back(world, &found, (const char*)data + sizeof found);
}

pliant_result pliant_world_rewind(pliant_world* world, int steps)
{
    if (!REQUIRE(world && steps >= 0)) return PLIANT_ERROR_ARGUMENT;
    history* past = &world->past;
    if (steps == 0) return PLIANT_OK;
    if (steps > past->count)
        return fail(PLIANT_ERROR_ARGUMENT, "rewind by %d steps, but %d are kept", steps,
                    past->count);
    int at = (past->next - steps + past->capacity) % past->capacity;
    pliant_result result =
        pliant_world_snapshot_restore(world, past->entry[at].data, past->entry[at].bytes);
    if (result) return result;
    past->next = at;
    past->count -= steps;
    return PLIANT_OK;
}

// A world in which nothing has torn has the digest of one that knows of no tears.
static uint64_t hash_tears(const pliant_world* world, uint64_t hash)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        const body* b = world_body_at(world, i);
        if (!b || b->asset == body_whole(b)) continue;
        hash = tear_hash(b, hash);
    }
    return hash;
}

pliant_result pliant_world_digest(const pliant_world* world, uint64_t* out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = 0;
    if (!REQUIRE(world)) return PLIANT_ERROR_ARGUMENT;
    pliant_result result = world_fetch_contacts(world);
    if (result) return result;
    visitor v = {.visit = visit_hash, .hash = HASH_SEED};
    visit_world(&v, (pliant_world*)world);
    v.hash = hash_tears(world, v.hash);
    if (v.failed) return PLIANT_ERROR_DEVICE;
    save_contacts(&v, world);
    *out = hash_colliders(world, v.hash);
    return PLIANT_OK;
}
