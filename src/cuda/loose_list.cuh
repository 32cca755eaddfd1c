// Lists of loose particles that are near each other, on a GPU, by a sorted grid (cells.cuh).
#pragma once
#include "cuda/contact_reach.cuh"
#include "cuda/loose.cuh"

// ---- where everybody is -------------------------------------------------------------------------

MEETING loose_now now_of(const contact_set* s, int i)
{
    const contact_body* b = &s->body[s->owner[i]];
    quad place = load_point(s->place, i), course = load_point(s->course, i);
    loose_now now;
    for (int k = 0; k < 3; ++k) {
        now.place[k] = (double)place[k];
        now.course[k] = (double)course[k];
    }
    now.course[3] = (double)course[3];
    now.radius = (double)row_at_point(b, i - b->first_point)[ROW_RADIUS];
    return now;
}

// Balls of all particles, and around them all.
MEETING_LARGE void find_balls(meeting* m, int life, bool listed)
{
    SHARED(cell_extent, extent);
    const contact_set* s = m->set;
    device_loose* l = &m->of->loose;
    if (m->thread == 0) clear_extent(&l->cells.extent);
    if (threadIdx.x == 0) clear_extent(&extent);
    barrier(m);
    for (int i = m->thread; i < l->count; i += m->threads) {
        loose_now now = now_of(s, i);
        double leeway = loose_expect(s, i, &now, life, listed, &l->cells.ball[i], &l->cells.way[i]);
        if (s->looks_first) at_point(s->course, i)[3] = (scalar)leeway;
        add_ball(&extent, l->cells.ball[i]);
    }
    __syncthreads();
    join_extent(&l->cells.extent, &extent);
    barrier(m);
}

// ---- who is near --------------------------------------------------------------------------------

typedef struct {
    const contact_set* s;
    const device_cells* cells;
    const cell_layout* grid;
    const int* order;
    float most; // substeps after this one
    bool mixes; // every two of them may touch
} loose_search;

// Those that may touch a ball of the order, as far as there is room: `stride` numbers apart.
typedef struct {
    int at;
    grid_ball own, way;
    int* out;
    int stride, room;
    int count; // of all
} near_balls;

MEETING void look_at_ball(const loose_search& f, int i, const grid_ball& b, near_balls* n)
{
    const float apart[3] = {n->own.x - b.x, n->own.y - b.y, n->own.z - b.z};
    float reach = n->own.reach + b.reach;
    float square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
    if (i == n->at || !(square <= reach * reach)) return;
    const grid_ball way = load_ball(&f.cells->sorted_way[i]);
    if (!loose_comes_near(apart, &n->way, &way, f.most)) return;
    int number = f.order[i];
    if (!f.mixes && !loose_may_touch(f.s, f.order[n->at], number)) return;
    if (n->count < n->room) n->out[n->count * n->stride] = number;
    n->count++;
}

// Returns how many there are.
static __device__ __noinline__ int find_near(const loose_search& f, int at, int* out, int stride,
                                             int room)
{
    near_balls n = {at,
                    load_ball(&f.cells->sorted_ball[at]),
                    load_ball(&f.cells->sorted_way[at]),
                    out,
                    stride,
                    room,
                    0};
    if (!(n.own.reach > 0)) return 0;
    see_around(f.cells, f.grid, n.own,
               [&f, &n](int i, const grid_ball& b) { look_at_ball(f, i, b, &n); });
    return n.count;
}

// ---- lists --------------------------------------------------------------------------------------

MEETING long long entry_of(const int* start, int particle, int k)
{
    return ((long long)start[particle / LOOSE_BLOCK] + k) * LOOSE_BLOCK + particle % LOOSE_BLOCK;
}

// Of numbers that are `stride` apart.
MEETING void sort_numbers(int* of, int stride, int count)
{
    ROLLED
    for (int k = 1; k < count; ++k) {
        int one = of[k * stride], at = k;
        for (; at > 0 && of[(at - 1) * stride] > one; --at) of[at * stride] = of[(at - 1) * stride];
        of[at * stride] = one;
    }
}

