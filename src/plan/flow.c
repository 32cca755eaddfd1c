#include "plan/flow.h"
#include "constraint/flow.h"

bool flow_allocate(plan* p)
{
    size_t lanes = p->flow.count * BLOCK;
    p->flow.block = (flow_block*)mem_array(p->flow.count, sizeof(flow_block));
    p->flow.node = (int*)mem_array(lanes, sizeof(int));
    return p->flow.block && p->flow.node;
}

static void store_rules(plan* p, size_t lane, const double rules[FLOW_RULES])
{
    for (size_t r = 0; r < FLOW_RULES; ++r) {
        size_t at = (lane / BLOCK * FLOW_RULES + r) * BLOCK + lane % BLOCK;
        if (p->scalar_bytes == 4)
            ((float*)p->flow.rule)[at] = (float)rules[r];
        else
            ((double*)p->flow.rule)[at] = rules[r];
    }
}

bool plan_find_flow(plan* p, describe_node_fn* describe, const void* context)
{
    size_t lanes = p->flow.count * BLOCK;
    if (lanes == 0) return true;
    p->flow.lane = (int*)mem_array((size_t)p->node_count, sizeof(int));
    p->flow.rule = mem_array(lanes * FLOW_RULES, (size_t)p->scalar_bytes);
    if (!p->flow.lane || !p->flow.rule) return false;
    for (int i = 0; i < p->node_count; ++i) p->flow.lane[i] = -1;
    for (size_t i = 0; i < lanes; ++i) {
        element e = {.mu = 1};
        double rules[FLOW_RULES];
        if (p->flow.node[i] >= 0) {
            describe(context, p->flow.node[i], &e);
            p->flow.lane[p->flow.node[i]] = (int)i;
        }
        flow_rules_of(&e, rules);
        store_rules(p, i, rules);
    }
    return true;
}
