// What pins do.
#pragma once
#include "pliant.h"

// Force of the pins on each particle, mean over the last step [N], 3 numbers each; zero for those
// that are not pinned. `before`: the velocities of all particles before that step of `dt` seconds.
//
// All pins of a body together have done to its momentum what weight, forces and contacts have not:
// that is exact, whatever the substeps. How it is shared among them comes from the elements at each
// pin. Without `before` (NULL) the elements alone tell, which is right for fine substeps.
// `capacity` is in particles; returns how many were written, 0 on failure.
int body_read_pin_forces(const pliant_world* world, pliant_body_id id, const pliant_vec3* before,
                         double dt, double* out, int capacity);
