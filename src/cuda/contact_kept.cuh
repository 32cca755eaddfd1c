// What pairs remember from substep to substep, by all threads of a meeting: in any order, with a
// table by which a pair finds its own.
#pragma once
#include "contact/corner.h"
#include "cuda/meeting.cuh"

// ---- places in lists that come in any order -----------------------------------------------------

// A place for each lane of the warp that wants one, in their order; all lanes ask together.
MEETING int take_place(device_meeting* d, meeting_cursor list, bool wants)
{
    unsigned all = __ballot_sync(~0u, wants);
    int lane = (int)threadIdx.x % MEETING_WARP, first = 0;
    if (all == 0) return -1;
    if (lane == __ffs((int)all) - 1) first = atomicAdd(&d->cursor[list], __popc(all));
    first = __shfl_sync(~0u, first, __ffs((int)all) - 1);
    return wants ? first + __popc(all & ((1u << lane) - 1)) : -1;
}

MEETING int taken(const device_meeting* d, meeting_cursor list)
{
    return atomic_read(&d->cursor[list]);
}

// ---- the table ----------------------------------------------------------------------------------

MEETING unsigned table_start(const device_meeting* d, uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15ull >> 32) & d->table_mask;
}

// A place that was written in an earlier making is free.
MEETING void note_place(const device_meeting* d, uint64_t key, int place, unsigned made)
{
    unsigned long long mine = (unsigned long long)made << 32 | (unsigned)place;
    ROLLED
    for (unsigned at = table_start(d, key);; at = (at + 1) & d->table_mask) {
        unsigned long long there = *(volatile unsigned long long*)&d->table[at];
        while ((unsigned)(there >> 32) != made) {
            unsigned long long old = atomicCAS(&d->table[at], there, mine);
            if (old == there) return;
            there = old;
        }
    }
}

// Where the kept contact with a key is, or -1.
MEETING int kept_with(const device_meeting* d, uint64_t key)
{
    ROLLED
    for (unsigned at = table_start(d, key);; at = (at + 1) & d->table_mask) {
        unsigned long long there = d->table[at];
        if ((unsigned)(there >> 32) != d->made) return -1;
        int place = (int)(there & 0xffffffffu);
        if (d->kept[place].key == key) return place;
    }
}

// ---- what is kept -------------------------------------------------------------------------------

MEETING bool gives(const meeting* m, int i, bool start, kept_contact* out)
{
    bool any = give_kept_contact(m->set, giving_pair(m->set, i), out);
    return start ? kept_goes_on(out) : any;
}

// At the start of a step, sums start at zero.
MEETING void keep_one(device_meeting* d, int place, const kept_contact& one, bool start)
{
    if (place < 0 || place >= d->room.kept) return;
    d->spare[place] = one;
    if (start) d->spare[place].sum[0] = d->spare[place].sum[1] = d->spare[place].sum[2] = 0;
    note_place(d, one.key, place, d->made + 1);
}

// Those of the pairs and those that are no pairs any more, to where use_kept has them. `start`: of
// a step, who does not go on is forgotten, and so are loose particles, whose list has them.
MEETING_LARGE void keep(meeting* m, bool start)
{
    device_meeting* d = m->of;
    int pairs = d->paired ? giving_count(m->set) : 0, old = d->kept_count;
    int lane = (int)threadIdx.x % MEETING_WARP;
    kept_contact one;
    ROLLED
    for (int i = m->thread - lane; i < pairs; i += m->threads) {
        bool yes = i + lane < pairs && gives(m, i + lane, start, &one);
        int place = take_place(d, CURSOR_KEPT, yes);
        if (yes) keep_one(d, place, one, start);
    }
    ROLLED
    for (int i = m->thread - lane; i < old; i += m->threads) {
        bool yes = i + lane < old && d->alive[i + lane];
        if (yes) one = d->kept[i + lane];
        yes = yes && (!start || (kept_goes_on(&one) && !loose_has(m->set, &one)));
        int place = take_place(d, CURSOR_KEPT, yes);
        if (yes) keep_one(d, place, one, start);
    }
    m->pending = WORK_OTHER;
}

// After a barrier, and for those after the next one: what was kept, of which nothing is taken.
MEETING void use_kept(meeting* m)
{
    device_meeting* d = m->of;
    int count = taken(d, CURSOR_KEPT);
    ROLLED
    for (int i = m->thread; i < count && i < d->room.kept; i += m->threads) d->alive[i] = 1;
    if (m->thread != 0) return;
    kept_contact* kept = d->kept;
    d->kept = d->spare;
    d->spare = kept;
    d->kept_count = count;
    d->paired = false;
    d->made++;
}

// After that barrier. False: there is no room.
MEETING bool kept_fits(meeting* m)
{
    device_meeting* d = m->of;
    if (d->kept_count > d->room.kept) return stop(m, &d->needed.kept, d->kept_count);
    return true;
}

MEETING void take_kept(meeting* m, int pair, int kept, double carry)
{
    if (kept < 0) return;
    take_kept_contact(m->set, pair, &m->of->kept[kept], carry);
    m->of->alive[kept] = 0;
}

// What a corner of a rigid body loses, another of its pairs may take.
MEETING void note_lost(const meeting* m, const kept_contact& k)
{
    device_manifolds* d = &m->of->manifolds;
    uint64_t corner;
    if (!m->set->looks_first || !kept_has_any(&k) || !corner_of_kept(m->set, k.key, &corner))
        return;
    int place = atomicAdd(&m->of->cursor[CURSOR_LOST], 1);
    d->lost[place] = k;
    d->corner[place] = corner;
}

// What finds no pair does not push any more; it stays for its part of the step's forces.
MEETING void let_go(const meeting* m, int i)
{
    device_meeting* of = m->of;
    kept_contact* k = &of->kept[i];
    if (!of->alive[i]) return;
    if (MEETS_RIGID) note_lost(m, *k);
    k->lambda = k->sunk = k->stored = k->slide[0] = k->slide[1] = k->slide[2] = 0;
    k->overlaps = k->held = false;
    of->alive[i] = kept_has_pushed(k);
}
