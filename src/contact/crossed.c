#include "contact/crossed.h"
#include "base/sort.h"
#include "contact/finding.h"
#include "contact/list.h"
#include <stdio.h>

// b is a collider.
static void tell_collider(const contact_system* s, int a, int b, int count)
{
    bool inside = s->set.body[a].surface->closed || s->set.body[b].surface->closed;
    warn("body %d crosses the surface of collider %d (%d pairs of triangles): %s",
         s->set.body[a].slot, s->set.body[b].slot, count,
         inside ? "it is pulled out" : "they pass through each other until they no longer do");
}

static void tell(const contact_system* s, int a, int b, int count)
{
    if (s->set.body[b].collider) {
        tell_collider(s, a, b, count);
        return;
    }
    bool inside = s->set.body[a].surface->closed || s->set.body[b].surface->closed;
    if (a == b)
        warn("body %d crosses itself (%d pairs of triangles): it passes through itself until it no "
             "longer does",
             s->set.body[a].slot, count);
    else
        warn("bodies %d and %d cross each other (%d pairs of triangles): %s", s->set.body[a].slot,
             s->set.body[b].slot, count,
             inside ? "they are pulled apart"
                    : "they pass through each other until they no longer do; place them apart");
}

typedef struct {
    contact_system* s;
    int a, b;
    int count;
} cross_work;

static void count_in_chunks(void* argument, int first, int last)
{
    cross_work* w = (cross_work*)argument;
    const contact_body* a = &w->s->set.body[w->a];
    for (int i = first; i < last; ++i) {
        const find_chunk* c = &w->s->chunk[a->first_chunk + 2 * i];
        int found = finding_kernels_for(w->s->scalar_bytes)->cross(&w->s->set, c, w->b);
        __atomic_fetch_add(&w->count, found, __ATOMIC_RELAXED);
    }
}

static bool is_known(const uint64_t* before, int count, uint64_t key)
{
    for (int i = 0; i < count; ++i)
        if (before[i] == key) return true;
    return false;
}

// Whether two bodies cross, or one itself; those that were not known to do so are told.
static bool look_at_two(contact_system* s, const uint64_t* before, int before_count, int a, int b)
{
    cross_work w = {s, a, b, 0};
    uint64_t key = crossed_key(a, b);
    int parts = chunk_parts(s->set.body[a].surface);
    split_run(s->exec, count_in_chunks, &w, parts, 1);
    if (w.count == 0) return true;
    if (!is_known(before, before_count, key)) tell(s, a, b, w.count);
    if (!mem_reserve((void**)&s->set.crossed, &s->crossed_capacity, s->set.crossed_count + 1,
                     sizeof *s->set.crossed))
        return false;
    s->set.crossed[s->set.crossed_count++] = key;
    return true;
}

static bool look_at_all(contact_system* s, const uint64_t* before, int before_count)
{
    const partner_list* p = &s->partners;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        if (b->meets && b->self && !b->surface->loose &&
            !look_at_two(s, before, before_count, i, i))
            return false;
        for (int k = p->start[i]; k < p->start[i + 1]; ++k)
            if (!look_at_two(s, before, before_count, i, p->other[k])) return false;
    }
    return true;
}

bool crossed_look(contact_system* s)
{
    int before_count = s->set.crossed_count;
    uint64_t* before = (uint64_t*)mem_array((size_t)before_count + 1, sizeof *before);
    if (!before) return false;
    for (int i = 0; i < before_count; ++i) before[i] = s->set.crossed[i];
    s->set.crossed_count = 0;
    bool good = partners_find(s) && look_at_all(s, before, before_count);
    mem_free(before);
    for (int i = 0; i < s->set.body_count; ++i) s->set.body[i].crossed = false;
    for (int i = 0; i < s->set.crossed_count; ++i) {
        s->set.body[s->set.crossed[i] >> 32].crossed = true;
        s->set.body[s->set.crossed[i] & 0xffffffffu].crossed = true;
    }
    s->look_for_crossed = false;
    return good;
}
