// What a device is told of the bodies that meet: which they are, and what their pairs remember.
#include "base/hash.h"
#include "cuda/contacts_internal.h"
#include <string.h>

// ---- bodies -------------------------------------------------------------------------------------

// A body as kernels see it. Boxes come later.
static void translate(const contact_body* b, const plan_surface* of, contact_body* out)
{
    memset(out, 0, sizeof *out); // with all of its padding: it is compared
    out->surface = (const contact_surface*)of->surface;
    out->row = (int*)of->row;
    out->slot = b->slot;
    out->radius = b->radius;
    out->stick = b->stick;
    out->slip = b->slip;
    out->restitution = b->restitution;
    out->first_point = b->first_point;
    out->first_element = b->first_element;
}

// What a step adds to it is told in that (collider_told).
static contact_body translate_collider(const contact_body* b, const plan_surface* of)
{
    contact_body out;
    translate(b, of, &out);
    out.at.row = of->rows[0];
    out.at.velocity = of->rows[1];
    out.at.residue = of->rows[2];
    out.collider = true;
    return out;
}

static contact_body translate_body(const device* d, const contact_body* b, const device_copy* copy,
                                   int scalar_bytes)
{
    const plan_surface* of = copy->plan->contact;
    contact_body out;
    translate(b, of, &out);
    out.at.row = copy->s.row;
    out.at.velocity = copy->s.velocity;
    out.at.residue = copy->s.residue;
    out.at.contact = copy->s.contact;
    out.at.past = copy->s.past;
    out.at.lift = copy->s.lift;
    out.at.copy_start = (const int*)of->copy_start;
    out.at.copy = (const int*)of->copy;
    memcpy(out.at.past_h, b->at.past_h, sizeof out.at.past_h);
    out.at.load = b->at.load ? copy->load : NULL;
    out.at.load_rows = b->at.load_rows;
    out.group = b->group;
    out.mask = b->mask;
    out.self = b->self;
    out.flows = b->flows;
    out.compliance = b->compliance;
    out.rolling = b->rolling;
    out.friction = b->friction;
    out.bounce = b->bounce;
    out.leaves = b->leaves;
    out.meets = b->s->scalar_bytes == scalar_bytes;
    out.rigid = b->rigid ? d->rigid.there + copy->rigid : NULL;
    out.local = copy->plan->on_device.local;
    out.particles = b->particles;
    return out;
}

static bool has_axes(const contact_body* b) { return b->run->work.roller_count > 0; }

static size_t extra_bytes_of(const contact_body* b)
{
    size_t particles = (size_t)b->plan->particle_count;
    return (has_axes(b) ? (particles + 3) / 4 * 4 : 0) + (b->at.phase ? 4 * particles : 0);
}

static uint64_t hash_extras(const contact_system* s, size_t* out_bytes)
{
    uint64_t hash = HASH_SEED;
    *out_bytes = 0;
    for (int i = 0; i < s->set.first_collider; ++i) {
        const contact_body* b = &s->set.body[i];
        size_t particles = (size_t)b->plan->particle_count;
        *out_bytes += extra_bytes_of(b);
        hash = hash_mix(hash, extra_bytes_of(b));
        if (has_axes(b)) hash = hash_bytes(hash, b->at.axes, particles);
        if (b->at.phase) hash = hash_bytes(hash, b->at.phase, 4 * particles);
    }
    return hash;
}

// Axes and phases of those that have some.
static cudaError_t upload_extras(device* d, device_contacts* c, const contact_system* s,
                                 size_t bytes, contact_body* body)
{
    cudaError_t error = cudaSuccess;
    if (bytes > c->extra_bytes) {
        cudaFree(c->extras);
        c->extras = NULL;
        d->bytes -= c->extra_bytes;
        c->extra_bytes = 0;
        error = cudaMalloc(&c->extras, bytes);
        if (error) return error;
        c->extra_bytes = bytes;
        d->bytes += bytes;
    }
    char* at = (char*)c->extras;
    for (int i = 0; i < s->set.first_collider && !error; ++i) {
        const contact_body* b = &s->set.body[i];
        size_t particles = (size_t)b->plan->particle_count;
        if (b->at.phase) {
            body[i].at.phase = (const uint32_t*)at;
            error = cudaMemcpy(at, b->at.phase, 4 * particles, cudaMemcpyHostToDevice);
            at += 4 * particles;
        }
        if (has_axes(b)) {
            body[i].at.axes = (const unsigned char*)at;
            if (!error) error = cudaMemcpy(at, b->at.axes, particles, cudaMemcpyHostToDevice);
            at += (particles + 3) / 4 * 4;
        }
    }
    return error;
}

