#define PRECISION_DOUBLE
#include "tetra/plate.h"
#include "base/union.h"
#include "math/direction.h"
#include "mesh/limit.h"
#include "tetra/prism.h"
#include "tetra/star.h"
#include <math.h>
#include <string.h>

static const double LEAST_QUALITY = 0.0256; // 9.2 degrees (prism.h)

// ---- prisms -------------------------------------------------------------------------------------

typedef struct {
    const plate* plate;
    const pliant_mesh* mesh; // that the plate stands on
    int* start;              // of each point of the leaf: its triangles
    int* around;
    double* quality;       // of triangles: of the worst of their tets
    unsigned char* border; // of points: they do not move along the leaf
} fitting;

// Columns come before other points, as their ranks say.
static bool comes_before(const plate* on, int a, int b)
{
    const leaf_point *p = &on->leaf->point[a], *q = &on->leaf->point[b];
    if ((p->root >= 0) != (q->root >= 0)) return p->root >= 0;
    if (p->root < 0) return a < b;
    int first = on->columns[p->root].rank, second = on->columns[q->root].rank;
    return first != second ? first < second : a < b;
}

// The edge of a prism's side goes from below the corner that comes before to above the other: so
// neighbors agree, and no three of them go round.
static int division_of(const plate* p, const int corner[3])
{
    int way = 0;
    while (way + 1 < DIVISIONS &&
           !(comes_before(p, corner[prism_division[way][0]], corner[prism_division[way][1]]) &&
             comes_before(p, corner[prism_division[way][1]], corner[prism_division[way][2]])))
        ++way;
    return way;
}

static vec3 side_of(const plate* p, const leaf_point* at, double sign)
{
    double half = fmax(at->thickness, LEAST_PLATE * p->edge) / 2;
    return v3_add_scaled(at->place, sign * half, at->normal);
}

static vec3 column_side(const fitting* f, int root, bool above)
{
    const column* c = &f->plate->columns[root];
    int v = above ? c->above : c->below;
    return solid_point(f->plate->solid, f->mesh->vertices + 3 * (ptrdiff_t)v);
}

// Where columns share a vertex, a tet may have it twice: there is none.
static bool is_tet(const int corner[4])
{
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < i; ++k)
            if (corner[i] == corner[k]) return false;
    return true;
}

static double quality_of(const fitting* f, int t)
{
    const plate* p = f->plate;
    const int* corner = p->leaf->triangle + 3 * (ptrdiff_t)t;
    int tet[3][4], name[6];
    vec3 x[6];
    double least = 1;
    for (int k = 0; k < 3; ++k) {
        const leaf_point* at = &p->leaf->point[corner[k]];
        bool stands = at->root >= 0;
        x[k] = stands ? column_side(f, at->root, false) : side_of(p, at, -1);
        x[3 + k] = stands ? column_side(f, at->root, true) : side_of(p, at, 1);
        name[k] = stands ? p->columns[at->root].below : -1 - 2 * corner[k];
        name[3 + k] = stands ? p->columns[at->root].above : -2 - 2 * corner[k];
    }
    prism_divide(division_of(p, corner), tet);
    for (int i = 0; i < 3; ++i) {
        vec3 y[4];
        int names[4];
        for (int k = 0; k < 4; ++k) y[k] = x[tet[i][k]], names[k] = name[tet[i][k]];
        if (is_tet(names)) least = fmin(least, tet_quality(y));
    }
    return least;
}

// ---- fitting ------------------------------------------------------------------------------------

static bool fitting_create(const plate* p, const pliant_mesh* mesh, fitting* f)
{
    const leaf* l = p->leaf;
    *f = (fitting){.plate = p, .mesh = mesh};
    f->start = (int*)mem_array_zero((size_t)l->points + 1, sizeof(int));
    f->around = (int*)mem_array(3 * (size_t)l->triangles, sizeof(int));
    f->quality = (double*)mem_array((size_t)l->triangles, sizeof(double));
    f->border = (unsigned char*)mem_array_zero((size_t)l->points, 1);
    int* partner = leaf_partners(l);
    if (!f->start || !f->around || !f->quality || !f->border || !partner) {
        mem_free(partner);
        return false;
    }
    for (int s = 0; s < 3 * l->triangles; ++s)
        if (partner[s] < 0) f->border[leaf_side_start(l, s)] = f->border[leaf_side_end(l, s)] = 1;
    mem_free(partner);
    for (int i = 0; i < 3 * l->triangles; ++i) ++f->start[l->triangle[i] + 1];
    for (int v = 0; v < l->points; ++v) f->start[v + 1] += f->start[v];
    for (int i = 3 * l->triangles; i-- > 0;) f->around[--f->start[l->triangle[i] + 1]] = i / 3;
    for (int v = 0; v < l->points; ++v) f->start[v] = f->start[v + 1];
    f->start[l->points] = 3 * l->triangles;
    for (int t = 0; t < l->triangles; ++t) f->quality[t] = quality_of(f, t);
    return true;
}

