// The orders of work that tests go through, and a material in each.
#pragma once
#include "scene.h"

static const pliant_formulation formulations[] = {
    PLIANT_FORMULATION_TEN_ROWS, PLIANT_FORMULATION_TWO_ROWS, PLIANT_FORMULATION_DECOUPLED,
    PLIANT_FORMULATION_DECOUPLED_NODES};
enum { FORMULATIONS = 4 };

typedef struct {
    const char* name;
    pliant_schedule schedule;
    pliant_clustering clustering;
    pliant_interface interface;
    int patch_rows, patch_colors;
    int most_colors;
    pliant_phantoms phantoms;
    pliant_merge merge;
    double relaxation; // 0: 1
} order;
static const order orders[] = {
    {.name = "patched", .patch_rows = 64},
    {.name = "ordered", .interface = PLIANT_INTERFACE_ORDERED, .patch_rows = 64},
    {.name = "few colors", .patch_rows = 64, .patch_colors = 12},
    {.name = "one patch"},
    {.name = "clustered", .schedule = PLIANT_SCHEDULE_CLUSTERED},
    {.name = "neighbors",
     .schedule = PLIANT_SCHEDULE_CLUSTERED,
     .clustering = PLIANT_CLUSTERING_NEIGHBORS},
    {.name = "cells", .schedule = PLIANT_SCHEDULE_CLUSTERED, .clustering = PLIANT_CLUSTERING_CELLS},
    {.name = "colored", .schedule = PLIANT_SCHEDULE_COLORED},
    {.name = "phantom", .schedule = PLIANT_SCHEDULE_PHANTOM},
    {.name = "single phantoms",
     .schedule = PLIANT_SCHEDULE_PHANTOM,
     .phantoms = PLIANT_PHANTOMS_SINGLE,
     .most_colors = 4},
    {.name = "hybrid", .schedule = PLIANT_SCHEDULE_HYBRID},
    {.name = "duplicate hybrid",
     .schedule = PLIANT_SCHEDULE_HYBRID,
     .merge = PLIANT_MERGE_DUPLICATE,
     .most_colors = 20},
    {.name = "jacobi", .schedule = PLIANT_SCHEDULE_JACOBI},
    {.name = "relaxed", .schedule = PLIANT_SCHEDULE_JACOBI, .relaxation = 1.5},
    {.name = "serial", .schedule = PLIANT_SCHEDULE_SERIAL}};
enum { ORDERS = 15, ORDER_CELLS = 6, ORDER_COLORED = 7, ORDER_SERIAL = 14 };

static inline pliant_soft_def material(pliant_formulation formulation, const order* o,
                                       double damping)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.formulation = formulation;
    def.solver.schedule = o->schedule;
    def.research.clustering = o->clustering;
    def.solver.patch_interface = o->interface;
    def.solver.patch_rows = o->patch_rows;
    def.solver.patch_colors = o->patch_colors;
    def.research.most_colors = o->most_colors;
    def.research.phantoms = o->phantoms;
    def.research.merge = o->merge;
    if (o->relaxation > 0) def.research.relaxation = o->relaxation;
    def.material.damping = damping;
    return def;
}
