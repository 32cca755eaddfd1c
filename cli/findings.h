// What a look at a scene finds before it starts (pliant_world_look).
#pragma once
#include "facts.h"
#include "scene/stage.h"

// Sentences on stderr, "pliant run: ...", but for those that the first step tells itself. No more
// than a few of each kind.
void findings_warn(const stage* s);

// All of them, where there are any.
void findings_list(const stage* s, facts* out);
