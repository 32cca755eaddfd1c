// Sections of a stalk, and the tets between two of them.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "math/vec3.h"
#include <stdbool.h>

typedef struct {
    vec3 corner[3]; // counter-clockwise, as seen from the tip
} section;

vec3 section_center(const section* s);

// Of a face (mesh/tet.h) of the tet with these corners: outward, twice the area long.
vec3 face_normal(const vec3 x[4], int face);

// An equal-sided triangle across the axis, turned so that its corners are nearest to those below.
section section_above(const section* below, vec3 center, vec3 axis, double side);

// Ways to divide the prism between two sections: at the corners below, in the order given here,
// there are three tets, two and one.
enum { DIVISIONS = 6 };
extern const int prism_division[DIVISIONS][3];

// Corners 0 to 2 are below, 3 to 5 above; of positive volume.
void prism_divide(int way, int out[3][4]);

// The smallest squared sine of a tet's dihedral angles; wide ones count as sharper, 165 degrees as
// 9.2. Negative for a tet that is turned over.
double tet_quality(const vec3 x[4]);

// Whether its corners are at one place: what is between it and the section below is a single tet.
bool section_is_point(const section* s);

// Of the worst tet.
double prism_quality(const section* below, const section* above, int way);
