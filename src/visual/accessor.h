// The parts of a glTF file: its JSON, its buffers, and numbers in them. Nothing is trusted: every
// index and every length is checked before anything is read.
#pragma once
#include "visual/draft.h"
#include <jansson.h>

typedef struct {
    const unsigned char* data;
    size_t bytes;
    void* owned; // NULL: part of the file
} gltf_buffer;

typedef struct {
    visual_draft* draft;
    json_t* root;
    gltf_buffer* buffer;
    int buffer_count;
    gltf_buffer binary; // of a .glb
    int* material;      // the draft's number of each material
    int* image;         // and of each image; -1: left out
    int64_t instances;  // primitives so far: nodes may repeat them without end
} gltf_file;

// "cow.glb: meshes[3].primitives: ..."
pliant_result gltf_fail(const gltf_file* f, const char* where, int number, const char* what);

// The item of an array of the file's top level; NULL where there is none.
const json_t* gltf_item(const gltf_file* f, const char* array, json_int_t number);
int gltf_count(const gltf_file* f, const char* array);
// A whole number of an object, or the fallback where there is none; -2 where it is something else
// or negative.
json_int_t gltf_integer(const json_t* object, const char* key, json_int_t fallback);

pliant_result gltf_open_buffers(gltf_file* f);
void gltf_close_buffers(gltf_file* f);
pliant_result gltf_find_view(const gltf_file* f, json_int_t number, const unsigned char** out,
                             size_t* out_bytes, size_t* out_stride);

// Numbers of an accessor.
typedef struct {
    const unsigned char* data; // NULL: all are zero
    size_t stride;
    int count, width; // width: numbers of an element
    int type;         // glTF's componentType
    bool normalized;
} gltf_numbers;

// Any accessor of `width` numbers, or of 3 or 4 for a width of VEC3_OR_VEC4.
enum { VEC3_OR_VEC4 = 34 };
pliant_result gltf_find_numbers(const gltf_file* f, json_int_t accessor, int width,
                                gltf_numbers* out);
double gltf_number(const gltf_numbers* n, int element, int k);

// "data:image/png;base64,..." as bytes; PLIANT_ERROR_FORMAT, without a sentence, where it is not.
bool gltf_is_data(const char* uri);
pliant_result gltf_decode(const char* uri, void** out_data, size_t* out_bytes);
