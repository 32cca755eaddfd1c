// Colliders that meet surfaces: who needs it in a step, and where they are in a substep
// (contact/colliders.h).
#pragma once
#include "contact/placing.h"
#include "cuda/contact_pairs.cuh"

// ---- bodies before a step -----------------------------------------------------------------------

struct measured {
    overlap_box box;
    double square;   // [m^2/s^2] of its fastest point's speed
    double smallest; // [m]
};

MEETING double lower(double a, double b) { return a < b ? a : b; }
MEETING double higher(double a, double b) { return a > b ? a : b; }

MEETING measured nothing_measured(void)
{
    measured none;
    for (int k = 0; k < 3; ++k) {
        none.box.low[k] = INFINITY;
        none.box.high[k] = -INFINITY;
    }
    none.square = 0;
    none.smallest = INFINITY;
    return none;
}

MEETING void add_measured(measured* to, const measured& other)
{
    for (int k = 0; k < 3; ++k) {
        to->box.low[k] = lower(other.box.low[k], to->box.low[k]);
        to->box.high[k] = higher(other.box.high[k], to->box.high[k]);
    }
    to->square = higher(other.square, to->square);
    to->smallest = lower(other.smallest, to->smallest);
}

MEETING const scalar* velocity_at_point(const contact_body* b, int point)
{
    return (const scalar*)b->at.velocity + (size_t)b->row[point] * ROW4;
}

MEETING measured measure_point(const contact_body* b, int point)
{
    const scalar *row = row_at_point(b, point), *velocity = velocity_at_point(b, point);
    measured one;
    one.square = 0;
    for (int k = 0; k < 3; ++k) {
        double v = (double)velocity[k];
        one.box.low[k] = one.box.high[k] = (double)row[k];
        one.square += v * v;
    }
    one.smallest = fabs((double)row[ROW_RADIUS]); // of one that is absent no size
    return one;
}

MEETING measured measured_by_warp(measured mine)
{
    for (int apart = MEETING_WARP / 2; apart > 0; apart /= 2) {
        measured other;
        for (int k = 0; k < 3; ++k) {
            other.box.low[k] = __shfl_xor_sync(~0u, mine.box.low[k], apart);
            other.box.high[k] = __shfl_xor_sync(~0u, mine.box.high[k], apart);
        }
        other.square = __shfl_xor_sync(~0u, mine.square, apart);
        other.smallest = __shfl_xor_sync(~0u, mine.smallest, apart);
        add_measured(&mine, other);
    }
    return mine;
}

// All threads of a block measure a body: around its points, and as far as they may go.
MEETING_LARGE void measure_body(const meeting* m, int body)
{
    typedef measured of_warps[MEETING_THREADS / MEETING_WARP];
    SHARED(of_warps, part);
    contact_body* b = &m->set->body[body];
    measured mine = nothing_measured();
    ROLLED
    for (int i = (int)threadIdx.x; i < b->surface->point_count; i += MEETING_THREADS)
        add_measured(&mine, measure_point(b, i));
    mine = measured_by_warp(mine);
    if (threadIdx.x % MEETING_WARP == 0) part[threadIdx.x / MEETING_WARP] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < MEETING_THREADS / MEETING_WARP; ++i) add_measured(&mine, part[i]);
        b->speed = sqrt(mine.square);
        b->smallest = mine.smallest;
        const select_rules& r = m->world->rules;
        contact_box_widen(&mine.box, b->radius, b->speed, r.dt, r.more);
        for (int k = 0; k < 3; ++k) {
            b->low[k] = mine.box.low[k];
            b->high[k] = mine.box.high[k];
        }
    }
    __syncthreads(); // before others are measured
}

// ---- who needs it -------------------------------------------------------------------------------

MEETING void take_collider(contact_body* b, const collider_told* told)
{
    b->shape = &told->shape;
    for (int k = 0; k < 3; ++k) {
        b->velocity[k] = told->velocity[k];
        b->low[k] = told->low[k];
        b->high[k] = told->high[k];
    }
    b->haste = told->haste;
    b->place = told->place;
    b->load = told->load;
    b->still = told->still;
    b->turns = told->turns;
    b->only_rigid = told->only_rigid;
    b->meets = false; // until somebody needs it
}

MEETING overlap_box box_of(const contact_body* b)
{
    overlap_box box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = b->low[k];
        box.high[k] = b->high[k];
    }
    return box;
}

MEETING surface_need need_of_pair(const meeting* m, const contact_body* b, const contact_body* c)
{
    const overlap_box one = box_of(b), two = box_of(c);
    if (!b->meets || !(is_plane(c) || box_overlaps(&one, &two))) return NEEDS_NONE;
    return need_of_surface(b, c, &m->world->rules);
}

