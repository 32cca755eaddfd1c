// Scenes by name: a scene file, a mesh file, which falls on the ground, a scene of the program, or
// "-", a scene on the standard input.
#pragma once
#include "scene/scene.h"

void list_scenes(void); // those of the program, one a line
// `tets`: about how many a model is filled with; 0: its own, or 20000 where it has none. Only a
// model takes them. `changes`: to its text, as in scene/change.h; NULL: none.
pliant_result open_scene(const char* name, int tets, const char* changes, scene** out);
// Whether the name is that of a scene: of the program, or a file that is no mesh.
bool names_scene(const char* name);
