// Where stalks stand: faces of a mesh's boundary.
#pragma once
#ifndef PRECISION_DOUBLE
#error "solids are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/prism.h"
#include "tetra/stalk.h"

// Prisms from the mesh to the tip: sections, of which the first is a face and the last may be a
// point, and how the prisms between them are divided.
typedef struct {
    const section* section;        // one more than prisms
    const unsigned char* division; // of each (prism.h)
    int count;
    vec3 low, high; // bounding box
} prisms;

// What stalks are built from, and on.
typedef struct {
    const solid* solid;
    const outline* outline;
    const int* vertex; // of the mesh, of each of the outline's
    int most_valence;
} site;

typedef struct {
    site at;
    unsigned char* taken; // faces with a stalk
    int* valence;         // of the mesh's vertices
    section* section;     // of all stalks that were built
    unsigned char* division;
    int* face;      // that each stands on
    prisms* prisms; // of each
    int sections, stalks, points;
} ground;

// Makes room for all these stalks.
bool ground_create(const site* at, const pliant_mesh* mesh, const stalk* stalks, int count,
                   ground* out);
void ground_destroy(ground* g);

// Builds the stalk on the face that gives the best tets, if there is one with good tets on which it
// crosses nothing, as far as points on its sides show.
void ground_grow(ground* g, const stalk* s);

int ground_tets(const ground* g);

// The mesh with the stalks in place of the mesh.
pliant_result ground_append(const ground* g, pliant_mesh** mesh);
