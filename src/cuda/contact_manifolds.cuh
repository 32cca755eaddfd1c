// Manifolds of rigid bodies (contact/manifold.h), by all threads of a meeting. Which pairs belong
// together is found with the pairs; which of them press, and which color they have, in each pass.
// Nothing depends on the order in which threads come: colors go by the bodies' numbers, and pairs
// of a manifold are in the order of their keys.
#pragma once
#include "cuda/contact_reach.cuh"

#if MEETS_RIGID

enum { COLOR_NONE = -1, COLOR_OPEN = -2 }; // nothing presses; it is not chosen yet

// ---- manifolds of a substep ---------------------------------------------------------------------

// Of a step.
MEETING void start_manifolds(meeting* m)
{
    device_manifolds* d = &m->of->manifolds;
    ROLLED
    for (unsigned i = (unsigned)m->thread; i <= d->mask; i += (unsigned)m->threads)
        d->table[i] = d->count[i] = 0;
    if (m->thread == 0) m->of->cursor[CURSOR_GROUP] = m->of->cursor[CURSOR_MEMBER] = 0;
}

MEETING unsigned place_of_key(const device_manifolds* d, uint64_t key)
{
    return (unsigned)(key * 0x9e3779b97f4a7c15ull >> 32) & d->mask;
}

MEETING void enter_manifold(const meeting* m, int pair)
{
    device_manifolds* d = &m->of->manifolds;
    const near_pair* p = &m->set->pair[pair];
    if (!has_rigid_side(m->set, p)) return;
    unsigned long long mine = manifold_key(p) + 1;
    unsigned at = place_of_key(d, mine);
    ROLLED
    for (;; at = (at + 1) & d->mask) {
        unsigned long long there = atomicCAS(&d->table[at], 0ull, mine);
        if (there == 0) d->place[atomicAdd(&m->of->cursor[CURSOR_GROUP], 1)] = (int)at;
        if (there == 0 || there == mine) break;
    }
    atomicAdd(&d->count[at], 1);
}

MEETING int find_manifold(const device_manifolds* d, const near_pair* p)
{
    unsigned long long mine = manifold_key(p) + 1;
    unsigned at = place_of_key(d, mine);
    ROLLED
    while (d->table[at] != mine) at = (at + 1) & d->mask;
    return (int)at;
}

// Shells, since two large bodies may have many.
MEETING void sort_members(const contact_set* s, int* pair, int count)
{
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    ROLLED
    for (; gap > 0; gap /= 3) {
        ROLLED
        for (int i = gap; i < count; ++i) {
            int one = pair[i], k = i;
            uint64_t key = s->pair[one].key;
            ROLLED
            for (; k >= gap && s->pair[pair[k - gap]].key > key; k -= gap) pair[k] = pair[k - gap];
            pair[k] = one;
        }
    }
}

// Places side by side for each, then its pairs, then their order.
MEETING void gather_members(meeting* m)
{
    device_manifolds* d = &m->of->manifolds;
    const contact_set* s = m->set;
    int count = taken(m->of, CURSOR_GROUP);
    ROLLED
    for (int i = m->thread; i < count; i += m->threads) {
        int at = d->place[i];
        d->start[at] = atomicAdd(&m->of->cursor[CURSOR_MEMBER], d->count[at]);
        d->count[at] = 0;
    }
    barrier(m);
    ROLLED
    for (int i = m->thread; i < s->touch_count; i += m->threads) {
        const near_pair* p = &s->pair[s->touch[i]];
        if (!has_rigid_side(s, p)) continue;
        int at = find_manifold(d, p);
        d->pair[d->start[at] + atomicAdd(&d->count[at], 1)] = s->touch[i];
    }
    barrier(m);
    ROLLED
    for (int i = m->thread; i < count; i += m->threads)
        sort_members(s, d->pair + d->start[d->place[i]], d->count[d->place[i]]);
    if (threadIdx.x == 0) m->set->press_count = taken(m->of, CURSOR_MEMBER);
    m->pending = WORK_OTHER;
}

// ---- what corners lose --------------------------------------------------------------------------

// How many new pairs of a corner come before one.
MEETING int rank_of_new(const contact_set* s, uint64_t corner, uint64_t key)
{
    int rank = 0;
    ROLLED
    for (int i = 0; i < s->touch_count; ++i) {
        const near_pair* p = &s->pair[s->touch[i]];
        rank += p->key < key && corner_of_pair(p) == corner && pair_is_new(s, s->touch[i]);
    }
    return rank;
}

MEETING int rank_of_lost(const device_manifolds* d, int count, int one)
{
    int rank = 0;
    ROLLED
    for (int i = 0; i < count; ++i)
        rank += d->corner[i] == d->corner[one] && d->lost[i].key < d->lost[one].key;
    return rank;
}

