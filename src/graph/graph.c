#include "graph/graph.h"
#include <string.h>

static bool allocate(graph* g, int node_count, int particle_count, int incidences)
{
    *g = (graph){.node_count = node_count, .particle_count = particle_count};
    g->offset = mem_array_zero((size_t)node_count + 1, sizeof *g->offset);
    g->particle = mem_array((size_t)incidences, sizeof *g->particle);
    g->node_offset = mem_array_zero((size_t)particle_count + 1, sizeof *g->node_offset);
    g->node = mem_array((size_t)incidences, sizeof *g->node);
    if (g->offset && g->particle && g->node_offset && g->node) return true;
    graph_destroy(g);
    return false;
}

void graph_destroy(graph* g)
{
    mem_free(g->offset);
    mem_free(g->particle);
    mem_free(g->node_offset);
    mem_free(g->node);
    *g = (graph){0};
}

// The lists of members per item become the lists of items per member, ascending. out_offset has
// member_count + 1 zeros on entry.
static void transpose(int item_count, int member_count, const int* offset, const int* member,
                      int* out_offset, int* out_item)
{
    for (int i = offset[0]; i < offset[item_count]; ++i) out_offset[member[i]]++;
    int end = 0;
    for (int m = 0; m <= member_count; ++m) {
        end += out_offset[m];
        out_offset[m] = end;
    }
    for (int item = item_count - 1; item >= 0; --item)
        for (int i = offset[item + 1] - 1; i >= offset[item]; --i)
            out_item[--out_offset[member[i]]] = item;
}

// Removes equal values that follow each other in a list.
static void drop_repeats(int list_count, int* offset, int* value)
{
    int kept = 0;
    for (int list = 0; list < list_count; ++list) {
        int first = offset[list], start = kept;
        offset[list] = kept;
        for (int i = first; i < offset[list + 1]; ++i)
            if (kept == start || value[kept - 1] != value[i]) value[kept++] = value[i];
    }
    offset[list_count] = kept;
}

bool graph_create(int node_count, int particle_count, const int* offset, const int* particle,
                  graph* out)
{
    if (!allocate(out, node_count, particle_count, offset[node_count] - offset[0])) return false;
    // Two transpositions sort the lists, and repeats become neighbors in the first.
    transpose(node_count, particle_count, offset, particle, out->node_offset, out->node);
    drop_repeats(particle_count, out->node_offset, out->node);
    transpose(particle_count, node_count, out->node_offset, out->node, out->offset, out->particle);
    return true;
}

// A graph whose node i has the particles of the nodes member[member_offset[i]] and following.
static bool gather(const graph* g, int count, const int* member_offset, const int* member,
                   graph* out)
{
    *out = (graph){0};
    int* offset = mem_array((size_t)count + 1, sizeof *offset);
    int* particle = mem_array((size_t)g->offset[g->node_count], sizeof *particle);
    bool done = offset && particle;
    if (done) {
        int end = 0;
        for (int i = 0; i < count; ++i) {
            offset[i] = end;
            for (int m = member_offset[i]; m < member_offset[i + 1]; ++m) {
                int first = g->offset[member[m]], length = g->offset[member[m] + 1] - first;
                memcpy(particle + end, g->particle + first, (size_t)length * sizeof *particle);
                end += length;
            }
        }
        offset[count] = end;
        done = graph_create(count, g->particle_count, offset, particle, out);
        out->watch = g->watch;
    }
    mem_free(particle);
    mem_free(offset);
    return done;
}

bool graph_contract(const graph* g, const int* cluster, int cluster_count, graph* out)
{
    *out = (graph){0};
    int n = g->node_count;
    int* single = mem_array((size_t)n + 1, sizeof *single);
    int* offset = mem_array_zero((size_t)cluster_count + 1, sizeof *offset);
    int* member = mem_array((size_t)n, sizeof *member);
    bool done = single && offset && member;
    if (done) {
        for (int i = 0; i <= n; ++i) single[i] = i;
        transpose(n, cluster_count, single, cluster, offset, member);
        done = gather(g, cluster_count, offset, member, out);
    }
    mem_free(member);
    mem_free(offset);
    mem_free(single);
    return done;
}

bool graph_reorder(const graph* g, const int* order, graph* out)
{
    *out = (graph){0};
    int* single = mem_array((size_t)g->node_count + 1, sizeof *single);
    if (!single) return false;
    for (int i = 0; i <= g->node_count; ++i) single[i] = i;
    bool done = gather(g, g->node_count, single, order, out);
    mem_free(single);
    return done;
}

int graph_clique(const graph* g)
{
    int most = 0;
    for (int p = 0; p < g->particle_count; ++p) {
        int count = g->node_offset[p + 1] - g->node_offset[p];
        if (count > most) most = count;
    }
    return most > 0 || g->node_count == 0 ? most : 1;
}
