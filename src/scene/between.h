// What the bodies of a scene cannot be to each other.
#pragma once
#include "scene/stage.h"

// Refuses bodies that follow each other in a circle, and bodies that may meet but have different
// precisions. The stage has the meshes of its entries.
pliant_result stage_check_between(const stage* s, const place* top);
