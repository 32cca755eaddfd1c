// How long lists of near pairs last on the processor.
//
// When a list is made, each point is expected to go on as it does now, by u in a substep (against
// the mean of all bodies, or of its own one). It has strayed by D = |x - x0 - age u|, less what the
// mean has gone. Two sides that were `gap` apart along a direction n, when the list was of age a,
// are at least
//
//   gap - (age - a) rate - D1 - D2 - D1(a) - D2(a),   rate: how fast n . u brings them together
//
// apart: they sleep until that is little enough to meet. So nobody who goes along with his
// neighbors, or away from them, is looked at, and however much he trembles counts once.
#pragma once
#include "contact/push.h"

enum { WATCH_LEAST = 4, WATCH_MOST = 16 }; // substeps that a list is to last

#define WATCH_ROOM (PAIR_ROOM * (1 + 2 * WAY_ROUNDING))
