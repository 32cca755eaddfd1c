// Pairs of points, edges and triangles that are near: which of two elements have some, for lists,
// and which of them may meet in a substep. The same source for the processor and for CUDA.
#pragma once
#include "contact/region.h"
#include "contact/tree.h"

// ---- pairs --------------------------------------------------------------------------------------

// Of a list: two elements of the world, which pair of them (sub), and how far both may go together
// until it may meet, by their odometers.
typedef struct {
    uint32_t first, second; // the second with the sub above its number
    float wake;             // [m]
} listed_pair;

INLINE int listed_first(const listed_pair* p) { return (int)p->first; }
INLINE int listed_second(const listed_pair* p)
{
    return (int)(p->second & ((1u << KEY_ELEMENT_BITS) - 1));
}
INLINE int listed_sub(const listed_pair* p) { return (int)(p->second >> KEY_ELEMENT_BITS); }

typedef struct {
    near_pair* pair;
    pair_state* state;
    int count, capacity;
} pair_sink;

// Two elements that are near.
typedef struct {
    const contact_set* s;
    const contact_body* body[2];
    int number[2];  // of the bodies
    int element[2]; // of their surfaces
    const surface_element* of[2];
    int kind;         // OF_TWO, OF_ONE
    double thickness; // [m]
    bool crossed;     // their bodies cross each other
} near_elements;

// [m] at which the pair was at rest.
LARGE double rest_distance(const contact_surface* of, pair_kind kind, const int point[4])
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

// A pair as two elements have it: the first side is of the first one, or of the other.
typedef struct {
    pair_kind kind;
    int sub;
    bool swapped;
    int point[4]; // of the surfaces
    quad place[4];
} candidate;

// A point and a plane: its weights are those of the point below it, in the plane's axes.
FUNCTION void plane_measure(const contact_body* plane, const quad place[4], pair_state* p)
{
    double from[3], along[3];
    for (int k = 0; k < 3; ++k) from[k] = (double)place[0][k] - plane->center[k];
    for (int k = 0; k < 3; ++k) along[k] = d3_dot(plane->axis[k], from);
    p->weight[0] = 1;
    p->weight[1] = (scalar)(along[0] + along[2] - 1);
    p->weight[2] = (scalar)-along[0];
    p->weight[3] = (scalar)-along[2];
    for (int k = 0; k < 3; ++k) p->normal[k] = (scalar)plane->axis[1][k];
    p->distance = (scalar)along[1];
}

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
    bool self = n->body[0] == n->body[1] && !a->surface->loose;
    double rest = self ? rest_distance(a->surface, c->kind, c->point) : n->thickness;
    bool held = n->body[0] == n->body[1] && holds_together(a, c->point[0], c->point[3]);
    out->touches = !(rest < n->thickness) && !held;
    out->least = 0.1 * (out->touches ? n->thickness : rest);
    // Balls may pass through each other, as no surfaces may.
    out->guarded = !n->crossed && !(a->surface->loose && n->body[1]->surface->loose);
}

// Of second order velocities have what smooth forces are about to bring, which a contact that lasts
// takes each time. What is no impact did not come nearer in the substep before either.
LARGE void measure_impact(const near_elements* n, const candidate* c, const quad velocity[4],
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
    p->active = p->crosses = p->bounces = p->rests = p->held = p->met = false;
    vec3_store(p->slide, v3_zero());
    vec3_store(p->push, v3_zero());
    vec3_store(p->sum, v3_zero());
}

// [m] As near as that they touch, and more where they cross.
FUNCTION double deepest_distance(const near_elements* n)
{
    double deep = n->crossed ? crossed_reach(n->body[0]) + crossed_reach(n->body[1]) : 0;
    return n->thickness + deep;
}
FUNCTION double touching_distance(const near_elements* n)
{
    return deepest_distance(n) * (1 + WAY_ROUNDING);
}

// [m] How far the two sides of a pair come nearer in this substep, at most: by their courses alone,
// and with their leeways.
typedef struct {
    scalar course, all;
} pair_way;

FUNCTION pair_way way_of_pair(const near_elements* n, const candidate* c)
{
    int first = pair_first_side(c->kind);
    int start[2] = {n->body[c->swapped]->first_point, n->body[!c->swapped]->first_point};
    pair_way most = {0, 0};
    for (int i = 0; i < first; ++i)
        for (int k = first; k < 4; ++k) {
            quad a = load_point(n->s->course, start[0] + c->point[i]);
            quad b = load_point(n->s->course, start[1] + c->point[k]);
            vec3 off = quad_xyz(a - b);
            scalar way = lane_sqrt(v3_dot(off, off));
            most.course = lane_max(most.course, way);
            most.all = lane_max(most.all, way + a[3] + b[3]);
        }
    return most;
}

