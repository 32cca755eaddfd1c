// Where air meets a body: the elements of its outside (contact/surface.h). What is constant follows
// from the mesh; the rest is scratch of a step, and sums that stay until the next one.
//
// A pass over elements reads rows and writes the force on each corner; one over points adds up what
// the elements of a point do, in their order, and writes rows. No order of threads is in it.
#pragma once
#include "air/passes.h"
#include "contact/surface.h"
#include "solver/step.h"

enum { AIR_PIECE = 64 }; // elements or points of a task; sums are taken piece by piece

typedef struct air_skin {
    const contact_surface* surface; // of the asset, which outlives this
    double sides;      // [-] of a triangle that air presses on, 1: both, as a sheet, 1/2: the outer
    double diameter;   // [m] of segments
    int* point;        // of each particle; -1: it is inside
    int* corner;       // [3 * element_count] points; -1: there is no more
    int* row;          // of each point, the first one of its particle
    int* use_start;    // point_count + 1, into use: 3 times an element and a corner of it
    int* use;          //
    double* lightness; // [3 * element_count] of a corner, in inverse masses of its particle
    double* force;     // [3 * element_count] [N] on each corner
    double* wind;      // [3 * point_count] [m/s] of the step
    double* mean;      // [3 * point_count] [N] on each point, over the step so far
    air_sum* sum;      // of each piece of elements
    void* pushed;      // [row_count][ROW4] with what else pushes rows [N], scalars of the state
    air_sum total;     // mean over the step
} air_skin;

// NULL when memory runs out.
air_skin* air_skin_create(const contact_surface* surface, const state* s, double rope_diameter,
                          bool rigid);
void air_skin_destroy(air_skin* a); // NULL is fine

// Before a step: forces of the caller's, which last all of it, and no sums.
void air_skin_start(air_skin* a, const state* s);

static inline int air_pieces(int count) { return (count + AIR_PIECE - 1) / AIR_PIECE; }

// Elements and points of a piece.
void air_look(air_skin* a, const body_run* b, const air_rules* r, int piece);
void air_push(air_skin* a, const body_run* b, const air_rules* r, int piece);
void air_add_up(air_skin* a, const air_rules* r);
