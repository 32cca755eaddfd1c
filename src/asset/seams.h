// Where the elements of a body meet: the edges of triangles or tets, each once, the hinges between
// triangles, and the shortest ways along edges.
#pragma once
#include "asset/parts.h"
#include "mesh/tuple.h"

// All edges of some triangles or tets, equal ones together.
typedef struct {
    tuple_list sides;
    int per_element;   // 3 of a triangle, 6 of a tet
    const int* corner; // of all elements
} seams;

// Elements of 3 or 4 corners. False when memory runs out. Destroy it in every case.
bool seams_find(const pliant_mesh* mesh, const int* corner, int corners, int count, seams* out);
void seams_destroy(seams* s);

// Fill in the parts. False when memory runs out.
bool seams_make_edges(pliant_asset* asset, const seams* s);
bool seams_make_hinges(pliant_asset* asset, const seams* s);
bool seams_make_plates(pliant_asset* asset, const seams* s);

// Kinks of ropes where two edges meet, in the order of particles. What more edges meet at is a
// knot, and turns freely. False when memory runs out.
bool asset_make_kinks(pliant_asset* asset);

// From each particle that is no anchor to the nearest one along the edges of cloth and ropes; none
// for particles that no edge leads to.
bool asset_make_tethers(pliant_asset* asset, const int* anchor, int anchor_count);
