// A closed surface is made smoother, and its normals are found.
#pragma once
#include "base/memory.h"
#include "base/watcher.h"
#include "base/workers.h"

// Around a vertex there is one triangle for each that follows it.
typedef struct {
    int next, last; // the other two corners of the triangle, counter-clockwise
} vertex_side;

typedef struct {
    const int* triangles;
    int vertex_count, triangle_count;
    int* first;        // vertex_count + 1
    vertex_side* side; // of vertex i: first[i] to first[i + 1] - 1, by `next`
    workers* threads;
} surface_sides;

// Every edge has two triangles, which run through it in opposite directions. False when memory runs
// out; release it in every case.
bool sides_create(workers* threads, const int* triangles, int vertex_count, int triangle_count,
                  surface_sides* out);
void sides_release(surface_sides* s);

// Vertices go toward the mean of their neighbors and then nearly as far away from it (Taubin 1995):
// what is shorter than a few triangles is gone, and the volume is not. 3 numbers each. False when
// memory runs out or the caller ended it.
bool sides_smooth(const surface_sides* s, int passes, watcher* watch, double* vertex);

// Of length 1, weighted by areas.
void sides_normals(const surface_sides* s, const double* vertex, pliant_vec3* out);
