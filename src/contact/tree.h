// Trees of boxes around the elements of bodies, as far as lists look around them. The same source
// for the processor and for CUDA.
#pragma once
#include "contact/reach.h"

// ---- boxes --------------------------------------------------------------------------------------

typedef struct {
    quad low, high; // the last of each says nothing
} node_box;

FUNCTION node_box no_box(void)
{
    node_box none = {quad_of(INFINITY, INFINITY, INFINITY, 0),
                     quad_of(-INFINITY, -INFINITY, -INFINITY, 0)};
    return none;
}

INLINE node_box box_of_two(quad a, quad b)
{
    node_box box = {quad_min(a, b), quad_max(a, b)};
    return box;
}

INLINE node_box boxes_joined(const node_box* a, const node_box* b)
{
    node_box box = {quad_min(a->low, b->low), quad_max(a->high, b->high)};
    return box;
}

// [m] by which they are apart along each axis, below 0 where they overlap.
INLINE quad gap_of_boxes(const node_box* a, const node_box* b)
{
    return quad_max(a->low - b->high, b->low - a->high);
}

INLINE bool boxes_meet(const node_box* a, const node_box* b)
{
    return !quad_xyz_above(gap_of_boxes(a, b), 0);
}

// How deep points are looked for in bodies that cross.
FUNCTION double crossed_reach(const contact_body* b) { return 0.15 * b->surface->mean_edge; }

// [m] Half of the thickness of an element; a loose particle has its own.
FUNCTION double element_radius(const contact_body* b, int number)
{
    if (!b->surface->loose) return b->radius;
    return (double)row_at_point(b, b->surface->element[number].point[0])[ROW_RADIUS];
}

// [m] An element is looked for as far as that around it.
FUNCTION double reach_of(const contact_set* s, const contact_body* b, int number, int of)
{
    return element_radius(b, number) + (double)s->way[b->first_element + number].margin[of] +
           (b->crossed ? crossed_reach(b) : 0);
}

// Wider than asked for by what rounding takes.
FUNCTION node_box widened(const node_box* box, double reach)
{
    scalar low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        scalar size = (box->high[k] < 0 ? -box->low[k] : box->high[k]) + (scalar)reach;
        scalar more =
            (scalar)(reach * (1 + 4 * (double)SCALAR_EPSILON)) + 4 * SCALAR_EPSILON * size;
        low[k] = box->low[k] - more;
        high[k] = box->high[k] + more;
    }
    node_box wide = {quad_of(low[0], low[1], low[2], 0), quad_of(high[0], high[1], high[2], 0)};
    return wide;
}

// Boxes of elements stand behind those of nodes.
FUNCTION node_box* element_box(const contact_body* b, int number)
{
    return (node_box*)b->box + 2 * (size_t)b->surface->leaf_count + number;
}

// A plane has all that is below it, and seen from aside all that there is.
FUNCTION node_box box_of_plane(const contact_body* b)
{
    const scalar all = (scalar)1e30;
    scalar low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        bool up = b->axis[1][k] == 1, down = b->axis[1][k] == -1;
        high[k] = up && !b->turns ? (scalar)b->center[k] : all;
        low[k] = down && !b->turns ? (scalar)b->center[k] : -all;
    }
    node_box box = {quad_of(low[0], low[1], low[2], 0), quad_of(high[0], high[1], high[2], 0)};
    return box;
}

FUNCTION void fit_box(const contact_set* s, const contact_body* b, int number, double reach)
{
    const surface_element* e = &b->surface->element[number];
    quad at = load_point(s->place, b->first_point + e->point[0]);
    node_box box = {at, at};
    for (int k = 1; k < surface_corners(e); ++k) {
        at = load_point(s->place, b->first_point + e->point[k]);
        box.low = quad_min(box.low, at);
        box.high = quad_max(box.high, at);
    }
    if (is_plane(b)) box = box_of_plane(b);
    *element_box(b, number) = widened(&box, reach);
}

// For a list: how far the element may go, and its box; or its box alone, without a margin.
FUNCTION void fit_element(const contact_set* s, const contact_body* b, int number, int of)
{
    if (of != TIGHT) start_odometer(s, b, b->first_element + number, of);
    fit_box(s, b, number, of != TIGHT ? reach_of(s, b, number, of) : 0);
}

// A leaf of the tree, after its elements.
FUNCTION void fit_leaf(const contact_body* b, int leaf)
{
    const contact_surface* of = b->surface;
    node_box* at = (node_box*)b->box + of->leaf_count - 1 + leaf;
    *at = no_box();
    for (int i = SURFACE_LEAF * leaf; i < SURFACE_LEAF * (leaf + 1) && i < of->element_count; ++i)
        *at = boxes_joined(at, element_box(b, i));
}

// A node, after its children.
FUNCTION void fit_node(const contact_body* b, int node)
{
    node_box* box = (node_box*)b->box;
    box[node] = boxes_joined(&box[2 * node + 1], &box[2 * node + 2]);
}

// The way through a tree to elements whose boxes meet a box, ascending.
typedef struct {
    const contact_body* in;
    node_box box;
    int stack[SURFACE_LEVELS + 2], waiting;
    int from;     // elements before it are left out
    int at, last; // elements of the leaf at hand
} tree_walk;

FUNCTION void walk_from(tree_walk* w, const node_box* box, const contact_body* in)
{
    w->in = in;
    w->box = *box;
    w->from = w->at = w->last = w->waiting = 0;
    if (boxes_meet(box, (const node_box*)in->box)) w->stack[w->waiting++] = 0;
}

// From an element of a body, through another one or itself: then each two elements meet once.
FUNCTION void walk_start(tree_walk* w, const contact_body* a, int one, const contact_body* in)
{
    walk_from(w, element_box(a, one), in);
    w->from = a == in ? one + 1 : 0;
}

// The next leaf, or -1.
FUNCTION int walk_next_leaf(tree_walk* w)
{
    const node_box* tree = (const node_box*)w->in->box;
    int first_leaf = w->in->surface->leaf_count - 1;
    while (w->waiting > 0) {
        int node = w->stack[--w->waiting];
        if (node >= first_leaf) return node - first_leaf;
        for (int child = 2 * node + 2; child > 2 * node; --child)
            if (boxes_meet(&w->box, &tree[child])) w->stack[w->waiting++] = child;
    }
    return -1;
}

FUNCTION int leaf_end(const contact_surface* of, int leaf)
{
    int end = SURFACE_LEAF * (leaf + 1);
    return end < of->element_count ? end : of->element_count;
}

// The next element, or -1.
FUNCTION int walk_next(tree_walk* w)
{
    while (1) {
        while (w->at < w->last) {
            int number = w->at++;
            if (number >= w->from && boxes_meet(&w->box, element_box(w->in, number))) return number;
        }
        int leaf = walk_next_leaf(w);
        if (leaf < 0) return -1;
        w->at = SURFACE_LEAF * leaf;
        w->last = leaf_end(w->in->surface, leaf);
    }
}
