// Shapes that air carries, and a round sheet.
#pragma once
#include "pliant.h"

// A round sheet of triangles about as wide as they are long, in the plane y = 0: `rings` of them
// from its middle to its edge [m].
pliant_result disc_create(double radius, int rings, pliant_mesh** out);
// The same with lines of that length [m] from its edge to a point below its middle, which is the
// last vertex.
pliant_result parachute_create(double radius, int lines, double length, pliant_mesh** out);
// A paper plane of tets that flies toward -x: heavier toward its nose, with its elevators up.
pliant_result dart_create(double length, double span, pliant_mesh** out);
