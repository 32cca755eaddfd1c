// Triangles that lie on each other: repeated ones, and the two sides of a sheet.
#pragma once
#include "mesh/mesh.h"

// Of triangles with the same three vertices one stays, facing as most of them do. Where as many
// face one way as the other they are a wall between two solids and go, all of them; unless most of
// the surface's area is like that: then the surface was made with two sides, and one of each pair
// stays. Vertices at the same place have been welded.
pliant_result join_sheets(pliant_mesh* surface);
