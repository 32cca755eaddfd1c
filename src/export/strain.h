// Strain and stress of a tet, a triangle or an edge from its corners, at rest and now.
#pragma once
#include <stdbool.h>

// Edges from the first corner at rest and now, and the duals of those at rest: what turns a rest
// vector into its share of each edge.
typedef struct {
    double rest[3][3], now[3][3], dual[3][3];
    double elastic[3][3]; // the duals where nothing has flowed
    int edges;
} simplex;

// `corners`: 4, 3 or 2, as numbers of `rest` and `now`, which have 3 coordinates each [m].
simplex simplex_of(const double* rest, const double* now, const int* corner, int corners);

// A tet whose shape at rest has flowed (pliant_body_read_plastic_shapes): its stress is of what is
// elastic, its strain of all.
void simplex_flow(simplex* s, const double shape[9]);

// Green's strain (F^T F - 1) / 2 along the edges' span [-]: xx, yy, zz, xy, yz, xz, in the
// coordinates of `rest`.
void simplex_strain(const simplex* s, double out[6]);

// Von Mises' measure of the Cauchy stress of a tet [Pa], by its shear modulus mu [Pa]: the pressure
// does not count. A tet that is pressed flat or inverted counts as one of a thousandth of its
// volume.
double simplex_von_mises(const simplex* s, double mu);

// Whether a tet is inside out.
bool simplex_is_inverted(const simplex* s);
