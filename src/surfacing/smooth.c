#include "surfacing/smooth.h"
#include <math.h>
#include <stdatomic.h>

enum { PIECE = 1 << 14 };

static int pieces_of(int count) { return (count + PIECE - 1) / PIECE; }
static int end_of(int piece, int count)
{
    return (piece + 1) * (int64_t)PIECE < count ? (piece + 1) * PIECE : count;
}

// ---- who is around a vertex ---------------------------------------------------------------------

typedef struct {
    surface_sides* s;
    _Atomic int* used; // of each vertex's sides
} side_filling;

static void count_sides(int piece, void* argument)
{
    const side_filling* f = (const side_filling*)argument;
    const surface_sides* s = f->s;
    for (ptrdiff_t i = piece * (ptrdiff_t)PIECE; i < end_of(piece, s->triangle_count); ++i)
        for (int k = 0; k < 3; ++k)
            atomic_fetch_add_explicit(&f->used[s->triangles[3 * i + k]], 1, memory_order_relaxed);
}

static void fill_sides(int piece, void* argument)
{
    const side_filling* f = (const side_filling*)argument;
    const surface_sides* s = f->s;
    for (ptrdiff_t i = piece * (ptrdiff_t)PIECE; i < end_of(piece, s->triangle_count); ++i)
        for (int k = 0; k < 3; ++k) {
            const int* t = &s->triangles[3 * i];
            int at = atomic_fetch_sub_explicit(&f->used[t[k]], 1, memory_order_relaxed) - 1;
            s->side[s->first[t[k]] + at] = (vertex_side){t[(k + 1) % 3], t[(k + 2) % 3]};
        }
}

// Threads come in any order: the sides are put into theirs.
static void order_sides(int piece, void* argument)
{
    const surface_sides* s = ((const side_filling*)argument)->s;
    for (int v = piece * PIECE; v < end_of(piece, s->vertex_count); ++v)
        for (int i = s->first[v] + 1; i < s->first[v + 1]; ++i) {
            vertex_side moved = s->side[i];
            int k = i;
            for (; k > s->first[v] && s->side[k - 1].next > moved.next; --k)
                s->side[k] = s->side[k - 1];
            s->side[k] = moved;
        }
}

bool sides_create(workers* threads, const int* triangles, int vertex_count, int triangle_count,
                  surface_sides* out)
{
    *out = (surface_sides){.triangles = triangles,
                           .vertex_count = vertex_count,
                           .triangle_count = triangle_count,
                           .threads = threads};
    side_filling f = {out, (_Atomic int*)mem_array_zero((size_t)vertex_count, sizeof(int))};
    out->first = (int*)mem_array((size_t)vertex_count + 1, sizeof(int));
    out->side = (vertex_side*)mem_array(3 * (size_t)triangle_count, sizeof *out->side);
    bool good = f.used && out->first && out->side;
    if (good) {
        workers_run(threads, count_sides, &f, pieces_of(triangle_count));
        out->first[0] = 0;
        for (int i = 0; i < vertex_count; ++i)
            out->first[i + 1] =
                out->first[i] + atomic_load_explicit(&f.used[i], memory_order_relaxed);
        workers_run(threads, fill_sides, &f, pieces_of(triangle_count));
        workers_run(threads, order_sides, &f, pieces_of(vertex_count));
    }
    mem_free((void*)f.used);
    return good;
}

void sides_release(surface_sides* s)
{
    mem_free(s->first);
    mem_free(s->side);
}

// ---- smoothing ----------------------------------------------------------------------------------

typedef struct {
    const surface_sides* s;
    const double* from;
    double* to;
    double part;
} smoothing;

static void smooth(int piece, void* argument)
{
    const smoothing* c = (const smoothing*)argument;
    const surface_sides* s = c->s;
    for (ptrdiff_t v = piece * (ptrdiff_t)PIECE; v < end_of(piece, s->vertex_count); ++v) {
        const double* x = &c->from[3 * v];
        double sum[3] = {0, 0, 0};
        int count = s->first[v + 1] - s->first[v];
        for (int i = s->first[v]; i < s->first[v + 1]; ++i)
            for (int k = 0; k < 3; ++k)
                sum[k] += c->from[3 * (ptrdiff_t)s->side[i].next + k] - x[k];
        for (int k = 0; k < 3; ++k) c->to[3 * v + k] = x[k] + c->part / count * sum[k];
    }
}

bool sides_smooth(const surface_sides* s, int passes, watcher* watch, double* vertex)
{
    const double TOWARD = 0.5, AWAY = -0.52;
    double* other = passes ? (double*)mem_array(3 * (size_t)s->vertex_count, sizeof *other) : NULL;
    if (passes && !other) return false;
    smoothing there = {s, vertex, other, TOWARD}, back = {s, other, vertex, AWAY};
    bool good = true;
    for (int i = 0; i < passes && good; ++i) {
        workers_run(s->threads, smooth, &there, pieces_of(s->vertex_count));
        workers_run(s->threads, smooth, &back, pieces_of(s->vertex_count));
        good = watcher_share(watch, (i + 1.0) / passes);
    }
    mem_free(other);
    return good;
}

// ---- normals ------------------------------------------------------------------------------------

typedef struct {
    const surface_sides* s;
    const double* vertex;
    pliant_vec3* out;
} turning;

static void find_normals(int piece, void* argument)
{
    const turning* c = (const turning*)argument;
    const surface_sides* s = c->s;
    for (ptrdiff_t v = piece * (ptrdiff_t)PIECE; v < end_of(piece, s->vertex_count); ++v) {
        const double* x = &c->vertex[3 * v];
        double n[3] = {0, 0, 0}, a[3], b[3];
        for (int i = s->first[v]; i < s->first[v + 1]; ++i) {
            for (int k = 0; k < 3; ++k) {
                a[k] = c->vertex[3 * (ptrdiff_t)s->side[i].next + k] - x[k];
                b[k] = c->vertex[3 * (ptrdiff_t)s->side[i].last + k] - x[k];
            }
            for (int k = 0; k < 3; ++k)
                n[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        }
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double scale = length > 0 ? 1 / length : 0;
        c->out[v] =
            (pliant_vec3){(float)(scale * n[0]), (float)(scale * n[1]), (float)(scale * n[2])};
        if (!(length > 0)) c->out[v].y = 1;
    }
}

void sides_normals(const surface_sides* s, const double* vertex, pliant_vec3* out)
{
    turning c = {s, vertex, out};
    workers_run(s->threads, find_normals, &c, pieces_of(s->vertex_count));
}
