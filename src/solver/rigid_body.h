// The phases of a body that does not deform: it begins a substep with what gravity and its momenta
// make of it, and ends it with what contacts and joints have added.
#pragma once
#include "solver/step.h"

void rigid_body_begin(body_run* b);
// False when it left the finite numbers: it then stays where it was, at rest.
bool rigid_body_end(body_run* b);
// Puts its rows where it is.
void rigid_body_place(state* s, const rigid_state* r, const double* local);
