#define PRECISION_DOUBLE
#include "geometry/locator.h"
#include "mesh/mesh.h"
#include <math.h>

static bool make_tree(const pliant_mesh_arrays* a, locator* out)
{
    double* x = (double*)mem_array(3 * (size_t)a->vertex_count, sizeof(double));
    if (!x) return false;
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int v = 0; v < a->vertex_count; ++v) {
            low = fmin(low, a->vertices[3 * (size_t)v + (size_t)k]);
            high = fmax(high, a->vertices[3 * (size_t)v + (size_t)k]);
        }
        out->middle[k] = low / 2 + high / 2;
        out->extent = fmax(out->extent, high / 2 - low / 2);
    }
    if (!(out->extent > 0)) out->extent = 1;
    for (size_t i = 0; i < 3 * (size_t)a->vertex_count; ++i)
        x[i] = (a->vertices[i] - out->middle[i % 3]) / out->extent;
    bool ok = tree_create(x, a->triangles, a->triangle_count, &out->tree);
    mem_free(x);
    return ok;
}

pliant_result locator_open(const pliant_mesh* surface, locator* out)
{
    pliant_mesh* boundary = NULL;
    pliant_result result = PLIANT_OK;
    *out = (locator){.extent = 0};
    if (surface->tet_count) result = pliant_mesh_boundary(surface, &boundary, NULL);
    if (result) return result;
    pliant_mesh_arrays a = pliant_mesh_view(boundary ? boundary : surface);
    if (a.triangle_count == 0)
        result = fail(PLIANT_ERROR_ARGUMENT, "the surface of a region has no triangles");
    else if (!make_tree(&a, out))
        result = PLIANT_ERROR_MEMORY;
    pliant_mesh_destroy(boundary);
    return result;
}

void locator_close(locator* s) { tree_destroy(&s->tree); }

static vec3 scaled(const locator* s, const double p[3])
{
    return v3((p[0] - s->middle[0]) / s->extent, (p[1] - s->middle[1]) / s->extent,
              (p[2] - s->middle[2]) / s->extent);
}

bool locator_is_inside(const locator* s, const double point[3])
{
    vec3 x = scaled(s, point);
    bool near = fabs(x.x) <= 1 && fabs(x.y) <= 1 && fabs(x.z) <= 1;
    return near && fabs(tree_winding(&s->tree, x)) > 0.5;
}

int locator_nearest(const locator* s, const double point[3], double limit)
{
    int nearest = -1;
    tree_distance(&s->tree, scaled(s, point), limit / s->extent, &nearest);
    return nearest;
}
