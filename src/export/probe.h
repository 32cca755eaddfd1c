// What the probes of a scene measure, frame by frame: places, velocities, forces and strains of
// regions of its bodies.
#pragma once
#include "meshfile/sink.h"
#include "scene/stage.h"

typedef enum {
    PROBE_POSITION,      // [m] of the center of mass
    PROBE_VELOCITY,      // [m/s] of the center of mass
    PROBE_CONTACT_FORCE, // [N] sum of the colliders' forces, mean over the last step
    PROBE_REACTION,      // [N] sum of what pins hold with, mean over the last step
    PROBE_STRAIN,        // [-] mean of Green's strain over the elements, and the largest norm
    PROBE_QUANTITIES
} probe_quantity;

enum { MOST_COMPONENTS = 7 };

typedef struct {
    const char *name, *unit;
    int components;
    const char* component[MOST_COMPONENTS];
} quantity_info;
extern const quantity_info quantity_infos[PROBE_QUANTITIES];

// A probe of one body: those of a body with copies are several.
typedef struct {
    char name[96];
    unsigned wanted; // bits of quantities
    int body;        // number in the stage
    const int* particle;
    int particle_count;
    int* element; // tets, then triangles of cloth, then edges, that have a corner in the region
    int element_count;
    double value[PROBE_QUANTITIES][MOST_COMPONENTS];
} probe;

typedef struct {
    const stage* stage;
    probe* probe;
    int count;
    int* all; // numbers from 0, for probes of whole bodies
    // Of one body at a time.
    double *positions, *rest, *masses, *reactions;
    pliant_vec3 *velocities, *contacts;
    pliant_vec3** before; // of each body of the stage: velocities at the last update, where
                          // reactions are wanted; NULL: none yet
} probes;

// Those of the scene; where it has none and `each_body`, one for every body.
pliant_result probes_create(const stage* s, bool each_body, probes* out);
void probes_destroy(probes* p);
// Measures what is now, after a step of `dt` seconds since the last update.
pliant_result probes_update(probes* p, double dt);

// Lines of comma-separated values: the names with their units, and the values at a time [s].
void probes_print_head(const probes* p, sink* out);
void probes_print_row(const probes* p, double time, sink* out);
