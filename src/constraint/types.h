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
    void (*rest)(const element* e, double* out_fields); // the type's constants, in double
    // The row of a type of one row that knows both manners; NULL: not one of them.
    void (*eval)(const double* fields, double x[ELEMENT_PARTICLES][3], row_state* out);
} type_info;

extern const type_info type_infos[TYPE_COUNT];
