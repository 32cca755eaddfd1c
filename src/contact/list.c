#include "contact/list.h"
#include "base/sort.h"
#include "contact/finding.h"
#include "contact/handover.h"
#include "contact/pressing.h"
#include <string.h>

// ---- threads ------------------------------------------------------------------------------------

typedef struct {
    split_fn* part;
    void* argument;
    int count, grain;
} split_work;

static void run_part(int index, void* argument)
{
    const split_work* w = (const split_work*)argument;
    int first = index * w->grain, last = first + w->grain;
    w->part(w->argument, first, last < w->count ? last : w->count);
}

void split_run(executor* exec, split_fn* part, void* argument, int count, int grain)
{
    split_work w = {part, argument, count, grain};
    if (count <= 2 * grain || exec->width == 1) {
        if (count > 0) part(argument, 0, count);
    } else {
        executor_run(exec, run_part, &w, (count + grain - 1) / grain);
    }
}

// ---- passes -------------------------------------------------------------------------------------

typedef struct {
    contact_set* set;
    pass_fn* pass;
} pass_work;

static void run_pass(void* argument, int first, int last)
{
    const pass_work* w = (const pass_work*)argument;
    w->pass(w->set, first, last);
}

void pass_run(contact_system* s, contact_pass pass)
{
    enum { GRAIN = 256 };
    pass_work w = {&s->set, pressing_kernels_for(s->scalar_bytes)->pass[pass]};
    s->set.pass++;
    split_run(s->exec, run_pass, &w, pass_size(&s->set, pass), GRAIN);
}

// ---- partners -----------------------------------------------------------------------------------

static bool may_meet(const contact_set* s, int one, int two)
{
    const contact_body *a = &s->body[one], *b = &s->body[two];
    if (!bodies_may_touch(s, one, two)) return false;
    for (int k = 0; k < 3; ++k)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

static bool add_partner(partner_list* p, int a, int b)
{
    if (!mem_reserve((void**)&p->key, &p->key_capacity, p->count + 1, sizeof *p->key)) return false;
    p->key[p->count++] = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    return true;
}

// Along x: who begins before the other has ended.
static bool sweep_along(contact_system* s, int count)
{
    partner_list* p = &s->partners;
    for (int i = 0; i < count; ++i) {
        int one = along_body(s->along[i]);
        const contact_body* a = &s->set.body[one];
        uint64_t last = along_key(a->high[0], -1);
        for (int k = i + 1; k < count && s->along[k] <= last; ++k) {
            int two = along_body(s->along[k]);
            if (may_meet(&s->set, one, two) && !add_partner(p, one, two)) return false;
        }
    }
    return true;
}

static bool fill_partners(contact_system* s)
{
    partner_list* p = &s->partners;
    if (!mem_reserve((void**)&p->start, &p->start_capacity, s->set.body_count + 1, sizeof(int)) ||
        !mem_reserve((void**)&p->other, &p->other_capacity, p->count, sizeof(int)))
        return false;
    sort_keys(p->key, p->count);
    for (int i = 0, at = 0; i <= s->set.body_count; ++i) {
        while (at < p->count && p->key[at] >> 32 < (uint64_t)i) ++at;
        p->start[i] = at;
    }
    for (int i = 0; i < p->count; ++i) p->other[i] = (int)(p->key[i] & 0xffffffffu);
    return true;
}

static bool find_partners(contact_system* s)
{
    int count = 0;
    s->partners.count = 0;
    if (!mem_reserve((void**)&s->along, &s->along_capacity, s->set.body_count, sizeof *s->along))
        return false;
    for (int i = 0; i < s->set.body_count; ++i)
        if (s->set.body[i].meets) s->along[count++] = along_key(s->set.body[i].low[0], i);
    sort_keys(s->along, count);
    return sweep_along(s, count) && fill_partners(s);
}

// ---- lists --------------------------------------------------------------------------------------

// Of each part of a body two: pairs with itself and pairs with others, which come later in the
// order of keys.
bool lists_cut(contact_system* s)
{
    for (int i = 0; i < s->chunk_capacity; ++i) s->chunk[i].listed_count = 0;
    s->chunk_count = s->busy_count = 0;
    for (int i = 0; i < s->set.body_count; ++i) {
        int elements = s->set.body[i].surface->element_count, before = s->chunk_capacity;
        s->set.body[i].first_chunk = s->chunk_count;
        int64_t needed = s->chunk_count + 2 * (int64_t)chunk_parts(s->set.body[i].surface);
        if (!mem_reserve((void**)&s->chunk, &s->chunk_capacity, needed, sizeof *s->chunk))
            return false;
        if (s->chunk_capacity > before)
            memset(s->chunk + before, 0, (size_t)(s->chunk_capacity - before) * sizeof *s->chunk);
        for (int first = 0; first < elements; first += CHUNK_ELEMENTS)
            for (int of = OF_ONE; of >= OF_TWO; --of) {
                find_chunk* c = &s->chunk[s->chunk_count++];
                c->body = i;
                c->of = of;
                c->first = first;
                c->last = first + CHUNK_ELEMENTS < elements ? first + CHUNK_ELEMENTS : elements;
            }
    }
    return true;
}

void lists_forget(contact_system* s)
{
    s->listed = false;
    s->loose.due = true;
    for (int i = 0; i < s->set.body_count; ++i) s->set.body[i].listed = false;
}

// Whether the list of its pairs with itself, or with others, is to be made.
static bool is_due(const contact_system* s, int body, int of)
{
    const contact_body* b = &s->set.body[body];
    if (!b->meets || (of == OF_ONE && !lists_itself(&s->set, b))) return false;
    return s->fresh || !(of == OF_ONE ? b->listed : s->listed);
}

// Trees for bodies that have none yet. False when memory runs out.
static bool make_trees(contact_system* s, int of)
{
    const leaf_kernels* leaves = leaf_kernels_for(s->lanes, s->scalar_bytes);
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        if (b->tree[of] || !is_due(s, i, of)) continue;
        b->tree[of] = leaf_tree_create(b->surface->element_count, leaves);
        if (!b->tree[of]) return false;
        leaves->number(b->tree[of], b);
    }
    return true;
}

