// Colors of bodies that have none of their own.
#pragma once
#include "scene/stage.h"

// Red, green, blue as a screen has them: the scene's for this body, or one that is chosen.
void palette_color(const stage* s, int body, double out[3]);
