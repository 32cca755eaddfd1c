// Bodies that start inside of colliders: what is done about it, and what is told.
//
// A body that is placed into a collider, or gets one placed into it, would be shot away by its own
// squeezed elements. Instead the least translation is looked for that takes all of it out of all
// colliders. The body is then stepped as if it had been moved by that already, in a world that is
// displaced by as much as it still has to go, and goes the way bit by bit before each step: moving
// everything alike changes no element and no velocity. Until it is out it has no weight: it goes
// straight, and falls from there.
//
// Where there is no room, or pins and attachments hold the body, the colliders' surfaces come up
// to it slowly instead (`rise` in row.h).
#pragma once
#include "world/world.h"

typedef enum {
    OUTSIDE,
    HAS_ROOM, // after the translation `way`
    IS_HELD,  // by pins or attachments
    NO_ROOM,
} inside_kind;

// How a body lies among the colliders.
typedef struct {
    inside_kind kind;
    int overlaps;                  // with how many colliders
    int collider;                  // that it is the deepest in, by its place in the world's list
    double depth;                  // [m] of its deepest particle there
    sunk_collider sunk[MOST_SUNK]; // the deepest of them
    double size;                   // [m] of the body: the diagonal of its box
    double way[3];                 // [m]
} inside;

// Looks at a body whose positions are here, where it would be if it had moved by `aside` [m].
inside body_look_inside(const pliant_world* world, const body* b, const double aside[3]);

// "collider 2 (box)", by its place in the world's list.
void collider_describe(const pliant_world* world, int number, char* out, size_t bytes);
// A sentence for it, with a way out.
void inside_describe(const pliant_world* world, const inside* in, int number, char* out,
                     size_t bytes);

// Before a step of dt [s]: looks at bodies where something has changed, warns, and moves on those
// that are on their way. False when a device fails.
bool world_move_out(pliant_world* world, double dt);

// Whether it is being moved out now.
bool body_is_on_its_way(const body* b);

// Its particles have changed, or what holds them: the next step looks at it again.
static inline void body_look_again(body* b) { b->out.met = 0; }

// Colliders whose surfaces rise during a step of dt [s]; and after it.
void body_list_sunk(const body* b, double dt, int substeps, particle_work* out);
void body_note_rise(body* b, double dt);
