#include "graph/clique.h"
#include <string.h>

enum { MOST_NEAR = 4096, WORD = 64, MEMBER_WORK = 8 };
enum { MOST_WORK = 1 << 24, MOST_WORK_PER_NODE = 1 << 14 };

// The surroundings of one node: its neighbors, numbered from 0, and the search among them.
typedef struct {
    const graph* g;
    int least;
    clique_fn* found;
    void* context;
    int* rank;      // of each node: its place in the order
    int* near;      // its neighbors
    int* seen;      // of each node: 1 + the last one that it was near to
    int near_count; // those behind it in the order first
    int behind;
    int words;        // of a set of neighbors
    uint64_t* next;   // of each neighbor: those next to it
    uint64_t* at;     // of each particle around: the neighbors that have it
    int* place;       // of each particle: its number among those around
    int* around;      // those particles
    uint64_t* levels; // two sets for each level of the search: may join, have been tried
    int* member;      // of the clique at hand, with the node itself
    int64_t work;     // words that may still be looked at; a member of a clique counts as several
    size_t room;      // of the above, in neighbors
} search;

// ---- sets of neighbors --------------------------------------------------------------------------

static int count_common(const uint64_t* a, const uint64_t* b, int words)
{
    int count = 0;
    for (int i = 0; i < words; ++i) count += __builtin_popcountll(a[i] & b[i]);
    return count;
}

static bool is_empty(const uint64_t* a, int words)
{
    for (int i = 0; i < words; ++i)
        if (a[i]) return false;
    return true;
}

// The first member from `from` on, -1: none.
static int next_member(const uint64_t* a, int words, int from)
{
    for (int i = from / WORD; i < words; ++i) {
        uint64_t rest = a[i];
        if (i == from / WORD) rest &= ~(uint64_t)0 << from % WORD;
        if (rest) return i * WORD + __builtin_ctzll(rest);
    }
    return -1;
}

static void include(uint64_t* a, int i) { a[i / WORD] |= (uint64_t)1 << i % WORD; }
static void leave_out(uint64_t* a, int i) { a[i / WORD] &= ~((uint64_t)1 << i % WORD); }

// ---- the search ---------------------------------------------------------------------------------

typedef struct {
    uint64_t *join, *tried; // may join; have been tried, so that a clique with them was found
} level;

static level level_at(const search* s, int depth)
{
    uint64_t* first = s->levels + (size_t)depth * 2 * (size_t)s->words;
    return (level){first, first + s->words};
}

static const uint64_t* next_to(const search* s, int i)
{
    return s->next + (size_t)i * (size_t)s->words;
}

// How many of those that may join are next to one.
static int count_next(search* s, const level* l, int i)
{
    s->work -= s->words;
    return count_common(next_to(s, i), l->join, s->words);
}

// Takes those that are next to all others that may join: every clique from here on has them.
// Returns the size of the clique at hand.
static int take_common(search* s, level* l, int size)
{
    int joining = count_common(l->join, l->join, s->words);
    for (int i = next_member(l->join, s->words, 0); i >= 0;
         i = next_member(l->join, s->words, i + 1)) {
        if (count_next(s, l, i) + 1 < joining) continue;
        s->member[size++] = s->near[i];
        leave_out(l->join, i);
        for (int w = 0; w < s->words; ++w) l->tried[w] &= next_to(s, i)[w];
        joining--;
    }
    return size;
}

// The one next to most, joining or tried: a clique without it has one that is not next to it.
static int choose_pivot(search* s, const level* l)
{
    int best = -1, most = -1;
    for (int side = 0; side < 2; ++side) {
        const uint64_t* from = side ? l->join : l->tried;
        for (int i = next_member(from, s->words, 0); i >= 0;
             i = next_member(from, s->words, i + 1)) {
            int common = count_next(s, l, i);
            if (common <= most) continue;
            most = common;
            best = i;
        }
    }
    return best;
}

static void report(search* s, const int* member, int size)
{
    s->work -= MEMBER_WORK * (int64_t)size;
    s->found(member, size, s->context);
}

