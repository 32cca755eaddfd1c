// Which of the pairs that are near at the same place is the one that touches: a point beside an
// edge is near both of its triangles, but touches the edge once. Every place near a surface is
// nearest to the inside of a triangle, to an edge or to a corner, and only that pair counts. The
// same source for the processor and for CUDA.
#pragma once
#include "contact/passes.h"

// Surfaces that deform are seldom flat to the last digit. Those of rigid bodies lie on each other,
// and a corner beside a face is to belong to one of both, whatever rounding says of it.
INLINE scalar slack_of(const contact_body* b) { return is_rigid(b) ? (scalar)0.001 : 0; }

// Whether `to` does not lead `out`, but for that share.
INLINE bool leads_back(vec3 out, vec3 to, scalar slack)
{
    scalar along = v3_dot(out, to);
    if (!(along > 0)) return true;
    return slack > 0 && along * along <= slack * slack * v3_dot(out, out) * v3_dot(to, to);
}

// Whether no neighbor of a corner is nearer to what is `out` of it [m] than the corner.
LARGE bool is_corner_out(const contact_set* s, int point, quad place, vec3 out)
{
    const contact_body* b = &s->body[s->owner[point]];
    const contact_surface* of = b->surface;
    int local = point - b->first_point;
    for (int k = of->neighbor_start[local]; k < of->neighbor_start[local + 1]; ++k) {
        quad x = load_point(s->place, b->first_point + of->neighbor[k]);
        if (!leads_back(out, v3_sub(quad_xyz(x), quad_xyz(place)), slack_of(b))) return false;
    }
    return true;
}

// Whether what is `out` of an edge [m], seen from a place of it, is beyond both of its triangles:
// by a share of its length at least.
LARGE bool is_edge_out(const contact_set* s, const contact_body* b, const surface_edge* edge,
                       vec3 at, vec3 out, scalar share)
{
    for (int k = 0; k < 2; ++k) {
        if (edge->opposite[k] < 0) continue;
        quad x = load_point(s->place, b->first_point + edge->opposite[k]);
        vec3 to = v3_sub(quad_xyz(x), at);
        scalar along = v3_dot(out, to);
        if (!leads_back(out, to, share > 0 ? 0 : slack_of(b))) return false;
        if (along * along < share * share * v3_dot(out, out) * v3_dot(to, to)) return false;
    }
    return true;
}

// Of a rigid body: beyond one of them at least, and in the plane of the other one. Edges around
// faces that lie on each other touch where they cross, and those in a face do not.
FUNCTION bool is_ridge_out(const contact_set* s, const contact_body* b, const surface_edge* edge,
                           vec3 at, vec3 out)
{
    const scalar slack = slack_of(b);
    int beyond = 0;
    for (int k = 0; k < 2; ++k) {
        if (edge->opposite[k] < 0) {
            ++beyond;
            continue;
        }
        vec3 to = v3_sub(quad_xyz(load_point(s->place, b->first_point + edge->opposite[k])), at);
        if (!leads_back(out, to, slack)) return false;
        beyond += !leads_back(v3_neg(out), to, slack);
    }
    return beyond > 0;
}

FUNCTION bool is_corner_valid(const contact_set* s, const near_pair* p, const quad place[4],
                              int corner, vec3 apart)
{
    // The same two points are a pair of both elements' corners.
    if (key_sub(p->key) >= SUB_SECOND) return false;
    return is_corner_out(s, p->point[corner], place[corner], apart) &&
           is_corner_out(s, p->point[0], place[0], v3_neg(apart));
}

// The element on the second side of a point and an element.
FUNCTION const surface_element* second_element(const contact_set* s, const near_pair* p)
{
    int number = key_sub(p->key) >= SUB_SECOND ? key_first(p->key) : key_second(p->key);
    const contact_body* b = &s->body[p->body[1]];
    return &b->surface->element[number - b->first_element];
}

FUNCTION bool is_point_valid(const contact_set* s, const near_pair* p, const pair_state* c,
                             const quad place[4], vec3 apart)
{
    const contact_body* b = &s->body[p->body[1]];
    const surface_element* e = second_element(s, p);
    int corners = p->kind == PAIR_TRIANGLE ? 3 : 2, used = 0, one = 0, none = 0;
    for (int k = 0; k < corners; ++k) {
        used += c->weight[k + 1] != 0;
        one = c->weight[k + 1] != 0 ? k : one;
        none = c->weight[k + 1] == 0 ? k : none;
    }
    if (used == 3) return true;
    if (used == 1) return (e->own_point & 1 << one) && is_corner_valid(s, p, place, one + 1, apart);
    int side = corners == 3 ? (none + 1) % 3 : 0;
    if (!(e->own_edge & 1 << side)) return false;
    vec3 at = v3_sub(quad_xyz(place[0]), apart);
    return is_edge_out(s, b, &b->surface->edge[e->edge[side]], at, apart, 0);
}

