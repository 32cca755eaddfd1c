// What pairs of loose particles remember, as all others do: into what is kept, and back.
#include "contact/loose_entries.h"
#include <math.h>
#include <string.h>

// ---- what pairs remember ------------------------------------------------------------------------

static kept_contact record_of(const contact_system* s, const loose_pairs* p, int particle, int k)
{
    size_t entry = loose_entry(p, particle, k);
    kept_contact out = {.key = pair_key(particle, loose_other(p, particle, k), SUB_FIRST),
                        .lambda = loose_get(s, p, entry, LOOSE_LAMBDA),
                        .pivot = loose_get(s, p, entry, LOOSE_PIVOT),
                        .sunk = loose_get(s, p, entry, LOOSE_SUNK),
                        .stored = loose_get(s, p, entry, LOOSE_STORED),
                        .overlaps = loose_says(p, entry, LOOSE_OVERLAPS),
                        .met = true};
    for (int i = 0; i < 3; ++i) {
        out.slide[i] = loose_get(s, p, entry, LOOSE_SLIDE + i);
        out.sum[i] = loose_get(s, p, entry, LOOSE_SUM + i);
    }
    return out;
}

// The record is that of the first side.
static void take_side(const contact_system* s, const kept_contact* k, size_t entry, double sign)
{
    const loose_pairs* p = &s->set.loose;
    loose_set(s, p, entry, LOOSE_LAMBDA, k->lambda);
    loose_set(s, p, entry, LOOSE_PIVOT, k->pivot);
    loose_set(s, p, entry, LOOSE_SUNK, k->sunk);
    loose_set(s, p, entry, LOOSE_STORED, k->stored);
    for (int i = 0; i < 3; ++i) {
        loose_set(s, p, entry, LOOSE_SLIDE + i, sign * k->slide[i]);
        loose_set(s, p, entry, LOOSE_SUM + i, sign * k->sum[i]);
    }
    if (k->overlaps) loose_say(p, entry, LOOSE_OVERLAPS);
    if (k->sunk > 0) loose_say(p, entry, LOOSE_SUNKEN);
    if (kept_has_pushed(k)) loose_say(p, entry, LOOSE_PUSHED);
}

// Who is on no list does not push any more.
static void forget_pushes(contact_system* s)
{
    for (int i = 0; i < s->kept_count; ++i)
        if (loose_has(&s->set, &s->kept[i]))
            s->kept[i].lambda = s->kept[i].sunk = s->kept[i].stored = 0;
}

void loose_take_records(contact_system* s)
{
    int left = 0;
    for (int i = 0; i < s->kept_count; ++i) {
        const kept_contact k = s->kept[i];
        int one = key_first(k.key), two = key_second(k.key);
        size_t here, there;
        if (loose_has(&s->set, &k) && loose_find_entry(&s->set.loose, one, two, &here) &&
            loose_find_entry(&s->set.loose, two, one, &there)) {
            take_side(s, &k, here, 1);
            take_side(s, &k, there, -1);
            if (k.stored > 0) s->set.loose.stores = true;
        } else {
            s->kept[left++] = k;
        }
    }
    s->kept_count = left;
    forget_pushes(s);
}

typedef bool pick_fn(const contact_system* s, const loose_pairs* p, int particle, int k);

// Pairs of a list that are picked, into s->kept. No record is there twice.
static bool keep_picked(contact_system* s, const loose_pairs* p, pick_fn* pick)
{
    int64_t more = 0;
    for (int i = 0; i < p->count; ++i)
        for (int k = 0; k < p->neighbors[i]; ++k)
            more += loose_other(p, i, k) > i && pick(s, p, i, k);
    if (more == 0) return true;
    if (!mem_reserve((void**)&s->spare, &s->spare_capacity, s->kept_count + more, sizeof *s->spare))
        return false;
    int count = 0, old = 0;
    for (int i = 0; i < p->count; ++i)
        for (int k = 0; k < p->neighbors[i]; ++k) {
            if (loose_other(p, i, k) < i || !pick(s, p, i, k)) continue;
            kept_contact one = record_of(s, p, i, k);
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
    return true;
}

static bool is_worth_keeping(const contact_system* s, const loose_pairs* p, int particle, int k)
{
    size_t entry = loose_entry(p, particle, k);
    return loose_get(s, p, entry, LOOSE_LAMBDA) > 0 || loose_get(s, p, entry, LOOSE_STORED) > 0 ||
           loose_says(p, entry, LOOSE_OVERLAPS) || loose_has_pushed(p, particle, k);
}

// Of an old list: what has pushed in this step, and is on the new one no more.
static bool is_lost(const contact_system* s, const loose_pairs* p, int particle, int k)
{
    size_t entry;
    return loose_has_pushed(p, particle, k) &&
           !loose_find_entry(&s->set.loose, particle, loose_other(p, particle, k), &entry);
}

void loose_drop_records(contact_system* s)
{
    int left = 0;
    for (int i = 0; i < s->kept_count; ++i)
        if (!loose_has(&s->set, &s->kept[i])) s->kept[left++] = s->kept[i];
    s->kept_count = left;
}

bool loose_keep_lost(contact_system* s) { return keep_picked(s, &s->loose.before, is_lost); }

bool loose_keep(contact_system* s)
{
    if (!s->loose.newer) return true;
    s->loose.newer = false;
    return keep_picked(s, &s->set.loose, is_worth_keeping);
}

// ---- for readers --------------------------------------------------------------------------------

static double at_set(const contact_system* s, const void* array, int point, int k)
{
    return state_get(array, 4 * (size_t)point + (size_t)k, s->scalar_bytes);
}

void loose_describe(const contact_system* s, const kept_contact* k, near_pair* p,
                    contact_description* d)
{
    const contact_set* set = &s->set;
    int one = key_first(k->key), two = key_second(k->key);
    size_t entry;
    double apart = 0, nearer = 0;
    *p = (near_pair){.key = k->key,
                     .point = {one, two, two, two},
                     .body = {set->owner[one], set->owner[two]},
                     .kind = PAIR_SEGMENT};
    *d = (contact_description){.weight = {1, -1}, .pushes = false};
    for (int i = 0; i < 3; ++i) {
        d->sum[i] = k->sum[i];
        d->normal[i] = at_set(s, set->place, one, i) - at_set(s, set->place, two, i);
        apart += d->normal[i] * d->normal[i];
    }
    apart = sqrt(apart);
    for (int i = 0; i < 3; ++i) {
        d->normal[i] = apart > 0 ? d->normal[i] / apart : 0;
        nearer -=
            d->normal[i] * (at_set(s, set->increment, one, i) - at_set(s, set->increment, two, i));
    }
    d->depth = at_set(s, set->residue, one, 3) + at_set(s, set->residue, two, 3) - apart + nearer;
    if (loose_find_entry(&set->loose, one, two, &entry))
        d->pushes = loose_says(&set->loose, entry, LOOSE_ACTIVE);
}

int64_t loose_count_near(const contact_system* s)
{
    int64_t count = 0;
    for (int i = 0; i < s->set.loose.count; ++i) count += s->set.loose.neighbors[i];
    return count / 2;
}
