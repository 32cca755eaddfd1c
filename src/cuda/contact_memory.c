// Memory of the contacts of a world on a device.
#include "contact/manifold.h"
#include "cuda/contacts_internal.h"
#include <string.h>

// ---- arrays -------------------------------------------------------------------------------------

// An array of the device, as large as it has to be.
typedef struct {
    void** pointer;
    size_t bytes;
    bool keeps; // what is in it, when it grows
} array;

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
    size_t row = 4 * (size_t)c->scalar_bytes, elements = (size_t)s->element_count;
    add(out, count, &s->body, bodies, sizeof *s->body, false);
    add(out, count, &s->place, points, row, false);
    add(out, count, &s->increment, points, row, false);
    add(out, count, &s->residue, points, row, false);
    add(out, count, &s->velocity, points, row, false);
    add(out, count, &s->owner, points, sizeof(int), false);
    add(out, count, &s->loaded, points, sizeof(unsigned), false);
    add(out, count, &s->live, points, sizeof(int), false);
    add(out, count, &s->course, points, row, false);
    add(out, count, &s->going, points, sizeof *s->going, false);
    add(out, count, &s->swerve, points, sizeof *s->swerve, false);
    add(out, count, &m->courses, points, sizeof *m->courses, true);
    add(out, count, &m->stir_before, bodies, sizeof *m->stir_before, true);
    add(out, count, &s->element_owner, elements, sizeof(int), false);
    add(out, count, &s->way, elements, sizeof *s->way, false);
    for (int k = 0; k < 2; ++k) add(out, count, &s->reach[k], elements, sizeof(float), false);
    add(out, count, &s->touching.start, points, sizeof(int), false);
    add(out, count, &s->touching.end, points, sizeof(int), false);
    add(out, count, &s->holding.start, points, sizeof(int), false);
    add(out, count, &s->holding.end, points, sizeof(int), false);
    add(out, count, &s->zone_of, points, sizeof(int), false);
    add(out, count, &s->zone, points, sizeof *s->zone, false);
    int** of_points[] = {&m->incident, &m->touched, &m->held, &m->more_touched, &m->more_held};
    for (int k = 0; k < 5; ++k) add(out, count, of_points[k], points, sizeof(int), false);
    add(out, count, &m->partner_start, bodies + 1, sizeof(int), false);
    add(out, count, &m->chunk_start, bodies + 1, sizeof(int), false);
    add(out, count, &m->fitted, bodies, sizeof(int), false);
    add(out, count, &m->chunk_body, (size_t)c->chunk_count, sizeof(int), false);
    add(out, count, &m->count, bodies, sizeof(int), false);
    add(out, count, &m->ways, bodies, sizeof *m->ways, false);
    size_t marks = (size_t)s->first_collider * (size_t)m->columns;
    add(out, count, &m->swept, marks, 1, true);
    add(out, count, &m->swept_before, marks, 1, true);
    add(out, count, &m->bounds, bodies, sizeof *m->bounds, false);
    add(out, count, (void*)&m->slot, bodies, sizeof(int), false);
    add(out, count, &c->boxes, (size_t)c->box_count, kernels_of(c)->box_bytes, false);
    size_t blocks = (size_t)kernels_of(c)->blocks() + 1;
    add(out, count, &m->sums, blocks, sizeof *m->sums, false);
}

// Of balls that are sorted by a launch of so many blocks.
static void list_cells(device_cells* c, size_t blocks, array* out, int* count)
{
    size_t balls = (size_t)c->count;
    for (int k = 0; k < 2; ++k) {
        add(out, count, &c->key[k], balls, sizeof(unsigned), false);
        add(out, count, &c->order[k], balls, sizeof(int), false);
    }
    grid_ball** const of[] = {&c->ball, &c->way, &c->sorted_ball, &c->sorted_way};
    for (int k = 0; k < 4; ++k) add(out, count, of[k], balls, sizeof(grid_ball), false);
    add(out, count, &c->histogram, balls ? blocks * CELL_BINS : 0, sizeof(int), false);
    add(out, count, &c->cell, balls ? (size_t)1 << c->cell_bits : 0, sizeof *c->cell, false);
}

// Of loose particles, and of their lists.
static void list_loose(device_contacts* c, array* out, int* count)
{
    device_loose* l = &c->here.loose;
    loose_pairs* p = &c->here.set.loose;
    size_t particles = (size_t)l->count, rows = particles ? (size_t)c->here.room.rows : 0;
    size_t row = 4 * (size_t)c->scalar_bytes, blocks = particles / LOOSE_BLOCK + 2;
    size_t entries = rows * LOOSE_BLOCK, meetings = (size_t)kernels_of(c)->blocks() + 1;
    for (int k = 0; k < LOOSE_LISTS; ++k) {
        bool keeps = k == LOOSE_SAVED;
        loose_list_memory* of = &l->list[k];
        add(out, count, &of->neighbors, particles, sizeof(int), keeps);
        add(out, count, &of->start, particles ? blocks : 0, sizeof(int), keeps);
        add(out, count, &of->other, entries, sizeof(int), keeps);
        add(out, count, &of->number, entries * LOOSE_NUMBERS, (size_t)c->scalar_bytes, keeps);
        add(out, count, &of->flags, entries, 1, keeps);
    }
    list_cells(&l->cells, meetings, out, count);
    add(out, count, &l->found, particles ? blocks * LOOSE_FOUND * LOOSE_BLOCK : 0, sizeof(int),
        false);
    add(out, count, &l->rules, (size_t)l->bodies * (size_t)l->bodies, sizeof *l->rules, false);
    add(out, count, &p->from, 4 * particles, sizeof(float), true);
    add(out, count, &p->course, 4 * particles, sizeof(float), true);
    add(out, count, &p->push, particles, row, false);
    add(out, count, &p->lasting, particles, row, false);
}

