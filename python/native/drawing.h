// A stage as it is now, as pixels.
#pragma once
#include "pliant_scene.h"
#include "scene/stage.h"

pliant_result draw_stage(const stage* s, const pliant_picture_def* def, uint8_t* out, size_t bytes);
