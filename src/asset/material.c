#include "asset/material.h"
#include <math.h>

static pliant_result refuse(int number, const char* what, double value, const char* range)
{
    return fail(PLIANT_ERROR_ARGUMENT, "material %d: %s is %g, it must be %s", number, what, value,
                range);
}

pliant_result material_check(const pliant_material* m, int number)
{
    bool plain = m->lame_convention == PLIANT_LAME_PLAIN;
    if (!plain && m->lame_convention != PLIANT_LAME_ENGINEERING)
        return refuse(number, "parameters", (double)m->lame_convention, "one of its values");
    if (!(m->density > 0) || !isfinite(m->density))
        return refuse(number, "density", m->density, "positive [kg/m^3]");
    if (!(m->young > 0) || !isfinite(m->young))
        return refuse(number, "Young's modulus", m->young, "positive [Pa]");
    if (!plain && !(m->poisson >= 0 && m->poisson <= 0.5))
        return refuse(number, "Poisson's ratio", m->poisson, "0 to 0.5");
    if (plain && !(m->poisson >= 0.125 && m->poisson <= 0.4999))
        return refuse(number, "Poisson's ratio", m->poisson,
                      "0.125 to 0.4999 with plain parameters (below, rest is not stable)");
    if (!(m->damping >= 0) || !isfinite(m->damping))
        return refuse(number, "damping", m->damping, "0 or more [s]");
    return PLIANT_OK;
}

void material_constants(const pliant_material* m, element* out)
{
    double nu = m->poisson, mu = m->young / (2 * (1 + nu));
    out->mu = mu;
    out->damping = m->damping;
    if (m->lame_convention == PLIANT_LAME_PLAIN) {
        double lambda = m->young * nu / ((1 + nu) * (1 - 2 * nu));
        out->volume_compliance = 1 / lambda;
        out->gamma = 1 + mu / lambda;
    } else {
        out->volume_compliance = (1 - 2 * nu) / mu;
        out->gamma = 2 - 2 * nu;
    }
}
