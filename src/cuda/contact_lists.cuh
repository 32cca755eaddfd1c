// Lists of bodies that meet, by all threads of a meeting: what order.h asks for. Orders are those
// of the CPU's lists: what is found is counted first, then every finder knows its place.
#pragma once
#include "cuda/contact_reach.cuh"

// ---- trees --------------------------------------------------------------------------------------

MEETING void choose_margins(meeting* m)
{
    for (int i = m->thread; i < m->set->body_count; i += m->threads) set_margins(&m->set->body[i]);
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
    k->lambda = k->sunk = k->stored = k->slide[0] = k->slide[1] = k->slide[2] = 0;
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
