// Patches: connected pieces of a constraint graph of nearly equal size, with small interfaces.
//
// A patch works on rows, its own copies of the particles that its nodes touch; a particle in three
// patches has three rows, and rows beyond one per particle are what has to be merged. So the
// partition minimizes rows, exactly those and not the edges of a dual graph:
//   1. Nodes are contracted to clusters, level by level (coarsen.h, level.h).
//   2. It is decided how many patches each component needs (allot.h).
//   3. From the coarsest level to the finest, patches that are to become several are cut in two as
//      soon as the clusters are small enough (split.h, bisect.h), nodes at the interfaces move
//      where that saves rows or where a patch is too large (refine.h, limits.h), and what got
//      torn is joined to its neighbors (repair.h).
//   4. If the number of patches turns out to be wrong, back to the coarsest level with another one.
//
//     int count = graph_partition(&g, NULL, patch);
//
// The time is nearly linear in the incidences: a million tets take 1.8 s on one core with the
// default size, 5 s with patches of 256 nodes.
#pragma once
#include "graph/graph.h"

// Limits of a patch. Zero is a default, the same for all graphs and machines:
//   most_particles  1536, which are 48 KB of rows of 32 bytes: the shared memory that every GPU has
//   most_nodes      65535
// There are about as few patches as the limits allow, evenly filled: a body that fits one patch is
// one patch, and large ones are 85 to 95 % full on average. The limits hold for every patch but
// those of a single node.
typedef struct partition_settings {
    int most_nodes;
    int most_particles;
} partition_settings;

// out_patch has node_count entries. Returns the number of patches, -1 when memory runs out or who
// watches the graph ends it.
// settings may be NULL: defaults. Patches are numbered along the cuts: those with near numbers are
// near each other, and none is empty.
//
// Every patch is connected, and the nodes of those of one component, which are their work, differ
// from their mean by 4 % or little more, with three exceptions. Components that fit a patch share
// one as long as there is room, next to each other in the order of their lowest nodes. A patch with
// many particles for its nodes may have fewer nodes. And where the graph leaves no other way (a
// star, a piece that nothing has room for, a patch that had to be cut once more) a patch may be
// small: mostly none, up to 3 % of the patches on meshes of tets, half the mean size.
//
// Made for patches of a hundred nodes and more; for a few nodes graph_cluster is faster.
int graph_partition(const graph* g, const partition_settings* settings, int* out_patch);

typedef struct partition_quality {
    int patches;
    int smallest, largest; // nodes of a patch
    int most_particles;    // of a patch
    int shared_particles;  // in more than one patch
    double copies;         // rows per particle that any node touches; 1: no interface
    int unconnected;       // patches of several pieces
} partition_quality;

// patch[node] is below `count`. False when memory runs out.
bool graph_partition_measure(const graph* g, const int* patch, int count, partition_quality* out);

// Colors patches: two that share a particle have different colors, and colors have nearly the same
// number of patches. patch[node] is below `count`; out_color has `count` entries. Returns the
// number of colors (4 to 7 for patches of tets), -1 when memory runs out.
int graph_color_patches(const graph* g, const int* patch, int count, int* out_color);
