#include "cuda/contacts.h"
#include "base/hash.h"
#include <string.h>

enum { ARRAYS = 48 };

// An array of the device, as large as it has to be.
typedef struct {
    void** pointer;
    size_t bytes;
    bool keeps; // what is in it, when it grows
} array;

struct device_contacts {
    int scalar_bytes;
    device_meeting here; // as it was last written or read
    device_meeting* there;
    device_meeting* report; // pinned
    size_t have[ARRAYS];    // [bytes] of each array
    void* boxes;
    void* extras; // axes and phases of particles
    size_t extra_bytes;
    uint64_t extra_hash;
    contact_body* body; // as they were last described
    int body_capacity;
    int leaf_count, box_count;
    bool bounces;
    body_bounds* bounds[2]; // pinned, of the step of each staging
    bool bounds_known[2];   // they came, or are on their way
    int bounds_capacity;
};

static const meeting_kernels* kernels_of(const device_contacts* c)
{
    return meeting_kernels_for(c->scalar_bytes);
}
device_meeting* contacts_there(const device_contacts* c) { return c->there; }
int contacts_scalar_bytes(const device_contacts* c) { return c->scalar_bytes; }
int contacts_body_count(const device_contacts* c) { return c->here.set.body_count; }
bool contacts_bounce(const device_contacts* c) { return c->bounces; }

// ---- memory -------------------------------------------------------------------------------------

static int most_of(int a, int b) { return a > b ? a : b; }

static void add(array* list, int* count, void* pointer, size_t items, size_t each, bool keeps)
{
    list[(*count)++] = (array){(void**)pointer, items * each, keeps};
}

// Of points, elements and bodies.
static void list_fixed(device_contacts* c, array* out, int* count)
{
    device_meeting* m = &c->here;
    contact_set* s = &m->set;
    size_t points = (size_t)s->point_count, bodies = (size_t)s->body_count;
    size_t row = 4 * (size_t)c->scalar_bytes;
    add(out, count, &s->body, bodies, sizeof *s->body, false);
    add(out, count, &s->place, points, row, false);
    add(out, count, &s->increment, points, row, false);
    add(out, count, &s->residue, points, row, false);
    add(out, count, &s->velocity, points, row, false);
    add(out, count, &s->owner, points, sizeof(int), false);
    add(out, count, &s->loaded, points, sizeof(unsigned), false);
    add(out, count, &s->live, points, sizeof(int), false);
    add(out, count, &s->incidence_start, points, sizeof(int), false);
    add(out, count, &s->incidence_end, points, sizeof(int), false);
    add(out, count, &s->zone_of, points, sizeof(int), false);
    add(out, count, &s->zone, points, sizeof *s->zone, false);
    add(out, count, &m->incident, points, sizeof(int), false);
    add(out, count, &m->partner_start, bodies + 1, sizeof(int), false);
    add(out, count, &m->leaf_start, bodies + 1, sizeof(int), false);
    add(out, count, &m->look_start, bodies + 1, sizeof(int), false);
    add(out, count, &m->visited, (size_t)c->leaf_count, sizeof(int), false);
    add(out, count, &m->ways, bodies, sizeof *m->ways, false);
    add(out, count, &m->bounds, bodies, sizeof *m->bounds, false);
    add(out, count, (void*)&m->slot, bodies, sizeof(int), false);
    add(out, count, &c->boxes, (size_t)c->box_count, kernels_of(c)->box_bytes, false);
    size_t blocks = (size_t)kernels_of(c)->blocks() + 1;
    add(out, count, &m->sums, blocks, sizeof *m->sums, false);
    add(out, count, &m->more_sums, blocks, sizeof *m->more_sums, false);
}

