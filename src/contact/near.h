// Elements that are near, and the pairs of their points and edges: trees of boxes, nearest points,
// and which of them count. The same source for the processor and for CUDA.
#pragma once
#include "contact/passes.h"
#include "contact/reach.h"
#include "contact/region.h"

FUNCTION const scalar* row_at_point(const contact_body* b, int point)
{
    return (const scalar*)b->at.row + (size_t)b->row[point] * ROW;
}

// ---- trees --------------------------------------------------------------------------------------

typedef struct {
    scalar low[3], high[3];
} node_box;

FUNCTION node_box no_box(void)
{
    node_box none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return none;
}

FUNCTION void box_add(node_box* to, const scalar x[3])
{
    for (int k = 0; k < 3; ++k) {
        to->low[k] = x[k] < to->low[k] ? x[k] : to->low[k];
        to->high[k] = x[k] > to->high[k] ? x[k] : to->high[k];
    }
}

FUNCTION void box_join(node_box* to, const node_box* other)
{
    for (int k = 0; k < 3; ++k) {
        to->low[k] = other->low[k] < to->low[k] ? other->low[k] : to->low[k];
        to->high[k] = other->high[k] > to->high[k] ? other->high[k] : to->high[k];
    }
}

FUNCTION bool boxes_meet(const node_box* a, const node_box* b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

// How deep points are looked for in bodies that cross.
FUNCTION double crossed_reach(const contact_body* b) { return 0.15 * b->surface->mean_edge; }

FUNCTION double reach_of(const contact_body* b)
{
    return b->radius + (b->margin > b->self_margin ? b->margin : b->self_margin) +
           (b->crossed ? crossed_reach(b) : 0);
}

// Wider than asked for by what rounding takes.
FUNCTION node_box widened(node_box box, double reach)
{
    for (int k = 0; k < 3; ++k) {
        scalar size = (box.high[k] < 0 ? -box.low[k] : box.high[k]) + (scalar)reach;
        scalar more =
            (scalar)(reach * (1 + 4 * (double)SCALAR_EPSILON)) + 4 * SCALAR_EPSILON * size;
        box.low[k] -= more;
        box.high[k] += more;
    }
    return box;
}

FUNCTION node_box box_of_element(const contact_body* b, int number, double reach)
{
    const surface_element* e = &b->surface->element[number];
    node_box box = no_box();
    for (int k = 0; k < 3 && e->point[k] >= 0; ++k) box_add(&box, row_at_point(b, e->point[k]));
    return widened(box, reach);
}

// Boxes of elements stand behind those of nodes.
FUNCTION node_box* element_box(const contact_body* b, int number)
{
    return (node_box*)b->box + 2 * (size_t)b->surface->leaf_count + number;
}

// A leaf of the tree, and boxes of its elements.
FUNCTION void fit_leaf(const contact_body* b, int leaf)
{
    const contact_surface* of = b->surface;
    node_box* at = (node_box*)b->box + of->leaf_count - 1 + leaf;
    double reach = reach_of(b);
    *at = no_box();
    for (int i = SURFACE_LEAF * leaf; i < SURFACE_LEAF * (leaf + 1) && i < of->element_count; ++i) {
        *element_box(b, i) = box_of_element(b, i, reach);
        box_join(at, element_box(b, i));
    }
}

// A node, after its children.
FUNCTION void fit_node(const contact_body* b, int node)
{
    node_box* box = (node_box*)b->box;
    box[node] = box[2 * node + 1];
    box_join(&box[node], &box[2 * node + 2]);
}

// ---- elements that are near ---------------------------------------------------------------------

typedef struct {
    int other; // body
    int element[2];
    float apart;    // [m] no nearer than this when they were last looked at,
    float odometer; // [m] and how far both bodies had gone by then
} element_pair;

// Where they go. The count is of what was found, also where there was no room.
typedef struct {
    element_pair* at;
    int count, capacity;
} element_sink;

// Boxes with margins meet: how far apart the elements are at least is what is left of the margins.
FUNCTION void add_elements(const contact_set* s, element_sink* out, int body, int number, int one,
                           int two)
{
    const contact_body *a = &s->body[body], *b = &s->body[number];
    const node_box *p = element_box(a, one), *q = element_box(b, two);
    scalar gap = -INFINITY;
    for (int k = 0; k < 3; ++k)
        gap = lane_max(gap, lane_max(p->low[k] - q->high[k], q->low[k] - p->high[k]));
    double apart = (double)gap + reach_of(a) + reach_of(b);
    element_pair found = {number, {one, two}, (float)(apart * (1 - 1e-5)), 0};
    if (out->count++ < out->capacity) out->at[out->count - 1] = found;
}

// Elements of a body whose boxes meet that of an element of another, ascending, from a number on.
FUNCTION void search(const contact_set* s, element_sink* out, int body, int number, int one,
                     int from)
{
    const contact_body* b = &s->body[number];
    const contact_surface* of = b->surface;
    const node_box *tree = (const node_box*)b->box, *box = element_box(&s->body[body], one);
    int stack[SURFACE_LEVELS + 2], waiting = 0;
    if (boxes_meet(box, tree)) stack[waiting++] = 0;
    while (waiting > 0) {
        int node = stack[--waiting];
        if (node < of->leaf_count - 1) {
            for (int child = 2 * node + 2; child > 2 * node; --child)
                if (boxes_meet(box, &tree[child])) stack[waiting++] = child;
            continue;
        }
        int first = SURFACE_LEAF * (node - (of->leaf_count - 1)), last = first + SURFACE_LEAF;
        for (int i = first < from ? from : first; i < last && i < of->element_count; ++i)
            if (boxes_meet(box, element_box(b, i))) add_elements(s, out, body, number, one, i);
    }
}

// ---- pairs --------------------------------------------------------------------------------------

// Two elements that are near, and where pairs of them go.
typedef struct {
    near_pair* pair;
    pair_state* state;
    int count, capacity;
} pair_sink;

typedef struct {
    const contact_set* s;
    pair_sink* out;
    const contact_body* body[2];
    int number[2];  // of the bodies
    int element[2]; // of their surfaces
    const surface_element* of[2];
    quad place[2][3]; // of their corners
    double thickness; // [m]
    scalar limit;     // [m] farther pairs do not meet in this substep
    scalar nearest;   // [m] no pair of them is nearer
    scalar deepest;   // [m] where they cross: who is farther inside is not seen, in any substep
    bool crossed;     // their bodies cross each other
} near_elements;

// [m] at which the pair was at rest.
FUNCTION double rest_distance(const contact_surface* of, pair_kind kind, const int point[4])
{
    quad place[4];
    pair_state found;
    for (int k = 0; k < 4; ++k) {
        const double* x = of->rest + 3 * (size_t)of->particle[point[k]];
        const double* base = of->rest + 3 * (size_t)of->particle[point[0]];
        place[k] = quad_of((scalar)(x[0] - base[0]), (scalar)(x[1] - base[1]),
                           (scalar)(x[2] - base[2]), 0);
    }
    pair_measure(kind, place, &found);
    return (double)found.distance;
}

FUNCTION bool phases_meet(const contact_body* a, const contact_body* b, const int point[4],
                          int first)
{
    const uint32_t *of_a = a->at.phase, *of_b = b->at.phase;
    if ((!of_a && !of_b) || a->collider || b->collider) return true;
    for (int i = 0; i < first; ++i)
        for (int k = first; k < 4; ++k) {
            uint32_t one = of_a ? of_a[a->surface->particle[point[i]]] : 0;
            uint32_t two = of_b ? of_b[b->surface->particle[point[k]]] : 0;
            if (!((one ? one : a->group) & b->mask) || !((two ? two : b->group) & a->mask))
                return false;
        }
    return true;
}

// A pair as two elements have it: the first side is of the first one, or of the other.
typedef struct {
    pair_kind kind;
    int sub;
    bool swapped;
    int point[4]; // of the surfaces
    quad place[4];
} candidate;

// Where joints hold two bodies together, they are nearer than they could touch.
FUNCTION bool is_joined(const near_elements* n, const candidate* c)
{
    int first = pair_first_side(c->kind);
    int start[2] = {n->body[c->swapped]->first_point, n->body[!c->swapped]->first_point};
    for (int i = 0; i < first; ++i)
        for (int k = first; k < 4; ++k)
            if (points_are_joined(n->s->joined, start[0] + c->point[i], start[1] + c->point[k]))
                return true;
    return false;
}

FUNCTION void fill_pair(const near_elements* n, const candidate* c, near_pair* out)
{
    int side[2] = {c->swapped, !c->swapped}, first = pair_first_side(c->kind);
    const contact_body* a = n->body[0];
    out->kind = c->kind;
    out->thickness = n->thickness;
    out->crossed = n->crossed;
    for (int k = 0; k < 2; ++k) out->body[k] = n->number[side[k]];
    out->key = pair_key(a->first_element + n->element[0], n->body[1]->first_element + n->element[1],
                        c->sub);
    for (int k = 0; k < 4; ++k)
        out->point[k] = n->body[side[k >= first]]->first_point + c->point[k];
    bool self = n->body[0] == n->body[1];
    double rest = self ? rest_distance(a->surface, c->kind, c->point) : n->thickness;
    out->touches = !(rest < n->thickness);
    out->least = 0.1 * (out->touches ? n->thickness : rest);
}

// Of second order velocities have what smooth forces are about to bring, which a contact that lasts
// takes each time. What is no impact did not come nearer in the substep before either.
FUNCTION void measure_impact(const near_elements* n, const candidate* c, const quad velocity[4],
                             pair_state* p)
{
    quad sudden[4], before[4];
    int first = pair_first_side(c->kind);
    for (int k = 0; k < 4; ++k) {
        const contact_body* b = n->body[(k >= first) != c->swapped];
        const scalar* past = (const scalar*)b->at.past + (size_t)b->row[c->point[k]] * PAST;
        bool second = b->at.past && !b->frozen;
        scalar inv_h = second ? 1 / (scalar)b->at.past_h[n->s->substep > 0] : 0;
        sudden[k] = second ? velocity[k] - quad_load(past + PAST_GAIN) : velocity[k];
        before[k] = second ? inv_h * quad_load(past) : velocity[k];
    }
    scalar now = -v3_dot(normal_of(p), weighted(p->weight, sudden));
    p->impact = lane_min(now, -v3_dot(normal_of(p), weighted(p->weight, before)));
}

FUNCTION void measure_approach(const near_elements* n, const candidate* c, pair_state* p)
{
    quad velocity[4];
    int first = pair_first_side(c->kind);
    for (int k = 0; k < 4; ++k) {
        const contact_body* b = n->body[(k >= first) != c->swapped];
        velocity[k] =
            b->frozen
                ? quad_of(0, 0, 0, 0)
                : quad_load((const scalar*)b->at.velocity + (size_t)b->row[c->point[k]] * ROW4);
    }
    p->approach = p->impact = -v3_dot(normal_of(p), weighted(p->weight, velocity));
    if (n->body[0]->at.past || n->body[1]->at.past) measure_impact(n, c, velocity, p);
}

// Bodies that cross are pulled apart by those of their triangles that have an inside: points below
// them go up.
FUNCTION bool is_outward(const near_elements* n, const candidate* c)
{
    return c->kind == PAIR_TRIANGLE && n->body[!c->swapped]->surface->closed;
}

FUNCTION void face_outward(const near_elements* n, const candidate* c, pair_state* p)
{
    if (!is_outward(n, c)) return;
    const quad* at = c->place + 1;
    vec3 outward = v3_cross(quad_xyz(at[1] - at[0]), quad_xyz(at[2] - at[0]));
    if (v3_dot(outward, normal_of(p)) > 0) return;
    vec3_store(p->normal, v3_neg(normal_of(p)));
    p->distance = -p->distance;
}

// What measuring leaves open.
FUNCTION void start_state(pair_state* p)
{
    p->depth = p->pivot = p->lambda = p->sunk = p->stored = 0;
    p->active = p->crosses = p->bounces = false;
    vec3_store(p->slide, v3_zero());
    vec3_store(p->push, v3_zero());
    vec3_store(p->sum, v3_zero());
}

FUNCTION void add_pair(near_elements* n, const candidate* c)
{
    pair_state found;
    int first = pair_first_side(c->kind);
    bool apart = pair_measure(c->kind, c->place, &found);
    n->nearest = lane_min(n->nearest, found.distance);
    if (!(found.distance <= n->limit)) return;
    if (!phases_meet(n->body[c->swapped], n->body[!c->swapped], c->point, first)) return;
    if (n->s->joined && is_joined(n, c)) return;
    if (n->crossed) face_outward(n, c, &found);
    if (n->crossed && found.distance < -n->deepest) return;
    pair_sink* out = n->out;
    if (out->count++ >= out->capacity) return;
    near_pair* p = &out->pair[out->count - 1];
    fill_pair(n, c, p);
    measure_approach(n, c, &found);
    start_state(&found);
    // Nobody knows it, and it overlaps: it was placed so, or came from the side. It is not to be
    // shot away.
    found.sunk = lane_max((scalar)p->thickness - found.distance, 0);
    found.valid = apart && p->touches && region_is_valid(n->s, p, &found, c->place) &&
                  (!n->crossed || is_outward(n, c));
    out->state[out->count - 1] = found;
}

FUNCTION bool shares_corner(const int* a, int a_count, const int* b, int b_count)
{
    for (int i = 0; i < a_count; ++i)
        for (int k = 0; k < b_count; ++k)
            if (a[i] == b[k]) return true;
    return false;
}

// ---- a short look before the long one -----------------------------------------------------------

typedef struct {
    quad low, high;
} quad_box;

INLINE quad_box box_of_two(quad a, quad b)
{
    quad_box box = {quad_min(a, b), quad_max(a, b)};
    return box;
}

// [m] by which they are apart, below 0 where they overlap.
INLINE scalar gap_of_boxes(quad_box a, quad_box b)
{
    quad gap = quad_max(a.low - b.high, b.low - a.high);
    return lane_max(gap[0], lane_max(gap[1], gap[2]));
}

// An element in registers. A segment has its last end twice.
typedef struct {
    quad at[3];
    int point[3];
    unsigned own_point, own_edge;
    quad_box box;
} near_element;

INLINE near_element look_at_element(const near_elements* n, int side)
{
    near_element e;
    const surface_element* of = n->of[side];
    bool segment = surface_is_segment(of);
    for (int k = 0; k < 2; ++k) {
        e.at[k] = n->place[side][k];
        e.point[k] = of->point[k];
    }
    e.at[2] = segment ? e.at[1] : n->place[side][2];
    e.point[2] = segment ? of->point[1] : of->point[2];
    e.own_point = of->own_point;
    e.own_edge = of->own_edge;
    e.box = box_of_two(e.at[0], e.at[1]);
    e.box.low = quad_min(e.box.low, e.at[2]);
    e.box.high = quad_max(e.box.high, e.at[2]);
    return e;
}

INLINE bool has_point(const near_element* e, int point)
{
    return e->point[0] == point || e->point[1] == point || e->point[2] == point;
}

// Keeps what is far in `nearest`, and returns a bit for what is not.
INLINE unsigned bit_if_near(near_elements* n, scalar gap, int sub)
{
    if (!(gap > n->limit)) return 1u << sub;
    n->nearest = lane_min(n->nearest, gap);
    return 0;
}

// Of all pairs of two elements, those that boxes do not keep apart: a bit for each.
FUNCTION unsigned near_pairs(near_elements* n)
{
    const near_element e[2] = {look_at_element(n, 0), look_at_element(n, 1)};
    bool self = n->body[0] == n->body[1];
    unsigned near = 0;
    UNROLL
    for (int side = 0; side < 2; ++side) UNROLL
    for (int k = 0; k < 3; ++k) {
        if (!(e[side].own_point & 1u << k)) continue;
        if (self && has_point(&e[1 - side], e[side].point[k])) continue;
        quad_box corner = {e[side].at[k], e[side].at[k]};
        near |= bit_if_near(n, gap_of_boxes(corner, e[1 - side].box), 3 * side + k);
    }
    UNROLL
    for (int i = 0; i < 3; ++i) UNROLL
    for (int k = 0; k < 3; ++k) {
        const int a = (i + 1) % 3, b = (k + 1) % 3;
        if (!(e[0].own_edge & 1u << i) || !(e[1].own_edge & 1u << k)) continue;
        if (self && (e[0].point[i] == e[1].point[k] || e[0].point[i] == e[1].point[b] ||
                     e[0].point[a] == e[1].point[k] || e[0].point[a] == e[1].point[b]))
            continue;
        scalar gap =
            gap_of_boxes(box_of_two(e[0].at[i], e[0].at[a]), box_of_two(e[1].at[k], e[1].at[b]));
        near |= bit_if_near(n, gap, SUB_EDGES + 3 * i + k);
    }
    return near;
}

// ---- the long one -------------------------------------------------------------------------------

// Corners that the one element owns against the other one.
FUNCTION void pair_corners(near_elements* n, int side, unsigned near)
{
    const surface_element *e = n->of[side], *other = n->of[1 - side];
    bool segment = surface_is_segment(other);
    int last = segment ? 1 : 2;
    candidate c;
    c.kind = segment ? PAIR_SEGMENT : PAIR_TRIANGLE;
    c.swapped = side == 1;
    for (int k = 0; k < 3; ++k) {
        c.point[k + 1] = other->point[k < 2 ? k : last];
        c.place[k + 1] = n->place[1 - side][k < 2 ? k : last];
    }
    for (int k = 0; k < 3; ++k) {
        c.sub = (side ? SUB_SECOND : SUB_FIRST) + k;
        if (!(near & 1u << c.sub)) continue;
        c.point[0] = e->point[k];
        c.place[0] = n->place[side][k];
        add_pair(n, &c);
    }
}

// The ends of an edge are in the order of their numbers.
FUNCTION void take_edge(const near_elements* n, int side, int k, int point[2], quad place[2])
{
    const surface_element* e = n->of[side];
    int next = surface_is_segment(e) ? 1 : (k + 1) % 3, swap = e->point[k] > e->point[next];
    point[swap] = e->point[k];
    point[!swap] = e->point[next];
    place[swap] = n->place[side][k];
    place[!swap] = n->place[side][next];
}

FUNCTION void pair_edges(near_elements* n, unsigned near)
{
    candidate c;
    c.kind = PAIR_EDGES;
    c.swapped = false;
    for (int i = 0; i < 9; ++i) {
        c.sub = SUB_EDGES + i;
        if (!(near & 1u << c.sub)) continue;
        take_edge(n, 0, i / 3, c.point, c.place);
        take_edge(n, 1, i % 3, c.point + 2, c.place + 2);
        add_pair(n, &c);
    }
}

FUNCTION void take_element(near_elements* n, int side, int body, int number)
{
    const contact_body* b = &n->s->body[body];
    n->number[side] = body;
    n->body[side] = b;
    n->element[side] = number;
    n->of[side] = &b->surface->element[number];
    for (int k = 0; k < 3 && n->of[side]->point[k] >= 0; ++k)
        n->place[side][k] = quad_load(row_at_point(b, n->of[side]->point[k]));
}

FUNCTION int corner_count(const near_elements* n, int side)
{
    return 3 - (n->of[side]->point[2] < 0);
}

// [m] by which boxes around both are apart, below 0 where they overlap.
FUNCTION scalar box_gap(const near_elements* n)
{
    quad low[2], high[2];
    for (int side = 0; side < 2; ++side) {
        low[side] = high[side] = n->place[side][0];
        for (int k = 1; k < corner_count(n, side); ++k) {
            low[side] = quad_min(low[side], n->place[side][k]);
            high[side] = quad_max(high[side], n->place[side][k]);
        }
    }
    quad gap = quad_max(low[0] - high[1], low[1] - high[0]);
    return lane_max(gap[0], lane_max(gap[1], gap[2]));
}

// [m] by which one of them is to one side of the plane of the triangle, or below 0.
FUNCTION scalar plane_gap(const near_elements* n, int side)
{
    const quad* at = n->place[side];
    vec3 normal = v3_cross(quad_xyz(at[1] - at[0]), quad_xyz(at[2] - at[0]));
    scalar square = v3_dot(normal, normal), low = INFINITY, high = -INFINITY;
    if (!(square >= SCALAR_LEAST)) return -1;
    for (int k = 0; k < corner_count(n, 1 - side); ++k) {
        scalar height = v3_dot(normal, quad_xyz(n->place[1 - side][k] - at[0]));
        low = lane_min(low, height);
        high = lane_max(high, height);
    }
    return lane_max(low, -high) / lane_sqrt(square);
}

// [m] Elements are at least that far apart.
FUNCTION scalar least_gap(const near_elements* n)
{
    scalar gap = box_gap(n);
    for (int side = 0; side < 2 && !(gap > n->limit); ++side)
        if (corner_count(n, side) == 3) gap = lane_max(gap, plane_gap(n, side));
    return gap;
}

FUNCTION void pair_elements(near_elements* n, element_pair* e, double odometer)
{
    n->nearest = INFINITY;
    scalar gap = least_gap(n);
    if (!(gap > n->limit)) {
        unsigned near = near_pairs(n);
        if (near & 7u << SUB_FIRST) pair_corners(n, 0, near);
        if (near & 7u << SUB_SECOND) pair_corners(n, 1, near);
        if (near >> SUB_EDGES) pair_edges(n, near);
        gap = n->nearest;
    }
    e->apart = gap > n->limit ? (float)gap * (1 - 1e-5f) : -1;
    e->odometer = (float)odometer;
}

// Pairs of an element with one that is near, of bodies of these numbers. `n` is of the last one, or
// zero. Elements that are far sleep: they keep their distance, and are looked at again when the
// bodies have gone as far as that.
FUNCTION void pair_if_near(near_elements* n, int body, element_pair* e)
{
    const contact_set* s = n->s;
    const contact_body *a = &s->body[body], *b = &s->body[e->other];
    double calm = a == b ? 2 * a->self_calm : a->calm + b->calm;
    double odometer = a == b ? 2 * a->self_odometer : a->odometer + b->odometer;
    n->crossed = s->crossed_count > 0 && bodies_are_crossed(s, body, e->other);
    double limit = (a->radius + b->radius + PAIR_ROOM * calm) * (1 + 1e-5);
    double reach = n->crossed ? crossed_reach(a) + crossed_reach(b) : 0;
    limit += reach;
    if ((double)e->apart - 1.00001 * (odometer - (double)e->odometer) > limit) return;
    take_element(n, 0, body, e->element[0]);
    take_element(n, 1, e->other, e->element[1]);
    n->thickness = a->radius + b->radius;
    n->limit = (scalar)limit;
    n->deepest = (scalar)(n->thickness + reach);
    pair_elements(n, e, odometer);
}

// ---- elements that cross ------------------------------------------------------------------------

// Whether the segment p q goes through the triangle.
FUNCTION bool goes_through(vec3 p, vec3 q, const quad triangle[3])
{
    vec3 a = quad_xyz(triangle[0]), ab = v3_sub(quad_xyz(triangle[1]), a),
         ac = v3_sub(quad_xyz(triangle[2]), a), way = v3_sub(q, p), from = v3_sub(a, p);
    vec3 normal = v3_cross(ab, ac);
    scalar along = v3_dot(normal, way), t = v3_dot(normal, from);
    if (along == 0 || !(t / along >= 0 && t / along <= 1)) return false;
    vec3 at = v3_sub(v3_scale(t / along, way), from), side = v3_cross(normal, ab);
    scalar square = v3_dot(normal, normal), w = v3_dot(at, side) / square;
    scalar v = -v3_dot(at, v3_cross(normal, ac)) / square;
    return v >= 0 && w >= 0 && v + w <= 1;
}

FUNCTION bool elements_cross(const near_elements* n)
{
    for (int side = 0; side < 2; ++side) {
        if (corner_count(n, 1 - side) < 3) continue;
        int edges = corner_count(n, side) == 3 ? 3 : 1;
        for (int k = 0; k < edges; ++k)
            if (goes_through(quad_xyz(n->place[side][k]), quad_xyz(n->place[side][(k + 1) % 3]),
                             n->place[1 - side]))
                return true;
    }
    return false;
}

// Whether two elements that are near cross each other; neighbors do not.
FUNCTION bool near_elements_cross(const contact_set* s, int body, const element_pair* e)
{
    near_elements n;
    n.s = s;
    take_element(&n, 0, body, e->element[0]);
    take_element(&n, 1, e->other, e->element[1]);
    bool neighbors = body == e->other && shares_corner(n.of[0]->point, corner_count(&n, 0),
                                                       n.of[1]->point, corner_count(&n, 1));
    return !neighbors && elements_cross(&n);
}