MEETING int find_lost(const contact_set* s, const device_manifolds* d, int count, int pair)
{
    uint64_t corner = corner_of_pair(&s->pair[pair]);
    int rank = -1;
    ROLLED
    for (int i = 0; i < count; ++i) {
        if (d->corner[i] != corner) continue;
        if (rank < 0) rank = rank_of_new(s, corner, s->pair[pair].key);
        if (rank_of_lost(d, count, i) == rank) return i;
    }
    return -1;
}

MEETING void hand_over(meeting* m, double carry)
{
    device_manifolds* d = &m->of->manifolds;
    contact_set* s = m->set;
    int count = taken(m->of, CURSOR_LOST);
    if (count == 0) return;
    barrier_before(m, WORK_OTHER);
    ROLLED
    for (int i = m->thread; i < s->touch_count; i += m->threads)
        d->finds[i] = pair_is_new(s, s->touch[i]) ? find_lost(s, d, count, s->touch[i]) : -1;
    barrier(m);
    ROLLED
    for (int i = m->thread; i < s->touch_count; i += m->threads)
        if (d->finds[i] >= 0) pair_take_lost(s, s->touch[i], &d->lost[d->finds[i]], carry);
    m->pending = WORK_OTHER;
}

// When pairs have been found, and nobody else's memory is waited for.
MEETING_LARGE void finish_manifolds(meeting* m, double carry)
{
    gather_members(m); // after whose barriers all is lost that will be
    hand_over(m, carry);
}

// ---- colors -------------------------------------------------------------------------------------

MEETING const int* bodies_of(const meeting* m, int number)
{
    const device_manifolds* d = &m->of->manifolds;
    return m->set->pair[d->pair[d->start[d->place[number]]]].body;
}
MEETING unsigned long long key_of(const device_manifolds* d, int number)
{
    return d->table[d->place[number]] - 1;
}

MEETING unsigned long long read_now(const unsigned long long* at)
{
    return *(const volatile unsigned long long*)at;
}

// Each manifold that still has no color waits for those before it that have a body of its.
MEETING void stand_in_line(const meeting* m, int number)
{
    const device_manifolds* d = &m->of->manifolds;
    const int* body = bodies_of(m, number);
    for (int k = 0; k < 2; ++k)
        if (body_has_colors(&m->set->body[body[k]]))
            atomicMin(&d->next[body[k]], key_of(d, number));
}

MEETING bool is_next(const meeting* m, int number)
{
    const device_manifolds* d = &m->of->manifolds;
    const int* body = bodies_of(m, number);
    for (int k = 0; k < 2; ++k)
        if (body_has_colors(&m->set->body[body[k]]) &&
            read_now(&d->next[body[k]]) != key_of(d, number))
            return false;
    return true;
}

// The lowest that none of its bodies has yet.
MEETING void choose_color(const meeting* m, int number)
{
    device_manifolds* d = &m->of->manifolds;
    const int* body = bodies_of(m, number);
    unsigned long long taken_colors = 0;
    for (int k = 0; k < 2; ++k)
        if (body_has_colors(&m->set->body[body[k]])) taken_colors |= read_now(&d->taken[body[k]]);
    int color = __ffsll((long long)~taken_colors) - 1;
    if (color < 0 || color >= MANIFOLD_COLORS) color = MANIFOLD_COLORS;
    for (int k = 0; k < 2; ++k) {
        if (!body_has_colors(&m->set->body[body[k]])) continue;
        if (color < MANIFOLD_COLORS)
            *(volatile unsigned long long*)&d->taken[body[k]] =
                read_now(&d->taken[body[k]]) | 1ull << color;
        *(volatile unsigned long long*)&d->next[body[k]] = ~0ull;
    }
    d->color[number] = color;
    int place = atomicAdd(&d->used[color], 1);
    if (color == MANIFOLD_COLORS) d->beyond[place] = number;
}

// A block alone waits less.
MEETING void color_manifolds(meeting* m, int count)
{
    device_manifolds* d = &m->of->manifolds;
    const bool one = count < 8 * MEETING_THREADS || m->blocks == 1;
    const int first = one ? (int)threadIdx.x : m->thread, step = one ? MEETING_THREADS : m->threads;
    if (one && m->block > 0) return;
    for (int round = 1;; ++round) {
        ROLLED
        for (int i = first; i < count; i += step)
            if (d->color[i] == COLOR_OPEN) stand_in_line(m, i);
        one ? __syncthreads() : barrier(m);
        ROLLED
        for (int i = first; i < count; i += step) {
            if (d->color[i] != COLOR_OPEN) continue;
            if (is_next(m, i))
                choose_color(m, i);
            else
                *(volatile int*)&d->round = round;
        }
        one ? __syncthreads() : barrier(m);
        bool again = atomic_read(&d->round) == round;
        one ? __syncthreads() : barrier(m);
        if (!again) return;
    }
}

// ---- islands ------------------------------------------------------------------------------------

MEETING int root_of(const int* up, int body)
{
    ROLLED
    for (int next = atomic_read(&up[body]); next != body; next = atomic_read(&up[body]))
        body = next;
    return body;
}