// Of what is found.
static void list_found(device_contacts* c, array* out, int* count)
{
    device_meeting* m = &c->here;
    contact_set* s = &m->set;
    const meeting_room* r = &m->room;
    size_t pairs = (size_t)r->pairs, near = (size_t)r->near, kept = (size_t)r->kept;
    size_t partners = (size_t)r->partners;
    int scanned = most_of(most_of(r->near, r->looks), s->body_count);
    add(out, count, &s->pair, pairs, sizeof *s->pair, false);
    add(out, count, &s->contact, pairs, kernels_of(c)->state_bytes, false);
    add(out, count, &s->incidence, 4 * pairs, sizeof(int), false);
    add(out, count, &s->crossed, partners, sizeof *s->crossed, true);
    add(out, count, &m->partner, partners, sizeof(int), false);
    add(out, count, &m->partner_body, partners, sizeof(int), false);
    add(out, count, &m->partner_crossing, partners, sizeof(int), false);
    add(out, count, &m->near, near, kernels_of(c)->element_bytes, false);
    add(out, count, &m->near_body, near, sizeof(int), false);
    add(out, count, &m->count, (size_t)scanned, sizeof(int), false);
    add(out, count, &m->rank, pairs + 1, sizeof(int), false);
    add(out, count, &m->kept_rank, kept + 1, sizeof(int), false);
    add(out, count, &m->kept, kept, sizeof *m->kept, true);
    add(out, count, &m->spare, kept, sizeof *m->spare, true);
    add(out, count, &m->kept_before, kept, sizeof *m->kept_before, true);
    add(out, count, &m->alive, kept, 1, true);
}

static cudaError_t grow_array(device* d, const array* a, size_t* have)
{
    void* larger = NULL;
    if (a->bytes <= *have) return cudaSuccess;
    cudaError_t error = cudaMalloc(&larger, a->bytes);
    if (!error) error = cudaMemsetAsync(larger, 0, a->bytes, d->stream);
    if (!error && a->keeps && *have)
        error = cudaMemcpyAsync(larger, *a->pointer, *have, cudaMemcpyDeviceToDevice, d->stream);
    if (!error) error = cudaStreamSynchronize(d->stream);
    if (error) {
        cudaFree(larger);
        return error;
    }
    cudaFree(*a->pointer);
    *a->pointer = larger;
    d->bytes += a->bytes - *have;
    *have = a->bytes;
    return cudaSuccess;
}

// The two of kept contacts change places, and keep their sizes.
static pliant_result reserve(device* d, device_contacts* c)
{
    array list[ARRAYS];
    int count = 0;
    cudaError_t error = cudaSuccess;
    list_fixed(c, list, &count);
    list_found(c, list, &count);
    for (int i = 0; i < count && !error; ++i) error = grow_array(d, &list[i], &c->have[i]);
    return cuda_check(error, "contacts between bodies");
}

pliant_result device_add_contacts(device* d, device_contacts** out)
{
    device_contacts* c = (device_contacts*)mem_alloc_zero(sizeof *c);
    *out = NULL;
    if (!c) return PLIANT_ERROR_MEMORY;
    ON_DEVICE(d);
    cudaError_t error = cudaMalloc((void**)&c->there, sizeof *c->there);
    if (!error) error = cudaMallocHost((void**)&c->report, sizeof *c->report);
    if (error) {
        device_remove_contacts(d, c);
        return cuda_check(error, "contacts between bodies");
    }
    memset(c->report, 0, sizeof *c->report);
    *out = c;
    return PLIANT_OK;
}

static void discard_arrays(device* d, device_contacts* c)
{
    array list[ARRAYS];
    int count = 0;
    if (c->scalar_bytes == 0) return;
    list_fixed(c, list, &count);
    list_found(c, list, &count);
    for (int i = 0; i < count; ++i) {
        cudaFree(*list[i].pointer);
        d->bytes -= c->have[i];
    }
    cudaFree(c->extras);
    d->bytes -= c->extra_bytes;
}

void device_remove_contacts(device* d, device_contacts* c)
{
    if (!c) return;
    ON_DEVICE(d);
    device_wait(d);
    forget_contacts(d, c);
    discard_arrays(d, c);
    cudaFree(c->there);
    cudaFreeHost(c->report);
    for (int i = 0; i < 2; ++i) cudaFreeHost(c->bounds[i]);
    mem_free(c->body);
    mem_free(c);
}

// ---- surfaces -----------------------------------------------------------------------------------

void discard_surface(device* d, plan_surface* s)
{
    if (!s) return;
    cudaFree(s->memory);
    d->bytes -= s->bytes;
    mem_free(s);
}

static cudaError_t upload_parts(const layout* l)
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < l->count && !error; ++i)
        error = cudaMemcpy(*l->part[i].pointer, l->part[i].source, l->part[i].bytes,
                           cudaMemcpyHostToDevice);
    return error;
}

