// Rays through a model: what light that water bends or throws back comes from.
#pragma once
#include "render/model.h"
// behind what says that places are doubles
#include "geometry/box_tree.h"

typedef struct {
    const model* model;
    int *solid, *liquid; // numbers as on a canvas; of faces
    box_tree solids, liquids;
} tracer;

// False when memory runs out. Release it in every case.
bool tracer_create(tracer* out, const model* m);
void tracer_release(tracer* t);

typedef struct {
    int number;      // of the face or ball; -1: nothing
    double distance; // [m]
} trace_hit;

// The nearest thing along a direction of length 1, nearer than `most`, and farther than `least`.
trace_hit trace_solid(const tracer* t, vec3 origin, vec3 direction, double least, double most);
trace_hit trace_liquid(const tracer* t, vec3 origin, vec3 direction, double least, double most);
// How much of each liquid is along it: what is absorbed on the way is exp(-this), in each color.
vec3 trace_absorption(const tracer* t, vec3 origin, vec3 direction);