// Edges touch where both are ridges. Flat ones are left to the points around.
FUNCTION bool are_edges_valid(const contact_set* s, const near_pair* p, const pair_state* c,
                              const quad place[4], vec3 apart)
{
    const scalar least = (scalar)0.001;
    for (int k = 0; k < 4; ++k)
        if (c->weight[k] == 0) return false;
    int number[2] = {key_first(p->key), key_second(p->key)};
    int sub = key_sub(p->key) - SUB_EDGES, side[2] = {sub / 3, sub % 3};
    for (int k = 0; k < 2; ++k) {
        const contact_body* b = &s->body[p->body[k]];
        const surface_element* e = &b->surface->element[number[k] - b->first_element];
        quad from = place[2 * k], to = place[2 * k + 1];
        scalar part = c->weight[2 * k + 1];
        vec3 at = v3_add_scaled(quad_xyz(from), k ? -part : part, quad_xyz(to - from));
        const surface_edge* edge = &b->surface->edge[e->edge[side[k]]];
        vec3 out = k ? apart : v3_neg(apart);
        if (!(is_rigid(b) ? is_ridge_out(s, b, edge, at, out)
                          : is_edge_out(s, b, edge, at, out, least)))
            return false;
    }
    return true;
}

// ---- flat contacts ------------------------------------------------------------------------------

// Takes the part along a line [m] from a direction of length 1, if the line is nearly at right
// angles to it. Returns whether it did.
INLINE bool flatten(vec3 along, vec3* n)
{
    const scalar most = (scalar)0.35; // sine of 20 degrees
    scalar square = v3_dot(along, along), part = v3_dot(*n, along);
    if (!(square >= SCALAR_LEAST * 4) || part * part > most * most * square) return false;
    vec3 less = v3_add_scaled(*n, -part / square, along);
    *n = v3_scale(1 / lane_sqrt(v3_dot(less, less)), less);
    return true;
}

// Along the edges of the corner that lie in the face below.
FUNCTION void flatten_corner(const contact_set* s, int point, vec3 at, vec3* n)
{
    const contact_body* b = &s->body[s->owner[point]];
    const contact_surface* of = b->surface;
    vec3 first = v3_zero();
    int local = point - b->first_point, found = 0;
    for (int k = of->neighbor_start[local]; k < of->neighbor_start[local + 1] && found < 2; ++k) {
        vec3 to = v3_sub(quad_xyz(load_point(s->place, b->first_point + of->neighbor[k])), at);
        scalar part = v3_dot(to, first); // what is new of it
        to = v3_add_scaled(to, -part, first);
        scalar square = v3_dot(to, to);
        if (found && !(square > (scalar)0.04 * part * part)) continue;
        if (!flatten(to, n)) continue;
        first = v3_scale(1 / lane_sqrt(square), to);
        ++found;
    }
}

FUNCTION void flatten_edge(const contact_set* s, const contact_body* b, const surface_edge* e,
                           vec3 at, vec3* n)
{
    vec3 from = quad_xyz(load_point(s->place, b->first_point + e->point[0])),
         along = v3_sub(quad_xyz(load_point(s->place, b->first_point + e->point[1])), from);
    scalar square = v3_dot(along, along);
    for (int k = 0; k < 2; ++k) {
        if (e->opposite[k] < 0) continue;
        vec3 to = v3_sub(quad_xyz(load_point(s->place, b->first_point + e->opposite[k])), at);
        to = v3_add_scaled(to, -ratio_or_zero(v3_dot(to, along), square), along);
        if (flatten(to, n)) return;
    }
}

// A corner that is hardly beyond a face is pushed as if it were above it. As if the edge were
// round, it would be pushed aside, the more the farther it is; and what is piled on it, aside.
FUNCTION void region_flatten(const contact_set* s, const near_pair* p, pair_state* c,
                             const quad place[4])
{
    const contact_body* b = &s->body[p->body[1]];
    if (p->kind != PAIR_TRIANGLE || !(c->distance > 0)) return;
    if (!is_rigid(b) && !(b->collider && is_rigid(&s->body[p->body[0]]))) return;
    vec3 n = normal_of(c), apart = v3_scale(c->distance, n), at = v3_sub(quad_xyz(place[0]), apart);
    int used = 0, one = 0, none = 0;
    for (int k = 0; k < 3; ++k) {
        used += c->weight[k + 1] != 0;
        one = c->weight[k + 1] != 0 ? k : one;
        none = c->weight[k + 1] == 0 ? k : none;
    }
    if (used == 3) return;
    if (used == 1)
        flatten_corner(s, p->point[one + 1], at, &n);
    else
        flatten_edge(s, b, &b->surface->edge[second_element(s, p)->edge[(none + 1) % 3]], at, &n);
    c->distance = v3_dot(n, apart);
    vec3_store(c->normal, n);
}

FUNCTION bool region_is_valid(const contact_set* s, const near_pair* p, const pair_state* c,
                              const quad place[4])
{
    vec3 apart = v3_scale(c->distance, normal_of(c));
    if (p->kind == PAIR_PLANE) return true;
    return p->kind == PAIR_EDGES ? are_edges_valid(s, p, c, place, apart)
                                 : is_point_valid(s, p, c, place, apart);
}
