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
