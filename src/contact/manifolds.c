#include "contact/manifolds.h"
#include "base/sort.h"
#include "contact/manifold.h"
#include "contact/pressing.h"
#include <string.h>

// ---- contacts -----------------------------------------------------------------------------------

static int body_of(const contact_set* s, int pair, bool higher)
{
    const int* b = s->pair[pair].body;
    return (b[0] < b[1]) == higher ? b[1] : b[0];
}

// Pairs are in the order of their first elements, so those of a body follow each other.
static int list_contacts(contact_system* s, bool bounces)
{
    const pressing_kernels* kernels = pressing_kernels_for(s->scalar_bytes);
    int count = 0;
    for (int i = 0; i < s->set.touch_count; ++i)
        if (kernels->presses(&s->set, s->set.touch[i], bounces))
            s->pressing[count++] = s->set.touch[i];
    return count;
}

// Among those of a body, those with another one together, in their order.
static void group_contacts(contact_system* s, int first, int last)
{
    uint64_t* key = s->pressing_key;
    for (int i = first; i < last; ++i)
        key[i - first] =
            (uint64_t)body_of(&s->set, s->pressing[i], true) << 32 | (uint32_t)s->pressing[i];
    sort_keys(key, last - first);
    for (int i = first; i < last; ++i) s->pressing[i] = (int)(key[i - first] & 0xffffffffu);
}

static void group_all(contact_system* s, int count)
{
    for (int first = 0, last; first < count; first = last) {
        int body = body_of(&s->set, s->pressing[first], false);
        for (last = first + 1; last < count; ++last)
            if (body_of(&s->set, s->pressing[last], false) != body) break;
        group_contacts(s, first, last);
    }
}

// ---- manifolds ----------------------------------------------------------------------------------

static bool is_same(const contact_set* s, int one, int other)
{
    return body_of(s, one, false) == body_of(s, other, false) &&
           body_of(s, one, true) == body_of(s, other, true);
}

static int list_manifolds(contact_system* s, int contacts)
{
    int count = 0;
    for (int i = 0; i < contacts; ++i) {
        bool begins = i == 0 || !is_same(&s->set, s->pressing[i - 1], s->pressing[i]);
        if (begins) s->manifolds[count++].first = i;
        s->manifolds[count - 1].last = i + 1;
    }
    return count;
}

// ---- colors -------------------------------------------------------------------------------------

static bool moves(const contact_set* s, int body) { return body_has_colors(&s->body[body]); }

static uint64_t* taken_by(contact_system* s, int pair, int side)
{
    int body = s->set.pair[pair].body[side];
    return moves(&s->set, body) ? &s->taken[body] : NULL;
}

// The lowest that none of its bodies has yet.
static int choose_color(contact_system* s, const contact_manifold* m, int* more)
{
    uint64_t* of[2];
    uint64_t taken = 0;
    int color = 0;
    for (int k = 0; k < 2; ++k) {
        of[k] = taken_by(s, s->pressing[m->first], k);
        taken |= of[k] ? *of[k] : 0;
    }
    while (color < MANIFOLD_COLORS && taken >> color & 1) ++color;
    if (color == MANIFOLD_COLORS) return MANIFOLD_COLORS + (*more)++;
    for (int k = 0; k < 2; ++k)
        if (of[k]) *of[k] |= (uint64_t)1 << color;
    return color;
}

static int color_manifolds(contact_system* s, int count)
{
    int colors = 0, more = 0;
    memset(s->taken, 0, (size_t)s->set.body_count * sizeof *s->taken);
    for (int i = 0; i < count; ++i) {
        int color = choose_color(s, &s->manifolds[i], &more);
        s->color_of[i] = color;
        colors = color >= colors ? color + 1 : colors;
    }
    return colors;
}

