// Maximal cliques of the constraint graph: nodes that all need different colors.
//
// Bron and Kerbosch (1973) with pivots, started at each node with its neighbors behind it in the
// order of degeneracy (Eppstein, Loeffler and Strash 2010). Neighbors are looked up in a matrix of
// bits over the surroundings of the node at hand. The nodes of one particle are a clique, so a
// particle with many elements makes large ones; they are found at once, not node by node.
//
// Bounds: a node with more than 4096 neighbors has no matrix (which takes 2 MB then, and 20 MB with
// its scratch), and the search ends after it has looked at 2^24 words of bits and 2^14 more for
// each node of the graph, where each member of a clique that was found counts as 8: a second for a
// hundred thousand nodes, and at most 2^21 members and 2^11 for each node. (Meshes of tets need 600
// to 4000 words a node.) What was not searched then is stood in for by the nodes of each particle
// alone: cliques all the same, but others are missing, and one may be found twice or be no maximal
// one.
#pragma once
#include "graph/graph.h"

// The nodes of a clique, in no order; valid during the call.
typedef void clique_fn(const int* node, int count, void* context);

// Calls for each maximal clique of at least `least` nodes. Parts of the graph that have none
// are not searched. False when memory runs out.
bool graph_find_cliques(const graph* g, int least, clique_fn* found, void* context);

// Nodes of the largest clique: omega(G); -1 when memory runs out. At least graph_clique(g), which
// is that of one particle.
int graph_clique_number(const graph* g);
