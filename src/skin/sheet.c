#define PRECISION_DOUBLE
#include "skin/sheet.h"
#include "geometry/box_tree.h"
#include "geometry/triangle.h"
#include "math/direction.h"
#include <string.h>

enum { PIECE = 4096 }; // of what is moved

static vec3 vertex_at(const sheet* s, int vertex)
{
    const double* x = s->x + 3 * (size_t)vertex;
    return v3(x[0], x[1], x[2]);
}

static vec3 normal_at(const sheet* s, int vertex)
{
    const pliant_vec3* n = &s->normal[vertex];
    return v3((double)n->x, (double)n->y, (double)n->z);
}

static vec3 flat_normal(const sheet* s, const int corner[3])
{
    vec3 start = vertex_at(s, corner[0]);
    return v3_unit(
        v3_cross(v3_sub(vertex_at(s, corner[1]), start), v3_sub(vertex_at(s, corner[2]), start)));
}

// Between the corners' normals; that of the triangle where they cancel.
static vec3 smooth_normal(const sheet* s, const int corner[3], const float lean[2])
{
    if (lean[0] < 0) return flat_normal(s, corner);
    vec3 n = v3_scale(1 - (double)lean[0] - (double)lean[1], normal_at(s, corner[0]));
    for (int k = 0; k < 2; ++k) n = v3_add_scaled(n, (double)lean[k], normal_at(s, corner[k + 1]));
    return v3_dot(n, n) > 1e-12 ? v3_unit(n) : flat_normal(s, corner);
}

// ---- where the cloth is -------------------------------------------------------------------------

// One piece of work for any number of threads.
typedef struct {
    sheet* s;
    const sheet_source* source; // of the body at hand
    int from, to;               // its vertices
    pliant_vec3* out;
} sheet_work;

static int end_of(int number, int piece, int count)
{
    return count - number * piece < piece ? count : (number + 1) * piece;
}

static void run_pieces(executor* exec, pliant_task_fn* task, sheet_work* w, int count)
{
    executor_run(exec, task, w, (count + PIECE - 1) / PIECE);
}

static void read_piece(int number, void* argument)
{
    const sheet_work* w = (const sheet_work*)argument;
    const sheet_source* from = w->source;
    for (int i = number * PIECE; i < end_of(number, PIECE, w->to - w->from); ++i) {
        size_t row = from->row ? (size_t)from->row[i] : (size_t)i;
        for (size_t k = 0; k < 3; ++k)
            w->s->x[3 * ((size_t)w->from + (size_t)i) + k] =
                binding_read(from->rows, ROW * row + k, from->scalar_bytes);
    }
}

static void center_piece(int number, void* argument)
{
    const sheet_work* w = (const sheet_work*)argument;
    const double* origin = w->s->x + 3 * (size_t)w->from;
    for (int i = number * PIECE; i < end_of(number, PIECE, w->to - w->from); ++i) {
        const double* x = origin + 3 * (size_t)i;
        w->s->local[w->from + i] = (pliant_vec3){
            (float)(x[0] - origin[0]), (float)(x[1] - origin[1]), (float)(x[2] - origin[2])};
    }
}

static void area_piece(int number, void* argument)
{
    sheet* s = ((const sheet_work*)argument)->s;
    normal_plan_areas(&s->plan, s->local, number * PIECE,
                      end_of(number, PIECE, s->plan.triangle_count));
}

static void mean_piece(int number, void* argument)
{
    sheet* s = ((const sheet_work*)argument)->s;
    normal_plan_means(&s->plan, s->normal, number * PIECE,
                      end_of(number, PIECE, s->plan.normal_count));
}

// From the places of its vertices.
static void find_normals(sheet* s, executor* exec)
{
    sheet_work w = {.s = s};
    for (int b = 0; b < s->body_count; ++b) {
        w.from = s->first[b], w.to = s->first[b + 1];
        run_pieces(exec, center_piece, &w, w.to - w.from);
    }
    run_pieces(exec, area_piece, &w, s->plan.triangle_count);
    run_pieces(exec, mean_piece, &w, s->plan.normal_count);
}

