// Scenes of bodies that touch, made in code.
#pragma once
#include "bench/bench.h"

typedef struct {
    const char* name;
    const char *words, *quick_words; // the mesh of a body; a short run has another one
    int bodies, quick_bodies;
    int substeps;      // of a step of contact_dt
    int steps;         // of a run; a short one has half
    double ball_stops; // [s] when the ball that comes up from below stands; 0: there is none
    double young;      // [Pa] of tets and ropes
    double thickness;  // [m] of surfaces
} contact_scene;

enum { CONTACT_SCENES = 4 };
extern const contact_scene contact_scenes[CONTACT_SCENES];
extern const float contact_dt; // [s]

typedef struct {
    pliant_world* world;
    pliant_body_id* body;
    int count;
    pliant_collider_id ball;
} contact_stage;

// With contacts between bodies or without.
pliant_result contact_stage_open(const contact_scene* scene, bool quick, bool contacts,
                                 contact_stage* out);
void contact_stage_close(contact_stage* s);
// One step; the ball stands when its time has come.
pliant_result contact_stage_step(const contact_scene* scene, contact_stage* s);
