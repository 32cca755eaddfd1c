// Pairs of the substep, by all threads of a meeting: those of the lists that may meet, in any
// order, and the pairs of each point in the order of their keys.
#pragma once
#include "cuda/contact_crossed.cuh"
#include "cuda/contact_manifolds.cuh"

// ---- pairs of points ----------------------------------------------------------------------------

// What a point has: its entries, how many, and those that had no room.
struct entry_lists {
    point_pairs of;
    int *count, *more, *before;
    meeting_cursor cursor;
};

MEETING entry_lists touching_lists(const meeting* m)
{
    const device_meeting* d = m->of;
    return {m->set->touching, d->touched, d->more_touched, d->entry_before, CURSOR_ENTRY};
}
MEETING entry_lists holding_lists(const meeting* m)
{
    const device_meeting* d = m->of;
    return {m->set->holding, d->held, d->more_held, d->held_before, CURSOR_HELD};
}

MEETING void add_entries(const contact_set* s, const entry_lists& l, int pair)
{
    const int* points = s->pair[pair].point;
    ROLLED
    for (int k = 0; k < 4; ++k) {
        int point = points[k], entry = 4 * pair + k, place = atomicAdd(&l.count[point], 1);
        if (place < POINT_ROOM)
            l.of.entry[(size_t)point * POINT_ROOM + place] = entry;
        else
            l.before[entry] = atomicExch(&l.more[point], entry);
    }
}

// A point of a pair may be in it twice.
MEETING bool comes_before(const contact_set* s, int entry, int other)
{
    uint64_t a = s->pair[entry / 4].key, b = s->pair[other / 4].key;
    return a < b || (a == b && entry < other);
}

MEETING void sort_entries(const contact_set* s, int* entry, int count)
{
    for (int i = 1; i < count; ++i) {
        int one = entry[i], k = i;
        ROLLED
        for (; k > 0 && comes_before(s, one, entry[k - 1]); --k) entry[k] = entry[k - 1];
        entry[k] = one;
    }
}

// After a barrier: in order, and side by side.
MEETING void order_entries(const meeting* m, const entry_lists& l, int point)
{
    const contact_set* s = m->set;
    int count = l.count[point], start = point * POINT_ROOM;
    if (count > POINT_ROOM) {
        int at = s->point_count * POINT_ROOM + atomicAdd(&m->of->cursor[l.cursor], count);
        ROLLED
        for (int i = 0; i < POINT_ROOM; ++i) l.of.entry[at + i] = l.of.entry[start + i];
        int entry = l.more[point];
        ROLLED
        for (int i = POINT_ROOM; i < count; ++i, entry = l.before[entry])
            l.of.entry[at + i] = entry;
        start = at;
    }
    sort_entries(s, l.of.entry + start, count);
    l.of.start[point] = start;
    l.of.end[point] = start + count;
}

// ---- pairs that are awake -----------------------------------------------------------------------

MEETING void note_live(const meeting* m, int point, bool any)
{
    device_meeting* d = m->of;
    bool first =
        any && atomic_read(&d->incident[point]) == 0 && atomicExch(&d->incident[point], 1) == 0;
    int place = take_place(d, CURSOR_LIVE, first);
    if (first) m->set->live[place] = point;
}

// A pair that may touch takes over what is kept of it. So does one that remembers something.
MEETING void add_touch(const meeting* m, int pair, bool any, double carry)
{
    contact_set* s = m->set;
    device_meeting* d = m->of;
    bool close = any && pair_is_close(s, pair);
    bool asks = close || (any && (d->bounces || collider_of(s, &s->pair[pair])));
    int kept = asks ? kept_with(d, s->pair[pair].key) : -1;
    bool touch = close || (kept >= 0 && pair_remembers(s, pair, &d->kept[kept]));
    int place = take_place(d, CURSOR_TOUCH, touch);
    if (!touch) return;
    s->touch[place] = pair;
    if (kept >= 0) {
        take_kept_contact(s, pair, &d->kept[kept], carry);
        d->alive[kept] = 0;
        if (MEETS_RIGID && !pair_goes_on(s, pair)) note_lost(m, d->kept[kept]);
    }
    if (MEETS_RIGID) enter_manifold(m, pair);
    if (!MEETS_RIGID && s->looks_first) warm_pair(s, pair);
    if (pair_may_push(s, pair)) add_entries(s, touching_lists(m), pair);
}

