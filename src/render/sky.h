// Light from all of the sky: how much of it reaches a point. The model is drawn into a small depth
// map from each of many directions over the horizon; a direction counts where nothing is before the
// point. Soft shadows on the ground and in folds, the same from every side.
#pragma once
#include "base/workers.h"
#include "render/model.h"
#include "render/view.h"

enum { SKY_VIEWS = 48, SKY_SIZE = 512 };

typedef struct {
    view view[SKY_VIEWS];
    canvas map[SKY_VIEWS];
    vec3 toward[SKY_VIEWS];
} sky;

// Empty maps around a box; false when memory runs out.
bool sky_create(sky* out, vec3 min, vec3 max);
void sky_destroy(sky* s);
// Draws one of the maps.
void sky_draw(sky* s, int number, const model* m);

// 0: none of the sky over the surface, 1: all of it.
double sky_light(const sky* s, vec3 point, vec3 normal);