// Where the k-th of those near a particle is, until lists are cut.
MEETING int* found_at(const device_loose* l, int particle, int k)
{
    size_t block = (size_t)(particle / LOOSE_BLOCK) * LOOSE_FOUND + (size_t)k;
    return &l->found[block * LOOSE_BLOCK + particle % LOOSE_BLOCK];
}

// In their order, as many as most have: more are looked for again when there is a place for them.
MEETING_LARGE void count_near(meeting* m, const loose_search& f)
{
    const device_loose* l = &m->of->loose;
    int found[LOOSE_FOUND];
    for (int at = m->thread; at < f.cells->count; at += m->threads) {
        int number = f.order[at], count = find_near(f, at, found, 1, LOOSE_FOUND);
        f.s->loose.neighbors[number] = count;
        if (count > LOOSE_FOUND) continue;
        sort_numbers(found, 1, count);
        for (int k = 0; k < count; ++k) *found_at(l, number, k) = found[k];
    }
    barrier(m);
}

// How many rows each block has: as many as the lane with most neighbors.
MEETING bool cut_rows(meeting* m)
{
    device_meeting* of = m->of;
    const loose_pairs* p = &m->set->loose;
    int blocks = loose_block_count(m->set);
    auto value = [=](int b) {
        int most = 0;
        for (int i = b * LOOSE_BLOCK; i < (b + 1) * LOOSE_BLOCK && i < p->count; ++i)
            most = max(most, p->neighbors[i]);
        return (long long)most;
    };
    scan_count(m, blocks, of->sums, value);
    barrier(m);
    long long all =
        scan_place(m, blocks, of->sums, value, [=](int b, long long at) { p->start[b] = (int)at; });
    if (all > of->room.rows) return stop(m, &of->needed.rows, all);
    if (m->thread == 0) p->start[blocks] = (int)all;
    barrier(m);
    return true;
}

MEETING_LARGE void place_near(meeting* m, const loose_search& f)
{
    const device_loose* l = &m->of->loose;
    const loose_pairs* p = &f.s->loose;
    for (int i = m->thread; i < f.cells->count; i += m->threads) {
        int* to = p->other + entry_of(p->start, i, 0);
        int count = p->neighbors[i];
        for (int k = 0; k < count && count <= LOOSE_FOUND; ++k)
            to[k * LOOSE_BLOCK] = *found_at(l, i, k);
        int number = f.order[i];
        count = p->neighbors[number];
        if (count <= LOOSE_FOUND) continue;
        to = p->other + entry_of(p->start, number, 0);
        find_near(f, i, to, LOOSE_BLOCK, count);
        sort_numbers(to, LOOSE_BLOCK, count);
    }
    barrier(m);
}

// ---- what pairs remember ------------------------------------------------------------------------

MEETING void clear_entry(const loose_pairs* p, long long entry)
{
    for (int k = 0; k < LOOSE_NUMBERS; ++k) ((scalar*)p->number)[number_at(entry, k)] = 0;
    ((unsigned char*)p->flags)[entry] = 0;
}

MEETING void hand_over(const loose_list_memory* old, long long from, const loose_pairs* p,
                       long long to)
{
    for (int k = 0; k < LOOSE_NUMBERS; ++k)
        ((scalar*)p->number)[number_at(to, k)] = ((const scalar*)old->number)[number_at(from, k)];
    ((unsigned char*)p->flags)[to] = ((const unsigned char*)old->flags)[from];
}

