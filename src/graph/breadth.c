#include "graph/breadth.h"

bool breadth_create(const graph* g, breadth* out)
{
    *out = (breadth){.g = g};
    out->queue = mem_array((size_t)g->node_count, sizeof *out->queue);
    out->visited = mem_array_zero((size_t)g->node_count, sizeof *out->visited);
    out->expanded = mem_array_zero((size_t)g->particle_count, sizeof *out->expanded);
    if (out->queue && out->visited && out->expanded) return true;
    breadth_destroy(out);
    return false;
}

void breadth_destroy(breadth* b)
{
    mem_free(b->queue);
    mem_free(b->visited);
    mem_free(b->expanded);
    *b = (breadth){0};
}

void breadth_begin_sweep(breadth* b) { b->sweep++; }

// For lists that are a few ascending lists one after the other.
static void sort_ascending(int* value, int count)
{
    for (int i = 1; i < count; ++i) {
        int moved = value[i], to = i;
        for (; to > 0 && value[to - 1] > moved; --to) value[to] = value[to - 1];
        value[to] = moved;
    }
}

// Appends the neighbors that this sweep has not reached to the queue. A particle whose nodes have
// all been reached is not looked at again: this is what makes a sweep linear.
static int visit_neighbors(breadth* b, int node, int count)
{
    const graph* g = b->g;
    int first = count;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i];
        if (b->expanded[p] == b->sweep) continue;
        b->expanded[p] = b->sweep;
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k) {
            if (b->visited[g->node[k]] == b->sweep) continue;
            b->visited[g->node[k]] = b->sweep;
            b->queue[count++] = g->node[k];
        }
    }
    sort_ascending(b->queue + first, count - first);
    return count;
}

int breadth_traverse(breadth* b, int seed)
{
    int count = 1;
    b->queue[0] = seed;
    b->visited[seed] = b->sweep;
    for (int i = 0; i < count; ++i) count = visit_neighbors(b, b->queue[i], count);
    return count;
}

int breadth_components(breadth* b, int* out_component)
{
    int components = 0;
    breadth_begin_sweep(b);
    for (int j = 0; j < b->g->node_count; ++j) {
        if (b->visited[j] == b->sweep) continue;
        int count = breadth_traverse(b, j);
        for (int i = 0; i < count; ++i) out_component[b->queue[i]] = components;
        components++;
    }
    return components;
}
