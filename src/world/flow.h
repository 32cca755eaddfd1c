// Rest shapes of tets that flow, as the world sees them: by tet.
#pragma once
#include "solver/flow.h"
#include "world/world.h"

// Whether the rest shape of a tet of the body can flow.
bool body_tet_can_flow(const body* b, int tet);

// What has flowed of it (flow_state): Fp^-1 by columns, and the plastic strain.
void body_read_flow(const body* b, int tet, double out[FLOW_STATE]);
void body_write_flow(body* b, int tet, const double flow[FLOW_STATE]);

// The rest places of its element become those that it has flowed to.
void body_flow_element(const body* b, int tet, element* e);
