// A buffer that keeps, for each sample, the nearest face and where on it the sample lies.
#pragma once
#include "render/space.h"
#include <stdbool.h>

typedef struct {
    float near; // larger is nearer; linear on the screen. 0: nothing
    int face;
    float b, c; // shares of the second and third corner, on the screen
} sample;

typedef struct {
    int width, height;
    sample* samples; // row by row from the top
} canvas;

// A corner on the screen: x to the right and y down in samples.
typedef struct {
    double x, y, near;
} spot;

bool canvas_create(canvas* out, int width, int height); // empty
void canvas_destroy(canvas* c);
void canvas_draw(canvas* c, const spot corner[3], int face);
