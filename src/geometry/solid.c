#define PRECISION_DOUBLE
#include "geometry/solid.h"
#include "geometry/sheets.h"
#include "mesh/orient.h"
#include <float.h>

// ---- the surface --------------------------------------------------------------------------------

static pliant_result copy_triangles(const pliant_mesh* mesh, pliant_mesh** out)
{
    if (mesh->tet_count > 0) return pliant_mesh_boundary(mesh, out, NULL);
    pliant_mesh_arrays view = {.vertices = mesh->vertices,
                               .vertex_count = mesh->vertex_count,
                               .triangles = mesh->triangles,
                               .triangle_count = mesh->triangle_count};
    return pliant_mesh_create(&view, out);
}

static pliant_result fail_flat(const double side[3])
{
    return fail(PLIANT_ERROR_ARGUMENT,
                "the surface has no inside: it is flat, its bounding box is %g x %g x %g m",
                side[0], side[1], side[2]);
}

// Coordinates from -1/2 to 1/2, so that no square over- or underflows.
static pliant_result normalize(solid* s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double side[3];
    pliant_mesh* m = s->surface;
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)m->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = m->vertices[3 * (ptrdiff_t)m->triangles[i] + k];
            low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
        }
    for (int k = 0; k < 3; ++k) {
        s->center[k] = low[k] / 2 + high[k] / 2;
        side[k] = high[k] - low[k];
        s->size = fmax(s->size, side[k]);
    }
    if (!(s->size < DBL_MAX / 4))
        return fail(PLIANT_ERROR_ARGUMENT, "the surface is %g m long: too long for distances",
                    s->size);
    double least = fmin(side[0], fmin(side[1], side[2]));
    if (!(least > 1e-12 * s->size && s->size > DBL_MIN * 0x1p60)) return fail_flat(side);
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)m->vertex_count; ++i)
        m->vertices[i] = (m->vertices[i] - s->center[i % 3]) / s->size;
    return PLIANT_OK;
}

static pliant_result fail_empty(const pliant_mesh* mesh)
{
    return fail(PLIANT_ERROR_ARGUMENT,
                "the surface has no inside: of its %d triangles none has an area",
                mesh->triangle_count);
}

static pliant_result drop_unused(pliant_mesh* mesh)
{
    pliant_clean_def clean = pliant_clean_defaults();
    clean.drop_unreferenced = true;
    return pliant_mesh_clean(mesh, &clean, NULL);
}

static pliant_result prepare_surface(const pliant_mesh* mesh, hole_choice holes, solid* s)
{
    pliant_clean_def clean = pliant_clean_defaults();
    clean.weld = clean.drop_degenerate = true;
    pliant_result result = copy_triangles(mesh, &s->surface);
    if (!result && s->surface->triangle_count == 0) result = fail_empty(mesh);
    if (!result) result = normalize(s);
    if (!result) result = pliant_mesh_clean(s->surface, &clean, NULL);
    if (!result) result = join_sheets(s->surface);
    if (!result) result = drop_unused(s->surface);
    if (!result && s->surface->triangle_count == 0) result = fail_empty(mesh);
    if (result) return result;
    s->piece = (int*)mem_array((size_t)s->surface->triangle_count, sizeof(int));
    if (!s->piece) return PLIANT_ERROR_MEMORY;
    result = orient_pieces(s->surface, s->piece, &s->piece_count);
    if (result) return result;
    return close_holes(s->surface, &s->piece, s->piece_count, holes, &s->holes);
}

static bool plant_tree(solid* s)
{
    tree_destroy(&s->tree);
    return tree_create(s->surface->vertices, s->surface->triangles, s->surface->triangle_count,
                       &s->tree);
}

// ---- which way pieces face ----------------------------------------------------------------------

// Winding numbers just before and behind some triangles.
typedef struct {
    const solid* solid;
    const int* chosen; // triangles in the tree's order
    double* front;
    double* back;
    int count;
} probing;

enum { PROBES_A_TASK = 64, PROBES_A_PIECE = 32, MOST_PROBES = 1 << 15 };

static void probe(int task, void* argument)
{
    const probing* p = (const probing*)argument;
    int end = (task + 1) * PROBES_A_TASK;
    for (int i = task * PROBES_A_TASK; i < end && i < p->count; ++i) {
        const triangle* t = &p->solid->tree.triangle[p->chosen[i]];
        vec3 middle = v3_scale(1.0 / 3, v3_add(t->corner[0], v3_add(t->corner[1], t->corner[2])));
        vec3 area = v3_cross(t->edge[0], t->edge[1]);
        double step = 1e-3 * sqrt(sqrt(v3_dot(area, area))); // of the triangle's size
        p->front[i] = tree_winding(&p->solid->tree, v3_add_scaled(middle, step, t->normal));
        p->back[i] = tree_winding(&p->solid->tree, v3_add_scaled(middle, -step, t->normal));
    }
}

static double area_of(const triangle* t)
{
    vec3 area = v3_cross(t->edge[0], t->edge[1]);
    return sqrt(v3_dot(area, area)) / 2;
}

