// Rest shapes of tets that flow, as the world sees them: by tet or by plate.
#pragma once
#include "constraint/crease.h"
#include "solver/flow.h"
#include "world/world.h"

// Of a body of tets those are counted, of cloth its parts. How many there are, and whether the rest
// shape of one of them can flow.
int body_flow_count(const body* b);
bool body_can_flow(const body* b, int number);

// What has flowed of it (flow_state): Fp^-1 by columns, and the plastic strain.
void body_read_flow(const body* b, int number, double out[FLOW_STATE]);
void body_write_flow(body* b, int number, const double flow[FLOW_STATE]);

// The rest places of its element become those that it has flowed to.
void body_flow_element(const body* b, int tet, element* e);

// What the rows of a plate have flowed by (crease.h); 0 of all others.
void body_read_bend(const body* b, int part, double out[PLATE_ROWS]);
