// How far the bodies of a meeting go in a substep, and whether lists reach as far (list.c).
#pragma once
#include "cuda/loose.cuh"

// ---- how far bodies go --------------------------------------------------------------------------

MEETING int ordered(float a)
{
    int bits = __float_as_int(a);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}
MEETING double unordered(int a) { return (double)__int_as_float(a < 0 ? a ^ 0x7fffffff : a); }

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

MEETING void add_way(way_box* to, const way_box& box)
{
    for (int k = 0; k < 3; ++k) {
        atomicMin(&to->low[k], box.low[k]);
        atomicMax(&to->high[k], box.high[k]);
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
MEETING void gather_ways(meeting* m)
{
    const contact_set* s = m->set;
    int rounds = (s->point_count + m->threads - 1) / m->threads;
    for (int round = 0; round < rounds; ++round) {
        int point = round * m->threads + m->thread;
        bool any = point < s->point_count && s->body[s->owner[point]].meets;
        int body = any ? s->owner[point] : -1;
        way_box box = any ? way_of_point(s, point) : no_way();
        int first = __shfl_sync(~0u, body, 0);
        if (__all_sync(~0u, body == first || body < 0) && first >= 0) {
            box = way_of_warp(box);
            if (threadIdx.x % MEETING_WARP == 0) add_way(&m->of->ways[first], box);
        } else if (any) {
            add_way(&m->of->ways[body], box);
        }
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

MEETING void measure_ways(meeting* m)
{
    const contact_set* s = m->set;
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        way_box box = m->of->ways[i];
        m->of->ways[i] = no_way();
        b->frozen = box.bad || has_failed(m, i);
        b->motion_before = b->motion;
        memset(&b->motion, 0, sizeof b->motion);
        if (b->frozen || !b->meets) continue;
        middle_of(box, b->motion.step);
        add_way(&m->of->common, box);
    }
}

// Who has gone as far as lists reach.
MEETING void look_at_elements(meeting* m, bool first)
{
    contact_set* s = m->set;
    if (threadIdx.x == 0) s->looks_first = first;
    __syncthreads();
    if (s->loose_alone) return;
    meeting_run(m, PASS_look_element);
    if (said(m, &s->flags->unlisted)) m->listed[OF_TWO] = false;
    if (said(m, &s->flags->lapsed)) m->listed[OF_ONE] = false;
}

#ifdef LOOSE_ALONE
#include "cuda/loose_look.cuh"
#else
MEETING_LARGE void meeting_look(meeting* m)
{
    contact_set* s = m->set;
    gather_ways(m);
    barrier(m);
    measure_ways(m);
    barrier(m);
    const way_box common = m->of->common;
    if (threadIdx.x == 0) {
        for (int k = 0; k < 3; ++k) {
            s->frame_before[k] = s->frame[k];
            s->frame[k] = 0;
        }
        if (common.low[0] <= common.high[0]) middle_of(common, s->frame);
    }
    go_on_loose(m);
    __syncthreads();
    meeting_run(m, PASS_look_point);
    note_strayed(m);
    look_at_elements(m, true);
}
#endif

MEETING_LARGE void meeting_look_again(meeting* m)
{
    meeting_run(m, PASS_widen_point);
    note_strayed(m);
    look_at_elements(m, false);
}
