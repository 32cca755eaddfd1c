// What of a surface is outside of all of its parts.
#pragma once
#ifndef PRECISION_DOUBLE
#error "trees are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/tree.h"
#include "meshes.h"

static inline double outer_area(const pliant_mesh* surface)
{
    pliant_mesh_arrays a = pliant_mesh_view(surface);
    double area = 0, least = INFINITY, most = -INFINITY;
    double* x = (double*)malloc(3 * sizeof(double) * (size_t)a.vertex_count);
    tree all;
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)a.vertex_count; ++i)
        least = fmin(least, a.vertices[i]), most = fmax(most, a.vertices[i]);
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)a.vertex_count; ++i)
        x[i] = a.vertices[i] / (most - least);
    assert_true(tree_create(x, a.triangles, a.triangle_count, &all));
    for (int i = 0; i < a.triangle_count; ++i) {
        triangle t = triangle_make(x, a.triangles + 3 * (ptrdiff_t)i);
        vec3 before = v3_add_scaled(triangle_middle(&t), 1e-4, t.normal);
        if (tree_winding(&all, before) < 0.5) area += triangle_area(&t);
    }
    tree_destroy(&all);
    free(x);
    return area * (most - least) * (most - least);
}