typedef struct {
    contact_system* s;
    int of;
} list_work;

static void fit_bodies(void* argument, int first, int last)
{
    const list_work* w = (const list_work*)argument;
    for (int i = first; i < last; ++i)
        if (is_due(w->s, i, w->of))
            finding_kernels_for(w->s->scalar_bytes)
                ->fit(&w->s->set, i, leaf_kernels_for(w->s->lanes, w->s->scalar_bytes), w->of);
}

// The chunks of these bodies.
static bool find_due(contact_system* s, int of)
{
    s->due_count = 0;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        int parts = is_due(s, i, of) ? chunk_parts(b->surface) : 0;
        if (!mem_reserve((void**)&s->due, &s->due_capacity, (int64_t)s->due_count + parts,
                         sizeof *s->due))
            return false;
        for (int k = 0; k < parts; ++k)
            s->due[s->due_count++] = b->first_chunk + 2 * k + (of == OF_TWO);
    }
    return true;
}

static void list_in_chunks(void* system, int first, int last)
{
    const contact_system* s = (const contact_system*)system;
    const partner_list* p = &s->partners;
    const leaf_kernels* leaves = leaf_kernels_for(s->lanes, s->scalar_bytes);
    for (int i = first; i < last; ++i) {
        find_chunk* c = &s->chunk[s->due[i]];
        const int* other = c->of == OF_ONE ? &c->body : p->other + p->start[c->body];
        int count = c->of == OF_ONE ? 1 : p->start[c->body + 1] - p->start[c->body];
        if (c->listed_count < 0)
            finding_kernels_for(s->scalar_bytes)->list(&s->set, leaves, other, count, c);
    }
}

// Chunks that had no room for all get it, and look once more.
static bool list_due(contact_system* s)
{
    size_t bytes = finding_kernels_for(s->scalar_bytes)->watched_bytes;
    for (int i = 0; i < s->due_count; ++i) s->chunk[s->due[i]].listed_count = -1;
    for (bool again = true; again;) {
        split_run(s->exec, list_in_chunks, s, s->due_count, 1);
        again = false;
        for (int i = 0; i < s->due_count; ++i) {
            find_chunk* c = &s->chunk[s->due[i]];
            if (c->listed_count <= c->listed_room) continue;
            if (!mem_reserve(&c->listed, &c->listed_room, c->listed_count, bytes)) return false;
            c->listed_count = -1;
            again = true;
        }
    }
    return true;
}