// Of a pair that is on no list: what is kept of it. The record is that of the first side.
MEETING void take_record(const device_meeting* of, const loose_pairs* p, int particle,
                         long long entry)
{
    int other = p->other[entry], sign = particle < other ? 1 : -1;
    uint64_t key = pair_key(min(particle, other), max(particle, other), SUB_FIRST);
    int at = kept_with(of, key);
    if (at < 0) return;
    const kept_contact* k = &of->kept[at];
    scalar* to = (scalar*)p->number;
    to[number_at(entry, LOOSE_LAMBDA)] = (scalar)k->lambda;
    to[number_at(entry, LOOSE_PIVOT)] = (scalar)k->pivot;
    to[number_at(entry, LOOSE_SUNK)] = (scalar)k->sunk;
    to[number_at(entry, LOOSE_STORED)] = (scalar)k->stored;
    for (int i = 0; i < 3; ++i) {
        to[number_at(entry, LOOSE_SLIDE + i)] = (scalar)(sign * k->slide[i]);
        to[number_at(entry, LOOSE_SUM + i)] = (scalar)(sign * k->sum[i]);
    }
    unsigned flags = k->overlaps ? 1u << LOOSE_OVERLAPS : 0;
    if (k->sunk > 0) flags |= 1u << LOOSE_SUNKEN;
    if (kept_has_pushed(k)) flags |= 1u << LOOSE_PUSHED;
    ((unsigned char*)p->flags)[entry] = (unsigned char)flags;
    of->alive[at] = 0;
}

// Who was on the list before, or is kept, goes on; the others start at nothing.
MEETING void fill_lane(const meeting* m, const loose_list_memory* old, int old_count, int particle)
{
    const loose_pairs* p = &m->set->loose;
    const unsigned pushed = 1u << LOOSE_PUSHED;
    int rows = p->start[particle / LOOSE_BLOCK + 1] - p->start[particle / LOOSE_BLOCK];
    int before = old_count > 0 ? old->neighbors[particle] : 0, at = 0;
    bool lost = false;
    auto flags = [=](int k) {
        return ((const unsigned char*)old->flags)[entry_of(old->start, particle, k)];
    };
    auto other = [=](int k) { return old->other[entry_of(old->start, particle, k)]; };
    for (int k = 0; k < rows; ++k) {
        long long entry = entry_of(p->start, particle, k);
        bool near = k < p->neighbors[particle];
        int one = near ? p->other[entry] : INT32_MAX;
        for (; at < before && other(at) < one; ++at) lost |= (flags(at) & pushed) != 0;
        if (near && at < before && other(at) == one) {
            hand_over(old, entry_of(old->start, particle, at++), p, entry);
            continue;
        }
        clear_entry(p, entry);
        if (!near) p->other[entry] = particle;
        if (near && m->of->kept_count > 0) take_record(m->of, p, particle, entry);
    }
    for (; at < before; ++at) lost |= (flags(at) & pushed) != 0;
    if (lost) flag_raise(&m->set->flags->lost, m->set->pass);
}

// Whether entry k of an old list pushed in this step, and is on the new one no more; of pairs each
// once.
MEETING bool is_lost(const contact_set* s, const loose_list_memory* old, int particle, int k)
{
    const loose_pairs* p = &s->loose;
    long long entry = entry_of(old->start, particle, k);
    int other = old->other[entry], low = 0, high = p->neighbors[particle];
    if (other < particle || !(((const unsigned char*)old->flags)[entry] & 1u << LOOSE_PUSHED))
        return false;
    while (low < high) {
        int middle = (low + high) / 2;
        if (p->other[entry_of(p->start, particle, middle)] < other)
            low = middle + 1;
        else
            high = middle;
    }
    return low == p->neighbors[particle] || p->other[entry_of(p->start, particle, low)] != other;
}

