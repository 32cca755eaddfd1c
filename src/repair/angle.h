// How good a tet is: the smallest squared sine of its six dihedral angles, negative when it is
// turned over. Small and wide angles count alike: both make a flat tet. No roots, so that the bits
// are the same everywhere.
#pragma once
#include "math/vec3.h"

static inline double tet_quality(vec3 x0, vec3 x1, vec3 x2, vec3 x3)
{
    vec3 e1 = v3_sub(x1, x0), e2 = v3_sub(x2, x0), e3 = v3_sub(x3, x0);
    vec3 f2 = v3_sub(x2, x1), f3 = v3_sub(x3, x1), g = v3_sub(x3, x2);
    vec3 n0 = v3_cross(f2, f3), n1 = v3_cross(e2, e3), n2 = v3_cross(e3, e1), n3 = v3_cross(e1, e2);
    double a[4] = {v3_dot(n0, n0), v3_dot(n1, n1), v3_dot(n2, n2), v3_dot(n3, n3)};
    double det = v3_dot(e1, n1);
    // sin = det * edge / (product of the double areas of the two faces at the edge)
    const double part[6] = {v3_dot(e1, e1) * a[0] * a[1], v3_dot(e2, e2) * a[0] * a[2],
                            v3_dot(e3, e3) * a[0] * a[3], v3_dot(f2, f2) * a[1] * a[2],
                            v3_dot(f3, f3) * a[1] * a[3], v3_dot(g, g) * a[2] * a[3]};
    // Edge 01 lies between faces 2 and 3, and so on: the two faces of the other pair cancel.
    double all = a[0] * a[1] * a[2] * a[3], least = part[0];
    for (int i = 1; i < 6; ++i) least = part[i] < least ? part[i] : least;
    return all > 0 ? (det > 0 ? 1 : -1) * det * det * least / all : 0;
}
