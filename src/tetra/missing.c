#define PRECISION_DOUBLE
#include "tetra/missing.h"

typedef struct {
    const outline* outline;
    const solid* solid;
    protrusions found;
    double area; // [m^2] of all solids' surfaces
} search;

static const int* corners_of(const search* a, int t)
{
    return a->solid->surface->triangles + 3 * (ptrdiff_t)t;
}

// [m^2]
static double area_of(const search* a, int t)
{
    triangle shape = triangle_make(a->solid->surface->vertices, corners_of(a, t));
    return triangle_area(&shape) * a->solid->size * a->solid->size;
}

// Triangles with some corners that stick out count in part.
static void count_parts(const search* a, missing_report* out)
{
    for (int t = 0; t < a->solid->surface->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            if (a->found.distance[corners_of(a, t)[k]] > 0)
                out->share += area_of(a, t) / 3 / a->area;
    out->parts += a->found.count;
}

// -1 if nothing is missing.
static int find_farthest(const search* a)
{
    int farthest = -1;
    double most = 0;
    for (int v = 0; v < a->solid->surface->vertex_count; ++v)
        if (a->found.distance[v] > most) farthest = v, most = a->found.distance[v];
    return farthest;
}

enum { STEPS = 100 }; // to two edges

// From the middle of a triangle to the other side, in steps.
static int steps_through(const search* a, int t, double step)
{
    const solid* s = a->solid;
    triangle face = triangle_make(s->surface->vertices, corners_of(a, t));
    vec3 middle = triangle_middle(&face);
    int i = 1;
    while (i < STEPS && tree_winding(&s->tree, v3_add_scaled(middle, -i * step, face.normal)) > 0.5)
        ++i;
    return i;
}

static bool is_of(const search* a, int t, int part)
{
    int corner = protruding_corner(&a->found, corners_of(a, t));
    return corner >= 0 && a->found.part[corner] == part;
}

// What half of a part's area has at least [m]: where it ends in a point or an edge, no
// tets would be small enough. Some hundred of its triangles tell.
static double thickness_of(const search* a, int part)
{
    enum { SAMPLES = 400 };
    static const double THINNER = 0.5; // of the area
    const solid* s = a->solid;
    double area[STEPS + 1] = {0}, all = 0, sum = 0; // by thickness
    double step = 2 * a->outline->scale.edge / s->size / STEPS;
    int count = 0, seen = 0, i = 0;
    for (int t = 0; t < s->surface->triangle_count; ++t) count += is_of(a, t, part);
    for (int t = 0; t < s->surface->triangle_count; ++t) {
        if (!is_of(a, t, part) || seen++ % (count / SAMPLES + 1)) continue;
        all += area_of(a, t);
        area[steps_through(a, t, step)] += area_of(a, t);
    }
    while (i < STEPS && !(sum > THINNER * all)) sum += area[++i];
    return all > 0 ? i * step * s->size : 0; // 0: a vertex without triangles
}

static void report(const search* a, missing_report* out)
{
    const solid* s = a->solid;
    count_parts(a, out);
    int v = find_farthest(a);
    if (v < 0 || a->found.distance[v] < out->distance) return;
    out->distance = a->found.distance[v];
    out->thickness = thickness_of(a, a->found.part[v]);
    for (int k = 0; k < 3; ++k)
        out->place[k] = s->center[k] + s->size * s->surface->vertices[3 * (ptrdiff_t)v + k];
}

pliant_result find_missing(const solid_list* solids, const outline_scale* scale, workers* threads,
                           const pliant_mesh* mesh, missing_report* out)
{
    *out = (missing_report){0};
    pliant_mesh* boundary = NULL;
    outline border;
    pliant_result result = pliant_mesh_boundary(mesh, &boundary, NULL);
    if (result) return result;
    bool ok = outline_create(scale, boundary, &border);
    search a = {.outline = &border};
    for (int i = 0; i < solids->count; ++i)
        a.area += solids->solid[i].area * solids->solid[i].size * solids->solid[i].size;
    for (int i = 0; i < solids->count && ok; ++i) {
        a.solid = &solids->solid[i];
        ok = protrusions_find(&border, a.solid, threads, &a.found);
        if (ok) report(&a, out);
        protrusions_release(&a.found);
    }
    outline_destroy(&border);
    pliant_mesh_destroy(boundary);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
