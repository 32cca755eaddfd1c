#define PRECISION_DOUBLE
#include "tetra/parts.h"
#include "base/union.h"
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
    }
}

static bool is_fragment(const sorting* s, int piece)
{
    return s->tets[piece] < LEAST_PIECE * s->largest[s->home[piece]];
}

static void keep_pieces(sorting* s, parts_report* out)
{
    int kept = 0;
    for (int p = 0; p < s->pieces.count; ++p) {
        if (s->tets[p] == 0) continue;
        if (is_fragment(s, p))
            out->dropped_parts += 1;
        else
            out->parts += 1;
    }
    for (int t = 0; t < s->mesh->tet_count; ++t) {
        const int* corner = s->mesh->tets + 4 * (ptrdiff_t)t;
        if (is_fragment(s, s->pieces.part[corner[0]])) continue;
        memmove(s->mesh->tets + 4 * (ptrdiff_t)kept++, corner, 4 * sizeof(int));
    }
    out->dropped_tets = s->mesh->tet_count - kept;
    s->mesh->tet_count = kept;
}

pliant_result drop_fragments(const solid* s, pliant_mesh* mesh, parts_report* out)
{
    *out = (parts_report){0};
    sorting all = {.solid = s, .mesh = mesh};
    const pliant_mesh* surface = s->surface;
    bool ok = find_parts(surface->triangles, surface->triangle_count, 3, surface->vertex_count,
                         &all.surface) &&
              find_parts(mesh->tets, mesh->tet_count, 4, mesh->vertex_count, &all.pieces) &&
              allocate(&all);
    if (ok) {
        measure_pieces(&all);
        keep_pieces(&all, out);
        out->surface_parts = all.surface.count;
    }
    release(&all);
    if (!ok) return PLIANT_ERROR_MEMORY;
    pliant_clean_def clean = pliant_clean_defaults();
    clean.drop_unreferenced = true;
    return pliant_mesh_clean(mesh, &clean, NULL);
}
