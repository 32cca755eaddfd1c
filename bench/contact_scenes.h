// Scenes of bodies that touch: those of the program, and some that are made in code.
#pragma once
#include "bench/bench.h"
#include "scene/stage.h"

typedef struct {
    const char* name;
    const char *words, *quick_words; // the mesh of a body; a short run has another one
    int bodies, quick_bodies;
    int substeps;      // of a step of contact_dt
    int steps;         // of a run; a short one has half
    double ball_stops; // [s] when the ball that comes up from below stands; 0: there is none
    double young;      // [Pa] of tets and ropes
    double thickness;  // [m] of surfaces
    // Instead of all but `name`, `steps` and `thickness`: a scene of the program, or its text, and
    // changes to it (scene/change.h), of every run and of a short one.
    const char *scene, *changes, *quick_changes;
    const char *file, *stand_in; // the mesh of body 0: a file of --meshes, or a word without one
    bool large;                  // it runs only where it is asked for
} contact_scene;

enum { CONTACT_SCENES = 14 };
extern const contact_scene contact_scenes[CONTACT_SCENES];
extern const float contact_dt; // [s] of scenes in code

typedef struct {
    pliant_world* world;
    pliant_body_id* body;
    int count;
    pliant_collider_id ball;
    scene* scene; // NULL: made in code
    stage stage;
} contact_stage;

// How a scene is opened.
typedef struct {
    bool quick;
    bool contacts; // between bodies
    bool guard;    // keeps them from crossing
    pliant_backend backend;
    const char* meshes; // folder; NULL: none
} contact_choice;

pliant_result contact_stage_open(const contact_scene* from, const contact_choice* choice,
                                 contact_stage* out);
void contact_stage_close(contact_stage* s);
// One step; pins and colliders move.
pliant_result contact_stage_step(const contact_scene* from, contact_stage* s);
