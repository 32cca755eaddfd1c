// Smoke: a density made of particles on a grid, through which light is absorbed and scattered once,
// toward the viewer.
#pragma once
#include "base/workers.h"
#include "render/model.h"
#include "render/space.h"

// What a body of loose particles adds. `look` outlives the grid.
typedef struct {
    const double *positions, *radii; // [m] 3 and 1 each
    int count;
    vec3 color;   // linear light
    double depth; // [m] after which a third of the light is left where balls touch; NaN: 10 radii
    double cell;  // [m] NaN: the largest radius
    double size;  // of a puff, in radii
} smoke_source;

typedef struct {
    float thick;    // [1/m] extinction
    float color[3]; // thick times color
} smoke_cell;

typedef struct {
    vec3 low;    // [m] of the first node
    double cell; // [m]
    int nodes[3];
    smoke_cell* at; // x first
    // The sun's part that reaches it: on every second node.
    int lights[3];
    float* light;
} smoke_grid;

// Empty where there is no source with a particle. False when memory runs out. Release it in every
// case.
bool smoke_create(smoke_grid* out, const smoke_source* source, int count, workers* threads);
void smoke_release(smoke_grid* g);
static inline bool smoke_is_there(const smoke_grid* g) { return g->at != NULL; }

// Lets the sun shine through it; `sun` points to it. `reaches` tells whether solids let it come to
// a point.
typedef bool smoke_reach_fn(const void* context, vec3 point);
void smoke_light(smoke_grid* g, vec3 sun, smoke_reach_fn* reaches, const void* context,
                 workers* threads);

// What a ray of length 1 sees of it up to a distance [m], and the part of what is behind that is
// left. `start`, from 0 to 1: where in the first step it begins, so that steps do not show.
vec3 smoke_along(const smoke_grid* g, vec3 origin, vec3 way, double most, double start,
                 double* out_left);
// The sun's part that it leaves for a point outside or inside of it.
double smoke_shadow(const smoke_grid* g, vec3 point, vec3 sun);
