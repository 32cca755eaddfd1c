#define PRECISION_DOUBLE
#include "tetra/parts.h"
#include "base/union.h"
#include "geometry/locator.h"
#include <string.h>

static const double LEAST_PIECE = 0.1; // of the largest

bool find_parts(const int* element, int count, int arity, int vertices, partition* out)
{
    out->count = 0;
    out->part = (int*)mem_array((size_t)vertices, sizeof(int));
    if (!out->part) return false;
    union_start(out->part, vertices);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)count * arity; ++i)
        union_join(out->part, element[i], element[i / arity * arity]);
    // Roots are the lowest of their sets: they are numbered before the others look at them.
    for (int v = 0; v < vertices; ++v) {
        int parent = out->part[v];
        out->part[v] = parent == v ? out->count++ : out->part[parent];
    }
    return true;
}

typedef struct {
    const solid* solid;
    pliant_mesh* mesh;
    partition surface, pieces;
    int* tets;    // of each piece
    int* first;   // vertex of each piece
    int* home;    // part of the surface that each piece belongs to
    int* largest; // tets of the largest piece, for each part of the surface
    int largest_of_all, least;
} sorting;

static bool allocate(sorting* s)
{
    size_t pieces = (size_t)s->pieces.count;
    s->tets = (int*)mem_array_zero(pieces, sizeof(int));
    s->first = (int*)mem_array(pieces, sizeof(int));
    s->home = (int*)mem_array(pieces, sizeof(int));
    s->largest = (int*)mem_array_zero((size_t)s->surface.count, sizeof(int));
    return s->tets && s->first && s->home && s->largest;
}

static void release(sorting* s)
{
    mem_free(s->surface.part);
    mem_free(s->pieces.part);
    mem_free(s->tets);
    mem_free(s->first);
    mem_free(s->home);
    mem_free(s->largest);
}

// A piece belongs to the part of the surface that is nearest to its first vertex.
static int find_home(const sorting* s, int vertex)
{
    int nearest;
    vec3 point = solid_point(s->solid, s->mesh->vertices + 3 * (ptrdiff_t)vertex);
    tree_distance(&s->solid->tree, point, 4, &nearest);
    if (nearest < 0) nearest = 0; // not within 4 times the size: never
    return s->surface.part[s->solid->surface->triangles[3 * (ptrdiff_t)nearest]];
}

static void measure_pieces(sorting* s)
{
    for (int v = s->mesh->vertex_count; v-- > 0;) s->first[s->pieces.part[v]] = v;
    for (int t = 0; t < s->mesh->tet_count; ++t)
        ++s->tets[s->pieces.part[s->mesh->tets[4 * (ptrdiff_t)t]]];
    for (int p = 0; p < s->pieces.count; ++p) {
        if (s->tets[p] == 0) continue; // a vertex without tets
        s->home[p] = find_home(s, s->first[p]);
        int* largest = &s->largest[s->home[p]];
        if (s->tets[p] > *largest) *largest = s->tets[p];
        if (s->tets[p] > s->largest_of_all) s->largest_of_all = s->tets[p];
    }
}

typedef enum { STAYS, SPARE, FRAGMENT } fate;

static fate fate_of(const sorting* s, int piece)
{
    if (s->tets[piece] < LEAST_PIECE * s->largest[s->home[piece]]) return FRAGMENT;
    return s->tets[piece] < LEAST_PIECE * s->largest_of_all || s->tets[piece] < s->least ? SPARE
                                                                                         : STAYS;
}

static void count_pieces(const sorting* s, parts_report* out)
{
    for (int p = 0; p < s->pieces.count; ++p) {
        if (s->tets[p] == 0) continue;
        out->dropped_parts += fate_of(s, p) == FRAGMENT;
        out->parts += fate_of(s, p) == STAYS;
        if (fate_of(s, p) == FRAGMENT) out->dropped_tets += s->tets[p];
    }
}

// The tets of one fate, as they come; returns how many. `out` may be the mesh's own.
static int select_tets(const sorting* s, fate which, int* out)
{
    int count = 0;
    for (int t = 0; t < s->mesh->tet_count; ++t) {
        const int* corner = s->mesh->tets + 4 * (ptrdiff_t)t;
        if (fate_of(s, s->pieces.part[corner[0]]) != which) continue;
        if (out) memmove(out + 4 * (ptrdiff_t)count, corner, 4 * sizeof(int));
        ++count;
    }
    return count;
}

static pliant_result drop_unused(pliant_mesh* mesh)
{
    pliant_clean_def clean = pliant_clean_defaults();
    clean.drop_unreferenced = true;
    return pliant_mesh_clean(mesh, &clean, NULL);
}

