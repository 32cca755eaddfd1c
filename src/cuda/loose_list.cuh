// Lists of loose particles that are near each other, on a GPU: by a grid, whose keys are integers
// of a few bits. Cells that are far apart may have the same key, which costs time and no more than
// that, since distances decide.
#pragma once
#include "cuda/contact_reach.cuh"
#include "cuda/loose.cuh"
#include "cuda/sort.cuh"

// ---- what balls have in common ------------------------------------------------------------------

MEETING void clear_extent(loose_extent* e)
{
    for (int k = 0; k < 3; ++k) {
        e->low[k] = INT32_MAX;
        e->high[k] = INT32_MIN;
    }
    e->least = bits_of_float(INFINITY);
    e->absent = 0;
    for (int k = 0; k < MOST_LEVELS; ++k) e->most[k] = 0;
}

MEETING void join_extent(loose_extent* e, const loose_extent* of)
{
    int k = (int)threadIdx.x;
    if (k < 3) {
        atomicMin(&e->low[k], of->low[k]);
        atomicMax(&e->high[k], of->high[k]);
    }
    if (k == 0) atomicMin(&e->least, of->least);
    if (k == 0 && of->absent) atomicOr(&e->absent, 1);
    if (k < MOST_LEVELS && of->most[k]) atomicMax(&e->most[k], of->most[k]);
}

MEETING void add_ball(loose_extent* e, const grid_ball& b)
{
    if (!(b.reach > 0)) {
        if (!*(volatile int*)&e->absent) atomicOr(&e->absent, 1);
        return;
    }
    const float x[3] = {b.x, b.y, b.z};
    unsigned reach = bits_of_float(b.reach);
    for (int k = 0; k < 3; ++k) {
        int at = ordered(x[k]);
        if (at < *(volatile int*)&e->low[k]) atomicMin(&e->low[k], at);
        if (at > *(volatile int*)&e->high[k]) atomicMax(&e->high[k], at);
    }
    if (reach < *(volatile unsigned*)&e->least) atomicMin(&e->least, reach);
}

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
    SHARED(loose_extent, extent);
    const contact_set* s = m->set;
    device_loose* l = &m->of->loose;
    if (m->thread == 0) clear_extent(&l->extent);
    if (threadIdx.x == 0) clear_extent(&extent);
    barrier(m);
    for (int i = m->thread; i < l->count; i += m->threads) {
        loose_now now = now_of(s, i);
        double leeway = loose_expect(s, i, &now, life, listed, &l->ball[i], &l->way[i]);
        if (s->looks_first) at_point(s->course, i)[3] = (scalar)leeway;
        add_ball(&extent, l->ball[i]);
    }
    __syncthreads();
    join_extent(&l->extent, &extent);
    barrier(m);
}

// ---- the grid -----------------------------------------------------------------------------------

typedef struct {
    double size[MOST_LEVELS], reach[MOST_LEVELS]; // [m] of cells; of the largest ball, or 0
    int levels;
    int bits[4]; // of a key, from the lowest: along x, y, z; level
    int all;     // together
} loose_grid;

// Of balls that are at least so large.
MEETING int level_of(float least, float reach)
{
    int level = 0;
    for (double most = 2 * (double)least; (double)reach >= most && level < MOST_LEVELS - 1;
         most *= 2)
        level++;
    return level;
}

MEETING_LARGE void find_levels(meeting* m)
{
    typedef unsigned of_levels[MOST_LEVELS];
    SHARED(of_levels, most);
    device_loose* l = &m->of->loose;
    const float least = float_of_bits(l->extent.least);
    if (threadIdx.x < MOST_LEVELS) most[threadIdx.x] = 0;
    __syncthreads();
    for (int i = m->thread; i < l->count; i += m->threads) {
        float reach = l->ball[i].reach;
        if (!(reach > 0)) continue;
        unsigned bits = bits_of_float(reach), *of = &most[level_of(least, reach)];
        if (bits > *(volatile unsigned*)of) atomicMax(of, bits);
    }
    __syncthreads();
    if (threadIdx.x < MOST_LEVELS && most[threadIdx.x])
        atomicMax(&l->extent.most[threadIdx.x], most[threadIdx.x]);
    barrier(m);
}

// Beyond the range of integers all are in one cell.
MEETING long long cell_along(double x, double size)
{
    const double most = 4e15;
    return (long long)fmin(fmax(floor(x / size), -most), most);
}

MEETING int bits_for(double count)
{
    int bits = 0;
    while (bits < 30 && count > (double)(1ll << bits)) bits++;
    return bits;
}

