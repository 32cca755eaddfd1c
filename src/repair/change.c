#define PRECISION_DOUBLE
#include "repair/change.h"
#include "repair/angle.h"

void change_destroy(change* ch)
{
    mem_free(ch->old.item);
    mem_free(ch->fresh.item);
    mem_free(ch->outer.item);
    mem_free(ch->made.item);
    mem_free(ch->exposed.item);
    mem_free(ch->faces.item);
}

void change_begin(change* ch)
{
    ch->old.count = ch->fresh.count = ch->outer.count = ch->made.count = ch->exposed.count = 0;
}

static void push(change* ch, int_list* list, int value)
{
    if (!list_push(list, value)) ch->failed = true;
}

void change_remove(change* ch, int tet) { push(ch, &ch->old, tet); }

void change_add(change* ch, int a, int b, int c, int d)
{
    const int corner[4] = {a, b, c, d};
    for (int k = 0; k < 4; ++k) push(ch, &ch->fresh, corner[k]);
}

void change_add_replaced(change* ch, const cell* t, int from, int to)
{
    for (int k = 0; k < 4; ++k) push(ch, &ch->fresh, t->corner[k] == from ? to : t->corner[k]);
}

// ---- quality ------------------------------------------------------------------------------------

static double quality_of(const complex* c, const int corner[4])
{
    return tet_quality(place_of(c, corner[0]), place_of(c, corner[1]), place_of(c, corner[2]),
                       place_of(c, corner[3]));
}

double quality_before(const complex* c, const change* ch)
{
    double worst = 1;
    for (int i = 0; i < ch->old.count; ++i)
        worst = fmin(worst, quality_of(c, c->cells[ch->old.item[i]].corner));
    return worst;
}

double quality_after(const complex* c, const change* ch, double enough)
{
    double worst = 1;
    for (int i = 0; i < ch->fresh.count && worst >= enough; i += 4)
        worst = fmin(worst, quality_of(c, ch->fresh.item + i));
    return ch->failed ? -1 : worst;
}

double longest2_after(const complex* c, const change* ch)
{
    double longest = 0;
    for (int i = 0; i < ch->fresh.count; i += 4)
        for (int a = 0; a < 4; ++a)
            for (int b = a + 1; b < 4; ++b)
                longest = fmax(longest,
                               distance2_between(c, ch->fresh.item[i + a], ch->fresh.item[i + b]));
    return longest;
}

bool change_is_in_one_region(const complex* c, const change* ch)
{
    for (int i = 1; i < ch->old.count; ++i)
        if (c->cells[ch->old.item[i]].region != c->cells[ch->old.item[0]].region) return false;
    return true;
}

// ---- the surface --------------------------------------------------------------------------------

typedef struct {
    int corner[3]; // ascending
} face;

static face face_of(const int corner[4], int number)
{
    face f;
    face_corners(corner, number, f.corner);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2 - i; ++j)
            if (f.corner[j] > f.corner[j + 1]) {
                int swapped = f.corner[j];
                f.corner[j] = f.corner[j + 1], f.corner[j + 1] = swapped;
            }
    return f;
}

static bool same_face(face a, face b)
{
    return a.corner[0] == b.corner[0] && a.corner[1] == b.corner[1] && a.corner[2] == b.corner[2];
}

static const int* old_corners(const complex* c, const change* ch, int i)
{
    return c->cells[ch->old.item[i]].corner;
}

// Where a face is among the tets that go, other than `but`: 4 * index + face, or -1.
static int find_old(const complex* c, const change* ch, face f, int but)
{
    for (int i = 0; i < 4 * ch->old.count; ++i) {
        const int* corner = old_corners(c, ch, i / 4);
        if (i != but && corner[i % 4] != f.corner[0] && same_face(face_of(corner, i % 4), f))
            return i;
    }
    return -1;
}

static int find_fresh(const change* ch, face f, int but)
{
    for (int i = 0; i < ch->fresh.count; ++i) {
        const int* corner = ch->fresh.item + i / 4 * 4;
        if (i != but && corner[i % 4] != f.corner[0] && same_face(face_of(corner, i % 4), f))
            return i;
    }
    return -1;
}

// A face that only one of the new tets has was outside before or is on the hull of the change, or
// it is new on the surface.
static void find_outer_of(const complex* c, change* ch, int tet)
{
    int outer = 0, made = 0;
    for (int f = 0; f < 4; ++f) {
        face here = face_of(ch->fresh.item + 4 * tet, f);
        if (find_fresh(ch, here, 4 * tet + f) >= 0) continue;
        int old = find_old(c, ch, here, -1);
        bool inner = old >= 0 && !(c->cells[ch->old.item[old / 4]].outer >> old % 4 & 1);
        if (inner) continue;
        outer |= 1 << f;
        if (old < 0) made |= 1 << f;
    }
    push(ch, &ch->outer, outer);
    push(ch, &ch->made, made);
}

