// A surface as it is seen: points that move, vertices as renderers have them (a point with a place
// in a texture and a normal), triangles with materials, and the textures' files as they are.
//
// The physics knows points only; where a texture has a seam, or a sharp edge two normals, one point
// has several vertices.
#pragma once
#include "base/memory.h"

typedef struct {
    char* name;     // owned; "" where it has none
    float color[4]; // red, green, blue, alpha: linear, multiplies the texture
    int image;      // -1: none
    bool two_sided;
} visual_material;

// A PNG or JPEG file, as it was.
typedef struct {
    char* name; // owned: the file's own, without folders
    void* data; // owned
    size_t bytes;
} visual_image;

typedef struct visual {
    double* point;       // [m] 3 each
    double* point_color; // red, green, blue of each, as the file has them; NULL: there are none
    int* vertex_point;
    int* vertex_normal; // which normal each vertex has
    double* vertex_uv;  // 2 each, from the upper left corner of the texture; NULL: there are none
    int* triangle;      // 3 vertices each
    int* triangle_material; // -1: none
    int point_count, vertex_count, normal_count, triangle_count;
    visual_material* material;
    int material_count, material_capacity;
    visual_image* image;
    int image_count, image_capacity;
} visual;

void visual_destroy(visual* v);

// Reads .obj with its .mtl and textures, .gltf and .glb, and any other mesh file as plain
// triangles. `read` opens files. What is missing beside the file (materials, textures) is a
// warning; nothing else is forgiven.
pliant_result visual_load(const char* path, pliant_read_fn* read, void* context, visual** out);

// The triangles of a mesh; its points are the mesh's vertices, in their order.
pliant_result visual_of_mesh(const pliant_mesh* mesh, visual** out);

// The points and triangles as a mesh.
pliant_result visual_mesh(const visual* v, pliant_mesh** out);

// Which normal each corner of the triangles has, 3 each; to be freed. NULL when memory runs out.
int* visual_corner_normals(const visual* v);

// Whether visual_load has more for a file of this name than pliant_mesh_load.
bool visual_knows(const char* path);
// The name of a .gltf or .glb file.
bool visual_is_gltf(const char* path);

// "image/png", "image/jpeg", or NULL by the first bytes.
const char* image_type(const void* data, size_t bytes);
