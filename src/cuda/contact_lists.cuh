// Lists of bodies that meet, by all threads of a meeting: what order.h asks for. Orders are those
// of the CPU's lists: what is found is counted first, then every finder knows its place.
#pragma once
#include "cuda/kept.cuh"
#include "cuda/loose_list.cuh"

// ---- trees --------------------------------------------------------------------------------------

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
MEETING quad read_quad(const quad* at)
{
    return quad_of(__ldcg(&at->m[0]), __ldcg(&at->m[1]), __ldcg(&at->m[2]), 0);
}
MEETING node_box read_box(const node_box* at)
{
    node_box box = {read_quad(&at->low), read_quad(&at->high)};
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
        node_box one = read_box(&box[2 * node + 1]), other = read_box(&box[2 * node + 2]);
        box[node] = boxes_joined(&one, &other);
    }
}

// Trees over boxes of elements: with margins for a list, or TIGHT.
MEETING void fit_trees(meeting* m, int of)
{
    const contact_set* s = m->set;
    const int* start = m->of->leaf_start;
    for (int i = m->thread; i < s->element_count; i += m->threads) {
        const contact_body* b = &s->body[s->element_owner[i]];
        if (b->meets) fit_element(s, b, i - b->first_element, of);
    }
    barrier(m);
    for (int i = m->thread; i < start[s->body_count]; i += m->threads) {
        int body = body_with(start, s->body_count, i);
        if (s->body[body].meets) fit_upward(m, body, i - start[body]);
    }
    barrier(m);
}

// ---- partners -----------------------------------------------------------------------------------

// Whether a body meets a collider by its surface in this step.
MEETING unsigned char* swept_mark(const device_meeting* of, int body, const contact_body* collider)
{
    return &of->swept[(size_t)body * (size_t)of->columns + (size_t)collider->place];
}

// The second is the first, or behind it.
MEETING bool may_meet(const meeting* m, int one, int two)
{
    const contact_body *a = &m->set->body[one], *b = &m->set->body[two];
    if (!a->meets || !b->meets) return false;
    if (a == b) return lists_itself(m->set, a);
    if (is_loose(m->set, a) && is_loose(m->set, b)) return false;
    if (b->collider ? a->collider || !*swept_mark(m->of, one, b) : !groups_meet(a, b)) return false;
    return boxes_meet((const node_box*)a->box, (const node_box*)b->box);
}

