// The course of a thin part of a solid: from where it ends along its middle to the mesh, and how
// thick it is on the way.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/outline.h"

enum { MOST_SECTIONS = 96 };

// Sections from the tip to the one before the mesh, in units of the solid.
typedef struct {
    int count; // 0: the part is none that has sections
    vec3 center[MOST_SECTIONS];
    double
        side[MOST_SECTIONS]; // of a triangle about as large as the section; at the tip 0: a point
    vec3 aim;                // on from the last one, near the boundary of the mesh
} stalk;

// `tip` is where the part ends; from there it is followed in the first of the directions `inward`
// that leads to the mesh. The outline has the solid's scale.
enum { STARTS = 2 };
void stalk_follow(const solid* s, const outline* mesh, vec3 tip, const vec3 inward[STARTS],
                  stalk* out);
