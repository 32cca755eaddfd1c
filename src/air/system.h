// Air of a world during a step. A meeting place of the step (solver/step.h), which is asked when a
// substep begins, while all rows are at the same instant: what air does in the substep is a force
// of the prediction, as forces of the caller are.
#pragma once
#include "air/skin.h"
#include "air/wind.h"

typedef struct {
    int member, piece;
} air_task;

typedef struct {
    body_run* run;
    air_skin* skin;
    air_rules rules;
} air_member;

typedef struct {
    air_member* member;
    air_task *look, *push; // pieces of elements, and of points
    int member_count, look_count, push_count;
    int member_capacity, look_capacity, push_capacity;
    const wind_field* field; // of the step at hand
    double time;             // [s] of it, in its middle
} air_system;

// Before a step: room for so many bodies, which the caller then adds. False when memory runs out.
bool air_system_start(air_system* s, int members);
bool air_system_add(air_system* s, air_member m);
void air_system_destroy(air_system* s);

// The wind at all points, as it is in the middle of the step.
void air_system_find_wind(air_system* s, executor* exec, const wind_field* field, double time);

void air_blow(void* system, step_work* step);
