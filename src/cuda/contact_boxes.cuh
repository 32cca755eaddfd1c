// Near elements: boxes around elements, leaves, chunks of 32 leaves and bodies; chunks that are
// near each other, and in them the elements. A warp works on a chunk: each lane has a leaf.
#pragma once
#include "cuda/contact_reach.cuh"

// ---- boxes --------------------------------------------------------------------------------------

// Boxes that another block may have written a moment ago.
MEETING quad read_quad(const quad* at)
{
    return quad_of(__ldcg(&at->m[0]), __ldcg(&at->m[1]), __ldcg(&at->m[2]), 0);
}
MEETING node_box read_box(const node_box* at)
{
    node_box box = {read_quad(&at->low), read_quad(&at->high)};
    return box;
}

// Where trees of boxes have them. A body of one chunk has the box of the chunk.
MEETING node_box* leaf_box(const contact_body* b, int leaf)
{
    return (node_box*)b->box + b->surface->leaf_count - 1 + leaf;
}
MEETING node_box* chunk_box(const contact_body* b, int chunk)
{
    int chunks = b->surface->leaf_count / CHUNK_LEAVES;
    return (node_box*)b->box + (chunks > 1 ? chunks - 1 + chunk : 0);
}

MEETING scalar lower_of_warp(scalar a)
{
    for (int k = MEETING_WARP / 2; k > 0; k /= 2) {
        scalar b = __shfl_xor_sync(~0u, a, k);
        a = b < a ? b : a;
    }
    return a;
}
MEETING node_box box_of_warp(const node_box& box)
{
    node_box all = {
        quad_of(lower_of_warp(box.low[0]), lower_of_warp(box.low[1]), lower_of_warp(box.low[2]), 0),
        quad_of(-lower_of_warp(-box.high[0]), -lower_of_warp(-box.high[1]),
                -lower_of_warp(-box.high[2]), 0)};
    return all;
}

MEETING int chunks_of(const device_meeting* d, int body)
{
    return d->chunk_start[body + 1] - d->chunk_start[body];
}

// The whole body, by whose warp is the last with a chunk of it.
MEETING void fit_body(meeting* m, int body)
{
    const contact_body* b = &m->set->body[body];
    int lane = (int)threadIdx.x % MEETING_WARP, chunks = chunks_of(m->of, body), done = 0;
    if (chunks < 2) return;
    __threadfence();
    if (lane == 0) done = atomicAdd(&m->of->fitted[body], 1);
    if (__shfl_sync(~0u, done, 0) != chunks - 1) return;
    __threadfence();
    node_box box = no_box();
    ROLLED
    for (int i = lane; i < chunks; i += MEETING_WARP) {
        node_box one = read_box(chunk_box(b, i));
        box = boxes_joined(&box, &one);
    }
    box = box_of_warp(box);
    if (lane > 0) return;
    *(node_box*)b->box = box;
    m->of->fitted[body] = 0;
}

MEETING void fit_chunk(meeting* m, int chunk, int of)
{
    const contact_set* s = m->set;
    int body = m->of->chunk_body[chunk], local = chunk - m->of->chunk_start[body];
    const contact_body* b = &s->body[body];
    int lane = (int)threadIdx.x % MEETING_WARP, leaf = local * CHUNK_LEAVES + lane;
    if (!b->meets) return;
    node_box box = no_box();
    if (leaf < b->surface->leaf_count) {
        ROLLED
        for (int i = SURFACE_LEAF * leaf; i < leaf_end(b->surface, leaf); ++i) {
            fit_element(s, b, i, of);
        }
        fit_leaf(b, leaf);
        box = *leaf_box(b, leaf);
    }
    box = box_of_warp(box);
    if (lane == 0 && b->surface->leaf_count > 1) *chunk_box(b, local) = box;
    fit_body(m, body);
}

// Of elements, with margins for a list, or TIGHT; and all above.
MEETING void fit_boxes(meeting* m, int of)
{
    int chunks = m->of->chunk_start[m->set->body_count];
    ROLLED
    for (int i = m->thread / MEETING_WARP; i < chunks; i += m->threads / MEETING_WARP)
        fit_chunk(m, i, of);
    if (m->thread == 0) m->of->cursor[CURSOR_CHUNKS] = 0;
    barrier(m);
}