// A pair of one of both lists, as those that wait are told apart: its place, and which list above
// it.
enum { LIST_SHIFT = 30 };
MEETING listed_pair* listed_at(const meeting* m, int one)
{
    return (listed_pair*)m->of->list[one >> LIST_SHIFT].at + (one & ((1 << LIST_SHIFT) - 1));
}

// Each lane has a pair of a list that may meet, or -1.
MEETING_LARGE void add_pairs(const meeting* m, int one, double carry)
{
    contact_set* s = m->set;
    near_elements n;
    candidate c;
    pair_state found;
    bool apart = false;
    bool yes = one >= 0 && measure_listed(s, listed_at(m, one), &n, &c, &found, &apart);
    int pair = take_place(m->of, CURSOR_PAIR, yes);
    yes = yes && pair < m->of->room.pairs;
    if (yes) {
        fill_found(&n, &c, apart, &s->pair[pair], &found);
        *state_of(s, pair) = found;
    }
    ROLLED
    for (int k = 0; k < 4; ++k) note_live(m, yes ? s->pair[pair].point[k] : 0, yes);
    add_touch(m, pair, yes, carry);
}

// Whether the sides of a pair come nearer along their direction by more than they are apart: that
// is what passes and the guard look at. Ways are seen from the first point, and so is their
// rounding.
MEETING bool comes_near(const near_elements* n, const candidate* c, const pair_state* found)
{
    const contact_set* s = n->s;
    int first = pair_first_side(c->kind);
    int start[2] = {n->body[c->swapped]->first_point, n->body[!c->swapped]->first_point};
    quad base = load_point(s->course, start[0] + c->point[0]);
    scalar least = -base[3], most = -INFINITY, farthest = 0;
    UNROLL
    for (int k = 1; k < 4; ++k) {
        quad course = load_point(s->course, start[k >= first] + c->point[k]);
        vec3 way = quad_xyz(course - base);
        scalar along = v3_dot(normal_of(found), way);
        farthest = lane_max(farthest, v3_dot(way, way));
        if (k < first)
            least = along - course[3] < least ? along - course[3] : least;
        else
            most = lane_max(most, along + course[3]);
    }
    scalar nearer = lane_max(most - least + (scalar)WAY_ROUNDING * lane_sqrt(farthest), 0);
    return !((double)found->distance >
             touching_distance(n) + PAIR_ROOM * (1 + WAY_ROUNDING) * (double)nearer);
}

// Pairs that remember something take it over wherever the CPU's do: those are taken by their ways
// alone.
MEETING bool may_be_left_out(const meeting* m, const near_elements* n, const candidate* c,
                             const pair_state* found)
{
    if (n->crossed || n->body[0]->collider || n->body[1]->collider) return false;
    if (is_rigid(n->body[0]) || is_rigid(n->body[1])) return false; // it may take another one's
    if (comes_near(n, c, found)) return false;
    int first = n->body[0]->first_element + n->element[0];
    return kept_with(m->of, pair_key(first, n->body[1]->first_element + n->element[1], c->sub)) < 0;
}

// Whether a pair of a list may meet; else it goes on sleeping.
MEETING_LARGE bool test_listed(const meeting* m, int one)
{
    near_elements n;
    candidate c;
    pair_state found;
    bool apart;
    return one >= 0 && measure_listed(m->set, listed_at(m, one), &n, &c, &found, &apart) &&
           !(apart && may_be_left_out(m, &n, &c, &found));
}

