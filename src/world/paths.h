// Movers and holders, which belong to particles, for the rows that a step works on.
#pragma once
#include "world/world.h"

// One for each row of each particle, in the order of the rows. False when memory runs out.
bool body_list_paths(body* b, particle_work* out);

// After a step here: what attachments did. And of one on a device, when somebody asks; false when
// that fails.
void body_note_holders(body* b);
bool body_fetch_holders(const pliant_world* world, body* b);
