#define PRECISION_DOUBLE
#include "skin/bind.h"
#include "geometry/tet_tree.h"
#include "skin/lever.h"
#include "world/residency.h"
#include <limits.h>
#include <string.h>

// ---- what carries -------------------------------------------------------------------------------

// Of the elements that carry; 0: there are none.
static int corners_of(const body* b)
{
    const pliant_mesh* m = b->asset->mesh;
    return m->tet_count ? 4 : m->triangle_count ? 3 : b->asset->clusters.count ? 1 : 0;
}

static pliant_result check_kinds(body* const* bodies, int count)
{
    int corners = corners_of(bodies[0]);
    for (int i = 0; i < count; ++i) {
        if (corners_of(bodies[i]) == 0)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a skin needs bodies with tets, cloth or clusters of particles: body %d of "
                        "it has none of them",
                        i);
        if (corners_of(bodies[i]) != corners)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "the bodies of a skin are all of tets, all cloth or all particles, and "
                        "bodies 0 and %d of it differ: make a skin for each",
                        i);
    }
    return PLIANT_OK;
}

// NULL: each particle is one.
static const int* elements_of(const pliant_mesh* m, int* out_count)
{
    *out_count = m->tet_count       ? m->tet_count
                 : mesh_is_loose(m) ? m->vertex_count
                                    : m->triangle_count;
    return m->tet_count ? m->tets : mesh_is_loose(m) ? NULL : m->triangles;
}

static pliant_result count_elements(body* const* bodies, int count, carrier_pose* p)
{
    int64_t vertices = 0, elements = 0;
    pliant_result result = check_kinds(bodies, count);
    if (result) return result;
    for (int i = 0; i < count; ++i) {
        int own;
        elements_of(bodies[i]->asset->mesh, &own);
        vertices += bodies[i]->asset->mesh->vertex_count;
        elements += own;
    }
    if (vertices > INT_MAX / 8 || elements > INT_MAX / 8)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the bodies of a skin have too many elements together");
    p->corners = corners_of(bodies[0]);
    p->vertex_count = (int)vertices;
    p->element_count = (int)elements;
    p->body_count = count;
    return PLIANT_OK;
}

static void read_vertices(const body* b, bool in_world, double* out)
{
    const pliant_mesh* m = b->asset->mesh;
    for (int i = 0; in_world && i < m->vertex_count; ++i)
        state_read_position(&b->s, i, out + 3 * (size_t)i);
    if (!in_world) memcpy(out, m->vertices, 3 * (size_t)m->vertex_count * sizeof(double));
}

static double edge_length(const carrier_pose* p, int a, int b)
{
    double square = 0;
    for (size_t k = 0; k < 3; ++k) {
        double d = p->vertex[3 * (size_t)a + k] - p->vertex[3 * (size_t)b + k];
        square += d * d;
    }
    return sqrt(square);
}

static void fill(body* const* bodies, bool in_world, carrier_pose* p)
{
    int vertex = 0, element_number = 0, n = p->corners;
    double sum = 0;
    for (int i = 0; i < p->body_count; ++i) {
        int count;
        const int* own = elements_of(bodies[i]->asset->mesh, &count);
        p->first[i] = vertex;
        read_vertices(bodies[i], in_world, p->vertex + 3 * (size_t)vertex);
        for (int e = 0; e < count; ++e, ++element_number) {
            int* corner = p->corner + (size_t)n * (size_t)element_number;
            for (int k = 0; k < n; ++k)
                corner[k] = (own ? own[(size_t)n * (size_t)e + (size_t)k] : e) + vertex;
            p->owner[element_number] = i;
            if (!own) sum += 2 * asset_radius(bodies[i]->asset, e);
            for (int k = 0; k < n; ++k) sum += edge_length(p, corner[k], corner[(k + 1) % n]);
        }
        vertex += bodies[i]->asset->mesh->vertex_count;
    }
    p->first[p->body_count] = vertex;
    p->mean_edge = sum / ((double)n * p->element_count);
    for (int k = 0; k < 3; ++k) {
        p->low[k] = INFINITY;
        for (size_t i = 0; i < (size_t)p->vertex_count; ++i)
            p->low[k] = fmin(p->low[k], p->vertex[3 * i + (size_t)k]);
    }
}

pliant_result pose_create(const pliant_world* world, body* const* bodies, int count, bool in_world,
                          carrier_pose* out)
{
    *out = (carrier_pose){0};
    pliant_result result = count_elements(bodies, count, out);
    if (result) return result;
    for (int i = 0; in_world && i < count; ++i)
        if (!body_fetch(world, bodies[i], STATE_ROWS | STATE_RESIDUES)) return PLIANT_ERROR_DEVICE;
    out->vertex = (double*)mem_array(3 * (size_t)out->vertex_count, sizeof(double));
    out->corner = (int*)mem_array((size_t)out->corners * (size_t)out->element_count, sizeof(int));
    out->owner = (int*)mem_array((size_t)out->element_count, sizeof(int));
    out->first = (int*)mem_array((size_t)count + 1, sizeof(int));
    if (!out->vertex || !out->corner || !out->owner || !out->first) {
        pose_destroy(out);
        return PLIANT_ERROR_MEMORY;
    }
    fill(bodies, in_world, out);
    return PLIANT_OK;
}

void pose_destroy(carrier_pose* p)
{
    mem_free(p->vertex);
    mem_free(p->corner);
    mem_free(p->owner);
    mem_free(p->first);
    *p = (carrier_pose){0};
}

