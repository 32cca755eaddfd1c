// Passes over the whole mesh, and their order.
#pragma once
#include "repair/moves.h"

// Until all tets are good or nothing helps any more. r->c.failed: memory ran out.
void repair_all(repair* r);

// Moves the surface along its normals by up to the tolerance, so that the volume is what it was
// (relative to the box of the mesh).
void restore_volume(repair* r, double volume);

// Whether every tet and every valence is what is wanted.
bool is_repaired(const repair* r);
double worst_quality(const complex* c);
int highest_valence(const complex* c);
double complex_volume(const complex* c);