static bool make_lists(contact_system* s, int of)
{
    list_work w = {s, of};
    if (!find_due(s, of)) return false;
    if (s->due_count == 0) return !s->strays || strays_add(s, of);
    if (!make_trees(s, of)) return false;
    if (of == OF_TWO) list_age_start(&s->set.age, of);
    split_run(s->exec, fit_bodies, &w, s->set.body_count, 1);
    s->figures.lists++;
    if ((of == OF_TWO && !find_partners(s)) || !list_due(s)) return false;
    return !s->strays || strays_add(s, of);
}

// Parts of bodies that have pairs in a list: of each both chunks.
static bool find_busy(contact_system* s)
{
    s->busy_count = 0;
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        int parts = b->meets ? chunk_parts(b->surface) : 0;
        if (!mem_reserve((void**)&s->busy, &s->busy_capacity, (int64_t)s->busy_count + parts,
                         sizeof *s->busy))
            return false;
        for (int k = 0; k < parts; ++k) {
            find_chunk* own = &s->chunk[b->first_chunk + 2 * k];
            if (!lists_itself(&s->set, b)) own->listed_count = 0;
            if (own[0].listed_count + own[1].listed_count > 0)
                s->busy[s->busy_count++] = b->first_chunk + 2 * k;
        }
    }
    return true;
}

bool lists_make(contact_system* s)
{
    if (s->strays) strays_judge(s);
    bool good = loose_list(s) && make_lists(s, OF_TWO) && make_lists(s, OF_ONE) && find_busy(s);
    if (!good) {
        s->busy_count = 0;
        lists_forget(s);
        return false;
    }
    s->listed = true;
    s->strays = false;
    for (int i = 0; i < s->set.body_count; ++i)
        s->set.body[i].listed = s->set.body[i].meets && lists_itself(&s->set, &s->set.body[i]);
    return true;
}

// ---- who crosses whom ---------------------------------------------------------------------------

static void fit_tight(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i)
        if (s->set.body[i].meets) finding_kernels_for(s->scalar_bytes)->fit_tight(&s->set, i);
}

bool partners_find(contact_system* s)
{
    split_run(s->exec, fit_tight, s, s->set.body_count, 1);
    return find_partners(s);
}

// ---- pairs --------------------------------------------------------------------------------------

static void pair_in_chunks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    measure_fn* measure = measure_for(s->lanes, s->scalar_bytes);
    for (int i = first; i < last; ++i)
        for (int k = 0; k < 2; ++k) {
            find_chunk* c = &s->chunk[s->busy[i] + k];
            if (c->pair_count < 0) finding_kernels_for(s->scalar_bytes)->pair(&s->set, measure, c);
        }
}

static bool make_room(find_chunk* c, size_t state_bytes)
{
    if (!mem_reserve((void**)&c->pair, &c->pair_capacity, c->pair_count, sizeof *c->pair) ||
        !mem_reserve(&c->state, &c->state_capacity, c->pair_count, state_bytes) ||
        !mem_reserve((void**)&c->order, &c->order_capacity, c->pair_count, sizeof *c->order))
        return false;
    c->pair_room = c->pair_capacity < c->state_capacity ? c->pair_capacity : c->state_capacity;
    c->pair_room = c->pair_room < c->order_capacity ? c->pair_room : c->order_capacity;
    c->pair_count = -1;
    return true;
}

static bool grow_chunks(contact_system* s, bool* out_again)
{
    size_t bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    *out_again = false;
    for (int i = 0; i < 2 * s->busy_count; ++i) {
        find_chunk* c = &s->chunk[s->busy[i / 2] + i % 2];
        if (c->pair_count <= c->pair_room) continue;
        if (!make_room(c, bytes)) return false;
        *out_again = true;
    }
    return true;
}

static bool find_pairs(contact_system* s)
{
    bool again;
    for (int i = 0; i < s->busy_count; ++i)
        for (int k = 0; k < 2; ++k) s->chunk[s->busy[i] + k].pair_count = -1;
    do {
        split_run(s->exec, pair_in_chunks, s, s->busy_count, 4);
        if (!grow_chunks(s, &again)) return false;
    } while (again);
    return true;
}

