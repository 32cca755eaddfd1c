// Where the state of a body is: here, or on a device, or an older copy of it here. What the solver
// does not step here is fetched when somebody asks for it, and sent when somebody has changed it.
#pragma once
#include "cuda/device.h"
#include "world/world.h"

// Whether it is to be stepped on a device, if there is one.
bool body_wants_device(const pliant_world* world, const body* b);

// Gives a body that was just made its place on the device, if it is to be stepped there. False,
// with the error text, when it cannot.
pliant_result body_settle(pliant_world* world, body* b);
void body_unsettle(pliant_world* world, body* b);

// Before arrays of its state (STATE_ROWS, ...) are read here, and before they are changed here.
// False when the device fails, with the error text.
bool body_fetch(const pliant_world* world, body* b, unsigned arrays);
bool body_edit(const pliant_world* world, body* b, unsigned arrays);

// A body that stood still since it left the finite numbers goes on.
bool body_revive(const pliant_world* world, body* b);

// Before a step on the device: what was changed here goes there. After it: what is newer there.
// Of all worlds at once, which have one device.
pliant_result worlds_send_changes(pliant_world* const* worlds, int count);
void world_note_step(pliant_world* world);
// What is newer there comes here, of all bodies.
pliant_result worlds_fetch(pliant_world* const* worlds, int count, unsigned arrays);
// What the device has said of bodies by now.
void world_note_failures(pliant_world* world);
