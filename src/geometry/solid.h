// What a surface encloses, however bad the surface is: holes, parts that intersect, triangles that
// are repeated, flat or face the wrong way, any number of parts.
//
// Triangles are welded where their corners are the same, made to agree with their neighbors across
// edges, flat holes are closed (holes.h), and pieces that then face the wrong way as a whole are
// turned. A point is inside where the surface winds around it by more than a half: holes that are
// still open are closed the way a soap film would, cavities stay empty where they face inward, and
// where parts overlap it is inside.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "base/workers.h"
#include "geometry/holes.h"
#include "geometry/tree.h"
#include "mesh/mesh.h"

typedef struct solid {
    pliant_mesh* surface; // prepared, in units of the solid: x = center + size * x'
    double center[3];     // [m] of the bounding box
    double size;          // [m] longest side of the bounding box
    int* piece;           // of each triangle: connected across edges of two triangles
    int piece_count;
    double volume;    // that a surface without boundary encloses; overlaps count twice. Else 0
    double area;      // of all triangles
    double enclosing; // 0 to 1: the part of the area with a clear inside behind it
    holes_report holes;
    tree tree;
} solid;

// Tets stand for their boundary. Refused: no triangles, a flat bounding box, and a surface that
// encloses nothing (an open sheet, loose triangles).
pliant_result solid_create(const pliant_mesh* mesh, hole_choice holes, workers* threads,
                           solid* out);
void solid_destroy(solid* s);

// Signed distance to the surface, negative inside, cut off at `limit` and -`limit`; point, limit
// and result in units of the solid. In a hole it jumps from one sign to the other.
// `out_winding` may be NULL.
double solid_distance(const solid* s, vec3 point, double limit, double* out_winding);

// Where a point of the world is in units of the solid.
vec3 solid_point(const solid* s, const double world[3]);
