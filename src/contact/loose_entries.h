// Entries of the lists of loose particles, one by one, on the processor.
#pragma once
#include "contact/system.h"
#include "solver/state.h"

enum { LOOSE_ROW_FLAGS = LOOSE_FLAGS * sizeof(uint16_t) }; // bytes of a row, on the processor

static inline size_t loose_entry(const loose_pairs* p, int particle, int k)
{
    return ((size_t)p->start[particle / LOOSE_BLOCK] + (size_t)k) * LOOSE_BLOCK +
           (size_t)(particle % LOOSE_BLOCK);
}
static inline int loose_other(const loose_pairs* p, int particle, int k)
{
    return p->other[loose_entry(p, particle, k)];
}
static inline size_t loose_at_number(size_t entry, int which)
{
    return (entry / LOOSE_BLOCK * LOOSE_NUMBERS + (size_t)which) * LOOSE_BLOCK +
           entry % LOOSE_BLOCK;
}
static inline double loose_get(const contact_system* s, const loose_pairs* p, size_t entry,
                               int which)
{
    return state_get(p->number, loose_at_number(entry, which), s->scalar_bytes);
}
static inline void loose_set(const contact_system* s, const loose_pairs* p, size_t entry, int which,
                             double value)
{
    size_t at = loose_at_number(entry, which);
    if (s->scalar_bytes == 4)
        ((float*)p->number)[at] = (float)value;
    else
        ((double*)p->number)[at] = value;
}
static inline uint16_t* loose_flags_at(const loose_pairs* p, size_t entry, loose_flag which)
{
    return (uint16_t*)p->flags + entry / LOOSE_BLOCK * LOOSE_FLAGS + which;
}
static inline bool loose_says(const loose_pairs* p, size_t entry, loose_flag which)
{
    return *loose_flags_at(p, entry, which) >> entry % LOOSE_BLOCK & 1;
}
static inline void loose_say(const loose_pairs* p, size_t entry, loose_flag which)
{
    *loose_flags_at(p, entry, which) |= (uint16_t)(1u << entry % LOOSE_BLOCK);
}
static inline void loose_unsay(const loose_pairs* p, size_t entry, loose_flag which)
{
    *loose_flags_at(p, entry, which) &= (uint16_t) ~(1u << entry % LOOSE_BLOCK);
}

// Where a pair is in the list of one of its particles; false: it is not.
static inline bool loose_find_entry(const loose_pairs* p, int particle, int other, size_t* out)
{
    int low = 0, high = p->neighbors[particle];
    while (low < high) {
        int middle = (low + high) / 2;
        if (loose_other(p, particle, middle) < other)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == p->neighbors[particle] || loose_other(p, particle, low) != other) return false;
    *out = loose_entry(p, particle, low);
    return true;
}

static inline bool loose_has_pushed(const loose_pairs* p, int particle, int k)
{
    return loose_says(p, loose_entry(p, particle, k), LOOSE_PUSHED);
}

// ---- what pairs remember (loose_records.c) ------------------------------------------------------

// From s->kept to the lists; who is on none does not push any more.
void loose_take_records(contact_system* s);
// Of the list before: what has pushed in this step and is on no list any more, into s->kept. False
// when memory runs out.
bool loose_keep_lost(contact_system* s);
// Copies of what the lists have go from s->kept.
void loose_drop_records(contact_system* s);
