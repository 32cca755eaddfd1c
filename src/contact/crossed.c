#include "contact/crossed.h"
#include "base/sort.h"
#include "contact/finding.h"
#include "contact/list.h"
#include <stdio.h>

static void count_in_chunks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i)
        s->chunk[i].crossing =
            finding_kernels_for(s->scalar_bytes)->cross(&s->set, &s->chunk[i], -1);
}

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

// Partners of the body of a chunk that it crosses.
static bool add_partners(contact_system* s, const uint64_t* before, int before_count, int body)
{
    const partner_list* partners = &s->partners;
    for (int k = partners->start[body]; k < partners->start[body + 1]; ++k) {
        int other = partners->other[k], count = 0;
        for (int i = 0; i < s->chunk_count; ++i)
            if (s->chunk[i].body == body && s->chunk[i].crossing)
                count += finding_kernels_for(s->scalar_bytes)->cross(&s->set, &s->chunk[i], other);
        if (count == 0) continue;
        uint64_t key = crossed_key(body, other);
        bool known = false;
        for (int i = 0; i < before_count; ++i) known = known || before[i] == key;
        if (!known) tell(s, body, other, count);
        if (!mem_reserve((void**)&s->set.crossed, &s->crossed_capacity, s->set.crossed_count + 1,
                         sizeof *s->set.crossed))
            return false;
        s->set.crossed[s->set.crossed_count++] = key;
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
    bool good = true;
    split_run(s->exec, count_in_chunks, s, s->chunk_count, 1);
    for (int i = 0, last = -1; i < s->chunk_count && good; ++i) {
        if (!s->chunk[i].crossing || s->chunk[i].body == last) continue;
        last = s->chunk[i].body;
        good = add_partners(s, before, before_count, last);
    }
    mem_free(before);
    for (int i = 0; i < s->set.body_count; ++i) s->set.body[i].crossed = false;
    for (int i = 0; i < s->set.crossed_count; ++i) {
        s->set.body[s->set.crossed[i] >> 32].crossed = true;
        s->set.body[s->set.crossed[i] & 0xffffffffu].crossed = true;
    }
    s->look_for_crossed = false;
    return good;
}