// Up to a number of triangles of each piece, spread over the tree's order.
static int choose_probes(const solid* s, int* size, int* chosen)
{
    int count = 0;
    for (int p = 0; p < s->piece_count; ++p) size[p] = 0;
    for (int t = 0; t < s->surface->triangle_count; ++t) ++size[s->piece[t]];
    int* seen = size + s->piece_count;
    for (int p = 0; p < s->piece_count; ++p) seen[p] = 0;
    for (int t = 0; t < s->tree.triangle_count; ++t) {
        int piece = s->piece[s->tree.number[t]];
        int stride = 1 + (size[piece] - 1) / PROBES_A_PIECE;
        if (seen[piece]++ % stride == 0 && !s->tree.triangle[t].flat) chosen[count++] = t;
    }
    // Of a great many pieces not all are looked at: the others stay as they are.
    int stride = 1 + count / MOST_PROBES, kept = 0;
    for (int i = 0; i < count; i += stride) chosen[kept++] = chosen[i];
    return kept;
}

// A piece that winds the wrong way around what is near it: it has less than nothing on one side.
// A cavity inside a solid does not, and neither does what of a wrong piece is inside of another:
// that counts less.
static bool turn_pieces(solid* s, const probing* p, double* vote)
{
    static const double CLEAR = -0.5, WEIGHT = 4; // of front and back together
    bool turned = false;
    for (int i = 0; i < s->piece_count; ++i) vote[i] = 0;
    for (int i = 0; i < p->count; ++i) {
        const triangle* t = &s->tree.triangle[p->chosen[i]];
        double both = p->front[i] + p->back[i];
        vote[s->piece[s->tree.number[p->chosen[i]]]] +=
            (both < CLEAR ? WEIGHT * both : both) * area_of(t);
    }
    for (int t = 0; t < s->surface->triangle_count; ++t) {
        if (!(vote[s->piece[t]] < 0)) continue;
        int *corner = s->surface->triangles + 3 * (ptrdiff_t)t, swapped = corner[1];
        corner[1] = corner[2], corner[2] = swapped;
        turned = true;
    }
    return turned;
}

// A closed surface has a winding number of 1 behind it, a lone triangle 1/2.
static double enclosing_part(const solid* s, const probing* p)
{
    double all = 0, enclosing = 0;
    for (int i = 0; i < p->count; ++i) {
        double area = area_of(&s->tree.triangle[p->chosen[i]]);
        all += area;
        if (fmax(p->front[i], p->back[i]) > 0.75) enclosing += area;
    }
    return all > 0 ? enclosing / all : 0;
}

static void run_probes(probing* p, workers* threads)
{
    workers_run(threads, probe, p, (p->count + PROBES_A_TASK - 1) / PROBES_A_TASK);
}

// Turned pieces are looked at once more: what counts is the surface as it then is.
static pliant_result face_outward(solid* s, workers* threads)
{
    size_t triangles = (size_t)s->tree.triangle_count, pieces = (size_t)s->piece_count;
    int* chosen = (int*)mem_array(triangles, sizeof(int));
    int* size = (int*)mem_array(2 * pieces, sizeof(int));
    double* room = (double*)mem_array(2 * triangles + pieces, sizeof(double));
    bool ok = chosen && size && room;
    if (ok) {
        probing p = {s, chosen, room, room + triangles, choose_probes(s, size, chosen)};
        run_probes(&p, threads);
        if (turn_pieces(s, &p, room + 2 * triangles)) {
            ok = plant_tree(s);
            if (ok) run_probes(&p, threads);
        }
        if (ok) s->enclosing = enclosing_part(s, &p);
    }
    mem_free(chosen);
    mem_free(size);
    mem_free(room);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result measure(solid* s)
{
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure(s->surface, &q);
    if (result) return result;
    s->volume = q.boundary_edges == 0 && q.volume > 0 ? q.volume : 0;
    s->area = q.area;
    return PLIANT_OK;
}

// ---- the solid ----------------------------------------------------------------------------------

static const double LEAST_ENCLOSING = 0.5;

static pliant_result check_encloses(const solid* s)
{
    if (s->enclosing >= LEAST_ENCLOSING) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the surface has no inside: only %.0f %% of its area has something enclosed behind "
                "it, as if it were an open sheet or loose triangles; close its holes, or give a "
                "sheet a thickness",
                100 * s->enclosing);
}

pliant_result solid_create(const pliant_mesh* mesh, hole_choice holes, workers* threads, solid* out)
{
    *out = (solid){0};
    pliant_result result = prepare_surface(mesh, holes, out);
    if (!result && !plant_tree(out)) result = PLIANT_ERROR_MEMORY;
    if (!result) result = face_outward(out, threads);
    if (!result) result = check_encloses(out);
    if (!result) result = measure(out);
    if (result) solid_destroy(out);
    return result;
}

void solid_destroy(solid* s)
{
    pliant_mesh_destroy(s->surface);
    mem_free(s->piece);
    tree_destroy(&s->tree);
    *s = (solid){0};
}

double solid_distance(const solid* s, vec3 point, double limit, double* out_winding)
{
    double distance = tree_distance(&s->tree, point, limit, NULL);
    double winding = tree_winding(&s->tree, point);
    if (out_winding) *out_winding = winding;
    return winding > 0.5 ? -distance : distance;
}

vec3 solid_point(const solid* s, const double world[3])
{
    return v3((world[0] - s->center[0]) / s->size, (world[1] - s->center[1]) / s->size,
              (world[2] - s->center[2]) / s->size);
}
