// All bodies of a stage as one mesh, with what is seen of them: what the writers and the renderer
// use. Topology is fixed until a body comes apart; positions and data are read from the world once
// a frame.
#pragma once
#include "export/face.h"
#include "mesh/normals.h"

// One body as it is seen.
typedef struct {
    const body_face* face;
    body_face* own;    // the same, where the body has come apart; else NULL
    pliant_skin* skin; // where it carries its surface
    int first_point;   // in the frame's points
    int first_particle;
    int first_normal;
    normal_plan plan; // of normals, where it carries none
} shown_body;

typedef struct {
    int threads; // of the world, for surfaces of liquids; 0: one per core
    int vertex_count, tet_count, cloth_count, edge_count, loose_count;
    double* vertices;                  // [m] 3 each
    int *tets, *cloth, *edges, *loose; // loose: particles without elements
    float* radius; // [m] of each vertex; 0 where it is not loose, below 0 where it is absent
    int absent_count;
    bool changes;             // some come and go
    uint64_t version;         // another one when elements have other particles; 0: as at first
    bool tears;               // some body may come apart by itself
    int* body;                // of each vertex: its number, from 0
    double* rest;             // [m] 3 each: where it would be at the start, at rest
    int *color, *patch;       // of each tet: of the schedule; 0 of the other cells, which follow
    float* shear_modulus;     // [Pa] of each tet
    float* plastic_strain;    // [-] of each tet; NULL, and so is the next: nothing can flow
    double* plastic_shape;    // [-] 9 for each tet, as the library has them
    float* velocity;          // [m/s] 3 each
    float* contact_force;     // [N] 3 each
    float* temperature;       // [K] of each vertex, 0 where it knows none; NULL: nobody does
    pliant_contact* contacts; // between bodies, in the last step, where somebody asks for them
    int contact_count, contact_capacity;
    bool lists_contacts; // somebody does
    bool has_contacts;   // for the next update, which does not ask the world
    // What is seen, body after body.
    body_face* faces; // of each entry of the stage
    int face_count;
    shown_body* shown;
    int shown_count;
    int surface_count, triangle_count, surface_edge_count, normal_count;
    double* surface_vertices;       // [m] 3 for each point
    double* surface_radius;         // [m] of each point, as above. NULL: none is loose
    int *triangles, *surface_edges; // in points
    pliant_vec3* normals;           // those of the bodies' looks
    bool carries;                   // some body carries a surface
    bool lean;                      // nobody asks for the particles of bodies that carry one
} frame;

pliant_result frame_create(const stage* s, frame* out);
pliant_result frame_update(frame* f, const stage* s);
// Contacts of the next update, for a world that does not know them: it was restored.
pliant_result frame_give_contacts(frame* f, const void* contacts, int count);
void frame_destroy(frame* f);

// What is there of a frame in which particles are absent: its vertices and points, and the elements
// by their numbers. Owned, and of no use but for writers of its two meshes and of fields. False
// when memory runs out.
bool frame_without_absent(const frame* f, frame* out);

pliant_mesh_arrays frame_volume(const frame* f);
pliant_mesh_arrays frame_surface(const frame* f);

// Positions of a body's points, 3 each, and its normals.
static inline const double* frame_points(const frame* f, const shown_body* b)
{
    return f->surface_vertices + 3 * (size_t)b->first_point;
}
static inline const pliant_vec3* frame_normals(const frame* f, const shown_body* b)
{
    return f->normals + b->first_normal;
}
