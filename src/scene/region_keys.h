// Tables of keys of meshes, and of regions in them.
#pragma once
#include "scene/table.h"

extern const key_table mesh_table, box_table, sphere_table, half_space_table, surface_table,
    painted_table, near_table;

// The shapes of a region, for everything that has one.
// clang-format off
#define REGION_KEYS(type)                                                                        \
    {"box", KEY_MAYBE, offsetof(type, region.box), 0, 0, NULL,                                   \
     "what is inside of a box", NULL, &box_table, false},                                        \
    {"sphere", KEY_MAYBE, offsetof(type, region.sphere), 0, 0, NULL,                             \
     "what is inside of a sphere", NULL, &sphere_table, false},                                  \
    {"half_space", KEY_MAYBE, offsetof(type, region.half_space), 0, 0, NULL,                     \
     "what is behind a plane", NULL, &half_space_table, false},                                  \
    {"surface", KEY_MAYBE, offsetof(type, region.surface), 0, 0, NULL,                           \
     "what is inside of a surface, or near to it", NULL, &surface_table, false},                 \
    {"painted", KEY_MAYBE, offsetof(type, region.painted), 0, 0, NULL,                           \
     "where the surface has a color", NULL, &painted_table, false}
// clang-format on
