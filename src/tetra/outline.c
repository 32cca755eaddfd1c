#define PRECISION_DOUBLE
#include "tetra/outline.h"
#include "base/union.h"

static vec3 scaled(const outline_scale* s, const double world[3])
{
    return v3((world[0] - s->center[0]) / s->size, (world[1] - s->center[1]) / s->size,
              (world[2] - s->center[2]) / s->size);
}

bool outline_create(const outline_scale* scale, const pliant_mesh* boundary, outline* out)
{
    *out = (outline){.scale = *scale, .boundary = boundary};
    out->place = (double*)mem_array(3 * (size_t)boundary->vertex_count, sizeof *out->place);
    if (!out->place) return false;
    for (int v = 0; v < boundary->vertex_count; ++v) {
        vec3 p = scaled(scale, boundary->vertices + 3 * (ptrdiff_t)v);
        double* x = out->place + 3 * (ptrdiff_t)v;
        x[0] = p.x, x[1] = p.y, x[2] = p.z;
    }
    return tree_create(out->place, boundary->triangles, boundary->triangle_count, &out->tree);
}

void outline_destroy(outline* o)
{
    mem_free(o->place);
    tree_destroy(&o->tree);
}

triangle outline_face(const outline* o, int face)
{
    return triangle_make(o->place, o->boundary->triangles + 3 * (ptrdiff_t)face);
}

bool outline_is_near(const outline* o, const solid* s, vec3 place, vec3 own, double most,
                     double anywhere)
{
    double edge = o->scale.edge / o->scale.size, finer = o->scale.size / s->size;
    int nearest;
    double distance = tree_distance(&o->tree, place, most * edge, &nearest);
    if (nearest < 0 || distance < anywhere * edge) return nearest >= 0;
    triangle face = outline_face(o, nearest);
    vec3 half = v3_scale(0.5, v3_sub(triangle_nearest(&face, place), place));
    return tree_winding(&s->tree, v3_add_scaled(own, finer, half)) > 0.5;
}

// ---- what sticks out ----------------------------------------------------------------------------

enum { VERTICES_A_TASK = 256 };
static const double FARTHEST = 4;  // in units of the scale
static const double CUT_OFF = 0.6; // in edges: as far as a corner may be that was cut off

typedef struct {
    const outline* outline;
    const solid* solid;
    double* distance;
} measuring;

// What is buried in the mesh does not stick out.
static void measure_task(int task, void* argument)
{
    const measuring* a = (const measuring*)argument;
    const outline_scale* scale = &a->outline->scale;
    const tree* boundary = &a->outline->tree;
    const solid* s = a->solid;
    int end = (task + 1) * VERTICES_A_TASK, count = s->surface->vertex_count;
    for (int v = task * VERTICES_A_TASK; v < end && v < count; ++v) {
        const double* own = s->surface->vertices + 3 * (ptrdiff_t)v;
        double world[3];
        for (int k = 0; k < 3; ++k) world[k] = s->center[k] + s->size * own[k];
        vec3 point = scaled(scale, world);
        bool near = outline_is_near(a->outline, s, point, v3(own[0], own[1], own[2]), 1, CUT_OFF);
        bool out = !near && tree_winding(boundary, point) < 0.5;
        a->distance[v] = out ? scale->size * tree_distance(boundary, point, FARTHEST, NULL) : 0;
    }
}

int protruding_corner(const protrusions* p, const int corner[3])
{
    for (int k = 0; k < 3; ++k)
        if (p->distance[corner[k]] > 0) return corner[k];
    return -1;
}

// Along the triangles.
static void join_parts(const pliant_mesh* surface, protrusions* p)
{
    union_start(p->part, surface->vertex_count);
    for (int t = 0; t < surface->triangle_count; ++t) {
        const int* corner = surface->triangles + 3 * (ptrdiff_t)t;
        int first = protruding_corner(p, corner);
        for (int k = 0; k < 3 && first >= 0; ++k)
            if (p->distance[corner[k]] > 0) union_join(p->part, first, corner[k]);
    }
    // Roots are the lowest of their sets: they are numbered before the others look at them.
    for (int v = 0; v < surface->vertex_count; ++v) {
        int parent = p->part[v];
        bool first = parent == v && p->distance[v] > 0;
        p->part[v] = first ? p->count++ : p->distance[v] > 0 ? p->part[parent] : -1;
    }
}

bool protrusions_find(const outline* o, const solid* s, workers* threads, protrusions* out)
{
    int count = s->surface->vertex_count;
    out->count = 0;
    out->distance = (double*)mem_array((size_t)count, sizeof *out->distance);
    out->part = (int*)mem_array((size_t)count, sizeof *out->part);
    if (!out->distance || !out->part) {
        protrusions_release(out);
        return false;
    }
    measuring a = {o, s, out->distance};
    workers_run(threads, measure_task, &a, (count + VERTICES_A_TASK - 1) / VERTICES_A_TASK);
    join_parts(s->surface, out);
    return true;
}

void protrusions_release(protrusions* p)
{
    mem_free(p->distance);
    mem_free(p->part);
    *p = (protrusions){0};
}
