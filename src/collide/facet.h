// A triangle of a shape in its own axes, and the point of it that is nearest to another. In double,
// for the CPU and CUDA.
#pragma once
#include "math/lane.h"
#include <stdbool.h>

typedef struct {
    double corner[3][3]; // [m]
    double normal[3];    // of length 1; 0: it is a line, and its edges are all there is
} facet;

INLINE double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

INLINE void from_to(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = b[k] - a[k];
}

INLINE void cross3(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// How far a point is above its plane [m].
INLINE double facet_height(const facet* f, const double p[3])
{
    double from[3];
    from_to(f->corner[0], p, from);
    return dot3(f->normal, from);
}

INLINE void segment_nearest_to(const double a[3], const double b[3], const double p[3],
                               double out[3])
{
    double edge[3], from[3];
    from_to(a, b, edge);
    from_to(a, p, from);
    double square = dot3(edge, edge), t = square > 0 ? dot3(from, edge) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; ++k) out[k] = a[k] + t * edge[k];
}

INLINE double distance2(const double a[3], const double b[3])
{
    double way[3];
    from_to(a, b, way);
    return dot3(way, way);
}

// Squared distance [m^2] from the point, and the nearest place. That is on an edge which has the
// point at its outer side, or else in the middle; then `out_inside` is true.
INLINE double facet_nearest(const facet* f, const double p[3], double out[3], bool* out_inside)
{
    double least = INFINITY, height = facet_height(f, p);
    for (int i = 0; i < 3; ++i) out[i] = p[i] - height * f->normal[i];
    bool flat = f->normal[0] == 0 && f->normal[1] == 0 && f->normal[2] == 0;
    for (int k = 0; k < 3; ++k) {
        const double *a = f->corner[k], *b = f->corner[(k + 1) % 3];
        double edge[3], inward[3], from[3], at[3];
        from_to(a, b, edge);
        from_to(a, p, from);
        cross3(f->normal, edge, inward);
        if (!flat && dot3(inward, from) >= 0) continue;
        segment_nearest_to(a, b, p, at);
        double square = distance2(at, p);
        if (!(square < least)) continue;
        least = square;
        for (int i = 0; i < 3; ++i) out[i] = at[i];
    }
    *out_inside = !(least < INFINITY);
    return *out_inside ? height * height : least;
}
