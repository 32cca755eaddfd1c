#define PRECISION_DOUBLE
#include "tetra/stalks.h"
#include "math/direction.h"
#include "tetra/ground.h"

// ---- courses ------------------------------------------------------------------------------------

// Parts of the surface that stick out, each with the course of a stalk.
typedef struct {
    const solid* solid;
    const outline* outline;
    protrusions found;
    int* tip;     // of each part: the vertex farthest from the mesh
    vec3* middle; // mean place of its triangles, by area
    vec3* edges;  // of its tip: the mean of their directions
    double* area;
    stalk* stalk;
} courses;

static void courses_release(courses* c)
{
    protrusions_release(&c->found);
    mem_free(c->tip);
    mem_free(c->middle);
    mem_free(c->edges);
    mem_free(c->area);
    mem_free(c->stalk);
}

static void find_tips(courses* c)
{
    for (int i = 0; i < c->found.count; ++i) c->tip[i] = -1;
    for (int v = 0; v < c->solid->surface->vertex_count; ++v) {
        if (c->found.part[v] < 0) continue;
        int* tip = &c->tip[c->found.part[v]];
        if (*tip < 0 || c->found.distance[v] > c->found.distance[*tip]) *tip = v;
    }
}

static void find_middles(courses* c)
{
    const pliant_mesh* surface = c->solid->surface;
    for (int t = 0; t < surface->triangle_count; ++t) {
        const int* corner = surface->triangles + 3 * (ptrdiff_t)t;
        int first = protruding_corner(&c->found, corner);
        if (first < 0) continue;
        triangle shape = triangle_make(surface->vertices, corner);
        double area = triangle_area(&shape);
        int i = c->found.part[first];
        c->area[i] += area;
        for (int k = 0; k < 3; ++k)
            c->middle[i] = v3_add_scaled(c->middle[i], area / 3, shape.corner[k]);
    }
    for (int i = 0; i < c->found.count; ++i)
        if (c->area[i] > 0) c->middle[i] = v3_scale(1 / c->area[i], c->middle[i]);
}

static vec3 surface_vertex(const solid* s, int v)
{
    const double* x = s->surface->vertices + 3 * (ptrdiff_t)v;
    return v3(x[0], x[1], x[2]);
}

// A tip is convex: between its edges it goes inward.
static void find_edges(courses* c)
{
    const pliant_mesh* surface = c->solid->surface;
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)surface->triangle_count; ++i) {
        int v = surface->triangles[i], part = c->found.part[v];
        if (part < 0 || c->tip[part] != v) continue;
        for (int k = 1; k < 3; ++k) {
            vec3 end = surface_vertex(c->solid, surface->triangles[i / 3 * 3 + (i + k) % 3]);
            vec3 edge = v3_unit(v3_sub(end, surface_vertex(c->solid, v)));
            c->edges[part] = v3_add(c->edges[part], edge);
        }
    }
}

static void follow_task(int i, void* argument)
{
    const courses* c = (const courses*)argument;
    vec3 tip = surface_vertex(c->solid, c->tip[i]);
    const vec3 inward[STARTS] = {v3_unit(v3_sub(c->middle[i], tip)), v3_unit(c->edges[i])};
    stalk_follow(c->solid, c->outline, tip, inward, &c->stalk[i]);
}

static bool courses_find(const solid* s, const outline* o, workers* threads, courses* c)
{
    *c = (courses){.solid = s, .outline = o};
    if (!protrusions_find(o, s, threads, &c->found)) return false;
    size_t count = (size_t)c->found.count;
    c->tip = (int*)mem_array(count, sizeof *c->tip);
    c->middle = (vec3*)mem_array_zero(count, sizeof *c->middle);
    c->edges = (vec3*)mem_array_zero(count, sizeof *c->edges);
    c->area = (double*)mem_array_zero(count, sizeof *c->area);
    c->stalk = (stalk*)mem_array(count, sizeof *c->stalk);
    if (!c->tip || !c->middle || !c->edges || !c->area || !c->stalk) return false;
    find_tips(c);
    find_middles(c);
    find_edges(c);
    workers_run(threads, follow_task, c, c->found.count);
    return true;
}

// ---- all ----------------------------------------------------------------------------------------

static pliant_result grow_round(const site* at, workers* threads, pliant_mesh** mesh,
                                stalks_report* out)
{
    courses c;
    ground g = {0};
    pliant_result result = PLIANT_ERROR_MEMORY;
    if (courses_find(at->solid, at->outline, threads, &c) &&
        ground_create(at, *mesh, c.stalk, c.found.count, &g)) {
        for (int i = 0; i < c.found.count; ++i) ground_grow(&g, &c.stalk[i]);
        result = g.stalks ? ground_append(&g, mesh) : PLIANT_OK;
    }
    *out = (stalks_report){g.stalks, ground_tets(&g), c.found.count - g.stalks};
    courses_release(&c);
    ground_destroy(&g);
    return result;
}

// Branches of stalks are found when the stalks are there.
pliant_result grow_stalks(const stalks_options* o, pliant_mesh** mesh, stalks_report* out)
{
    enum { ROUNDS = 3 };
    const solid* s = o->solid;
    outline_scale scale = {{s->center[0], s->center[1], s->center[2]}, s->size, o->edge};
    pliant_result result = PLIANT_OK;
    stalks_report round = {.stalks = 1};
    for (int i = 0; i < ROUNDS && round.stalks > 0 && !result && (*mesh)->tet_count; ++i) {
        pliant_mesh* boundary = NULL;
        outline border = {0};
        int* vertex = (int*)mem_array((size_t)(*mesh)->vertex_count, sizeof *vertex);
        const site at = {s, &border, vertex, o->most_valence};
        result = vertex ? pliant_mesh_boundary(*mesh, &boundary, vertex) : PLIANT_ERROR_MEMORY;
        if (!result && !outline_create(&scale, boundary, &border)) result = PLIANT_ERROR_MEMORY;
        if (!result) result = grow_round(&at, o->threads, mesh, &round);
        outline_destroy(&border);
        pliant_mesh_destroy(boundary);
        mem_free(vertex);
        out->stalks += round.stalks, out->tets += round.tets, out->left = round.left;
    }
    return result;
}
