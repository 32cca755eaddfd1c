// Bodies that do not deform: where they are, how they go, and what may be done to them.
#pragma once
#include "world/world.h"

// At its place. False, with the error text, where memory runs out or numbers cannot hold it.
pliant_result body_make_rigid(body* b, const pliant_body_def* def);
void body_free_rigid(body* b);

// Its rows follow from where it is; after that was changed.
void body_place_rigid(body* b);
// Turned about a pivot, then moved; with what it has of velocities.
pliant_result body_teleport_rigid(body* b, const double pivot[3], pliant_quat rotation,
                                  const double translation[3]);
void body_hold_rigid(body* b, bool held);

// False, with the error text, if it is rigid: such a body has no particles that `what` could be
// done to.
bool body_refuse_rigid(const body* b, const char* what);

// The world has one more or one less.
void world_count_rigid(pliant_world* world, const body* b, int change);
