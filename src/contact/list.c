#include "contact/list.h"
#include "base/sort.h"
#include "contact/finding.h"
#include "contact/pressing.h"
#include "contact/reach.h"
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

// ---- reach --------------------------------------------------------------------------------------

static void look_at(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i)
        if (s->set.body[i].meets) finding_kernels_for(s->scalar_bytes)->look(&s->set, i);
}

static double length_apart(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

// The mean motion of all: what goes along with it needs no margin.
static void find_frame(contact_system* s)
{
    double points = 0;
    memset(s->set.frame, 0, sizeof s->set.frame);
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        if (!b->meets || b->frozen) continue;
        points += b->surface->point_count;
        for (int k = 0; k < 3; ++k) s->set.frame[k] += b->surface->point_count * b->mean[k];
    }
    for (int k = 0; k < 3; ++k) s->set.frame[k] = points > 0 ? s->set.frame[k] / points : 0;
}

void reach_look(contact_system* s)
{
    split_run(s->exec, look_at, s, s->set.body_count, 1);
    find_frame(s);
    for (int i = 0; i < s->set.body_count; ++i) {
        contact_body* b = &s->set.body[i];
        if (!b->meets) continue;
        b->way = length_apart(b->mean, s->set.frame) + b->self_way;
        set_calm(b);
    }
}

void reach_look_again(contact_system* s)
{
    for (int i = 0; i < s->set.live_count; ++i) {
        contact_body* b = &s->set.body[s->set.owner[s->set.live[i]]];
        double d[3];
        for (size_t k = 0; k < 3; ++k)
            d[k] = state_get(s->set.increment, 4 * (size_t)s->set.live[i] + k, s->scalar_bytes);
        b->way = fmax(b->way, length_apart(d, s->set.frame));
        b->self_way = fmax(b->self_way, length_apart(d, b->mean));
    }
    for (int i = 0; i < s->set.body_count; ++i)
        if (s->set.body[i].meets) set_calm(&s->set.body[i]);
}

bool reach_is_listed(const contact_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i) {
        const contact_body* b = &s->set.body[i];
        if (b->meets && !body_is_listed(b)) return false;
    }
    return s->listed && !s->fresh;
}

void reach_go_on(contact_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i) {
        s->set.body[i].odometer += s->set.body[i].calm;
        s->set.body[i].self_odometer += s->set.body[i].self_calm;
    }
}

static void choose_margins(contact_system* s)
{
    for (int i = 0; i < s->set.body_count; ++i) set_margins(&s->set.body[i]);
}

static void fit_bodies(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i)
        if (s->set.body[i].meets) finding_kernels_for(s->scalar_bytes)->fit(&s->set, i);
}

// ---- partners -----------------------------------------------------------------------------------

static bool groups_meet(const contact_body* a, const contact_body* b)
{
    return (a->at.phase || (a->group & b->mask)) && (b->at.phase || (b->group & a->mask));
}

static bool may_meet(const contact_set* s, int one, int two)
{
    const contact_body *a = &s->body[one], *b = &s->body[two];
    bool swept = a->collider || b->collider;
    if (swept ? !is_swept(s, one, two) : !groups_meet(a, b)) return false;
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
        if (a->self && !add_partner(p, one, one)) return false;
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

// ---- finding ------------------------------------------------------------------------------------

static bool cut_chunks(contact_system* s)
{
    enum { ELEMENTS = 128 };
    s->chunk_count = 0;
    for (int i = 0; i < s->set.body_count; ++i) {
        if (s->partners.start[i] == s->partners.start[i + 1]) continue;
        int elements = s->set.body[i].surface->element_count, before = s->chunk_capacity;
        int needed = s->chunk_count + (elements + ELEMENTS - 1) / ELEMENTS;
        if (!mem_reserve((void**)&s->chunk, &s->chunk_capacity, needed, sizeof *s->chunk))
            return false;
        if (s->chunk_capacity > before)
            memset(s->chunk + before, 0, (size_t)(s->chunk_capacity - before) * sizeof *s->chunk);
        for (int first = 0; first < elements; first += ELEMENTS) {
            find_chunk* c = &s->chunk[s->chunk_count++];
            c->body = i;
            c->first = first;
            c->last = first + ELEMENTS < elements ? first + ELEMENTS : elements;
            c->element_count = -1;
        }
    }
    return true;
}

static void list_in_chunks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i) {
        find_chunk* c = &s->chunk[i];
        if (c->element_count < 0 || c->element_count > c->element_capacity)
            finding_kernels_for(s->scalar_bytes)->list(&s->set, &s->partners, c);
    }
}

// Chunks that had no room for all get it, and look once more.
static bool list_elements(contact_system* s)
{
    split_run(s->exec, list_in_chunks, s, s->chunk_count, 1);
    for (int i = 0; i < s->chunk_count; ++i) {
        find_chunk* c = &s->chunk[i];
        if (!mem_reserve(&c->elements, &c->element_capacity, c->element_count,
                         finding_kernels_for(s->scalar_bytes)->element_bytes))
            return false;
        if (c->element_count > 0 && c->element_count > c->element_room) c->element_count = -1;
        c->element_room = c->element_capacity;
    }
    split_run(s->exec, list_in_chunks, s, s->chunk_count, 1);
    return true;
}

bool list_make(contact_system* s)
{
    s->listed = false;
    choose_margins(s);
    split_run(s->exec, fit_bodies, s, s->set.body_count, 1);
    if (!find_partners(s) || !cut_chunks(s) || !list_elements(s)) return false;
    s->listed = true;
    s->figures.lists++;
    return true;
}

// ---- pairs --------------------------------------------------------------------------------------

