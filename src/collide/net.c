#include "base/memory.h"
#include "collide/net_build.h"
#include "collide/surface.h"
#include <string.h>

enum { LEAF = 2 };

// ---- the tree -----------------------------------------------------------------------------------

typedef struct {
    const net* of;
    double* middle; // [m] of each triangle, 3 each
    int* order;     // triangles
    net_node* node;
    facet* face;
    int node_count, face_count;
} tree_builder;

static const double* corner_of(const net* n, int triangle, int k)
{
    return n->corner + 3 * (size_t)n->triangle[3 * (size_t)triangle + (size_t)k];
}

static void add_to_box(double low[3], double high[3], const double p[3])
{
    for (int k = 0; k < 3; ++k) {
        if (p[k] < low[k]) low[k] = p[k];
        if (p[k] > high[k]) high[k] = p[k];
    }
}

static void no_box(double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) low[k] = INFINITY, high[k] = -INFINITY;
}

// Before or behind another along an axis; those at one place as they are numbered.
static bool is_before(const tree_builder* b, int axis, int one, int other)
{
    double x = b->middle[3 * (size_t)one + (size_t)axis],
           y = b->middle[3 * (size_t)other + (size_t)axis];
    return x < y || (x == y && one < other);
}

static void swap(int* a, int* b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

// So that the item at `at` is where sorting along the axis would have it, and those before and
// behind it are on their sides (Hoare's selection).
static void part_at(tree_builder* b, int first, int last, int at, int axis)
{
    int *list = b->order, low = first, high = last - 1;
    while (low < high) {
        int pivot = list[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (is_before(b, axis, list[i], pivot)) ++i;
            while (is_before(b, axis, pivot, list[j])) --j;
            if (i > j) break;
            swap(&list[i++], &list[j--]);
        }
        if (at <= j)
            high = j;
        else if (at >= i)
            low = i;
        else
            return;
    }
}

static void fill_facet(const net* n, int triangle, facet* out)
{
    double u[3], v[3];
    for (int k = 0; k < 3; ++k)
        memcpy(out->corner[k], corner_of(n, triangle, k), sizeof out->corner[k]);
    from_to(out->corner[0], out->corner[1], u);
    from_to(out->corner[0], out->corner[2], v);
    cross3(u, v, out->normal);
    double length = sqrt(dot3(out->normal, out->normal));
    for (int k = 0; k < 3; ++k) out->normal[k] /= length;
}

// Halves of about the same number, along the axis in which they are spread the most.
static void add_node(tree_builder* b, int first, int last)
{
    net_node* n = &b->node[b->node_count++];
    double low[3], high[3];
    no_box(low, high);
    memset(n, 0, sizeof *n);
    no_box(n->low, n->high);
    for (int i = first; i < last; ++i) {
        add_to_box(low, high, b->middle + 3 * (size_t)b->order[i]);
        for (int k = 0; k < 3; ++k) add_to_box(n->low, n->high, corner_of(b->of, b->order[i], k));
    }
    if (last - first <= LEAF) {
        n->first = b->face_count;
        n->count = last - first;
        for (int i = first; i < last; ++i)
            fill_facet(b->of, b->order[i], &b->face[b->face_count++]);
    } else {
        int axis = 0, middle = first + (last - first) / 2;
        for (int k = 1; k < 3; ++k)
            if (high[k] - low[k] > high[axis] - low[axis]) axis = k;
        part_at(b, first, last, middle, axis);
        add_node(b, first, middle);
        add_node(b, middle, last);
    }
    n->next = b->node_count;
}

static pliant_result make_tree(net* n)
{
    size_t count = (size_t)n->triangle_count, nodes = 2 * count;
    tree_builder b = {.of = n};
    n->data = mem_alloc_zero(nodes * sizeof(net_node) + count * sizeof(facet));
    b.middle = (double*)mem_array(count, 3 * sizeof *b.middle);
    b.order = (int*)mem_array(count, sizeof *b.order);
    b.face = (facet*)mem_array(count, sizeof *b.face);
    bool good = n->data && b.middle && b.order && b.face;
    for (int i = 0; i < n->triangle_count && good; ++i) {
        b.order[i] = i;
        for (int k = 0; k < 3; ++k)
            b.middle[3 * (size_t)i + (size_t)k] =
                (corner_of(n, i, 0)[k] + corner_of(n, i, 1)[k] + corner_of(n, i, 2)[k]) / 3;
    }
    if (good) {
        b.node = (net_node*)n->data;
        add_node(&b, 0, n->triangle_count);
        n->node_count = b.node_count;
        memcpy(b.node + b.node_count, b.face, count * sizeof(facet));
        n->bytes = (size_t)b.node_count * sizeof(net_node) + count * sizeof(facet);
    }
    mem_free(b.middle);
    mem_free(b.order);
    mem_free(b.face);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- the triangles ------------------------------------------------------------------------------

static pliant_result check_places(const net* n)
{
    for (size_t i = 0; i < 3 * (size_t)n->corner_count; ++i)
        if (!(fabs(n->corner[i]) <= 1e30))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a vertex of the collider is at %g m along %c: numbers within 1e30 m are "
                        "needed",
                        n->corner[i], "xyz"[i % 3]);
    return PLIANT_OK;
}

// Narrower than 2^-30 of its length, a triangle has no direction.
static pliant_result check_triangles(const net* n)
{
    for (int i = 0; i < n->triangle_count; ++i) {
        double u[3], v[3], area[3], longest = 0;
        for (int k = 0; k < 3; ++k)
            longest = fmax(longest, distance2(corner_of(n, i, k), corner_of(n, i, (k + 1) % 3)));
        from_to(corner_of(n, i, 0), corner_of(n, i, 1), u);
        from_to(corner_of(n, i, 0), corner_of(n, i, 2), v);
        cross3(u, v, area);
        if (dot3(area, area) > 0x1p-60 * longest * longest) continue;
        const double* p = corner_of(n, i, 0);
        return fail(PLIANT_ERROR_ARGUMENT,
                    "triangle %d of the collider, at (%g, %g, %g) m, has no area: clean the mesh "
                    "first (pliant mesh FILE --drop-degenerate -o CLEAN)",
                    i, p[0], p[1], p[2]);
    }
    return PLIANT_OK;
}

static void measure(net* n)
{
    double sum = 0;
    no_box(n->low, n->high);
    for (int i = 0; i < n->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            add_to_box(n->low, n->high, corner_of(n, i, k));
            sum += sqrt(distance2(corner_of(n, i, k), corner_of(n, i, (k + 1) % 3)));
        }
    n->mean_edge = sum / (3.0 * n->triangle_count);
}

pliant_result net_create(const pliant_mesh* mesh, net* out)
{
    surface s;
    *out = (net){0};
    pliant_result result = surface_weld(mesh, &s);
    if (result) return result;
    out->corner = s.vertex;
    out->triangle = s.triangle;
    out->corner_count = s.vertex_count;
    out->triangle_count = s.triangle_count;
    result = check_places(out);
    if (!result) result = check_triangles(out);
    if (!result) result = make_tree(out);
    if (!result) measure(out);
    if (result) net_destroy(out);
    return result;
}

void net_destroy(net* n)
{
    if (!n) return;
    mem_free(n->corner);
    mem_free(n->triangle);
    mem_free(n->data);
    *n = (net){0};
}