// [m] What lies on another rigid body is apart from it for a moment now and then, by next to
// nothing, and goes on to push it. Less than the leeway that each of its points has (leeway_of).
FUNCTION double resting_gap(const near_elements* n)
{
    const contact_body *a = n->body[0], *b = n->body[1];
    double one = is_rigid(a) ? a->surface->mean_edge : 0,
           two = is_rigid(b) ? b->surface->mean_edge : 0;
    return 5e-4 * (one > two ? one : two);
}

// Whether a candidate may meet in this substep. What is known of leeways depends on what happened
// before, and is another one on another machine. So a pair takes over what it remembers where its
// courses alone bring it near, and leeways are larger than what is added to them here (leeway_of).
FUNCTION bool may_come_near(double apart, double touching, const pair_way* way)
{
    return apart <= touching + PAIR_ROOM * (1 + WAY_ROUNDING) * (double)way->all;
}

FUNCTION bool goes_near(const near_elements* n, const candidate* c, const pair_way* way,
                        pair_state* found)
{
    if (!may_come_near((double)found->distance, touching_distance(n), way)) return false;
    found->goes_on =
        courses_meet(found->distance, (scalar)(deepest_distance(n) + resting_gap(n)), way->course);
    int first = pair_first_side(c->kind);
    if (!phases_meet(n->body[c->swapped], n->body[!c->swapped], c->point, first)) return false;
    return !n->s->joined || !is_joined(n, c);
}

FUNCTION bool is_pair(const near_elements* n, const candidate* c, pair_state* found)
{
    pair_way way = way_of_pair(n, c);
    return goes_near(n, c, &way, found);
}

// It sleeps until both have gone as far as they are apart.
FUNCTION float wake_of(const near_elements* n, int first, int second, scalar apart)
{
    const element_way* way = n->s->way;
    double gone = (double)way[first].odometer[n->kind] + (double)way[second].odometer[n->kind];
    return (float)(((double)apart + gone) * (1 - WAY_ROUNDING) - touching_distance(n));
}

FUNCTION void fill_found(const near_elements* n, const candidate* c, bool apart, near_pair* p,
                         pair_state* found)
{
    fill_pair(n, c, p);
    bool counts = apart && p->touches && region_is_valid(n->s, p, found, c->place);
    // What leeways alone bring near is not known everywhere: flat, it could be nearer than it is.
    if (!n->crossed && found->goes_on) region_flatten(n->s, p, found, c->place);
    measure_approach(n, c, found);
    start_state(found);
    // Nobody knows it, and it overlaps: it was placed so, or came from the side. It is not to be
    // shot away.
    found->sunk = lane_max((scalar)p->thickness - found->distance, 0);
    found->valid = counts && (!n->crossed || is_outward(n, c));
}

FUNCTION bool shares_corner(const int* a, int a_count, const int* b, int b_count)
{
    for (int i = 0; i < a_count; ++i)
        for (int k = 0; k < b_count; ++k)
            if (a[i] == b[k]) return true;
    return false;
}

// ---- a short look before the long one -----------------------------------------------------------

// An element in registers. A segment has its last end twice.
typedef struct {
    int point[3];
    node_box box, corner[3], edge[3];
} near_element;

INLINE near_element look_at_element(const near_elements* n, int side)
{
    near_element e;
    const surface_element* of = n->of[side];
    UNROLL
    for (int k = 0; k < 3; ++k) {
        e.point[k] = of->point[k] < 0 ? of->point[1] : of->point[k];
        quad at = load_point(n->s->place, n->body[side]->first_point + e.point[k]);
        e.corner[k] = box_of_two(at, at);
    }
    UNROLL
    for (int k = 0; k < 3; ++k) e.edge[k] = box_of_two(e.corner[k].low, e.corner[(k + 1) % 3].low);
    e.box.low = quad_min(e.edge[0].low, e.corner[2].low);
    e.box.high = quad_max(e.edge[0].high, e.corner[2].high);
    return e;
}

