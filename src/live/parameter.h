// What can be changed while a scene runs: one table gives the page its sliders, messages their
// ranges, and each its way into the world.
#pragma once
#include "meshfile/sink.h"
#include "scene/stage.h"

typedef enum {
    PARAMETER_STIFFNESS, // [-] times that of the scene
    PARAMETER_DAMPING,   // [s] more than that of the scene
    PARAMETER_GRAVITY,   // [m/s^2] along that of the scene
    PARAMETER_WIND,      // [m/s] along x, more than that of the scene
    PARAMETER_SUBSTEPS,  // 0: what bodies need
    PARAMETER_FRICTION,  // [-] times that of the scene
    PARAMETER_SPEED,     // [-] of the clock; what takes longer to compute is slower
    PARAMETER_COUNT,
} parameter;

typedef struct {
    const char *name, *unit, *help;
    double low, high, step;
    double start;    // NaN: as the scene has it
    bool by_factors; // the slider goes by factors
} parameter_row;
extern const parameter_row parameter_table[PARAMETER_COUNT];

// How the scene has them, and how they are now.
typedef struct {
    double value[PARAMETER_COUNT], start[PARAMETER_COUNT];
    bool stale; // materials are to be compiled before the next step
} parameters;

parameters parameters_of(const stage* s);
// Refuses what is out of range; materials wait for parameters_apply_late.
pliant_result parameters_set(parameters* p, stage* s, parameter which, double value);
// All but materials once more: a world that was restored has those of the snapshot.
pliant_result parameters_apply(const parameters* p, stage* s);
pliant_result parameters_apply_late(parameters* p, stage* s);
// As a JSON list.
void parameters_write(const parameters* p, sink* out);
