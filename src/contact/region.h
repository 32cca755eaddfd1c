// Which of the pairs that are near at the same place is the one that touches: a point beside an
// edge is near both of its triangles, but touches the edge once. Every place near a surface is
// nearest to the inside of a triangle, to an edge or to a corner, and only that pair counts. The
// same source for the processor and for CUDA.
#pragma once
#include "contact/passes.h"

// Whether no neighbor of a corner is nearer to what is `out` of it [m] than the corner.
LARGE bool is_corner_out(const contact_set* s, int point, quad place, vec3 out)
{
    const contact_body* b = &s->body[s->owner[point]];
    const contact_surface* of = b->surface;
    int local = point - b->first_point;
    for (int k = of->neighbor_start[local]; k < of->neighbor_start[local + 1]; ++k) {
        quad x = load_point(s->place, b->first_point + of->neighbor[k]);
        if (v3_dot(out, v3_sub(quad_xyz(x), quad_xyz(place))) > 0) return false;
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
        if (along > 0) return false;
        if (along * along < share * share * v3_dot(out, out) * v3_dot(to, to)) return false;
    }
    return true;
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
        if (!is_edge_out(s, b, &b->surface->edge[e->edge[side[k]]], at, k ? apart : v3_neg(apart),
                         least))
            return false;
    }
    return true;
}

FUNCTION bool region_is_valid(const contact_set* s, const near_pair* p, const pair_state* c,
                              const quad place[4])
{
    vec3 apart = v3_scale(c->distance, normal_of(c));
    return p->kind == PAIR_EDGES ? are_edges_valid(s, p, c, place, apart)
                                 : is_point_valid(s, p, c, place, apart);
}