// Keys have as many bits along each axis as there are cells, as far as there is room for them.
MEETING void choose_bits(const device_loose* l, loose_grid* g)
{
    double finest = INFINITY;
    for (int level = 0; level < g->levels; ++level)
        if (g->reach[level] > 0) finest = fmin(finest, g->size[level]);
    g->bits[3] = bits_for(g->levels);
    g->all = g->bits[3];
    for (int k = 0; k < 3; ++k) {
        double low = unordered(l->extent.low[k]), high = unordered(l->extent.high[k]);
        g->bits[k] = bits_for(floor(high / finest) - floor(low / finest) + 1);
        g->all += g->bits[k];
    }
    for (; g->all > l->cell_bits; g->all--) {
        int most = 0;
        for (int k = 1; k < 3; ++k)
            if (g->bits[k] > g->bits[most]) most = k;
        g->bits[most]--;
    }
}

MEETING void choose_grid(const device_loose* l, loose_grid* g)
{
    if (threadIdx.x == 0) {
        g->levels = 0;
        for (int level = 0; level < MOST_LEVELS; ++level) {
            g->reach[level] = (double)float_of_bits(l->extent.most[level]);
            g->size[level] = 2.001 * g->reach[level];
            if (g->reach[level] > 0) g->levels = level + 1;
        }
        choose_bits(l, g);
    }
    __syncthreads();
}

// Of the cells that have these places along y and z: the lowest bits tell where along x.
MEETING unsigned row_key(const loose_grid* g, int level, long long y, long long z)
{
    unsigned key = (unsigned)level;
    key = key << g->bits[2] | ((unsigned)z & ((1u << g->bits[2]) - 1));
    key = key << g->bits[1] | ((unsigned)y & ((1u << g->bits[1]) - 1));
    return key << g->bits[0];
}
MEETING unsigned cell_key(const loose_grid* g, unsigned row, long long x)
{
    return row | ((unsigned)x & ((1u << g->bits[0]) - 1));
}

MEETING void find_keys(meeting* m, const loose_grid* g)
{
    const device_loose* l = &m->of->loose;
    const float least = float_of_bits(l->extent.least);
    for (int i = m->thread; i < l->count; i += m->threads) {
        const grid_ball b = l->ball[i];
        l->order[0][i] = i;
        if (!(b.reach > 0)) { // those that are absent come last
            l->key[0][i] = 1u << g->all;
            continue;
        }
        int level = level_of(least, b.reach);
        double size = g->size[level];
        unsigned row =
            row_key(g, level, cell_along((double)b.y, size), cell_along((double)b.z, size));
        l->key[0][i] = cell_key(g, row, cell_along((double)b.x, size));
    }
    const loose_cell nobody = {0, 0};
    for (int i = m->thread; i < 1 << g->all; i += m->threads) l->cell[i] = nobody;
    barrier(m);
}

// Returns which of the two memories has keys and numbers in their order.
MEETING_LARGE int sort_balls(meeting* m, const loose_grid* g)
{
    const device_loose* l = &m->of->loose;
    find_keys(m, g);
    int bits = g->all + l->extent.absent;
    int turn = sort_keys(m, l->key, l->order, l->count, bits, l->histogram);
    for (int i = m->thread; i < l->count; i += m->threads) {
        unsigned key = l->key[turn][i];
        int number = l->order[turn][i];
        l->sorted_ball[i] = l->ball[number];
        l->sorted_way[i] = l->way[number];
        if (key >> g->all) continue;
        if (i == 0 || l->key[turn][i - 1] != key) l->cell[key].first = i;
        if (i + 1 == l->count || l->key[turn][i + 1] != key) l->cell[key].end = i + 1;
    }
    barrier(m);
    return turn;
}

// ---- who is near --------------------------------------------------------------------------------

typedef struct {
    const contact_set* s;
    const device_loose* l;
    const loose_grid* grid;
    const int* order;
    float most; // substeps after this one
} loose_search;

// Those that may touch a ball of the order, as far as there is room: `stride` numbers apart.
typedef struct {
    int at;
    grid_ball own, way;
    int* out;
    int stride, room;
    int count; // of all
} near_balls;

MEETING grid_ball load_ball(const grid_ball* from)
{
    const float4 q = *(const float4*)from;
    const grid_ball b = {q.x, q.y, q.z, q.w};
    return b;
}

MEETING void look_at_ball(const loose_search& f, int i, const grid_ball& b, near_balls* n)
{
    const float apart[3] = {n->own.x - b.x, n->own.y - b.y, n->own.z - b.z};
    float reach = n->own.reach + b.reach;
    float square = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2];
    if (i == n->at || !(square <= reach * reach)) return;
    const grid_ball way = load_ball(&f.l->sorted_way[i]);
    if (!loose_comes_near(apart, &n->way, &way, f.most)) return;
    int number = f.order[i];
    if (!f.l->mixes && !loose_may_touch(f.s, f.order[n->at], number)) return;
    if (n->count < n->room) n->out[n->count * n->stride] = number;
    n->count++;
}

