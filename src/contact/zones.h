// The guard's last word: points of pairs that still come too near go on as one piece.
#pragma once
#include "contact/system.h"

void zones_start(contact_system* s);
// Joins the points of all pairs that cross with each other, and gives each piece its common motion:
// the mean by mass, or that of a point which is held. `out_grown`: some piece is larger than
// before. False when memory runs out.
bool zones_grow(contact_system* s, bool* out_grown);
