#define PRECISION_DOUBLE
#include "geometry/holes.h"
#include "geometry/triangle.h"
#include "math/direction.h"
#include "mesh/limit.h"
#include "mesh/tuple.h"

// ---- rims ---------------------------------------------------------------------------------------

// Side s of triangle t is number 3 t + s and runs from corner s to the next one.
typedef struct {
    const pliant_mesh* surface;
    int* next; // of each vertex: a side without a neighbor that starts there, or -1
    int* same; // of each side: another such one that starts at the same vertex, or -1
    int* path; // vertices on the way
    int* seen; // of each vertex: its place on the path, or -1
} rims;

static int side_start(const pliant_mesh* m, int side) { return m->triangles[side]; }
static int side_end(const pliant_mesh* m, int side)
{
    return m->triangles[side / 3 * 3 + (side + 1) % 3];
}

static bool list_open_sides(rims* r)
{
    const pliant_mesh* m = r->surface;
    int count = 3 * m->triangle_count;
    tuple_list sides;
    bool ok = tuples_allocate(&sides, 2, count);
    for (int side = 0; ok && side < count; ++side) {
        const int ends[2] = {side_start(m, side), side_end(m, side)};
        tuples_set(&sides, side, ends);
    }
    ok = ok && tuples_sort(&sides, m->vertex_count);
    for (int v = 0; v < m->vertex_count; ++v) r->next[v] = r->seen[v] = -1;
    for (int first = 0, end; ok && first < count; first = end) {
        end = tuples_run_end(&sides, first);
        int side = sides.order[first];
        if (end - first > 1) continue;
        int* start = &r->next[side_start(m, side)];
        r->same[side] = *start;
        *start = side;
    }
    tuples_free(&sides);
    return ok;
}

static bool rims_create(const pliant_mesh* surface, rims* out)
{
    size_t vertices = (size_t)surface->vertex_count, sides = 3 * (size_t)surface->triangle_count;
    *out = (rims){.surface = surface};
    out->next = (int*)mem_array(vertices, sizeof(int));
    out->seen = (int*)mem_array(vertices, sizeof(int));
    out->path = (int*)mem_array(sides + 1, sizeof(int));
    out->same = (int*)mem_array(sides, sizeof(int));
    return out->next && out->seen && out->path && out->same && list_open_sides(out);
}

static void rims_destroy(rims* r)
{
    mem_free(r->next);
    mem_free(r->seen);
    mem_free(r->path);
    mem_free(r->same);
}

// ---- loops --------------------------------------------------------------------------------------

// A loop as its cover sees it: against the sides of the surface.
typedef struct {
    const int* vertex;
    int count;
    int piece;   // of the surface, that it is a rim of
    vec3 normal; // of length 1, where it has an area
    double area; // in the plane across the normal
    bool flat;
} loop;

static vec3 place_of(const pliant_mesh* m, int v)
{
    const double* x = m->vertices + 3 * (ptrdiff_t)v;
    return v3(x[0], x[1], x[2]);
}

static void measure_loop(const pliant_mesh* m, loop* l)
{
    static const double FLAT = 0.02; // off the plane, of the root of the area
    vec3 sum = v3_zero(), origin = place_of(m, l->vertex[0]);
    double low = 0, high = 0;
    for (int i = 1; i + 1 < l->count; ++i)
        sum = v3_add(sum, v3_cross(v3_sub(place_of(m, l->vertex[i]), origin),
                                   v3_sub(place_of(m, l->vertex[i + 1]), origin)));
    l->normal = v3_unit(sum);
    l->area = v3_length(sum) / 2;
    for (int i = 1; i < l->count; ++i) {
        double off = v3_dot(l->normal, v3_sub(place_of(m, l->vertex[i]), origin));
        low = fmin(low, off), high = fmax(high, off);
    }
    l->flat = high - low <= FLAT * sqrt(l->area);
}

