#include "partition/coarsen.h"

// ---- stars: the nodes around a particle ---------------------------------------------------------

typedef struct {
    const graph* g;
    int* cluster;   // below 0: unclaimed
    int* unclaimed; // nodes of each particle
    int count;
} stars;

static void claim_star(stars* s, int particle, int most)
{
    const graph* g = s->g;
    int left = most;
    for (int k = g->node_offset[particle]; k < g->node_offset[particle + 1] && left > 0; ++k) {
        int node = g->node[k];
        if (s->cluster[node] >= 0) continue;
        s->cluster[node] = s->count;
        left--;
        for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) s->unclaimed[g->particle[i]]--;
    }
    s->count++;
}

// First the particles with many unclaimed nodes, in the order of the mesh, which packs them
// better than the fullest first.
static void claim_all(stars* s, int most)
{
    const graph* g = s->g;
    for (int least = most; least > 0; least /= 2)
        for (int p = 0; p < g->particle_count; ++p)
            while (s->unclaimed[p] >= least) claim_star(s, p, most);
    for (int j = 0; j < g->node_count; ++j) // without particles
        if (s->cluster[j] < 0) s->cluster[j] = s->count++;
}

// Linear: nothing but the incidences is walked. Returns the number of clusters.
static int cluster_stars(const graph* g, int most, int* cluster)
{
    stars s = {.g = g, .cluster = cluster};
    s.unclaimed = mem_array((size_t)g->particle_count, sizeof *s.unclaimed);
    if (!s.unclaimed) return -1;
    for (int j = 0; j < g->node_count; ++j) cluster[j] = -1;
    for (int p = 0; p < g->particle_count; ++p)
        s.unclaimed[p] = g->node_offset[p + 1] - g->node_offset[p];
    claim_all(&s, most);
    mem_free(s.unclaimed);
    return s.count;
}

// ---- pairs: heavy edge matching -----------------------------------------------------------------

// Pairs that only meet in a particle of very many nodes have little in common.
enum { MOST_CROWD = 64 };

typedef struct {
    const graph* g;
    const int *weight, *width;
    int most_weight;
    int* cluster;  // below 0: unmatched
    double* score; // of each node; zero between calls
    int* touched;  // nodes with a score
} matching;

// A shared particle counts by how nearly a pair would make it an inner one.
static int score_partners(matching* m, int node)
{
    const graph* g = m->g;
    int touched = 0;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i], first = g->node_offset[p], end = g->node_offset[p + 1];
        if (end - first > MOST_CROWD) continue;
        int width = m->width[p];
        for (int k = first; k < end; ++k) {
            int other = g->node[k];
            if (m->cluster[other] >= 0 || other == node ||
                m->weight[node] + m->weight[other] > m->most_weight)
                continue;
            if (m->score[other] <= 0) m->touched[touched++] = other;
            m->score[other] += (double)width / (end - first - 1);
        }
    }
    return touched;
}

// The best unmatched neighbor; light ones first, so that weights stay alike. Below 0: none.
static int best_partner(matching* m, int node)
{
    int touched = score_partners(m, node), best = -1;
    double best_score = 0;
    for (int t = 0; t < touched; ++t) {
        int other = m->touched[t];
        double score = m->score[other] / m->weight[other];
        m->score[other] = 0;
        if (score < best_score || (score == best_score && other > best)) continue;
        best = other;
        best_score = score;
    }
    return best;
}

static int match_all(matching* m)
{
    int count = 0;
    for (int j = 0; j < m->g->node_count; ++j) m->cluster[j] = -1;
    for (int j = 0; j < m->g->node_count; ++j) {
        if (m->cluster[j] >= 0) continue;
        int partner = best_partner(m, j);
        m->cluster[j] = count;
        if (partner >= 0) m->cluster[partner] = count;
        count++;
    }
    return count;
}

static int cluster_pairs(level* l, int most_weight)
{
    matching m = {.g = &l->g,
                  .weight = l->weight,
                  .width = l->width,
                  .most_weight = most_weight,
                  .cluster = l->cluster};
    m.score = mem_array_zero((size_t)l->g.node_count, sizeof *m.score);
    m.touched = mem_array((size_t)l->g.node_count, sizeof *m.touched);
    int count = m.score && m.touched ? match_all(&m) : -1;
    mem_free(m.score);
    mem_free(m.touched);
    return count;
}

// ---- levels -------------------------------------------------------------------------------------

// The largest first clusters: larger ones have ragged outlines that are a long way to refine.
enum { STAR = 8 };

// False when memory runs out; *out_more says whether there was anything to gain.
static bool coarsen(levels* l, int most_weight, bool* out_more)
{
    level* fine = &l->level[l->count - 1];
    int nodes = fine->g.node_count;
    *out_more = false;
    fine->cluster = mem_array((size_t)nodes, sizeof *fine->cluster);
    if (!fine->cluster) return false;
    int star = most_weight < STAR ? most_weight : STAR;
    int count = l->count > 1 ? cluster_pairs(fine, most_weight)
                             : cluster_stars(&fine->g, star, fine->cluster);
    if (count < 0) return false;
    if (count > nodes - nodes / 16) {
        mem_free(fine->cluster);
        fine->cluster = NULL;
        return true;
    }
    *out_more = true;
    return level_contract(fine, count, &l->level[l->count++]);
}

bool levels_create(const graph* g, int most_weight, levels* out)
{
    *out = (levels){.count = 1};
    bool done = level_begin(g, &out->level[0]), more = done && most_weight > 1;
    while (more && done && out->count < MAX_LEVELS)
        done = coarsen(out, most_weight, &more) && watcher_tick(g->watch);
    if (!done) levels_destroy(out);
    return done;
}

void levels_destroy(levels* l)
{
    for (int i = l->count - 1; i > 0; --i) level_destroy(&l->level[i]);
    level_release(&l->level[0]);
    *l = (levels){0};
}
