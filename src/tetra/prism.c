#define PRECISION_DOUBLE
#include "tetra/prism.h"
#include "math/direction.h"
#include "mesh/tet.h"
#include <string.h>

vec3 face_normal(const vec3 x[4], int face)
{
    const int* k = tet_face[face];
    return v3_cross(v3_sub(x[k[1]], x[k[0]]), v3_sub(x[k[2]], x[k[0]]));
}

vec3 section_center(const section* s)
{
    return v3_scale(1.0 / 3, v3_add(s->corner[0], v3_add(s->corner[1], s->corner[2])));
}

section section_above(const section* below, vec3 center, vec3 axis, double side)
{
    static const double COS = -0.5, SIN = 0.86602540378443865; // of a third of a turn
    static const double RADIUS_PER_SIDE = 0.57735026918962576;
    vec3 middle = section_center(below), first = v3_sub(below->corner[0], middle);
    vec3 u = v3_unit(v3_add_scaled(first, -v3_dot(first, axis), axis)), v = v3_cross(axis, u);
    const double turn[3][2] = {{1, 0}, {COS, SIN}, {COS, -SIN}};
    double re = 0, im = 0;
    for (int i = 0; i < 3; ++i) {
        vec3 q = v3_sub(below->corner[i], middle);
        double x = v3_dot(q, u), y = v3_dot(q, v);
        re += x * turn[i][0] + y * turn[i][1], im += y * turn[i][0] - x * turn[i][1];
    }
    double length = sqrt(re * re + im * im);
    section s;
    for (int i = 0; i < 3; ++i) {
        double x = re * turn[i][0] - im * turn[i][1], y = re * turn[i][1] + im * turn[i][0];
        double scale = length > 0 ? RADIUS_PER_SIDE * side / length : 0;
        s.corner[i] = v3_add(center, v3_add(v3_scale(scale * x, u), v3_scale(scale * y, v)));
    }
    return s;
}

const int prism_division[DIVISIONS][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                          {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

void prism_divide(int way, int out[3][4])
{
    const int* d = prism_division[way];
    int odd = way >= 3, a = d[0], b = d[1], c = d[2];
    const int tet[3][4] = {{a, b, c, 3 + c}, {a, b, 3 + c, 3 + b}, {a, 3 + b, 3 + c, 3 + a}};
    for (int t = 0; t < 3; ++t)
        for (int k = 0; k < 4; ++k) out[t][k] = tet[t][odd && k < 2 ? 1 - k : k];
}

double tet_quality(const vec3 x[4])
{
    static const double WIDE = 0.381;
    vec3 normal[4];
    double least = 1;
    for (int f = 0; f < 4; ++f) normal[f] = v3_unit(face_normal(x, f));
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < i; ++k) {
            double cosine = -v3_dot(normal[i], normal[k]), square = 1 - cosine * cosine;
            least = fmin(least, cosine < 0 ? WIDE * square : square);
        }
    return v3_dot(normal[0], v3_sub(x[0], x[1])) < 0 ? least : -1;
}

bool section_is_point(const section* s)
{
    return memcmp(&s->corner[0], &s->corner[1], sizeof(vec3)) == 0;
}

double prism_quality(const section* below, const section* above, int way)
{
    if (section_is_point(above)) {
        const vec3 x[4] = {below->corner[0], below->corner[1], below->corner[2], above->corner[0]};
        return tet_quality(x);
    }
    int tet[3][4];
    double least = 1;
    prism_divide(way, tet);
    for (int t = 0; t < 3; ++t) {
        vec3 x[4];
        for (int k = 0; k < 4; ++k)
            x[k] = tet[t][k] < 3 ? below->corner[tet[t][k]] : above->corner[tet[t][k] - 3];
        least = fmin(least, tet_quality(x));
    }
    return least;
}
