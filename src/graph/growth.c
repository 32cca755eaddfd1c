#include "graph/growth.h"
#include <limits.h>
#include <string.h>

bool growth_create(const graph* g, const int* cluster, growth* out)
{
    *out = (growth){.g = g, .cluster = cluster};
    out->candidate = mem_array((size_t)g->node_count, sizeof *out->candidate);
    out->slot = mem_array_zero((size_t)g->node_count, sizeof *out->slot);
    out->absorbed = mem_array_zero((size_t)g->particle_count, sizeof *out->absorbed);
    if (out->candidate && out->slot && out->absorbed) return true;
    growth_destroy(out);
    return false;
}

void growth_destroy(growth* w)
{
    mem_free(w->candidate);
    mem_free(w->slot);
    mem_free(w->absorbed);
    *w = (growth){0};
}

// A crowded particle should meet few clusters: sharing it counts more than sharing another.
static int crowd(const graph* g, int particle)
{
    return g->node_offset[particle + 1] - g->node_offset[particle];
}

static void add_candidate(growth* w, int node, int weight)
{
    int slot = w->slot[node];
    if (slot >= w->candidate_count || w->candidate[slot].node != node) {
        slot = w->slot[node] = w->candidate_count++;
        w->candidate[slot] = (candidate){.node = node};
    }
    w->candidate[slot].shared++;
    w->candidate[slot].closeness += weight;
}

void growth_absorb(growth* w, int node)
{
    const graph* g = w->g;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i];
        if (w->absorbed[p] == w->number) continue;
        w->absorbed[p] = w->number;
        int weight = crowd(g, p);
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k) {
            int other = g->node[k];
            if (w->cluster[other] < 0 && other != node) add_candidate(w, other, weight);
        }
    }
}

void growth_begin(growth* w, int node)
{
    if (w->number == INT_MAX) {
        memset(w->absorbed, 0, (size_t)w->g->particle_count * sizeof *w->absorbed);
        w->number = 0;
    }
    w->number++;
    w->candidate_count = 0;
    growth_absorb(w, node);
}

static bool closer(candidate a, candidate b)
{
    return a.closeness != b.closeness ? a.closeness > b.closeness : a.node < b.node;
}

int growth_take_closest(growth* w)
{
    int best = 0;
    for (int i = 1; i < w->candidate_count; ++i)
        if (closer(w->candidate[i], w->candidate[best])) best = i;
    int node = w->candidate[best].node;
    candidate last = w->candidate[--w->candidate_count];
    w->candidate[best] = last;
    w->slot[last.node] = best;
    return node;
}
