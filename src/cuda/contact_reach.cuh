// How far the bodies of a meeting go in a substep, and whether lists reach as far (list.c).
#pragma once
#include "cuda/meeting.cuh"

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
        bool any = point < s->point_count;
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

MEETING void middle_of(const way_box& box, double out[3], double* out_half)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double low = unordered(box.low[k]), high = unordered(box.high[k]);
        out[k] = 0.5 * (low + high);
        square += 0.25 * (high - low) * (high - low);
    }
    *out_half = sqrt(square);
}

MEETING void measure_ways(meeting* m)
{
    const contact_set* s = m->set;
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        way_box box = m->of->ways[i];
        m->of->ways[i] = no_way();
        b->frozen = box.bad || m->of->diverged[m->of->slot[i]] < m->first_meeting;
        b->self_way = b->mean[0] = b->mean[1] = b->mean[2] = 0;
        if (b->frozen) continue;
        middle_of(box, b->mean, &b->self_way);
        add_way(&m->of->common, box);
    }
}

MEETING double apart_from(const double a[3], const double b[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

// How far bodies may go, and whether the list is good for that.
MEETING void choose_calm(meeting* m)
{
    contact_set* s = m->set;
    next_pass(m);
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        set_calm(b);
        if (!body_is_listed(b)) flag_raise(&m->of->unlisted, s->pass);
    }
    barrier(m);
    m->listed = m->of->listed && !m->of->fresh && !said(m, &m->of->unlisted);
}

MEETING_LARGE void meeting_look(meeting* m)
{
    contact_set* s = m->set;
    gather_ways(m);
    barrier(m);
    measure_ways(m);
    barrier(m);
    double half;
    const way_box common = m->of->common;
    bool any = common.low[0] <= common.high[0];
    if (threadIdx.x == 0) {
        s->frame[0] = s->frame[1] = s->frame[2] = 0;
        if (any) middle_of(common, s->frame, &half);
    }
    __syncthreads();
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        b->way = apart_from(b->mean, s->frame) + b->self_way;
    }
    choose_calm(m);
}

MEETING void raise_double(double* at, double value)
{
    atomicMax((unsigned long long*)at, (unsigned long long)__double_as_longlong(value));
}

MEETING_LARGE void meeting_look_again(meeting* m)
{
    contact_set* s = m->set;
    for (int i = m->thread; i < s->live_count; i += m->threads) {
        contact_body* b = &s->body[s->owner[s->live[i]]];
        quad at = load_point(s->increment, s->live[i]);
        double d[3] = {(double)at[0], (double)at[1], (double)at[2]};
        raise_double(&b->way, apart_from(d, s->frame));
        raise_double(&b->self_way, apart_from(d, b->mean));
    }
    barrier(m);
    choose_calm(m);
}
