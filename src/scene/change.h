// Changes to a scene's text before it is read, as of --set.
#pragma once
#include "meshfile/sink.h"
#include "pliant.h"

// `changes` are "KEY=VALUE", divided by semicolons: "bodies.0.mesh=cloth:10x10:1x1; frames=20".
// A key is a way of names, numbers of a list from 0, and * for all of it; the last name may be new.
// A value is JSON, or else a text. `name` stands in errors. The whole text is written again.
pliant_result scene_change(const void* text, size_t bytes, const char* name, const char* changes,
                           sink* out);
