#include "graph/coloring.h"
#include "graph/graph.h"
#include "graph/layout.h"
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

// Algorithm 4 with the nodes in the order of smallest degree last, as in the paper.
static int neighbor_clusters(const graph* g, int most_nodes, int* out_cluster)
{
    int* order = (int*)mem_array((size_t)g->node_count, sizeof(int));
    int count = -1;
    if (order && graph_order_smallest_last(g, order))
        count = graph_cluster(g, most_nodes, order, out_cluster);
    mem_free(order);
    return count;
}

static bool choose_clusters(const plan_source* s, const plan_settings* settings, const graph* g,
                            coloring* c)
{
    if (settings->schedule != PLIANT_CLUSTERED)
        return single_clusters(s, settings->schedule == PLIANT_SERIAL, c);
    if (settings->clustering == PLIANT_CLUSTER_CELLS) return cell_clusters(s, c);
    c->cluster_count = settings->clustering == PLIANT_CLUSTER_NEIGHBORS
                           ? neighbor_clusters(g, settings->cluster_size, c->cluster)
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

static void take_colors(plan* p, patch* t, int count)
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
                graph_create(s->node_count, s->particle_count, s->offset, s->particle, &g) &&
                choose_clusters(s, settings, &g, c);
    int colors = -1;
    if (good && settings->schedule == PLIANT_SERIAL)
        colors = s->node_count > 0;
    else if (good)
        colors = color_clusters(&g, c);
    good = good && colors >= 0;
    if (good) {
        take_colors(p, &p->patch[0], colors);
        p->clique = graph_clique(&g);
    }
    graph_destroy(&g);
    return good;
}

// ---- patches ------------------------------------------------------------------------------------

// The nodes of a patch on rows of its own: one for each particle, and more where colors would be
// too many.
typedef struct {
    const plan_source* s;
    int most_colors; // 0: any number
    const int* node;
    int node_count;
    int row_count;
    int *offset, *row, *color; // of its nodes
    int* row_of;               // of each particle of the mesh
    int* overflow;             // of each row: the copy made in this pass
    int* copies;               // of each particle of the mesh: how many there are in this patch
    unsigned char* corner_copy;
} piece;

static void number_rows(piece* t)
{
    t->row_count = 0;
    t->offset[0] = 0;
    for (int n = 0; n < t->node_count; ++n) {
        const int *first = t->s->offset + t->node[n], *particle = t->s->particle + first[0];
        int corners = first[1] - first[0];
        t->offset[n + 1] = t->offset[n] + corners;
        for (int i = 0; i < corners; ++i) {
            int* row = &t->row_of[particle[i]];
            if (*row < 0) *row = t->row_count++;
            t->row[t->offset[n] + i] = *row;
            t->copies[particle[i]] = 1;
        }
    }
}

static void forget_rows(piece* t)
{
    for (int n = 0; n < t->node_count; ++n) {
        const int* first = t->s->offset + t->node[n];
        for (int c = first[0]; c < first[1]; ++c) t->row_of[t->s->particle[c]] = -1;
    }
}

// The corner of a node whose row has the most nodes, among those that may have one more copy;
// -1: none.
static int crowded_corner(const piece* t, const graph* g, int n)
{
    int best = -1, most = 1;
    for (int c = t->offset[n]; c < t->offset[n + 1]; ++c) {
        int row = t->row[c], nodes = g->node_offset[row + 1] - g->node_offset[row];
        int particle = t->s->particle[t->s->offset[t->node[n]] + c - t->offset[n]];
        bool room = t->overflow[row] >= 0 || t->copies[particle] < 255;
        if (room && nodes > most) {
            most = nodes;
            best = c;
        }
    }
    return best;
}

// Nodes whose color is too high leave their most crowded row for a new copy of it, all of a row
// for the same one. Returns whether there were any.
static bool split_rows(piece* t, const graph* g)
{
    bool any = false;
    for (int i = 0; i < t->row_count; ++i) t->overflow[i] = -1;
    for (int n = 0; n < t->node_count; ++n) {
        int c = t->color[n] < t->most_colors ? -1 : crowded_corner(t, g, n);
        if (c < 0) continue;
        int corner = t->s->offset[t->node[n]] + c - t->offset[n];
        int* copy = &t->overflow[t->row[c]];
        if (*copy < 0) {
            *copy = t->row_count++;
            t->overflow[*copy] = *copy;
            t->copies[t->s->particle[corner]]++;
        }
        t->row[c] = *copy;
        any = true;
    }
    return any;
}

