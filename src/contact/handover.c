// What a corner of a rigid body remembers of another body goes on, whichever of its elements the
// corner is nearest to: where faces and edges of bodies lie exactly over each other, rounding says
// which that is, and says something else in the next substep.
#include "contact/handover.h"
#include "contact/pressing.h"
#include <string.h>

// A corner and the other body.
static uint64_t corner_key(int point, int other)
{
    return (uint64_t)(uint32_t)point << 32 | (uint32_t)other;
}

// Of a pair that is kept: false where it is of two edges, or nobody is rigid.
static bool find_corner(const contact_set* s, uint64_t key, uint64_t* out)
{
    int sub = key_sub(key), number[2] = {key_first(key), key_second(key)};
    if (sub >= SUB_EDGES) return false;
    int side = sub >= SUB_SECOND;
    const int body[2] = {contact_body_of(s, number[0]), contact_body_of(s, number[1])};
    const contact_body *b = &s->body[body[side]], *other = &s->body[body[!side]];
    if (!b->rigid && !other->rigid) return false;
    int point = b->surface->element[number[side] - b->first_element].point[sub % 3];
    *out = corner_key(b->first_point + point, body[!side]);
    return true;
}

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
    int count = 0;
    for (int i = 0; i < s->lost_count; ++i) {
        uint64_t corner;
        if (!find_corner(&s->set, s->lost[i].key, &corner)) continue;
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

static void take_lost(contact_system* s, int pair, kept_contact* from, double carry)
{
    const pressing_kernels* kernels = pressing_kernels_for(s->scalar_bytes);
    kept_contact own;
    kernels->give(&s->set, pair, &own);
    memcpy(from->sum, own.sum, sizeof from->sum); // its force in this step stays its own
    kernels->take(&s->set, pair, from, carry);
    from->lambda = from->stored = 0;
}

void handover_finish(contact_system* s, double carry)
{
    const contact_set* set = &s->set;
    const pressing_kernels* kernels = pressing_kernels_for(s->scalar_bytes);
    if (s->lost_count == 0) return;
    sort_lost(s);
    for (int i = 0; i < set->touch_count; ++i) {
        const near_pair* p = &set->pair[set->touch[i]];
        if (!kernels->is_new(set, set->touch[i])) continue;
        uint64_t corner = corner_key(p->point[0], p->body[1]);
        int k = find_lost(s, corner);
        while (k < s->lost_count && s->lost[k].key == corner && !(s->lost[k].lambda > 0) &&
               !(s->lost[k].stored > 0))
            ++k;
        if (k < s->lost_count && s->lost[k].key == corner)
            take_lost(s, set->touch[i], &s->lost[k], carry);
    }
}
