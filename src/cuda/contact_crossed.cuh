// Bodies that cross each other, on a GPU (contact/crossed.c).
#pragma once
#include "cuda/contact_lists.cuh"

// ---- partners -----------------------------------------------------------------------------------

// A warp for each body looks at those from it on; place(k, other) for the k-th that may meet it.
template <class Place> MEETING int find_partners(meeting* m, int body, Place place)
{
    const contact_set* s = m->set;
    int lane = (int)threadIdx.x % MEETING_WARP, found = 0;
    ROLLED
    for (int first = body; first < s->body_count; first += MEETING_WARP) {
        int other = first + lane;
        bool yes = other < s->body_count && may_meet(m, body, other);
        unsigned all = __ballot_sync(~0u, yes);
        if (yes) place(found + __popc(all & ((1u << lane) - 1)), other);
        found += __popc(all);
    }
    return found;
}

MEETING bool list_partners(meeting* m)
{
    device_meeting* of = m->of;
    int bodies = m->set->body_count, warps = m->threads / MEETING_WARP;
    bool leads = threadIdx.x % MEETING_WARP == 0;
    ROLLED
    for (int i = m->thread / MEETING_WARP; i < bodies; i += warps) {
        int found = find_partners(m, i, [](int, int) {});
        if (leads) of->count[i] = found;
    }
    barrier(m);
    auto value = [=](int i) { return (long long)of->count[i]; };
    scan_count(m, bodies, of->sums, value);
    barrier(m);
    long long all = scan_place(m, bodies, of->sums, value,
                               [=](int i, long long at) { of->partner_start[i] = (int)at; });
    if (all > of->room.partners) return stop(m, &of->needed.partners, all);
    if (m->thread == 0) {
        of->partner_start[bodies] = (int)all;
        of->partner_count = (int)all;
    }
    barrier(m);
    ROLLED
    for (int i = m->thread / MEETING_WARP; i < bodies; i += warps) {
        int start = of->partner_start[i];
        find_partners(m, i, [=](int k, int other) {
            of->partner[start + k] = other;
            of->partner_body[start + k] = i;
        });
    }
    barrier(m);
    return true;
}

// ---- bodies that cross --------------------------------------------------------------------------

MEETING void note_crossing(const device_meeting* of, int body, int other)
{
    int low = of->partner_start[body], high = of->partner_start[body + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (of->partner[middle] < other)
            low = middle + 1;
        else
            high = middle;
    }
    atomicAdd(&of->partner_crossing[low], 1);
}

MEETING_LARGE void look_for_crossing(const meeting* m, int body, int other, int first, int second)
{
    const contact_set* s = m->set;
    if (first < 0) return;
    if (elements_cross(s, s->body[body].first_element + first,
                       s->body[other].first_element + second))
        note_crossing(m->of, body, other);
}

MEETING_LARGE void cross_chunks(const meeting* m, const chunk_pair& at, unsigned part)
{
    int body = m->of->chunk_body[at.first], other = m->of->chunk_body[at.second];
    walk_together(m, at, part,
                  [=](int first, int second) { look_for_crossing(m, body, other, first, second); });
}

#ifdef LOOSE_ALONE
// Nobody has a surface.
MEETING bool meeting_find_crossed(meeting* m)
{
    if (m->thread == 0) m->of->look_for_crossed = false;
    return true;
}
#else
MEETING_LARGE bool meeting_find_crossed(meeting* m)
{
    device_meeting* of = m->of;
    contact_set* s = m->set;
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads) s->body[i].crossed = false;
    fit_boxes(m, TIGHT);
    if (!list_partners(m)) return false;
    ROLLED
    for (int i = m->thread; i < of->partner_count; i += m->threads) of->partner_crossing[i] = 0;
    int chunks = find_near_chunks(m, TIGHT);
    if (chunks < 0) return false;
    each_chunk_pair(m, chunks,
                    [=](const chunk_pair& at, unsigned part) { cross_chunks(m, at, part); });
    barrier(m);
    auto value = [=](int i) { return (long long)(of->partner_crossing[i] > 0); };
    scan_count(m, of->partner_count, of->sums, value);
    barrier(m);
    long long all = scan_place(m, of->partner_count, of->sums, value, [=](int i, long long at) {
        int a = of->partner_body[i], b = of->partner[i];
        if (of->partner_crossing[i] == 0) return;
        s->crossed[at] = crossed_key(a, b);
        s->body[a].crossed = s->body[b].crossed = true;
    });
    if (threadIdx.x == 0) s->crossed_count = (int)all;
    if (m->thread == 0) of->look_for_crossed = false;
    if (all > 0) m->listed[OF_TWO] = m->listed[OF_ONE] = false; // who crosses is looked for deeper
    barrier(m);
    return true;
}
#endif
