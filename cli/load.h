// Meshes by file name (.gltf and .glb too, and .gz where zlib is there), by a generator's word
// ("torus:1:0.3:8"), or "-": from the standard input.
#pragma once
#include "pliant.h"

// The bytes of a file or of the standard input, decompressed; for readers of files. `context` is
// not used.
pliant_result load_bytes(const char* path, void** out_data, size_t* out_bytes, void* context);

pliant_result load_mesh(const char* name, pliant_mesh** out);
// From the bytes of the standard input: what no other format's mark is in is read as .obj.
pliant_result load_input_mesh(const void* data, size_t bytes, pliant_mesh** out);

// How the standard input is called in errors.
#define INPUT_NAME "standard input"
static inline bool is_input(const char* name) { return name[0] == '-' && name[1] == 0; }
