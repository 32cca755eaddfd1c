// What contacts left on a device, for readers.
#include "base/memory.h"
#include "cuda/contacts_internal.h"
#include <stdlib.h>
#include <string.h>

static cudaError_t bring(device* d, void* to, const void* from, int count, size_t each)
{
    if (count == 0) return cudaSuccess;
    return cudaMemcpyAsync(to, from, (size_t)count * each, cudaMemcpyDeviceToHost, d->stream);
}

static int kept_by_key(const void* a, const void* b)
{
    uint64_t one = ((const kept_contact*)a)->key, two = ((const kept_contact*)b)->key;
    return (one > two) - (one < two);
}

// Those that a pair took are gone.
static void drop_taken(contact_system* s, const unsigned char* alive)
{
    int left = 0;
    for (int i = 0; i < s->kept_count; ++i)
        if (alive[i]) s->kept[left++] = s->kept[i];
    s->kept_count = left;
    qsort(s->kept, (size_t)left, sizeof *s->kept, kept_by_key);
}

// ---- the order of keys --------------------------------------------------------------------------

// Kernels have pairs in any order, readers in that of their keys.
typedef struct {
    uint64_t key;
    int place, rank;
} ranked_pair;

static int ranked_by_key(const void* a, const void* b)
{
    uint64_t one = ((const ranked_pair*)a)->key, two = ((const ranked_pair*)b)->key;
    return (one > two) - (one < two);
}
static int in_order(const void* a, const void* b)
{
    int one = *(const int*)a, two = *(const int*)b;
    return (one > two) - (one < two);
}

static void move_items(void* items, size_t bytes, const ranked_pair* r, int count, char* moved)
{
    const char* from = (const char*)items;
    for (int i = 0; i < count; ++i)
        memcpy(moved + (size_t)i * bytes, from + (size_t)r[i].place * bytes, bytes);
    memcpy(items, moved, (size_t)count * bytes);
}

static bool sort_pairs(contact_set* s, size_t state_bytes)
{
    size_t count = (size_t)s->pair_count, most = sizeof *s->pair;
    if (state_bytes > most) most = state_bytes;
    ranked_pair* r = (ranked_pair*)mem_array(count + 1, sizeof *r);
    char* moved = (char*)mem_array(count + 1, most);
    bool good = r && moved;
    for (int i = 0; i < s->pair_count && good; ++i) r[i] = (ranked_pair){s->pair[i].key, i, 0};
    if (good) {
        qsort(r, count, sizeof *r, ranked_by_key);
        for (int i = 0; i < s->pair_count; ++i) r[r[i].place].rank = i;
        move_items(s->pair, sizeof *s->pair, r, s->pair_count, moved);
        move_items(s->contact, state_bytes, r, s->pair_count, moved);
        for (int i = 0; i < s->touch_count; ++i) s->touch[i] = r[s->touch[i]].rank;
        qsort(s->touch, (size_t)s->touch_count, sizeof *s->touch, in_order);
    }
    mem_free(r);
    mem_free(moved);
    return good;
}

// ---- reading ------------------------------------------------------------------------------------

static pliant_result read_lists(device* d, const device_meeting* m, contact_system* s,
                                unsigned char* alive)
{
    size_t state_bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    cudaError_t error = bring(d, s->set.pair, m->set.pair, m->set.pair_count, sizeof *m->set.pair);
    if (!error) error = bring(d, s->set.contact, m->set.contact, m->set.pair_count, state_bytes);
    if (!error) error = bring(d, s->set.touch, m->set.touch, m->set.touch_count, sizeof(int));
    if (!error) error = bring(d, s->kept, m->kept, m->kept_count, sizeof *m->kept);
    if (!error) error = bring(d, alive, m->alive, m->kept_count, 1);
    if (!error)
        error = bring(d, s->set.crossed, m->set.crossed, m->set.crossed_count, sizeof(uint64_t));
    if (!error) error = cudaStreamSynchronize(d->stream);
    if (error) return cuda_check(error, "copying contacts from the GPU");
    s->set.pair_count = m->set.pair_count;
    s->set.touch_count = m->set.touch_count;
    s->set.hold_count = m->set.hold_count;
    s->set.crossed_count = m->set.crossed_count;
    s->kept_count = m->kept_count;
    drop_taken(s, alive);
    return sort_pairs(&s->set, state_bytes) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static bool reserve_lists(const device_meeting* m, contact_system* s)
{
    size_t state_bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    return mem_reserve((void**)&s->set.pair, &s->pair_capacity, m->set.pair_count,
                       sizeof *s->set.pair) &&
           mem_reserve(&s->set.contact, &s->contact_capacity, m->set.pair_count, state_bytes) &&
           mem_reserve((void**)&s->set.touch, &s->touching_list_capacity, m->set.touch_count,
                       sizeof *s->set.touch) &&
           mem_reserve((void**)&s->kept, &s->kept_capacity, m->kept_count, sizeof *s->kept) &&
           mem_reserve((void**)&s->set.crossed, &s->crossed_capacity, m->set.crossed_count,
                       sizeof *s->set.crossed);
}

pliant_result device_read_contacts(device* d, device_contacts* c, contact_system* s)
{
    pliant_result result = device_wait(d);
    if (result) return result;
    ON_DEVICE(d);
    cudaError_t error = contacts_read(d, c);
    const device_meeting* m = &c->here;
    if (error) return cuda_check(error, "copying contacts from the GPU");
    unsigned char* alive = (unsigned char*)mem_array((size_t)m->kept_count + 1, 1);
    result = alive && reserve_lists(m, s) ? read_lists(d, m, s, alive) : PLIANT_ERROR_MEMORY;
    mem_free(alive);
    if (!result) result = loose_read(d, m, s);
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
