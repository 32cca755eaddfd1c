// Pictures as .png files.
#pragma once
#include "base/error.h"

typedef struct {
    int width, height;
    uint8_t* rgb; // row by row from the top
} image;

bool png_is_available(void); // whether the build has libpng
// The file appears whole or not at all.
pliant_result png_write(const image* picture, const char* path);
// The pixels of a .png in memory as red, green, blue, alpha, row by row from the top, to be freed;
// NULL, without an error, when it is none, is damaged or larger than 16384 pixels a side, or the
// build has no libpng.
uint8_t* png_read(const void* data, size_t bytes, int* out_width, int* out_height);
