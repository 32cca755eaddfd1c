#include "partition/partition.h"

int graph_color_patches(const graph* g, const int* patch, int count, int* out_color)
{
    graph patches;
    if (!graph_contract(g, patch, count, &patches)) return -1;
    int colors = graph_color_best(&patches, out_color);
    graph_destroy(&patches);
    return colors;
}
