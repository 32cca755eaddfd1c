#define PRECISION_DOUBLE
#include "geometry/palette.h"
#include "mesh/mesh.h"
#include <math.h>

static const double* color_of(const palette* p, int vertex)
{
    return p->surface->vertex_color + 3 * (ptrdiff_t)vertex;
}

// How far the color of a vertex is from the one that is wanted: the largest of three differences.
static double difference(const palette* p, int vertex)
{
    double most = 0;
    for (int k = 0; k < 3; ++k) most = fmax(most, fabs(color_of(p, vertex)[k] - p->color[k]));
    return most;
}

static pliant_result check_color(const palette* p)
{
    int nearest = 0;
    for (int v = 1; v < p->surface->vertex_count; ++v)
        if (difference(p, v) < difference(p, nearest)) nearest = v;
    if (difference(p, nearest) <= p->tolerance) return PLIANT_OK;
    const double* found = color_of(p, nearest);
    return fail(PLIANT_ERROR_ARGUMENT,
                "no vertex of the painted surface has the color (%g, %g, %g) within %g: the "
                "nearest is (%.4g, %.4g, %.4g)",
                p->color[0], p->color[1], p->color[2], p->tolerance, found[0], found[1], found[2]);
}

pliant_result palette_open(const pliant_region* region, palette* out)
{
    const pliant_mesh* mesh = region->painted;
    *out = (palette){.surface = mesh, .tolerance = region->tolerance};
    for (int k = 0; k < 3; ++k) out->color[k] = region->color[k];
    if (!mesh->vertex_color || mesh->vertex_count == 0)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the painted surface has no colors: save it with some at its vertices, as .obj "
                    "(v x y z red green blue), .ply (red, green, blue) or .glb (COLOR_0)");
    pliant_result result = PLIANT_OK;
    if (mesh->tet_count) result = pliant_mesh_boundary(mesh, &out->boundary, NULL);
    if (result) return result;
    if (out->boundary) out->surface = out->boundary;
    result = locator_open(out->surface, &out->where);
    return result ? result : check_color(out);
}

void palette_close(palette* p)
{
    locator_close(&p->where);
    pliant_mesh_destroy(p->boundary);
}

static int nearest_corner(const palette* p, const double at[3])
{
    vec3 point = v3(at[0], at[1], at[2]);
    int face = locator_nearest(&p->where, at, INFINITY), nearest = 0;
    if (face < 0) return -1;
    const int* corner = p->surface->triangles + 3 * (ptrdiff_t)face;
    triangle t = triangle_make(p->surface->vertices, corner);
    vec3 place = triangle_nearest(&t, point);
    double least2 = INFINITY;
    for (int k = 0; k < 3; ++k) {
        vec3 way = v3_sub(t.corner[k], place);
        if (v3_dot(way, way) < least2) least2 = v3_dot(way, way), nearest = k;
    }
    return corner[nearest];
}

bool palette_is_at(const palette* p, const double point[3])
{
    int vertex = nearest_corner(p, point);
    return vertex >= 0 && difference(p, vertex) <= p->tolerance;
}
