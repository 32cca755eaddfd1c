// Patches: connected pieces of a constraint graph of nearly equal size, with small interfaces.
//
// A patch works on rows, its own copies of the particles that its nodes touch; a particle in three
// patches has three rows, and rows beyond one per particle are what has to be merged. So the
// partition minimizes rows, exactly those and not the edges of a dual graph: nodes are contracted
// to clusters, level by level (coarsen.h), the coarsest graph is cut by recursive bisection
// (bisect.h), and on the way back nodes at the interfaces move where that saves rows (refine.h).
// At the end every patch is made connected (repair.h).
//
//     int count = graph_partition(&g, NULL, patch);
//
// The time is nearly linear in the incidences: a million tets take 2.5 to 8 s on a 2.8 GHz core,
// the longer the smaller the patches.
#pragma once
#include "graph/graph.h"

// Limits of a patch. Zero is a default that depends on the graph alone, never on the machine:
//   most_particles  1536, which are 48 KB of rows of 32 bytes: the shared memory that every GPU has
//   most_nodes      a 128th of the nodes, but at least 256, so that interfaces of small meshes stay
//                   small, and at most 65535
// The limits hold for every patch but those of a single node.
typedef struct partition_settings {
    int most_nodes;
    int most_particles;
} partition_settings;

// out_patch has node_count entries. Returns the number of patches, -1 when memory runs out.
// settings may be NULL: defaults. Patches are numbered along the cuts: those with near numbers are
// near each other, and none is empty.
//
// Every patch is connected, and the sizes of those of one component differ from their mean by 4 %
// or little more, with two exceptions. Components that fit a patch share one as long as there is
// room, next to each other in the order of their lowest nodes. And where the graph leaves no other
// way (a star, a piece that nothing has room for, a patch that had to be cut once more) a patch may
// be small: mostly none, up to 2 % of the patches on meshes of tets, half the mean size.
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

// Colors patches: two that share a particle have different colors. out_color has `count` entries;
// returns the number of colors, -1 when memory runs out.
int graph_color_patches(const graph* g, const int* patch, int count, int* out_color);
