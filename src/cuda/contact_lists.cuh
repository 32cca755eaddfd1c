// Lists of bodies that meet, by all threads of a meeting: what order.h asks for. Orders are those
// of the CPU's lists: what is found is counted first, then every finder knows its place.
#pragma once
#include "contact/pass_list.h"
#include "cuda/meeting.h"
#include <cooperative_groups.h>

enum { MEETING_THREADS = 512, MEETING_BLOCKS = 2, MEETING_WARP = 32 };

// One of the threads that work on a world.
struct meeting {
    device_meeting* of;
    contact_set* set; // the block's
    int thread, threads, block, blocks;
    bool listed;             // the list has all that may meet
    long long first_meeting; // of the step
};

#define MEETING       static __device__
#define MEETING_LARGE static __device__ __noinline__ // what many places call

// Everybody has come here, and sees what the others wrote.
MEETING void barrier(const meeting* m)
{
    if (m->blocks > 1)
        cooperative_groups::this_grid().sync();
    else
        __syncthreads();
}

MEETING long long clock_now(void)
{
    long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}
MEETING void start_time(const meeting* m)
{
    if (m->thread == 0) m->of->since = clock_now();
}
// The time since then was spent on a part.
MEETING void note_time(const meeting* m, meeting_part part)
{
    if (m->thread != 0) return;
    long long now = clock_now();
    m->of->spent[part] += now - m->of->since;
    m->of->since = now;
}

MEETING contact_set* meeting_set(meeting* m) { return m->set; }

// ---- passes -------------------------------------------------------------------------------------

#define RUN_PAIRS(one)                                                                             \
    case PASS_##one:                                                                               \
        for (int i = m->thread; i < count; i += m->threads) one(s, i);                             \
        break;
#define RUN_POINTS(one)                                                                            \
    case PASS_##one:                                                                               \
        for (int i = m->thread; i < count; i += m->threads) one(s, s->live[i]);                    \
        break;

// The number of the next pass, for all threads of the block.
MEETING void next_pass(meeting* m)
{
    if (threadIdx.x == 0) m->set->pass++;
    __syncthreads();
}

MEETING_LARGE void meeting_run(meeting* m, contact_pass pass)
{
    contact_set* s = m->set;
    next_pass(m);
    int count = pass_size(s, pass);
    switch (pass) {
        PASSES(RUN_PAIRS, RUN_POINTS, RUN_PAIRS)
    default:
        break;
    }
    barrier(m);
}

MEETING bool said(meeting* m, const unsigned* flag)
{
    bool yes = flag_is_raised(flag, m->set->pass);
    __syncthreads(); // before the number changes
    return yes;
}
MEETING bool meeting_said(meeting* m, const unsigned* flag) { return said(m, flag); }

MEETING void meeting_note_round(meeting* m)
{
    if (threadIdx.x == 0) m->set->guarded_rounds++;
}
MEETING void meeting_note_squeezed(meeting* m)
{
    if (threadIdx.x == 0) m->set->squeezed++;
}

// ---- sums over items in their order -------------------------------------------------------------

// The sum over the threads of the block before this one; out_all: of all.
MEETING long long block_scan(long long value, long long* out_all)
{
    __shared__ long long warp_sum[MEETING_THREADS / MEETING_WARP];
    int lane = (int)threadIdx.x % MEETING_WARP, warp = (int)threadIdx.x / MEETING_WARP;
    long long sum = value;
    for (int k = 1; k < MEETING_WARP; k *= 2) {
        long long before = __shfl_up_sync(~0u, sum, (unsigned)k);
        if (lane >= k) sum += before;
    }
    if (lane == MEETING_WARP - 1) warp_sum[warp] = sum;
    __syncthreads();
    long long base = 0, all = 0;
    for (int k = 0; k < MEETING_THREADS / MEETING_WARP; ++k) {
        if (k == warp) base = all;
        all += warp_sum[k];
    }
    __syncthreads();
    *out_all = all;
    return base + sum - value;
}

// The items of a block are side by side.
MEETING int first_item(const meeting* m, int count, int block)
{
    long long tiles = (count + MEETING_THREADS - 1) / MEETING_THREADS;
    long long first = (tiles * block / m->blocks) * MEETING_THREADS;
    return first < count ? (int)first : count;
}

