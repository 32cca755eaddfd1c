// A plan as bytes. What follows from the rest, as where a block starts, is not in them: it is found
// again, so that it cannot be wrong. Every index that a step uses is looked at.
#pragma once
#include "base/archive.h"
#include "plan/plan.h"

// What is known of a plan without having made it.
typedef struct {
    int particle_count, node_count, constraint_count;
    bool has[TYPE_COUNT]; // types that the recipes of its nodes have
    int flowing;          // nodes from 0 on that may flow; 0: none does
} plan_facts;

// Measures, writes or reads. False: the archive has the reason, and `p` can be destroyed.
bool plan_visit(archive* a, const plan_settings* settings, const plan_facts* facts, plan* p);
