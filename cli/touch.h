// Contacts of the last step as JSON.
#pragma once
#include "scene/stage.h"
#include <jansson.h>

// Figures, forces between bodies and events of touch. NULL: memory ran out.
json_t* touch_of_bodies(const stage* s);
// Of each collider: the force of all bodies on it. Nulls where steps do not measure it.
// What came apart when the step began: {"body": 0, "particle": p, "twin": q, "at": [x, y, z],
// "force": F, "size": s, "energy": E}, ...
json_t* tears_of_bodies(const stage* s);
json_t* touch_of_colliders(const stage* s);
// Lets steps from now on measure the forces on all colliders.
pliant_result touch_measure(const stage* s);