static void extend(search* s, int depth, int size);

// Each of those that may join and are not next to the pivot, in turn.
static void branch(search* s, level* l, int pivot, int depth, int size)
{
    level inner = level_at(s, depth + 1);
    const uint64_t* covered = next_to(s, pivot);
    for (int i = next_member(l->join, s->words, 0); i >= 0 && s->work > 0;
         i = next_member(l->join, s->words, i + 1)) {
        if (covered[i / WORD] >> i % WORD & 1) continue;
        for (int w = 0; w < s->words; ++w) {
            inner.join[w] = l->join[w] & next_to(s, i)[w];
            inner.tried[w] = l->tried[w] & next_to(s, i)[w];
        }
        s->member[size] = s->near[i];
        extend(s, depth + 1, size + 1);
        leave_out(l->join, i);
        include(l->tried, i);
    }
}

static void extend(search* s, int depth, int size)
{
    level l = level_at(s, depth);
    if (size + count_common(l.join, l.join, s->words) < s->least) return;
    size = take_common(s, &l, size);
    if (!is_empty(l.join, s->words))
        branch(s, &l, choose_pivot(s, &l), depth, size);
    else if (is_empty(l.tried, s->words))
        report(s, s->member, size);
}

// ---- surroundings -------------------------------------------------------------------------------

// Neighbors on one side of the node in the order: behind it, or before it.
static void list_near(search* s, int node, bool behind)
{
    const graph* g = s->g;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i];
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k) {
            int other = g->node[k];
            if (s->seen[other] == node + 1 || (s->rank[other] > s->rank[node]) != behind) continue;
            s->seen[other] = node + 1;
            s->near[s->near_count++] = other;
        }
    }
}

static void free_room(search* s)
{
    mem_free(s->next);
    mem_free(s->at);
    mem_free(s->around);
    mem_free(s->levels);
    mem_free(s->member);
    s->next = s->at = s->levels = NULL;
    s->around = s->member = NULL;
}

static int incidences(const search* s)
{
    int count = 0;
    for (int i = 0; i < s->near_count; ++i)
        count += s->g->offset[s->near[i] + 1] - s->g->offset[s->near[i]];
    return count;
}

// Grows by halves, so that it is made a few times only.
static bool make_room(search* s)
{
    size_t wanted = (size_t)incidences(s);
    if (wanted <= s->room) return true;
    free_room(s);
    s->room = wanted + wanted / 2;
    size_t words = (s->room + WORD - 1) / WORD;
    if (words > MOST_NEAR / WORD) words = MOST_NEAR / WORD;
    size_t most = s->room < MOST_NEAR ? s->room : MOST_NEAR;
    s->next = mem_array(most * words, sizeof *s->next);
    s->at = mem_array(s->room * words, sizeof *s->at);
    s->around = mem_array(s->room, sizeof *s->around);
    s->levels = mem_array((most + 2) * 2 * words, sizeof *s->levels);
    s->member = mem_array(most + 1, sizeof *s->member);
    return s->next && s->at && s->around && s->levels && s->member;
}

// Who has each particle around, then who is next to whom: those that have one of its particles.
static void fill_matrix(search* s)
{
    const graph* g = s->g;
    size_t words = (size_t)s->words;
    int count = 0;
    for (int i = 0; i < s->near_count; ++i)
        for (int k = g->offset[s->near[i]]; k < g->offset[s->near[i] + 1]; ++k) {
            int* place = &s->place[g->particle[k]];
            if (*place < 0) {
                s->around[count] = g->particle[k];
                memset(s->at + (size_t)count * words, 0, words * sizeof *s->at);
                *place = count++;
            }
            include(s->at + (size_t)*place * words, i);
        }
    memset(s->next, 0, (size_t)s->near_count * words * sizeof *s->next);
    for (int i = 0; i < s->near_count; ++i) {
        uint64_t* next = s->next + (size_t)i * words;
        for (int k = g->offset[s->near[i]]; k < g->offset[s->near[i] + 1]; ++k) {
            const uint64_t* at = s->at + (size_t)s->place[g->particle[k]] * words;
            for (size_t w = 0; w < words; ++w) next[w] |= at[w];
            s->work -= s->words;
        }
        leave_out(next, i);
    }
    for (int i = 0; i < count; ++i) s->place[s->around[i]] = -1;
}

