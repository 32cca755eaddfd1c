// Values that bodies are painted by: measures at particles, numbers of tets.
#pragma once
#include "export/frame.h"
#include "render/style.h"

// Of every particle of the frame, as the world is now. Strain and stress of a particle are the
// means of its elements, of tets by their
// volume; only tets have stress, and plastic strain.
pliant_result field_measure(const stage* s, const frame* f, paint_by by, float* out);

// Of every tet of the frame: its color, cluster or patch, from 0, and how many there are at most.
// Refused: clusters of a body whose schedule has none.
pliant_result field_numbers(const stage* s, paint_by by, int* out, int* out_count);
