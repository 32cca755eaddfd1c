#include "graph/phantom.h"
#include "graph/clique.h"
#include <stdlib.h>
#include <string.h>

// ---- grouped ------------------------------------------------------------------------------------

enum { WORDS = 4 };

// Colors that have a node in a row.
typedef struct {
    uint64_t word[WORDS];
} color_set;

static bool has_color(const color_set* s, int color)
{
    return s->word[color / 64] >> color % 64 & 1;
}
static void add_color(color_set* s, int color) { s->word[color / 64] |= (uint64_t)1 << color % 64; }

typedef struct {
    placement* p;
    int most_colors;
    color_set* used; // of each row
    int* next;       // of each row: another copy of its particle; -1: none
    int* spare;      // of each particle's own row: copies that it needs and does not have yet
} grouping;

// The first copy of a row's particle where a color is free; -1: none.
static int free_copy(const grouping* g, int row, int color)
{
    while (row >= 0 && has_color(&g->used[row], color)) row = g->next[row];
    return row;
}

static void open_row(grouping* g, int row, int copy)
{
    g->used[row] = (color_set){{0}};
    g->next[row] = -1;
    g->p->copy[row] = copy;
}

static int add_copy(grouping* g, int row)
{
    if (g->spare[row] > 0) g->spare[row]--;
    while (g->next[row] >= 0) row = g->next[row];
    g->next[row] = g->p->row_count;
    open_row(g, g->p->row_count, g->p->copy[row] + 1);
    return g->p->row_count++;
}

// The first color that asks for the fewest copies beyond those that are needed anyway.
static int cheapest_color(const grouping* g, int n)
{
    const placement* p = g->p;
    int best = 0, least = p->offset[n + 1] - p->offset[n] + 1;
    for (int color = 0; color < g->most_colors && least > 0; ++color) {
        int missing = 0;
        for (int c = p->offset[n]; c < p->offset[n + 1]; ++c)
            missing += g->spare[p->row[c]] == 0 && free_copy(g, p->row[c], color) < 0;
        if (missing >= least) continue;
        least = missing;
        best = color;
    }
    return best;
}

static void use_color(grouping* g, int n, int color)
{
    placement* p = g->p;
    p->color[n] = color;
    for (int c = p->offset[n]; c < p->offset[n + 1]; ++c) {
        int row = free_copy(g, p->row[c], color);
        p->row[c] = row >= 0 ? row : add_copy(g, p->row[c]);
        add_color(&g->used[p->row[c]], color);
    }
}

// First fit, in the order of smallest degree last, where a particle of v nodes may have a color
// v / most_colors times, rounded up.
static bool place_nodes(grouping* g, const graph* around)
{
    placement* p = g->p;
    int* order = (int*)mem_array((size_t)p->node_count, sizeof(int));
    bool good = order && graph_order_smallest_last(around, order);
    for (int row = 0; row < p->row_count && good; ++row) {
        int nodes = around->node_offset[row + 1] - around->node_offset[row];
        g->spare[row] = nodes > 0 ? (nodes - 1) / g->most_colors : 0;
        open_row(g, row, 0);
    }
    for (int i = 0; i < p->node_count && good; ++i)
        use_color(g, order[i], cheapest_color(g, order[i]));
    mem_free(order);
    return good;
}

int phantoms_group(placement* p, int most_colors)
{
    graph around = {0};
    size_t rows = (size_t)p->row_count, room = rows + (size_t)p->offset[p->node_count];
    grouping g = {.p = p,
                  .most_colors = most_colors,
                  .used = (color_set*)mem_array(room, sizeof(color_set)),
                  .next = (int*)mem_array(room, sizeof(int)),
                  .spare = (int*)mem_array(rows, sizeof(int))};
    bool good = g.used && g.next && g.spare &&
                graph_create(p->node_count, p->row_count, p->offset, p->row, &around) &&
                place_nodes(&g, &around);
    graph_destroy(&around);
    mem_free(g.used);
    mem_free(g.next);
    mem_free(g.spare);
    return good ? most_colors : -1;
}

// ---- single -------------------------------------------------------------------------------------

// The cliques of a round, and what it has changed.
typedef struct {
    int *member, *start; // of clique i: member[start[i]] to member[start[i + 1] - 1]
    int member_count, member_room, count, start_room;
    bool failed;   // memory ran out
    bool* changed; // of each node: its rows are no longer those that the cliques were found with
    int* shared;   // of each row: how many nodes of the clique at hand have it
    int* copies;   // of each particle's own row: its copies so far
    int* origin;   // of each row: the particle's own
} round;

static void keep_clique(const int* node, int count, void* context)
{
    round* r = context;
    if (r->failed ||
        !mem_reserve((void**)&r->member, &r->member_room, (int64_t)r->member_count + count,
                     sizeof *r->member) ||
        !mem_reserve((void**)&r->start, &r->start_room, (int64_t)r->count + 2, sizeof *r->start)) {
        r->failed = true;
        return;
    }
    memcpy(r->member + r->member_count, node, (size_t)count * sizeof *node);
    r->start[r->count++] = r->member_count;
    r->member_count += count;
    r->start[r->count] = r->member_count;
}

