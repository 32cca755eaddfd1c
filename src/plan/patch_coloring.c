// Colorings of pieces: patches, whole bodies with colors for each recipe, and bodies that should
// have fewer colors than their mesh asks for, by copies of particles.
#include "plan/coloring.h"
#include "plan/layout.h"
#include "plan/piece.h"
#include <string.h>

enum { MOST_LIMIT = 256 }; // colors

typedef struct {
    int most_colors;  // 0: any number
    int least_colors; // colors should have equal sizes, not full groups; 0: full groups
    bool single;      // phantoms of one node each
} limits;

static int limit_colors(piece* t, const limits* l, int colors)
{
    if (!l->most_colors || colors <= l->most_colors) return colors;
    return l->single ? phantoms_single(&t->p, l->most_colors)
                     : phantoms_group(&t->p, l->most_colors);
}

// Returns the number of colors, -1 when memory runs out.
static int color_piece(piece* t, const limits* l)
{
    enum { PASSES = 8 };
    graph g = {0};
    if (!piece_graph(t, &g)) return -1;
    int colors = graph_color_best(&g, t->p.color), before = t->p.row_count;
    if (colors >= 0) colors = limit_colors(t, l, colors);
    bool good = colors >= 0;
    if (good && t->p.row_count > before) { // other rows, another graph
        graph_destroy(&g);
        good = piece_graph(t, &g);
    }
    if (good && l->least_colors) {
        if (colors < l->least_colors) colors = l->least_colors;
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

// ---- recipe by recipe ---------------------------------------------------------------------------

typedef struct {
    piece t;
    bool apart; // every recipe has colors of its own
    plan* p;
    coloring* c;
    int* corner_copy; // out; NULL: nobody asks
} work;

static int measure(piece* t, const int* node, int count)
{
    int clique = piece_take(t, node, count);
    piece_forget(t);
    return clique;
}

// Nodes that get colors together, or recipe by recipe.
typedef struct {
    const int* node;
    int count;
    int clique; // no coloring has fewer colors: of all together, or the sum over recipes
} mixture;

static int run_end(const work* w, const mixture* m, int first)
{
    return w->apart ? piece_run_end(&w->t, m->node, first, m->count) : m->count;
}

static mixture mix(work* w, const int* node, int count)
{
    mixture m = {node, count, measure(&w->t, node, count)};
    if (m.clique > w->p->clique) w->p->clique = m.clique;
    if (!w->apart) return m;
    m.node = piece_sort(&w->t, node, count);
    m.clique = 0;
    for (int first = 0, end; first < count; first = end) {
        end = run_end(w, &m, first);
        m.clique += measure(&w->t, m.node + first, end - first);
    }
    return m;
}

// What the nodes that the piece has get of the limits: colors by their clique, where others have
// come before.
static limits share_limits(const limits* all, const mixture* m, int clique, int nodes, int before)
{
    limits own = *all;
    if (all->most_colors) {
        int64_t most = all->most_colors, start = most * before / m->clique;
        int64_t end = most * ((int64_t)before + clique) / m->clique;
        own.most_colors = clamp((int)(end - start), 1, MOST_LIMIT);
    }
    if (all->least_colors > 1) {
        int share = (int)(((int64_t)all->least_colors * nodes + m->count - 1) / m->count);
        own.least_colors = clamp(share, 1, own.most_colors ? own.most_colors : share);
    }
    return own;
}

// Colors from first_color on for the nodes that the piece has. Returns how many, -1 when memory
// runs out.
static int color_run(work* w, const limits* l, int first_color)
{
    piece* t = &w->t;
    int colors = color_piece(t, l);
    for (int n = 0; n < t->p.node_count && colors >= 0; ++n)
        w->c->color[t->node[n]] = first_color + t->p.color[n];
    if (colors >= 0 && w->corner_copy) piece_read_copies(t, w->corner_copy);
    return colors;
}

// The next colors of the plan are those of a patch.
static bool color_patch(work* w, const limits* all, const mixture* m, patch* out)
{
    int colors = 0, before = 0;
    for (int first = 0, end; first < m->count; first = end) {
        end = run_end(w, m, first);
        int clique = piece_take(&w->t, m->node + first, end - first);
        limits own = share_limits(all, m, clique, end - first, before);
        int count = color_run(w, &own, w->p->color_count + colors);
        piece_forget(&w->t);
        if (count < 0) return false;
        colors += count;
        before += clique;
    }
    coloring_take(w->p, out, colors);
    return true;
}

// ---- patches ------------------------------------------------------------------------------------

// Enough that every color has two vectors full of nodes, and no particle of an ordinary mesh needs
// copies. On a GPU each color takes its time, so they are few, but no larger than a team of 128
// threads (cuda/patch_sweep.cuh), with some room since sizes differ; a body of one patch stays
// without copies, and its colors are even. Patches that take turns have no copies: theirs are
// exact.
static limits limits_of(const plan_settings* settings, int patches, int nodes)
{
    enum { MANY = 64, NODES_PER_COLOR = 32, FEW = 20, TEAM = 124 };
    bool for_gpu = settings->many_patches && patches > 1;
    int teams = (nodes + TEAM - 1) / TEAM;
    int limit =
        for_gpu ? clamp(teams, FEW, MOST_LIMIT) : clamp(nodes / NODES_PER_COLOR, MANY, MOST_LIMIT);
    if (settings->patch_colors) limit = settings->patch_colors;
    return (limits){.most_colors = settings->interface == PLIANT_INTERFACE_ORDERED ? 0 : limit,
                    .least_colors = for_gpu ? clamp(teams, 1, limit) : settings->many_patches};
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
                             int* out_corner_copy, coloring* c)
{
    patch_nodes nodes = {0};
    work w = {.apart = settings->apart, .p = p, .c = c, .corner_copy = out_corner_copy};
    bool good = coloring_start(s, c) && patch_nodes_create(p, &nodes) &&
                piece_create(s, largest_patch(p, &nodes), &w.t);
    for (int i = 0; i < p->patch_count && good; ++i) {
        int count = nodes.start[i + 1] - nodes.start[i];
        mixture m = mix(&w, nodes.node + nodes.start[i], count);
        limits l = limits_of(settings, p->patch_count, count);
        good = watcher_share(settings->watch, (double)i / p->patch_count) &&
               color_patch(&w, &l, &m, &p->patch[i]);
    }
    piece_destroy(&w.t);
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
static bool color_hybrid(work* w, const mixture* m, int exact)
{
    graph g = {0};
    piece* t = &w->t;
    piece_take(t, m->node, m->count);
    int colors = piece_graph(t, &g) ? color_in_order(&g, t->p.color) : -1;
    graph_destroy(&g);
    if (colors >= 0) colors = phantoms_average(&t->p, colors, exact);
    if (colors < 0) return false;
    w->p->spread_color = exact;
    coloring_take(w->p, w->p->patch, colors);
    memcpy(w->c->color, t->p.color, (size_t)t->p.node_count * sizeof(int));
    piece_read_copies(t, w->corner_copy);
    return true;
}

static bool color_body(work* w, const plan_settings* settings, const mixture* m)
{
    plan* p = w->p;
    int exact = settings->most_colors ? settings->most_colors : clamp(p->clique / 2, 2, MOST_LIMIT);
    limits l = {.most_colors = settings->schedule == PLIANT_SCHEDULE_PHANTOM ? exact : 0,
                .least_colors = 1,
                .single = settings->phantoms == PLIANT_PHANTOMS_SINGLE};
    bool averaged = settings->schedule == PLIANT_SCHEDULE_HYBRID ||
                    settings->schedule == PLIANT_SCHEDULE_JACOBI;
    if (!averaged) return color_patch(w, &l, m, p->patch);
    return color_hybrid(w, m, settings->schedule == PLIANT_SCHEDULE_JACOBI ? 0 : exact);
}

bool coloring_create_copied(const plan_source* s, const plan_settings* settings, plan* p,
                            int* out_corner_copy, coloring* c)
{
    work w = {.p = p, .c = c, .corner_copy = out_corner_copy};
    w.apart = settings->apart && (settings->schedule == PLIANT_SCHEDULE_COLORED ||
                                  settings->schedule == PLIANT_SCHEDULE_PHANTOM);
    int* all = (int*)mem_array((size_t)s->node_count, sizeof(int));
    bool good = all && coloring_start(s, c) && piece_create(s, s->node_count, &w.t);
    for (int n = 0; n < s->node_count && good; ++n) all[n] = n;
    w.t.watch = settings->watch;
    good = good && watcher_tick(settings->watch);
    if (good) {
        mixture m = mix(&w, all, s->node_count);
        good = color_body(&w, settings, &m);
    }
    piece_destroy(&w.t);
    mem_free(all);
    return good;
}
