// The list of what filling a shape says: every member of pliant_fill_def but for pointers.
#pragma once
#include "base/key.h"

extern const key_table fill_members;
