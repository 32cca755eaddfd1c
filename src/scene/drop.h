// A scene for a surface that has none: it falls, tilted, on the ground and wobbles.
#pragma once
#include "meshfile/sink.h"

// Writes the text of the scene. `file` is how the scene names the mesh. Its surface is filled with
// about `tets` tets; 0: it falls as it is if it has tets (or edges alone) of its own, and else is
// filled with 20000. It is scaled so that its longest side has a meter: files do not tell their
// unit.
void drop_scene(const pliant_mesh* mesh, const char* file, int tets, sink* out);

// How a scene at `scene` names a file at `path`: relative to the scene's folder. False where that
// cannot be told from the two paths.
bool drop_name(const char* scene, const char* path, char out[4096]);
