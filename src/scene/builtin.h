// The scenes that are part of the program: the files of scenes/, embedded by the build.
#pragma once
#include <stddef.h>

typedef struct {
    const char* name; // the file's name without .json
    const unsigned char* text;
    size_t bytes;
} builtin_scene;

extern const builtin_scene builtin_scenes[];
extern const int builtin_scene_count;
