#include "cuda/contacts_internal.h"
#include <string.h>

device_meeting* contacts_there(const device_contacts* c) { return c->there; }
int contacts_scalar_bytes(const device_contacts* c) { return c->scalar_bytes; }
int contacts_body_count(const device_contacts* c) { return c->here.set.body_count; }
bool contacts_bounce(const device_contacts* c) { return c->bounces; }
bool contacts_are_loose(const device_contacts* c)
{
    const contact_set* s = &c->here.set;
    return c->here.loose.only && s->body_count == s->first_collider;
}
bool contacts_are_rigid(const device_contacts* c) { return c->here.set.rigid_count > 0; }
const contact_told* contacts_told(const device_contacts* c) { return &c->told; }

cudaError_t contacts_write(device* d, device_contacts* c)
{
    device_meeting* m = &c->here;
    m->set.flags = &c->there->flags;
    loose_point_there(m);
    m->diverged = d->diverged;
    cudaError_t error = cudaMemcpyAsync(c->there, m, sizeof *m, cudaMemcpyHostToDevice, d->stream);
    return error ? error : cudaStreamSynchronize(d->stream);
}

cudaError_t contacts_read(device* d, device_contacts* c)
{
    cudaError_t error =
        cudaMemcpyAsync(&c->here, c->there, sizeof c->here, cudaMemcpyDeviceToHost, d->stream);
    return error ? error : cudaStreamSynchronize(d->stream);
}

// ---- bounds -------------------------------------------------------------------------------------

cudaError_t contacts_reserve_bounds(device_contacts* c, int bodies)
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
    int listed = most_of(needed->listed[0], needed->listed[1]);
    if (needed->rows >= INT32_MAX / LOOSE_BLOCK)
        return fail(PLIANT_ERROR_MEMORY,
                    "about %lld loose particles are near each other: more than a list can hold; "
                    "use smaller radii or fewer particles at one place",
                    (long long)needed->rows * LOOSE_BLOCK);
    if (needed->pairs >= INT32_MAX / 8 || listed >= INT32_MAX / 8 ||
        needed->chunks >= INT32_MAX / 8)
        return fail(PLIANT_ERROR_MEMORY,
                    "%d pairs of surfaces are near each other: more than a list of contacts can "
                    "hold; use smaller thicknesses or fewer elements",
                    most_of(needed->pairs, listed));
    r->partners = larger(r->partners, needed->partners);
    r->chunks = larger(r->chunks, needed->chunks);
    for (int k = 0; k < 2; ++k) r->listed[k] = larger(r->listed[k], needed->listed[k]);
    r->pairs = larger(r->pairs, needed->pairs);
    r->kept = most_of(larger(r->kept, needed->kept), 2 * r->pairs);
    r->rows = larger(r->rows, needed->rows);
    memset(needed, 0, sizeof *needed);
    return contacts_reserve(d, c);
}

pliant_result contacts_start_again(device* d, device_contacts* c)
{
    device_meeting* m = &c->here;
    cudaError_t error = contacts_read(d, c);
    if (error) return cuda_check(error, "contacts between bodies");
    pliant_result result = make_room(d, c);
    if (result) return result;
    m->stopped = m->listed[0] = m->listed[1] = false;
    memset(m->cursor, 0, sizeof m->cursor);
    m->again = m->started;
    if (m->started) {
        error = loose_start_again(d, c);
        if (error) return cuda_check(error, "contacts between bodies");
        size_t count = (size_t)m->kept_before_count;
        m->kept_count = m->kept_before_count;
        m->last_h = m->last_h_before;
        m->paired = false;
        m->set.pair_count = m->set.live_count = 0;
        m->set.touch_count = m->set.hold_count = 0;
        error = cudaMemcpyAsync(m->kept, m->kept_before, count * sizeof *m->kept,
                                cudaMemcpyDeviceToDevice, d->stream);
        if (!error) error = cudaMemsetAsync(m->alive, 1, count, d->stream);
        size_t marks = (size_t)m->set.first_collider * (size_t)m->columns;
        if (!error && marks)
            error = cudaMemcpyAsync(m->swept, m->swept_before, marks, cudaMemcpyDeviceToDevice,
                                    d->stream);
    }
    if (!error) error = contacts_write(d, c);
    return cuda_check(error, "contacts between bodies");
}
