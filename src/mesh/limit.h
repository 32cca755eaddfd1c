// How large a mesh may be: indices of faces and edges of all elements still fit an int.
#pragma once
#include "mesh/mesh.h"

enum { ELEMENT_LIMIT = 1 << 28 };

// Refuses sizes above the limit. Counts are doubles because products of wild numbers come here.
pliant_result check_size(const char* what, double vertices, double elements);

// The same for a mesh that somebody made.
pliant_result check_mesh_size(const pliant_mesh* mesh);

// A length [m] or a fraction that has to be a positive finite number.
pliant_result check_positive(const char* what, double value);

// Of a round solid: at least 2 cells.
pliant_result check_resolution(const char* what, int resolution);
