// Frames in which some body carries a surface: .obj with texture coordinates, normals and
// materials, and .vtu of what is seen.
#pragma once
#include "export/frame.h"
#include "meshfile/sink.h"

// The bodies one after the other; materials are those of "frames.mtl".
void surfaces_obj(const frame* f, sink* out);
// "frames.mtl" in a folder, and the textures that it names.
pliant_result surfaces_write_materials(const frame* f, const char* folder);

// The surfaces that bodies carry, with "normal" and "texture" at the points. False when memory runs
// out.
bool surfaces_vtu(const frame* f, sink* out);
