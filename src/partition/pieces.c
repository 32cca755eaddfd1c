#include "partition/pieces.h"

static int find(int* parent, int node)
{
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

static void unite(int* parent, int a, int b)
{
    a = find(parent, a);
    b = find(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

bool find_pieces(const graph* g, const int* patch, int patch_count, int* out_piece)
{
    int* last = mem_array((size_t)patch_count, sizeof *last); // node seen at the particle at hand
    if (!last) return false;
    for (int j = 0; j < g->node_count; ++j) out_piece[j] = j;
    for (int p = 0; p < g->particle_count; ++p) {
        int first = g->node_offset[p], end = g->node_offset[p + 1];
        for (int k = first; k < end; ++k) last[patch[g->node[k]]] = -1;
        for (int k = first; k < end; ++k) {
            int *seen = &last[patch[g->node[k]]], node = g->node[k];
            if (*seen >= 0) unite(out_piece, *seen, node);
            *seen = node;
        }
    }
    for (int j = 0; j < g->node_count; ++j) out_piece[j] = find(out_piece, j);
    mem_free(last);
    return true;
}
