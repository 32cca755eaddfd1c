// Shapes at rest that a program changes: warmth and muscles. Fa, what a tet wants to be of its
// shape in the mesh, is s (l f f^T + (I - f f^T) / sqrt(l)), for lengths that grow by s = 1 +
// expansion warmth and fibers f that are l = 1 - contraction signal as long; what flow.h keeps of
// it is its inverse.
#include "asset/material.h"
#include "world/flow.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

static const double least = 0.1, most = 10; // of each length

static void find_shape(const pliant_material_def* m, double size, double along,
                       double out[FLOW_STATE])
{
    const double *f = m->fiber, square = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) {
            double part = square > 0 ? f[c] * f[r] / square : 0;
            out[3 * c + r] = (part / along + ((c == r) - part) * sqrt(along)) / size;
        }
    out[TET_SHAPE] = size == 1 && along == 1 ? 0 : FLOW_SWOLLEN;
}

static bool is_in(const pliant_asset* a, int tet, int region)
{
    return region < 0 || (a->mesh->tet_region ? a->mesh->tet_region[tet] : 0) == region;
}

static pliant_result swell(body* b, int region, double warmth, double signal, int slot)
{
    const pliant_asset* a = b->asset;
    int count = 0;
    for (int pass = 0; pass < 2; ++pass) // nothing is changed before all is known to be good
        for (int i = 0; i < a->mesh->tet_count; ++i) {
            const pliant_material_def* m = asset_material(a, i);
            double flow[FLOW_STATE], size = 1 + m->expansion * warmth;
            double along = 1 - m->contraction * signal;
            if (!is_in(a, i, region) || !material_swells(m) || !body_can_flow(b, i)) continue;
            if (!(size >= least && size <= most && along >= least && along <= most))
                return fail(PLIANT_ERROR_ARGUMENT,
                            "body %d: with a warmth of %g K lengths are %g of those of the mesh, "
                            "and fibers %g with a signal of %g: each must be %g to %g",
                            slot, warmth, size, along, signal, least, most);
            find_shape(m, size, along, flow);
            if (pass) body_write_flow(b, i, flow);
            ++count;
        }
    if (count) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "body %d: no tet of region %d swells: give its material an expansion or a "
                "contraction, or use another region (-1: all)",
                slot, region);
}

pliant_result pliant_body_swell(pliant_world* world, pliant_body_id id, int region, double warmth,
                                double signal)
{
    body* b = world_body(world, id);
    if (!b || !REQUIRE(isfinite(warmth) && isfinite(signal))) return PLIANT_ERROR_ARGUMENT;
    if (!(signal >= -1 && signal <= 1))
        return fail(PLIANT_ERROR_ARGUMENT, "a muscle's signal is %g, it must be -1 to 1", signal);
    if (b->s.flow && !body_edit(world, b, STATE_SHAPES)) return PLIANT_ERROR_DEVICE;
    return swell(b, region, warmth, signal, (int)id.index1 - 1);
}
