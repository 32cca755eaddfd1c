#include "plan/coloring.h"
#include "graph/graph.h"
#include <string.h>

static bool same_particles(const plan_source* s, int a, int b)
{
    int count = s->offset[a + 1] - s->offset[a];
    return count == s->offset[b + 1] - s->offset[b] &&
           memcmp(s->particle + s->offset[a], s->particle + s->offset[b],
                  (size_t)count * sizeof(int)) == 0;
}

// Every node by itself; in the serial order, which has no colors, the nodes of one element stay
// together, which changes nothing but the room they take.
static bool single_clusters(const plan_source* s, bool serial, coloring* c)
{
    c->cluster_count = 0;
    for (int i = 0; i < s->node_count; ++i) {
        bool joins = serial && i > 0 && same_particles(s, i - 1, i);
        c->cluster[i] = joins ? c->cluster_count - 1 : c->cluster_count++;
    }
    return true;
}

// Cells become clusters, numbered by first appearance.
static bool cell_clusters(const plan_source* s, coloring* c)
{
    int most = 0;
    for (int i = 0; i < s->node_count; ++i)
        if (s->cell[i] > most) most = s->cell[i];
    int* number = (int*)mem_array((size_t)most + 1, sizeof(int));
    if (!number) return false;
    memset(number, 0xff, ((size_t)most + 1) * sizeof(int));
    c->cluster_count = 0;
    for (int i = 0; i < s->node_count; ++i) {
        if (number[s->cell[i]] < 0) number[s->cell[i]] = c->cluster_count++;
        c->cluster[i] = number[s->cell[i]];
    }
    mem_free(number);
    return true;
}

static bool choose_clusters(const plan_source* s, const plan_settings* settings, const graph* g,
                            coloring* c)
{
    if (settings->schedule != PLIANT_SCHEDULE_CLUSTERED)
        return single_clusters(s, settings->schedule == PLIANT_SCHEDULE_SERIAL, c);
    if (settings->clustering == PLIANT_CLUSTERING_CELLS) return cell_clusters(s, c);
    c->cluster_count = settings->clustering == PLIANT_CLUSTERING_NEIGHBORS
                           ? graph_cluster_neighbors(g, settings->cluster_size, c->cluster)
                           : graph_cluster_best(g, settings->cluster_size, c->cluster);
    return c->cluster_count >= 0;
}

// Returns the number of colors, -1 when memory runs out.
static int color_clusters(const graph* g, coloring* c)
{
    graph super = {0};
    int colors = graph_contract(g, c->cluster, c->cluster_count, &super)
                     ? graph_color_best(&super, c->color)
                     : -1;
    graph_destroy(&super);
    return colors;
}

static bool allocate(const plan_source* s, coloring* c)
{
    c->cluster = (int*)mem_array((size_t)s->node_count, sizeof(int));
    c->color = (int*)mem_array_zero((size_t)s->node_count, sizeof(int));
    return c->cluster && c->color;
}

bool coloring_start(const plan_source* s, coloring* c)
{
    return allocate(s, c) && single_clusters(s, false, c);
}

void coloring_take(plan* p, patch* t, int count)
{
    t->first_color = p->color_count;
    t->color_count = count;
    p->color_count += count;
    if (count > p->most_colors) p->most_colors = count;
}

bool coloring_create(const plan_source* s, const plan_settings* settings, plan* p, coloring* c)
{
    graph g = {0};
    bool good = allocate(s, c) &&
                graph_create(s->node_count, s->particle_count, s->offset, s->particle, &g);
    g.watch = settings->watch;
    good = good && choose_clusters(s, settings, &g, c) && watcher_tick(g.watch);
    int colors = -1;
    if (good && settings->schedule == PLIANT_SCHEDULE_SERIAL)
        colors = s->node_count > 0;
    else if (good)
        colors = color_clusters(&g, c);
    good = good && colors >= 0;
    if (good) {
        coloring_take(p, &p->patch[0], colors);
        p->clique = graph_clique(&g);
    }
    graph_destroy(&g);
    return good;
}

void coloring_destroy(coloring* c)
{
    mem_free(c->cluster);
    mem_free(c->color);
}