// Of 32 leaves of the tree.
static int chunks_of(const contact_surface* of)
{
    const int elements = 32 * SURFACE_LEAF;
    return (of->element_count + elements - 1) / elements;
}

// What only depends on which bodies there are.
static cudaError_t upload_numbers(device_contacts* c, const contact_system* s,
                                  device_copy* const* copy)
{
    device_meeting* m = &c->here;
    size_t bodies = (size_t)s->set.body_count;
    int* start = (int*)mem_array(bodies + 1, sizeof(int));
    int* owner = (int*)mem_array((size_t)c->chunk_count, sizeof(int));
    int* slot = (int*)mem_array(bodies, sizeof(int));
    way_box* ways = (way_box*)mem_array(bodies, sizeof *ways);
    cudaError_t error = start && owner && slot && ways ? cudaSuccess : cudaErrorMemoryAllocation;
    if (!error) start[0] = 0;
    for (size_t i = 0; i < bodies && !error; ++i) {
        start[i + 1] = start[i] + chunks_of(s->set.body[i].surface);
        for (int k = start[i]; k < start[i + 1]; ++k) owner[k] = (int)i;
        slot[i] = s->set.body[i].collider ? -1 : copy[i]->slot;
        for (int k = 0; k < 3; ++k) {
            ways[i].low[k] = INT32_MAX;
            ways[i].high[k] = INT32_MIN;
        }
        ways[i].bad = 0;
    }
    const enum cudaMemcpyKind up = cudaMemcpyHostToDevice;
    if (!error) error = cudaMemcpy(m->chunk_start, start, (bodies + 1) * sizeof(int), up);
    if (!error) error = cudaMemcpy(m->chunk_body, owner, (size_t)c->chunk_count * sizeof(int), up);
    if (!error) error = cudaMemcpy((void*)m->slot, slot, bodies * sizeof(int), up);
    if (!error) error = cudaMemcpy(m->ways, ways, bodies * sizeof *ways, up);
    if (!error)
        error =
            cudaMemcpy(m->set.owner, s->set.owner, (size_t)s->set.point_count * sizeof(int), up);
    if (!error)
        error = cudaMemcpy(m->set.element_owner, s->set.element_owner,
                           (size_t)s->set.element_count * sizeof(int), up);
    if (!error) error = cudaMemset(m->set.loaded, 0, (size_t)s->set.point_count * sizeof(unsigned));
    if (!error) error = cudaMemset(m->fitted, 0, bodies * sizeof(int));
    mem_free(start);
    mem_free(owner);
    mem_free(slot);
    mem_free(ways);
    return error;
}

static void place_boxes(const device_contacts* c, const contact_system* s, contact_body* body)
{
    char* at = (char*)c->boxes;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_surface* of = s->set.body[i].surface;
        body[i].box = at;
        at += (2 * (size_t)of->leaf_count + (size_t)of->element_count) * kernels_of(c)->box_bytes;
    }
}

static bool meets_bodies(const contact_set* s)
{
    bool any = false;
    for (int i = 0; i < s->first_collider && !any; ++i) any = s->body[i].mask || s->body[i].self;
    return any;
}

// Room for a first try: lists that are too short are made longer while a world runs. Where only
// colliders are met, that happens in few steps, if at all.
static void guess_room(meeting_room* r, const contact_system* of)
{
    const contact_set* s = &of->set;
    bool bodies = meets_bodies(s);
    int least = of->room ? of->room : bodies ? 4096 : 64, each = of->room ? 0 : bodies ? 4 : 1;
    r->partners = most_of(r->partners, of->room ? of->room : 8 * s->body_count + 64);
    r->chunks = most_of(r->chunks, each * s->element_count / 16 + least);
    for (int k = 0; k < 2; ++k)
        r->listed[k] = most_of(r->listed[k], 2 * each * s->element_count + least);
    r->pairs = most_of(r->pairs, each * s->point_count / 2 + least);
    r->kept = most_of(r->kept, 2 * r->pairs);
    r->rows = most_of(r->rows, of->room ? 1 + of->room / LOOSE_BLOCK : of->loose.count / 2 + 64);
}

