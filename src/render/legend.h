// The meaning of the colors, in a corner of the image.
#pragma once
#include "render/ink.h"
#include "render/sketch.h"

// A range that ends on a round number at or above `most`.
map_range legend_range(double most);

// Columns at the right side that it takes [pixels]; 0 where bodies have their own colors.
int legend_width(const sketch* k, map_range range, const image* out);

// Nothing where bodies have their own colors.
void legend_draw(const sketch* k, map_range range, image* out);
