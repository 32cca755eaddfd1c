// How the angles, lengths and valences of a mesh are spread: bars in the terminal, counts in JSON.
#pragma once
#include "facts.h"

// Of the tets, or else triangles or edges; angles only of tets. `mean_edge` [m] is that of the
// mesh.
pliant_result report_histograms(facts* r, const pliant_mesh* mesh, double mean_edge);
