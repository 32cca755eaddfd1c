// The two loops of the explicit rival, compiled once per width (explicit_kernels.c).
#pragma once
#include <stddef.h>

enum { EXPLICIT_ROW = 4, EXPLICIT_BLOCK = 16 };
enum { FIELD_SHEAR = 9, FIELD_VOLUME, EXPLICIT_FIELDS }; // b1 to b3 [1/m], mu V, lambda V [J]

// Arrays of rows of four floats.
typedef struct {
    float* moved;    // [m] from the place at rest; the fourth is the place at rest on y
    float* residue;  // [m] what rounding left over
    float* velocity; // [m/s]; the fourth is the inverse mass [1/kg]
    float* force;    // [N] of the elements; the fourth is zero
    float h;         // [s]
    float gravity[3];
    float ground; // [m] of the solid plane
} explicit_rows;

typedef struct {
    int lanes;
    // Adds the forces of blocks of tets to the rows of their corners.
    void (*add_forces)(const explicit_rows* body, const unsigned* at, const float* field,
                       int blocks);
    // v += h a, then x += h v, for the rows from first to last - 1.
    void (*advance)(const explicit_rows* rows, int first, int last);
} explicit_kernels;

const explicit_kernels* explicit_kernels_for(int lanes); // at most as wide as asked for