// Counts, before a barrier; `sums` are of the blocks.
template <class Value> MEETING void scan_count(meeting* m, int count, long long* sums, Value value)
{
    int last = first_item(m, count, m->block + 1);
    long long sum = 0, all;
    for (int i = first_item(m, count, m->block) + (int)threadIdx.x; i < last; i += MEETING_THREADS)
        sum += value(i);
    block_scan(sum, &all);
    if (threadIdx.x == 0) sums[m->block] = all;
}

// After it: place(i, sum of the values before). Returns the sum of all.
template <class Value, class Place>
MEETING long long scan_place(meeting* m, int count, const long long* sums, Value value, Place place)
{
    long long mine = 0, before = 0, all, base;
    for (int k = (int)threadIdx.x; k < m->blocks; k += MEETING_THREADS) {
        mine += sums[k];
        if (k < m->block) before += sums[k];
    }
    block_scan(mine, &all);
    block_scan(before, &base);
    int first = first_item(m, count, m->block), last = first_item(m, count, m->block + 1);
    for (int tile = first; tile < last; tile += MEETING_THREADS) {
        int i = tile + (int)threadIdx.x;
        long long tile_sum, own = i < last ? value(i) : 0, at = block_scan(own, &tile_sum);
        if (i < last) place(i, base + at);
        base += tile_sum;
    }
    return all;
}

// There is no room for what was found: the step ends here, and is repeated with more.
MEETING bool stop(meeting* m, int* needed, long long count)
{
    if (m->thread == 0) {
        *needed = (int)(count < INT32_MAX ? count : INT32_MAX);
        m->of->stopped = true;
    }
    return false;
}

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

// As long as this holds, the list has all.
MEETING bool body_is_listed(const contact_body* b)
{
    if (!(b->odometer + PAIR_ROOM * b->calm <= b->margin)) return false;
    return !b->self || b->self_odometer + PAIR_ROOM * b->self_calm <= b->self_margin;
}