static void list_surface(const contact_body* b, contact_surface* there, plan_surface* out,
                         layout* l)
{
    const contact_surface* s = b->surface;
    const copies* k = &b->plan->copies;
    size_t particles = (size_t)b->plan->particle_count, points = (size_t)s->point_count;
    layout_add(l, &out->surface, there, 1, sizeof *there);
    layout_add(l, (void**)&there->particle, s->particle, points, sizeof(int));
    layout_add(l, (void**)&there->element, s->element, (size_t)s->element_count,
               sizeof *s->element);
    layout_add(l, (void**)&there->edge, s->edge, (size_t)s->edge_count, sizeof *s->edge);
    layout_add(l, (void**)&there->neighbor_start, s->neighbor_start, points + 1, sizeof(int));
    layout_add(l, (void**)&there->neighbor, s->neighbor, (size_t)s->neighbor_start[points],
               sizeof(int));
    layout_add(l, (void**)&there->rest, s->rest, 3 * particles, sizeof(double));
    layout_add(l, &out->row, b->row, points, sizeof(int));
    if (!k->start) return;
    layout_add(l, &out->copy_start, k->start, particles + 1, sizeof(int));
    layout_add(l, &out->copy, k->row, (size_t)k->start[particles], sizeof(int));
}

static pliant_result upload_surface(device* d, plan_entry* e, const contact_body* b)
{
    if (e->contact) return PLIANT_OK;
    layout l = {0};
    contact_surface there = *b->surface;
    plan_surface* s = (plan_surface*)mem_alloc_zero(sizeof *s);
    if (!s) return PLIANT_ERROR_MEMORY;
    list_surface(b, &there, s, &l);
    there.source = NULL;
    cudaError_t error = cudaMalloc(&s->memory, l.bytes);
    if (!error) layout_place(&l, s->memory);
    if (!error) error = upload_parts(&l);
    if (!error) error = cudaStreamSynchronize(NULL);
    if (error) {
        cudaFree(s->memory);
        mem_free(s);
        return cuda_check(error, "the surface of a body");
    }
    s->bytes = l.bytes;
    d->bytes += s->bytes;
    e->contact = s;
    return PLIANT_OK;
}

// ---- bodies -------------------------------------------------------------------------------------

