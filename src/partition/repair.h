// Makes patches whole again that refinement has torn.
#pragma once
#include "partition/level.h"

typedef struct patch_set {
    int count, capacity;
    struct patch_info {
        int home;      // patches with the same home belong next to each other
        int parts;     // how many it will be cut into
        int component; // that it is a part of; below 0: whole components that nothing connects
    } * patch;
} patch_set;

// What no patch may exceed, but a patch of one node.
typedef struct patch_bounds {
    int most_nodes, most_particles;
} patch_bounds;

bool patch_set_append(patch_set* set, struct patch_info info);

// Every piece of a patch but its largest joins a neighbor that has room for it, or becomes a patch
// of its own. *out_strays: how many there were. False when memory runs out.
bool repair(const level* l, patch_bounds bounds, patch_set* set, int* patch, int* out_strays);
