// A visual surface while it is read: lists as files have them, and corners that point into them.
#pragma once
#include "visual/visual.h"

typedef struct {
    double* value; // `width` numbers each
    int count, capacity, width;
} value_list;

typedef struct {
    int position, uv, normal; // -1: none
} visual_corner;

typedef struct {
    value_list positions, uvs, normals;
    value_list colors;     // of the first positions; those behind the last color are white
    visual_corner* corner; // 3 for each triangle
    int corner_count, corner_capacity;
    int* material; // of each triangle
    int material_capacity;
    visual look; // materials and images so far
    pliant_read_fn* read;
    void* context;
    const char* path; // of the file
} visual_draft;

// Lists begin with their widths.
visual_draft visual_draft_begin(const char* path, pliant_read_fn* read, void* context);
void visual_draft_release(visual_draft* d);

// False when memory runs out.
bool list_add(value_list* list, const double* value);
// The color of the position before; those that have none are white if any has one.
bool draft_add_color(visual_draft* d, const double color[3]);
// The three corners are in range.
bool draft_add_triangle(visual_draft* d, const visual_corner corner[3], int material);
// The number of a new material or image; -1 when memory runs out. The name is copied, the data
// taken over, also on failure.
int draft_add_material(visual_draft* d, const char* name, size_t length);
int draft_add_image(visual_draft* d, const char* name, void* data, size_t bytes);

// Reads a file beside the one being read. `name` has `length` bytes.
pliant_result draft_read_beside(const visual_draft* d, const char* name, size_t length,
                                void** out_data, size_t* out_bytes);
// An image from a file beside; with a warning and -1 when it cannot be had. *result is set when
// memory runs out.
int draft_load_image(visual_draft* d, const char* name, size_t length, pliant_result* result);

// Joins what is at the same place and makes the vertices. `keep_points`: points are the positions,
// one by one.
pliant_result visual_draft_finish(visual_draft* d, bool keep_points, visual** out);

pliant_result visual_read_obj(visual_draft* d, const void* data, size_t bytes);
pliant_result visual_read_mtl(visual_draft* d, const void* data, size_t bytes, const char* name);
pliant_result visual_read_gltf(visual_draft* d, const void* data, size_t bytes);
