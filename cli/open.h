// Scenes by name: a scene file, a mesh file, which falls on the ground, or a scene of the program.
#pragma once
#include "scene/scene.h"

void list_scenes(void); // those of the program, one a line
pliant_result open_scene(const char* name, scene** out);
