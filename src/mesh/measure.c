// Sizes, shapes and topology of a mesh.
#include "base/union.h"
#include "math/elementary.h"
#include "mesh/face.h"
#include "mesh/limit.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"
#include "mesh/weld.h"
#include <math.h>

// What the mesh is made of: its tets, or else its triangles, or else its edges.
typedef struct {
    const int* item;
    int count, arity;
} elements;

static elements main_elements(const pliant_mesh* mesh)
{
    const elements tets = {mesh->tets, mesh->tet_count, 4};
    const elements triangles = {mesh->triangles, mesh->triangle_count, 3};
    const elements edges = {mesh->edges, mesh->edge_count, 2};
    return tets.count ? tets : triangles.count ? triangles : edges;
}

static void measure_box(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    if (mesh->vertex_count == 0) return;
    for (int axis = 0; axis < 3; ++axis) {
        q->min[axis] = q->max[axis] = mesh->vertices[axis];
        for (int v = 1; v < mesh->vertex_count; ++v) {
            double x = mesh->vertices[3 * (ptrdiff_t)v + axis];
            q->min[axis] = fmin(q->min[axis], x);
            q->max[axis] = fmax(q->max[axis], x);
        }
    }
}

typedef struct {
    double low, high;
} range;

// Widens the range by the cosines of the six dihedral angles. A face without area has none: it
// counts as folded and as flat.
static void add_dihedral_cosines(const double* vertices, const int tet[4], range* cosine)
{
    point normal[4];
    double length[4];
    for (int f = 0; f < 4; ++f) {
        int corner[3];
        read_tet_face(tet, f, corner);
        normal[f] = triangle_area_vector(vertices, corner);
        length[f] = sqrt(point_dot(normal[f], normal[f]));
    }
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            double product = length[i] * length[j], dot = point_dot(normal[i], normal[j]);
            cosine->low = fmin(cosine->low, product > 0 ? -dot / product : -1);
            cosine->high = fmax(cosine->high, product > 0 ? -dot / product : 1);
        }
}

static void measure_tets(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    range cosine = {1, -1};
    double smallest = INFINITY;
    for (int t = 0; t < mesh->tet_count; ++t) {
        const int* tet = mesh->tets + 4 * (ptrdiff_t)t;
        double volume = tet_volume(mesh->vertices, tet);
        q->volume += volume;
        smallest = fmin(smallest, volume);
        q->inverted_tets += volume < 0;
        q->degenerate_tets += tet_is_degenerate(mesh->vertices, tet);
        add_dihedral_cosines(mesh->vertices, tet, &cosine);
    }
    if (mesh->tet_count == 0) return;
    q->min_tet_volume = smallest;
    q->min_dihedral = degrees_of_cosine(cosine.high);
    q->max_dihedral = degrees_of_cosine(cosine.low);
}

