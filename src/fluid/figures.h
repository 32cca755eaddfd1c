// What liquids took.
#pragma once
#include <stdint.h>

typedef struct {
    double list, thin, walls, press, push, rest; // [s]
    int lists;
    int64_t neighbors; // on the last list
} fluid_figures;
