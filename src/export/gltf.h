// The JSON of a film, and the numbers that no frame changes.
#pragma once
#include "export/film.h"

// A texture that stands beside a .gltf.
typedef struct {
    const visual_image* image;
    char name[160];
} gltf_image_file;

typedef struct {
    char* json; // from jansson: free() it
    size_t json_bytes;
    sink fixed; // behind the frames: texture coordinates, triangles, times, weights, textures
    gltf_image_file* files;
    int file_count;
    char binary_name[256]; // of a .gltf
} gltf_document;

// Floats of one frame of a body: positions and normals.
size_t film_numbers(const body_face* face);

pliant_result gltf_describe(const film* reel, const frame* f, gltf_document* out);
void gltf_release(gltf_document* d);

// The path of a file in the same folder.
pliant_result gltf_path_beside(const char* path, const char* name, char out[4096]);
