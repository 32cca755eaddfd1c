// Joints with a rigid side of a world during a step. A meeting place of the step, as joints of
// particles are (system.h): after each join they pull, and before contacts, which have the last
// word.
//
//   start    rows get their directions; what they did in the substep before is tried first
//   pull     until nothing is left: measure how all ends, who holds, one system of equations for
//            all of them at once (elimination.h), push
//   end      what lasts is kept
//
// What rests on the ground and what hangs on that wait for each other. Where there are contacts,
// both take turns (step.h, rounds), and start with what both did in the substep before.
#pragma once
#include "joint/elimination.h"
#include "joint/link.h"
#include "joint/system.h"

// A rigid body that is joined.
typedef struct {
    body_run* run;
    rigid_state* rigid;
    bool free;         // something may move it
    double turning[3]; // [rad/s] when the substep begins
    double x[6];       // [m, rad] what an equation makes of it
} link_body;

typedef struct {
    link_state* link;
    link_body* body;
    int *slot, *body_slot; // of each link and body, in the world
    int count, body_count;
    joint_system soft;   // particles of bodies that are not rigid, without joints: who they are
    double (*pushed)[3]; // [kg m] of each of them: what is expected to go on
    elimination equations;
    bool* waits;         // of each node
    int* size;           //
    uint64_t *pair, *at; // of nodes; of each particle, its links
    uint64_t* body_key;  // scratch
    double* x;           // of the equations
    uint64_t known;      // hash of what the equations were planned for; 0: nothing
    int link_room, body_room, slot_room, body_slot_room, pushed_room, waits_room, size_room,
        pair_room, at_room, x_room, body_key_room;
    int at_count;
    executor* exec;
    double h, last_h;   // [s] as those of joint_system
    double close_speed; // [m/s]
    int substeps;
    bool alone; // there are no contacts to take turns with
} linkage;

bool linkage_reserve(linkage* s, int links, int particles);
void linkage_destroy(linkage* s);
// Once links, bodies and particles are entered: equations for who there is. False when memory runs
// out.
bool linkage_plan(linkage* s);

pliant_result linkage_meet(void* system, step_work* step, const sweep_pass* pass);
void linkage_bounce(void* system, step_work* step); // does nothing
