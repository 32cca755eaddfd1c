// The bodies of a scene, for `pliant info`.
#pragma once
#include "scene/scene.h"

// Prints them and returns an exit status.
int info_scene(const char* name, const scene* s, bool json);
