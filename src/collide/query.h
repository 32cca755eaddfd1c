// What a ray, a point or a box finds of a collider where it is now.
#pragma once
#ifndef PRECISION_DOUBLE
#error "queries are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "collide/collider.h"
#include "geometry/ray.h"

// Distance [m] to the surface, from outside or from inside; infinite where the ray passes by. A
// mesh is seen through its field, by steps of a quarter of a cell near its surface.
double collider_cast(const collider* c, const ray* r, double longest);

// Signed distance [m] of a point, negative inside, and the outward normal there.
double collider_distance(const collider* c, const double point[3], double out_normal[3]);

// Whether it touches a box; a mesh to an eighth of a cell of its field.
bool collider_meets_box(const collider* c, const tree_box* box);
