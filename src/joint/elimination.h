// A symmetric system of equations of few unknowns each: nodes of blocks, solved directly. Nodes are
// eliminated one after the other, those with the fewest neighbors first, which leaves chains and
// trees as sparse as they are: a chain of any length takes one pass. The order follows from who is
// a neighbor of whom, so that results do not depend on threads.
//
// Blocks are given, then L D L^T is made of them without looking for large pivots: nodes say when
// they may be eliminated (see elimination_plan).
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { ELIMINATION_ROWS = 12 }; // of a node, at most

typedef struct {
    int nodes, front_count;
    int* size;    // of each node
    int* order;   // nodes as they are eliminated
    int* start;   // [nodes + 1] of each place in the order, into front
    int* front;   // neighbors that are eliminated later, ascending
    int64_t* at;  // of each entry of front, its block: rows of the neighbor, columns of the node
    int64_t* own; // of each node, its own block
    int* first;   // of each node, its place in a vector
    double* block;
    int64_t block_doubles;
    int unknowns;
    int size_room, order_room, start_room, front_room, at_room, own_room, first_room, block_room;
} elimination;

// Who is next to whom: pairs of nodes, each once, one of them times 2^32 plus the other. `waits`:
// of each node, whether it may only be eliminated after one of its neighbors that do not wait.
// False when memory runs out.
bool elimination_plan(elimination* e, int nodes, const int* size, const bool* waits,
                      const uint64_t* pair, int pairs);
void elimination_destroy(elimination* e);

// All blocks are zero.
void elimination_clear(elimination* e);
double* elimination_own(elimination* e, int node);
// The block of two neighbors; `out_row`, its rows are those of `one`, else those of `other`.
double* elimination_block(elimination* e, int one, int other, bool* out_rows_of_one);

void elimination_factor(elimination* e);
// [unknowns] In place.
void elimination_solve(const elimination* e, double* x);
