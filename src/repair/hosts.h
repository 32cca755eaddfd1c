// The way back from the original surface to the new one: every vertex of the original surface has a
// host, a tet with the outer face that is nearest to it, or nearly so. No operation may take the
// hosts' faces farther away than the tolerance.
#pragma once
#include "geometry/triangle.h"
#include "repair/complex.h"

typedef struct {
    triangle shape;
    int tet;
} host_face;

// Outer faces that points may go to.
typedef struct {
    host_face* item;
    int count, capacity;
} host_set;

// Outer vertices become points with hosts. False when memory runs out.
bool hosts_create(complex* c);

bool hosts_add(host_set* set, const complex* c, const int corner[4], int face, int tet);
// All outer faces of the tets around a vertex that have it.
bool hosts_add_star(host_set* set, const complex* c, int v);

// Whether all points of the tet are within the tolerance of one of the faces.
bool hosts_hold(const complex* c, const host_set* set, int tet, double tolerance);
// Takes the points of the tet away, in front of `chain`; returns the new start of it.
int hosts_take(complex* c, int tet, int chain);
// Gives the points of a chain to the tets of the nearest faces.
void hosts_give(complex* c, const host_set* set, int chain);
