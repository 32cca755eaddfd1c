// Colors for values.
#pragma once
#include "render/style.h"
#include <stdint.h>

// `count` colors, four bytes each (the last is 255), as a screen has them.
void colormap_fill(map_kind kind, int count, uint8_t* rgba);