typedef struct {
    pliant_mesh* surface;
    int** piece;
    double* area;  // of each piece
    double* cover; // of each piece: of the largest loop that is to be closed
    hole_choice which;
    int* room;             // of a loop, for its cover
    unsigned char* no_ear; // of its corners
    int triangle_capacity, piece_capacity;
    holes_report report;
} closing;

// What is done with the loops: they are measured first, and then closed.
typedef bool visit_loop(closing* c, const loop* l);

static bool is_chosen(const closing* c, const loop* l)
{
    return l->area > 0 && (l->flat || c->which == HOLES_ALL);
}

// Sides are followed until a vertex comes again: what is between is a loop, and the rest goes on.
static bool visit_loops_from(closing* c, rims* r, int start, visit_loop* visit)
{
    const pliant_mesh* m = r->surface;
    int count = 0, v = start, piece = 0;
    for (;;) {
        if (r->seen[v] >= 0) {
            int first = r->seen[v];
            loop l = {.vertex = r->path + first, .count = count - first, .piece = piece};
            for (int i = first, k = count - 1; i < k; ++i, --k) { // the other way round
                int swapped = r->path[i];
                r->path[i] = r->path[k], r->path[k] = swapped;
            }
            for (int i = first; i < count; ++i) r->seen[r->path[i]] = -1;
            if (l.count >= 3) {
                measure_loop(m, &l);
                if (!visit(c, &l)) return false;
            }
            count = first;
        }
        int side = r->next[v];
        if (side < 0) break;
        r->next[v] = r->same[side];
        piece = (*c->piece)[side / 3];
        r->seen[v] = count;
        r->path[count++] = v;
        v = side_end(m, side);
    }
    for (int i = 0; i < count; ++i) r->seen[r->path[i]] = -1;
    return true;
}

static bool visit_all_loops(closing* c, visit_loop* visit)
{
    rims r;
    bool ok = rims_create(c->surface, &r);
    for (int v = 0; ok && v < c->surface->vertex_count; ++v)
        while (ok && r.next[v] >= 0) ok = visit_loops_from(c, &r, v, visit);
    rims_destroy(&r);
    return ok;
}

// ---- covers -------------------------------------------------------------------------------------

static bool is_in_triangle(vec3 p, vec3 a, vec3 b, vec3 c, vec3 normal)
{
    return v3_dot(v3_cross(v3_sub(b, a), v3_sub(p, a)), normal) >= 0 &&
           v3_dot(v3_cross(v3_sub(c, b), v3_sub(p, b)), normal) >= 0 &&
           v3_dot(v3_cross(v3_sub(a, c), v3_sub(p, c)), normal) >= 0;
}

typedef struct {
    const pliant_mesh* mesh;
    vec3 normal;
    int* vertex; // of what is left
    unsigned char* no_ear;
    int count;
} polygon;

static vec3 corner_of(const polygon* p, int i)
{
    return place_of(p->mesh, p->vertex[(i + p->count) % p->count]);
}

// Convex, and no other corner in it.
static bool is_ear(const polygon* p, int i)
{
    vec3 a = corner_of(p, i - 1), b = corner_of(p, i), c = corner_of(p, i + 1);
    if (!(v3_dot(v3_cross(v3_sub(b, a), v3_sub(c, b)), p->normal) > 0)) return false;
    for (int k = 2; k + 1 < p->count; ++k)
        if (is_in_triangle(corner_of(p, i + k), a, b, c, p->normal)) return false;
    return true;
}

static double chord2(const polygon* p, int i)
{
    vec3 way = v3_sub(corner_of(p, i + 1), corner_of(p, i - 1));
    return v3_dot(way, way);
}

// The ear with the shortest chord. Where there is none, as in a rim that is not flat, the corner
// with the shortest.
static int choose_ear(polygon* p)
{
    for (;;) {
        int best = -1;
        for (int i = 0; i < p->count; ++i)
            if (!p->no_ear[i] && (best < 0 || chord2(p, i) < chord2(p, best))) best = i;
        if (best < 0) break;
        if (p->count == 3 || is_ear(p, best)) return best;
        p->no_ear[best] = 1;
    }
    int shortest = 0;
    for (int i = 1; i < p->count; ++i)
        if (chord2(p, i) < chord2(p, shortest)) shortest = i;
    return shortest;
}

