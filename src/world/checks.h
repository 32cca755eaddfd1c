// What definitions must be, by their lists of members (members.c). The sentence of a refusal names
// the member and its range.
#pragma once
#include "pliant.h"

pliant_result check_world_def(const pliant_world_def* def);
pliant_result check_body_def(const pliant_body_def* def);
pliant_result check_contact_def(const pliant_contact_def* def);
pliant_result check_airfoil_def(const pliant_airfoil_def* def);
pliant_result check_air_def(const pliant_air_def* def);
pliant_result check_wind_def(const pliant_wind_def* def);
pliant_result check_collider_def(const pliant_collider_def* def);
// The value of one member of a pliant_collider_def, by its name.
pliant_result check_collider_member(const char* name, const void* value);