// Which pairs of two elements are theirs, as bits.
INLINE unsigned own_pairs(const surface_element* a, const surface_element* b)
{
    unsigned own = (unsigned)a->own_point | (unsigned)b->own_point << SUB_SECOND;
    UNROLL
    for (int i = 0; i < 3; ++i)
        own |= (a->own_edge >> i & 1u) * (unsigned)b->own_edge << (SUB_EDGES + 3 * i);
    return own;
}

// Of those of a body with itself, the ones that have a point twice.
INLINE unsigned touching_pairs(const near_element e[2])
{
    unsigned first[3], second[3] = {0, 0, 0}, touching = 0;
    UNROLL
    for (int i = 0; i < 3; ++i) {
        first[i] = 0;
        UNROLL
        for (int k = 0; k < 3; ++k) {
            unsigned same = e[0].point[i] == e[1].point[k];
            first[i] |= same << k;
            second[k] |= same;
        }
        touching |= (unsigned)(first[i] != 0) << i;
    }
    UNROLL
    for (int i = 0; i < 3; ++i) {
        unsigned either = first[i] | first[(i + 1) % 3];
        touching |= second[i] << (SUB_SECOND + i);
        UNROLL
        for (int k = 0; k < 3; ++k)
            touching |= ((either >> k | either >> (k + 1) % 3) & 1u) << (SUB_EDGES + 3 * i + k);
    }
    return touching;
}

INLINE scalar largest_gap(quad gap) { return lane_max(gap[0], lane_max(gap[1], gap[2])); }

// Of all pairs of two elements, those that boxes do not keep farther apart than a limit [m]: a bit
// for each; and the largest gap of each [m].
FUNCTION unsigned near_pairs(const near_elements* n, scalar limit, scalar gap[SUBS])
{
    const near_element e[2] = {look_at_element(n, 0), look_at_element(n, 1)};
    if (quad_xyz_above(gap_of_boxes(&e[0].box, &e[1].box), limit)) return 0;
    unsigned far = 0;
    UNROLL
    for (int k = 0; k < 3; ++k) {
        gap[SUB_FIRST + k] = largest_gap(gap_of_boxes(&e[0].corner[k], &e[1].box));
        gap[SUB_SECOND + k] = largest_gap(gap_of_boxes(&e[1].corner[k], &e[0].box));
        UNROLL
        for (int i = 0; i < 3; ++i)
            gap[SUB_EDGES + 3 * k + i] = largest_gap(gap_of_boxes(&e[0].edge[k], &e[1].edge[i]));
    }
    UNROLL
    for (int sub = 0; sub < SUBS; ++sub) far |= (unsigned)(gap[sub] > limit) << sub;
    if (n->body[0] == n->body[1]) far |= touching_pairs(e);
    return own_pairs(n->of[0], n->of[1]) & ~far;
}

// ---- the long one -------------------------------------------------------------------------------

FUNCTION quad place_of(const near_elements* n, int side, int point)
{
    return load_point(n->s->place, n->body[side]->first_point + point);
}

// A corner of one element against the other one.
FUNCTION void take_corner(const near_elements* n, int side, int k, candidate* c)
{
    const surface_element* other = n->of[1 - side];
    bool segment = surface_is_segment(other);
    int last = segment ? 1 : 2;
    c->kind = is_plane(n->body[1 - side]) ? PAIR_PLANE : segment ? PAIR_SEGMENT : PAIR_TRIANGLE;
    c->swapped = side == 1;
    c->point[0] = n->of[side]->point[k];
    for (int i = 0; i < 3; ++i) c->point[i + 1] = other->point[i < 2 ? i : last];
    for (int i = 0; i < 4; ++i) c->place[i] = place_of(n, i ? 1 - side : side, c->point[i]);
}

// The ends of an edge are in the order of their numbers.
FUNCTION void take_edge(const near_elements* n, int side, int k, int point[2], quad place[2])
{
    const surface_element* e = n->of[side];
    int next = surface_is_segment(e) ? 1 : (k + 1) % 3, swap = e->point[k] > e->point[next];
    point[swap] = e->point[k];
    point[!swap] = e->point[next];
    for (int i = 0; i < 2; ++i) place[i] = place_of(n, side, point[i]);
}

FUNCTION void take_candidate(const near_elements* n, int sub, candidate* c)
{
    c->sub = sub;
    if (sub < SUB_EDGES) {
        take_corner(n, sub >= SUB_SECOND, sub % 3, c);
        return;
    }
    c->kind = PAIR_EDGES;
    c->swapped = false;
    take_edge(n, 0, (sub - SUB_EDGES) / 3, c->point, c->place);
    take_edge(n, 1, (sub - SUB_EDGES) % 3, c->point + 2, c->place + 2);
}

