// Parts that touch in a vertex or an edge alone get vertices of their own. Where that does not
// help, since the parts are connected somewhere else around the vertex, tets are removed, and the
// vertices that were theirs are looked at again.
#include "tetra/manifold.h"
#include "base/union.h"
#include "tetra/star.h"
#include <string.h>

typedef struct {
    pliant_mesh* mesh;
    incidence tets;
    unsigned char* suspect; // vertices to look at
    unsigned char* doomed;  // tets to remove
    int vertex_capacity;
    manifold_report report;
} repair;

// ---- splitting ----------------------------------------------------------------------------------

static bool add_copy(repair* r, int vertex)
{
    pliant_mesh* m = r->mesh;
    int capacity = r->vertex_capacity, flags = r->vertex_capacity;
    if (!mem_reserve((void**)&m->vertices, &capacity, m->vertex_count + 1, 3 * sizeof(double)) ||
        !mem_reserve((void**)&r->suspect, &flags, m->vertex_count + 1, 1))
        return false;
    r->vertex_capacity = capacity < flags ? capacity : flags;
    memcpy(m->vertices + 3 * (ptrdiff_t)m->vertex_count, m->vertices + 3 * (ptrdiff_t)vertex,
           3 * sizeof(double));
    r->suspect[m->vertex_count++] = 1;
    r->report.split += 1;
    return true;
}

// Every part but the first gets a copy of the vertex.
static bool split_star(repair* r, const star* s)
{
    int copy[MOST_STAR];
    star parts = *s; // finding roots shortens paths
    for (int t = 0; t < s->count; ++t) {
        int root = union_root(parts.parent, t);
        if (root == 0) continue;
        if (root == t) {
            if (!add_copy(r, s->vertex)) return false;
            copy[root] = r->mesh->vertex_count - 1;
        }
        int* corner = r->mesh->tets + 4 * (ptrdiff_t)s->tet[t];
        for (int k = 0; k < 4; ++k)
            if (corner[k] == s->vertex) corner[k] = copy[root];
    }
    return true;
}

// False when memory runs out.
static bool split_all(repair* r)
{
    int vertices = r->mesh->vertex_count;
    star s;
    for (int v = 0; v < vertices; ++v) {
        if (!r->suspect[v] || !star_read(r->mesh, &r->tets, v, &s) || s.parts < 2) continue;
        if (!split_star(r, &s)) return false;
    }
    return true;
}

// ---- removing -----------------------------------------------------------------------------------

static bool has_corner(const pliant_mesh* m, int tet, int vertex)
{
    const int* corner = m->tets + 4 * (ptrdiff_t)tet;
    return corner[0] == vertex || corner[1] == vertex || corner[2] == vertex || corner[3] == vertex;
}

static int shared_corners(const pliant_mesh* m, int tet, int other)
{
    int shared = 0;
    for (int k = 0; k < 4; ++k) shared += has_corner(m, other, m->tets[4 * (ptrdiff_t)tet + k]);
    return shared;
}

// Around the edge from the star's vertex to `end` only the largest fan of tets stays.
static void doom_fans(repair* r, const star* s, int end)
{
    int parent[MOST_STAR], size[MOST_STAR] = {0}, largest = -1;
    union_start(parent, s->count);
    for (int a = 0; a < s->count; ++a)
        for (int b = a + 1; b < s->count; ++b)
            if (has_corner(r->mesh, s->tet[a], end) && has_corner(r->mesh, s->tet[b], end) &&
                shared_corners(r->mesh, s->tet[a], s->tet[b]) == 3)
                union_join(parent, a, b);
    for (int t = 0; t < s->count; ++t) {
        int root = union_root(parent, t);
        if (!has_corner(r->mesh, s->tet[t], end)) continue;
        size[root] += 1;
        if (largest < 0 || size[root] > size[largest]) largest = root;
    }
    for (int t = 0; t < s->count; ++t)
        if (has_corner(r->mesh, s->tet[t], end) && union_root(parent, t) != largest)
            r->doomed[s->tet[t]] = 1;
}

static void doom_all(repair* r, const star* s)
{
    for (int t = 0; t < s->count; ++t) r->doomed[s->tet[t]] = 1;
}

static void doom_tets(repair* r)
{
    star s;
    for (int v = 0; v < r->mesh->vertex_count; ++v) {
        int end = -1;
        if (!r->suspect[v] || !star_read(r->mesh, &r->tets, v, &s)) continue;
        star_kind kind = star_judge(&s, &end);
        if (kind == STAR_EDGE) doom_fans(r, &s, end);
        if (kind == STAR_VERTEX) doom_all(r, &s);
    }
}

// Returns how many went. Their corners are suspects of the next round, and nobody else.
static int remove_doomed(repair* r)
{
    pliant_mesh* m = r->mesh;
    int kept = 0, before = m->tet_count;
    for (int v = 0; v < m->vertex_count; ++v) r->suspect[v] = 0;
    for (int t = 0; t < before; ++t) {
        int* corner = m->tets + 4 * (ptrdiff_t)t;
        if (r->doomed[t])
            for (int k = 0; k < 4; ++k) r->suspect[corner[k]] = 1;
        else
            memmove(m->tets + 4 * (ptrdiff_t)kept++, corner, 4 * sizeof(int));
    }
    m->tet_count = kept;
    for (int t = 0; t < before; ++t) r->doomed[t] = 0;
    return before - kept;
}

// ---- all of it ----------------------------------------------------------------------------------

// One round of splitting and removing. Returns how many tets went, -1 when memory runs out.
static int work_round(repair* r)
{
    int vertices = r->mesh->vertex_count;
    if (!incidence_create(r->mesh, &r->tets)) return -1;
    bool ok = split_all(r);
    if (ok && r->mesh->vertex_count > vertices) {
        incidence_destroy(&r->tets);
        ok = incidence_create(r->mesh, &r->tets);
    }
    if (ok) doom_tets(r);
    incidence_destroy(&r->tets);
    return ok ? remove_doomed(r) : -1;
}

pliant_result make_manifold(pliant_mesh* mesh, const unsigned char* surface, manifold_report* out)
{
    repair r = {.mesh = mesh, .vertex_capacity = mesh->vertex_count};
    r.suspect = (unsigned char*)mem_array((size_t)mesh->vertex_count, 1);
    r.doomed = (unsigned char*)mem_array_zero((size_t)mesh->tet_count, 1);
    int removed = r.suspect && r.doomed ? 1 : -1;
    if (removed > 0 && mesh->vertex_count) memcpy(r.suspect, surface, (size_t)mesh->vertex_count);
    while (removed > 0 && mesh->tet_count) {
        removed = work_round(&r);
        if (removed > 0) r.report.removed += removed;
    }
    mem_free(r.suspect);
    mem_free(r.doomed);
    *out = r.report;
    return removed < 0 ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}