static void cut_ear(polygon* p, int i)
{
    p->no_ear[(i + 1) % p->count] = p->no_ear[(i + p->count - 1) % p->count] = 0;
    for (int k = i; k + 1 < p->count; ++k)
        p->vertex[k] = p->vertex[k + 1], p->no_ear[k] = p->no_ear[k + 1];
    p->count -= 1;
}

static bool add_triangle(closing* c, const polygon* p, int ear, int piece)
{
    pliant_mesh* m = c->surface;
    int at = m->triangle_count;
    if (!mem_reserve((void**)&m->triangles, &c->triangle_capacity, at + 1, 3 * sizeof(int)) ||
        !mem_reserve((void**)c->piece, &c->piece_capacity, at + 1, sizeof(int)))
        return false;
    for (int k = 0; k < 3; ++k)
        m->triangles[3 * (ptrdiff_t)at + k] = p->vertex[(ear + k + p->count - 1) % p->count];
    (*c->piece)[at] = piece;
    m->triangle_count += 1;
    return true;
}

static bool cover(closing* c, const loop* l)
{
    polygon p = {c->surface, l->normal, c->room, c->no_ear, l->count};
    for (int i = 0; i < l->count; ++i) p.vertex[i] = l->vertex[i], p.no_ear[i] = 0;
    while (p.count >= 3) {
        int ear = choose_ear(&p);
        if (!add_triangle(c, &p, ear, l->piece)) return false;
        cut_ear(&p, ear);
    }
    return true;
}

// ---- all ----------------------------------------------------------------------------------------

static bool measure_cover(closing* c, const loop* l)
{
    if (is_chosen(c, l)) c->cover[l->piece] = fmax(c->cover[l->piece], l->area);
    return true;
}

// A sheet's cover is as large as the sheet. Half of that is much for a hole in a figure.
static bool is_sheet(const closing* c, int piece)
{
    static const double MOST[] = {[HOLES_FLAT] = 0.6, [HOLES_ALL] = 0.9};
    return !(c->cover[piece] <= MOST[c->which] * c->area[piece]);
}

static bool close_loop(closing* c, const loop* l)
{
    bool closes = is_chosen(c, l) && !is_sheet(c, l->piece);
    c->report.closed += closes;
    c->report.open += !closes;
    return !closes || cover(c, l);
}

static void measure_pieces(closing* c)
{
    const pliant_mesh* m = c->surface;
    for (int t = 0; t < m->triangle_count; ++t) {
        triangle shape = triangle_make(m->vertices, m->triangles + 3 * (ptrdiff_t)t);
        c->area[(*c->piece)[t]] += triangle_area(&shape);
    }
}

pliant_result close_holes(pliant_mesh* surface, int** piece, int piece_count, hole_choice which,
                          holes_report* out)
{
    closing c = {.surface = surface,
                 .piece = piece,
                 .which = which,
                 .triangle_capacity = surface->triangle_count,
                 .piece_capacity = surface->triangle_count};
    c.area = (double*)mem_array_zero((size_t)piece_count, sizeof(double));
    c.cover = (double*)mem_array_zero((size_t)piece_count, sizeof(double));
    c.room = (int*)mem_array((size_t)surface->vertex_count, sizeof(int));
    c.no_ear = (unsigned char*)mem_array((size_t)surface->vertex_count, 1);
    bool ok = c.area && c.cover && c.room && c.no_ear;
    if (ok) measure_pieces(&c);
    ok = ok && visit_all_loops(&c, measure_cover) && visit_all_loops(&c, close_loop);
    mem_free(c.area);
    mem_free(c.cover);
    mem_free(c.room);
    mem_free(c.no_ear);
    *out = c.report;
    return ok ? check_mesh_size(surface) : PLIANT_ERROR_MEMORY;
}
