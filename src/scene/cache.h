// Meshes that surfaces were filled with, kept from run to run: files named by a hash of the
// surface's triangles and of everything that decides about the tets. A file that is damaged, cut
// off or of another version counts as missing, and is written anew.
//
// They are in the folder $PLIANT_CACHE, or else $XDG_CACHE_HOME/pliant, or ~/.cache/pliant; with
// PLIANT_CACHE=off there are none. The folder may be deleted at any time.
#pragma once
#include "pliant.h"

// What pliant_mesh_tetrahedralize gives, from the cache where it is there. That nothing can be kept
// is no failure.
pliant_result cache_tetrahedralize(const pliant_mesh* surface, const pliant_tet_def* def,
                                   pliant_mesh** out);

// Keeps the tets that were made of a surface.
void cache_keep(const pliant_mesh* surface, const pliant_tet_def* def, const pliant_mesh* mesh);
