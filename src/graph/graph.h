// The constraint graph: which constraints may be solved at the same time.
//
// Nodes are constraints, or groups of constraints that are solved one after the other. Two nodes
// are neighbors when they share a particle (2022 paper, equation 11); neighbors must have different
// colors, and the nodes of one color are solved in parallel. Neighbors are never listed (a million
// tets have 70 million pairs of them): the algorithms walk from a node to its particles and from
// there to their nodes.
//
//     few colors:          graph_color_best(&g, color)
//     fewer, with groups:  graph_cluster_best(&g, 5, cluster), or the cells that tets were cut from
//                          graph_contract(&g, cluster, cluster_count, &groups)
//                          graph_color_best(&groups, color)
//
// All results depend on the arguments alone. Functions that need memory return false or -1 when it
// runs out, with the error text set; `out` arrays then hold nothing of use.
#pragma once
#include "base/memory.h"
#include "base/watcher.h"

typedef struct graph {
    int node_count, particle_count;
    int* offset;      // node_count + 1
    int* particle;    // offset[node_count]: the particles of each node, ascending, no repeats
    int* node_offset; // particle_count + 1
    int* node;        // the nodes of each particle, ascending
    watcher* watch;   // who may end what takes long, as if memory had run out; NULL: nobody
} graph;

// Copies. The particles of node i are particle[offset[i]] to particle[offset[i + 1] - 1], in any
// order, repeats allowed. On failure `out` is empty.
bool graph_create(int node_count, int particle_count, const int* offset, const int* particle,
                  graph* out);
void graph_destroy(graph* g); // leaves it empty; an empty one is fine

// What follows has the same watch.
//
// The same graph with other numbers: node i of `out` is node order[i] of `g`.
bool graph_reorder(const graph* g, const int* order, graph* out);

// The supernodal graph (equations 13 and 14): its nodes are the clusters, with the particles of all
// their members. cluster[node] is below cluster_count; a cluster without members has no particles.
bool graph_contract(const graph* g, const int* cluster, int cluster_count, graph* out);

// Most nodes at one particle: no coloring has fewer colors.
int graph_clique(const graph* g);

// Smallest degree last (Matula and Beck 1983): the last node has the fewest neighbors, the one
// before it has the fewest without the last, and so on. node_count entries.
bool graph_order_smallest_last(const graph* g, int* out_order);

// Greedy first fit: each node, in the order given (NULL: 0, 1, 2, ...), takes the lowest color that
// its neighbors leave. Any number of colors. out_color has node_count entries; returns the number
// of colors.
int graph_color(const graph* g, const int* order, int* out_color);

// Iterated greedy (Culberson 1992): first fit again, color by color, with the colors in another
// order. Never more colors than before. Stops after `passes`, or at the clique. `color` is a
// coloring with color_count colors on entry; returns the number of colors left.
int graph_recolor(const graph* g, int passes, int color_count, int* color);

// Moves nodes from large colors to small ones where their neighbors allow it, also to such that had
// none before. Sizes come closer to each other: a color with three nodes costs as much waiting as a
// full one. One pass does most of it; it ends when nothing moves.
bool graph_balance(const graph* g, int passes, int color_count, int* color);

// Moves nodes between colors so that their sizes become multiples of `unit`, the width of what
// solves them together, as far as neighbors allow it. Same number of colors or, where one becomes
// empty, sizes of zero.
bool graph_fill(const graph* g, int unit, int color_count, int* color);

// The fewest colors of node order and smallest degree last, recolored and balanced. Cells of a box
// in node order get 8 colors.
int graph_color_best(const graph* g, int* out_color);

// Greedy K-neighbor clustering (2022 paper, Algorithm 4): clusters of at most most_nodes neighbors
// that share many particles. Ties go to the node that is first in `order` (NULL: 0, 1, 2, ...).
// out_cluster[node] is the node's cluster; clusters are numbered by their lowest node. Returns the
// number of clusters.
int graph_cluster(const graph* g, int most_nodes, const int* order, int* out_cluster);
// The same with the nodes in the order of smallest degree last, as in the paper.
int graph_cluster_neighbors(const graph* g, int most_nodes, int* out_cluster);

// The same, but a node joins for what it shares with the whole cluster, and shared particles with
// many nodes count more. 10 to 40 % fewer colors than Algorithm 4 on meshes of tets with
// clusters of 5, and fewer small clusters.
int graph_cluster_compact(const graph* g, int most_nodes, const int* order, int* out_cluster);

// Compact clusters in node order or in the order of smallest degree last, whichever leaves fewer
// clusters at the most crowded particle.
int graph_cluster_best(const graph* g, int most_nodes, int* out_cluster);
