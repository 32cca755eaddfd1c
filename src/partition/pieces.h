// Pieces: the connected parts of patches.
#pragma once
#include "graph/graph.h"

// out_piece has node_count entries: the lowest node that is connected to the node inside its patch.
// patch[node] is below patch_count. False when memory runs out.
bool find_pieces(const graph* g, const int* patch, int patch_count, int* out_piece);