// Rows of one particle, numbered by first appearance: some may have lost all their nodes.
static void number_copies(piece* t)
{
    for (int i = 0; i < t->row_count; ++i) t->overflow[i] = -1;
    for (int n = 0; n < t->node_count; ++n)
        for (int c = t->offset[n]; c < t->offset[n + 1]; ++c)
            t->copies[t->s->particle[t->s->offset[t->node[n]] + c - t->offset[n]]] = 0;
    for (int n = 0; n < t->node_count; ++n)
        for (int c = t->offset[n]; c < t->offset[n + 1]; ++c) {
            int corner = t->s->offset[t->node[n]] + c - t->offset[n], *copy = &t->overflow[t->row[c]];
            if (*copy < 0) *copy = t->copies[t->s->particle[corner]]++;
            t->corner_copy[corner] = (unsigned char)*copy;
        }
}

// Returns the number of colors, -1 when memory runs out.
static int color_piece(piece* t, int* out_clique)
{
    for (bool first = true;; first = false) {
        graph g = {0};
        if (!graph_create(t->node_count, t->row_count, t->offset, t->row, &g)) return -1;
        int colors = graph_color_best(&g, t->color);
        if (first && graph_clique(&g) > *out_clique) *out_clique = graph_clique(&g);
        bool again = t->most_colors > 0 && colors > t->most_colors && split_rows(t, &g);
        graph_destroy(&g);
        if (!again) return colors;
    }
}

static bool piece_create(const plan_source* s, const plan_settings* settings,
                         unsigned char* corner_copy, piece* t)
{
    size_t nodes = (size_t)s->node_count, corners = (size_t)s->offset[s->node_count];
    size_t particles = (size_t)s->particle_count;
    *t = (piece){.s = s,
                 .most_colors = settings->patch_colors,
                 .offset = (int*)mem_array(nodes + 1, sizeof(int)),
                 .row = (int*)mem_array(corners, sizeof(int)),
                 .color = (int*)mem_array(nodes, sizeof(int)),
                 .row_of = (int*)mem_array(particles, sizeof(int)),
                 .overflow = (int*)mem_array(corners + particles, sizeof(int)),
                 .copies = (int*)mem_array_zero(particles, sizeof(int)),
                 .corner_copy = corner_copy};
    if (!t->offset || !t->row || !t->color || !t->row_of || !t->overflow || !t->copies)
        return false;
    memset(t->row_of, 0xff, particles * sizeof(int));
    return true;
}

static void piece_destroy(piece* t)
{
    mem_free(t->offset);
    mem_free(t->row);
    mem_free(t->color);
    mem_free(t->row_of);
    mem_free(t->overflow);
    mem_free(t->copies);
}

bool coloring_create_patched(const plan_source* s, const plan_settings* settings, plan* p,
                             unsigned char* out_corner_copy, coloring* c)
{
    patch_nodes nodes = {0};
    piece t = {0};
    memset(out_corner_copy, 0, (size_t)s->offset[s->node_count]);
    bool good = allocate(s, c) && patch_nodes_create(p, &nodes) &&
                piece_create(s, settings, out_corner_copy, &t) && single_clusters(s, false, c);
    for (int i = 0; i < p->patch_count && good; ++i) {
        t.node = nodes.node + nodes.start[i];
        t.node_count = nodes.start[i + 1] - nodes.start[i];
        number_rows(&t);
        int colors = color_piece(&t, &p->clique);
        good = colors >= 0;
        if (good) take_colors(p, &p->patch[i], colors);
        number_copies(&t);
        for (int n = 0; n < t.node_count && good; ++n)
            c->color[t.node[n]] = p->patch[i].first_color + t.color[n];
        forget_rows(&t);
    }
    piece_destroy(&t);
    patch_nodes_destroy(&nodes);
    return good;
}

void coloring_destroy(coloring* c)
{
    mem_free(c->cluster);
    mem_free(c->color);
}
