// Triangles that bend as plates: each with the triangles beside it.
#include "asset/asset.h"
#include "asset/seams.h"

enum { SIDES = 3 };

static int tip_of(const seams* s, int side)
{
    return s->corner[SIDES * (size_t)(side / SIDES) + (size_t)((side % SIDES + 2) % SIDES)];
}

// The side that each side lies at; -1: none. Where three or more triangles meet, each has the next.
static void find_sides_beside(const seams* s, int* beside)
{
    for (int i = 0; i < s->sides.count; ++i) beside[i] = -1;
    for (int first = 0, end; first < s->sides.count; first = end) {
        end = tuples_run_end(&s->sides, first);
        for (int i = first; i < end && end - first > 1; ++i)
            beside[s->sides.order[i]] = s->sides.order[i + 1 < end ? i + 1 : first];
    }
}

typedef struct {
    int tip[SIDES]; // across each side; -1: none
    int count;
} plate_tips;

// A tip counts once: a triangle that meets another at two sides bends at the first of them.
static plate_tips find_tips(const seams* s, const int* beside, int triangle)
{
    const int* own = s->corner + SIDES * (size_t)triangle;
    plate_tips t = {.count = 0};
    for (int k = 0; k < SIDES; ++k) {
        int other = beside[SIDES * triangle + k], tip = other < 0 ? -1 : tip_of(s, other);
        bool known = tip == own[0] || tip == own[1] || tip == own[2];
        for (int i = 0; i < k; ++i) known = known || tip == t.tip[i];
        t.tip[k] = known ? -1 : tip;
        t.count += t.tip[k] >= 0;
    }
    return t;
}

// Sides with neighbors come first: the triangle is turned so that they do.
static void add_plate(pliant_asset* a, const int* own, const plate_tips* t)
{
    static const part_kind kind_of[SIDES + 1] = {PART_KINDS, PART_PLATE_END, PART_PLATE_SIDE,
                                                 PART_PLATE};
    int turn = 0;
    if (t->count == 0) return;
    while (t->tip[turn] < 0 || (t->count == 2 && t->tip[(turn + 1) % SIDES] < 0)) ++turn;
    part_list* p = &a->parts[kind_of[t->count]];
    int* corner = p->corner + (size_t)part_corners[kind_of[t->count]] * (size_t)p->count++;
    for (int k = 0; k < SIDES; ++k) corner[k] = own[(turn + k) % SIDES];
    for (int k = 0; k < t->count; ++k) corner[SIDES + k] = t->tip[(turn + k) % SIDES];
}

bool seams_make_plates(pliant_asset* a, const seams* s)
{
    int triangles = s->sides.count / SIDES, count[SIDES + 1] = {0};
    int* beside = (int*)mem_array((size_t)s->sides.count, sizeof(int));
    if (!beside) return false;
    find_sides_beside(s, beside);
    for (int i = 0; i < triangles; ++i) count[find_tips(s, beside, i).count]++;
    bool good = parts_allocate(&a->parts[PART_PLATE], PART_PLATE, count[3], false) &&
                parts_allocate(&a->parts[PART_PLATE_SIDE], PART_PLATE_SIDE, count[2], false) &&
                parts_allocate(&a->parts[PART_PLATE_END], PART_PLATE_END, count[1], false);
    for (int i = 0; i < triangles && good; ++i) {
        plate_tips t = find_tips(s, beside, i);
        add_plate(a, s->corner + SIDES * (size_t)i, &t);
    }
    mem_free(beside);
    return good;
}