// Edges with one triangle and with more than two.
static pliant_result count_open_edges(const int* triangles, int count, int vertex_count,
                                      pliant_mesh_quality* q)
{
    tuple_list sides;
    bool ok = tuples_allocate(&sides, 2, 3 * count);
    for (int side = 0; ok && side < 3 * count; ++side) {
        const int* triangle = triangles + side / 3 * 3;
        const int ends[2] = {triangle[side % 3], triangle[(side + 1) % 3]};
        tuples_set(&sides, side, ends);
    }
    ok = ok && tuples_sort(&sides, vertex_count);
    for (int first = 0, end; ok && first < sides.count; first = end) {
        end = tuples_run_end(&sides, first);
        q->boundary_edges += end - first == 1;
        q->nonmanifold_edges += end - first > 2;
    }
    tuples_free(&sides);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static double enclosed_volume(const double* vertices, const int* triangles, int count, point origin)
{
    double volume = 0;
    for (int t = 0; t < count; ++t) {
        point corner = vertex_at(vertices, triangles[3 * t]);
        point out = triangle_area_vector(vertices, triangles + 3 * t);
        volume += point_dot(point_between(origin, corner), out) / 3;
    }
    return volume;
}

// Triangles of the surface: the mesh's own, or the boundary of its tets.
static pliant_result measure_surface(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    outer_faces faces = {.triangle = NULL};
    pliant_result result = mesh->tet_count ? find_outer_faces(mesh, &faces) : PLIANT_OK;
    const int* triangles = mesh->tet_count ? faces.triangle : mesh->triangles;
    const int count = mesh->tet_count ? faces.count : mesh->triangle_count;
    if (!result) result = count_open_edges(triangles, count, mesh->vertex_count, q);
    for (int t = 0; !result && t < count; ++t)
        q->area += triangle_area(mesh->vertices, triangles + 3 * t);
    const point middle = {q->min[0] + (q->max[0] - q->min[0]) / 2,
                          q->min[1] + (q->max[1] - q->min[1]) / 2,
                          q->min[2] + (q->max[2] - q->min[2]) / 2};
    if (!result && mesh->tet_count == 0 && q->boundary_edges == 0)
        q->volume = enclosed_volume(mesh->vertices, triangles, count, middle);
    outer_faces_free(&faces);
    for (int t = 0; t < mesh->triangle_count; ++t)
        q->degenerate_triangles += triangle_is_degenerate(mesh->vertices, mesh->triangles + 3 * t);
    return result;
}

// Adds the edges of all elements of one kind.
static int add_edges(tuple_list* list, int next, elements e)
{
    for (int i = 0; i < e.count; ++i) {
        const int* element = e.item + (ptrdiff_t)i * e.arity;
        for (int a = 0; a < e.arity; ++a)
            for (int b = a + 1; b < e.arity; ++b) {
                const int ends[2] = {element[a], element[b]};
                tuples_set(list, next++, ends);
            }
    }
    return next;
}

static pliant_result measure_lengths(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    const elements e = main_elements(mesh);
    tuple_list edges;
    bool ok = tuples_allocate(&edges, 2, e.count * (e.arity * (e.arity - 1) / 2));
    if (ok) add_edges(&edges, 0, e);
    ok = ok && tuples_sort(&edges, mesh->vertex_count);
    double shortest = INFINITY, sum = 0;
    int unique = 0;
    for (int first = 0; ok && first < edges.count; first = tuples_run_end(&edges, first)) {
        const int* ends = edges.item + 2 * (ptrdiff_t)edges.order[first];
        double length = sqrt(squared_distance(mesh->vertices, ends[0], ends[1]));
        shortest = fmin(shortest, length);
        q->longest_edge = fmax(q->longest_edge, length);
        sum += length;
        ++unique;
    }
    tuples_free(&edges);
    if (unique) q->shortest_edge = shortest, q->mean_edge = sum / unique;
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// Particles are balls, each by itself.
static void measure_particles(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    const double pi = 3.14159265358979323846;
    q->components = mesh->vertex_count;
    q->unreferenced_vertices = 0;
    for (int v = 0; mesh->vertex_radius && v < mesh->vertex_count; ++v) {
        double r = mesh->vertex_radius[v];
        q->volume += 4 * pi / 3 * r * r * r;
        q->area += 4 * pi * r * r;
    }
}

static pliant_result count_components(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    int* parent = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    if (!parent) return PLIANT_ERROR_MEMORY;
    const elements e = main_elements(mesh);
    // A vertex is its own root once an element uses it.
    for (int v = 0; v < mesh->vertex_count; ++v) parent[v] = -1;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)e.count * e.arity; ++i) parent[e.item[i]] = e.item[i];
    for (ptrdiff_t i = 0; i < (ptrdiff_t)e.count * e.arity; ++i)
        union_join(parent, e.item[i], e.item[i / e.arity * e.arity]);
    for (int v = 0; v < mesh->vertex_count; ++v) q->components += parent[v] == v;
    mem_free(parent);
    return PLIANT_OK;
}

static void count_uses(int* uses, const int* item, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; ++i) ++uses[item[i]];
}

static pliant_result measure_valence(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    int* uses = (int*)mem_array_zero((size_t)mesh->vertex_count, sizeof(int));
    if (!uses) return PLIANT_ERROR_MEMORY;
    const elements e = main_elements(mesh);
    int used = 0;
    count_uses(uses, e.item, (ptrdiff_t)e.count * e.arity);
    for (int v = 0; v < mesh->vertex_count; ++v) {
        used += uses[v] > 0;
        if (uses[v] > q->max_valence) q->max_valence = uses[v];
    }
    if (used) q->mean_valence = (double)e.count * e.arity / used;
    if (e.arity > 3) count_uses(uses, mesh->triangles, 3 * (ptrdiff_t)mesh->triangle_count);
    if (e.arity > 2) count_uses(uses, mesh->edges, 2 * (ptrdiff_t)mesh->edge_count);
    for (int v = 0; v < mesh->vertex_count; ++v) q->unreferenced_vertices += uses[v] == 0;
    mem_free(uses);
    return PLIANT_OK;
}

static pliant_result count_duplicates(const pliant_mesh* mesh, pliant_mesh_quality* q)
{
    int* first = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    if (!first) return PLIANT_ERROR_MEMORY;
    pliant_result result =
        find_joined(mesh->vertices, mesh->vertex_count, 0, first, &q->duplicate_vertices);
    mem_free(first);
    return result;
}

pliant_result pliant_mesh_measure(const pliant_mesh* mesh, pliant_mesh_quality* out)
{
    if (!REQUIRE(mesh && out)) return PLIANT_ERROR_ARGUMENT;
    const pliant_mesh_quality nothing = {.volume = 0};
    pliant_mesh_quality q = nothing;
    *out = nothing;
    pliant_result result = check_mesh_size(mesh);
    if (result) return result;
    measure_box(mesh, &q);
    measure_tets(mesh, &q);
    result = measure_surface(mesh, &q);
    if (!result) result = measure_lengths(mesh, &q);
    if (!result) result = count_components(mesh, &q);
    if (!result) result = measure_valence(mesh, &q);
    if (!result) result = count_duplicates(mesh, &q);
    if (!result && mesh_is_loose(mesh)) measure_particles(mesh, &q);
    if (!result) *out = q;
    return result;
}
