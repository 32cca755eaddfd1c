// What is seen of one kind of body: the surface that it carries, or its own (the boundary of its
// tets, or its cloth), and its edges; or loose particles.
#pragma once
#include "scene/stage.h"

typedef struct {
    const visual* look; // NULL: nothing but edges
    visual* made;       // where the body carries none
    int* particle;      // of each point, where the body carries none; else NULL
    int point_count;
    int* edges; // 2 points each
    int edge_count;
    double rope_radius;         // [m] of its edges
    double* ball_radius;        // [m] of each particle where they are loose; else NULL
    int ball_count;             //
    const double* point_radius; // the same, where they are what is seen; else NULL
    const scene_liquid* liquid; // they are seen as one; NULL: they are not
    const scene_smoke* smoke;   // or as smoke
    bool hidden;                // or not at all
    double* point_color;        // 3 for each of them, or NULL
    pliant_mesh* skin_mesh;     // of a surface that is carried: its points and triangles,
    int* skin_normals;          // and the normals of its corners
} body_face;

pliant_result face_create(const stage_entry* entry, body_face* out);
// Of a body that has come apart.
pliant_result face_create_torn(const stage* s, int body, body_face* out);
void face_destroy(body_face* f);

// Whether the points are those of a carried surface.
static inline bool face_is_carried(const body_face* f) { return f->skin_mesh != NULL; }
