#include "partition/partition.h"
#include "partition/pieces.h"

// Particles of each patch, and the sums over all.
static bool count_rows(const graph* g, const int* patch, int count, partition_quality* out)
{
    int* last = mem_array((size_t)count, sizeof *last); // the last particle in the patch
    int* particles = mem_array_zero((size_t)count, sizeof *particles);
    int64_t rows = 0, used = 0;
    bool done = last && particles;
    for (int i = 0; done && i < count; ++i) last[i] = -1;
    for (int p = 0; done && p < g->particle_count; ++p) {
        int patches = 0;
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k) {
            int at = patch[g->node[k]];
            if (last[at] == p) continue;
            last[at] = p;
            particles[at]++;
            patches++;
        }
        rows += patches;
        used += patches > 0;
        out->shared_particles += patches > 1;
    }
    for (int i = 0; done && i < count; ++i)
        if (particles[i] > out->most_particles) out->most_particles = particles[i];
    out->copies = used > 0 ? (double)rows / (double)used : 1;
    mem_free(particles);
    mem_free(last);
    return done;
}

// Nodes and pieces of each patch.
static bool count_nodes(const graph* g, const int* patch, int count, partition_quality* out)
{
    int* nodes = mem_array_zero((size_t)count, sizeof *nodes);
    int* pieces = mem_array_zero((size_t)count, sizeof *pieces);
    int* piece = mem_array((size_t)g->node_count, sizeof *piece);
    bool done = nodes && pieces && piece && find_pieces(g, patch, count, piece);
    for (int j = 0; done && j < g->node_count; ++j) {
        nodes[patch[j]]++;
        pieces[patch[j]] += piece[j] == j;
    }
    out->smallest = g->node_count;
    for (int i = 0; done && i < count; ++i) {
        if (nodes[i] < out->smallest) out->smallest = nodes[i];
        if (nodes[i] > out->largest) out->largest = nodes[i];
        out->unconnected += pieces[i] > 1;
    }
    mem_free(piece);
    mem_free(pieces);
    mem_free(nodes);
    return done;
}

bool graph_partition_measure(const graph* g, const int* patch, int count, partition_quality* out)
{
    *out = (partition_quality){.patches = count};
    return count_rows(g, patch, count, out) && count_nodes(g, patch, count, out);
}