// ---- chunks that are near -----------------------------------------------------------------------

// Whether a body meets a collider by its surface in this step.
MEETING unsigned char* swept_mark(const device_meeting* of, int body, const contact_body* collider)
{
    return &of->swept[(size_t)body * (size_t)of->columns + (size_t)collider->place];
}

// The second is the first, or behind it.
MEETING bool may_meet(const meeting* m, int one, int two)
{
    const contact_body *a = &m->set->body[one], *b = &m->set->body[two];
    if (!a->meets || !b->meets) return false;
    if (a == b) return lists_itself(m->set, a);
    if (is_loose(m->set, a) && is_loose(m->set, b)) return false;
    if (b->collider ? a->collider || !*swept_mark(m->of, one, b) : !groups_meet(a, b)) return false;
    return boxes_meet((const node_box*)a->box, (const node_box*)b->box);
}

MEETING void add_chunk_pair(device_meeting* d, bool wants, int first, int second)
{
    int place = take_place(d, CURSOR_CHUNKS, wants);
    if (place < 0 || place >= d->room.chunks) return;
    d->chunks[place].first = first;
    d->chunks[place].second = second;
}

// Of a chunk and another body, or its own from that chunk on.
MEETING void find_in_body(const meeting* m, int chunk, const node_box& box, int own, int body)
{
    device_meeting* d = m->of;
    const contact_body* b = &m->set->body[body];
    int start = d->chunk_start[body], chunks = chunks_of(d, body);
    int lane = (int)threadIdx.x % MEETING_WARP;
    ROLLED
    for (int i = body == own ? chunk - start : 0; i < chunks; i += MEETING_WARP) {
        bool yes = i + lane < chunks && boxes_meet(&box, chunk_box(b, i + lane));
        add_chunk_pair(d, yes, chunk, start + i + lane);
    }
}

// Of a chunk and all bodies from its own on: others for OF_TWO, itself for OF_ONE, both for TIGHT.
MEETING void find_near_chunk(const meeting* m, int chunk, int of)
{
    const contact_set* s = m->set;
    int own = m->of->chunk_body[chunk], lane = (int)threadIdx.x % MEETING_WARP;
    const contact_body* a = &s->body[own];
    if (!a->meets) return;
    node_box box = *chunk_box(a, chunk - m->of->chunk_start[own]);
    int last = of == OF_ONE ? own + 1 : s->body_count;
    ROLLED
    for (int first = of == OF_TWO ? own + 1 : own; first < last; first += MEETING_WARP) {
        int other = first + lane;
        bool yes = other < last && may_meet(m, own, other) &&
                   boxes_meet(&box, (const node_box*)s->body[other].box);
        ROLLED
        for (unsigned all = __ballot_sync(~0u, yes); all; all &= all - 1)
            find_in_body(m, chunk, box, own, first + __ffs((int)all) - 1);
    }
}

// Returns how many there are; -1: there is no room.
MEETING int find_near_chunks(meeting* m, int of)
{
    device_meeting* d = m->of;
    int chunks = d->chunk_start[m->set->body_count], warps = m->threads / MEETING_WARP;
    if (m->thread == 0) d->cursor[CURSOR_LISTED] = 0;
    ROLLED
    for (int i = m->thread / MEETING_WARP; i < chunks; i += warps) find_near_chunk(m, i, of);
    if (m->thread == 0) d->cursor[CURSOR_CHUNK] = warps;
    barrier(m);
    int count = taken(d, CURSOR_CHUNKS);
    if (count <= d->room.chunks) return count;
    stop(m, &d->needed.chunks, count);
    return -1;
}

// ---- elements that are near ---------------------------------------------------------------------

// Calls with(near, first, second), for all lanes of the warp at once, for elements of two bodies
// whose boxes meet, each two once. Leaves of the second chunk that meet the first are the bits of
// `rows`; those that meet a lane's leaf are those of `mask`.
struct near_chunks {
    const contact_body *a, *b;
    int first_leaf, second_leaf;
    unsigned part; // of the second chunk: the leaves that are looked at, as bits
};

