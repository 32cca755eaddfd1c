// From lists and corners to points, normals and vertices.
#include "base/keyset.h"
#include "base/union.h"
#include "mesh/mesh.h"
#include "visual/draft.h"
#include <math.h>
#include <string.h>

// ---- points -------------------------------------------------------------------------------------

// The point of each position, for those that corners use.
static bool join_points(const visual_draft* d, visual* v, int* point_of)
{
    keyset places;
    const double* position = d->positions.value;
    if (!keyset_create(&places, sizeof(double[3]), d->positions.count)) return false;
    for (int i = 0; i < d->corner_count; ++i) {
        int p = d->corner[i].position;
        if (point_of[p] < 0) point_of[p] = keyset_add(&places, position + 3 * (size_t)p);
    }
    v->point_count = places.count;
    v->point = (double*)mem_array(3 * (size_t)places.count, sizeof(double));
    if (v->point) memcpy(v->point, places.keys, 3 * (size_t)places.count * sizeof(double));
    keyset_destroy(&places);
    return v->point != NULL;
}

// A point has the color of its first position.
static bool color_points(const visual_draft* d, visual* v, const int* point_of)
{
    v->point_color = (double*)mem_array(3 * (size_t)v->point_count, sizeof(double));
    if (!v->point_color) return false;
    for (size_t i = 0; i < 3 * (size_t)v->point_count; ++i) v->point_color[i] = 1;
    for (int i = d->colors.count - 1; i >= 0; --i)
        if (point_of[i] >= 0)
            memcpy(v->point_color + 3 * (size_t)point_of[i], d->colors.value + 3 * (size_t)i,
                   3 * sizeof(double));
    return true;
}

static bool keep_points(const visual_draft* d, visual* v, int* point_of)
{
    size_t numbers = 3 * (size_t)d->positions.count;
    v->point_count = d->positions.count;
    v->point = (double*)mem_array(numbers, sizeof(double));
    if (!v->point) return false;
    memcpy(v->point, d->positions.value, numbers * sizeof(double));
    for (int i = 0; i < v->point_count; ++i) point_of[i] = i;
    return true;
}

// ---- normals ------------------------------------------------------------------------------------

// Corners around each point: those of p are around[first[p]] to around[first[p + 1] - 1].
typedef struct {
    const visual_draft* draft;
    const visual* look;
    const int* point_of;
    int *first, *around;
    double* area; // 3 for each triangle
} corner_fans;

static int point_at(const corner_fans* f, int corner)
{
    return f->point_of[f->draft->corner[corner].position];
}

static void group_corners(corner_fans* f)
{
    int corners = f->draft->corner_count, points = f->look->point_count;
    for (int i = 0; i < corners; ++i) f->first[point_at(f, i) + 1]++;
    for (int p = 0; p < points; ++p) f->first[p + 1] += f->first[p];
    for (int i = corners - 1; i >= 0; --i) f->around[--f->first[point_at(f, i) + 1]] = i;
    memmove(f->first, f->first + 1, (size_t)points * sizeof(int));
    f->first[points] = corners;
}

static void measure_areas(corner_fans* f)
{
    for (int t = 0; t < f->draft->corner_count / 3; ++t) {
        const double* x[3];
        double *out = f->area + 3 * (size_t)t, a[3], b[3], length = 0;
        for (int k = 0; k < 3; ++k) x[k] = f->look->point + 3 * (size_t)point_at(f, 3 * t + k);
        for (int k = 0; k < 3; ++k) a[k] = x[1][k] - x[0][k], b[k] = x[2][k] - x[0][k];
        for (int k = 0; k < 3; ++k) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            out[k] = a[i] * b[j] - a[j] * b[i];
            length += out[k] * out[k];
        }
        length = sqrt(length);
        for (int k = 0; k < 3; ++k) out[k] = length > 0 ? out[k] / length : 0;
    }
}

// Triangles that share an edge at the point and bend there by less than 60 degrees.
static bool are_smooth(const corner_fans* f, int a, int b)
{
    const double *n = f->area + 3 * (size_t)(a / 3), *m = f->area + 3 * (size_t)(b / 3);
    bool edge = false;
    for (int i = 1; i < 3; ++i)
        for (int j = 1; j < 3; ++j) {
            int p = 3 * (a / 3) + (a + i) % 3, q = 3 * (b / 3) + (b + j) % 3;
            edge = edge || point_at(f, p) == point_at(f, q);
        }
    return edge && n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0.5;
}

// Where a file has no normals, sharp edges are found by their angle. A point with very many
// triangles is smooth: every pair is looked at.
static void divide_fan(const corner_fans* f, int point, int* normal_of, int* count)
{
    enum { MOST = 64 };
    int parent[MOST], number[MOST], fan = f->first[point + 1] - f->first[point];
    const int* corner = f->around + f->first[point];
    if (fan > MOST) {
        for (int i = 0; i < fan; ++i) normal_of[corner[i]] = *count;
        ++*count;
        return;
    }
    union_start(parent, fan);
    for (int i = 0; i < fan; ++i)
        for (int j = 0; j < i; ++j)
            if (are_smooth(f, corner[i], corner[j])) union_join(parent, i, j);
    for (int i = 0; i < fan; ++i) {
        int root = union_root(parent, i);
        if (root == i) number[i] = (*count)++;
        normal_of[corner[i]] = number[root];
    }
}