// ---- moving the surface -------------------------------------------------------------------------

static void place_piece(int number, void* argument)
{
    const sheet_work* w = (const sheet_work*)argument;
    const sheet* s = w->s;
    for (int i = number * PIECE; i < end_of(number, PIECE, s->binding_count); ++i) {
        const sheet_binding* b = &s->binding[i];
        vec3 start = vertex_at(s, b->corner[0]), sum = v3_zero();
        for (int k = 0; k < 2; ++k)
            sum = v3_add_scaled(sum, (double)b->share[k],
                                v3_sub(vertex_at(s, b->corner[k + 1]), start));
        if (b->height != 0)
            sum = v3_add_scaled(sum, (double)b->height, smooth_normal(s, b->corner, b->lean));
        vec3 at = v3_add(start, sum);
        w->out[i] = (pliant_vec3){(float)at.x, (float)at.y, (float)at.z};
    }
}

void sheet_place(sheet* s, executor* exec, const sheet_source* source, pliant_vec3* out)
{
    sheet_work w = {.s = s, .out = out};
    for (int b = 0; b < s->body_count; ++b) {
        w.source = &source[b], w.from = s->first[b], w.to = s->first[b + 1];
        run_pieces(exec, read_piece, &w, w.to - w.from);
    }
    find_normals(s, exec);
    run_pieces(exec, place_piece, &w, s->binding_count);
}

// ---- binding ------------------------------------------------------------------------------------

typedef struct {
    sheet* s;
    const carrier_pose* pose;
    const pliant_mesh* surface;
    box_tree tree; // over the triangles
    piece_report* report;
} bind_work;

static tree_box box_of_triangle(const void* pose, int number)
{
    const carrier_pose* p = (const carrier_pose*)pose;
    tree_box box = NO_BOX;
    for (size_t k = 0; k < 3; ++k) {
        const double* x = p->vertex + 3 * (size_t)p->corner[3 * (size_t)number + k];
        box = join_point(box, v3(x[0], x[1], x[2]));
    }
    return box;
}

typedef struct {
    const carrier_pose* pose;
    vec3 point;
    double distance2;
    int nearest; // triangle
} nearest_search;

static double bound_point(const tree_box* box, const void* query)
{
    return box_distance2(box->low, box->high, ((const nearest_search*)query)->point);
}

static double look_at_triangle(int number, void* query)
{
    nearest_search* q = (nearest_search*)query;
    triangle t = triangle_make(q->pose->vertex, q->pose->corner + 3 * (size_t)number);
    double distance2 = triangle_distance2(&t, q->point);
    bool lower = distance2 == q->distance2 && number < q->nearest;
    if (!t.flat && (distance2 < q->distance2 || lower)) {
        q->distance2 = distance2;
        q->nearest = number;
    }
    return q->distance2;
}

// Solves a x + b y + c z = v; the three are not in a plane.
static vec3 solve3(vec3 a, vec3 b, vec3 c, vec3 v)
{
    double inverse = 1 / v3_dot(a, v3_cross(b, c));
    return v3(inverse * v3_dot(v, v3_cross(b, c)), inverse * v3_dot(a, v3_cross(v, c)),
              inverse * v3_dot(a, v3_cross(b, v)));
}

