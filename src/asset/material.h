// Material parameters, turned into the constants of the energy
// Psi = lambda/2 (J - gamma)^2 + mu/2 (|F|^2 - 3), whose small-strain limit has Lame parameters mu
// and lambda - mu.
#pragma once
#include "constraint/element.h"
#include "pliant.h"

// Whether its shape at rest can be changed from outside (pliant_body_swell).
static inline bool material_swells(const pliant_material_def* m)
{
    return m->expansion > 0 || m->contraction > 0;
}

// mu, gamma, volume_compliance (1 / lambda; 0 when incompressible) and damping of `out`.
void material_constants(const pliant_material_def* m, pliant_lame_convention lame, element* out);
