// Unsigned distances of all samples of a field to a surface.
#pragma once
#include "collide/field.h"
#include "collide/surface.h"

// Fills field->value. The surface is relative to the field's origin. `nearest` is room for one
// number per sample; it receives each sample's triangle.
void nearest_fill(const surface* s, distance_field* field, int* nearest);