MEETING kept_contact record_of(const loose_list_memory* old, int particle, int k)
{
    const scalar* from = (const scalar*)old->number;
    long long entry = entry_of(old->start, particle, k);
    kept_contact out;
    memset(&out, 0, sizeof out);
    out.key = pair_key(particle, old->other[entry], SUB_FIRST);
    out.lambda = (double)from[number_at(entry, LOOSE_LAMBDA)];
    out.pivot = (double)from[number_at(entry, LOOSE_PIVOT)];
    out.sunk = (double)from[number_at(entry, LOOSE_SUNK)];
    out.stored = (double)from[number_at(entry, LOOSE_STORED)];
    out.overlaps = ((const unsigned char*)old->flags)[entry] >> LOOSE_OVERLAPS & 1;
    out.met = true;
    for (int i = 0; i < 3; ++i) {
        out.slide[i] = (double)from[number_at(entry, LOOSE_SLIDE + i)];
        out.sum[i] = (double)from[number_at(entry, LOOSE_SUM + i)];
    }
    return out;
}

// Their force is not to be lost: they come to what is kept.
MEETING_LARGE bool keep_lost(meeting* m, const loose_list_memory* old, int count)
{
    device_meeting* of = m->of;
    if (m->thread == 0) of->cursor[CURSOR_KEPT] = 0;
    barrier(m);
    keep(m, false);
    for (int i = m->thread; i < count; i += m->threads)
        for (int k = 0; k < old->neighbors[i]; ++k)
            if (is_lost(m->set, old, i, k))
                keep_one(of, atomicAdd(&of->cursor[CURSOR_KEPT], 1), record_of(old, i, k), false);
    barrier(m);
    use_kept(m);
    barrier(m);
    if (m->thread == 0) of->cursor[CURSOR_KEPT] = 0;
    return kept_fits(m);
}

// Who is on no list does not push any more.
MEETING void forget_pushes(meeting* m)
{
    device_meeting* of = m->of;
    for (int i = m->thread; i < of->kept_count; i += m->threads)
        if (of->alive[i] && key_second(of->kept[i].key) < m->set->loose.count)
            of->kept[i].lambda = of->kept[i].sunk = of->kept[i].stored = 0;
    barrier(m);
}

// ---- for the order of work ----------------------------------------------------------------------

// The other memory becomes that of the list.
MEETING void change_lists(meeting* m, int life)
{
    loose_pairs* p = &m->set->loose;
    __syncthreads();
    if (threadIdx.x == 0) {
        p->turn = 1 - p->turn;
        const loose_list_memory* to = &m->of->loose.list[p->turn];
        p->neighbors = to->neighbors;
        p->start = to->start;
        p->other = to->other;
        p->number = to->number;
        p->flags = to->flags;
        p->count = m->of->loose.count;
        p->life = life;
        p->age = 0;
        for (int k = 0; k < 3; ++k) p->drift[k] = 0;
    }
    __syncthreads();
}

MEETING_LARGE bool list_loose(meeting* m)
{
    SHARED(cell_layout, grid);
    device_loose* l = &m->of->loose;
    contact_set* s = m->set;
    if (l->count == 0 || !(m->loose_due || s->loose.count == 0 || m->of->fresh)) return true;
    if (!kept_fits(m)) return false;
    int old_count = s->loose.count, life = s->loose.life > 0 ? s->loose.life : 1;
    if (old_count > 0 && s->loose.age > 0) life = loose_next_life(life, s->loose.age);
    const loose_list_memory* old = &l->list[s->loose.turn];
    find_balls(m, life, old_count > 0);
    find_levels(m, &l->cells);
    choose_grid(&l->cells, &grid);
    int turn = sort_balls(m, &l->cells, &grid);
    change_lists(m, life);
    const loose_search f = {s, &l->cells, &grid, l->cells.order[turn], (float)(life - 1), l->mixes};
    count_near(m, f);
    if (!cut_rows(m)) return false;
    place_near(m, f);
    next_pass(m);
    for (int i = m->thread; i < l->count; i += m->threads) fill_lane(m, old, old_count, i);
    barrier(m);
    if (said(m, &s->flags->lost) && !keep_lost(m, old, old_count)) return false;
    if (m->of->kept_count > 0) forget_pushes(m);
    if (m->thread == 0) m->of->lists++;
    m->loose_due = false;
    return true;
}