// Under the lowest of all.
MEETING void join_bodies(int* up, int one, int two)
{
    ROLLED
    for (;;) {
        one = root_of(up, one);
        two = root_of(up, two);
        if (one == two) return;
        int low = one < two ? one : two, high = one < two ? two : one;
        if (atomicCAS(&up[high], high, low) == high) return;
    }
}

// ---- a pass -------------------------------------------------------------------------------------

MEETING void start_color(meeting* m)
{
    device_manifolds* d = &m->of->manifolds;
    contact_set* s = m->set;
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        s->island[i] = i;
        d->next[i] = ~0ull;
        d->taken[i] = 0;
    }
    ROLLED
    for (int i = m->thread; i < 2 * MANIFOLD_COLORS + 1; i += m->threads) d->used[i] = 0;
    if (m->thread == 0) d->round = 0;
}

// Those of its pairs that press come first.
MEETING void list_pressing(const meeting* m, int number, bool bounces)
{
    device_manifolds* d = &m->of->manifolds;
    contact_set* s = m->set;
    int at = d->place[number], first = d->start[at], last = first + d->count[at], place = first;
    ROLLED
    for (int i = first; i < last; ++i)
        if (pair_presses(s, d->pair[i], bounces)) s->press[place++].pair = d->pair[i];
    d->pressing[number] = place - first;
    d->color[number] = place > first ? COLOR_OPEN : COLOR_NONE;
    const int* body = bodies_of(m, number);
    if (place > first && body_has_colors(&s->body[body[0]]) && body_has_colors(&s->body[body[1]]))
        join_bodies(s->island, body[0], body[1]);
    ROLLED
    for (; place < last; ++place) s->press[place].pair = -1;
}

// Returns how many colors there are, and has where each starts.
MEETING int start_colors(const meeting* m)
{
    const device_manifolds* d = &m->of->manifolds;
    int* start = m->set->color_start;
    int colors = 0, beyond = d->used[MANIFOLD_COLORS];
    ROLLED
    for (int k = 0; k < MANIFOLD_COLORS; ++k)
        if (d->used[k] > 0 || beyond > 0) colors = k + 1;
    if (m->thread != 0) return colors + beyond;
    start[0] = 0;
    ROLLED
    for (int k = 0; k < colors + beyond; ++k)
        start[k + 1] = start[k] + (k < MANIFOLD_COLORS ? d->used[k] : 1);
    return colors + beyond;
}

// Those that have colors of their own are in the order of their bodies.
MEETING int rank_beyond(const device_manifolds* d, int number)
{
    int rank = 0;
    ROLLED
    for (int i = 0; i < d->used[MANIFOLD_COLORS]; ++i)
        rank += key_of(d, d->beyond[i]) < key_of(d, number);
    return rank;
}

MEETING void place_manifold(const meeting* m, int number)
{
    device_manifolds* d = &m->of->manifolds;
    contact_set* s = m->set;
    int color = d->color[number], first = d->start[d->place[number]];
    if (color == COLOR_NONE) return;
    int place = color < MANIFOLD_COLORS
                    ? s->color_start[color] + atomicAdd(&d->used[MANIFOLD_COLORS + 1 + color], 1)
                    : s->color_start[color + rank_beyond(d, number)];
    s->manifold[place].first = first;
    s->manifold[place].last = first + d->pressing[number];
    const int* body = bodies_of(m, number);
    int island = root_of(s->island, body_has_colors(&s->body[body[0]]) ? body[0] : body[1]);
    ROLLED
    for (int i = first; i < first + d->pressing[number]; ++i) s->press[i].island = island;
}

MEETING_LARGE bool meeting_color(meeting* m, bool bounces)
{
    contact_set* s = m->set;
    int count = taken(m->of, CURSOR_GROUP);
    barrier_before(m, WORK_OTHER);
    start_color(m);
    barrier(m);
    ROLLED
    for (int i = m->thread; i < count; i += m->threads) list_pressing(m, i, bounces);
    barrier(m);
    color_manifolds(m, count);
    barrier(m);
    int colors = start_colors(m);
    if (threadIdx.x == 0) s->color_count = colors;
    barrier(m);
    ROLLED
    for (int i = m->thread; i < count; i += m->threads) place_manifold(m, i);
    barrier(m); // islands are read
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads)
        s->island[i] = root_of(s->island, i);
    m->pending = WORK_OTHER;
    return true;
}

// After all have done with the color before.
MEETING_LARGE void meeting_choose_color(meeting* m, int color, bool backward)
{
    if (m->pending == WORK_NONE)
        __syncthreads();
    else
        barrier(m);
    if (threadIdx.x == 0) {
        m->set->color = color;
        m->set->backward = backward;
    }
    __syncthreads();
}
#else
MEETING void start_manifolds(meeting*) {}
MEETING void enter_manifold(const meeting*, int) {}
MEETING void finish_manifolds(meeting*, double) {}
#endif
