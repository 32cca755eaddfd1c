// The outside of a body where it is now, in trees that rays and points search: the boundary of its
// tets or its cloth, its ropes as capsules, and loose particles as balls.
//
// It is made when somebody asks for the first time, and fitted again when the body has moved.
#pragma once
#ifndef PRECISION_DOUBLE
#error "surfaces are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/ray.h"
#include "world/world.h"

typedef struct body_surface {
    double* x; // [m] 3 for each particle
    // 3 for each triangle, then 2 for each rope segment, which are elements too; a loose particle
    // is a segment from itself to itself.
    int* corner;
    int triangle_count;        //
    int segment_count;         //
    const int* tets;           // the mesh's own
    const pliant_asset* asset; // knows the radii
    bool loose;
    double* radius;    // [m] of loose particles, below 0 of one that is absent; else NULL
    box_tree outside;  // over the elements
    box_tree inside;   // over the tets, for those who ask for them
    int tet_count;     //
    uint64_t moves;    // of the body, when the outside was fitted,
    uint64_t moves_in; // and the inside
} body_surface;

// As the body is now, with the tree over its tets where `inside` is true. Several threads may ask
// at once.
pliant_result body_find_surface(const pliant_world* world, body* b, bool inside,
                                const body_surface** out);

// What was found of a body.
typedef struct {
    int element;     // -1: nothing
    double distance; // [m]; negative in a rope
    double share[3]; // of the element's corners
} surface_hit;

// The nearest element that a ray meets within the distance, the lower of two at the same.
surface_hit surface_cast(const body_surface* s, const ray* r, double longest);
// The element nearest to a point, within the distance.
surface_hit surface_nearest(const body_surface* s, const double point[3], double farthest);

// Whether the tets hold the point.
bool surface_holds(const body_surface* s, const double point[3]);
// Whether a box touches an element.
bool surface_meets_box(const body_surface* s, const tree_box* box);

static inline bool element_is_segment(const body_surface* s, int number)
{
    return number >= s->triangle_count;
}
static inline const int* element_corners(const body_surface* s, int number)
{
    int segment = number - s->triangle_count;
    return s->corner +
           (segment < 0 ? 3 * (size_t)number : 3 * (size_t)s->triangle_count + 2 * (size_t)segment);
}
// [m] Of a segment.
static inline double element_radius(const body_surface* s, int number)
{
    return s->loose ? s->radius[element_corners(s, number)[0]] : s->asset->def.rope.radius;
}
// A particle that is not there.
static inline bool element_is_absent(const body_surface* s, int number)
{
    return s->loose && element_radius(s, number) < 0;
}
static inline const double* surface_place(const body_surface* s, int particle)
{
    return s->x + 3 * (size_t)particle;
}
static inline vec3 surface_corner(const body_surface* s, int particle)
{
    const double* x = surface_place(s, particle);
    return v3(x[0], x[1], x[2]);
}
