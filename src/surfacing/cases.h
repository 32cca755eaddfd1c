// How a surface cuts a cell: for each of the 256 ways in which its corners can be inside, the
// triangles between the cuts of its edges.
//
// Corner k is at (k & 1, k >> 1 & 1, k >> 2). An edge along axis a has the number 4 a + u + 2 v,
// with (u, v) where it is on the two axes that follow a.
//
// On a face with two corners inside that are not neighbors each is cut off by itself, whichever
// cell looks at it: so the polygons of neighbors meet, and the surface is closed. A vertex is in
// one polygon of each of the four cells around its edge. No polygon is cut along a line between two
// vertices of one face, which the neighbor might have, too: so an edge has two triangles, no more.
#pragma once

enum { CELL_CASES = 256, CELL_EDGES = 12, CASE_TRIANGLES = 5 };

typedef struct {
    unsigned char count[CELL_CASES];                    // of triangles
    unsigned char edge[CELL_CASES][3 * CASE_TRIANGLES]; // counter-clockwise from outside
} cell_cases;

// The corner at the lower end of an edge, and its axis.
static inline int cell_edge_axis(int edge) { return edge / 4; }
static inline int cell_edge_corner(int edge)
{
    int axis = edge / 4, u = edge & 1, v = edge >> 1 & 1;
    return u << (axis + 1) % 3 | v << (axis + 2) % 3;
}

void cell_cases_make(cell_cases* out);
