// Colorings with copies of particles: those of patches, and those of a whole body that should have
// fewer colors than its mesh asks for.
#include "graph/coloring.h"
#include "graph/graph.h"
#include "graph/layout.h"
#include "graph/phantom.h"
#include <string.h>

enum { MOST_LIMIT = 256 }; // colors

// The nodes of a patch, or all of them, with a row for each particle, and more where colors would
// be too many.
typedef struct {
    const plan_source* s;
    int most_colors;  // 0: any number
    int least_colors; // colors should have equal sizes, not full groups; 0: full groups
    bool single;      // phantoms of one node each
    const int* node;
    placement p;
    int* row_of; // of each particle of the mesh
} piece;

// Returns how many nodes the most crowded row has.
static int number_rows(piece* t)
{
    placement* p = &t->p;
    int *times = p->copy, most = 0; // of each row, for now
    p->row_count = 0;
    p->offset[0] = 0;
    for (int n = 0; n < p->node_count; ++n) {
        const int *first = t->s->offset + t->node[n], *particle = t->s->particle + first[0];
        int corners = first[1] - first[0];
        p->offset[n + 1] = p->offset[n] + corners;
        for (int i = 0; i < corners; ++i) {
            int* row = &t->row_of[particle[i]];
            if (*row < 0) {
                times[p->row_count] = 0;
                *row = p->row_count++;
            }
            if (++times[*row] > most) most = times[*row];
            p->row[p->offset[n] + i] = *row;
        }
    }
    memset(p->copy, 0, (size_t)p->row_count * sizeof(int));
    return most;
}

static void forget_rows(piece* t)
{
    for (int n = 0; n < t->p.node_count; ++n) {
        const int* first = t->s->offset + t->node[n];
        for (int c = first[0]; c < first[1]; ++c) t->row_of[t->s->particle[c]] = -1;
    }
}

static void take_copies(const piece* t, int* out_corner_copy)
{
    const placement* p = &t->p;
    for (int n = 0; n < p->node_count; ++n)
        for (int c = p->offset[n]; c < p->offset[n + 1]; ++c)
            out_corner_copy[t->s->offset[t->node[n]] + c - p->offset[n]] = p->copy[p->row[c]];
}

// For pieces of up to most_nodes nodes, together with room for a copy at each corner.
static bool piece_create(const plan_source* s, int most_nodes, piece* t)
{
    size_t nodes = (size_t)most_nodes, most_corners = nodes * ELEMENT_PARTICLES;
    size_t particles = (size_t)s->particle_count;
    *t = (piece){.s = s,
                 .p = {.offset = (int*)mem_array(nodes + 1, sizeof(int)),
                       .row = (int*)mem_array(most_corners, sizeof(int)),
                       .color = (int*)mem_array(nodes, sizeof(int)),
                       .copy = (int*)mem_array(2 * most_corners, sizeof(int))},
                 .row_of = (int*)mem_array(particles, sizeof(int))};
    if (!t->p.offset || !t->p.row || !t->p.color || !t->p.copy || !t->row_of) return false;
    memset(t->row_of, 0xff, particles * sizeof(int));
    return true;
}

static void piece_destroy(piece* t)
{
    mem_free(t->p.offset);
    mem_free(t->p.row);
    mem_free(t->p.color);
    mem_free(t->p.copy);
    mem_free(t->row_of);
}

static bool make_graph(const piece* t, graph* out)
{
    const placement* p = &t->p;
    return graph_create(p->node_count, p->row_count, p->offset, p->row, out);
}

// ---- colors -------------------------------------------------------------------------------------

static int limit_colors(piece* t, int colors)
{
    if (!t->most_colors || colors <= t->most_colors) return colors;
    return t->single ? phantoms_single(&t->p, t->most_colors)
                     : phantoms_group(&t->p, t->most_colors);
}

// Returns the number of colors, -1 when memory runs out.
static int color_piece(piece* t)
{
    enum { PASSES = 8 };
    graph g = {0};
    if (!make_graph(t, &g)) return -1;
    int colors = graph_color_best(&g, t->p.color), before = t->p.row_count;
    if (colors >= 0) colors = limit_colors(t, colors);
    bool good = colors >= 0;
    if (good && t->p.row_count > before) { // other rows, another graph
        graph_destroy(&g);
        good = make_graph(t, &g);
    }
    if (good && t->least_colors) {
        if (colors < t->least_colors) colors = t->least_colors;
        good = graph_balance(&g, PASSES, colors, t->p.color);
    } else if (good && colors > 0) {
        good = graph_fill(&g, BLOCK, colors, t->p.color);
    }
    graph_destroy(&g);
    return good ? colors : -1;
}

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

// ---- patches ------------------------------------------------------------------------------------

