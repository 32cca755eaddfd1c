// The list of constraint types as data: what code that does not know the types needs of them.
#pragma once
#include "constraint/list.h"
#include <stdbool.h>

// One row of a constraint at given places, in double precision.
typedef struct {
    double value;
    double compliance;
    double grad[ELEMENT_PARTICLES][3];
    bool pulls; // only: at rest below zero, too
} row_state;

typedef struct {
    const char* name;
    int particles, rows, fields;
    int same;       // the last fields, which depend on the material alone
    bool on_motion; // acts on the motion before the prediction, not on places
    bool classic;   // knows both manners (xpbd.h)
    void (*rest)(const element* e, double* out_fields); // the type's constants, in double
    // Its rows, whose energies add up; NULL: of a projection of its own.
    void (*eval)(const double* fields, double x[ELEMENT_PARTICLES][3],
                 row_state out[MAX_BLOCK_ROWS]);
} type_info;

extern const type_info type_infos[TYPE_COUNT];
