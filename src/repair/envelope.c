#define PRECISION_DOUBLE
#include "repair/envelope.h"
#include "repair/complex.h"
#include <string.h>

static int count_outer(const complex* c)
{
    int count = 0;
    for (int t = 0; t < c->cell_count; ++t)
        for (int f = 0; f < 4; ++f)
            count += c->cells[t].corner[0] >= 0 && c->cells[t].outer >> f & 1;
    return count;
}

static void fill_surface(const complex* c, envelope* out)
{
    int count = 0;
    for (int v = 0; v < c->knot_count; ++v) {
        vec3 x = place_of(c, v);
        const double place[3] = {x.x, x.y, x.z};
        memcpy(out->vertex + 3 * (size_t)v, place, sizeof place);
    }
    for (int t = 0; t < c->cell_count; ++t)
        for (int f = 0; f < 4; ++f)
            if (c->cells[t].corner[0] >= 0 && c->cells[t].outer >> f & 1)
                face_corners(c->cells[t].corner, f, out->corner + 3 * (size_t)count++);
}

bool envelope_create(const complex* c, double tolerance, envelope* out)
{
    *out = (envelope){
        .tolerance = tolerance, .vertex_count = c->knot_count, .triangle_count = count_outer(c)};
    out->vertex = (double*)mem_array(3 * (size_t)c->knot_count, sizeof(double));
    out->corner = (int*)mem_array(3 * (size_t)out->triangle_count, sizeof(int));
    if (!out->vertex || !out->corner) return false;
    fill_surface(c, out);
    return tree_create(out->vertex, out->corner, out->triangle_count, &out->tree);
}

void envelope_destroy(envelope* e)
{
    mem_free(e->vertex);
    mem_free(e->corner);
    tree_destroy(&e->tree);
}

// Points of a grid on the triangle, at most a tolerance apart as long as these are few.
bool envelope_holds(const envelope* e, vec3 a, vec3 b, vec3 c)
{
    enum { MOST = 8 };
    vec3 ab = v3_sub(b, a), ac = v3_sub(c, a), bc = v3_sub(c, b);
    double longest = sqrt(fmax(v3_dot(ab, ab), fmax(v3_dot(ac, ac), v3_dot(bc, bc))));
    double wanted = ceil(longest / e->tolerance);
    int n = wanted < 2 ? 2 : wanted > MOST ? MOST : (int)wanted;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n - i; ++j) {
            vec3 p = v3_add_scaled(v3_add_scaled(a, (double)i / n, ab), (double)j / n, ac);
            if (!(tree_distance(&e->tree, p, e->tolerance, NULL) < e->tolerance)) return false;
        }
    return true;
}

static vec3 nearest_on_segment(vec3 point, vec3 start, vec3 edge)
{
    double along = v3_dot(v3_sub(point, start), edge) * lane_inverse_or_zero(v3_dot(edge, edge));
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    return v3_add_scaled(start, along, edge);
}

static double distance2(vec3 a, vec3 b)
{
    vec3 d = v3_sub(a, b);
    return v3_dot(d, d);
}

static vec3 nearest_on_triangle(const triangle* t, vec3 point)
{
    bool inside = !t->flat;
    vec3 best = t->corner[0];
    for (int k = 0; k < 3; ++k) {
        vec3 offset = v3_sub(point, t->corner[k]);
        if (v3_dot(v3_cross(t->normal, t->edge[k]), offset) < 0) inside = false;
        vec3 candidate = nearest_on_segment(point, t->corner[k], t->edge[k]);
        if (distance2(candidate, point) < distance2(best, point)) best = candidate;
    }
    if (!inside) return best;
    double height = v3_dot(t->normal, v3_sub(point, t->corner[0]));
    return v3_add_scaled(point, -height, t->normal);
}

vec3 envelope_nearest(const envelope* e, vec3 point)
{
    int number = -1;
    tree_distance(&e->tree, point, 8, &number);
    if (number < 0) return point;
    triangle t = triangle_make(e->vertex, e->corner + 3 * (size_t)number);
    return nearest_on_triangle(&t, point);
}