// The tet behind a face that a tet which goes leaves.
static void find_exposed(const complex* c, change* ch, int tet, face f)
{
    const int_list* around = &c->knots[f.corner[0]].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        if (around->item[i] == tet || !cell_has(t, f.corner[1]) || !cell_has(t, f.corner[2]))
            continue;
        push(ch, &ch->exposed, around->item[i]);
        for (int k = 0; k < 4; ++k)
            if (same_face(face_of(t->corner, k), f)) push(ch, &ch->exposed, k);
    }
}

void change_find_surface(const complex* c, change* ch)
{
    for (int t = 0; t < ch->fresh.count / 4; ++t) find_outer_of(c, ch, t);
    for (int i = 0; i < 4 * ch->old.count; ++i) {
        int tet = ch->old.item[i / 4];
        face f = face_of(c->cells[tet].corner, i % 4);
        if (c->cells[tet].outer >> i % 4 & 1) continue;
        if (find_fresh(ch, f, -1) >= 0 || find_old(c, ch, f, i) >= 0) continue;
        find_exposed(c, ch, tet, f);
    }
}

bool change_moves_surface(const change* ch)
{
    int made = ch->exposed.count;
    for (int t = 0; t < ch->made.count; ++t) made |= ch->made.item[t];
    return made != 0;
}

static bool face_stays_near(const complex* c, const int corner[4], int number, const envelope* e)
{
    int f[3];
    face_corners(corner, number, f);
    return envelope_holds(e, place_of(c, f[0]), place_of(c, f[1]), place_of(c, f[2]));
}

// The faces on the surface after the change; `fresh` are the numbers of the new tets, if they have
// some.
static void collect_faces(const complex* c, change* ch, const int* fresh)
{
    ch->faces.count = 0;
    for (int t = 0; t < ch->outer.count; ++t)
        for (int f = 0; f < 4; ++f)
            if (ch->outer.item[t] >> f & 1 &&
                !hosts_add(&ch->faces, c, ch->fresh.item + 4 * t, f, fresh ? fresh[t] : -1))
                ch->failed = true;
    for (int i = 0; i < ch->exposed.count; i += 2)
        if (!hosts_add(&ch->faces, c, c->cells[ch->exposed.item[i]].corner, ch->exposed.item[i + 1],
                       ch->exposed.item[i]))
            ch->failed = true;
}

static bool leaves_near(const complex* c, change* ch, const envelope* e)
{
    collect_faces(c, ch, NULL);
    for (int i = 0; i < ch->old.count; ++i)
        if (!hosts_hold(c, &ch->faces, ch->old.item[i], e->tolerance)) return false;
    return !ch->failed;
}

bool change_stays_near(const complex* c, change* ch, const envelope* e)
{
    if (!leaves_near(c, ch, e)) return false;
    for (int t = 0; t < ch->made.count; ++t)
        for (int f = 0; f < 4; ++f)
            if (ch->made.item[t] >> f & 1 && !face_stays_near(c, ch->fresh.item + 4 * t, f, e))
                return false;
    for (int i = 0; i < ch->exposed.count; i += 2)
        if (!face_stays_near(c, c->cells[ch->exposed.item[i]].corner, ch->exposed.item[i + 1], e))
            return false;
    return true;
}

// ---- doing it -----------------------------------------------------------------------------------

static int take_points(complex* c, const change* ch)
{
    int chain = -1;
    for (int i = 0; i < ch->old.count; ++i) chain = hosts_take(c, ch->old.item[i], chain);
    return chain;
}

void change_apply(complex* c, change* ch)
{
    if (ch->failed || !complex_reserve(c, 0, ch->fresh.count / 4)) {
        c->failed = true;
        return;
    }
    int region = c->cells[ch->old.item[0]].region, chain = take_points(c, ch);
    for (int i = 0; i < ch->exposed.count; i += 2)
        c->cells[ch->exposed.item[i]].outer |= (unsigned char)(1 << ch->exposed.item[i + 1]);
    for (int i = 0; i < ch->old.count; ++i) complex_remove_cell(c, ch->old.item[i]);
    for (int t = 0; t < ch->fresh.count / 4; ++t) {
        int made = complex_add_cell(c, ch->fresh.item + 4 * t, region);
        c->cells[made].outer = (unsigned char)ch->outer.item[t];
        ch->made.item[t] = made; // which are not needed any more
    }
    if (chain >= 0) {
        collect_faces(c, ch, ch->made.item);
        hosts_give(c, &ch->faces, chain);
    }
    c->failed = c->failed || ch->failed;
}
