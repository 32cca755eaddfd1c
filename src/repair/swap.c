// Edges and faces exchanged for others. The tets around an edge are a ring; without the edge, they
// are two for each triangle of its polygon, and the best triangulation is found by dynamic
// programming (Klincsek 1980).
#define PRECISION_DOUBLE
#include "repair/angle.h"
#include "repair/moves.h"

enum { MOST_RING = 9, MOST_CORNERS = MOST_RING + 1 };

typedef struct {
    int a, b;
    int corner[MOST_CORNERS]; // counter-clockwise seen from b
    int count;
    bool open;               // a part of the ring is missing: the edge is on the surface
    bool full[MOST_CORNERS]; // corners that can take no more tets: no diagonal ends there
    double best[MOST_CORNERS][MOST_CORNERS];
    int middle[MOST_CORNERS][MOST_CORNERS];
} polygon;

// The other two corners of a tet at the edge: (a, b, first, second) is positive.
static void other_corners(const cell* t, int a, int b, int out[2])
{
    static const int rest[4][4][2] = {{{0, 0}, {2, 3}, {3, 1}, {1, 2}},
                                      {{3, 2}, {0, 0}, {0, 3}, {2, 0}},
                                      {{1, 3}, {3, 0}, {0, 0}, {0, 1}},
                                      {{2, 1}, {0, 2}, {1, 0}, {0, 0}}};
    const int* pair = rest[cell_corner_of(t, a)][cell_corner_of(t, b)];
    out[0] = t->corner[pair[0]];
    out[1] = t->corner[pair[1]];
}

static int find_start(const int from[], const int to[], int count, bool* out_open)
{
    *out_open = false;
    for (int i = 0; i < count; ++i) {
        bool reached = false;
        for (int j = 0; j < count; ++j) reached = reached || to[j] == from[i];
        if (reached) continue;
        *out_open = true;
        return i;
    }
    return 0;
}

// False where the ring is not one chain.
static bool find_polygon(const complex* c, const int* ring, int count, polygon* p)
{
    int from[MOST_RING], to[MOST_RING];
    for (int i = 0; i < count; ++i) {
        int pair[2];
        other_corners(&c->cells[ring[i]], p->a, p->b, pair);
        from[i] = pair[0], to[i] = pair[1];
    }
    int at = find_start(from, to, count, &p->open);
    p->count = 0;
    for (int used = 0; used < count; ++used) {
        p->corner[p->count++] = from[at];
        int next = to[at], found = -1;
        for (int i = 0; i < count; ++i)
            if (from[i] == next) found = i;
        bool last = used == count - 1;
        if (last && p->open) p->corner[p->count++] = next;
        if (last) return p->open ? found < 0 : next == p->corner[0];
        if (found < 0) return false;
        at = found;
    }
    return false;
}

static double triangle_quality(const complex* c, const polygon* p, int i, int j, int k)
{
    vec3 x = place_of(c, p->corner[i]), y = place_of(c, p->corner[j]),
         z = place_of(c, p->corner[k]);
    double above = tet_quality(x, y, z, place_of(c, p->b));
    return above > 0 ? fmin(above, tet_quality(x, z, y, place_of(c, p->a))) : above;
}

static double triangulate(const complex* c, polygon* p)
{
    for (int span = 1; span < p->count; ++span)
        for (int i = 0; i + span < p->count; ++i) {
            int j = i + span;
            bool side = span == 1 || span == p->count - 1;
            p->best[i][j] = span == 1 ? 1 : -1;
            if (!side && (p->full[i] || p->full[j])) continue;
            for (int k = i + 1; k < j; ++k) {
                double sides = fmin(p->best[i][k], p->best[k][j]);
                if (sides <= p->best[i][j]) continue;
                double q = fmin(sides, triangle_quality(c, p, i, k, j));
                if (q > p->best[i][j]) p->best[i][j] = q, p->middle[i][j] = k;
            }
        }
    return p->best[0][p->count - 1];
}

static void add_triangles(change* ch, const polygon* p, int i, int j)
{
    if (j - i < 2) return;
    int k = p->middle[i][j];
    change_add(ch, p->corner[i], p->corner[k], p->corner[j], p->b);
    change_add(ch, p->corner[i], p->corner[j], p->corner[k], p->a);
    add_triangles(ch, p, i, k);
    add_triangles(ch, p, k, j);
}

// Whether an edge that comes is there already, outside of the ring.
static bool repeats_edge(const complex* c, const polygon* p, int i, int j)
{
    bool side = j - i == 1 || (i == 0 && j == p->count - 1 && !p->open);
    if (!side && are_joined(c, p->corner[i], p->corner[j])) return true;
    if (j - i < 2) return false;
    int k = p->middle[i][j];
    return repeats_edge(c, p, i, k) || repeats_edge(c, p, k, j);
}

