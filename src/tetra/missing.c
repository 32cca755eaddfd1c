#define PRECISION_DOUBLE
#include "tetra/missing.h"
#include "base/union.h"

typedef struct {
    missing_scale scale;
    tree boundary; // of the mesh, in units of the scale
    double area;   // [m^2] of all solids' surfaces
    // Of one solid:
    const solid* solid;
    double* distance; // [m] of each vertex of the surface that sticks out; else 0
    int* part;        // union of those along edges
} search;

// ---- distances ----------------------------------------------------------------------------------

static vec3 scaled(const missing_scale* s, const double world[3])
{
    return v3((world[0] - s->center[0]) / s->size, (world[1] - s->center[1]) / s->size,
              (world[2] - s->center[2]) / s->size);
}

static bool plant_boundary(search* a, const pliant_mesh* boundary)
{
    double* x = (double*)mem_array(3 * (size_t)boundary->vertex_count, sizeof *x);
    if (!x) return false;
    for (int v = 0; v < boundary->vertex_count; ++v) {
        vec3 p = scaled(&a->scale, boundary->vertices + 3 * (ptrdiff_t)v);
        x[3 * (ptrdiff_t)v] = p.x, x[3 * (ptrdiff_t)v + 1] = p.y, x[3 * (ptrdiff_t)v + 2] = p.z;
    }
    bool ok = tree_create(x, boundary->triangles, boundary->triangle_count, &a->boundary);
    mem_free(x);
    return ok;
}

static void world_place(const solid* s, int v, double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = s->center[k] + s->size * s->surface->vertices[3 * (ptrdiff_t)v + k];
}

enum { VERTICES_A_TASK = 256 };
static const double FARTHEST = 4; // in units of the scale

// What is buried in the mesh is not missing.
static void measure_task(int task, void* argument)
{
    const search* a = (const search*)argument;
    double edge = a->scale.edge / a->scale.size, world[3];
    int end = (task + 1) * VERTICES_A_TASK, count = a->solid->surface->vertex_count;
    for (int v = task * VERTICES_A_TASK; v < end && v < count; ++v) {
        world_place(a->solid, v, world);
        vec3 point = scaled(&a->scale, world);
        bool near = tree_distance(&a->boundary, point, edge, NULL) < edge;
        bool out = !near && tree_winding(&a->boundary, point) < 0.5;
        a->distance[v] =
            out ? a->scale.size * tree_distance(&a->boundary, point, FARTHEST, NULL) : 0;
    }
}

// ---- parts --------------------------------------------------------------------------------------

static const int* corners_of(const search* a, int t)
{
    return a->solid->surface->triangles + 3 * (ptrdiff_t)t;
}

// A corner of the triangle that sticks out, or -1.
static int missing_corner(const search* a, int t)
{
    for (int k = 0; k < 3; ++k)
        if (a->distance[corners_of(a, t)[k]] > 0) return corners_of(a, t)[k];
    return -1;
}

// [m^2]
static double area_of(const search* a, int t)
{
    triangle shape = triangle_make(a->solid->surface->vertices, corners_of(a, t));
    vec3 area = v3_cross(shape.edge[0], shape.edge[1]);
    return 0.5 * sqrt(v3_dot(area, area)) * a->solid->size * a->solid->size;
}

// Triangles with some corners that stick out count in part.
static void join_parts(search* a, missing_report* out)
{
    int vertices = a->solid->surface->vertex_count;
    union_start(a->part, vertices);
    for (int t = 0; t < a->solid->surface->triangle_count; ++t) {
        int first = missing_corner(a, t);
        for (int k = 0; k < 3 && first >= 0; ++k) {
            int corner = corners_of(a, t)[k];
            if (!(a->distance[corner] > 0)) continue;
            union_join(a->part, first, corner);
            out->share += area_of(a, t) / 3 / a->area;
        }
    }
    for (int v = 0; v < vertices; ++v)
        out->parts += a->distance[v] > 0 && union_root(a->part, v) == v;
}

// -1 if nothing is missing.
static int find_farthest(const search* a)
{
    int farthest = -1;
    double most = 0;
    for (int v = 0; v < a->solid->surface->vertex_count; ++v)
        if (a->distance[v] > most) farthest = v, most = a->distance[v];
    return farthest;
}

// From the middle of the part's largest triangle to the other side [m].
static double thickness_of(search* a, int root)
{
    enum { STEPS = 100 };
    const solid* s = a->solid;
    int largest = -1;
    for (int t = 0; t < s->surface->triangle_count; ++t) {
        int corner = missing_corner(a, t);
        if (corner < 0 || union_root(a->part, corner) != root) continue;
        if (largest < 0 || area_of(a, t) > area_of(a, largest)) largest = t;
    }
    if (largest < 0) return 0; // a vertex without triangles
    triangle face = triangle_make(s->surface->vertices, corners_of(a, largest));
    vec3 middle = v3_scale(1.0 / 3, v3_add(face.corner[0], v3_add(face.corner[1], face.corner[2])));
    double step = 2 * a->scale.edge / s->size / STEPS;
    int i = 1;
    while (i < STEPS && tree_winding(&s->tree, v3_add_scaled(middle, -i * step, face.normal)) > 0.5)
        ++i;
    return i * step * s->size;
}

static void report(search* a, missing_report* out)
{
    join_parts(a, out);
    int v = find_farthest(a);
    if (v < 0 || a->distance[v] < out->distance) return;
    out->distance = a->distance[v];
    out->thickness = thickness_of(a, union_root(a->part, v));
    world_place(a->solid, v, out->place);
}

static bool search_solid(search* a, const solid* s, workers* threads, missing_report* out)
{
    int count = s->surface->vertex_count;
    a->solid = s;
    a->distance = (double*)mem_array((size_t)count, sizeof *a->distance);
    a->part = (int*)mem_array((size_t)count, sizeof *a->part);
    bool ok = a->distance && a->part;
    if (ok) {
        workers_run(threads, measure_task, a, (count + VERTICES_A_TASK - 1) / VERTICES_A_TASK);
        report(a, out);
    }
    mem_free(a->distance);
    mem_free(a->part);
    return ok;
}

pliant_result find_missing(const solid_list* solids, const missing_scale* scale, workers* threads,
                           const pliant_mesh* mesh, missing_report* out)
{
    *out = (missing_report){0};
    pliant_mesh* boundary = NULL;
    pliant_result result = pliant_mesh_boundary(mesh, &boundary, NULL);
    if (result) return result;
    search a = {.scale = *scale};
    bool ok = plant_boundary(&a, boundary);
    pliant_mesh_destroy(boundary);
    if (!ok) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < solids->count; ++i)
        a.area += solids->solid[i].area * solids->solid[i].size * solids->solid[i].size;
    for (int i = 0; i < solids->count && ok; ++i)
        ok = search_solid(&a, &solids->solid[i], threads, out);
    tree_destroy(&a.boundary);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
