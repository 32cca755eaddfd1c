// A film as USD in text form, for Houdini, Omniverse, usdview: a Mesh for each body, or BasisCurves
// for a rope, with time samples of points, normals and extent. Meters, y is up, and one time code
// for each frame of the film.
#pragma once
#include "export/film.h"

pliant_result usda_write(const film* f, const char* path);
