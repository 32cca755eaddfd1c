// A tet mesh that local operations change: every vertex knows the tets around it, every tet which
// of its faces are on the outside.
#pragma once
#ifndef PRECISION_DOUBLE
#error "repairs are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "math/vec3.h"
#include "mesh/mesh.h"

typedef struct {
    int* item;
    int count, capacity;
} int_list;

typedef struct {
    vec3 place;      // relative to the box of the mesh: -1 to 1
    int_list around; // tets; empty when the vertex is gone
    bool outer;      // on the surface
    int source;      // vertex of the mesh that it still is, or -1 when it is new or has moved
} knot;

typedef struct {
    int corner[4]; // positive volume; -1 first when the tet is gone
    int region;
    int first_point;     // of the original surface, that it is the host of (hosts.h); -1: none
    unsigned char outer; // bit f: face f (opposite of corner f) is on the surface
} cell;

typedef struct complex {
    knot* knots;
    cell* cells;
    int_list vacant; // places in cells
    int knot_count, knot_capacity, cell_count, cell_capacity;
    vec3* point;     // vertices of the original surface
    int* next_point; // of the same host, or -1
    vec3 middle;     // [m] of the box
    double extent;   // [m] half of its longest side
    bool failed;     // memory ran out: nothing more is changed
} complex;

// The first tet without a positive volume, or -1.
int first_inverted(const pliant_mesh* mesh);

// The mesh has tets of positive volume. False when memory runs out; destroy in every case.
bool complex_create(const pliant_mesh* mesh, complex* out);
void complex_destroy(complex* c);
// As a new mesh, in the order of what was there before; NULL when memory runs out.
pliant_mesh* complex_to_mesh(const complex* c, const pliant_mesh* source, bool regions);

bool list_push(int_list* list, int value);
void list_remove(int_list* list, int value);

// False, and c->failed, when memory runs out.
bool complex_reserve(complex* c, int more_knots, int more_cells);
int complex_add_knot(complex* c, vec3 place, bool outer);
int complex_add_cell(complex* c, const int corner[4], int region);
void complex_remove_cell(complex* c, int number);

static inline bool cell_has(const cell* t, int v)
{
    return t->corner[0] == v || t->corner[1] == v || t->corner[2] == v || t->corner[3] == v;
}
static inline int cell_corner_of(const cell* t, int v)
{
    return t->corner[0] == v ? 0 : t->corner[1] == v ? 1 : t->corner[2] == v ? 2 : 3;
}
static inline vec3 place_of(const complex* c, int v) { return c->knots[v].place; }
static inline int valence_of(const complex* c, int v) { return c->knots[v].around.count; }

// Face `face` of 0 to 3 is opposite of that corner, outward.
void face_corners(const int tet[4], int face, int out[3]);

// Tets that have both ends, at most `capacity`; returns how many there are.
int ring_of(const complex* c, int a, int b, int* out, int capacity);
// Whether an outer face has both ends, which one tet of `ring` at least has.
bool is_outer_edge(const complex* c, int a, int b);
bool are_joined(const complex* c, int a, int b);
double distance2_between(const complex* c, int a, int b);
