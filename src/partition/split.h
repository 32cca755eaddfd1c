// Cuts patches that are to become several, as far as a level's nodes are fine enough.
//
// The graph of a coarse level is small and shows where a body falls into large parts; where these
// fall into smaller ones is decided at finer levels. So every level is cut about once, and the time
// does not grow with the number of patches.
#pragma once
#include "partition/repair.h"

// Cuts patches that have least_nodes nodes of the level, again and again; 1: all that are to become
// several. *out_whole: none is left. False when memory runs out.
bool split(const level* l, int least_nodes, patch_set* set, int* patch, bool* out_whole);
