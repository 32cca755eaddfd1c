// A scene brought to life: the world, and what is needed to move its pins, write its frames and
// draw its pictures.
#pragma once
#include "scene/place.h"
#include "scene/scene.h"
#include "visual/visual.h"

// Particles of a mesh, by number.
typedef struct {
    int* particle;
    int count;
} selection;

// One entry of the scene's bodies; its copies share everything here.
typedef struct {
    const scene_body* source;
    pliant_mesh* mesh; // scaled
    pliant_asset* asset;
    visual* look;      // what it carries for the eye, scaled; NULL: its own surface is seen
    selection* pins;   // one per pin of the source
    selection* forces; // one per force
} stage_entry;

typedef struct {
    pliant_body_id id;
    int entry;
    double position[3]; // [m]
} stage_body;

typedef struct {
    const scene* scene; // outlives the stage
    pliant_world* world;
    stage_entry* entries; // one per body of the scene
    stage_body* bodies;
    int body_count;
    pliant_backend backend; // what its bodies are made for: not auto
    pliant_mesh** shapes;   // one per collider: its mesh, scaled, or NULL
} stage;

// Opens a mesh file: compressed ones need libraries that this layer does not know.
typedef pliant_result mesh_loader(const char* path, pliant_mesh** out);

// Whether a mesh's name can only mean a file: generators have no dot and no slash in front of their
// numbers.
bool names_file(const char* name);

// Where a value is negative the scene's own counts (or the library's default).
typedef struct {
    int threads, lanes, substeps, iterations, backend;
    mesh_loader* load;
    pliant_read_fn* read; // of the surfaces that are seen; NULL: nobody looks
} stage_options;

pliant_result stage_create(const scene* s, const stage_options* options, stage* out);
void stage_destroy(stage* s);

// Moves the pins and sets the forces for the step from `time` to `time + dt` [s]. Call it before
// each step.
void stage_drive(const stage* s, double time, double dt);

// Particles of the vertices that lie in the region. False when memory runs out.
bool region_select(const scene_region* region, const pliant_mesh_arrays* mesh, selection* out);

// Moves the particles that are not pinned away from rest. `number` varies the random places.
pliant_result stage_scramble(const stage* s, const stage_body* body, uint64_t number);