static pliant_result take_spare(const sorting* s, pliant_mesh** out)
{
    const pliant_mesh* m = s->mesh;
    int count = select_tets(s, SPARE, NULL);
    if (count == 0) return PLIANT_OK;
    *out = mesh_allocate(m->vertex_count, count, 0, 0);
    if (!*out) return PLIANT_ERROR_MEMORY;
    memcpy((*out)->vertices, m->vertices, 3 * (size_t)m->vertex_count * sizeof(double));
    select_tets(s, SPARE, (*out)->tets);
    return drop_unused(*out);
}

pliant_result part_pieces(const solid* s, pliant_mesh* mesh, int least, pliant_mesh** out_spare,
                          parts_report* out)
{
    *out = (parts_report){0};
    *out_spare = NULL;
    sorting all = {.solid = s, .mesh = mesh, .least = least};
    const pliant_mesh* surface = s->surface;
    bool ok = find_parts(surface->triangles, surface->triangle_count, 3, surface->vertex_count,
                         &all.surface) &&
              find_parts(mesh->tets, mesh->tet_count, 4, mesh->vertex_count, &all.pieces) &&
              allocate(&all);
    pliant_result result = ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) {
        measure_pieces(&all);
        count_pieces(&all, out);
        out->surface_parts = all.surface.count;
        result = take_spare(&all, out_spare);
    }
    if (!result) {
        mesh->tet_count = select_tets(&all, STAYS, mesh->tets);
        result = drop_unused(mesh);
    }
    release(&all);
    return result;
}

// ---- spare pieces -------------------------------------------------------------------------------

typedef struct {
    const pliant_mesh* spare;
    locator mesh;
    partition pieces;
    double near;  // [m]
    int* near_by; // of each piece: vertices that are near the mesh
    int* size;    // of each piece: vertices
} covering;

// A piece is covered where most of it is near, or any of it is inside.
static void look_at_vertices(covering* c)
{
    for (int v = 0; v < c->spare->vertex_count; ++v) {
        const double* x = c->spare->vertices + 3 * (ptrdiff_t)v;
        int p = c->pieces.part[v];
        c->size[p] += 1;
        c->near_by[p] += locator_nearest(&c->mesh, x, c->near) >= 0;
        if (locator_is_inside(&c->mesh, x)) c->near_by[p] += c->spare->vertex_count;
    }
}

static bool is_covered(const covering* c, int piece)
{
    return 2 * c->near_by[piece] > c->size[piece];
}

static pliant_result append_uncovered(const covering* c, pliant_mesh** mesh)
{
    const pliant_mesh *old = *mesh, *more = c->spare;
    pliant_mesh* all = mesh_allocate(old->vertex_count + more->vertex_count,
                                     old->tet_count + more->tet_count, 0, 0);
    if (!all) return PLIANT_ERROR_MEMORY;
    memcpy(all->vertices, old->vertices, 3 * (size_t)old->vertex_count * sizeof(double));
    memcpy(all->vertices + 3 * (ptrdiff_t)old->vertex_count, more->vertices,
           3 * (size_t)more->vertex_count * sizeof(double));
    memcpy(all->tets, old->tets, 4 * (size_t)old->tet_count * sizeof(int));
    all->tet_count = old->tet_count;
    for (int t = 0; t < more->tet_count; ++t) {
        const int* corner = more->tets + 4 * (ptrdiff_t)t;
        if (is_covered(c, c->pieces.part[corner[0]])) continue;
        int* to = all->tets + 4 * (ptrdiff_t)all->tet_count++;
        for (int k = 0; k < 4; ++k) to[k] = old->vertex_count + corner[k];
    }
    pliant_mesh_destroy(*mesh);
    *mesh = all;
    return drop_unused(all);
}

static pliant_result restore(covering* c, pliant_mesh** mesh, int* out_parts)
{
    const pliant_mesh* spare = c->spare;
    if (!find_parts(spare->tets, spare->tet_count, 4, spare->vertex_count, &c->pieces))
        return PLIANT_ERROR_MEMORY;
    c->near_by = (int*)mem_array_zero((size_t)c->pieces.count, sizeof(int));
    c->size = (int*)mem_array_zero((size_t)c->pieces.count, sizeof(int));
    if (!c->near_by || !c->size) return PLIANT_ERROR_MEMORY;
    if ((*mesh)->tet_count) look_at_vertices(c);
    for (int p = 0; p < c->pieces.count; ++p) *out_parts += !is_covered(c, p);
    return *out_parts ? append_uncovered(c, mesh) : PLIANT_OK;
}

pliant_result restore_pieces(const pliant_mesh* spare, double edge, pliant_mesh** mesh,
                             int* out_parts)
{
    static const double NEAR = 0.75; // edges
    *out_parts = 0;
    covering c = {.spare = spare, .near = NEAR * edge};
    bool any = (*mesh)->tet_count > 0; // else nothing is covered
    pliant_result result = any ? locator_open(*mesh, &c.mesh) : PLIANT_OK;
    if (!result) result = restore(&c, mesh, out_parts);
    locator_close(&c.mesh);
    mem_free(c.pieces.part);
    mem_free(c.near_by);
    mem_free(c.size);
    return result;
}