// Pairs wait until there is one for each lane of the warp: those that are awake to be measured,
// and those that may meet to be added.
struct pair_queue {
    int awake[2 * MEETING_WARP], near[2 * MEETING_WARP];
};

MEETING int push(int* queue, int held, bool any, int i)
{
    int lane = (int)threadIdx.x % MEETING_WARP;
    unsigned all = __ballot_sync(~0u, any);
    if (any) queue[held + __popc(all & ((1u << lane) - 1))] = i;
    __syncwarp();
    return held + __popc(all);
}

struct pair_finder {
    const meeting* m;
    pair_queue* queue;
    int awake, near; // how many wait
    double carry;
};

// As many as a warp has, or all that are left.
MEETING void add_waiting(pair_finder* f, int count)
{
    int lane = (int)threadIdx.x % MEETING_WARP;
    f->near -= count;
    int i = lane < count ? f->queue->near[f->near + lane] : -1;
    __syncwarp();
    add_pairs(f->m, i, f->carry);
}
MEETING_LARGE void test_waiting(pair_finder* f, int count)
{
    int lane = (int)threadIdx.x % MEETING_WARP;
    f->awake -= count;
    int i = lane < count ? f->queue->awake[f->awake + lane] : -1;
    __syncwarp();
    f->near = push(f->queue->near, f->near, test_listed(f->m, i), i);
    if (f->near >= MEETING_WARP) add_waiting(f, MEETING_WARP);
}

// A lane looks at several pairs at once, so that it waits for memory once.
enum { LOOKS = 4, TILE = LOOKS * MEETING_WARP };

MEETING void look_at_tile(pair_finder* f, int of, int first, int count)
{
    const listed_pair* at = (const listed_pair*)f->m->of->list[of].at;
    const float* reach = f->m->set->reach[of];
    int lane = (int)threadIdx.x % MEETING_WARP;
    listed_pair pair[LOOKS];
    bool awake[LOOKS];
    UNROLL
    for (int k = 0; k < LOOKS; ++k) {
        int i = first + k * MEETING_WARP + lane;
        pair[k] = at[i < count ? i : 0];
    }
    UNROLL
    for (int k = 0; k < LOOKS; ++k) awake[k] = is_awake(reach, &pair[k]);
    UNROLL
    for (int k = 0; k < LOOKS; ++k) {
        int i = first + k * MEETING_WARP + lane;
        f->awake = push(f->queue->awake, f->awake, awake[k] && i < count, of << LIST_SHIFT | i);
        if (f->awake >= MEETING_WARP) test_waiting(f, MEETING_WARP);
    }
}

// Neighbors in a list are awake together: each tile goes to another warp.
MEETING void find_listed(const meeting* m, double carry)
{
    typedef pair_queue of_warps[MEETING_THREADS / MEETING_WARP];
    SHARED(of_warps, queues);
    pair_finder f = {m, &queues[threadIdx.x / MEETING_WARP], 0, 0, carry};
    int warp = m->thread / MEETING_WARP;
    ROLLED
    for (int of = OF_TWO; of <= OF_ONE; ++of) {
        int count = m->of->list[of].count;
        ROLLED
        for (long long first = (long long)warp * TILE; first < count;
             first += (long long)m->threads * LOOKS)
            look_at_tile(&f, of, (int)first, count);
    }
    if (f.awake > 0) test_waiting(&f, f.awake);
    if (f.near > 0) add_waiting(&f, f.near);
    __syncwarp();
}

// ---- pairs of the substep -----------------------------------------------------------------------

// How many there are, for all blocks.
MEETING bool take_counts(meeting* m)
{
    device_meeting* d = m->of;
    int pairs = taken(d, CURSOR_PAIR);
    if (pairs > d->room.pairs) return stop(m, &d->needed.pairs, pairs);
    if (threadIdx.x == 0) {
        m->set->pair_count = pairs;
        m->set->touch_count = taken(d, CURSOR_TOUCH);
        m->set->live_count = taken(d, CURSOR_LIVE);
        m->set->hold_count = 0;
    }
    __syncthreads();
    return true;
}