// A warp for each body looks at those from it on; place(k, other) for the k-th that may meet it.
template <class Place> MEETING int find_partners(meeting* m, int body, Place place)
{
    const contact_set* s = m->set;
    int lane = (int)threadIdx.x % MEETING_WARP, found = 0;
    for (int first = body; first < s->body_count; first += MEETING_WARP) {
        int other = first + lane;
        bool yes = other < s->body_count && may_meet(m, body, other);
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

// ---- lists --------------------------------------------------------------------------------------

// A look of one element at one partner of its body. They are numbered through: body after body,
// element after element, partner after partner. Of bodies with themselves, element after element.
struct element_look {
    int body, element, other;
};

MEETING element_look look_of(const meeting* m, int of, int i)
{
    const contact_set* s = m->set;
    const device_meeting* d = m->of;
    if (of == OF_ONE) {
        int own = s->element_owner[i];
        element_look look = {own, i - s->body[own].first_element, own};
        return look;
    }
    int body = body_with(d->look_start, s->body_count, i), first = d->partner_start[body];
    int partners = d->partner_start[body + 1] - first, local = i - d->look_start[body];
    element_look look = {body, local / partners, d->partner[first + local % partners]};
    return look;
}

// Calls with(i) for the elements that the one of a look is near to.
template <class With> MEETING void walk_look(const contact_set* s, const element_look& l, With with)
{
    tree_walk walk;
    walk_start(&walk, &s->body[l.body], l.element, &s->body[l.other]);
    for (int i = walk_next(&walk); i >= 0; i = walk_next(&walk)) with(i);
}

MEETING_LARGE int search_look(const meeting* m, int of, int i, list_sink* out)
{
    const contact_set* s = m->set;
    const element_look l = look_of(m, of, i);
    const contact_body *a = &s->body[l.body], *b = &s->body[l.other];
    if ((of == OF_ONE) != (a == b) || (a == b && !(lists_itself(s, a) && a->meets))) return 0;
    walk_look(s, l, [=](int k) {
        list_pairs_of(s, a->first_element + l.element, b->first_element + k, out);
    });
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

MEETING bool make_list(meeting* m, int of)
{
    device_meeting* d = m->of;
    int looks = m->set->element_count;
    if (of == OF_TWO && !(list_partners(m) && count_looks(m, &looks))) return false;
    scan_count(m, looks, d->sums, [=](int i) {
        list_sink out = {NULL, 0, 0};
        return (long long)(d->count[i] = search_look(m, of, i, &out));
    });
    barrier(m);
    long long all = 0;
    for (int k = 0; k < m->blocks; ++k) all += d->sums[k];
    if (all > d->room.listed[of]) return stop(m, &d->needed.listed[of], all);
    scan_place(
        m, looks, d->sums, [=](int i) { return (long long)d->count[i]; },
        [=](int i, long long at) {
            list_sink out = {(listed_pair*)d->list[of].at + at, 0, d->count[i]};
            if (d->count[i] > 0) search_look(m, of, i, &out);
        });
    if (m->thread == 0) {
        d->list[of].count = (int)all;
        d->lists++;
    }
    barrier(m);
    return true;
}

MEETING_LARGE bool meeting_list(meeting* m)
{
    if (!list_loose(m)) return false;
    if (m->set->loose_alone) return true;
    for (int of = OF_TWO; of <= OF_ONE; ++of) {
        if (m->listed[of] && !m->of->fresh) continue;
        fit_trees(m, of);
        if (!make_list(m, of)) return false;
        m->listed[of] = true;
    }
    return true;
}

// ---- what pairs remember ------------------------------------------------------------------------

MEETING bool gives(const meeting* m, int i, bool start, kept_contact* out)
{
    bool any = give_kept_contact(m->set, m->set->touch[i], out);
    return start ? kept_goes_on(out) : any;
}

MEETING int lower_touch(const contact_set* s, uint64_t key)
{
    return lower_of(s->touch_count, key, [=](int i) { return s->pair[s->touch[i]].key; });
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
    int pairs = of->paired ? s->touch_count : 0, old = of->kept_count;
    auto from_pair = [=](int i) {
        kept_contact one;
        return (long long)gives(m, i, start, &one);
    };
    auto from_old = [=](int i) {
        bool stays = !start || (kept_goes_on(&of->kept[i]) && !loose_has(s, &of->kept[i]));
        return (long long)(of->alive[i] && stays);
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
            of->spare[of->kept_rank[i] + (pairs ? of->rank[lower_touch(s, of->kept[i].key)] : 0)] =
                as_it_goes_on(of->kept[i], start);
    barrier(m);
    if (m->thread == 0) of->paired = false;
    take_spare(m, (int)(given + left));
    return true;
}

// ---- pairs --------------------------------------------------------------------------------------

// Whether a pair of a list may meet; else it goes on sleeping.
MEETING_LARGE void test_listed(const meeting* m, int of, int i)
{
    pair_sink none = {NULL, NULL, 0, 0};
    pair_if_near(m->set, (listed_pair*)m->of->list[of].at + i, &none);
    m->of->list[of].yes[i] = (unsigned char)none.count;
}

// Those that are awake wait until there is one for each lane of the warp.
MEETING void test_list(meeting* m, int of)
{
    typedef int of_warps[MEETING_THREADS / MEETING_WARP][2 * MEETING_WARP];
    SHARED(of_warps, waiting);
    const listed_pair* at = (const listed_pair*)m->of->list[of].at;
    unsigned char* yes = m->of->list[of].yes;
    int lane = (int)threadIdx.x % MEETING_WARP, held = 0;
    int* queue = waiting[threadIdx.x / MEETING_WARP];
    int count = m->of->list[of].count, last = first_item(m, count, m->block + 1);
    int first = first_item(m, count, m->block) + (int)threadIdx.x - lane;
    for (int tile = first; tile < last; tile += MEETING_THREADS) {
        int i = tile + lane;
        bool awake = i < last && is_awake(m->set->reach[of], &at[i]);
        unsigned all = __ballot_sync(~0u, awake);
        if (awake) queue[held + __popc(all & ((1u << lane) - 1))] = i;
        if (i < last && !awake) yes[i] = 0;
        held += __popc(all);
        __syncwarp();
        if (held < MEETING_WARP) continue;
        held -= MEETING_WARP;
        test_listed(m, of, queue[held + lane]);
        __syncwarp();
    }
    if (lane < held) test_listed(m, of, queue[lane]);
    __syncthreads();
}

// Of each list those that may meet.
MEETING bool find_listed(meeting* m)
{
    device_meeting* d = m->of;
    long long* sums[2] = {d->sums, d->more_sums};
    long long all[2];
    for (int of = OF_TWO; of <= OF_ONE; ++of) {
        const unsigned char* yes = d->list[of].yes;
        test_list(m, of);
        scan_count(m, d->list[of].count, sums[of], [=](int i) { return (long long)yes[i]; });
    }
    barrier(m);
    for (int of = OF_TWO; of <= OF_ONE; ++of) {
        all[of] = 0;
        for (int k = 0; k < m->blocks; ++k) all[of] += sums[of][k];
    }
    long long pairs = all[OF_TWO] + all[OF_ONE];
    if (pairs > d->room.pairs) return stop(m, &d->needed.pairs, pairs);
    for (int of = OF_TWO; of <= OF_ONE; ++of) {
        const unsigned char* yes = d->list[of].yes;
        int* found = d->list[of].found;
        scan_place(
            m, d->list[of].count, sums[of], [=](int i) { return (long long)yes[i]; },
            [=](int i, long long at) {
                if (yes[i]) found[at] = i;
            });
        if (m->thread == 0) d->list[of].found_count = (int)all[of];
    }
    if (threadIdx.x == 0) m->set->pair_count = (int)pairs;
    barrier(m);
    return true;
}

MEETING uint64_t found_key(const device_meeting* d, int of, int i)
{
    const listed_pair* p = (const listed_pair*)d->list[of].at + d->list[of].found[i];
    return pair_key(listed_first(p), listed_second(p), listed_sub(p));
}

// Both lists become one, in the order of keys.
MEETING_LARGE void place_found(const meeting* m, int of, int i)
{
    const contact_set* s = m->set;
    const device_meeting* d = m->of;
    const int other = of == OF_ONE ? OF_TWO : OF_ONE;
    int at = i + lower_of(d->list[other].found_count, found_key(d, of, i),
                          [=](int k) { return found_key(d, other, k); });
    pair_sink out = {s->pair + at, (pair_state*)s->contact + at, 0, 1};
    pair_if_near(s, (listed_pair*)d->list[of].at + d->list[of].found[i], &out);
    for (int k = 0; k < 4; ++k) atomicAdd(&d->incident[s->pair[at].point[k]], 1);
}

MEETING bool find_pairs(meeting* m)
{
    device_meeting* d = m->of;
    for (int i = m->thread; i < m->set->point_count; i += m->threads)
        d->incident[i] = d->touched[i] = 0;
    if (!find_listed(m)) return false;
    for (int of = OF_TWO; of <= OF_ONE; ++of)
        for (int i = m->thread; i < d->list[of].found_count; i += m->threads) place_found(m, of, i);
    barrier(m);
    return true;
}

// Of all pairs those that are wanted, into a list. Returns how many they are.
template <class Wanted> MEETING int list_pairs(meeting* m, int* list, Wanted wanted)
{
    auto value = [=](int i) { return (long long)wanted(i); };
    scan_count(m, m->set->pair_count, m->of->sums, value);
    barrier(m);
    return (int)scan_place(m, m->set->pair_count, m->of->sums, value, [=](int i, long long at) {
        if (wanted(i)) list[at] = i;
    });
}

// Their points, as many as each has pairs that are wanted, before a barrier.
template <class Wanted>
MEETING void count_points(const meeting* m, const int* list, int count, Wanted wanted)
{
    const contact_set* s = m->set;
    for (int i = m->thread; i < count; i += m->threads)
        for (int k = 0; k < 4 && wanted(list[i]); ++k)
            atomicAdd(&m->of->touched[s->pair[list[i]].point[k]], 1);
}

MEETING void sort_entries(const point_pairs* p, int point)
{
    int* of = p->entry;
    for (int i = p->start[point] + 1; i < p->end[point]; ++i) {
        int entry = of[i], k = i;
        for (; k > p->start[point] && of[k - 1] > entry; --k) of[k] = of[k - 1];
        of[k] = entry;
    }
}

// The pairs of each point: first as they come, then in order.
template <class Wanted>
MEETING void fill_points(meeting* m, const point_pairs* p, const int* list, int count,
                         Wanted wanted)
{
    const contact_set* s = m->set;
    for (int i = m->thread; i < count; i += m->threads)
        for (int k = 0; k < 4 && wanted(list[i]); ++k)
            p->entry[atomicAdd(&p->end[s->pair[list[i]].point[k]], 1)] = 4 * list[i] + k;
    barrier(m);
    for (int i = m->thread; i < s->live_count; i += m->threads) sort_entries(p, s->live[i]);
}

// Points of pairs, and their places in `touching`.
MEETING void list_live(meeting* m)
{
    const device_meeting* d = m->of;
    contact_set* s = m->set;
    auto lives = [=](int i) {
        return d->incident[i] > 0 || (i < s->loose.count && s->loose.neighbors[i] > 0);
    };
    auto value = [=](int i) { return (long long)d->touched[i] << 32 | (long long)lives(i); };
    scan_count(m, s->point_count, d->sums, value);
    barrier(m);
    long long all = scan_place(m, s->point_count, d->sums, value, [=](int i, long long at) {
        s->touching.start[i] = s->touching.end[i] = (int)(at >> 32);
        if (lives(i)) s->live[(int)(at & 0xffffffff)] = i;
    });
    if (threadIdx.x == 0) s->live_count = (int)(all & 0xffffffff);
    barrier(m);
}

// Pairs that the guard holds back.
MEETING_LARGE bool meeting_hold(meeting* m)
{
    const device_meeting* d = m->of;
    contact_set* s = m->set;
    auto held = [=](int i) { return state_of(s, i)->crosses; };
    for (int i = m->thread; i < s->live_count; i += m->threads) d->touched[s->live[i]] = 0;
    int count = list_pairs(m, s->hold, held);
    if (threadIdx.x == 0) s->hold_count = count;
    barrier(m);
    count_points(m, s->hold, count, held);
    barrier(m);
    auto value = [=](int i) { return (long long)d->touched[s->live[i]]; };
    scan_count(m, s->live_count, d->sums, value);
    barrier(m);
    scan_place(m, s->live_count, d->sums, value, [=](int i, long long at) {
        s->holding.start[s->live[i]] = s->holding.end[s->live[i]] = (int)at;
    });
    barrier(m);
    fill_points(m, &s->holding, s->hold, count, held);
    barrier(m);
    return true;
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

// Pairs that are close, and those that remember an impact.
MEETING bool is_touch(const meeting* m, int i)
{
    const device_meeting* d = m->of;
    if (pair_is_close(m->set, i)) return true;
    if (!d->bounces) return false;
    int at = lower_kept(d, m->set->pair[i].key);
    return at < d->kept_count && d->kept[at].key == m->set->pair[i].key && d->kept[at].stored > 0;
}

#ifdef LOOSE_ALONE
// Nobody has a surface: there are no pairs of elements, and nobody crosses anybody.
MEETING bool meeting_pair(meeting* m, double carry)
{
    (void)m, (void)carry;
    return true;
}
MEETING bool meeting_find_crossed(meeting* m)
{
    if (m->thread == 0) m->of->look_for_crossed = false;
    return true;
}
#else
MEETING_LARGE bool meeting_pair(meeting* m, double carry)
{
    contact_set* s = m->set;
    if (!keep(m, false)) return false;
    if (!find_pairs(m)) return false;
    auto pushes = [=](int i) { return pair_may_push(s, i); };
    int count = list_pairs(m, s->touch, [=](int i) { return is_touch(m, i); });
    if (threadIdx.x == 0) s->touch_count = count;
    barrier(m);
    for (int i = m->thread; i < count; i += m->threads) take_kept(m, s->touch[i], carry);
    barrier(m);
    count_points(m, s->touch, count, pushes);
    barrier(m);
    list_live(m);
    fill_points(m, &s->touching, s->touch, count, pushes);
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

MEETING_LARGE void look_for_crossing(const meeting* m, int i)
{
    const contact_set* s = m->set;
    const element_look l = look_of(m, OF_TWO, i);
    int first = s->body[l.body].first_element + l.element, start = s->body[l.other].first_element;
    walk_look(s, l, [=](int k) {
        if (elements_cross(s, first, start + k)) note_crossing(m->of, l.body, l.other);
    });
}

MEETING_LARGE bool meeting_find_crossed(meeting* m)
{
    device_meeting* of = m->of;
    contact_set* s = m->set;
    for (int i = m->thread; i < s->body_count; i += m->threads) s->body[i].crossed = false;
    fit_trees(m, TIGHT);
    int looks;
    if (!list_partners(m) || !count_looks(m, &looks)) return false;
    for (int i = m->thread; i < of->partner_count; i += m->threads) of->partner_crossing[i] = 0;
    barrier(m);
    for (int i = m->thread; i < looks; i += m->threads) look_for_crossing(m, i);
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
    if (all > 0) m->listed[OF_TWO] = m->listed[OF_ONE] = false; // who crosses is looked for deeper
    barrier(m);
    return true;
}
#endif

// ---- start and end ------------------------------------------------------------------------------

MEETING_LARGE void meeting_go_on(meeting* m)
{
    contact_set* s = m->set;
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        contact_body* b = &s->body[i];
        b->stir = b->stir_next;
        b->stir_next = 0;
        b->touched = 0;
    }
    if (m->thread == 0) m->of->last_h = s->h;
}

// Of a step: what pairs remember is all there is of them.
MEETING bool start_step(meeting* m, double h)
{
    device_meeting* of = m->of;
    if (m->thread == 0) of->started = false;
    if (!keep(m, true)) return false;
    barrier(m);
    for (int i = m->thread; i < of->kept_count; i += m->threads) of->kept_before[i] = of->kept[i];
    start_loose(m, h);
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
    if (threadIdx.x == 0) m->set->live_count = m->set->touch_count = m->set->hold_count = 0;
    barrier(m);
    return true;
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
    for (int k = 0; k < 2; ++k) m->listed[k] = of->listed[k];
    m->loose_due = of->loose.due;
    __syncthreads();
    if (threadIdx.x == 0) open_loose(m, w.h);
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
    for (int k = 0; k < 2; ++k) m->of->listed[k] = m->listed[k] && !m->of->stopped;
    m->of->loose.due = m->loose_due;
}
