#include "partition/level.h"
#include <string.h>

static int* fill(int count, int value)
{
    int* out = mem_array((size_t)count, sizeof *out);
    for (int i = 0; out && i < count; ++i) out[i] = value;
    return out;
}

bool level_begin(const graph* g, level* out)
{
    *out = (level){.g = *g,
                   .weight = fill(g->node_count, 1),
                   .inner = fill(g->node_count, 0),
                   .width = fill(g->particle_count, 1)};
    if (out->weight && out->inner && out->width) return true;
    level_release(out);
    return false;
}

void level_release(level* l)
{
    mem_free(l->weight);
    mem_free(l->inner);
    mem_free(l->width);
    mem_free(l->cluster);
    *l = (level){0};
}

void level_destroy(level* l)
{
    graph_destroy(&l->g);
    level_release(l);
}

// ---- particles of the same nodes ----------------------------------------------------------------

typedef struct {
    const graph* g;
    int* first; // of each hash value: a particle, below 0: none
    int* next;  // of each particle: one of the same hash value
    uint32_t mask;
} twins;

static void twins_destroy(twins* t)
{
    mem_free(t->first);
    mem_free(t->next);
}

static bool twins_create(const graph* g, twins* out)
{
    uint32_t size = 1;
    while (size < (uint32_t)g->particle_count) size *= 2;
    *out = (twins){.g = g, .first = fill((int)size, -1), .mask = size - 1};
    out->next = mem_array((size_t)g->particle_count, sizeof *out->next);
    if (out->first && out->next) return true;
    twins_destroy(out);
    return false;
}

static uint32_t hash_nodes(const graph* g, int particle)
{
    uint32_t hash = 0;
    for (int k = g->node_offset[particle]; k < g->node_offset[particle + 1]; ++k)
        hash = (hash ^ (uint32_t)g->node[k]) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

static bool has_same_nodes(const graph* g, int a, int b)
{
    int count = g->node_offset[a + 1] - g->node_offset[a];
    return count == g->node_offset[b + 1] - g->node_offset[b] &&
           memcmp(g->node + g->node_offset[a], g->node + g->node_offset[b],
                  (size_t)count * sizeof *g->node) == 0;
}

// The first particle with the same nodes: the particle itself if there was none before.
static int find_twin(twins* t, int particle)
{
    int* first = &t->first[hash_nodes(t->g, particle) & t->mask];
    for (int p = *first; p >= 0; p = t->next[p])
        if (has_same_nodes(t->g, p, particle)) return p;
    t->next[particle] = *first;
    return *first = particle;
}

// ---- contraction --------------------------------------------------------------------------------

// Decides which particles stay: number[particle] becomes the new one, below 0: none. `width` has
// those of the particles before on entry and those of the new ones at the end. Returns how many.
static int merge_particles(twins* t, int* number, int* inner, int* width)
{
    const graph* g = t->g;
    int count = 0;
    for (int p = 0; p < g->particle_count; ++p) {
        int first = g->node_offset[p], nodes = g->node_offset[p + 1] - first;
        number[p] = -1;
        if (nodes == 1) inner[g->node[first]] += width[p];
        if (nodes < 2) continue;
        int twin = find_twin(t, p), own = width[p];
        if (twin == p)
            width[number[p] = count++] = own;
        else
            width[number[twin]] += own;
    }
    return count;
}

// Renumbers the particles; those without a number go.
static void keep_particles(graph* g, const int* number, int particle_count)
{
    int kept = 0, first = 0;
    for (int j = 0; j < g->node_count; ++j) {
        int begin = first;
        first = g->offset[j + 1];
        g->offset[j] = kept;
        for (int i = begin; i < first; ++i)
            if (number[g->particle[i]] >= 0) g->particle[kept++] = number[g->particle[i]];
    }
    g->offset[g->node_count] = kept;
    kept = 0;
    for (int p = 0; p < g->particle_count; ++p) {
        if (number[p] < 0) continue;
        int begin = g->node_offset[p], end = g->node_offset[p + 1];
        g->node_offset[number[p]] = kept;
        for (int k = begin; k < end; ++k) g->node[kept++] = g->node[k];
    }
    g->node_offset[particle_count] = kept;
    g->particle_count = particle_count;
}

static bool condense(level* l)
{
    twins t;
    if (!twins_create(&l->g, &t)) return false;
    int* number = mem_array((size_t)l->g.particle_count, sizeof *number);
    bool done = number != NULL;
    if (done) keep_particles(&l->g, number, merge_particles(&t, number, l->inner, l->width));
    mem_free(number);
    twins_destroy(&t);
    return done;
}

bool level_contract(const level* fine, int cluster_count, level* out)
{
    *out = (level){.weight = fill(cluster_count, 0),
                   .inner = fill(cluster_count, 0),
                   .width = mem_array((size_t)fine->g.particle_count, sizeof *out->width)};
    bool done = out->weight && out->inner && out->width &&
                graph_contract(&fine->g, fine->cluster, cluster_count, &out->g);
    if (done) {
        memcpy(out->width, fine->width, (size_t)fine->g.particle_count * sizeof *out->width);
        for (int j = 0; j < fine->g.node_count; ++j) {
            out->weight[fine->cluster[j]] += fine->weight[j];
            out->inner[fine->cluster[j]] += fine->inner[j];
        }
        done = condense(out);
    }
    if (!done) level_destroy(out);
    return done;
}