static void count_sizes(device_contacts* c, const contact_system* s)
{
    contact_set* set = &c->here.set;
    c->here.columns = s->set.first_collider < s->set.body_count ? c->told.colliders : 0;
    set->body_count = s->set.body_count;
    set->point_count = s->set.point_count;
    set->element_count = s->set.element_count;
    set->first_collider = s->set.first_collider;
    set->rigid_count = s->set.rigid_count;
    c->chunk_count = c->box_count = 0;
    c->bounces = false;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_surface* of = s->set.body[i].surface;
        c->chunk_count += chunks_of(of);
        c->box_count += 2 * of->leaf_count + of->element_count;
    }
    guess_room(&c->here.room, s);
}

// ---- points that joints hold together -----------------------------------------------------------

static uint64_t known_joined(const contact_system* s)
{
    return s->set.joined ? s->set.joined->known : 0;
}

static bool is_joined_alike(const device_contacts* c, const contact_system* s)
{
    if (known_joined(s) != c->joined_known) return false;
    return !s->set.joined || s->set.joined->broken == c->here.joined.broken;
}

static pliant_result upload_joined(device* d, device_contacts* c, const contact_system* s)
{
    const joined_points* from = s->set.joined;
    joined_points* to = &c->here.joined;
    layout l = {0};
    if (is_joined_alike(c, s)) return PLIANT_OK;
    contacts_discard_joined(d, c);
    if (!from || from->count == 0) {
        c->joined_known = known_joined(s);
        return PLIANT_OK;
    }
    size_t pairs = (size_t)from->count;
    layout_add(&l, (void**)&to->pair, from->pair, pairs, sizeof *from->pair);
    layout_add(&l, (void**)&to->start, from->start, pairs + 1, sizeof *from->start);
    layout_add(&l, (void**)&to->owner, from->owner, (size_t)from->owner_count, sizeof *from->owner);
    pliant_result result = upload_layout(&l, &c->joined, "points that are joined");
    if (!c->joined) return result;
    c->joined_bytes = l.bytes;
    d->bytes += l.bytes;
    to->count = from->count;
    to->broken = from->broken;
    c->joined_known = from->known;
    c->here.set.joined = &c->there->joined;
    return result;
}

// ---- what pairs remember ------------------------------------------------------------------------

static cudaError_t upload_kept(device* d, device_contacts* c, const contact_system* s)
{
    device_meeting* m = &c->here;
    size_t count = (size_t)s->kept_count;
    m->kept_count = s->kept_count;
    m->paired = false;
    m->set.pair_count = m->set.live_count = m->set.touch_count = m->set.crossed_count = 0;
    m->last_h = s->last_h;
    cudaError_t error = cudaMemcpyAsync(m->kept, s->kept, count * sizeof *m->kept,
                                        cudaMemcpyHostToDevice, d->stream);
    return error ? error : cudaMemsetAsync(m->alive, 1, count, d->stream);
}

// ---- descriptions -------------------------------------------------------------------------------

static pliant_result translate_bodies(device* d, device_contacts* c, const contact_system* s,
                                      device_copy* const* copy, contact_body* out)
{
    int bodies = s->set.first_collider;
    pliant_result result = contacts_upload_colliders(d, c, s);
    for (int i = 0; i < bodies && !result; ++i) {
        result = contacts_upload_surface(d, copy[i]->plan, &s->set.body[i]);
        if (!result) out[i] = translate_body(d, &s->set.body[i], copy[i], s->scalar_bytes);
    }
    for (int i = bodies; i < s->set.body_count && !result; ++i)
        out[i] = translate_collider(&s->set.body[i], c->collider[i - bodies].there);
    for (int i = 0; i < s->set.body_count && !result; ++i)
        c->bounces = c->bounces || out[i].restitution > 0;
    return result;
}

// Bodies as they were described before, apart from what kernels change.
static bool is_known(const device_contacts* c, const contact_system* s, const contact_body* body,
                     uint64_t extras)
{
    int columns = s->set.first_collider < s->set.body_count ? c->told.colliders : 0;
    return c->here.columns == columns && c->here.set.body_count == s->set.body_count &&
           c->here.set.rigid_count == s->set.rigid_count && c->extra_hash == extras &&
           c->here.set.rest_speed == s->set.rest_speed &&
           c->here.set.exit_speed == s->set.exit_speed && c->here.set.guards == s->set.guards &&
           is_joined_alike(c, s) && c->here.fresh == s->fresh && c->here.passes == s->passes &&
           memcmp(c->body, body, (size_t)s->set.body_count * sizeof *body) == 0;
}

