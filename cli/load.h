// Meshes by file name, .gz too where zlib is there, or by a generator's word ("torus:1:0.3:8").
#pragma once
#include "pliant.h"

pliant_result load_mesh(const char* name, pliant_mesh** out);
