// The rods of an asset: segments with orientations, where the edges of its mesh are a rod's.
#pragma once
#include "solver/rods.h"

// From the mesh and the definition. False when memory runs out.
bool asset_find_rods(struct pliant_asset* asset);
void rod_set_destroy(rod_set* r);

// Adds the stiffness that each particle feels [N/m].
void rods_add_stiffness(const rod_set* r, double* sum);

// Refuses rods whose numbers leave the range of the asset's precision.
pliant_result rods_check_range(const rod_set* r, int scalar_bytes);
