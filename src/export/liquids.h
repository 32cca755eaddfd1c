// Surfaces around the loose particles of bodies with "surface" in the scene, as they are now. They
// have other triangles in every frame.
#pragma once
#include "export/frame.h"
#include "meshfile/sink.h"

typedef struct {
    int body;
    pliant_mesh* mesh;
    pliant_vec3 *normals, *velocities; // of its vertices; [m/s]
} liquid;

typedef struct {
    liquid* item;
    int count;
} liquid_list;

// Whether some body has one.
bool liquids_any(const frame* f);
// Of all bodies that have particles now. Release them in every case.
pliant_result liquids_make(const frame* f, liquid_list* out);
void liquids_release(liquid_list* l);

// A body's particles that are there, gathered for them and for smoke.
typedef struct {
    double *positions, *radii; // 3 and 1 each
    pliant_vec3* velocities;
    int count;
} present_particles;
pliant_result present_gather(const frame* f, int body, present_particles* out);
void present_release(present_particles* p);

// All of them in one file: with normals, and velocities where the format has them.
void liquids_vtu(const liquid_list* l, sink* out);
void liquids_obj(const liquid_list* l, sink* out);
void liquids_ply(const liquid_list* l, sink* out);
