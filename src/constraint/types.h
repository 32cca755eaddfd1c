// The list of constraint types as data: what code that does not know the types needs of them.
#pragma once
#include "constraint/list.h"
#include <stdbool.h>

typedef struct {
    const char* name;
    int particles, rows, fields;
    int same;       // the last fields, which depend on the material alone
    bool on_motion; // acts on the motion before the prediction, not on places
    void (*rest)(const element* e, double* out_fields); // the type's constants, in double
} type_info;

extern const type_info type_infos[TYPE_COUNT];
