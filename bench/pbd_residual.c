#include "bench/pbd_residual.h"
#include "base/memory.h"
#include "mesh/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_edges(const void* left, const void* right)
{
    const int *a = (const int*)left, *b = (const int*)right;
    int k = a[0] == b[0];
    return a[k] < b[k] ? -1 : a[k] > b[k];
}

pliant_result pbd_take_edges(const pliant_mesh_arrays* from, pliant_mesh** out)
{
    int corners = from->tet_count ? 4 : 3, count = 0, kept = 0;
    int elements = from->tet_count ? from->tet_count : from->triangle_count;
    const int* element = from->tet_count ? from->tets : from->triangles;
    int* edge = (int*)mem_array((size_t)elements * 6, 2 * sizeof(int));
    if (!edge) return PLIANT_ERROR_MEMORY;
    for (int e = 0; e < elements; ++e)
        for (int i = 0; i < corners; ++i)
            for (int k = 0; k < i; ++k) {
                int a = element[corners * e + i], b = element[corners * e + k];
                edge[2 * count] = a < b ? a : b;
                edge[2 * count++ + 1] = a < b ? b : a;
            }
    qsort(edge, (size_t)count, 2 * sizeof(int), compare_edges);
    for (int i = 0; i < count; ++i) {
        if (i > 0 && compare_edges(edge + 2 * i, edge + 2 * i - 2) == 0) continue;
        memmove(edge + 2 * (size_t)kept++, edge + 2 * (size_t)i, 2 * sizeof(int));
    }
    pliant_mesh_arrays arrays = {.vertices = from->vertices,
                                 .vertex_count = from->vertex_count,
                                 .edges = edge,
                                 .edge_count = kept};
    pliant_result result = pliant_mesh_create(&arrays, out);
    mem_free(edge);
    return result;
}

double pbd_residual(const pliant_mesh_arrays* m, const double* x)
{
    double sum = 0;
    for (int e = 0; e < m->edge_count; ++e) {
        int a = m->edges[2 * e], b = m->edges[2 * e + 1];
        double off = sqrt(squared_distance(x, a, b) / squared_distance(m->vertices, a, b)) - 1;
        sum += off * off;
    }
    for (int t = 0; t < m->tet_count; ++t) {
        const int* corner = m->tets + 4 * (ptrdiff_t)t;
        double off = tet_volume(x, corner) / tet_volume(m->vertices, corner) - 1;
        sum += off * off;
    }
    double residual = sqrt(sum / (m->edge_count + m->tet_count));
    return isfinite(residual) ? residual : (double)INFINITY;
}
