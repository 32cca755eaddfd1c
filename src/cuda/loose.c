// Loose particles on a device: what it is told of them, and what is read of their contacts.
#include "contact/loose_entries.h"
#include "contact/loose_reach.h"
#include "cuda/contacts_internal.h"

static int block_count(int particles) { return (particles + LOOSE_BLOCK - 1) / LOOSE_BLOCK; }

// ---- what the device is told --------------------------------------------------------------------

static bool meet_alike(const contact_body* a, const contact_body* b)
{
    return a->stick == b->stick && a->slip == b->slip && a->compliance == b->compliance &&
           a->restitution == b->restitution && a->rolling == b->rolling;
}

static bool stores_any(const contact_system* s)
{
    bool any = false;
    for (int i = 0; i < s->kept_count && !any; ++i) any = s->kept[i].stored > 0;
    return any;
}

void loose_describe_there(device_contacts* c, const contact_system* s, bool forget)
{
    device_loose* l = &c->here.loose;
    loose_pairs* p = &c->here.set.loose;
    l->count = s->loose.count;
    l->bodies = 0;
    l->only = p->alike = l->count > 0;
    for (int i = 0; i < s->set.first_collider && l->count > 0; ++i) {
        const contact_body* b = &s->set.body[i];
        l->only = l->only && b->surface->loose;
        if (!b->surface->loose) continue;
        l->bodies = i + 1;
        p->alike = p->alike && meet_alike(b, &s->set.body[0]);
        p->stores = p->stores || b->restitution > 0;
    }
    l->mixes = loose_all_may_touch(&s->set);
    l->cells.count = l->count;
    l->cells.cell_bits = cell_bits_for(l->count);
    l->due = true;
    if (!forget) return;
    p->count = 0;
    p->stores = p->stores || stores_any(s);
}

void loose_point_there(device_meeting* m)
{
    const loose_list_memory* of = &m->loose.list[m->set.loose.turn];
    m->set.loose.neighbors = of->neighbors;
    m->set.loose.start = of->start;
    m->set.loose.other = of->other;
    m->set.loose.number = of->number;
    m->set.loose.flags = of->flags;
}

static size_t entry_bytes(const device_contacts* c)
{
    return LOOSE_NUMBERS * (size_t)c->scalar_bytes;
}

cudaError_t loose_start_again(device* d, device_contacts* c)
{
    device_loose* l = &c->here.loose;
    const loose_list_memory *from = &l->list[LOOSE_SAVED], *to = &l->list[0];
    const enum cudaMemcpyKind way = cudaMemcpyDeviceToDevice;
    size_t count = (size_t)l->saved_count, blocks = (size_t)block_count(l->saved_count);
    int rows = 0;
    c->here.set.loose.turn = c->here.set.loose.age = 0;
    c->here.set.loose.count = l->saved_count;
    l->due = true;
    if (count == 0) return cudaSuccess;
    cudaError_t error =
        cudaMemcpy(&rows, from->start + blocks, sizeof rows, cudaMemcpyDeviceToHost);
    size_t entries = (size_t)rows * LOOSE_BLOCK;
    if (!error)
        error =
            cudaMemcpyAsync(to->neighbors, from->neighbors, count * sizeof(int), way, d->stream);
    if (!error)
        error = cudaMemcpyAsync(to->start, from->start, (blocks + 1) * sizeof(int), way, d->stream);
    if (error || entries == 0) return error;
    error = cudaMemcpyAsync(to->other, from->other, entries * sizeof(int), way, d->stream);
    if (!error)
        error = cudaMemcpyAsync(to->number, from->number, entries * entry_bytes(c), way, d->stream);
    return error ? error : cudaMemcpyAsync(to->flags, from->flags, entries, way, d->stream);
}

// ---- what is read -------------------------------------------------------------------------------

// Bytes of entries become bits of rows.
static void take_flags(const loose_pairs* p, const unsigned char* flags, size_t entries)
{
    for (size_t i = 0; i < entries; ++i)
        for (loose_flag which = LOOSE_ACTIVE; which < LOOSE_FLAGS; ++which)
            if (flags[i] >> which & 1) loose_say(p, i, which);
}

static cudaError_t bring(device* d, void* to, const void* from, size_t bytes)
{
    return bytes ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream)
                 : cudaSuccess;
}

static cudaError_t bring_points(device* d, const contact_set* from, contact_system* s)
{
    size_t bytes = 4 * (size_t)s->scalar_bytes * (size_t)from->loose.count;
    cudaError_t error = bring(d, s->set.place, from->place, bytes);
    if (!error) error = bring(d, s->set.increment, from->increment, bytes);
    return error ? error : bring(d, s->set.residue, from->residue, bytes);
}

static cudaError_t bring_list(device* d, const contact_set* from, contact_system* s,
                              unsigned char* flags, int rows)
{
    loose_pairs* p = &s->set.loose;
    size_t count = (size_t)from->loose.count, entries = (size_t)rows * LOOSE_BLOCK;
    size_t numbers = entries * LOOSE_NUMBERS * (size_t)s->scalar_bytes;
    size_t starts = (size_t)block_count(from->loose.count) + 1;
    cudaError_t error = bring(d, p->neighbors, from->loose.neighbors, count * sizeof(int));
    if (!error) error = bring(d, p->start, from->loose.start, starts * sizeof(int));
    if (!error) error = bring(d, p->other, from->loose.other, entries * sizeof(int));
    if (!error) error = bring(d, p->number, from->loose.number, numbers);
    if (!error) error = bring(d, flags, from->loose.flags, entries);
    if (!error) error = bring_points(d, from, s);
    return error ? error : cudaStreamSynchronize(d->stream);
}

pliant_result loose_read(device* d, const device_meeting* m, contact_system* s)
{
    int count = m->set.loose.count, rows = 0;
    if (count == 0) {
        loose_forget(s);
        return PLIANT_OK;
    }
    cudaError_t error = cudaMemcpy(&rows, m->set.loose.start + block_count(count), sizeof rows,
                                   cudaMemcpyDeviceToHost);
    if (error) return cuda_check(error, "copying contacts from the GPU");
    size_t entries = (size_t)rows * LOOSE_BLOCK;
    unsigned char* flags = (unsigned char*)mem_array(entries + 1, 1);
    if (!flags || !loose_reserve(s, count, rows)) {
        mem_free(flags);
        return PLIANT_ERROR_MEMORY;
    }
    error = bring_list(d, &m->set, s, flags, rows);
    if (!error) take_flags(&s->set.loose, flags, entries);
    mem_free(flags);
    return cuda_check(error, "copying contacts from the GPU");
}