// A tet with two outer faces is taken away if the others are inside, with their common edge.
static bool may_remove(const complex* c, const polygon* p, int tet)
{
    const cell* t = &c->cells[tet];
    int sides = 1 << cell_corner_of(t, p->corner[0]) | 1 << cell_corner_of(t, p->corner[1]);
    return t->outer == sides && !is_outer_edge(c, p->corner[0], p->corner[1]);
}

static int count_of(const int_list* list, int v)
{
    int count = 0;
    for (int i = 0; i < list->count; ++i) count += list->item[i] == v;
    return count;
}

static bool keeps_valence(const repair* r, const polygon* p)
{
    for (int i = 0; i < p->count; ++i) {
        int v = p->corner[i], gone = 0;
        for (int t = 0; t < r->change.old.count; ++t)
            gone += cell_has(&r->c.cells[r->change.old.item[t]], v);
        int more = count_of(&r->change.fresh, v) - gone;
        if (more > 0 && valence_of(&r->c, v) + more > r->most_valence) return false;
    }
    return true;
}

static bool apply_if_near(repair* r)
{
    change_find_surface(&r->c, &r->change);
    if (change_moves_surface(&r->change) && !change_stays_near(&r->c, &r->change, &r->surface))
        return false;
    change_apply(&r->c, &r->change);
    r->swaps++;
    return true;
}

// Starts a change that takes all tets around the edge away. False where they are not one ring.
static bool open_ring(repair* r, polygon* p)
{
    const complex* c = &r->c;
    int ring[MOST_RING], count = ring_of(c, p->a, p->b, ring, MOST_RING);
    if (count == 0 || count > MOST_RING || !find_polygon(c, ring, count, p)) return false;
    if (p->open != is_outer_edge(c, p->a, p->b)) return false;
    change_begin(&r->change);
    for (int i = 0; i < count; ++i) change_remove(&r->change, ring[i]);
    return true;
}

// Puts the triangulation in their place.
static bool close_ring(repair* r, const polygon* p)
{
    const complex* c = &r->c;
    if (!change_is_in_one_region(c, &r->change)) return false;
    if (p->count > 2 && repeats_edge(c, p, 0, p->count - 1)) return false;
    add_triangles(&r->change, p, 0, p->count - 1);
    return !r->change.failed && keeps_valence(r, p) && apply_if_near(r);
}

bool swap_edge(repair* r, int a, int b)
{
    complex* c = &r->c;
    polygon p = {.a = a, .b = b};
    if (!open_ring(r, &p)) return false;
    double before = quality_before(c, &r->change);
    if (p.count == 2 && (before >= r->goal || !may_remove(c, &p, r->change.old.item[0])))
        return false;
    return triangulate(c, &p) > before * 1.001 && close_ring(r, &p);
}

bool swap_away(repair* r, int a, int b)
{
    polygon p = {.a = a, .b = b};
    if (!open_ring(r, &p) || p.open) return false;
    for (int i = 0; i < p.count; ++i)
        p.full[i] = valence_of(&r->c, p.corner[i]) + 2 > r->most_valence;
    return triangulate(&r->c, &p) >= r->goal && close_ring(r, &p);
}

static int neighbor_across(const complex* c, int tet, const int face[3])
{
    const int_list* around = &c->knots[face[0]].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        if (around->item[i] != tet && cell_has(t, face[1]) && cell_has(t, face[2]))
            return around->item[i];
    }
    return -1;
}

bool swap_face(repair* r, int tet, int number)
{
    complex* c = &r->c;
    int face[3], below = c->cells[tet].corner[number], above = -1;
    face_corners(c->cells[tet].corner, number, face);
    int other = neighbor_across(c, tet, face);
    if (other < 0) return false;
    for (int k = 0; k < 4; ++k) {
        int v = c->cells[other].corner[k];
        if (v != face[0] && v != face[1] && v != face[2]) above = v;
    }
    if (valence_of(c, above) + 2 > r->most_valence || valence_of(c, below) + 2 > r->most_valence)
        return false;
    change_begin(&r->change);
    change_remove(&r->change, tet);
    change_remove(&r->change, other);
    for (int k = 0; k < 3; ++k) change_add(&r->change, below, above, face[k], face[(k + 1) % 3]);
    double before = quality_before(c, &r->change);
    if (!(quality_after(c, &r->change, before) > before * 1.001)) return false;
    if (!change_is_in_one_region(c, &r->change) || are_joined(c, below, above)) return false;
    return apply_if_near(r);
}
