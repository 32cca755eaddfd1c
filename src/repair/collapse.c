// An edge is collapsed when that changes no topology: what the links of its ends have in common is
// the link of the edge (Dey et al. 1999), with one more vertex outside that all of the surface is
// joined to.
#define PRECISION_DOUBLE
#include "repair/moves.h"

enum { MOST_RING = 64 };

typedef struct {
    int tet[MOST_RING];
    int count;
} ring;

// Whether a tet of the ring has these vertices, too; `w` may be -1.
static bool ring_has(const complex* c, const ring* r, int v, int w)
{
    for (int i = 0; i < r->count; ++i) {
        const cell* t = &c->cells[r->tet[i]];
        if (cell_has(t, v) && (w < 0 || cell_has(t, w))) return true;
    }
    return false;
}

static bool has_tet_with(const complex* c, int b, int v, int w)
{
    const int_list* around = &c->knots[b].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        if (cell_has(t, v) && cell_has(t, w)) return true;
    }
    return false;
}

// Of one tet at a, which does not have b.
static bool inner_links_agree(const complex* c, const ring* r, const cell* t, int a, int b)
{
    for (int i = 0; i < 4; ++i) {
        int v = t->corner[i];
        if (v == a) continue;
        if (!ring_has(c, r, v, -1)) {
            if (are_joined(c, v, b)) return false;
            continue;
        }
        for (int j = i + 1; j < 4; ++j) {
            int w = t->corner[j];
            if (w == a || !ring_has(c, r, w, -1) || ring_has(c, r, v, w)) continue;
            if (has_tet_with(c, b, v, w)) return false;
        }
    }
    return true;
}

static bool ring_has_outer(const complex* c, const ring* r, int a, int b, int v)
{
    for (int i = 0; i < r->count; ++i) {
        const cell* t = &c->cells[r->tet[i]];
        if (!cell_has(t, v)) continue;
        int ends =
            1 << cell_corner_of(t, a) | 1 << cell_corner_of(t, b) | 1 << cell_corner_of(t, v);
        if (t->outer & ~ends) return true;
    }
    return false;
}

static bool outer_links_agree(const complex* c, const ring* r, int a, int b)
{
    const int_list* around = &c->knots[a].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        for (int k = 0; k < 4; ++k) {
            int v = t->corner[k];
            if (v == a || v == b || !is_outer_edge(c, a, v) || !is_outer_edge(c, b, v)) continue;
            if (!ring_has_outer(c, r, a, b, v)) return false;
        }
    }
    for (int i = 0; i < r->count; ++i) {
        const cell* t = &c->cells[r->tet[i]];
        int sides = 1 << cell_corner_of(t, a) | 1 << cell_corner_of(t, b);
        if ((t->outer & sides) == sides) return false;
    }
    return true;
}

static bool keeps_topology(const complex* c, int a, int b)
{
    ring r;
    r.count = ring_of(c, a, b, r.tet, MOST_RING);
    if (r.count == 0 || r.count > MOST_RING) return false;
    if (c->knots[a].outer && !is_outer_edge(c, a, b)) return false;
    const int_list* around = &c->knots[a].around;
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &c->cells[around->item[i]];
        if (!cell_has(t, b) && !inner_links_agree(c, &r, t, a, b)) return false;
    }
    return !c->knots[a].outer || outer_links_agree(c, &r, a, b);
}

static bool keeps_valence(const repair* r, int a, int b, int ring_count)
{
    int before =
        valence_of(&r->c, a) > valence_of(&r->c, b) ? valence_of(&r->c, a) : valence_of(&r->c, b);
    int after = valence_of(&r->c, a) + valence_of(&r->c, b) - 2 * ring_count;
    return after <= r->most_valence || after <= before;
}

static void propose(repair* r, int a, int b)
{
    const int_list* around = &r->c.knots[a].around;
    change_begin(&r->change);
    for (int i = 0; i < around->count; ++i) {
        const cell* t = &r->c.cells[around->item[i]];
        change_remove(&r->change, around->item[i]);
        if (!cell_has(t, b)) change_add_replaced(&r->change, t, a, b);
    }
}

bool collapse_edge(repair* r, int a, int b, double least)
{
    complex* c = &r->c;
    if (c->knots[a].outer && !c->knots[b].outer) return false;
    if (!keeps_valence(r, a, b, ring_of(c, a, b, NULL, 0))) return false;
    propose(r, a, b);
    if (!r->change.fresh.count || !change_is_in_one_region(c, &r->change)) return false;
    double enough = fmin(least, quality_before(c, &r->change));
    double after = quality_after(c, &r->change, enough);
    if (!(after > 0 && after >= enough) || !keeps_topology(c, a, b)) return false;
    if (longest2_after(c, &r->change) > r->high2) return false;
    change_find_surface(c, &r->change);
    if (c->knots[a].outer && !change_stays_near(c, &r->change, &r->surface)) return false;
    change_apply(c, &r->change);
    r->collapses++;
    return true;
}
