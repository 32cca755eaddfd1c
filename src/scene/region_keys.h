// Tables of keys of meshes, and of regions in them.
#pragma once
#include "scene/table.h"

extern const key_table mesh_table, region_table, near_table;
