#define PRECISION_DOUBLE
#include "tetra/crowd.h"
#include "repair/moves.h"
#include "tetra/star.h"
#include <string.h>

static const double LEAST_QUALITY = 0.067; // squared sine of 15 and of 165 degrees

// The tets around the crowded vertices and around their neighbors: all that swaps need to know.
typedef struct {
    pliant_mesh* whole;
    int most; // tets at a vertex
    incidence tets;
    int* number;       // of each vertex in the part; -1: not there
    unsigned char* in; // of each tet
    pliant_mesh* part;
    int* vertex; // of the part, in the whole
    int* tet;
} crowd;

static int tet_count_at(const crowd* w, int v) { return w->tets.start[v + 1] - w->tets.start[v]; }

// ---- the part -----------------------------------------------------------------------------------

static void mark_around(crowd* w, int v)
{
    for (int i = w->tets.start[v]; i < w->tets.start[v + 1]; ++i) w->in[w->tets.tet[i]] = 1;
}

static void mark_neighbors(crowd* w, int v)
{
    for (int i = w->tets.start[v]; i < w->tets.start[v + 1]; ++i)
        for (int k = 0; k < 4; ++k)
            mark_around(w, w->whole->tets[4 * (ptrdiff_t)w->tets.tet[i] + k]);
}

// Numbers vertices and tets of the part as they come.
static bool number_part(crowd* w, int* out_vertices, int* out_tets)
{
    const pliant_mesh* m = w->whole;
    int vertices = 0, tets = 0;
    for (int t = 0; t < m->tet_count; ++t) tets += w->in[t];
    w->tet = (int*)mem_array((size_t)tets, sizeof(int));
    w->vertex = (int*)mem_array(4 * (size_t)tets, sizeof(int));
    if (!w->tet || !w->vertex) return false;
    tets = 0;
    for (int v = 0; v < m->vertex_count; ++v) w->number[v] = -1;
    for (int t = 0; t < m->tet_count; ++t) {
        if (!w->in[t]) continue;
        w->tet[tets++] = t;
        for (int k = 0; k < 4; ++k) {
            int v = m->tets[4 * (ptrdiff_t)t + k];
            if (w->number[v] >= 0) continue;
            w->vertex[vertices] = v;
            w->number[v] = vertices++;
        }
    }
    *out_vertices = vertices, *out_tets = tets;
    return true;
}

static bool cut_part(crowd* w)
{
    int vertices, tets;
    const pliant_mesh* m = w->whole;
    if (!number_part(w, &vertices, &tets)) return false;
    w->part = mesh_allocate(vertices, tets, 0, 0);
    if (!w->part) return false;
    for (ptrdiff_t v = 0; v < vertices; ++v)
        memcpy(w->part->vertices + 3 * v, m->vertices + 3 * (ptrdiff_t)w->vertex[v],
               3 * sizeof(double));
    for (ptrdiff_t i = 0; i < 4 * (ptrdiff_t)tets; ++i)
        w->part->tets[i] = w->number[m->tets[4 * (ptrdiff_t)w->tet[i / 4] + i % 4]];
    return true;
}

// ---- swaps --------------------------------------------------------------------------------------

// Edges with the fewest tets first: the fewer there are, the fewer vertices get some of them.
static bool relieve(repair* r, int v)
{
    enum { FEWEST = 3, MOST = 7 };
    for (int count = FEWEST; count <= MOST; ++count)
        for (int i = 0; i < 4 * valence_of(&r->c, v); ++i) {
            int other = r->c.cells[r->c.knots[v].around.item[i / 4]].corner[i % 4];
            if (other == v || ring_of(&r->c, v, other, NULL, 0) != count) continue;
            if (swap_away(r, v, other)) return true;
        }
    return false;
}

// False when memory runs out. A vertex may have to wait until its neighbors can take more.
static bool relieve_all(repair* r, const crowd* w)
{
    bool again = true;
    while (again) {
        again = false;
        for (int v = 0; v < w->part->vertex_count && !r->c.failed; ++v) {
            if (tet_count_at(w, w->vertex[v]) <= w->most) continue;
            while (valence_of(&r->c, v) > w->most && relieve(r, v)) again = true;
        }
    }
    return !r->c.failed && !r->change.failed;
}

// ---- back ---------------------------------------------------------------------------------------

static void write_tet(const crowd* w, const cell* from, int* to)
{
    for (int k = 0; k < 4; ++k) to[k] = w->vertex[from->corner[k]];
}

// What is new comes where something has gone, or last.
static bool write_back(const crowd* w, const complex* c)
{
    pliant_mesh* m = w->whole;
    int more = c->cell_count - w->part->tet_count, capacity = m->tet_count, kept = 0;
    if (!mem_reserve((void**)&m->tets, &capacity, (int64_t)m->tet_count + more, 4 * sizeof(int)))
        return false;
    for (int i = 0; i < c->cell_count; ++i) {
        int t = i < w->part->tet_count ? w->tet[i] : m->tet_count++;
        int* to = m->tets + 4 * (ptrdiff_t)t;
        if (c->cells[i].corner[0] < 0)
            to[0] = -1;
        else
            write_tet(w, &c->cells[i], to);
    }
    for (int t = 0; t < m->tet_count; ++t) {
        const int* corner = m->tets + 4 * (ptrdiff_t)t;
        if (corner[0] >= 0) memmove(m->tets + 4 * (ptrdiff_t)kept++, corner, 4 * sizeof(int));
    }
    m->tet_count = kept;
    return true;
}

// ---- all of it ----------------------------------------------------------------------------------

static bool disperse(crowd* w)
{
    repair r = {.goal = LEAST_QUALITY, .most_valence = w->most};
    bool ok =
        cut_part(w) && complex_create(w->part, &r.c) && relieve_all(&r, w) && write_back(w, &r.c);
    change_destroy(&r.change);
    complex_destroy(&r.c);
    return ok;
}

pliant_result disperse_crowds(pliant_mesh* mesh, int most)
{
    crowd w = {.whole = mesh, .most = most};
    bool any = false;
    if (!incidence_create(mesh, &w.tets)) return PLIANT_ERROR_MEMORY;
    w.number = (int*)mem_array((size_t)mesh->vertex_count, sizeof(int));
    w.in = (unsigned char*)mem_array_zero((size_t)mesh->tet_count, 1);
    bool ok = w.number && w.in;
    for (int v = 0; ok && v < mesh->vertex_count; ++v) {
        if (tet_count_at(&w, v) <= most) continue;
        mark_neighbors(&w, v);
        any = true;
    }
    if (any) ok = disperse(&w);
    incidence_destroy(&w.tets);
    mem_free(w.number);
    mem_free(w.in);
    mem_free(w.vertex);
    mem_free(w.tet);
    pliant_mesh_destroy(w.part);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
