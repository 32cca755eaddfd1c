// Which samples of a field are inside a closed surface.
#pragma once
#include "collide/field.h"
#include "collide/surface.h"

// Makes the values of the samples inside negative. The surface is relative to the field's origin.
// `change` is room for one number per sample.
void winding_sign(const surface* s, distance_field* field, int* change);