// Some are asked for at once, since each takes a while.
MEETING void look_at_balls(const loose_search& f, loose_cell run, near_balls* n)
{
    enum { AT_ONCE = 4 };
    grid_ball b[AT_ONCE];
    ROLLED
    for (int i = run.first; i < run.end; i += AT_ONCE) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
            b[k] = load_ball(&f.l->sorted_ball[min(i + k, run.end - 1)]);
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
            if (i + k < run.end) look_at_ball(f, i + k, b[k], n);
    }
}

// Cells of a row that are side by side have their balls side by side, too.
MEETING void look_along_row(const loose_search& f, unsigned row, long long first, int count,
                            near_balls* n)
{
    enum { AT_ONCE = 3 };
    loose_cell cell[AT_ONCE], run = {0, 0};
    ROLLED
    for (int i = 0; i < count; i += AT_ONCE) {
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            cell[k] = f.l->cell[cell_key(f.grid, row, first + min(i + k, count - 1))];
            if (i + k >= count) cell[k].end = cell[k].first;
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            if (cell[k].first == cell[k].end) continue;
            if (cell[k].first != run.end) {
                look_at_balls(f, run, n);
                run.first = cell[k].first;
            }
            run.end = cell[k].end;
        }
    }
    look_at_balls(f, run, n);
}

// Cells of a level that have who may be near, each once: no more than there are along an axis.
MEETING void look_at_level(const loose_search& f, int level, near_balls* n)
{
    const loose_grid* g = f.grid;
    const float x[3] = {n->own.x, n->own.y, n->own.z};
    long long first[3];
    int count[3];
    double around = 1.00001 * ((double)n->own.reach + g->reach[level]);
    for (int k = 0; k < 3; ++k) {
        first[k] = cell_along((double)x[k] - around, g->size[level]);
        long long last = cell_along((double)x[k] + around, g->size[level]);
        long long most = 1ll << g->bits[k];
        count[k] = (int)(last - first[k] + 1 < most ? last - first[k] + 1 : most);
    }
    ROLLED
    for (int yz = 0; yz < count[1] * count[2]; ++yz) {
        long long y = first[1] + yz % count[1], z = first[2] + yz / count[1];
        look_along_row(f, row_key(g, level, y, z), first[0], count[0], n);
    }
}

// Returns how many there are.
static __device__ __noinline__ int find_near(const loose_search& f, int at, int* out, int stride,
                                             int room)
{
    near_balls n = {
        at, load_ball(&f.l->sorted_ball[at]), load_ball(&f.l->sorted_way[at]), out, stride, room,
        0};
    if (!(n.own.reach > 0)) return 0;
    ROLLED
    for (int level = 0; level < f.grid->levels; ++level)
        if (f.grid->reach[level] > 0) look_at_level(f, level, &n);
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
    int found[LOOSE_FOUND];
    for (int at = m->thread; at < f.l->count; at += m->threads) {
        int number = f.order[at], count = find_near(f, at, found, 1, LOOSE_FOUND);
        f.s->loose.neighbors[number] = count;
        if (count > LOOSE_FOUND) continue;
        sort_numbers(found, 1, count);
        for (int k = 0; k < count; ++k) *found_at(f.l, number, k) = found[k];
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
    const loose_pairs* p = &f.s->loose;
    for (int i = m->thread; i < f.l->count; i += m->threads) {
        int* to = p->other + entry_of(p->start, i, 0);
        int count = p->neighbors[i];
        for (int k = 0; k < count && count <= LOOSE_FOUND; ++k)
            to[k * LOOSE_BLOCK] = *found_at(f.l, i, k);
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
    SHARED(loose_grid, grid);
    device_loose* l = &m->of->loose;
    contact_set* s = m->set;
    if (l->count == 0 || !(m->loose_due || s->loose.count == 0 || m->of->fresh)) return true;
    if (!kept_fits(m)) return false;
    int old_count = s->loose.count, life = s->loose.life > 0 ? s->loose.life : 1;
    if (old_count > 0 && s->loose.age > 0) life = loose_next_life(life, s->loose.age);
    const loose_list_memory* old = &l->list[s->loose.turn];
    find_balls(m, life, old_count > 0);
    find_levels(m);
    choose_grid(l, &grid);
    int turn = sort_balls(m, &grid);
    change_lists(m, life);
    const loose_search f = {s, l, &grid, l->order[turn], (float)(life - 1)};
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
