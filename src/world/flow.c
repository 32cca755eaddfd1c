#include "world/flow.h"
#include "world/residency.h"
#include <string.h>

bool body_tet_can_flow(const body* b, int tet)
{
    return plan_flows(&b->asset->plan, tet * b->asset->nodes_per_tet);
}

void body_read_flow(const body* b, int tet, double out[FLOW_STATE])
{
    flow_read(&b->s, tet * b->asset->nodes_per_tet, out);
}

void body_write_flow(body* b, int tet, const double flow[FLOW_STATE])
{
    int nodes = b->asset->nodes_per_tet;
    for (int k = 0; k < nodes; ++k) flow_write(&b->s, tet * nodes + k, flow);
}

// Edges at rest become Fp times themselves. Of P = Fp^-1, whose determinant is 1, the rows of the
// inverse are the cross products of the columns.
void body_flow_element(const body* b, int tet, element* e)
{
    double p[FLOW_STATE], edge[3], turned[3];
    if (!b->s.flow || !body_tet_can_flow(b, tet)) return;
    body_read_flow(b, tet, p);
    if (!(p[TET_SHAPE] > 0)) return;
    for (int i = 1; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) edge[k] = e->rest[i][k] - e->rest[0][k];
        for (int r = 0; r < 3; ++r) {
            const double *u = p + 3 * ((r + 1) % 3), *v = p + 3 * ((r + 2) % 3);
            turned[r] = 0;
            for (int k = 0; k < 3; ++k)
                turned[r] +=
                    (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) * edge[k];
        }
        for (int k = 0; k < 3; ++k) e->rest[i][k] = e->rest[0][k] + turned[k];
    }
}

// ---- reading ------------------------------------------------------------------------------------

static pliant_result open_body(const pliant_world* world, pliant_body_id id, bool asked_well,
                               body** out)
{
    *out = world_body(world, id);
    if (!*out || !REQUIRE(asked_well)) return PLIANT_ERROR_ARGUMENT;
    return body_fetch(world, *out, STATE_SHAPES) ? PLIANT_OK : PLIANT_ERROR_DEVICE;
}

static int tets_to_read(const body* b, int capacity)
{
    return capacity < b->asset->mesh->tet_count ? capacity : b->asset->mesh->tet_count;
}

pliant_result pliant_body_read_plastic_strains(const pliant_world* world, pliant_body_id id,
                                               float* out, int capacity)
{
    body* b;
    pliant_result result = open_body(world, id, out && capacity >= 0, &b);
    for (int i = 0; !result && i < tets_to_read(b, capacity); ++i) {
        double flow[FLOW_STATE];
        body_read_flow(b, i, flow);
        out[i] = (float)flow[TET_SHAPE];
    }
    return result;
}

pliant_result pliant_body_read_plastic_shapes(const pliant_world* world, pliant_body_id id,
                                              double* out, int capacity)
{
    body* b;
    pliant_result result = open_body(world, id, out && capacity >= 0, &b);
    for (int i = 0; !result && i < tets_to_read(b, capacity); ++i) {
        double flow[FLOW_STATE];
        body_read_flow(b, i, flow);
        memcpy(out + 9 * (size_t)i, flow, 9 * sizeof(double));
    }
    return result;
}

// ---- starting anew ------------------------------------------------------------------------------

pliant_result pliant_body_forget_plastic_strains(pliant_world* world, pliant_body_id id)
{
    body* b = world_body(world, id);
    if (!b) return PLIANT_ERROR_ARGUMENT;
    if (!body_edit(world, b, STATE_SHAPES)) return PLIANT_ERROR_DEVICE;
    flow_begin(&b->s);
    cluster_state_forget_flow(&b->asset->clusters, &b->matched);
    return PLIANT_OK;
}