static cudaError_t write_bodies(device* d, device_contacts* c, const contact_system* s,
                                device_copy* const* copy, contact_body* body)
{
    device_meeting* m = &c->here;
    cudaError_t error = upload_numbers(c, s, copy);
    uint64_t hash = 0;
    size_t bytes;
    hash = hash_extras(s, &bytes);
    if (!error) error = upload_extras(d, c, s, bytes, body);
    place_boxes(c, s, body);
    if (!error)
        error = cudaMemcpy(m->set.body, body, (size_t)s->set.body_count * sizeof *body,
                           cudaMemcpyHostToDevice);
    if (!error) error = cudaStreamSynchronize(NULL); // the stream of steps does not wait for this
    c->extra_hash = hash;
    return error;
}

// Nobody has met a collider by its surface.
static cudaError_t forget_swept(device* d, const device_contacts* c)
{
    size_t marks = (size_t)c->here.set.first_collider * (size_t)c->here.columns;
    return marks ? cudaMemsetAsync(c->here.swept, 0, marks, d->stream) : cudaSuccess;
}

// Other bodies than before, or other numbers of theirs.
static pliant_result describe(device* d, device_contacts* c, const contact_system* s,
                              device_copy* const* copy, contact_body* body, bool kept)
{
    device_meeting* m = &c->here;
    pliant_result result = device_wait(d);
    if (result) return result;
    cudaError_t error = c->scalar_bytes ? contacts_read(d, c) : cudaSuccess;
    if (error) return cuda_check(error, "contacts between bodies");
    c->scalar_bytes = s->scalar_bytes;
    const int before[] = {m->set.first_collider, m->columns};
    count_sizes(c, s);
    loose_describe_there(c, s, kept);
    m->room.kept = most_of(m->room.kept, s->kept_count);
    for (int i = 0; i < s->set.body_count; ++i) c->bounces |= body[i].restitution > 0;
    result = contacts_reserve(d, c);
    if (result) return result;
    result = upload_joined(d, c, s);
    if (result) return result;
    if (before[0] != m->set.first_collider || before[1] != m->columns || kept)
        error = forget_swept(d, c);
    if (error) return cuda_check(error, "contacts between bodies");
    m->set.rest_speed = s->set.rest_speed;
    m->set.exit_speed = s->set.exit_speed;
    m->set.guards = s->set.guards;
    m->set.loose_by_pairs = s->set.loose_by_pairs;
    m->fresh = s->fresh;
    m->bounces = c->bounces;
    m->passes = s->passes;
    m->listed[0] = m->listed[1] = m->stopped = false;
    m->look_for_crossed = m->look_for_crossed || s->look_for_crossed;
    error = contacts_reserve_bounds(c, s->set.body_count);
    if (!error) error = write_bodies(d, c, s, copy, body);
    if (!error && kept) error = upload_kept(d, c, s);
    if (!error) error = contacts_write(d, c);
    return cuda_check(error, "contacts between bodies");
}

const unsigned char* device_swept_marks(const device_contacts* c, int body)
{
    return c->here.columns ? c->here.swept + (size_t)body * (size_t)c->here.columns : NULL;
}

pliant_result device_describe_contacts(device* d, device_contacts* c, const contact_told* told,
                                       device_copy* const* copy, bool kept)
{
    const contact_system* s = told->s;
    size_t bytes, count = (size_t)s->set.body_count;
    int before = c->body_capacity;
    c->told = *told;
    ON_DEVICE(d);
    contact_body* body = (contact_body*)mem_array(count, sizeof *body);
    if (!body ||
        !mem_reserve((void**)&c->body, &c->body_capacity, s->set.body_count, sizeof *body)) {
        mem_free(body);
        return PLIANT_ERROR_MEMORY;
    }
    if (c->body_capacity > before)
        memset(c->body + before, 0, (size_t)(c->body_capacity - before) * sizeof *body);
    pliant_result result = translate_bodies(d, c, s, copy, body);
    bool known = !kept && is_known(c, s, body, hash_extras(s, &bytes)) &&
                 c->scalar_bytes == s->scalar_bytes && c->here.diverged == d->diverged;
    if (!result && (!known || s->look_for_crossed)) {
        memcpy(c->body, body, count * sizeof *body);
        result = describe(d, c, s, copy, body, kept);
    }
    mem_free(body);
    return result;
}
