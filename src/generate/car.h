// The shape of a car: a solid of tets.
#pragma once
#include "pliant.h"

// `size` [m] along x, y and z, `cells` along its length. It stands on the plane y = 0.
pliant_result car_create(const double size[3], int cells, pliant_mesh** out);