static void pair_in_chunks(void* system, int first, int last)
{
    contact_system* s = (contact_system*)system;
    for (int i = first; i < last; ++i) {
        find_chunk* c = &s->chunk[i];
        if (c->pair_count < 0) finding_kernels_for(s->scalar_bytes)->pair(&s->set, c);
    }
}

static bool grow_chunks(contact_system* s, bool* out_again)
{
    size_t bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    *out_again = false;
    for (int i = 0; i < s->chunk_count; ++i) {
        find_chunk* c = &s->chunk[i];
        if (c->pair_count <= c->pair_room) continue;
        if (!mem_reserve((void**)&c->pair, &c->pair_capacity, c->pair_count, sizeof *c->pair) ||
            !mem_reserve(&c->state, &c->state_capacity, c->pair_count, bytes))
            return false;
        c->pair_room = c->pair_capacity < c->state_capacity ? c->pair_capacity : c->state_capacity;
        c->pair_count = -1;
        *out_again = true;
    }
    return true;
}

static bool find_pairs(contact_system* s)
{
    bool again;
    for (int i = 0; i < s->chunk_count; ++i) s->chunk[i].pair_count = -1;
    do {
        split_run(s->exec, pair_in_chunks, s, s->chunk_count, 4);
        if (!grow_chunks(s, &again)) return false;
    } while (again);
    return true;
}

static bool join_chunks(contact_system* s)
{
    int64_t count = 0;
    size_t bytes = finding_kernels_for(s->scalar_bytes)->state_bytes;
    for (int i = 0; i < s->chunk_count; ++i) count += s->chunk[i].pair_count;
    if (4 * count >= INT32_MAX) {
        fail(PLIANT_ERROR_MEMORY,
             "%lld pairs of surfaces are near each other: more than a list of contacts can hold; "
             "use smaller thicknesses or fewer elements",
             (long long)count);
        return false;
    }
    if (!mem_reserve((void**)&s->set.pair, &s->pair_capacity, count, sizeof *s->set.pair) ||
        !mem_reserve(&s->set.contact, &s->contact_capacity, count, bytes))
        return false;
    s->set.pair_count = 0;
    for (int i = 0; i < s->chunk_count; ++i) {
        const find_chunk* c = &s->chunk[i];
        size_t at = (size_t)s->set.pair_count, found = (size_t)c->pair_count;
        if (found == 0) continue;
        memcpy(s->set.pair + at, c->pair, found * sizeof *s->set.pair);
        memcpy((char*)s->set.contact + at * bytes, c->state, found * bytes);
        s->set.pair_count += c->pair_count;
    }
    return true;
}

// ---- points of pairs ----------------------------------------------------------------------------

static bool reserve_points(contact_system* s)
{
    int64_t points = s->set.point_count, pairs = s->set.pair_count;
    return mem_reserve((void**)&s->set.incidence_start, &s->incidence_start_capacity, points,
                       sizeof(int)) &&
           mem_reserve((void**)&s->set.incidence_end, &s->incidence_end_capacity, points,
                       sizeof(int)) &&
           mem_reserve((void**)&s->set.incidence, &s->incidence_capacity, 4 * pairs, sizeof(int)) &&
           mem_reserve((void**)&s->set.live, &s->live_capacity, points, sizeof(int));
}

static bool list_points(contact_system* s)
{
    if (!reserve_points(s)) return false;
    int *count = s->set.incidence_start, *end = s->set.incidence_end, sum = 0;
    memset(count, 0, (size_t)s->set.point_count * sizeof(int));
    for (int i = 0; i < s->set.pair_count; ++i)
        for (int k = 0; k < 4; ++k) count[s->set.pair[i].point[k]]++;
    s->set.live_count = 0;
    for (int i = 0; i < s->set.point_count; ++i) {
        int pairs = count[i];
        if (pairs) s->set.live[s->set.live_count++] = i;
        s->set.incidence_start[i] = end[i] = sum;
        sum += pairs;
    }
    for (int i = 0; i < s->set.pair_count; ++i)
        for (int k = 0; k < 4; ++k) s->set.incidence[end[s->set.pair[i].point[k]]++] = 4 * i + k;
    return true;
}

// ---- what pairs remember ------------------------------------------------------------------------

// Those of the pairs and those that are no pairs any more, merged.
bool pairs_keep(contact_system* s)
{
    if (!s->paired) return true;
    int64_t most = (int64_t)s->kept_count + s->set.pair_count;
    if (!mem_reserve((void**)&s->spare, &s->spare_capacity, most, sizeof *s->spare)) return false;
    int count = 0, old = 0;
    for (int i = 0; i < s->set.pair_count; ++i) {
        kept_contact one;
        if (!pressing_kernels_for(s->scalar_bytes)->give(&s->set, i, &one)) continue;
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
    int left = 0, at = 0;
    for (int i = 0; i < s->kept_count; ++i) {
        kept_contact k = s->kept[i];
        while (at < s->set.pair_count && s->set.pair[at].key < k.key) ++at;
        if (at < s->set.pair_count && s->set.pair[at].key == k.key) {
            pressing_kernels_for(s->scalar_bytes)->take(&s->set, at, &k, carry);
            continue;
        }
        k.lambda = k.sunk = k.stored = 0;
        k.overlaps = false;
        memset(k.slide, 0, sizeof k.slide);
        if (kept_has_pushed(&k)) s->kept[left++] = k;
    }
    s->kept_count = left;
    s->paired = true;
}

bool pairs_make(contact_system* s, double carry)
{
    if (!pairs_keep(s)) return false;
    s->set.pair_count = s->set.live_count = 0;
    if (!find_pairs(s) || !join_chunks(s) || !list_points(s)) {
        s->set.pair_count = s->set.live_count = 0;
        return false;
    }
    take_kept(s, carry);
    return true;
}