// Manifolds, and their contacts, color after color.
static void order_by_color(contact_system* s, int count, int colors)
{
    contact_set* set = &s->set;
    int* start = set->color_start;
    int sum = 0, contacts = 0;
    memset(start, 0, ((size_t)colors + 2) * sizeof *start);
    for (int i = 0; i < count; ++i) start[s->color_of[i] + 1]++;
    for (int i = 0; i <= colors; ++i) start[i] = sum += start[i];
    for (int i = 0; i < count; ++i) s->place_of[start[s->color_of[i]]++] = i;
    for (int i = colors; i > 0; --i) start[i] = start[i - 1];
    start[0] = 0;
    for (int i = 0; i < count; ++i) {
        const contact_manifold* from = &s->manifolds[s->place_of[i]];
        set->manifold[i].first = contacts;
        for (int k = from->first; k < from->last; ++k) set->press[contacts++].pair = s->pressing[k];
        set->manifold[i].last = contacts;
    }
    set->press_count = contacts;
    set->color_count = colors;
}

// ---- islands ------------------------------------------------------------------------------------

static int root_of(const int* up, int body)
{
    while (up[body] != body) body = up[body];
    return body;
}

// Bodies that move and touch each other are joined under the lowest of them.
static void find_islands(contact_system* s, int count)
{
    int* up = s->set.island;
    for (int i = 0; i < s->set.body_count; ++i) up[i] = i;
    for (int i = 0; i < count; ++i) {
        int pair = s->pressing[s->manifolds[i].first];
        const int* b = s->set.pair[pair].body;
        if (!moves(&s->set, b[0]) || !moves(&s->set, b[1])) continue;
        int one = root_of(up, b[0]), two = root_of(up, b[1]);
        up[one > two ? one : two] = one > two ? two : one;
    }
    // None is above its root.
    for (int i = 0; i < s->set.body_count; ++i) up[i] = up[up[i]];
    for (int i = 0; i < s->set.press_count; ++i) {
        const int* b = s->set.pair[s->set.press[i].pair].body;
        s->set.press[i].island = up[moves(&s->set, b[0]) ? b[0] : b[1]];
    }
}

// ---- all of it ----------------------------------------------------------------------------------

static bool reserve(contact_system* s)
{
    int most = s->set.touch_count;
    return mem_reserve((void**)&s->pressing, &s->pressing_capacity, most, sizeof *s->pressing) &&
           mem_reserve((void**)&s->pressing_key, &s->pressing_key_capacity, most,
                       sizeof *s->pressing_key) &&
           mem_reserve((void**)&s->manifolds, &s->manifolds_capacity, most, sizeof *s->manifolds) &&
           mem_reserve((void**)&s->color_of, &s->color_of_capacity, most, sizeof(int)) &&
           mem_reserve((void**)&s->place_of, &s->place_of_capacity, most, sizeof(int)) &&
           mem_reserve((void**)&s->taken, &s->taken_capacity, s->set.body_count,
                       sizeof *s->taken) &&
           mem_reserve((void**)&s->set.island, &s->island_capacity, s->set.body_count,
                       sizeof(int)) &&
           mem_reserve((void**)&s->set.rounds, &s->rounds_capacity, s->set.body_count,
                       sizeof *s->set.rounds) &&
           mem_reserve((void**)&s->set.press, &s->press_capacity, most, sizeof *s->set.press) &&
           mem_reserve((void**)&s->set.manifold, &s->manifold_capacity, most,
                       sizeof *s->set.manifold) &&
           mem_reserve((void**)&s->set.color_start, &s->color_start_capacity,
                       (int64_t)most + MANIFOLD_COLORS + 2, sizeof(int));
}

bool manifolds_make(contact_system* s, bool bounces)
{
    if (!reserve(s)) return false;
    int contacts = list_contacts(s, bounces);
    group_all(s, contacts);
    int count = list_manifolds(s, contacts);
    order_by_color(s, count, color_manifolds(s, count));
    find_islands(s, count);
    return true;
}
