// Holes in a surface, closed with triangles between their rims' vertices.
//
// A hole is a loop of edges with one triangle each. A flat one, as where a figure was cut off, can
// be closed in one way only. What covers another one is a guess: ears are cut off its rim, those
// with the shortest chords first.
#pragma once
#include "mesh/mesh.h"

typedef enum {
    HOLES_FLAT, // those whose rim is in a plane, within 2 % of its size
    HOLES_ALL,
} hole_choice;

typedef struct {
    int closed, open;
} holes_report;

// Neighbors agree, as after orient_pieces (mesh/orient.h), whose pieces grow with the surface.
// Where a cover would be as large as its piece itself, that is a sheet or a loose triangle, and
// stays open.
pliant_result close_holes(pliant_mesh* surface, int** piece, int piece_count, hole_choice which,
                          holes_report* out);