static bool find_sharp_edges(const visual_draft* d, visual* v, const int* point_of, int* normal_of)
{
    corner_fans f = {.draft = d, .look = v, .point_of = point_of};
    f.first = (int*)mem_array_zero((size_t)v->point_count + 2, sizeof(int));
    f.around = (int*)mem_array((size_t)d->corner_count, sizeof(int));
    f.area = (double*)mem_array((size_t)d->corner_count, sizeof(double));
    bool good = f.first && f.around && f.area;
    if (good) {
        group_corners(&f);
        measure_areas(&f);
        for (int p = 0; p < v->point_count; ++p) divide_fan(&f, p, normal_of, &v->normal_count);
    }
    mem_free(f.first);
    mem_free(f.around);
    mem_free(f.area);
    return good;
}

typedef struct {
    double value[3];
    int64_t point;
} normal_key;

// Corners of a point have one normal where the file gives them the same.
static bool join_normals(const visual_draft* d, visual* v, const int* point_of, int* normal_of)
{
    keyset normals;
    if (!keyset_create(&normals, sizeof(normal_key), d->corner_count)) return false;
    for (int i = 0; i < d->corner_count; ++i) {
        const visual_corner* c = &d->corner[i];
        normal_key key = {.point = point_of[c->position]};
        if (c->normal >= 0)
            memcpy(key.value, d->normals.value + 3 * (size_t)c->normal, sizeof key.value);
        normal_of[i] = keyset_add(&normals, &key);
    }
    v->normal_count = normals.count;
    keyset_destroy(&normals);
    return true;
}

// ---- vertices -----------------------------------------------------------------------------------

typedef struct {
    double uv[2];
    int point, normal;
} vertex_key;

static bool fill_vertices(visual* v, const keyset* vertices)
{
    size_t count = (size_t)vertices->count;
    v->vertex_count = vertices->count;
    v->vertex_point = (int*)mem_array(count, sizeof(int));
    v->vertex_normal = (int*)mem_array(count, sizeof(int));
    v->vertex_uv = (double*)mem_array(2 * count, sizeof(double));
    if (!v->vertex_point || !v->vertex_normal || !v->vertex_uv) return false;
    for (size_t i = 0; i < count; ++i) {
        vertex_key key;
        memcpy(&key, vertices->keys + i * sizeof key, sizeof key);
        v->vertex_point[i] = key.point;
        v->vertex_normal[i] = key.normal;
        memcpy(v->vertex_uv + 2 * i, key.uv, sizeof key.uv);
    }
    return true;
}

static bool make_vertices(const visual_draft* d, visual* v, const int* point_of,
                          const int* normal_of)
{
    keyset vertices;
    size_t corners = (size_t)d->corner_count;
    v->triangle_count = d->corner_count / 3;
    v->triangle = (int*)mem_array(corners, sizeof(int));
    v->triangle_material = (int*)mem_array(corners / 3, sizeof(int));
    if (!v->triangle || !v->triangle_material ||
        !keyset_create(&vertices, sizeof(vertex_key), d->corner_count))
        return false;
    for (size_t i = 0; i < corners; ++i) {
        const visual_corner* c = &d->corner[i];
        vertex_key key = {.point = point_of[c->position], .normal = normal_of[i]};
        if (c->uv >= 0) memcpy(key.uv, d->uvs.value + 2 * (size_t)c->uv, sizeof key.uv);
        v->triangle[i] = keyset_add(&vertices, &key);
    }
    memcpy(v->triangle_material, d->material, corners / 3 * sizeof(int));
    bool good = fill_vertices(v, &vertices);
    keyset_destroy(&vertices);
    return good;
}

static bool build(const visual_draft* d, bool keep, visual* v)
{
    int* point_of = (int*)mem_array((size_t)d->positions.count, sizeof(int));
    int* normal_of = (int*)mem_array((size_t)d->corner_count, sizeof(int));
    bool good = point_of && normal_of;
    for (int i = 0; good && i < d->positions.count; ++i) point_of[i] = -1;
    good = good && (keep ? keep_points(d, v, point_of) : join_points(d, v, point_of));
    if (good && d->colors.count) good = color_points(d, v, point_of);
    if (good && d->normals.count)
        good = join_normals(d, v, point_of, normal_of);
    else if (good)
        good = find_sharp_edges(d, v, point_of, normal_of);
    good = good && make_vertices(d, v, point_of, normal_of);
    if (good && d->uvs.count == 0) {
        mem_free(v->vertex_uv);
        v->vertex_uv = NULL;
    }
    mem_free(point_of);
    mem_free(normal_of);
    return good;
}

pliant_result visual_draft_finish(visual_draft* d, bool keep, visual** out)
{
    if (d->corner_count == 0)
        return fail(PLIANT_ERROR_FORMAT, "%.400s: there are no triangles", d->path);
    visual* v = (visual*)mem_alloc_zero(sizeof *v);
    if (!v) return PLIANT_ERROR_MEMORY;
    *v = d->look; // materials and images move
    memset(&d->look, 0, sizeof d->look);
    if (!build(d, keep, v)) {
        visual_destroy(v);
        return PLIANT_ERROR_MEMORY;
    }
    *out = v;
    return PLIANT_OK;
}