// A body as kernels see it. Boxes come later.
static contact_body translate(const contact_body* b, const device_copy* copy)
{
    const plan_surface* of = copy->plan->contact;
    contact_body out;
    memset(&out, 0, sizeof out); // with all of its padding: it is compared
    out.surface = (const contact_surface*)of->surface;
    out.at.row = copy->s.row;
    out.at.velocity = copy->s.velocity;
    out.at.residue = copy->s.residue;
    out.at.contact = copy->s.contact;
    out.at.past = copy->s.past;
    out.at.lift = copy->s.lift;
    out.at.copy_start = (const int*)of->copy_start;
    out.at.copy = (const int*)of->copy;
    memcpy(out.at.past_h, b->at.past_h, sizeof out.at.past_h);
    out.row = (int*)of->row;
    out.slot = b->slot;
    out.group = b->group;
    out.mask = b->mask;
    out.self = b->self;
    out.radius = b->radius;
    out.stick = b->stick;
    out.slip = b->slip;
    out.restitution = b->restitution;
    out.compliance = b->compliance;
    out.meets = true;
    out.first_point = b->first_point;
    out.first_element = b->first_element;
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
    for (int i = 0; i < s->set.body_count; ++i) {
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
    for (int i = 0; i < s->set.body_count && !error; ++i) {
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

// What only depends on which bodies there are.
static cudaError_t upload_numbers(device_contacts* c, const contact_system* s,
                                  device_copy* const* copy)
{
    device_meeting* m = &c->here;
    size_t bodies = (size_t)s->set.body_count;
    int* leaf = (int*)mem_array(bodies + 1, sizeof(int));
    int* slot = (int*)mem_array(bodies, sizeof(int));
    way_box* ways = (way_box*)mem_array(bodies, sizeof *ways);
    cudaError_t error = leaf && slot && ways ? cudaSuccess : cudaErrorMemoryAllocation;
    for (size_t i = 0; i <= bodies && !error; ++i) {
        leaf[i] = i ? leaf[i - 1] + s->set.body[i - 1].surface->leaf_count : 0;
        if (i == bodies) break;
        slot[i] = copy[i]->slot;
        for (int k = 0; k < 3; ++k) {
            ways[i].low[k] = INT32_MAX;
            ways[i].high[k] = INT32_MIN;
        }
        ways[i].bad = 0;
    }
    const enum cudaMemcpyKind up = cudaMemcpyHostToDevice;
    if (!error) error = cudaMemcpy(m->leaf_start, leaf, (bodies + 1) * sizeof(int), up);
    if (!error) error = cudaMemcpy((void*)m->slot, slot, bodies * sizeof(int), up);
    if (!error) error = cudaMemcpy(m->ways, ways, bodies * sizeof *ways, up);
    if (!error)
        error =
            cudaMemcpy(m->set.owner, s->set.owner, (size_t)s->set.point_count * sizeof(int), up);
    if (!error) error = cudaMemset(m->set.loaded, 0, (size_t)s->set.point_count * sizeof(unsigned));
    if (!error) error = cudaMemset(m->visited, 0, (size_t)c->leaf_count * sizeof(int));
    mem_free(leaf);
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

// Room for a first try: lists that are too short are made longer while a world runs.
static void guess_room(meeting_room* r, const contact_set* s)
{
    r->partners = most_of(r->partners, 8 * s->body_count + 64);
    r->looks = most_of(r->looks, 4 * s->element_count + 4096);
    r->near = most_of(r->near, 8 * s->element_count + 4096);
    r->pairs = most_of(r->pairs, 2 * s->point_count + 4096);
    r->kept = most_of(r->kept, 2 * r->pairs);
}

static void count_sizes(device_contacts* c, const contact_system* s)
{
    contact_set* set = &c->here.set;
    set->body_count = s->set.body_count;
    set->point_count = s->set.point_count;
    set->element_count = s->set.element_count;
    set->first_collider = set->body_count; // colliders meet particles alone
    c->leaf_count = c->box_count = 0;
    c->bounces = false;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_surface* of = s->set.body[i].surface;
        c->leaf_count += of->leaf_count;
        c->box_count += 2 * of->leaf_count + of->element_count;
    }
    guess_room(&c->here.room, set);
}

// ---- bounds -------------------------------------------------------------------------------------

static cudaError_t reserve_bounds(device_contacts* c, int bodies)
{
    cudaError_t error = cudaSuccess;
    c->bounds_known[0] = c->bounds_known[1] = false;
    if (bodies <= c->bounds_capacity) return cudaSuccess;
    c->bounds_capacity = 0;
    for (int i = 0; i < 2 && !error; ++i) {
        cudaFreeHost(c->bounds[i]);
        c->bounds[i] = NULL;
        error = cudaMallocHost((void**)&c->bounds[i], (size_t)bodies * sizeof *c->bounds[i]);
    }
    if (!error) c->bounds_capacity = bodies;
    return error;
}

cudaError_t contacts_report_bounds(const device* d, device_contacts* c, int turn)
{
    c->bounds_known[turn] = true;
    return cudaMemcpyAsync(c->bounds[turn], c->here.bounds,
                           (size_t)c->here.set.body_count * sizeof *c->bounds[turn],
                           cudaMemcpyDeviceToHost, d->report);
}

void device_forget_bounds(device_contacts* c) { c->bounds_known[0] = c->bounds_known[1] = false; }

// Of the last step if it is done, else of the one before, which is.
const body_bounds* device_read_bounds(const device* d, const device_contacts* c, int* out_age)
{
    int last = !d->turn;
    const staging* g = &d->staging[last];
    bool done = c->bounds_known[last] && (!g->used || cudaEventQuery(g->done) == cudaSuccess);
    cudaGetLastError();
    *out_age = done ? 1 : 2;
    if (done) return c->bounds[last];
    if (!c->bounds_known[0] || !c->bounds_known[1]) return NULL;
    return cudaEventSynchronize(d->staging[d->turn].done) ? NULL : c->bounds[d->turn];
}

// ---- what pairs remember ------------------------------------------------------------------------

static cudaError_t upload_kept(device* d, device_contacts* c, const contact_system* s)
{
    device_meeting* m = &c->here;
    size_t count = (size_t)s->kept_count;
    m->kept_count = s->kept_count;
    m->paired = false;
    m->set.pair_count = m->set.live_count = m->set.crossed_count = 0;
    m->last_h = s->last_h;
    cudaError_t error = cudaMemcpyAsync(m->kept, s->kept, count * sizeof *m->kept,
                                        cudaMemcpyHostToDevice, d->stream);
    return error ? error : cudaMemsetAsync(m->alive, 1, count, d->stream);
}

// ---- descriptions -------------------------------------------------------------------------------

static pliant_result translate_bodies(device* d, device_contacts* c, const contact_system* s,
                                      device_copy* const* copy, contact_body* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->set.body_count && !result; ++i) {
        result = upload_surface(d, copy[i]->plan, &s->set.body[i]);
        if (result) return result;
        out[i] = translate(&s->set.body[i], copy[i]);
        c->bounces = c->bounces || out[i].restitution > 0;
    }
    return result;
}

// Bodies as they were described before, apart from what kernels change.
static bool is_known(const device_contacts* c, const contact_system* s, const contact_body* body,
                     uint64_t extras)
{
    return c->here.set.body_count == s->set.body_count && c->extra_hash == extras &&
           c->here.set.rest_speed == s->set.rest_speed &&
           c->here.set.exit_speed == s->set.exit_speed && c->here.fresh == s->fresh &&
           c->here.passes == s->passes &&
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

static cudaError_t write_meeting(device* d, device_contacts* c)
{
    device_meeting* m = &c->here;
    m->set.flags = &c->there->flags;
    m->diverged = d->diverged;
    cudaError_t error = cudaMemcpyAsync(c->there, m, sizeof *m, cudaMemcpyHostToDevice, d->stream);
    return error ? error : cudaStreamSynchronize(d->stream);
}

static cudaError_t read_meeting(device* d, device_contacts* c)
{
    cudaError_t error =
        cudaMemcpyAsync(&c->here, c->there, sizeof c->here, cudaMemcpyDeviceToHost, d->stream);
    return error ? error : cudaStreamSynchronize(d->stream);
}

// Other bodies than before, or other numbers of theirs.
static pliant_result describe(device* d, device_contacts* c, const contact_system* s,
                              device_copy* const* copy, contact_body* body, bool kept)
{
    device_meeting* m = &c->here;
    pliant_result result = device_wait(d);
    if (result) return result;
    cudaError_t error = c->scalar_bytes ? read_meeting(d, c) : cudaSuccess;
    if (error) return cuda_check(error, "contacts between bodies");
    c->scalar_bytes = s->scalar_bytes;
    count_sizes(c, s);
    m->room.kept = most_of(m->room.kept, s->kept_count);
    for (int i = 0; i < s->set.body_count; ++i) c->bounces |= body[i].restitution > 0;
    result = reserve(d, c);
    if (result) return result;
    m->set.rest_speed = s->set.rest_speed;
    m->set.exit_speed = s->set.exit_speed;
    m->fresh = s->fresh;
    m->passes = s->passes;
    m->listed = m->stopped = false;
    m->look_for_crossed = m->look_for_crossed || s->look_for_crossed;
    error = reserve_bounds(c, s->set.body_count);
    if (!error) error = write_bodies(d, c, s, copy, body);
    if (!error && kept) error = upload_kept(d, c, s);
    if (!error) error = write_meeting(d, c);
    return cuda_check(error, "contacts between bodies");
}

pliant_result device_describe_contacts(device* d, device_contacts* c, const contact_system* s,
                                       device_copy* const* copy, bool kept)
{
    size_t bytes, count = (size_t)s->set.body_count;
    int before = c->body_capacity;
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

// ---- steps --------------------------------------------------------------------------------------

cudaError_t contacts_report(const device* d, device_contacts* c)
{
    return cudaMemcpyAsync(c->report, c->there, sizeof *c->report, cudaMemcpyDeviceToHost,
                           d->report);
}

bool contacts_need_more(const device_contacts* c) { return c->report->stopped; }

int device_count_crossed(const device_contacts* c) { return c->report->set.crossed_count; }

static int larger(int room, int needed)
{
    return needed > room ? (int)(needed + (int64_t)needed / 2 < INT32_MAX / 8 ? needed + needed / 2
                                                                              : INT32_MAX / 8)
                         : room;
}

static pliant_result make_room(device* d, device_contacts* c)
{
    meeting_room *r = &c->here.room, *needed = &c->here.needed;
    if (needed->pairs >= INT32_MAX / 8 || needed->near >= INT32_MAX / 8 ||
        needed->looks >= INT32_MAX / 8)
        return fail(PLIANT_ERROR_MEMORY,
                    "%d pairs of surfaces are near each other: more than a list of contacts can "
                    "hold; use smaller thicknesses or fewer elements",
                    most_of(needed->pairs, needed->near));
    r->partners = larger(r->partners, needed->partners);
    r->looks = larger(r->looks, needed->looks);
    r->near = larger(r->near, needed->near);
    r->pairs = larger(r->pairs, needed->pairs);
    r->kept = most_of(larger(r->kept, needed->kept), 2 * r->pairs);
    memset(needed, 0, sizeof *needed);
    return reserve(d, c);
}

pliant_result contacts_start_again(device* d, device_contacts* c)
{
    device_meeting* m = &c->here;
    cudaError_t error = read_meeting(d, c);
    if (error) return cuda_check(error, "contacts between bodies");
    pliant_result result = make_room(d, c);
    if (result) return result;
    m->stopped = m->listed = false;
    if (m->started) {
        size_t count = (size_t)m->kept_before_count;
        m->kept_count = m->kept_before_count;
        m->last_h = m->last_h_before;
        m->paired = false;
        m->set.pair_count = m->set.live_count = 0;
        error = cudaMemcpyAsync(m->kept, m->kept_before, count * sizeof *m->kept,
                                cudaMemcpyDeviceToDevice, d->stream);
        if (!error) error = cudaMemsetAsync(m->alive, 1, count, d->stream);
    }
    if (!error) error = write_meeting(d, c);
    return cuda_check(error, "contacts between bodies");
}

// ---- for readers --------------------------------------------------------------------------------

static cudaError_t bring(device* d, void* to, const void* from, int count, size_t each)
{
    if (count == 0) return cudaSuccess;
    return cudaMemcpyAsync(to, from, (size_t)count * each, cudaMemcpyDeviceToHost, d->stream);
}

// Those that a pair took are gone.
static void drop_taken(contact_system* s, const unsigned char* alive)
{
    int left = 0;
    for (int i = 0; i < s->kept_count; ++i)
        if (alive[i]) s->kept[left++] = s->kept[i];
    s->kept_count = left;
}

static pliant_result read_lists(device* d, const device_meeting* m, contact_system* s,
                                unsigned char* alive)
{
    size_t state_bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    cudaError_t error = bring(d, s->set.pair, m->set.pair, m->set.pair_count, sizeof *m->set.pair);
    if (!error) error = bring(d, s->set.contact, m->set.contact, m->set.pair_count, state_bytes);
    if (!error) error = bring(d, s->kept, m->kept, m->kept_count, sizeof *m->kept);
    if (!error) error = bring(d, alive, m->alive, m->kept_count, 1);
    if (!error)
        error = bring(d, s->set.crossed, m->set.crossed, m->set.crossed_count, sizeof(uint64_t));
    if (!error) error = cudaStreamSynchronize(d->stream);
    if (error) return cuda_check(error, "copying contacts from the GPU");
    s->set.pair_count = m->set.pair_count;
    s->set.crossed_count = m->set.crossed_count;
    s->kept_count = m->kept_count;
    drop_taken(s, alive);
    return PLIANT_OK;
}

static bool reserve_lists(const device_meeting* m, contact_system* s)
{
    size_t state_bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    return mem_reserve((void**)&s->set.pair, &s->pair_capacity, m->set.pair_count,
                       sizeof *s->set.pair) &&
           mem_reserve(&s->set.contact, &s->contact_capacity, m->set.pair_count, state_bytes) &&
           mem_reserve((void**)&s->kept, &s->kept_capacity, m->kept_count, sizeof *s->kept) &&
           mem_reserve((void**)&s->set.crossed, &s->crossed_capacity, m->set.crossed_count,
                       sizeof *s->set.crossed);
}

pliant_result device_read_contacts(device* d, device_contacts* c, contact_system* s)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    cudaError_t error = read_meeting(d, c);
    const device_meeting* m = &c->here;
    if (error) return cuda_check(error, "copying contacts from the GPU");
    unsigned char* alive = (unsigned char*)mem_array((size_t)m->kept_count + 1, 1);
    result = alive && reserve_lists(m, s) ? read_lists(d, m, s, alive) : PLIANT_ERROR_MEMORY;
    mem_free(alive);
    if (result) return result;
    s->paired = m->paired;
    s->last_h = m->last_h;
    s->flags = m->flags;
    s->set.guarded_rounds = m->set.guarded_rounds;
    s->set.squeezed = m->set.squeezed;
    s->figures.lists = m->lists;
    s->figures.find = 1e-9 * (double)m->spent[SPENT_FINDING];
    s->figures.solve = 1e-9 * (double)m->spent[SPENT_SOLVING];
    s->figures.guard = 1e-9 * (double)m->spent[SPENT_GUARDING];
    return PLIANT_OK;
}