typedef struct {
    int size, number;
} ranked;

static int compare_ranked(const void* left, const void* right)
{
    const ranked *a = left, *b = right;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

// The row that most nodes of a clique have, the lowest of several; -1 when no two have the same.
static int most_shared(const placement* p, const round* r, const int* node, int count)
{
    int best = -1, most = 1;
    for (int i = 0; i < count; ++i)
        for (int c = p->offset[node[i]]; c < p->offset[node[i] + 1]; ++c) r->shared[p->row[c]]++;
    for (int i = 0; i < count; ++i)
        for (int c = p->offset[node[i]]; c < p->offset[node[i] + 1]; ++c) {
            int row = p->row[c], times = r->shared[row];
            if (times > most || (times == most && times > 1 && row < best)) {
                most = times;
                best = row;
            }
        }
    for (int i = 0; i < count; ++i)
        for (int c = p->offset[node[i]]; c < p->offset[node[i] + 1]; ++c) r->shared[p->row[c]] = 0;
    return best;
}

// Lines 5 to 19 of Algorithm 2: a phantom for each of the clique's nodes that have the row.
static void split_clique(placement* p, const round* r, const int* node, int count)
{
    int row = most_shared(p, r, node, count);
    for (int i = 0; i < count && row >= 0; ++i)
        for (int c = p->offset[node[i]]; c < p->offset[node[i] + 1]; ++c) {
            if (p->row[c] != row) continue;
            r->origin[p->row_count] = r->origin[row];
            p->copy[p->row_count] = ++r->copies[r->origin[row]];
            p->row[c] = p->row_count++;
            r->changed[node[i]] = true;
        }
}

static bool has_changed(const round* r, const int* node, int count)
{
    for (int i = 0; i < count; ++i)
        if (r->changed[node[i]]) return true;
    return false;
}

// Largest first. A clique one of whose nodes has changed may be none any more: if it is one, the
// next round finds it.
static bool split_cliques(placement* p, round* r)
{
    ranked* order = mem_array((size_t)r->count, sizeof *order);
    if (!order) return false;
    for (int i = 0; i < r->count; ++i) order[i] = (ranked){r->start[i + 1] - r->start[i], i};
    qsort(order, (size_t)r->count, sizeof *order, compare_ranked);
    for (int i = 0; i < r->count; ++i) {
        const int* node = r->member + r->start[order[i].number];
        if (!has_changed(r, node, order[i].size)) split_clique(p, r, node, order[i].size);
    }
    mem_free(order);
    return true;
}

// Splits cliques of more than `most` nodes until there are none, then colors. Returns the number of
// colors.
static int split_and_color(placement* p, round* r, int most)
{
    for (;;) {
        graph g = {0};
        r->count = r->member_count = 0;
        memset(r->changed, 0, (size_t)p->node_count * sizeof *r->changed);
        bool good = graph_create(p->node_count, p->row_count, p->offset, p->row, &g) &&
                    graph_find_cliques(&g, most + 1, keep_clique, r) && !r->failed;
        int colors = good && r->count == 0 ? graph_color_best(&g, p->color) : -1;
        graph_destroy(&g);
        if (!good || r->count == 0) return colors;
        if (!split_cliques(p, r)) return -1;
    }
}

int phantoms_single(placement* p, int most_colors)
{
    size_t room = (size_t)p->row_count + (size_t)p->offset[p->node_count];
    round r = {.changed = (bool*)mem_array((size_t)p->node_count, sizeof(bool)),
               .shared = (int*)mem_array_zero(room, sizeof(int)),
               .copies = (int*)mem_array_zero((size_t)p->row_count, sizeof(int)),
               .origin = (int*)mem_array(room, sizeof(int))};
    bool good = r.changed && r.shared && r.copies && r.origin;
    for (int i = 0; i < p->row_count && good; ++i) r.origin[i] = i;
    int colors = -1;
    for (int limit = most_colors; good && limit > 0; --limit) {
        colors = split_and_color(p, &r, limit);
        if (colors <= most_colors) break; // or it failed
    }
    mem_free(r.member);
    mem_free(r.start);
    mem_free(r.changed);
    mem_free(r.shared);
    mem_free(r.copies);
    mem_free(r.origin);
    return colors;
}

// ---- averaged -----------------------------------------------------------------------------------

int phantoms_average(placement* p, int colors, int exact)
{
    int particles = p->row_count;
    if (colors <= exact) return colors;
    int* copies = (int*)mem_array_zero((size_t)particles, sizeof(int));
    if (!copies) return -1;
    for (int n = 0; n < p->node_count; ++n) {
        if (p->color[n] < exact) continue;
        p->color[n] = exact;
        for (int c = p->offset[n]; c < p->offset[n + 1]; ++c) {
            p->copy[p->row_count] = ++copies[p->row[c]];
            p->row[c] = p->row_count++;
        }
    }
    mem_free(copies);
    return exact + 1;
}
