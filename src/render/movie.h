// Films as .mp4 and .gif: images go to ffmpeg, a program of its own, one by one.
#pragma once
#include "base/platform.h"
#include "render/png.h"
#include "system/child.h"

bool movie_is_path(const char* path); // whether its ending is that of a film

void movie_fit(const char* path, int* width, int* height); // sides of .mp4 are even: the next ones

typedef struct {
    child_program* child;
    char path[4096], part[4096]; // the file, and its name until it is whole
} movie;

// Refuses the path where ffmpeg is not installed: to be told before the work.
pliant_result movie_check(const char* path);
pliant_result movie_open(movie* out, const char* path, int width, int height, double rate);
pliant_result movie_add(movie* m, const image* picture);
// The file appears whole or, where `keep` is false or ffmpeg failed, not at all.
pliant_result movie_close(movie* m, bool keep);
