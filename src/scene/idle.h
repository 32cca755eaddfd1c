// Keys of a scene that change nothing, and meshes that are something else than they seem: told as
// warnings, with the place in the file.
#pragma once
#include "scene/stage.h"

// After the meshes of all bodies are open.
pliant_result stage_warn_of_idle_keys(const stage* s, const place* top);
