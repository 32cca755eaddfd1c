// How far the bodies of a meeting go in a substep, and whether lists reach as far (list.c).
#pragma once
#include "cuda/cells.cuh"
#include "cuda/contact_kept.cuh"
#include "cuda/loose.cuh"

enum { CHUNK_LEAVES = MEETING_WARP, CHUNK_ELEMENTS = CHUNK_LEAVES * SURFACE_LEAF };

// ---- how far bodies go --------------------------------------------------------------------------

MEETING way_box no_way(void)
{
    way_box none;
    for (int k = 0; k < 3; ++k) {
        none.low[k] = INT32_MAX;
        none.high[k] = INT32_MIN;
    }
    none.bad = 0;
    return none;
}

MEETING way_box way_of_point(const contact_set* s, int point)
{
    const contact_body* b = &s->body[s->owner[point]];
    const scalar* d = row_at_point(b, point - b->first_point) + ROW_D;
    way_box box = no_way();
    for (int k = 0; k < 3; ++k) {
        box.low[k] = box.high[k] = ordered((float)d[k]);
        if (!(fabs((double)d[k]) < 1e30)) box.bad = 1;
    }
    return box;
}

// Of a rigid body that failed in this step the rows do not tell.
MEETING bool has_just_failed(const meeting* m, int body)
{
    int slot = m->of->slot[body];
    return MEETS_RIGID && slot >= 0 && is_rigid(&m->set->body[body]) &&
           m->of->diverged[slot] < m->first_meeting + m->set->substep;
}

// Most of them change nothing.
MEETING void add_way(way_box* to, const way_box& box)
{
    for (int k = 0; k < 3; ++k) {
        if (box.low[k] < atomic_read(&to->low[k])) atomicMin(&to->low[k], box.low[k]);
        if (box.high[k] > atomic_read(&to->high[k])) atomicMax(&to->high[k], box.high[k]);
    }
    if (box.bad) atomicOr(&to->bad, 1);
}

MEETING way_box joined(way_box a, const way_box& b)
{
    for (int k = 0; k < 3; ++k) {
        a.low[k] = min(a.low[k], b.low[k]);
        a.high[k] = max(a.high[k], b.high[k]);
    }
    a.bad |= b.bad;
    return a;
}

MEETING way_box way_of_warp(way_box box)
{
    for (int k = MEETING_WARP / 2; k > 0; k /= 2) {
        way_box other;
        for (int i = 0; i < 3; ++i) {
            other.low[i] = __shfl_xor_sync(~0u, box.low[i], k);
            other.high[i] = __shfl_xor_sync(~0u, box.high[i], k);
        }
        other.bad = __shfl_xor_sync(~0u, box.bad, k);
        box = joined(box, other);
    }
    return box;
}

// Points side by side are of one body, mostly: they go there together.
MEETING void gather_ways(meeting* m, int point)
{
    const contact_set* s = m->set;
    bool any = point < s->point_count && s->body[s->owner[point]].meets;
    int body = any ? s->owner[point] : -1;
    way_box box = any ? way_of_point(s, point) : no_way();
    if (any && has_just_failed(m, body)) box.bad = 1;
    int first = __shfl_sync(~0u, body, 0);
    if (box.bad) m->of->bad = s->meeting;
    if (__all_sync(~0u, body == first || body < 0) && first >= 0) {
        box = way_of_warp(box);
        if (threadIdx.x % MEETING_WARP == 0) add_way(&m->of->ways[first], box);
    } else if (any) {
        add_way(&m->of->ways[body], box);
    }
}

MEETING void middle_of(const way_box& box, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = 0.5 * (unordered(box.low[k]) + unordered(box.high[k]));
}

MEETING bool has_failed(const meeting* m, int body)
{
    int slot = m->of->slot[body]; // of a collider none
    return slot >= 0 && m->of->diverged[slot] < m->first_meeting;
}

// What pairs of the last finding left with points.
MEETING void forget_pairs(const device_meeting* d, int point)
{
    d->incident[point] = d->touched[point] = d->held[point] = 0;
    d->more_touched[point] = d->more_held[point] = -1;
}

// Rigid bodies look at all of their points, also at those that have none.
MEETING void forget_entries(const contact_set* s, int point)
{
    s->touching.start[point] = s->touching.end[point] = 0;
    s->holding.start[point] = s->holding.end[point] = 0;
}

