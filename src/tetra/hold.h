// Vertices that are held inside although the warp would take them to the surface, or although they
// are a little outside. Their cuts keep the distance that the angles need, so a part of the surface
// comes to lie up to half an edge outside: nothing is held without need.
#pragma once
#ifndef PRECISION_DOUBLE
#error "lattices are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "tetra/lattice.h"

// After cuts and warp: holds what thin parts need so that they neither come off nor go missing, and
// warps again. False when memory runs out.
bool hold_thin(lattice* l);

// Warps from the start. Where outsides would then touch in a vertex alone, and tets would have to
// be removed, that vertex is held.
void hold_and_warp(lattice* l);