MEETING node_box leaf_or_none(const contact_body* b, int leaf)
{
    return leaf < b->surface->leaf_count ? *leaf_box(b, leaf) : no_box();
}

MEETING unsigned near_leaves(const near_chunks& n, const node_box& first, const node_box& second)
{
    int lane = (int)threadIdx.x % MEETING_WARP;
    node_box mine = leaf_or_none(n.a, n.first_leaf + lane);
    node_box other = leaf_or_none(n.b, n.second_leaf + lane);
    unsigned rows = __ballot_sync(~0u, boxes_meet(&other, &first)) & n.part, mask = 0;
    bool any = boxes_meet(&mine, &second);
    ROLLED
    for (; rows; rows &= rows - 1) {
        int k = __ffs((int)rows) - 1;
        if (any && boxes_meet(&mine, leaf_box(n.b, n.second_leaf + k))) mask |= 1u << k;
    }
    bool same = n.a == n.b && n.first_leaf == n.second_leaf;
    return same ? mask & ~0u << lane : mask;
}

// Two pairs of leaves at a time, of which each lane has two elements.
template <class With>
MEETING void walk_leaves(const near_chunks& n, int first, int second, With with)
{
    int lane = (int)threadIdx.x % MEETING_WARP;
    int one = SURFACE_LEAF * (n.first_leaf + first) + (lane >> 2 & 3);
    int two = SURFACE_LEAF * (n.second_leaf + second) + (lane & 3);
    bool yes = first >= 0 && one < n.a->surface->element_count &&
               two < n.b->surface->element_count && (n.a != n.b || one < two) &&
               boxes_meet(element_box(n.a, one), element_box(n.b, two));
    with(yes, one, two);
}

template <class With>
MEETING void walk_chunks(const meeting* m, const chunk_pair& at, unsigned part, With with)
{
    const device_meeting* d = m->of;
    int body[2] = {d->chunk_body[at.first], d->chunk_body[at.second]};
    const contact_body *a = &m->set->body[body[0]], *b = &m->set->body[body[1]];
    int one = at.first - d->chunk_start[body[0]], two = at.second - d->chunk_start[body[1]];
    const near_chunks n = {a, b, one * CHUNK_LEAVES, two * CHUNK_LEAVES, part};
    int lane = (int)threadIdx.x % MEETING_WARP;
    ROLLED
    for (unsigned mask = near_leaves(n, *chunk_box(a, one), *chunk_box(b, two));
         __any_sync(~0u, mask != 0); mask &= mask - 1) {
        int second = __ffs((int)mask) - 1;
        unsigned left = __ballot_sync(~0u, second >= 0);
        while (left) {
            int even = __ffs((int)left) - 1;
            left &= left - 1;
            int odd = __ffs((int)left) - 1; // -1: none
            left &= left - 1;
            int from = lane < MEETING_WARP / 2 ? even : odd;
            int to = __shfl_sync(~0u, second, from < 0 ? 0 : from);
            walk_leaves(n, from, to, with);
        }
    }
}

// Calls with(pair of chunks, leaves of the second) for all of them, by whichever warp is free.
// Where there are few, each is cut into parts: every so many leaves are one.
template <class With> MEETING void each_chunk_pair(const meeting* m, int count, With with)
{
    device_meeting* d = m->of;
    int parts = 1, warps = m->threads / MEETING_WARP;
    while (parts < CHUNK_LEAVES && (long long)parts * count < 8ll * warps) parts *= 2;
    unsigned leaves = 0;
    for (int k = 0; k < CHUNK_LEAVES; k += parts) leaves |= 1u << k;
    long long all = (long long)count * parts;
    ROLLED
    for (long long i = m->thread / MEETING_WARP; i < all;) {
        with(d->chunks[i / parts], leaves << (int)(i % parts));
        int next = 0;
        if (threadIdx.x % MEETING_WARP == 0) next = atomicAdd(&d->cursor[CURSOR_CHUNK], 1);
        i = __shfl_sync(~0u, next, 0);
    }
}
