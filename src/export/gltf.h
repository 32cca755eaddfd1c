// The JSON of a film, and the numbers that no frame changes.
#pragma once
#include "export/film.h"
#include "meshfile/sink.h"

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

// What is described.
typedef struct {
    const film* film;
    const frame* frame;
    const char* path;
    bool binary; // .glb
    int frame_count;
    size_t frame_bytes, bytes; // positions and normals: of a frame, of all
    double* bounds;            // of each frame and body: smallest and largest position
} gltf_source;

// Floats of one frame of a body: positions and normals of its vertices.
size_t gltf_numbers(const body_face* face);

pliant_result gltf_describe(const gltf_source* s, gltf_document* out);
void gltf_release(gltf_document* d);
