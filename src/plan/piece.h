// Nodes that get their colors by themselves, with a row for each of their particles: those of a
// patch or of a whole body, all of them or those of one recipe.
#pragma once
#include "graph/graph.h"
#include "graph/phantom.h"
#include "plan/plan.h"

typedef struct {
    const plan_source* s;
    const int* node;
    placement p;
    int* row_of;    // of each particle of the mesh
    int* sorted;    // room for nodes, by recipe
    watcher* watch; // of its graphs; NULL: nobody
} piece;

// For pieces of up to most_nodes nodes, together with room for a copy at each corner. Destroy it
// in every case.
bool piece_create(const plan_source* source, int most_nodes, piece* out);
void piece_destroy(piece* t);

// The piece becomes these nodes, with a row for each particle. Returns how many nodes the most
// crowded one has.
int piece_take(piece* t, const int* node, int count);
// To be called before the next ones are taken.
void piece_forget(piece* t);

bool piece_graph(const piece* t, graph* out);
// Which copy of its particle each corner has: the source's corners.
void piece_read_copies(const piece* t, int* out_corner_copy);

// The same nodes recipe by recipe, ascending in each; valid until the next call.
const int* piece_sort(piece* t, const int* node, int count);
// The first node behind those that have the recipe of node[first].
int piece_run_end(const piece* t, const int* node, int first, int count);