static bool search_around(search* s, int node)
{
    s->words = (s->near_count + WORD - 1) / WORD;
    if (!make_room(s)) return false;
    fill_matrix(s);
    level first = level_at(s, 0);
    memset(first.join, 0, (size_t)s->words * 2 * sizeof *first.join);
    for (int i = 0; i < s->near_count; ++i) include(i < s->behind ? first.join : first.tried, i);
    s->member[0] = node;
    extend(s, 0, 1);
    return true;
}

// The nodes of each particle of which this one is the first.
static void take_stars(search* s, int node)
{
    const graph* g = s->g;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        const int *star = g->node + g->node_offset[g->particle[i]],
                  *end = g->node + g->node_offset[g->particle[i] + 1];
        bool first = end - star >= s->least && end - star > 1;
        for (const int* k = star; k < end && first; ++k) first = s->rank[*k] >= s->rank[node];
        if (first) report(s, star, (int)(end - star));
    }
}

// Whether one before the node is next to all behind it, since they have a particle in common: then
// all cliques from here on were found with it.
static bool is_covered(const search* s, int node)
{
    const graph* g = s->g;
    bool covered = false;
    for (int i = g->offset[node]; i < g->offset[node + 1] && !covered; ++i) {
        int p = g->particle[i], behind = 0;
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k)
            behind += s->rank[g->node[k]] > s->rank[node];
        covered = behind == s->behind && behind + 1 < g->node_offset[p + 1] - g->node_offset[p];
    }
    return covered;
}

static bool search_node(search* s, int node)
{
    s->near_count = 0;
    s->seen[node] = node + 1;
    list_near(s, node, true);
    s->behind = s->near_count;
    if (s->behind + 1 < s->least || is_covered(s, node)) return true;
    list_near(s, node, false);
    int64_t before = s->work;
    if (s->near_count > 0 && s->near_count <= MOST_NEAR && s->work > 0) {
        if (!search_around(s, node)) return false;
    } else if (s->near_count == 0) {
        report(s, &node, 1);
    } else {
        take_stars(s, node);
    }
    if (before > 0 && s->work <= 0) take_stars(s, node); // it was cut short
    return true;
}

bool graph_find_cliques(const graph* g, int least, clique_fn* found, void* context)
{
    size_t nodes = (size_t)g->node_count, particles = (size_t)g->particle_count;
    int* order = mem_array(nodes, sizeof *order);
    search s = {.g = g,
                .least = least,
                .found = found,
                .context = context,
                .rank = mem_array(nodes, sizeof(int)),
                .near = mem_array(nodes, sizeof(int)),
                .seen = mem_array_zero(nodes, sizeof(int)),
                .place = mem_array(particles, sizeof(int)),
                .work = MOST_WORK + MOST_WORK_PER_NODE * (int64_t)g->node_count};
    bool good =
        order && s.rank && s.near && s.seen && s.place && graph_order_smallest_last(g, order);
    for (int i = 0; i < g->node_count && good; ++i) s.rank[order[g->node_count - 1 - i]] = i;
    if (good) memset(s.place, 0xff, particles * sizeof(int));
    for (int i = g->node_count - 1; i >= 0 && good; --i) good = search_node(&s, order[i]);
    free_room(&s);
    mem_free(order);
    mem_free(s.rank);
    mem_free(s.near);
    mem_free(s.seen);
    mem_free(s.place);
    return good;
}

static void keep_largest(const int* node, int count, void* context)
{
    (void)node;
    int* most = context;
    if (count > *most) *most = count;
}

int graph_clique_number(const graph* g)
{
    int most = graph_clique(g);
    return graph_find_cliques(g, most, keep_largest, &most) ? most : -1;
}