// The pairs of two chunks of the same elements, in the order of their keys.
static void merge_chunks(contact_system* s, const find_chunk* one, const find_chunk* two, size_t at,
                         size_t bytes)
{
    for (int i = 0, k = 0; i < one->pair_count || k < two->pair_count; ++at) {
        bool second =
            i == one->pair_count ||
            (k < two->pair_count && two->pair[two->order[k]].key < one->pair[one->order[i]].key);
        const find_chunk* from = second ? two : one;
        size_t number = (size_t)(second ? two->order[k++] : one->order[i++]);
        s->set.pair[at] = from->pair[number];
        memcpy((char*)s->set.contact + at * bytes, (const char*)from->state + number * bytes,
               bytes);
    }
}

static void join_in_chunks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    size_t bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    for (int i = first; i < last; ++i) {
        const find_chunk* c = &s->chunk[s->busy[i]];
        merge_chunks(s, c, c + 1, (size_t)c->first_pair, bytes);
    }
}

static bool join_chunks(contact_system* s)
{
    int64_t count = 0;
    for (int i = 0; i < s->busy_count; ++i) {
        find_chunk* c = &s->chunk[s->busy[i]];
        c->first_pair = count;
        count += (int64_t)c[0].pair_count + c[1].pair_count;
    }
    if (4 * count >= INT32_MAX) {
        fail(PLIANT_ERROR_MEMORY,
             "%lld pairs of surfaces are near each other: more than a list of contacts can hold; "
             "use smaller thicknesses or fewer elements",
             (long long)count);
        return false;
    }
    if (!mem_reserve((void**)&s->set.pair, &s->pair_capacity, count, sizeof *s->set.pair) ||
        !mem_reserve(&s->set.contact, &s->contact_capacity, count,
                     finding_kernels_for(s->scalar_bytes)->state_bytes))
        return false;
    split_run(s->exec, join_in_chunks, s, s->busy_count, 8);
    s->set.pair_count = (int)count;
    return true;
}

// ---- points of pairs ----------------------------------------------------------------------------

static bool reserve_numbers(int** numbers, int* capacity, int64_t count)
{
    return mem_reserve((void**)numbers, capacity, count, sizeof(int));
}

static bool reserve_point_pairs(const contact_system* s, point_pairs* p, int capacity[3], int pairs)
{
    return reserve_numbers(&p->start, &capacity[0], s->set.point_count) &&
           reserve_numbers(&p->end, &capacity[1], s->set.point_count) &&
           reserve_numbers(&p->entry, &capacity[2], 4 * (int64_t)pairs);
}

typedef bool pair_question(const contact_set* s, int pair);

// Of the pairs in a list, those that the question picks, point by point.
static void fill_point_pairs(contact_set* s, point_pairs* p, const int* list, int count,
                             pair_question* wanted)
{
    int sum = 0;
    memset(p->start, 0, (size_t)s->point_count * sizeof(int));
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 4 && wanted(s, list[i]); ++k) p->start[s->pair[list[i]].point[k]]++;
    for (int i = 0; i < s->point_count; ++i) {
        int pairs = p->start[i];
        p->start[i] = p->end[i] = sum;
        sum += pairs;
    }
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 4 && wanted(s, list[i]); ++k)
            p->entry[p->end[s->pair[list[i]].point[k]]++] = 4 * list[i] + k;
}

static int list_pairs(const contact_set* s, int* list, pair_question* wanted)
{
    int count = 0;
    for (int i = 0; i < s->pair_count; ++i)
        if (wanted(s, i)) list[count++] = i;
    return count;
}

// Points that are part of a pair.
static void list_live(contact_set* s)
{
    int* live = s->touching.start; // which is filled later
    memset(live, 0, (size_t)s->point_count * sizeof(int));
    for (int i = 0; i < s->pair_count; ++i)
        for (int k = 0; k < 4; ++k) live[s->pair[i].point[k]] = 1;
    for (int i = 0; i < s->loose.count; ++i)
        if (s->loose.neighbors[i] > 0) live[i] = 1;
    s->live_count = 0;
    for (int i = 0; i < s->point_count; ++i)
        if (live[i]) s->live[s->live_count++] = i;
}

// Whether pairs that are not close may have something to take over.
static bool remembers_any(const contact_system* s)
{
    if (s->set.first_collider < s->set.body_count) return s->kept_count > 0;
    for (int i = 0; i < s->kept_count; ++i)
        if (s->kept[i].stored > 0) return true;
    return false;
}