#ifdef LOOSE_ALONE
// Nobody has a surface: there are no pairs of elements.
MEETING bool meeting_pair(meeting* m, double carry)
{
    (void)m, (void)carry;
    return true;
}
#else
// Loose particles that have neighbors of their kind.
MEETING void note_listed(const meeting* m)
{
    const loose_pairs* p = &m->set->loose;
    int lane = (int)threadIdx.x % MEETING_WARP;
    ROLLED
    for (int i = m->thread; i - lane < p->count; i += m->threads) {
        bool any = i < p->count && p->neighbors[i] > 0;
        note_live(m, any ? i : 0, any);
    }
}

MEETING_LARGE bool meeting_pair(meeting* m, double carry)
{
    contact_set* s = m->set;
    device_meeting* d = m->of;
    if (m->thread == 0) d->cursor[CURSOR_KEPT] = 0;
    if (!kept_fits(m)) return false;
    find_listed(m, carry);
    note_listed(m);
    barrier(m);
    if (!take_counts(m)) return false;
    const entry_lists l = touching_lists(m);
    ROLLED
    for (int i = m->thread; i < s->live_count; i += m->threads) order_entries(m, l, s->live[i]);
    ROLLED
    for (int i = m->thread; i < d->kept_count; i += m->threads) let_go(m, i);
    if (m->thread == 0) d->paired = true;
    m->pending = WORK_LIVE;
    if (MEETS_RIGID) finish_manifolds(m, carry);
    return true;
}
#endif

// Pairs that the guard holds back. Two cursors take turns, so that one is cleared while nobody
// looks at it.
MEETING_LARGE bool meeting_hold(meeting* m)
{
    device_meeting* d = m->of;
    contact_set* s = m->set;
    int turn = m->round++ % 2, lane = (int)threadIdx.x % MEETING_WARP;
    entry_lists l = holding_lists(m);
    l.cursor = (meeting_cursor)(CURSOR_HELD + turn);
    ROLLED
    for (int i = m->thread; i - lane < s->pair_count; i += m->threads) {
        bool yes = i < s->pair_count && state_of(s, i)->crosses;
        int place = take_place(d, (meeting_cursor)(CURSOR_HOLD + turn), yes);
        if (!yes) continue;
        s->hold[place] = i;
        add_entries(s, l, i);
    }
    barrier(m);
    if (threadIdx.x == 0) s->hold_count = taken(d, (meeting_cursor)(CURSOR_HOLD + turn));
    if (m->thread == 0) d->cursor[CURSOR_HOLD + !turn] = d->cursor[CURSOR_HELD + !turn] = 0;
    ROLLED
    for (int i = m->thread; i < s->live_count; i += m->threads) {
        int point = s->live[i];
        order_entries(m, l, point);
        d->held[point] = 0;
        d->more_held[point] = -1;
    }
    m->pending = WORK_LIVE;
    __syncthreads();
    return true;
}

// ---- start and end ------------------------------------------------------------------------------

MEETING_LARGE void meeting_go_on(meeting* m)
{
    contact_set* s = m->set;
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        b->stir = b->stir_next;
        b->stir_next = 0;
        b->touched = 0;
    }
    if (!MEETS_ALONE) expect_motions(m);
    if (m->thread == 0) m->of->last_h = s->h;
}

MEETING void start_bodies(meeting* m)
{
    device_meeting* of = m->of;
    ROLLED
    for (int i = m->thread; i < m->set->body_count; i += m->threads) {
        of->ways[i] = no_way();
        m->set->body[i].frozen = has_failed(m, i);
        if (m->set->body[i].frozen) of->any_frozen = true;
    }
}