// ---- the surface --------------------------------------------------------------------------------

typedef struct {
    const carrier_pose* pose;
    body* const* bodies;
    const pliant_mesh* surface;
    tet_tree tree;
    binding* out;
    piece_report* report;
} bind_work;

static binding make_binding(const bind_work* w, int body_number, const int corner[4],
                            const double share[4])
{
    const carrier_pose* p = w->pose;
    binding out = {.body = body_number};
    const int* row = w->bodies[out.body]->asset->plan.copies.first;
    for (int k = 0; k < 4; ++k) {
        int particle = corner[k] - p->first[out.body];
        out.row[k] = row ? row[particle] : particle;
    }
    for (int k = 0; k < 3; ++k) out.share[k] = (float)share[k + 1];
    return out;
}

// Levers that were found lately. They belong to cells of a grid, so that the vertices of a lost
// part mostly have the same: it moves as one.
enum { LEVERS = 64, CELL_EDGES = 4, RADIUS_EDGES = 8 };

typedef struct {
    int body; // -1: none is here yet
    int cell[3];
    bool good;
    int corner[4];
} lever;

static const lever* find_lever(const bind_work* w, lever* known, int tet)
{
    const carrier_pose* p = w->pose;
    double size = CELL_EDGES * p->mean_edge;
    const double* x = p->vertex + 3 * (size_t)p->corner[4 * (size_t)tet];
    lever key = {.body = p->owner[tet]};
    unsigned hash = (unsigned)key.body;
    for (int k = 0; k < 3; ++k) {
        key.cell[k] = (int)floor(fmin(fmax((x[k] - p->low[k]) / size, 0), 1e9));
        hash = 31 * hash + (unsigned)key.cell[k];
    }
    lever* l = &known[hash % LEVERS];
    if (l->body == key.body && memcmp(l->cell, key.cell, sizeof key.cell) == 0)
        return l->good ? l : NULL;
    vec3 center = v3(p->low[0] + size * (key.cell[0] + 0.5), p->low[1] + size * (key.cell[1] + 0.5),
                     p->low[2] + size * (key.cell[2] + 0.5));
    *l = key;
    l->good =
        lever_find(&w->tree, p->owner, key.body, center, RADIUS_EDGES * p->mean_edge, l->corner);
    return l->good ? l : NULL;
}

static double largest_share(const double share[4])
{
    double most = 0;
    for (int k = 0; k < 4; ++k) most = fmax(most, fabs(share[k]));
    return most;
}

// On the tet, or on four particles around it where the tet is small against the distance.
static binding bind_vertex(const bind_work* w, lever* known, vec3 point, const tet_place* place)
{
    const int* corner = w->pose->corner + 4 * (size_t)place->tet;
    const double* share = place->share;
    double wider[4];
    bool far = place->distance > 0.5 * w->pose->mean_edge;
    const lever* l = far ? find_lever(w, known, place->tet) : NULL;
    if (l && tet_shares(w->pose->vertex, l->corner, point, wider) &&
        largest_share(wider) < largest_share(share)) {
        corner = l->corner;
        share = wider;
    }
    return make_binding(w, w->pose->owner[place->tet], corner, share);
}

static void bind_piece(int number, void* argument)
{
    const bind_work* w = (const bind_work*)argument;
    piece_report report = {0, -1, 0};
    lever known[LEVERS];
    for (int i = 0; i < LEVERS; ++i) known[i].body = -1;
    int last = -1; // neighbors in the list are mostly neighbors in space
    int64_t begin = (int64_t)number * BIND_PIECE, end = begin + BIND_PIECE;
    for (int64_t i = begin; i < end && i < w->surface->vertex_count; ++i) {
        const double* x = w->surface->vertices + 3 * i;
        tet_place place = tet_tree_find(&w->tree, v3(x[0], x[1], x[2]), last);
        last = place.tet;
        if (place.tet < 0) { // all tets are flat
            report = (piece_report){1, (int)i, INFINITY};
            break;
        }
        w->out[i] = bind_vertex(w, known, v3(x[0], x[1], x[2]), &place);
        report_distance(&report, (int)i, place.distance, 0);
    }
    w->report[number] = report;
}

void report_distance(piece_report* r, int vertex, double far, double tolerance)
{
    if (!(far > tolerance)) return;
    ++r->outside;
    if (!(far > r->farthest)) return;
    r->farthest = far;
    r->farthest_vertex = vertex;
}

void sum_reports(const piece_report* report, int count, pliant_skin_info* info)
{
    info->farthest_vertex = -1;
    for (int i = 0; i < count; ++i) {
        info->outside += report[i].outside;
        if (!(report[i].farthest > info->farthest)) continue;
        info->farthest = report[i].farthest;
        info->farthest_vertex = report[i].farthest_vertex;
    }
}

pliant_result pose_bind(const carrier_pose* p, executor* exec, body* const* bodies,
                        const pliant_mesh* surface, binding* out, pliant_skin_info* info)
{
    int pieces = (surface->vertex_count + BIND_PIECE - 1) / BIND_PIECE;
    bind_work w = {.pose = p, .bodies = bodies, .surface = surface, .out = out};
    w.report = (piece_report*)mem_array((size_t)pieces, sizeof *w.report);
    bool good = w.report && tet_tree_create(p->vertex, p->corner, p->element_count, &w.tree);
    if (good) {
        executor_run(exec, bind_piece, &w, pieces);
        sum_reports(w.report, pieces, info);
        tet_tree_destroy(&w.tree);
    }
    mem_free(w.report);
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
