// A closed surface for colliders: triangles over vertices that are welded where they have exactly
// the same position, as those of an STL file must be before its edges can be compared.
#pragma once
#include "base/memory.h"

typedef struct surface {
    double* vertex; // [m] 3 * vertex_count, used ones only, no two at the same place
    int* triangle;  // 3 * triangle_count, three different vertices each
    int vertex_count, triangle_count;
    bool oriented; // every edge is walked as often one way as the other
} surface;

// From the triangles of the mesh, or from the boundary of its tets if it has tets. Triangles with a
// repeated vertex are left out. Refused: no triangles, and edges that do not belong to an even
// number of triangles.
pliant_result surface_create(const pliant_mesh* mesh, surface* out);
// The same, closed or not; `oriented` is not known.
pliant_result surface_weld(const pliant_mesh* mesh, surface* out);
void surface_destroy(surface* s);

void surface_bounds(const surface* s, double out_min[3], double out_max[3]); // [m]

// Vertices become relative to `origin` [m].
void surface_set_origin(surface* s, const double origin[3]);
