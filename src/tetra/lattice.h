// The body-centered cubic lattice around a solid: the corners and the centers of cubic cells.
//
// Vertices have whole coordinates in half cells: all even for corners, all odd for centers. Each
// has 14 neighbors: six of its own kind, a whole cell away along an axis (long edges), and eight of
// the other kind at the ends of the cell's half diagonals (short edges). Two neighboring centers
// and an edge of the square between them are a tet; all tets of the lattice are congruent, and
// there are 12 to a cell.
//
// Only the vertices inside the solid, those near it and all neighbors of those inside are there.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/solid.h"

enum { NEIGHBORS = 14, FORWARD = 7 }; // neighbor k + FORWARD is opposite of neighbor k

// From a vertex to its neighbors, in half cells. The first three and their opposites are long.
extern const int lattice_step[NEIGHBORS][3];
static inline bool is_long_edge(int neighbor) { return neighbor % FORWARD < 3; }

// For a thin part: nearest to its middle; held inside, or at the surface, and not to be warped.
enum { THIN_MIDDLE = 1, THIN_HELD = 2 };

typedef struct lattice {
    const solid* solid;
    workers* threads;
    vec3 origin; // of the coordinates (0, 0, 0), in units of the solid
    double half; // half of a cell's side, in units of the solid
    int levels;  // the lattice has 2^levels cells along each axis
    int most_cells;
    bool clears_plates; // what is in plates too thin for it is left to others (thin.h)
    bool overlaps;      // parts of the surface are inside of others
    int count;
    uint64_t* key;              // of each vertex's coordinates; ascending
    float* value;               // signed distance to the surface, up to a cell
    vec3* place;                // in units of the solid; warped ones leave their coordinates
    signed char* sign;          // of the value: -1 inside, 0 on the surface
    unsigned char* thin;        // what a vertex is for a thin part: 0, or one of those above
    int (*neighbor)[NEIGHBORS]; // -1: not there
    float (*cut)[FORWARD];      // where the surface cuts the edges, from 0 here to 1 there
} lattice;

// `cell` is the side of a cell, in units of the solid. Fails with PLIANT_ERROR_UNSUPPORTED when
// there are more cells than `most_cells`.
enum { LATTICE_LIMIT = 1 << 24 };
typedef struct {
    double cell;
    int most_cells;
    bool clear_plates;
} lattice_options;
pliant_result lattice_create(const solid* s, workers* threads, const lattice_options* o,
                             lattice* out);
void lattice_destroy(lattice* l);

// Coordinates in half cells, and back.
void lattice_coordinates(uint64_t key, int out[3]);
vec3 lattice_place(const lattice* l, const int at[3]);

// Keys, ascending.
typedef struct {
    uint64_t* key;
    int count, capacity;
} key_list;

// Those of the cells that are inside or near the surface (cells.c).
pliant_result lattice_find_cells(const lattice* l, key_list* out);

// Finds where the surface cuts edges.
void lattice_cut(lattice* l);

// The same around one vertex that is to count as inside. Where an edge leaves the solid several
// times it is cut where it first does; a vertex outside is cut where it is.
void lattice_cut_around(lattice* l, int v);

// Moves all cuts outward, as far as their edges go, by this distance from the surface.
void lattice_inflate(lattice* l, double distance);

// Moves vertices that are too near to a cut onto it: the warp of isosurface stuffing. Where a
// vertex is held, its cuts move away from it instead.
void lattice_warp(lattice* l);

// All vertices back in their places, as before the warp.
void lattice_unwarp(lattice* l);

// Runs task(index) in parallel for pieces of a fixed size, so that what a piece does depends on
// nothing but its number.
enum { PIECE = 256 };
static inline int piece_count(int count) { return (count + PIECE - 1) / PIECE; }
static inline int piece_end(int piece, int count)
{
    return count - piece * PIECE < PIECE ? count : (piece + 1) * PIECE;
}
