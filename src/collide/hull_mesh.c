#include "collide/hull.h"
#include "mesh/mesh.h"
#include <string.h>

pliant_result pliant_mesh_convex_hull(const pliant_mesh* mesh, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    if (!REQUIRE(mesh)) return PLIANT_ERROR_ARGUMENT;
    hull h;
    pliant_result result = hull_create(mesh->vertices, mesh->vertex_count, &h);
    if (result) return result;
    pliant_mesh_arrays arrays = {.vertices = h.corner,
                                 .triangles = h.triangle,
                                 .vertex_count = h.corner_count,
                                 .triangle_count = h.triangle_count};
    result = pliant_mesh_create(&arrays, out);
    hull_destroy(&h);
    return result;
}
