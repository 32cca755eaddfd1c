#include "mesh/weld.h"
#include "base/hash.h"
#include "mesh/shape.h"

// A hashed grid of the vertices that join nobody: chains of vertices per bucket.
typedef struct {
    const double* vertices;
    double distance, low[3];
    int *head, *next;
    uint64_t mask;
} weld_grid;

// Cells as wide as the distance; with distance 0 the place itself. A cell's coordinates are whole
// numbers kept as doubles, so that no distance is too small for the grid.
static void cell_of(const weld_grid* g, int vertex, double out[3])
{
    const double* p = g->vertices + 3 * (ptrdiff_t)vertex;
    for (int axis = 0; axis < 3; ++axis) {
        double offset = p[axis] - g->low[axis];
        out[axis] = g->distance > 0 ? floor(offset / g->distance) : p[axis] + 0.0; // no -0
    }
}

static int* bucket_of(const weld_grid* g, const double cell[3])
{
    return g->head + (hash_bytes(HASH_SEED, cell, 3 * sizeof(double)) & g->mask);
}

static bool is_near(const weld_grid* g, int a, int b)
{
    if (!(g->distance > 0)) return same_place(g->vertices, a, b);
    return squared_distance(g->vertices, a, b) <= g->distance * g->distance;
}

// The lowest-numbered vertex near `vertex` in the chain of one cell, or `best`.
static int search_cell(const weld_grid* g, const double cell[3], int vertex, int best)
{
    for (int other = *bucket_of(g, cell); other >= 0; other = g->next[other])
        if (other < best && is_near(g, other, vertex)) best = other;
    return best;
}

static int search(const weld_grid* g, const double cell[3], int vertex)
{
    if (!(g->distance > 0)) return search_cell(g, cell, vertex, vertex);
    int best = vertex;
    for (int i = 0; i < 27; ++i) {
        const double near[3] = {cell[0] + i % 3 - 1, cell[1] + i / 3 % 3 - 1, cell[2] + i / 9 - 1};
        best = search_cell(g, near, vertex, best);
    }
    return best;
}

static void fit_grid(weld_grid* g, int count)
{
    double extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double low = INFINITY, high = -INFINITY;
        for (int v = 0; v < count; ++v) {
            low = fmin(low, g->vertices[3 * (ptrdiff_t)v + axis]);
            high = fmax(high, g->vertices[3 * (ptrdiff_t)v + axis]);
        }
        g->low[axis] = low;
        extent = fmax(extent, high - low);
    }
    if (g->distance > 0 && !isfinite(extent / g->distance)) g->distance = 0;
    for (uint64_t i = 0; i <= g->mask; ++i) g->head[i] = -1;
}

pliant_result find_joined(const double* vertices, int count, double distance, int* out_first,
                          int* out_joined)
{
    weld_grid g = {.vertices = vertices, .distance = distance, .mask = 1};
    while (g.mask < (uint64_t)count) g.mask = 2 * g.mask + 1;
    g.head = (int*)mem_array((size_t)g.mask + 1, sizeof(int));
    g.next = (int*)mem_array((size_t)count, sizeof(int));
    const bool ok = g.head && g.next;
    *out_joined = 0;
    if (ok) fit_grid(&g, count);
    for (int v = 0; ok && v < count; ++v) {
        double cell[3];
        cell_of(&g, v, cell);
        out_first[v] = search(&g, cell, v);
        if (out_first[v] != v) {
            ++*out_joined;
            continue;
        }
        int* bucket = bucket_of(&g, cell);
        g.next[v] = *bucket;
        *bucket = v;
    }
    mem_free(g.head);
    mem_free(g.next);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