// Enough that every color has two vectors full of nodes, and no particle of an ordinary mesh needs
// copies. On a GPU each color takes its time, so they are few, but no larger than a crew of 128
// threads (cuda/crews.cuh), with some room since sizes differ; a body of one patch stays without
// copies, and its colors are even. Patches that take turns have no copies: theirs are exact.
static void choose_limits(const plan_settings* settings, int patches, piece* t)
{
    enum { MANY = 64, NODES_PER_COLOR = 32, FEW = 20, CREW = 124 };
    bool for_gpu = settings->many_patches && patches > 1;
    int nodes = t->p.node_count, crews = (nodes + CREW - 1) / CREW;
    int limit =
        for_gpu ? clamp(crews, FEW, MOST_LIMIT) : clamp(nodes / NODES_PER_COLOR, MANY, MOST_LIMIT);
    if (settings->patch_colors) limit = settings->patch_colors;
    t->most_colors = settings->interface == PLIANT_ORDERED ? 0 : limit;
    t->least_colors = for_gpu ? clamp(crews, 1, limit) : settings->many_patches;
}

static int largest_patch(const plan* p, const patch_nodes* nodes)
{
    int most = 0;
    for (int i = 0; i < p->patch_count; ++i)
        if (nodes->start[i + 1] - nodes->start[i] > most)
            most = nodes->start[i + 1] - nodes->start[i];
    return most;
}

static bool color_patch(piece* t, patch* out, plan* p, coloring* c)
{
    int colors = color_piece(t);
    if (colors >= 0) coloring_take(p, out, colors);
    for (int n = 0; n < t->p.node_count && colors >= 0; ++n)
        c->color[t->node[n]] = out->first_color + t->p.color[n];
    return colors >= 0;
}

bool coloring_create_patched(const plan_source* s, const plan_settings* settings, plan* p,
                             int* out_corner_copy, coloring* c)
{
    patch_nodes nodes = {0};
    piece t = {0};
    bool good = coloring_start(s, c) && patch_nodes_create(p, &nodes) &&
                piece_create(s, largest_patch(p, &nodes), &t);
    for (int i = 0; i < p->patch_count && good; ++i) {
        t.node = nodes.node + nodes.start[i];
        t.p.node_count = nodes.start[i + 1] - nodes.start[i];
        choose_limits(settings, p->patch_count, &t);
        int clique = number_rows(&t);
        if (clique > p->clique) p->clique = clique;
        good = color_patch(&t, &p->patch[i], p, c);
        if (good) take_copies(&t, out_corner_copy);
        forget_rows(&t);
    }
    piece_destroy(&t);
    patch_nodes_destroy(&nodes);
    return good;
}

// ---- the whole body -----------------------------------------------------------------------------

static int color_in_order(const graph* g, int* out_color)
{
    int* order = (int*)mem_array((size_t)g->node_count, sizeof(int));
    int colors =
        order && graph_order_smallest_last(g, order) ? graph_color(g, order, out_color) : -1;
    mem_free(order);
    return colors;
}

// The first colors of a greedy coloring, which are the large ones, stay; all others are one.
static int color_hybrid(piece* t, int exact)
{
    graph g = {0};
    int colors = make_graph(t, &g) ? color_in_order(&g, t->p.color) : -1;
    graph_destroy(&g);
    return colors < 0 ? -1 : phantoms_average(&t->p, colors, exact);
}

static bool color_body(piece* t, const plan_settings* settings, plan* p, coloring* c)
{
    int exact = settings->most_colors ? settings->most_colors : clamp(p->clique / 2, 2, MOST_LIMIT);
    t->most_colors = exact;
    t->least_colors = 1;
    t->single = settings->phantoms == PLIANT_PHANTOMS_SINGLE;
    if (settings->schedule == PLIANT_PHANTOM) return color_patch(t, p->patch, p, c);
    if (settings->schedule == PLIANT_JACOBI) exact = 0;
    int colors = color_hybrid(t, exact);
    p->spread_color = exact;
    if (colors >= 0) coloring_take(p, p->patch, colors);
    if (colors >= 0) memcpy(c->color, t->p.color, (size_t)t->p.node_count * sizeof(int));
    return colors >= 0;
}

bool coloring_create_copied(const plan_source* s, const plan_settings* settings, plan* p,
                            int* out_corner_copy, coloring* c)
{
    piece t = {0};
    int* all = (int*)mem_array((size_t)s->node_count, sizeof(int));
    bool good = all && coloring_start(s, c) && piece_create(s, s->node_count, &t);
    for (int n = 0; n < s->node_count && good; ++n) all[n] = n;
    if (good) {
        t.node = all;
        t.p.node_count = s->node_count;
        p->clique = number_rows(&t);
        good = color_body(&t, settings, p, c);
    }
    if (good) take_copies(&t, out_corner_copy);
    piece_destroy(&t);
    mem_free(all);
    return good;
}
