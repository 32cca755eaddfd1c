// Limits of the patches of a level.
#pragma once
#include "partition/allot.h"

typedef struct patch_limit {
    int least, most; // nodes
    int most_particles;
} patch_limit;

// The most particles of a patch of this level. At a coarse one interfaces are rough, and patches
// may have more than in the end, but not much more than the others.
int limits_particles(const patch_set* set, const rows* r, patch_bounds bounds);

// Patches keep to their share of the component's nodes within 4 %; those that are still to be cut
// within 2 %, since what is wrong with them is wrong with all of their parts. Patches that have too
// many particles now shrink until they have not. NULL when memory runs out.
patch_limit* limits_create(const patch_set* set, const components* c, const rows* r,
                           int most_particles);
