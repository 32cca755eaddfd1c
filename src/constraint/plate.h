// Bending of a triangle with the triangles beside it: corners 0 to 2, then the tips across its
// sides 0 1, 1 2 and 2 0, as far as there are any. Its curvature is
//     K = 1 / (2 A) sum over sides of length angle n n^T,
// n across the side within the triangle: how the normals turn from one triangle to the next. Of
// triangles with equal sides it is exact for what is bent alike everywhere; of a grid with cuts in
// alternating directions for what is bent along and across its lines, while twist has up to twice
// the energy. And there is no pattern of folds that it lets pass: a hinge alone knows one
// direction, and so a sheet of hinges is softer or stiffer by a fifth, as its mesh has it. (The
// curvature of the quadric through all six corners is exact on any mesh, but blind for every other
// corner of such a grid, and a fourth too soft.)
//
// The energy per area is that of a plane orthotropic plate, with the rows of membrane.h: along the
// warp with a part of what is across, across, and the twist 2 K12. Angles are those of dihedral.h,
// with their sign, up to 180 degrees either way.
#pragma once
#include "constraint/dihedral.h"
#include "constraint/membrane.h"

enum { PLATE_ROWS = 3 };

// Corners of a side's hinge among those of a plate: its edge, the tip of the triangle, the tip
// beside it.
INLINE int plate_corner(int side, int corner)
{
    const int at[3][4] = {{0, 1, 2, 3}, {1, 2, 0, 4}, {2, 0, 1, 5}};
    return at[side][corner];
}

// How much the angle of each side adds to the rows [1/m], and the stiffness of those [J m^2].
INLINE void plate_shares(const element* e, int sides, double share[3][PLATE_ROWS],
                         double stiffness[PLATE_ROWS])
{
    double flat[2][2], twice = membrane_lay_flat(e, flat);
    double coupling = e->poisson * sqrt(e->bend[1] / e->bend[0]);
    const double corner[3][2] = {{0, 0}, {flat[0][0], flat[0][1]}, {flat[1][0], flat[1][1]}};
    for (int k = 0; k < sides; ++k) {
        const double *from = corner[k], *to = corner[(k + 1) % 3];
        const double along[2] = {to[0] - from[0], to[1] - from[1]};
        double scale = 1 / (twice * sqrt(along[0] * along[0] + along[1] * along[1]));
        share[k][1] = scale * along[0] * along[0];
        share[k][0] = scale * along[1] * along[1] + coupling * share[k][1];
        share[k][2] = -2 * scale * along[0] * along[1];
    }
    stiffness[0] = twice / 2 * e->bend[0] / (1 - e->poisson * e->poisson);
    stiffness[1] = twice / 2 * e->bend[1];
    stiffness[2] = twice / 2 * sqrt(e->bend[0] * e->bend[1]) / (2 * (1 + e->poisson));
}

// Rows without their rest. share[side][row], as the constants have them.
INLINE void plate_bend(int sides, const real share[], const vec3 x[], row_set* out)
{
    UNROLL
    for (int r = 0; r < PLATE_ROWS; ++r) {
        out->value[r] = lane_splat(0);
        UNROLL
        for (int i = 0; i < 3 + sides; ++i) out->grad[r][i] = v3_zero();
    }
    UNROLL
    for (int k = 0; k < sides; ++k) {
        vec3 at[4], grad[4];
        UNROLL
        for (int i = 0; i < 4; ++i) at[i] = x[plate_corner(k, i)];
        real angle = dihedral_bend(at, grad);
        UNROLL
        for (int r = 0; r < PLATE_ROWS; ++r) {
            real part = share[PLATE_ROWS * k + r];
            out->value[r] = out->value[r] + part * angle;
            UNROLL
            for (int i = 0; i < 4; ++i) {
                vec3* sum = &out->grad[r][plate_corner(k, i)];
                *sum = v3_add_scaled(*sum, part, grad[i]);
            }
        }
    }
}

// A plate with so many neighbors.
#define PLATE(name, sides)                                                                         \
    typedef struct {                                                                               \
        real rest[PLATE_ROWS], compliance[PLATE_ROWS]; /* [1/m, 1/(J m^2)] */                      \
        real share[PLATE_ROWS * (sides)];                                                          \
    } name;                                                                                        \
    INLINE void name##_stiffness(const element* e, double out[PLATE_ROWS])                         \
    {                                                                                              \
        double share[3][PLATE_ROWS];                                                               \
        plate_shares(e, sides, share, out);                                                        \
    }                                                                                              \
    INLINE void name##_rest(name* c, const element* e)                                             \
    {                                                                                              \
        double share[3][PLATE_ROWS], stiffness[PLATE_ROWS];                                        \
        vec3 x[3 + (sides)];                                                                       \
        row_set bent;                                                                              \
        plate_shares(e, sides, share, stiffness);                                                  \
        for (int i = 0; i < 3 + (sides); ++i)                                                      \
            x[i] = v3(lane_splat((scalar)(e->rest[i][0] - e->rest[0][0])),                         \
                      lane_splat((scalar)(e->rest[i][1] - e->rest[0][1])),                         \
                      lane_splat((scalar)(e->rest[i][2] - e->rest[0][2])));                        \
        for (int i = 0; i < PLATE_ROWS * (sides); ++i)                                             \
            c->share[i] = lane_splat((scalar)share[i / PLATE_ROWS][i % PLATE_ROWS]);               \
        plate_bend(sides, c->share, x, &bent);                                                     \
        for (int r = 0; r < PLATE_ROWS; ++r) {                                                     \
            c->rest[r] = bent.value[r];                                                            \
            c->compliance[r] = lane_splat((scalar)(1 / stiffness[r]));                             \
        }                                                                                          \
    }                                                                                              \
    INLINE void name##_eval(const name* c, const vec3 x[], row_set* out)                           \
    {                                                                                              \
        plate_bend(sides, c->share, x, out);                                                       \
        UNROLL                                                                                     \
        for (int r = 0; r < PLATE_ROWS; ++r) {                                                     \
            out->value[r] = out->value[r] - c->rest[r];                                            \
            out->compliance[r] = c->compliance[r];                                                 \
        }                                                                                          \
    }
PLATE(plate, 3)
PLATE(plate_side, 2)
PLATE(plate_end, 1)
#undef PLATE
