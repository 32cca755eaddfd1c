// A buffer that keeps, for each sample, how near the nearest face is, and which it is.
#pragma once
#include "render/space.h"
#include <stdbool.h>

typedef struct {
    int width, height;
    float* near; // row by row from the top; larger is nearer, linear on the screen. 0: nothing
    int* face;   // NULL: nobody asks
} canvas;

// A corner on the screen: x to the right and y down in samples.
typedef struct {
    double x, y, near;
} spot;

// Rows of a canvas, from `first` to before `end`: what one thread draws.
typedef struct {
    int first, end;
} band;

bool canvas_create(canvas* out, int width, int height, bool with_faces); // empty
void canvas_destroy(canvas* c);
void canvas_draw(canvas* c, band rows, const spot corner[3], int face);

// A ball from one side: where its middle and what is nearest of it are, and how far it reaches on
// the screen. What is smaller than a sample still covers one.
typedef struct {
    double x, y, reach; // [samples]
    double near, bulge; // of its rim, and how much nearer its middle is
} disk;
void canvas_disk(canvas* c, band rows, const disk* d, int face);

static inline size_t canvas_at(const canvas* c, int x, int y)
{
    return (size_t)y * (size_t)c->width + (size_t)x;
}
