// Lists of pairs that are near, by all threads of a meeting, and bodies that cross. Lists come in
// any order.
#pragma once
#include "cuda/contact_boxes.cuh"
#include "cuda/loose_list.cuh"

// ---- pairs of two elements ----------------------------------------------------------------------

// What all pairs of two chunks have in common, and where they go.
struct chunk_list {
    int kind; // OF_TWO, OF_ONE
    int number[2];
    const contact_body* body[2];
    bool crossed;
};

MEETING void take_near(const meeting* m, const chunk_list& c, int first, int second,
                       near_elements* n)
{
    n->s = m->set;
    n->number[0] = c.number[0];
    n->number[1] = c.number[1];
    n->body[0] = c.body[0];
    n->body[1] = c.body[1];
    n->element[0] = first;
    n->element[1] = second;
    n->of[0] = &c.body[0]->surface->element[first];
    n->of[1] = &c.body[1]->surface->element[second];
    n->kind = c.kind;
    n->thickness = element_radius(c.body[0], first) + element_radius(c.body[1], second);
    n->crossed = c.crossed;
}

// The sum over the lanes before this one; out_all: of all.
MEETING int warp_scan(int value, int* out_all)
{
    int lane = (int)threadIdx.x % MEETING_WARP, sum = value;
    for (int k = 1; k < MEETING_WARP; k *= 2) {
        int before = __shfl_up_sync(~0u, sum, (unsigned)k);
        if (lane >= k) sum += before;
    }
    *out_all = __shfl_sync(~0u, sum, MEETING_WARP - 1);
    return sum - value;
}

// Places for pairs of a warp side by side: the first, or -1 where there is no room.
MEETING int take_places(device_meeting* d, int of, int count)
{
    int first = 0;
    if (threadIdx.x % MEETING_WARP == 0) first = atomicAdd(&d->cursor[CURSOR_LISTED], count);
    first = __shfl_sync(~0u, first, 0);
    return first >= 0 && first <= d->room.listed[of] - count ? first : -1;
}

// The points of an element and a plane: they are measured at once.
MEETING unsigned pairs_with_plane(const near_elements* n, scalar gap[SUBS])
{
    for (int sub = 0; sub < SUBS; ++sub) gap[sub] = (scalar)-1e30;
    return n->of[0]->own_point;
}

// Each lane has two elements of the bodies, or -1: their pairs that are near go to the list.
MEETING_LARGE void list_elements(const meeting* m, const chunk_list& c, int first, int second)
{
    near_elements n;
    scalar gap[SUBS];
    unsigned near = 0;
    float touching = 0;
    if (first >= 0) {
        const contact_set* s = m->set;
        take_near(m, c, first, second, &n);
        scalar limit = (scalar)((reach_of(s, n.body[0], first, c.kind) +
                                 reach_of(s, n.body[1], second, c.kind)) *
                                (1 + WAY_ROUNDING));
        near = is_plane(n.body[1]) ? pairs_with_plane(&n, gap) : near_pairs(&n, limit, gap);
        touching = (float)touching_distance(&n);
    }
    int all, place = warp_scan(__popc(near), &all);
    if (all == 0) return;
    int start = take_places(m->of, c.kind, all);
    if (start < 0) return;
    listed_pair* at = (listed_pair*)m->of->list[c.kind].at + start + place;
    UNROLL
    for (int sub = 0; sub < SUBS; ++sub) {
        if (!(near >> sub & 1u)) continue;
        at->first = (uint32_t)(c.body[0]->first_element + first);
        at->second = (uint32_t)(c.body[1]->first_element + second) | (uint32_t)sub
                                                                         << KEY_ELEMENT_BITS;
        at->wake = (float)(1 - WAY_ROUNDING) * (float)gap[sub] - touching;
        ++at;
    }
}

// ---- elements wait until there are two for each lane of a warp ----------------------------------

typedef chunk_pair element_queue[MEETING_THREADS / MEETING_WARP][2 * MEETING_WARP];

// Calls with(first, second) for all lanes at once, -1 where a lane has none.
template <class With>
MEETING void walk_together(const meeting* m, const chunk_pair& at, unsigned part, With with)
{
    SHARED(element_queue, waiting);
    int lane = (int)threadIdx.x % MEETING_WARP, held = 0;
    chunk_pair* queue = waiting[threadIdx.x / MEETING_WARP];
    walk_chunks(m, at, part, [&](bool near, int first, int second) {
        unsigned all = __ballot_sync(~0u, near);
        if (near) queue[held + __popc(all & ((1u << lane) - 1))] = {first, second};
        held += __popc(all);
        __syncwarp();
        if (held < MEETING_WARP) return;
        held -= MEETING_WARP;
        chunk_pair mine = queue[held + lane];
        with(mine.first, mine.second);
        __syncwarp();
    });
    chunk_pair mine = {-1, -1};
    if (lane < held) mine = queue[lane];
    if (held > 0) with(mine.first, mine.second);
    __syncwarp();
}

// ---- lists --------------------------------------------------------------------------------------

MEETING_LARGE void list_chunks(const meeting* m, const chunk_pair& at, unsigned part, int of)
{
    chunk_list c;
    c.kind = of;
    for (int i = 0; i < 2; ++i) {
        c.number[i] = m->of->chunk_body[i ? at.second : at.first];
        c.body[i] = &m->set->body[c.number[i]];
    }
    c.crossed = m->set->crossed_count > 0 && bodies_are_crossed(m->set, c.number[0], c.number[1]);
    walk_together(m, at, part, [=](int first, int second) { list_elements(m, c, first, second); });
}

// The list has its place, or there is no room.
MEETING bool list_fits(meeting* m, int of)
{
    device_meeting* d = m->of;
    long long count = taken(d, CURSOR_LISTED);
    if (count < 0) count = INT32_MAX; // it was counted beyond
    if (count > d->room.listed[of]) return stop(m, &d->needed.listed[of], count);
    if (m->thread == 0) {
        d->list[of].count = (int)count;
        d->lists++;
    }
    return true;
}

MEETING bool make_list(meeting* m, int of)
{
    fit_boxes(m, of);
    int chunks = find_near_chunks(m, of);
    if (chunks < 0) return false;
    each_chunk_pair(m, chunks,
                    [=](const chunk_pair& at, unsigned part) { list_chunks(m, at, part, of); });
    barrier(m);
    bool fits = list_fits(m, of);
    barrier(m);
    return fits;
}

MEETING_LARGE bool meeting_list(meeting* m)
{
    if (!list_loose(m)) return false;
    if (m->set->loose_alone) return true;
    for (int of = OF_TWO; of <= OF_ONE; ++of) {
        if (m->listed[of] && !m->of->fresh) continue;
        if (!make_list(m, of)) return false;
        m->listed[of] = true;
    }
    return true;
}