static void fitting_release(fitting* f)
{
    mem_free(f->start);
    mem_free(f->around);
    mem_free(f->quality);
    mem_free(f->border);
}

static double worst_around(const fitting* f, int v)
{
    double worst = 1;
    for (int i = f->start[v]; i < f->start[v + 1]; ++i)
        worst = fmin(worst, quality_of(f, f->around[i]));
    return worst;
}

// Some way along the leaf, across it, thicker, or turned.
enum { TRIALS = 12, ALONG = 4 };
static leaf_point changed(const plate* p, const leaf_point* from, int trial, double step)
{
    leaf_point out = *from;
    vec3 other = fabs(from->normal.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    vec3 u = v3_unit(v3_cross(from->normal, other)), w = v3_cross(from->normal, u);
    double way = trial % 2 ? -step : step;
    const vec3 direction[3] = {u, w, from->normal};
    if (trial < 6) out.place = v3_add_scaled(from->place, way * p->edge, direction[trial / 2]);
    if (trial == 6) out.thickness = fmax(from->thickness, LEAST_PLATE * p->edge) * (1 + fabs(step));
    if (trial == 7) out.thickness = from->thickness * (1 - fabs(step));
    if (trial >= 8)
        out.normal = v3_unit(v3_add_scaled(from->normal, 2 * way, direction[(trial - 8) / 2]));
    return out;
}

static void fit_point(fitting* f, int v, double step)
{
    leaf_point *at = &f->plate->leaf->point[v], best = *at, before = *at;
    double most = worst_around(f, v);
    for (int trial = f->border[v] ? ALONG : 0; trial < TRIALS; ++trial) {
        *at = changed(f->plate, &before, trial, step);
        double here = worst_around(f, v);
        if (here > most) most = here, best = *at;
    }
    *at = best;
    for (int i = f->start[v]; i < f->start[v + 1]; ++i)
        f->quality[f->around[i]] = quality_of(f, f->around[i]);
}

// Where tets are too sharp, points of the leaf move. Returns the worst quality.
static const double HOPELESS = -2;
static double fit(fitting* f)
{
    enum { ROUNDS = 14 };
    static const double GOAL = 0.035, MOST_BAD = 0.15; // of the triangles
    leaf* l = f->plate->leaf;
    double step = 0.2, worst = 1; // edges
    int bad = 0;
    for (int t = 0; t < l->triangles; ++t) bad += f->quality[t] < LEAST_QUALITY;
    if (l->triangles == 0 || bad > MOST_BAD * l->triangles) return HOPELESS;
    for (int round = 0; round < ROUNDS; ++round, step *= 0.82)
        for (int t = 0; t < l->triangles; ++t)
            for (int k = 0; k < 3 && f->quality[t] < GOAL; ++k) {
                int v = l->triangle[3 * (ptrdiff_t)t + k];
                if (l->point[v].root < 0) fit_point(f, v, step);
            }
    for (int t = 0; t < l->triangles; ++t) worst = fmin(worst, f->quality[t]);
    return worst;
}

// ---- the mesh -----------------------------------------------------------------------------------

typedef struct {
    const plate* plate;
    pliant_mesh* mesh; // what it will be
    int* above;        // of the leaf's points: vertices of the mesh
    int* below;
} raising;

static int add_vertex(raising* r, vec3 place)
{
    const solid* s = r->plate->solid;
    double* x = r->mesh->vertices + 3 * (ptrdiff_t)r->mesh->vertex_count;
    x[0] = s->center[0] + s->size * place.x;
    x[1] = s->center[1] + s->size * place.y;
    x[2] = s->center[2] + s->size * place.z;
    return r->mesh->vertex_count++;
}

static void add_points(raising* r)
{
    const plate* p = r->plate;
    for (int v = 0; v < p->leaf->points; ++v) {
        const leaf_point* at = &p->leaf->point[v];
        bool stands = at->root >= 0;
        r->above[v] = stands ? p->columns[at->root].above : add_vertex(r, side_of(p, at, 1));
        r->below[v] = stands ? p->columns[at->root].below : add_vertex(r, side_of(p, at, -1));
    }
}

static void add_prism(raising* r, const int corner[3])
{
    int tet[3][4], all[6];
    for (int k = 0; k < 3; ++k) all[k] = r->below[corner[k]], all[3 + k] = r->above[corner[k]];
    prism_divide(division_of(r->plate, corner), tet);
    for (int t = 0; t < 3; ++t) {
        int* to = r->mesh->tets + 4 * (ptrdiff_t)r->mesh->tet_count;
        for (int k = 0; k < 4; ++k) to[k] = all[tet[t][k]];
        r->mesh->tet_count += is_tet(to);
    }
}

// Behind what is there. False when memory runs out.
static bool raise(raising* r)
{
    const leaf* l = r->plate->leaf;
    r->above = (int*)mem_array((size_t)l->points, sizeof(int));
    r->below = (int*)mem_array((size_t)l->points, sizeof(int));
    bool ok = r->above && r->below;
    if (ok) add_points(r);
    for (int t = 0; ok && t < l->triangles; ++t) add_prism(r, l->triangle + 3 * (ptrdiff_t)t);
    mem_free(r->above);
    mem_free(r->below);
    return ok;
}

static pliant_result extend(const plate* p, const pliant_mesh* old, pliant_mesh** out)
{
    double vertices = old->vertex_count + 2.0 * p->leaf->points;
    double tets = old->tet_count + 3.0 * p->leaf->triangles;
    pliant_result result = check_size("the mesh", vertices, tets);
    if (result) return result;
    raising r = {.plate = p, .mesh = mesh_allocate((int)vertices, (int)tets, 0, 0)};
    *out = r.mesh;
    if (!r.mesh) return PLIANT_ERROR_MEMORY;
    memcpy(r.mesh->vertices, old->vertices, 3 * (size_t)old->vertex_count * sizeof(double));
    memcpy(r.mesh->tets, old->tets, 4 * (size_t)old->tet_count * sizeof(int));
    r.mesh->vertex_count = old->vertex_count, r.mesh->tet_count = old->tet_count;
    return raise(&r) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// Leaves out triangles that are no longer connected to most of the others. False when memory runs
// out.
static bool drop_islands(leaf* l)
{
    int* island = (int*)mem_array((size_t)l->points, sizeof(int));
    int* size = (int*)mem_array_zero((size_t)l->points, sizeof(int));
    bool ok = island && size;
    int kept = 0, largest = 0;
    if (ok) union_start(island, l->points);
    for (int i = 0; ok && i < 3 * l->triangles; ++i)
        union_join(island, l->triangle[i / 3 * 3], l->triangle[i]);
    for (int t = 0; ok && t < l->triangles; ++t) {
        int root = union_root(island, l->triangle[3 * (ptrdiff_t)t]);
        if (++size[root] > size[largest]) largest = root;
    }
    for (int t = 0; ok && t < l->triangles; ++t) {
        const int* corner = l->triangle + 3 * (ptrdiff_t)t;
        if (union_root(island, corner[0]) == union_root(island, largest))
            memmove(l->triangle + 3 * (ptrdiff_t)kept++, corner, 3 * sizeof(int));
    }
    if (ok) l->triangles = kept;
    mem_free(island);
    mem_free(size);
    return ok;
}

// Leaves out triangles that are too sharp still: of a blade's point, what is narrower than the
// edges. Those between columns stay. Returns how many, -1 when memory runs out.
static int peel(fitting* f)
{
    leaf* l = f->plate->leaf;
    int kept = 0, before = l->triangles;
    for (int t = 0; t < before; ++t) {
        int corner[3];
        bool stands = false, sharp = f->quality[t] < LEAST_QUALITY;
        memcpy(corner, l->triangle + 3 * (ptrdiff_t)t, sizeof corner);
        for (int k = 0; k < 3; ++k) stands |= l->point[corner[k]].root >= 0;
        for (int k = 0; k < 3 && sharp; ++k) l->point[corner[k]].loose = true;
        if (stands || !sharp) memcpy(l->triangle + 3 * (ptrdiff_t)kept++, corner, sizeof corner);
    }
    l->triangles = kept;
    bool ok = drop_islands(l) && leaf_remesh(l, PLATE_EDGE * f->plate->edge);
    return ok ? before - kept : -1;
}

// Whether all tets are good enough in the end.
static pliant_result fit_or_peel(const plate* p, const pliant_mesh* mesh, bool* out_good)
{
    enum { PEELS = 4 };
    int peeled = 1;
    *out_good = false;
    for (int i = 0; i <= PEELS && peeled > 0 && !*out_good; ++i) {
        fitting f;
        bool ok = fitting_create(p, mesh, &f);
        double worst = ok ? fit(&f) : -1;
        *out_good = worst >= LEAST_QUALITY;
        peeled = !ok ? -1 : *out_good || worst == HOPELESS ? 0 : peel(&f);
        fitting_release(&f);
    }
    return peeled < 0 ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}

// Whether no more than two tets share a face, and the boundary is a manifold.
static pliant_result check_boundary(const pliant_mesh* mesh, bool* out_good)
{
    pliant_mesh* boundary = NULL;
    pliant_result result = pliant_mesh_boundary(mesh, &boundary, NULL);
    bool there = !result;
    pliant_mesh_destroy(boundary);
    if (result == PLIANT_ERROR_MEMORY) return result;
    int pinched = there ? count_pinched_vertices(mesh) : 1;
    *out_good = pinched == 0;
    return pinched < 0 ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}

pliant_result plate_append(const plate* p, pliant_mesh** mesh, bool* out_done)
{
    pliant_mesh* all = NULL;
    *out_done = false;
    bool good;
    pliant_result result = fit_or_peel(p, *mesh, &good);
    if (!result && good) result = extend(p, *mesh, &all);
    if (!result && good) result = check_boundary(all, out_done);
    pliant_mesh_destroy(*out_done ? *mesh : all);
    if (*out_done) *mesh = all;
    return result;
}