// Nor those that rigid bodies had together.
MEETING void forget_manifolds(meeting* m)
{
    device_manifolds* d = &m->of->manifolds;
    barrier_before(m, WORK_OTHER);
    int count = taken(m->of, CURSOR_GROUP);
    ROLLED
    for (int i = m->thread; i < count; i += m->threads) {
        d->table[d->place[i]] = 0;
        d->count[d->place[i]] = 0;
    }
}

// How far points go, against motions that the substep before left; and their motions for the next.
MEETING void look_at_points(meeting* m, bool first)
{
    contact_set* s = m->set;
    barrier_before(m, WORK_OTHER);
    next_pass(m);
    if (m->thread == 0 && first) m->of->common = no_way();
    if (m->thread == 0) ROLLED
    for (int k = CURSOR_PAIR; k <= CURSOR_FOUND; ++k) m->of->cursor[k] = 0;
    int rounds = (s->point_count + m->threads - 1) / m->threads;
    ROLLED
    for (int round = 0; round < rounds; ++round) {
        int point = round * m->threads + m->thread;
        if (first) gather_ways(m, point);
        if (point >= s->point_count) continue;
        forget_pairs(m->of, point);
        if (MEETS_RIGID) forget_entries(s, point);
        if (first)
            look_point(s, point);
        else
            widen_point(s, point);
    }
}

// Some body is not finite, or was not a moment ago: who stands still is known by now.
MEETING_LARGE void freeze_bodies(meeting* m)
{
    contact_set* s = m->set;
    barrier(m);
    if (m->thread == 0) m->of->any_frozen = false;
    barrier(m);
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        s->body[i].frozen = m->of->ways[i].bad || has_failed(m, i);
        if (s->body[i].frozen) m->of->any_frozen = true;
    }
    barrier(m);
    ROLLED
    for (int i = m->thread; i < s->point_count; i += m->threads) set_course(s, i);
    barrier(m);
}

// Of all bodies together, for the next substep.
MEETING void join_ways(meeting* m)
{
    const contact_set* s = m->set;
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads)
        if (s->body[i].meets && !s->body[i].frozen) add_way(&m->of->common, m->of->ways[i]);
}

// The motions that the next substep counts from: it may be any, and this one's is near to it.
MEETING void expect_motions(meeting* m)
{
    contact_set* s = m->set;
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        way_box box = m->of->ways[i];
        m->of->ways[i] = no_way();
        b->motion_before = b->motion;
        memset(&b->motion, 0, sizeof b->motion);
        if (!b->frozen && b->meets) middle_of(box, b->motion.step);
    }
    if (threadIdx.x > 0) return;
    const way_box common = m->of->common;
    for (int k = 0; k < 3; ++k) {
        s->frame_before[k] = s->frame[k];
        s->frame[k] = 0;
    }
    if (common.low[0] <= common.high[0]) middle_of(common, s->frame);
}

// Who has gone as far as lists reach.
MEETING void look_at_elements(meeting* m, bool first)
{
    contact_set* s = m->set;
    barrier_before(m, WORK_OTHER);
    if (threadIdx.x == 0) s->looks_first = first;
    next_pass(m);
    ROLLED
    for (int i = m->thread; i < s->element_count && !s->loose_alone; i += m->threads)
        look_element(s, i);
    use_kept(m);
    if (first) join_ways(m);
    if (said(m, &s->flags->unlisted)) m->listed[OF_TWO] = false;
    if (said(m, &s->flags->lapsed)) m->listed[OF_ONE] = false;
}

#ifdef LOOSE_ALONE
#include "cuda/loose_look.cuh"
#else
MEETING_LARGE void meeting_look(meeting* m)
{
    go_on_loose(m);
    if (MEETS_RIGID) forget_manifolds(m);
    look_at_points(m, true);
    keep(m, false);
    barrier(m);
    if (m->of->bad == m->set->meeting || m->of->any_frozen) freeze_bodies(m);
    note_strayed(m);
    look_at_elements(m, true);
}

MEETING_LARGE void meeting_look_again(meeting* m)
{
    if (MEETS_RIGID) forget_manifolds(m);
    look_at_points(m, false);
    keep(m, false);
    note_strayed(m);
    look_at_elements(m, false);
}
#endif
