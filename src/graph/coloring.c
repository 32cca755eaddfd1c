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

// The nodes of one recipe, as a graph of their own. `out_node` has their numbers; -1 when memory
// runs out.
static int graph_of_recipe(const plan_source* s, int number, int* out_node, graph* out)
{
    int count = 0, corners = 0;
    int* offset = (int*)mem_array((size_t)s->node_count + 1, sizeof(int));
    int* particle = (int*)mem_array((size_t)s->offset[s->node_count], sizeof(int));
    bool good = offset && particle;
    for (int i = 0; i < s->node_count && good; ++i) {
        if (s->recipe[i] != number) continue;
        offset[count] = corners;
        out_node[count++] = i;
        for (int k = s->offset[i]; k < s->offset[i + 1]; ++k) particle[corners++] = s->particle[k];
    }
    if (good) offset[count] = corners;
    good = good && graph_create(count, s->particle_count, offset, particle, out);
    mem_free(offset);
    mem_free(particle);
    return good ? count : -1;
}

// Recipe after recipe, each with colors of its own (2013), for nodes that are clusters by
// themselves. Returns the number of colors, -1 when memory runs out.
static int color_recipes(const plan_source* s, coloring* c)
{
    int most = 0, colors = 0;
    int* node = (int*)mem_array((size_t)s->node_count, sizeof(int));
    int* color = (int*)mem_array((size_t)s->node_count, sizeof(int));
    for (int i = 0; i < s->node_count; ++i)
        if (s->recipe[i] > most) most = s->recipe[i];
    for (int r = 0; r <= most && colors >= 0; ++r) {
        graph g = {0};
        int count = node && color ? graph_of_recipe(s, r, node, &g) : -1;
        int own = count > 0 ? graph_color_best(&g, color) : count;
        for (int i = 0; i < count && own >= 0; ++i) c->color[node[i]] = colors + color[i];
        colors = own >= 0 ? colors + own : -1;
        graph_destroy(&g);
    }
    mem_free(node);
    mem_free(color);
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
    else if (good && settings->apart && settings->schedule == PLIANT_COLORED)
        colors = color_recipes(s, c);
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

enum { WORDS = 4, MOST_LIMIT = 64 * WORDS };

// Colors that have a node in a row.
typedef struct {
    uint64_t word[WORDS];
} color_set;

static bool has_color(const color_set* s, int color)
{
    return s->word[color / 64] >> color % 64 & 1;
}
static void add_color(color_set* s, int color) { s->word[color / 64] |= (uint64_t)1 << color % 64; }

// The nodes of a patch on rows of its own: one for each particle, and more where colors would be
// too many.
typedef struct {
    const plan_source* s;
    int most_colors;  // 0: any number
    int least_colors; // colors should have equal sizes, not full groups; 0: full groups
    const int* node;
    int node_count;
    int row_count;
    int *offset, *row, *color; // of its nodes
    int* row_of;               // of each particle of the mesh
    color_set* used;           // of each row
    int* next;                 // of each row: another copy of its particle; -1: none
    int* copy;                 // of each row: which copy it is
    uint16_t* corner_copy;
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

// ---- fewer colors by more copies ----------------------------------------------------------------

static void reset_row(piece* t, int row, int copy)
{
    t->used[row] = (color_set){{0}};
    t->next[row] = -1;
    t->copy[row] = copy;
}

// The first copy of a row's particle where a color is free; -1: none.
static int free_copy(const piece* t, int row, int color)
{
    while (row >= 0 && has_color(&t->used[row], color)) row = t->next[row];
    return row;
}

// A patch has at most 65535 nodes, so that 16 bits count the copies.
static int add_copy(piece* t, int row)
{
    while (t->next[row] >= 0) row = t->next[row];
    t->next[row] = t->row_count;
    reset_row(t, t->row_count, t->copy[row] + 1);
    return t->row_count++;
}

// The color that asks for the fewest new copies.
static int cheapest_color(const piece* t, int n)
{
    int best = 0, least = ELEMENT_PARTICLES + 1;
    for (int color = 0; color < t->most_colors && least > 0; ++color) {
        int missing = 0;
        for (int c = t->offset[n]; c < t->offset[n + 1]; ++c)
            missing += free_copy(t, t->row[c], color) < 0;
        if (missing >= least) continue;
        least = missing;
        best = color;
    }
    return best;
}

static void use_color(piece* t, int n, int color)
{
    t->color[n] = color;
    for (int c = t->offset[n]; c < t->offset[n + 1]; ++c) {
        int row = free_copy(t, t->row[c], color);
        t->row[c] = row >= 0 ? row : add_copy(t, t->row[c]);
        add_color(&t->used[t->row[c]], color);
    }
}

// Nodes whose color is too high take a lower one, on copies of their particles where it is free.
// Returns the number of colors.
static int limit_colors(piece* t, int colors)
{
    if (!t->most_colors || colors <= t->most_colors) return colors;
    for (int row = 0; row < t->row_count; ++row) reset_row(t, row, 0);
    for (int n = 0; n < t->node_count; ++n)
        if (t->color[n] < t->most_colors) use_color(t, n, t->color[n]);
    for (int n = 0; n < t->node_count; ++n)
        if (t->color[n] >= t->most_colors) use_color(t, n, cheapest_color(t, n));
    for (int n = 0; n < t->node_count; ++n)
        for (int c = t->offset[n]; c < t->offset[n + 1]; ++c)
            t->corner_copy[t->s->offset[t->node[n]] + c - t->offset[n]] =
                (uint16_t)t->copy[t->row[c]];
    return t->most_colors;
}

// Returns the number of colors, -1 when memory runs out.
static int color_piece(piece* t, int* out_clique)
{
    enum { PASSES = 8 };
    graph g = {0};
    if (!graph_create(t->node_count, t->row_count, t->offset, t->row, &g)) return -1;
    int colors = graph_color_best(&g, t->color), clique = graph_clique(&g), before = t->row_count;
    if (clique > *out_clique) *out_clique = clique;
    if (colors >= 0) colors = limit_colors(t, colors);
    bool good = colors >= 0;
    if (good && t->row_count > before) { // other rows, another graph
        graph_destroy(&g);
        good = graph_create(t->node_count, t->row_count, t->offset, t->row, &g);
    }
    if (good && t->least_colors) {
        if (colors < t->least_colors) colors = t->least_colors;
        good = graph_balance(&g, PASSES, colors, t->color);
    } else if (good && colors > 0) {
        good = graph_fill(&g, BLOCK, colors, t->color);
    }
    graph_destroy(&g);
    return good ? colors : -1;
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

// Enough that every color has two vectors full of nodes, and no particle of an ordinary mesh needs
// copies. On a GPU each color takes its time, so they are few, but no larger than a crew of 128
// threads (cuda/patched.cuh), with some room since sizes differ. Patches that take turns have no
// copies: theirs are exact.
static void choose_limits(const plan_settings* settings, int patches, piece* t)
{
    enum { MANY = 64, NODES_PER_COLOR = 32, FEW = 20, CREW = 124 };
    bool for_gpu = settings->many_patches && patches > 1;
    int crews = (t->node_count + CREW - 1) / CREW;
    int limit = for_gpu ? clamp(crews, FEW, MOST_LIMIT)
                        : clamp(t->node_count / NODES_PER_COLOR, MANY, MOST_LIMIT);
    if (settings->patch_colors) limit = settings->patch_colors;
    t->most_colors = settings->interface == PLIANT_ORDERED ? 0 : limit;
    t->least_colors = for_gpu ? clamp(crews, 1, limit) : 0;
}

// For patches of up to most_nodes nodes. A row for each corner is the most that copies can make.
static bool piece_create(const plan_source* s, int most_nodes, uint16_t* corner_copy, piece* t)
{
    size_t nodes = (size_t)most_nodes, most_corners = nodes * ELEMENT_PARTICLES;
    size_t particles = (size_t)s->particle_count;
    *t = (piece){.s = s,
                 .offset = (int*)mem_array(nodes + 1, sizeof(int)),
                 .row = (int*)mem_array(most_corners, sizeof(int)),
                 .color = (int*)mem_array(nodes, sizeof(int)),
                 .row_of = (int*)mem_array(particles, sizeof(int)),
                 .used = (color_set*)mem_array(most_corners, sizeof(color_set)),
                 .next = (int*)mem_array(most_corners, sizeof(int)),
                 .copy = (int*)mem_array(most_corners, sizeof(int)),
                 .corner_copy = corner_copy};
    if (!t->offset || !t->row || !t->color || !t->row_of || !t->used || !t->next || !t->copy)
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
    mem_free(t->used);
    mem_free(t->next);
    mem_free(t->copy);
}

static int largest_patch(const plan* p, const patch_nodes* nodes)
{
    int most = 0;
    for (int i = 0; i < p->patch_count; ++i)
        if (nodes->start[i + 1] - nodes->start[i] > most)
            most = nodes->start[i + 1] - nodes->start[i];
    return most;
}

bool coloring_create_patched(const plan_source* s, const plan_settings* settings, plan* p,
                             uint16_t* out_corner_copy, coloring* c)
{
    patch_nodes nodes = {0};
    piece t = {0};
    memset(out_corner_copy, 0, (size_t)s->offset[s->node_count] * sizeof(uint16_t));
    bool good = allocate(s, c) && patch_nodes_create(p, &nodes) && single_clusters(s, false, c) &&
                piece_create(s, largest_patch(p, &nodes), out_corner_copy, &t);
    for (int i = 0; i < p->patch_count && good; ++i) {
        t.node = nodes.node + nodes.start[i];
        t.node_count = nodes.start[i + 1] - nodes.start[i];
        choose_limits(settings, p->patch_count, &t);
        number_rows(&t);
        int colors = color_piece(&t, &p->clique);
        good = colors >= 0;
        if (good) take_colors(p, &p->patch[i], colors);
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
