// Meshes by file name (.gltf and .glb too, and .gz where zlib is there), or by a generator's word
// ("torus:1:0.3:8").
#pragma once
#include "pliant.h"

// The bytes of a file, decompressed; for readers of files. `context` is not used.
pliant_result load_bytes(const char* path, void** out_data, size_t* out_bytes, void* context);

pliant_result load_mesh(const char* name, pliant_mesh** out);
