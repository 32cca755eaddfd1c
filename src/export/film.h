// A run as one glTF 2.0 file: every body is a mesh whose frames are morph targets, and an animation
// goes from one to the next. What a body carries brings its texture coordinates, materials and
// textures along. A .glb holds everything; beside a .gltf there are a .bin and the textures.
#pragma once
#include "export/frame.h"
#include "mesh/sink.h"

typedef struct {
    const char* path; // outlives the film
    const stage* stage;
    bool binary;    // .glb
    sink* frames;   // of each frame: positions and normals of all bodies; of all but the first the
                    // differences from it
    double* bounds; // of each frame and body: smallest and largest position
    float* times;   // [s]
    float* first;   // positions and normals of the first frame
    int frame_count, frame_capacity, bounds_capacity, time_capacity;
    size_t bytes;
} film;

// Whether a path is that of a film.
bool film_is_path(const char* path);

pliant_result film_open(film* out, const stage* s, const frame* f, const char* path);
pliant_result film_add(film* reel, const frame* f, double time);
// Writes the file, which appears whole or not at all, and releases the film.
pliant_result film_close(film* reel, const frame* f);
