// The list of what a surface of particles is made by: every member of pliant_surface_def but for
// pointers.
#pragma once
#include "base/key.h"

extern const key_table surface_members;
