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

static double distance2(vec3 a, vec3 b)
{
    vec3 d = v3_sub(a, b);
    return v3_dot(d, d);
}

// Distances change by no more than the way: where the middle is nearer than the tolerance by the
// triangle's reach, all of it is. Otherwise its four parts are looked at.
static bool part_holds(const envelope* e, vec3 a, vec3 b, vec3 c, int depth)
{
    vec3 middle = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
    double distance = tree_distance(&e->tree, middle, e->tolerance, NULL);
    if (!(distance < e->tolerance)) return false;
    double reach2 = fmax(distance2(a, middle), fmax(distance2(b, middle), distance2(c, middle)));
    double room = e->tolerance - distance;
    if (reach2 <= room * room || depth == 0) return true;
    vec3 ab = v3_scale(0.5, v3_add(a, b)), bc = v3_scale(0.5, v3_add(b, c)),
         ca = v3_scale(0.5, v3_add(c, a));
    return part_holds(e, ab, bc, ca, depth - 1) && part_holds(e, a, ab, ca, depth - 1) &&
           part_holds(e, b, bc, ab, depth - 1) && part_holds(e, c, ca, bc, depth - 1);
}

bool envelope_holds(const envelope* e, vec3 a, vec3 b, vec3 c)
{
    enum { MOST_DEPTH = 5 };
    return part_holds(e, a, b, c, MOST_DEPTH);
}

static vec3 corner_place(const envelope* e, int triangle_number, int k)
{
    const double* x = e->vertex + 3 * (size_t)e->corner[3 * (size_t)triangle_number + (size_t)k];
    return v3(x[0], x[1], x[2]);
}

double envelope_farthest(const envelope* from, const envelope* to)
{
    enum { PARTS = 4 };
    double farthest = 0;
    for (int t = 0; t < from->triangle_count; ++t) {
        vec3 a = corner_place(from, t, 0), ab = v3_sub(corner_place(from, t, 1), a),
             ac = v3_sub(corner_place(from, t, 2), a);
        for (int i = 0; i <= PARTS; ++i)
            for (int j = 0; j <= PARTS - i; ++j) {
                vec3 p =
                    v3_add_scaled(v3_add_scaled(a, (double)i / PARTS, ab), (double)j / PARTS, ac);
                farthest = fmax(farthest, tree_distance(&to->tree, p, 8, NULL));
            }
    }
    return farthest;
}

static vec3 nearest_on_segment(vec3 point, vec3 start, vec3 edge)
{
    double along = v3_dot(v3_sub(point, start), edge) * lane_inverse_or_zero(v3_dot(edge, edge));
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    return v3_add_scaled(start, along, edge);
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