// The normal is that of the nearest place; the vertex is above a place in the plane from which that
// normal leads to it, mostly the same.
static sheet_binding bind_vertex(const bind_work* w, int number, vec3 point)
{
    const int* corner = w->pose->corner + 3 * (size_t)number;
    triangle t = triangle_make(w->pose->vertex, corner);
    vec3 edge = v3_sub(t.corner[2], t.corner[0]), from = v3_sub(point, t.corner[0]);
    vec3 foot = v3_sub(triangle_nearest(&t, point), t.corner[0]);
    vec3 place = solve3(t.edge[0], edge, t.normal, foot);
    sheet_binding b = {.corner = {corner[0], corner[1], corner[2]},
                       .lean = {(float)fmax(place.x, 0), (float)fmax(place.y, 0)}};
    if (v3_dot(smooth_normal(w->s, b.corner, b.lean), t.normal) < 0.1)
        b.lean[0] = -1; // in a sharp crease it leads along the triangle
    vec3 at = solve3(t.edge[0], edge, smooth_normal(w->s, b.corner, b.lean), from);
    b.share[0] = (float)at.x, b.share[1] = (float)at.y, b.height = (float)at.z;
    return b;
}

static void bind_piece(int number, void* argument)
{
    const bind_work* w = (const bind_work*)argument;
    piece_report report = {0, -1, 0};
    double rounding = 1e-9 * w->pose->mean_edge;
    for (int i = number * BIND_PIECE; i < end_of(number, BIND_PIECE, w->surface->vertex_count);
         ++i) {
        const double* x = w->surface->vertices + 3 * (size_t)i;
        nearest_search q = {w->pose, v3(x[0], x[1], x[2]), INFINITY, -1};
        box_tree_search(&w->tree, bound_point, look_at_triangle, &q, INFINITY);
        if (q.nearest < 0) { // all triangles are flat
            report = (piece_report){1, i, INFINITY};
            break;
        }
        w->s->binding[i] = bind_vertex(w, q.nearest, q.point);
        report_distance(&report, i, sqrt(q.distance2), rounding);
    }
    w->report[number] = report;
}

static bool bind_all(sheet* s, const carrier_pose* pose, executor* exec, const pliant_mesh* surface,
                     pliant_skin_info* info)
{
    int pieces = (surface->vertex_count + BIND_PIECE - 1) / BIND_PIECE;
    bind_work w = {.s = s, .pose = pose, .surface = surface};
    w.report = (piece_report*)mem_array((size_t)pieces, sizeof *w.report);
    bool good = w.report && box_tree_create(pose->element_count, box_of_triangle, pose, &w.tree);
    if (good) {
        executor_run(exec, bind_piece, &w, pieces);
        sum_reports(w.report, pieces, info);
        box_tree_destroy(&w.tree);
    }
    mem_free(w.report);
    return good;
}

bool sheet_create(carrier_pose* pose, executor* exec, const pliant_mesh* surface, sheet* out,
                  pliant_skin_info* info)
{
    size_t count = (size_t)pose->vertex_count, bodies = (size_t)pose->body_count;
    *out = (sheet){.binding_count = surface->vertex_count, .body_count = pose->body_count};
    out->binding = (sheet_binding*)mem_array((size_t)surface->vertex_count, sizeof(sheet_binding));
    out->x = (double*)mem_array(count, 3 * sizeof(double));
    out->local = (pliant_vec3*)mem_array(count, sizeof(pliant_vec3));
    out->normal = (pliant_vec3*)mem_array_zero(count, sizeof(pliant_vec3));
    out->first = (int*)mem_array(bodies + 1, sizeof(int));
    bool good = out->binding && out->x && out->local && out->normal && out->first &&
                normal_plan_create(pose->corner, pose->corner, pose->element_count,
                                   pose->vertex_count, &out->plan);
    if (good) {
        memcpy(out->first, pose->first, (bodies + 1) * sizeof(int));
        memcpy(out->x, pose->vertex, count * 3 * sizeof(double));
        find_normals(out, exec);
        good = bind_all(out, pose, exec, surface, info);
    }
    if (!good) sheet_destroy(out);
    return good;
}

void sheet_destroy(sheet* s)
{
    mem_free(s->binding);
    mem_free(s->x);
    mem_free(s->local);
    mem_free(s->normal);
    mem_free(s->first);
    normal_plan_destroy(&s->plan);
    *s = (sheet){0};
}
