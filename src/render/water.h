// Light that comes through a liquid: bent where it enters and leaves, thrown back by Fresnel's
// formula, less with every meter by the liquid's color.
#pragma once
#include "render/shade.h"

// What comes along a ray of length 1 that meets a liquid at that distance [m], before anything
// else.
vec3 water_color(const lighting* l, vec3 origin, vec3 direction, double distance, int number);

// The part of the sun's light that liquids leave of it on the way to a point.
vec3 water_shadow(const lighting* l, vec3 point);