// Pairs that are close, and those that remember something.
static bool list_touch(contact_system* s)
{
    contact_set* set = &s->set;
    bool any = remembers_any(s);
    const finding_kernels* find = finding_kernels_for(s->scalar_bytes);
    if (!reserve_numbers(&set->touch, &s->touching_list_capacity, set->pair_count)) return false;
    set->touch_count = 0;
    for (int i = 0, at = 0; i < set->pair_count; ++i) {
        bool wanted = find->is_close(set, i);
        while (any && at < s->kept_count && s->kept[at].key < set->pair[i].key) ++at;
        if (any && at < s->kept_count && s->kept[at].key == set->pair[i].key)
            wanted = wanted || find->remembers(set, i, &s->kept[at]);
        if (wanted) set->touch[set->touch_count++] = i;
    }
    return true;
}

static bool list_points(contact_system* s)
{
    contact_set* set = &s->set;
    if (!reserve_numbers(&set->live, &s->live_capacity, set->point_count) ||
        !reserve_point_pairs(s, &set->touching, s->touching_capacity, set->touch_count))
        return false;
    list_live(set);
    return true;
}

bool pairs_hold(contact_system* s)
{
    contact_set* set = &s->set;
    const finding_kernels* find = finding_kernels_for(s->scalar_bytes);
    if (!reserve_numbers(&set->hold, &s->hold_capacity, set->pair_count)) return false;
    set->hold_count = list_pairs(set, set->hold, find->holds);
    if (!reserve_point_pairs(s, &set->holding, s->holding_capacity, set->hold_count)) return false;
    fill_point_pairs(set, &set->holding, set->hold, set->hold_count, find->holds);
    return true;
}

// ---- what pairs remember ------------------------------------------------------------------------

// Those of the pairs and those that are no pairs any more, merged.
bool pairs_keep(contact_system* s)
{
    if (!s->paired) return true;
    int64_t most = (int64_t)s->kept_count + giving_count(&s->set);
    if (!mem_reserve((void**)&s->spare, &s->spare_capacity, most, sizeof *s->spare)) return false;
    int count = 0, old = 0;
    for (int i = 0; i < giving_count(&s->set); ++i) {
        kept_contact one;
        int pair = giving_pair(&s->set, i);
        if (!pressing_kernels_for(s->scalar_bytes)->give(&s->set, pair, &one)) continue;
        while (old < s->kept_count && s->kept[old].key < one.key)
            s->spare[count++] = s->kept[old++];
        s->spare[count++] = one;
    }
    while (old < s->kept_count) s->spare[count++] = s->kept[old++];
    kept_contact* kept = s->kept;
    int capacity = s->kept_capacity;
    s->kept = s->spare;
    s->kept_capacity = s->spare_capacity;
    s->spare = kept;
    s->spare_capacity = capacity;
    s->kept_count = count;
    s->paired = false;
    return true;
}

// What finds no pair does not push any more; it stays for its part of the step's forces.
static void take_kept(contact_system* s, double carry)
{
    const contact_set* set = &s->set;
    int left = 0, at = 0;
    for (int i = 0; i < s->kept_count; ++i) {
        kept_contact k = s->kept[i];
        while (at < set->touch_count && set->pair[set->touch[at]].key < k.key) ++at;
        if (at < set->touch_count && set->pair[set->touch[at]].key == k.key) {
            pressing_kernels_for(s->scalar_bytes)->take(&s->set, set->touch[at], &k, carry);
            if (!pressing_kernels_for(s->scalar_bytes)->goes_on(set, set->touch[at]))
                handover_note(s, &k);
            continue;
        }
        handover_note(s, &k);
        k.lambda = k.sunk = k.stored = 0;
        k.overlaps = k.held = false;
        memset(k.slide, 0, sizeof k.slide);
        if (kept_has_pushed(&k)) s->kept[left++] = k;
    }
    s->kept_count = left;
    s->paired = true;
    handover_finish(s, carry);
}

bool pairs_make(contact_system* s, double carry)
{
    if (!pairs_keep(s)) return false;
    s->set.pair_count = s->set.live_count = s->set.touch_count = s->set.hold_count = 0;
    if (!find_pairs(s) || !join_chunks(s) || !list_touch(s) || !list_points(s) ||
        !handover_reserve(s)) {
        s->set.pair_count = s->set.live_count = s->set.touch_count = s->set.hold_count = 0;
        return false;
    }
    take_kept(s, carry);
    fill_point_pairs(&s->set, &s->set.touching, s->set.touch, s->set.touch_count,
                     finding_kernels_for(s->scalar_bytes)->may_push);
    return true;
}