// What the substep before left of courses decides what is found near: a step that is repeated has
// to begin with the same.
MEETING void start_courses(meeting* m)
{
    contact_set* s = m->set;
    const device_meeting* of = m->of;
    if (s->loose_alone) return;
    ROLLED
    for (int i = m->thread; i < s->point_count; i += m->threads) {
        course_memory* before = &of->courses[i];
        if (of->again) {
            s->swerve[i] = before->swerve;
            s->loaded[i] = before->live ? s->meeting : 0;
        } else {
            *before = {s->swerve[i], s->loaded[i] == s->meeting};
        }
    }
    ROLLED
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        if (!of->again) {
            of->stir_before[i] = s->body[i].stir;
        } else {
            s->body[i].stir = of->stir_before[i];
            s->body[i].stir_next = 0;
        }
    }
}

// Whether somebody may cross when the step begins.
MEETING void start_looking(device_meeting* of, const contact_set* s)
{
    if (of->again)
        of->look_for_crossed = of->looked_before;
    else
        of->look_for_crossed = of->looked_before = of->look_for_crossed || s->squeezed > 0;
    of->again = false;
}

// Of a step: what pairs remember as it begins.
MEETING bool start_step(meeting* m, double h)
{
    device_meeting* of = m->of;
    if (m->thread == 0) of->started = false;
    keep(m, true);
    start_bodies(m);
    barrier(m);
    use_kept(m);
    barrier(m);
    if (!kept_fits(m)) return false;
    ROLLED
    for (int i = m->thread; i < of->kept_count; i += m->threads) of->kept_before[i] = of->kept[i];
    start_courses(m);
    start_loose(m, h);
    if (MEETS_RIGID) start_manifolds(m);
    barrier(m);
    if (m->thread == 0) {
        of->cursor[CURSOR_KEPT] = 0;
        of->started = true;
        of->kept_before_count = of->kept_count;
        of->last_h_before = of->last_h;
        start_looking(of, m->set);
        of->flags.stopped = of->lists = 0;
        for (int i = 0; i < MEETING_PARTS; ++i) of->spent[i] = 0;
        of->flags.guarded = of->flags.guarded_angular = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) m->set->guarded_rounds = m->set->squeezed = m->set->pair_count = 0;
    if (threadIdx.x == 0) m->set->live_count = m->set->touch_count = m->set->hold_count = 0;
    barrier(m);
    return true;
}

// The set as the last launch left it.
MEETING void read_set(meeting* m)
{
    const int* from = (const int*)&m->of->set;
    ROLLED
    for (int i = (int)threadIdx.x; i < (int)(sizeof(contact_set) / sizeof(int));
         i += MEETING_THREADS)
        ((int*)m->set)[i] = from[i];
    __syncthreads();
}

MEETING void open_meeting(meeting* m, const meeting_work& w)
{
    read_set(m);
    if (threadIdx.x == 0) {
        m->set->h = w.h;
        m->set->substeps = w.substeps;
        m->set->substep = w.substep;
        if (w.kind == MEETING_MEET && w.first) contact_set_next(m->set);
        open_loose(m, w.h);
    }
    m->loose_due = m->of->loose.due;
    for (int k = 0; k < 2; ++k) m->listed[k] = m->of->listed[k];
    m->pending = WORK_NONE;
    m->has_met = false;
    m->round = 0;
    __syncthreads();
}

// Everybody has read what is written here.
MEETING void close_meeting(meeting* m)
{
    device_meeting* d = m->of;
    if (!m->has_met) barrier(m);
    if (m->thread != 0) return;
    ROLLED
    for (int k = CURSOR_HOLD; k < CURSORS; ++k) d->cursor[k] = 0;
    d->set = *m->set;
    for (int k = 0; k < 2; ++k) d->listed[k] = m->listed[k] && !d->stopped;
    d->loose.due = m->loose_due;
}