MEETING double calm_of(const contact_body* b, double way)
{
    return 1.1 * way + 1e-3 * b->surface->mean_edge;
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
        b->calm = calm_of(b, b->way);
        b->self_calm = calm_of(b, b->self_way);
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

// ---- trees --------------------------------------------------------------------------------------

MEETING double margin_of(const contact_body* b, double calm)
{
    double little = 0.5 * b->surface->mean_edge, substeps = little / (PAIR_ROOM * calm);
    double most = substeps < 8 ? substeps : 8;
    return PAIR_ROOM * calm * (substeps > 2 ? most : 1.001);
}

MEETING void choose_margins(meeting* m)
{
    for (int i = m->thread; i < m->set->body_count; i += m->threads) {
        contact_body* b = &m->set->body[i];
        b->odometer = b->self_odometer = 0;
        b->margin = margin_of(b, b->calm);
        b->self_margin = b->self ? margin_of(b, b->self_calm) : 0;
    }
    barrier(m);
}

// The body that has number i of those that are counted from first[body] on.
MEETING int body_with(const int* first, int bodies, int i)
{
    int low = 0, high = bodies - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (first[middle] <= i)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// Boxes that another block may have written a moment ago.
MEETING node_box read_box(const node_box* at)
{
    node_box box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = __ldcg(&at->low[k]);
        box.high[k] = __ldcg(&at->high[k]);
    }
    return box;
}

// From a leaf upward: who comes to a node second has both children there.
MEETING void fit_upward(meeting* m, int body, int leaf)
{
    const contact_body* b = &m->set->body[body];
    node_box* box = (node_box*)b->box;
    int* visited = m->of->visited + m->of->leaf_start[body];
    fit_leaf(b, leaf);
    for (int node = b->surface->leaf_count - 1 + leaf; node > 0;) {
        node = (node - 1) / 2;
        __threadfence();
        if (atomicXor(&visited[node], 1) == 0) return;
        __threadfence();
        node_box both = read_box(&box[2 * node + 1]), other = read_box(&box[2 * node + 2]);
        box_join(&both, &other);
        box[node] = both;
    }
}

MEETING void fit_trees(meeting* m)
{
    const contact_set* s = m->set;
    const int* start = m->of->leaf_start;
    for (int i = m->thread; i < start[s->body_count]; i += m->threads) {
        int body = body_with(start, s->body_count, i);
        fit_upward(m, body, i - start[body]);
    }
    barrier(m);
}

// ---- partners -----------------------------------------------------------------------------------

MEETING bool may_meet(const contact_body* a, const contact_body* b)
{
    if (a == b) return a->self;
    if (!a->at.phase && !(a->group & b->mask)) return false;
    if (!b->at.phase && !(b->group & a->mask)) return false;
    return boxes_meet((const node_box*)a->box, (const node_box*)b->box);
}

// A warp for each body looks at those from it on; place(k, other) for the k-th that may meet it.
template <class Place> MEETING int find_partners(meeting* m, int body, Place place)
{
    const contact_set* s = m->set;
    int lane = (int)threadIdx.x % MEETING_WARP, found = 0;
    for (int first = body; first < s->body_count; first += MEETING_WARP) {
        int other = first + lane;
        bool yes = other < s->body_count && may_meet(&s->body[body], &s->body[other]);
        unsigned all = __ballot_sync(~0u, yes);
        if (yes) place(found + __popc(all & ((1u << lane) - 1)), other);
        found += __popc(all);
    }
    return found;
}

MEETING bool list_partners(meeting* m)
{
    device_meeting* of = m->of;
    int bodies = m->set->body_count, warps = m->threads / MEETING_WARP;
    bool leads = threadIdx.x % MEETING_WARP == 0;
    for (int i = m->thread / MEETING_WARP; i < bodies; i += warps) {
        int found = find_partners(m, i, [](int, int) {});
        if (leads) of->count[i] = found;
    }
    barrier(m);
    auto value = [=](int i) { return (long long)of->count[i]; };
    scan_count(m, bodies, of->sums, value);
    barrier(m);
    long long all = scan_place(m, bodies, of->sums, value,
                               [=](int i, long long at) { of->partner_start[i] = (int)at; });
    if (all > of->room.partners) return stop(m, &of->needed.partners, all);
    if (m->thread == 0) {
        of->partner_start[bodies] = (int)all;
        of->partner_count = (int)all;
    }
    barrier(m);
    for (int i = m->thread / MEETING_WARP; i < bodies; i += warps) {
        int start = of->partner_start[i];
        find_partners(m, i, [=](int k, int other) {
            of->partner[start + k] = other;
            of->partner_body[start + k] = i;
        });
    }
    barrier(m);
    return true;
}

// ---- elements that are near ---------------------------------------------------------------------

// A look of one element at one partner of its body. They are numbered through: body after body,
// element after element, partner after partner.
struct element_look {
    int body, element, other;
};

MEETING element_look look_of(const meeting* m, int i)
{
    const device_meeting* of = m->of;
    int body = body_with(of->look_start, m->set->body_count, i), first = of->partner_start[body];
    int partners = of->partner_start[body + 1] - first, local = i - of->look_start[body];
    element_look look = {body, local / partners, of->partner[first + local % partners]};
    return look;
}

MEETING_LARGE int search_partner(const meeting* m, int i, element_sink* out, int* out_body)
{
    element_look l = look_of(m, i);
    search(m->set, out, l.body, l.other, l.element, l.other == l.body ? l.element + 1 : 0);
    *out_body = l.body;
    return out->count;
}

// How many looks there are.
MEETING bool count_looks(meeting* m, int* out_count)
{
    device_meeting* of = m->of;
    const contact_set* s = m->set;
    auto value = [=](int i) {
        long long partners = of->partner_start[i + 1] - of->partner_start[i];
        return partners * s->body[i].surface->element_count;
    };
    scan_count(m, s->body_count, of->sums, value);
    barrier(m);
    long long all = scan_place(m, s->body_count, of->sums, value, [=](int i, long long at) {
        of->look_start[i] = (int)(at < INT32_MAX ? at : INT32_MAX);
    });
    if (all > of->room.looks) return stop(m, &of->needed.looks, all);
    if (m->thread == 0) of->look_start[s->body_count] = (int)all;
    *out_count = (int)all;
    barrier(m);
    return true;
}

MEETING bool list_elements(meeting* m)
{
    device_meeting* of = m->of;
    int looks;
    if (!count_looks(m, &looks)) return false;
    scan_count(m, looks, of->sums, [=](int i) {
        element_sink out = {NULL, 0, 0};
        int body;
        return (long long)(of->count[i] = search_partner(m, i, &out, &body));
    });
    barrier(m);
    long long all = 0;
    for (int k = 0; k < m->blocks; ++k) all += of->sums[k];
    if (all > of->room.near) return stop(m, &of->needed.near, all);
    scan_place(
        m, looks, of->sums, [=](int i) { return (long long)of->count[i]; },
        [=](int i, long long at) {
            element_sink out = {(element_pair*)of->near + at, 0, of->count[i]};
            int body;
            if (of->count[i] == 0) return;
            search_partner(m, i, &out, &body);
            for (int k = 0; k < of->count[i]; ++k) of->near_body[at + k] = body;
        });
    if (m->thread == 0) of->near_count = (int)all;
    barrier(m);
    return true;
}

MEETING_LARGE bool meeting_list(meeting* m)
{
    if (m->listed) return true;
    choose_margins(m);
    fit_trees(m);
    if (!list_partners(m) || !list_elements(m)) return false;
    m->listed = true;
    if (m->thread == 0) m->of->lists++;
    return true;
}

// ---- what pairs remember ------------------------------------------------------------------------

MEETING bool gives(const meeting* m, int pair, bool start, kept_contact* out)
{
    bool any = give_kept_contact(m->set, pair, out);
    return start ? kept_goes_on(out) : any;
}

// The first kept one, or pair, whose key is not lower.
MEETING int lower_kept(const device_meeting* of, uint64_t key)
{
    int low = 0, high = of->kept_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (of->kept[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
MEETING int lower_pair(const contact_set* s, uint64_t key)
{
    int low = 0, high = s->pair_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->pair[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// At the start of a step, sums start at zero.
MEETING kept_contact as_it_goes_on(kept_contact k, bool start)
{
    if (start) k.sum[0] = k.sum[1] = k.sum[2] = 0;
    return k;
}

// Those of the pairs and those that are no pairs any more, merged. `start`: of a step, who does not
// go on is forgotten.
MEETING_LARGE bool keep(meeting* m, bool start)
{
    device_meeting* of = m->of;
    const contact_set* s = m->set;
    int pairs = of->paired ? s->pair_count : 0, old = of->kept_count;
    auto from_pair = [=](int i) {
        kept_contact one;
        return (long long)gives(m, i, start, &one);
    };
    auto from_old = [=](int i) {
        return (long long)(of->alive[i] && (!start || kept_goes_on(&of->kept[i])));
    };
    scan_count(m, pairs, of->sums, from_pair);
    scan_count(m, old, of->more_sums, from_old);
    barrier(m);
    long long given = scan_place(m, pairs, of->sums, from_pair,
                                 [=](int i, long long at) { of->rank[i] = (int)at; });
    long long left = scan_place(m, old, of->more_sums, from_old,
                                [=](int i, long long at) { of->kept_rank[i] = (int)at; });
    if (given + left > of->room.kept) return stop(m, &of->needed.kept, given + left);
    if (m->thread == 0) {
        of->rank[pairs] = (int)given;
        of->kept_rank[old] = (int)left;
    }
    barrier(m);
    for (int i = m->thread; i < pairs; i += m->threads) {
        kept_contact one;
        if (gives(m, i, start, &one))
            of->spare[of->rank[i] + of->kept_rank[lower_kept(of, one.key)]] =
                as_it_goes_on(one, start);
    }
    for (int i = m->thread; i < old; i += m->threads)
        if (from_old(i))
            of->spare[of->kept_rank[i] + (pairs ? of->rank[lower_pair(s, of->kept[i].key)] : 0)] =
                as_it_goes_on(of->kept[i], start);
    barrier(m);
    if (m->thread == 0) {
        kept_contact* kept = of->kept;
        of->kept = of->spare;
        of->spare = kept;
        of->kept_count = (int)(given + left);
        of->paired = false;
    }
    barrier(m);
    for (int i = m->thread; i < of->kept_count; i += m->threads) of->alive[i] = 1;
    return true;
}

// ---- pairs --------------------------------------------------------------------------------------

MEETING_LARGE int pairs_of(const meeting* m, int i, pair_sink* out)
{
    near_elements n;
    n.s = m->set;
    n.out = out;
    pair_if_near(&n, m->of->near_body[i], (element_pair*)m->of->near + i);
    return out->count;
}

MEETING void place_pairs(const meeting* m, int i, long long at)
{
    const contact_set* s = m->set;
    int count = m->of->count[i];
    if (count == 0) return;
    pair_sink out = {s->pair + at, (pair_state*)s->contact + at, 0, count};
    pairs_of(m, i, &out);
    for (int k = 0; k < count; ++k)
        for (int point = 0; point < 4; ++point)
            atomicAdd(&m->of->incident[s->pair[at + k].point[point]], 1);
}

MEETING bool find_pairs(meeting* m)
{
    device_meeting* of = m->of;
    int near = of->near_count;
    for (int i = m->thread; i < m->set->point_count; i += m->threads) of->incident[i] = 0;
    scan_count(m, near, of->sums, [=](int i) {
        pair_sink out = {NULL, NULL, 0, 0};
        return (long long)(of->count[i] = pairs_of(m, i, &out));
    });
    barrier(m);
    long long all = 0;
    for (int k = 0; k < m->blocks; ++k) all += of->sums[k];
    if (all > of->room.pairs) return stop(m, &of->needed.pairs, all);
    scan_place(
        m, near, of->sums, [=](int i) { return (long long)of->count[i]; },
        [=](int i, long long at) { place_pairs(m, i, at); });
    if (threadIdx.x == 0) m->set->pair_count = (int)all;
    barrier(m);
    return true;
}

// Their points, and the pairs of each: first as they come, then in order.
MEETING void list_points(meeting* m)
{
    device_meeting* of = m->of;
    contact_set* s = m->set;
    auto value = [=](int i) {
        return (long long)of->incident[i] << 32 | (long long)(of->incident[i] > 0);
    };
    scan_count(m, s->point_count, of->sums, value);
    barrier(m);
    long long all = scan_place(m, s->point_count, of->sums, value, [=](int i, long long at) {
        s->incidence_start[i] = s->incidence_end[i] = (int)(at >> 32);
        if (of->incident[i] > 0) s->live[(int)(at & 0xffffffff)] = i;
    });
    if (threadIdx.x == 0) s->live_count = (int)(all & 0xffffffff);
    barrier(m);
}

MEETING void sort_incidence(const contact_set* s, int point)
{
    int* of = s->incidence;
    for (int i = s->incidence_start[point] + 1; i < s->incidence_end[point]; ++i) {
        int entry = of[i], k = i;
        for (; k > s->incidence_start[point] && of[k - 1] > entry; --k) of[k] = of[k - 1];
        of[k] = entry;
    }
}

MEETING void take_kept(meeting* m, int pair, double carry)
{
    device_meeting* of = m->of;
    int at = lower_kept(of, m->set->pair[pair].key);
    if (at >= of->kept_count || of->kept[at].key != m->set->pair[pair].key) return;
    take_kept_contact(m->set, pair, &of->kept[at], carry);
    of->alive[at] = 0;
}

// What finds no pair does not push any more; it stays for its part of the step's forces.
MEETING void let_go(device_meeting* of, int i)
{
    kept_contact* k = &of->kept[i];
    if (!of->alive[i]) return;
    k->lambda = k->sunk = k->slide[0] = k->slide[1] = k->slide[2] = 0;
    k->overlaps = false;
    of->alive[i] = kept_has_pushed(k);
}

MEETING_LARGE bool meeting_pair(meeting* m, double carry)
{
    contact_set* s = m->set;
    if (!keep(m, false)) return false;
    if (!find_pairs(m)) return false;
    list_points(m);
    for (int i = m->thread; i < s->pair_count; i += m->threads) {
        for (int k = 0; k < 4; ++k)
            s->incidence[atomicAdd(&s->incidence_end[s->pair[i].point[k]], 1)] = 4 * i + k;
        take_kept(m, i, carry);
    }
    barrier(m);
    for (int i = m->thread; i < s->live_count; i += m->threads) sort_incidence(s, s->live[i]);
    for (int i = m->thread; i < m->of->kept_count; i += m->threads) let_go(m->of, i);
    if (m->thread == 0) m->of->paired = true;
    return true;
}

// ---- bodies that cross --------------------------------------------------------------------------

MEETING void note_crossing(const device_meeting* of, int body, int other)
{
    int low = of->partner_start[body], high = of->partner_start[body + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (of->partner[middle] < other)
            low = middle + 1;
        else
            high = middle;
    }
    atomicAdd(&of->partner_crossing[low], 1);
}

MEETING_LARGE bool meeting_find_crossed(meeting* m)
{
    device_meeting* of = m->of;
    contact_set* s = m->set;
    for (int i = m->thread; i < of->partner_count; i += m->threads) of->partner_crossing[i] = 0;
    for (int i = m->thread; i < s->body_count; i += m->threads) s->body[i].crossed = false;
    barrier(m);
    for (int i = m->thread; i < of->near_count; i += m->threads) {
        const element_pair* e = (const element_pair*)of->near + i;
        if (near_elements_cross(s, of->near_body[i], e))
            note_crossing(of, of->near_body[i], e->other);
    }
    barrier(m);
    auto value = [=](int i) { return (long long)(of->partner_crossing[i] > 0); };
    scan_count(m, of->partner_count, of->sums, value);
    barrier(m);
    long long all = scan_place(m, of->partner_count, of->sums, value, [=](int i, long long at) {
        int a = of->partner_body[i], b = of->partner[i];
        if (of->partner_crossing[i] == 0) return;
        s->crossed[at] = crossed_key(a, b);
        s->body[a].crossed = s->body[b].crossed = true;
    });
    if (threadIdx.x == 0) s->crossed_count = (int)all;
    if (m->thread == 0) of->look_for_crossed = false;
    if (all > 0) m->listed = false; // who crosses is looked for deeper
    barrier(m);
    return true;
}

// ---- start and end ------------------------------------------------------------------------------

MEETING_LARGE void meeting_go_on(meeting* m)
{
    contact_set* s = m->set;
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        b->odometer += b->calm;
        b->self_odometer += b->self_calm;
        b->touched = 0;
    }
    if (m->thread == 0) m->of->last_h = s->h;
}

// Of a step: what pairs remember is all there is of them.
MEETING void start_step(meeting* m)
{
    device_meeting* of = m->of;
    if (m->thread == 0) of->started = false;
    if (!keep(m, true)) return;
    barrier(m);
    for (int i = m->thread; i < of->kept_count; i += m->threads) of->kept_before[i] = of->kept[i];
    if (m->thread == 0) {
        of->started = true;
        of->kept_before_count = of->kept_count;
        of->last_h_before = of->last_h;
        of->look_for_crossed = of->look_for_crossed || m->set->squeezed > 0;
        of->flags.stopped = of->lists = 0;
        for (int i = 0; i < MEETING_PARTS; ++i) of->spent[i] = 0;
        of->flags.guarded = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) m->set->guarded_rounds = m->set->squeezed = m->set->pair_count = 0;
    if (threadIdx.x == 0) m->set->live_count = 0;
    barrier(m);
}

MEETING void open_meeting(meeting* m, const meeting_work& w)
{
    device_meeting* of = m->of;
    if (threadIdx.x == 0) {
        *m->set = of->set;
        m->set->h = w.h;
        m->set->substeps = w.substeps;
        m->set->substep = w.substep;
        if (w.kind == MEETING_MEET && w.first) contact_set_next(m->set);
    }
    m->listed = of->listed;
    __syncthreads();
    if (m->thread == 0) {
        of->common = no_way();
    }
    barrier(m);
}

MEETING void close_meeting(meeting* m)
{
    barrier(m);
    if (m->thread != 0) return;
    m->of->set = *m->set;
    m->of->listed = m->listed && !m->of->stopped;
}
