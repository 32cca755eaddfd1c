// Constraints into groups, rounds and blocks.
#pragma once
#include "plan/coloring.h"

// Fills in groups, rounds, blocks and what is known of the colors, given the patches and their
// rows. corner_row has the row of each corner of each node, counted from its patch's first. False
// when memory runs out, or who watches ends it.
bool pack(const plan_source* source, const plan_settings* settings, const coloring* c,
          const int* corner_row, plan* p);
