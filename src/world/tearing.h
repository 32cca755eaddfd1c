// Bodies that tear and are cut. A body whose vertices part goes on with an asset of its own, which
// nobody else sees: the same elements, with more particles. It keeps what it was made of, whose
// numbers of elements and first particles stay those of the body.
//
// Before a step, bodies that tear look at each vertex: how hard its elements pull at it to two
// sides, and what holds them together there (parting.h). Where that is more than the strength, and
// nowhere around it more so, the vertex parts. (docs/rooms/world.md#tearing)
#pragma once
#include "joint/bonds.h"
#include "mesh/stars.h"
#include "world/world.h"

typedef struct body_tear {
    const pliant_asset* whole; // what it was made of
    mesh_stars stars;          // its elements now
    uint64_t version;          // grows when it has others
    tear_bond* bond;           // what still holds open tears together, in the order that they came
    int bond_count, bond_capacity;
    double spent;  // [J] by bonds that have gone
    double* force; // [N] 3 for each corner: of its element on its particle
    double* place; // [m] 3 for each particle
    double* load;  // [-] of each particle (parting.h)
    int force_capacity, place_capacity, load_capacity;
    double least; // [N] no vertex is held together by less
    int* ring;    // scratch: triangles of a star, as they lie side by side, and edges between them
    double* sum;  // forces and places of the first triangles of that, in sum
    int ring_capacity, sum_capacity;
    struct pick* pick;   // scratch: vertices that part,
    unsigned char* side; // and the sides of their stars
    int pick_capacity, side_capacity;
} body_tear;

// What the body was made of.
static inline const pliant_asset* body_whole(const body* b)
{
    return b->tear ? b->tear->whole : b->asset;
}

// From now on the body knows its stars. False when memory runs out.
bool body_open_tear(body* b);
void body_close_tear(body* b);

// Before a step: what is loaded beyond its strength comes apart.
pliant_result world_tear(pliant_world* world);

// The body goes on with its elements as its stars have them now: those of its particles from
// `before` on are new, and are where those are that they parted from. There is room to note them.
// When that fails, all is as it was.
pliant_result body_go_on_torn(pliant_world* world, body* b, int before);

// A new bond that takes that energy [J] while it opens, from a force [N] on; none where there is no
// energy. There is room for it.
void body_add_bond(body* b, int particle, int twin, double force, double energy);
// Before a step, after contacts were prepared; and after it.
bool world_prepare_bonds(pliant_world* world, bool* out_any);
void world_finish_bonds(pliant_world* world);
// Of a body that has come apart: elements and bonds.
uint64_t tear_hash(const body* b, uint64_t hash);

// A new particle, that comes to what is told of the step.
typedef struct {
    int particle;               // it is new
    double force, size, energy; // [N, m or m^2, J]; 0: it came apart since nothing else held it
} parted;
// Notes all new particles of a body; `list` says more of some of them, ascending.
void world_note_parted(pliant_world* world, const body* b, int before, const parted* list,
                       int count);

// The bytes of a snapshot that tell which particles all torn bodies have, and the way back: bodies
// get what the bytes say. False with the error text for bytes that fit no body.
size_t tear_bytes(const pliant_world* world);
void tear_save(const pliant_world* world, char* out);
pliant_result tear_restore(pliant_world* world, const char* in, size_t bytes);
