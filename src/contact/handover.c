// What corners of rigid bodies remember (corner.h), on the processor.
#include "contact/handover.h"
#include "contact/pressing.h"

bool handover_reserve(contact_system* s)
{
    s->lost_count = 0;
    if (s->set.rigid_count == 0 || !s->set.looks_first) return true;
    return mem_reserve((void**)&s->lost, &s->lost_capacity, s->kept_count, sizeof *s->lost);
}

void handover_note(contact_system* s, const kept_contact* k)
{
    if (s->set.rigid_count == 0 || !s->set.looks_first) return;
    if (k->lambda > 0 || k->stored > 0) s->lost[s->lost_count++] = *k;
}

// Sorted by their corners; those of edges are dropped.
static void sort_lost(contact_system* s)
{
    const pressing_kernels* kernels = pressing_kernels_for(s->scalar_bytes);
    int count = 0;
    for (int i = 0; i < s->lost_count; ++i) {
        uint64_t corner;
        if (!kernels->corner_of_kept(&s->set, s->lost[i].key, &corner)) continue;
        s->lost[count] = s->lost[i];
        s->lost[count].key = corner;
        ++count;
    }
    for (int i = 1; i < count; ++i) { // they are few
        kept_contact one = s->lost[i];
        int k = i;
        for (; k > 0 && s->lost[k - 1].key > one.key; --k) s->lost[k] = s->lost[k - 1];
        s->lost[k] = one;
    }
    s->lost_count = count;
}

static int find_lost(const contact_system* s, uint64_t corner)
{
    int low = 0, high = s->lost_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->lost[middle].key < corner)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void handover_finish(contact_system* s, double carry)
{
    const contact_set* set = &s->set;
    const pressing_kernels* kernels = pressing_kernels_for(s->scalar_bytes);
    if (s->lost_count == 0) return;
    sort_lost(s);
    for (int i = 0; i < set->touch_count; ++i) {
        if (!kernels->is_new(set, set->touch[i])) continue;
        uint64_t corner = kernels->corner(set, set->touch[i]);
        int k = find_lost(s, corner);
        while (k < s->lost_count && s->lost[k].key == corner && !(s->lost[k].lambda > 0) &&
               !(s->lost[k].stored > 0))
            ++k;
        if (k == s->lost_count || s->lost[k].key != corner) continue;
        kernels->take_lost(&s->set, set->touch[i], &s->lost[k], carry);
        s->lost[k].lambda = s->lost[k].stored = 0;
    }
}
