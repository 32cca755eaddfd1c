// A mesh while it is read: vertices and cells are added one by one, checked at once so that a
// failure names the line, and become a mesh when the whole file was good.
#pragma once
#include "mesh/mesh.h"
#include "meshfile/cursor.h"

// What the cell types of all formats come down to.
typedef enum {
    CELL_IGNORED, // points
    CELL_LINES,   // n corners, n - 1 edges
    CELL_POLYGON, // n corners, a fan of n - 2 triangles
    CELL_TET,
    CELL_SOLID,  // hexahedra, prisms, pyramids: left out, with a warning
    CELL_CURVED, // of second or higher order: refused
} cell_kind;

enum { EDGE, TRIANGLE, TET, ELEMENT_KINDS };

typedef struct {
    int* corner; // (kind + 2) * count
    int count, capacity;
} element_list;

typedef struct {
    double* vertices;
    int vertex_count, vertex_capacity;
    double* colors; // of the first vertices; those behind the last color are white
    int color_count, color_capacity;
    double* radii; // of the first vertices
    int radius_count, radius_capacity;
    element_list elements[ELEMENT_KINDS];
    int* region; // of each tet
    int region_capacity;
    bool no_regions; // the file's numbers do not say regions
    int* cell;       // corners of the cell being read
    int cell_count, cell_capacity;
    int64_t solids_left_out;
} draft;

void draft_release(draft* d);

// Whether no cell but points was added.
static inline bool draft_is_loose(const draft* d)
{
    return d->elements[EDGE].count + d->elements[TRIANGLE].count + d->elements[TET].count == 0;
}

// Room for what a checked count promises.
void draft_reserve_vertices(cursor* c, draft* d, int count);
void draft_reserve_elements(cursor* c, draft* d, int kind, int count);

void draft_vertex(cursor* c, draft* d, const double position[3]);
// Three numbers at the cursor.
void draft_read_vertex(cursor* c, draft* d, scalar type);

// The color of the vertex before; those that have none are white if any has one.
void draft_color(cursor* c, draft* d, const double color[3]);

// The radius of the next vertex that has none; only a mesh of vertices alone keeps them.
void draft_radius(cursor* c, draft* d, double radius);

// A cell is its corners and then its kind. Corners count from `base`, as the file does.
void draft_corner(cursor* c, draft* d, int64_t index, int base);
void draft_close(cursor* c, draft* d, cell_kind kind, int64_t region);

// Tets alone if there are any, else triangles, else edges; else the vertices are particles.
pliant_result draft_finish(cursor* c, draft* d, pliant_mesh** out);
