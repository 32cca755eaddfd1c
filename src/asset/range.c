// Single precision has numbers from 1e-38 to 3e38. Masses go with the cube of a length and the
// mobilities of the rows with its fifth power: elements far from a meter leave that range, and
// would stand still or fly apart without a word.
#include "asset/asset.h"
#include <float.h>
#include <math.h>

static bool fits_float(double value)
{
    return value >= (double)FLT_MIN && value <= (double)FLT_MAX;
}

static pliant_result refuse(const char* kind, int number, const char* what, double value)
{
    return fail(PLIANT_ERROR_ARGUMENT,
                "%s %d is too small or too large for single precision (%s is %g): change the units "
                "of length, mass or time, or use double precision",
                kind, number, what, value);
}

static pliant_result check_masses(const pliant_asset* a)
{
    for (int v = 0; v < a->mesh->vertex_count; ++v)
        if (!fits_float(a->mass[v]) || !fits_float(1 / a->mass[v]))
            return refuse("vertex", v, "its mass", a->mass[v]);
    return PLIANT_OK;
}

// Largest |b_i|^2 [1/m^2], and the largest |b_i|^2 / m_i [1/(kg m^2)], of the corners.
static void measure_shape(const pliant_asset* a, int tet, const element* e, double out[2])
{
    double b[MAX_FIELDS];
    type_infos[TYPE_deviatoric].rest(e, b); // b1 to b3 come first
    out[0] = out[1] = 0;
    for (int i = 0; i < 4; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            double part = i > 0 ? b[3 * (i - 1) + k] : b[k] + b[3 + k] + b[6 + k];
            square += part * part;
        }
        out[0] = fmax(out[0], square);
        out[1] = fmax(out[1], square / a->mass[a->mesh->tets[4 * (size_t)tet + (size_t)i]]);
    }
}

static pliant_result check_tet(const pliant_asset* a, int tet)
{
    enum { STRETCH = 1024 }; // gradients grow with the fourth power of a stretch: room for 5
    const double least_yield = 1e-5; // [-] of the shear modulus: rounding is a hundredth
    element e;
    double shape[2];
    asset_describe(a, tet, &e);
    measure_shape(a, tet, &e, shape);
    if (!fits_float(shape[0])) return refuse("tet", tet, "1 / height^2", shape[0]);
    double stiffness = e.mu * e.volume, relaxed = e.relaxation * stiffness;
    if (!fits_float(stiffness) || !fits_float(relaxed))
        return refuse("tet", tet, "shear modulus * volume", relaxed);
    if (e.damping > 0 && !fits_float(e.damping * e.mu * e.volume))
        return refuse("tet", tet, "damping * shear modulus * volume", e.damping * e.mu * e.volume);
    if (e.yield > 0 && e.yield < least_yield * e.mu)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "tet %d: its yield_stress of %g Pa is a strain that single precision does not "
                    "see (shear modulus %g Pa): use double precision, or a higher one",
                    tet, e.yield, e.mu);
    // The ten rows multiply inverse masses by stiffness first.
    if (a->def.solver.formulation != PLIANT_FORMULATION_TEN_ROWS &&
        !(shape[1] * STRETCH <= (double)FLT_MAX))
        return refuse("tet", tet, "1 / (mass height^2)", shape[1]);
    return PLIANT_OK;
}

// Any other constant of the plan: nodes are parts, or halves of tets.
static pliant_result check_constants(const pliant_asset* a)
{
    int node = a->plan.unfit_node, tet_nodes = a->nodes_per_tet * a->mesh->tet_count;
    if (node < 0) return PLIANT_OK;
    body_part p = asset_part(a, node < tet_nodes ? node / a->nodes_per_tet
                                                 : node - tet_nodes + a->mesh->tet_count);
    return fail(PLIANT_ERROR_ARGUMENT,
                "%s %d has constants beyond the range of %s precision: change the units of length, "
                "mass or time%s",
                part_names[p.kind], p.number, a->plan.scalar_bytes == 4 ? "single" : "double",
                a->plan.scalar_bytes == 4 ? ", or use double precision" : "");
}

pliant_result asset_check_range(const pliant_asset* a)
{
    pliant_result result = PLIANT_OK;
    if (a->def.solver.precision == PLIANT_PRECISION_SINGLE) {
        result = check_masses(a);
        for (int t = 0; t < a->mesh->tet_count && !a->def.rigid && !result; ++t)
            result = check_tet(a, t);
    }
    return result ? result : check_constants(a);
}
