#include "world/flow.h"
#include "world/residency.h"
#include <math.h>
#include <string.h>

// A tet may have several nodes, which flow alike.
static int nodes_of(const body* b)
{
    return b->asset->mesh->tet_count ? b->asset->nodes_per_tet : 1;
}

int body_flow_count(const body* b)
{
    return b->asset->mesh->tet_count ? b->asset->mesh->tet_count : b->asset->plan.node_count;
}

bool body_can_flow(const body* b, int number)
{
    return plan_flows(&b->asset->plan, number * nodes_of(b));
}

void body_read_flow(const body* b, int number, double out[FLOW_STATE])
{
    flow_read(&b->s, number * nodes_of(b), out);
}

void body_write_flow(body* b, int number, const double flow[FLOW_STATE])
{
    int nodes = nodes_of(b);
    for (int k = 0; k < nodes; ++k) flow_write(&b->s, number * nodes + k, flow);
}

void body_read_bend(const body* b, int part, double out[PLATE_ROWS])
{
    double flow[FLOW_STATE];
    for (int i = 0; i < PLATE_ROWS; ++i) out[i] = 0;
    if (b->asset->mesh->tet_count || !b->s.flow || !body_can_flow(b, part)) return;
    body_read_flow(b, part, flow);
    for (int i = 0; i < PLATE_ROWS; ++i) out[i] = flow[i];
}

// Edges at rest become Fp times themselves. Of P = Fp^-1 the rows of the inverse are the cross
// products of the columns, over the determinant.
void body_flow_element(const body* b, int tet, element* e)
{
    double p[FLOW_STATE], edge[3], turned[3];
    if (!b->s.flow || !body_can_flow(b, tet)) return;
    body_read_flow(b, tet, p);
    if (p[TET_SHAPE] == 0) return;
    double volume = p[0] * (p[4] * p[8] - p[7] * p[5]) - p[3] * (p[1] * p[8] - p[7] * p[2]) +
                    p[6] * (p[1] * p[5] - p[4] * p[2]);
    if (p[TET_SHAPE] > 0) volume = 1; // what flows keeps it
    for (int i = 1; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) edge[k] = e->rest[i][k] - e->rest[0][k];
        for (int r = 0; r < 3; ++r) {
            const double *u = p + 3 * ((r + 1) % 3), *v = p + 3 * ((r + 2) % 3);
            turned[r] = 0;
            for (int k = 0; k < 3; ++k)
                turned[r] +=
                    (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) * edge[k];
        }
        for (int k = 0; k < 3; ++k) e->rest[i][k] = e->rest[0][k] + turned[k] / volume;
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
        out[i] = (float)fmax(flow[TET_SHAPE], 0); // less: it was changed from outside
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
