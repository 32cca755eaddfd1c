#include "asset/material.h"

void material_constants(const pliant_material_def* m, pliant_lame_convention lame, element* out)
{
    double nu = m->poisson, mu = m->young / (2 * (1 + nu));
    out->mu = mu;
    out->damping = m->damping;
    out->yield = m->yield_stress;
    out->hardening = m->hardening;
    out->flow_time = m->plastic_time;
    out->flow_most = m->plastic_limit;
    out->swells = material_swells(m);
    if (lame == PLIANT_LAME_PLAIN) {
        double lambda = m->young * nu / ((1 + nu) * (1 - 2 * nu));
        out->volume_compliance = 1 / lambda;
        out->gamma = 1 + mu / lambda;
    } else {
        out->volume_compliance = (1 - 2 * nu) / mu;
        out->gamma = 2 - 2 * nu;
    }
}
