#include "mesh/limit.h"
#include <math.h>

pliant_result check_size(const char* what, double vertices, double elements)
{
    double most = vertices > elements ? vertices : elements;
    if (most <= ELEMENT_LIMIT) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "%s would have %.4g vertices and %.4g elements; the limit is %d: use fewer cells",
                what, vertices, elements, (int)ELEMENT_LIMIT);
}

pliant_result check_mesh_size(const pliant_mesh* mesh)
{
    double elements = (double)mesh->tet_count + mesh->triangle_count + mesh->edge_count;
    if (mesh->vertex_count <= ELEMENT_LIMIT && elements <= ELEMENT_LIMIT) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "the mesh has %d vertices and %.0f elements; mesh tools take up to %d",
                mesh->vertex_count, elements, (int)ELEMENT_LIMIT);
}

pliant_result check_positive(const char* what, double value)
{
    if (isfinite(value) && value > 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s is %g: it has to be a positive number", what, value);
}

pliant_result check_resolution(const char* what, int resolution)
{
    if (resolution >= 2) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT, "%s with a resolution of %d cells: at least 2 are needed",
                what, resolution);
}