// Two elements of the world.
FUNCTION void take_elements(const contact_set* s, int first, int second, near_elements* n)
{
    const int number[2] = {first, second};
    n->s = s;
    for (int side = 0; side < 2; ++side) {
        n->number[side] = s->element_owner[number[side]];
        n->body[side] = &s->body[n->number[side]];
        n->element[side] = number[side] - n->body[side]->first_element;
        n->of[side] = &n->body[side]->surface->element[n->element[side]];
    }
    n->kind = n->number[0] == n->number[1] ? OF_ONE : OF_TWO;
    n->thickness =
        element_radius(n->body[0], n->element[0]) + element_radius(n->body[1], n->element[1]);
    n->crossed = s->crossed_count > 0 && bodies_are_crossed(s, n->number[0], n->number[1]);
}

// ---- pairs of the substep -----------------------------------------------------------------------

FUNCTION bool is_awake(const float* reach, const listed_pair* p)
{
    return !(reach[listed_first(p)] + reach[listed_second(p)] < p->wake);
}

// Whether a pair that was measured may meet in this substep.
FUNCTION bool meets_in_substep(const near_elements* n, const candidate* c, const pair_way* way,
                               pair_state* found)
{
    if (!goes_near(n, c, way, found)) return false;
    if (n->crossed) face_outward(n, c, found);
    // Who is farther inside is not seen, in any substep.
    return !n->crossed || !((double)found->distance < -touching_distance(n));
}

// It becomes a pair then.
FUNCTION void take_measured(const near_elements* n, const candidate* c, const pair_way* way,
                            pair_state* found, pair_sink* out)
{
    bool apart = found->distance > 0 || c->kind == PAIR_PLANE;
    if (!meets_in_substep(n, c, way, found)) return;
    if (out->count++ >= out->capacity) return;
    fill_found(n, c, apart, &out->pair[out->count - 1], found);
    out->state[out->count - 1] = *found;
}

// A pair of the list that is awake: whether it may meet. Else it goes on sleeping.
LARGE bool measure_listed(const contact_set* s, listed_pair* p, near_elements* n, candidate* c,
                          pair_state* found, bool* out_apart)
{
    take_elements(s, listed_first(p), listed_second(p), n);
    take_candidate(n, listed_sub(p), c);
    bool plane = is_plane(n->body[1]);
    if (plane)
        plane_measure(n->body[1], c->place, found);
    else
        pair_measure(c->kind, c->place, found);
    *out_apart = plane || found->distance > 0;
    p->wake = plane && n->body[1]->turns
                  ? -INFINITY // far away from where it is, it goes as far as it likes
                  : wake_of(n, listed_first(p), listed_second(p), found->distance);
    pair_way way = way_of_pair(n, c);
    return meets_in_substep(n, c, &way, found);
}

FUNCTION void pair_if_near(const contact_set* s, listed_pair* p, pair_sink* out)
{
    near_elements n;
    candidate c;
    pair_state found;
    bool apart;
    if (!measure_listed(s, p, &n, &c, &found, &apart)) return;
    if (out->count++ >= out->capacity) return;
    fill_found(&n, &c, apart, &out->pair[out->count - 1], &found);
    out->state[out->count - 1] = found;
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

// Whether two elements cross each other; neighbors do not.
FUNCTION bool elements_cross(const contact_set* s, int first, int second)
{
    near_elements n;
    quad place[2][3];
    int corners[2];
    take_elements(s, first, second, &n);
    if (is_plane(n.body[1])) return false; // it knows who is below it
    for (int side = 0; side < 2; ++side) {
        corners[side] = surface_corners(n.of[side]);
        for (int k = 0; k < corners[side]; ++k)
            place[side][k] = place_of(&n, side, n.of[side]->point[k]);
    }
    if (n.kind == OF_ONE && shares_corner(n.of[0]->point, corners[0], n.of[1]->point, corners[1]))
        return false;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < (corners[side] == 3 ? 3 : 1) && corners[1 - side] == 3; ++k)
            if (goes_through(quad_xyz(place[side][k]), quad_xyz(place[side][(k + 1) % 3]),
                             place[1 - side]))
                return true;
    return false;
}