// Of what is found.
static void list_found(device_contacts* c, array* out, int* count)
{
    device_meeting* m = &c->here;
    contact_set* s = &m->set;
    const meeting_room* r = &m->room;
    size_t pairs = (size_t)r->pairs, kept = (size_t)r->kept, partners = (size_t)r->partners;
    size_t entries = POINT_ROOM * (size_t)s->point_count + 4 * pairs;
    add(out, count, &s->pair, pairs, sizeof *s->pair, false);
    add(out, count, &s->contact, pairs, kernels_of(c)->state_bytes, false);
    add(out, count, &s->touch, pairs, sizeof(int), false);
    add(out, count, &s->hold, pairs, sizeof(int), false);
    add(out, count, &s->touching.entry, entries, sizeof(int), false);
    add(out, count, &s->holding.entry, entries, sizeof(int), false);
    add(out, count, &m->entry_before, 4 * pairs, sizeof(int), false);
    add(out, count, &m->held_before, 4 * pairs, sizeof(int), false);
    add(out, count, &s->crossed, partners, sizeof *s->crossed, true);
    add(out, count, &m->partner, partners, sizeof(int), false);
    add(out, count, &m->partner_body, partners, sizeof(int), false);
    add(out, count, &m->partner_crossing, partners, sizeof(int), false);
    for (int k = 0; k < 2; ++k) {
        size_t listed = (size_t)r->listed[k];
        add(out, count, &m->list[k].at, listed, kernels_of(c)->listed_bytes, false);
    }
    add(out, count, &m->chunks, (size_t)r->chunks, sizeof *m->chunks, false);
    add(out, count, &m->table, (size_t)m->table_mask + 1, sizeof *m->table, false);
    add(out, count, &m->kept, kept, sizeof *m->kept, true);
    add(out, count, &m->spare, kept, sizeof *m->spare, true);
    add(out, count, &m->kept_before, kept, sizeof *m->kept_before, true);
    add(out, count, &m->alive, kept, 1, true);
}

// Of contacts of rigid bodies.
static void list_manifolds(device_contacts* c, array* out, int* count)
{
    device_manifolds* d = &c->here.manifolds;
    contact_set* s = &c->here.set;
    bool any = s->rigid_count > 0;
    size_t pairs = any ? (size_t)c->here.room.pairs : 0, bodies = any ? (size_t)s->body_count : 0;
    size_t places = any ? (size_t)d->mask + 1 : 0, kept = any ? (size_t)c->here.room.kept : 0;
    size_t colors = any ? pairs + MANIFOLD_COLORS + 2 : 0;
    add(out, count, &d->table, places, sizeof *d->table, false);
    add(out, count, &d->count, places, sizeof(int), false);
    add(out, count, &d->start, places, sizeof(int), false);
    int** const of_pairs[] = {&d->place, &d->pair, &d->pressing, &d->color, &d->beyond, &d->finds};
    for (int k = 0; k < 6; ++k) add(out, count, of_pairs[k], pairs, sizeof(int), false);
    add(out, count, &d->used, any ? 2 * MANIFOLD_COLORS + 1 : 0, sizeof(int), false);
    add(out, count, &d->next, bodies, sizeof *d->next, false);
    add(out, count, &d->taken, bodies, sizeof *d->taken, false);
    add(out, count, &d->lost, kept, sizeof *d->lost, false);
    add(out, count, &d->corner, kept, sizeof *d->corner, false);
    add(out, count, &s->press, pairs, sizeof *s->press, false);
    add(out, count, &s->manifold, pairs, sizeof *s->manifold, false);
    add(out, count, &s->color_start, colors, sizeof(int), false);
    add(out, count, &s->island, bodies, sizeof(int), false);
    add(out, count, &s->rounds, bodies, sizeof *s->rounds, false);
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

// A power of two, so that at least half of the table is free.
static unsigned table_size(int kept)
{
    unsigned size = 64;
    while (size < 2u * (unsigned)kept) size *= 2;
    return size;
}

// The two of kept contacts change places, and keep their sizes.
pliant_result contacts_reserve(device* d, device_contacts* c)
{
    array list[CONTACT_ARRAYS];
    int count = 0;
    cudaError_t error = cudaSuccess;
    c->here.table_mask = table_size(c->here.room.kept) - 1;
    c->here.manifolds.mask = table_size(c->here.room.pairs) - 1;
    list_fixed(c, list, &count);
    list_found(c, list, &count);
    list_loose(c, list, &count);
    list_manifolds(c, list, &count);
    for (int i = 0; i < count && !error; ++i) error = grow_array(d, &list[i], &c->have[i]);
    return cuda_check(error, "contacts between bodies");
}

// ---- all of it ----------------------------------------------------------------------------------

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

void contacts_discard_joined(device* d, device_contacts* c)
{
    cudaFree(c->joined);
    d->bytes -= c->joined_bytes;
    c->joined = NULL;
    c->joined_bytes = 0;
    c->joined_known = 0;
    memset(&c->here.joined, 0, sizeof c->here.joined);
    c->here.set.joined = NULL;
}

static void discard_arrays(device* d, device_contacts* c)
{
    array list[CONTACT_ARRAYS];
    int count = 0;
    if (c->scalar_bytes == 0) return;
    list_fixed(c, list, &count);
    list_found(c, list, &count);
    list_loose(c, list, &count);
    list_manifolds(c, list, &count);
    for (int i = 0; i < count; ++i) {
        cudaFree(*list[i].pointer);
        d->bytes -= c->have[i];
    }
    contacts_discard_joined(d, c);
    contacts_discard_colliders(d, c);
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
    mem_free(c->collider);
    mem_free(c);
}
