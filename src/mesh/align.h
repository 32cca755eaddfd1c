// How far one shape is from another, wherever both are and however they are turned.
#pragma once

// Root mean square of the distances [m] between the points of `a` and `b`, 3 * count coordinates
// each, after the rotation and translation that make it smallest. A mirror image is not a rotation.
double align_rms(const double* a, const double* b, int count);
