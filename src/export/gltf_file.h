// A film as glTF 2.0. A .glb holds everything; beside a .gltf there are a .bin and the textures.
#pragma once
#include "export/film.h"

pliant_result gltf_write(const film* f, const char* path);
// Refuses more frames than the format can hold.
pliant_result gltf_check(const film* f);
