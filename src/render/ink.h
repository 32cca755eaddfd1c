// Lines, boxes and text on an image, without any library of fonts: letters are strokes.
#pragma once
#include "render/png.h"

// Red, green, blue as a screen has them, and how much of what is below they hide, all from 0 to 1.
typedef struct {
    double r, g, b, cover;
} ink;

typedef struct {
    double x, y; // [pixels] from the upper left corner
} place2;

void ink_line(image* out, place2 a, place2 b, double width, ink color); // round ends
void ink_box(image* out, place2 low, place2 high, ink color);

// ASCII; other characters are blank. `size` is the height of capitals [pixels], `at` where the line
// that they stand on begins.
void ink_text(image* out, place2 at, double size, ink color, const char* text);
double ink_text_width(double size, const char* text);