// All threads of a block: whether some point of the body is fast.
MEETING_LARGE bool any_point_is_fast(const meeting* m, const contact_body* b, const contact_body* c)
{
    SHARED(int, fast);
    if (threadIdx.x == 0) fast = 0;
    __syncthreads();
    ROLLED
    for (int i = (int)threadIdx.x; i < b->surface->point_count; i += MEETING_THREADS) {
        const scalar* velocity = velocity_at_point(b, i);
        double v[3];
        for (int k = 0; k < 3; ++k) v[k] = (double)velocity[k];
        if (is_fast_point(b, c, &m->world->rules, v)) atomicOr(&fast, 1);
    }
    __syncthreads();
    bool any = fast != 0;
    __syncthreads(); // before it is cleared
    return any;
}

MEETING void measure_all(meeting* m)
{
    const contact_set* s = m->set;
    int bodies = s->first_collider, colliders = s->body_count - bodies;
    ROLLED
    for (int i = m->thread; i < colliders; i += m->threads)
        take_collider(&s->body[bodies + i], &m->world->colliders[i]);
    ROLLED
    for (int i = m->block; i < bodies; i += m->blocks)
        if (s->body[i].meets) measure_body(m, i);
    long long marks = (long long)bodies * m->of->columns;
    ROLLED
    for (long long i = m->thread; i < marks; i += m->threads)
        m->of->swept_before[i] = m->of->swept[i];
    if (m->thread == 0) m->of->swept_changes = m->of->swept_any = 0;
    barrier(m);
}

// Calls with(body, collider) for pairs from `first` on, every so many.
template <class With>
MEETING void each_pair(const contact_set* s, long long first, long long step, With with)
{
    int colliders = s->body_count - s->first_collider;
    long long pairs = (long long)s->first_collider * colliders;
    ROLLED
    for (long long i = first; i < pairs; i += step)
        with((int)(i / colliders), &s->body[s->first_collider + (int)(i % colliders)]);
}

MEETING void find_needs(meeting* m)
{
    const contact_set* s = m->set;
    each_pair(s, m->thread, m->threads, [=](int body, const contact_body* c) {
        *swept_mark(m->of, body, c) = (unsigned char)need_of_pair(m, &s->body[body], c);
    });
    barrier(m);
    each_pair(s, m->block, m->blocks, [=](int body, const contact_body* c) {
        unsigned char* mark = swept_mark(m->of, body, c);
        if (*mark != NEEDS_LOOK) return;
        bool fast = any_point_is_fast(m, &s->body[body], c);
        if (threadIdx.x == 0) *mark = fast ? NEEDS_SURFACE : NEEDS_NONE;
    });
    barrier(m);
}

// Of a step: which bodies meet which colliders by their surface. Who did not meet before may cross.
MEETING_LARGE void select_swept(meeting* m)
{
    const contact_set* s = m->set;
    device_meeting* of = m->of;
    if (s->first_collider == s->body_count) return;
    measure_all(m);
    find_needs(m);
    each_pair(s, m->thread, m->threads, [=](int body, contact_body* c) {
        const unsigned char* mark = swept_mark(of, body, c);
        if (*mark != of->swept_before[mark - of->swept]) atomicOr(&of->swept_changes, 1);
        if (!*mark) return;
        atomicOr(&of->swept_any, 1);
        c->meets = true;
    });
    barrier(m);
    if (of->swept_changes) m->listed[OF_TWO] = false;
    if (m->thread == 0 && of->swept_changes && of->swept_any) of->look_for_crossed = true;
    barrier(m);
}

// Of a step: where loose particles meet nobody else, nobody lists surfaces, nor has pairs of them.
MEETING void see_who_is_alone(meeting* m)
{
    contact_set* s = m->set;
    device_meeting* of = m->of;
    bool alone = of->loose.only && (s->first_collider == s->body_count || !of->swept_any);
    if (threadIdx.x == 0) s->loose_alone = alone;
    if (!alone) return;
    m->listed[OF_TWO] = m->listed[OF_ONE] = false;
    if (m->thread == 0) of->list[OF_TWO].count = of->list[OF_ONE].count = 0;
    ROLLED
    for (int i = m->thread; i < s->point_count && MEETS_ALONE; i += m->threads)
        s->touching.start[i] = s->touching.end[i] = 0;
}

// ---- where they are -----------------------------------------------------------------------------

MEETING_LARGE void place_colliders(meeting* m)
{
    const contact_set* s = m->set;
    if (s->first_collider == s->body_count) return;
    int first = s->body[s->first_collider].first_point;
    ROLLED
    for (int i = first + m->thread; i < s->point_count; i += m->threads) {
        const contact_body* b = &s->body[s->owner[i]];
        if (collider_goes(b, s->substep))
            place_collider_point(b, i - b->first_point, s->substep, sizeof(scalar), s->h);
    }
    ROLLED
    for (int i = s->first_collider + m->thread; i < s->body_count; i += m->threads)
        if (collider_goes(&s->body[i], s->substep)) place_collider(&s->body[i], s->substep);
    barrier(m);
}
