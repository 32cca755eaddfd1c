#include "partition/repair.h"
#include "partition/memberships.h"
#include "partition/pieces.h"

bool patch_set_append(patch_set* set, struct patch_info info)
{
    if (!mem_reserve((void**)&set->patch, &set->capacity, (int64_t)set->count + 1,
                     sizeof *set->patch))
        return false;
    set->patch[set->count++] = info;
    return true;
}

// ---- stray pieces: all pieces of a patch but the largest ----------------------------------------

typedef struct {
    int* piece;  // of each node
    int* size;   // of each piece, weighted
    int* main;   // of each patch: its largest piece
    int* next;   // of each node of a stray piece: the next one, below 0: none
    int* shared; // of each patch, new ones too; zero between calls
    int count;
} strays;

static void strays_destroy(strays* s)
{
    mem_free(s->piece);
    mem_free(s->size);
    mem_free(s->main);
    mem_free(s->next);
    mem_free(s->shared);
    *s = (strays){0};
}

static bool strays_create(int node_count, int patch_count, strays* out)
{
    size_t nodes = (size_t)node_count, patches = (size_t)patch_count;
    *out = (strays){.piece = mem_array(nodes, sizeof *out->piece),
                    .size = mem_array_zero(nodes, sizeof *out->size),
                    .main = mem_array(patches, sizeof *out->main),
                    .next = mem_array(nodes, sizeof *out->next)};
    if (out->piece && out->size && out->main && out->next) return true;
    strays_destroy(out);
    return false;
}

static bool measure_pieces(const level* l, const patch_set* set, const int* patch, strays* s)
{
    const graph* g = &l->g;
    if (!find_pieces(g, patch, set->count, s->piece)) return false;
    for (int i = 0; i < set->count; ++i) s->main[i] = -1;
    for (int j = 0; j < g->node_count; ++j) {
        s->next[j] = -1;
        s->size[s->piece[j]] += l->weight[j];
    }
    for (int j = 0; j < g->node_count; ++j) {
        int* main = &s->main[patch[j]];
        if (s->piece[j] == j && (*main < 0 || s->size[j] > s->size[*main])) *main = j;
    }
    return true;
}

// Links the nodes of every stray piece, highest first after its lowest, and counts the pieces.
static void link_strays(const graph* g, const patch_set* set, const int* patch, strays* s)
{
    for (int j = 0; j < g->node_count; ++j) {
        int piece = s->piece[j];
        if (set->patch[patch[j]].component < 0 || s->main[patch[j]] == piece) continue;
        if (piece == j) {
            s->count++;
        } else {
            s->next[j] = s->next[piece];
            s->next[piece] = j;
        }
    }
}

// ---- homes for stray pieces ---------------------------------------------------------------------

// Counts, for every patch, the piece's particles that it has, once for each node of the piece.
// Returns how many the piece has itself.
static int count_shared(const rows* r, const strays* s, int piece, int by)
{
    const graph* g = r->g;
    int own = 0;
    for (int j = piece; j >= 0; j = s->next[j]) {
        own += r->l->inner[j];
        for (int i = g->offset[j]; i < g->offset[j + 1]; ++i) {
            int p = g->particle[i], width = r->l->width[p];
            const row* at = r->row + r->list[p].first;
            own += width;
            for (int k = 0; k < r->list[p].count; ++k) s->shared[at[k].patch] += by * width;
        }
    }
    return own;
}

// The neighbor with the most in common that has room; below 0: none.
static int find_neighbor(const rows* r, const strays* s, int piece, patch_bounds bounds)
{
    const graph* g = r->g;
    int own = count_shared(r, s, piece, 1), best = -1;
    for (int j = piece; j >= 0; j = s->next[j])
        for (int i = g->offset[j]; i < g->offset[j + 1]; ++i) {
            const row_list* list = &r->list[g->particle[i]];
            const row* at = r->row + list->first;
            for (int k = 0; k < list->count; ++k) {
                int to = at[k].patch;
                if (to == r->patch[piece] ||
                    r->node_count[to] > bounds.most_nodes - s->size[piece] ||
                    r->particle_count[to] > bounds.most_particles - (own - s->shared[to]))
                    continue;
                if (best < 0 || s->shared[to] > s->shared[best]) best = to;
            }
        }
    count_shared(r, s, piece, -1);
    return best;
}

static bool place_strays(rows* r, const strays* s, patch_bounds bounds, bool may_join,
                         patch_set* set)
{
    for (int j = 0; j < r->g->node_count; ++j) {
        int from = r->patch[j];
        if (s->piece[j] != j || set->patch[from].component < 0 || s->main[from] == j) continue;
        int to = may_join ? find_neighbor(r, s, j, bounds) : -1;
        if (to < 0) {
            to = set->count;
            struct patch_info info = set->patch[from];
            info.parts = 1;
            if (!patch_set_append(set, info)) return false;
        }
        for (int k = j; k >= 0; k = s->next[k]) rows_move(r, k, to);
    }
    return true;
}

// Gives every stray piece a patch, a neighbor's if it may join one.
static bool settle(const level* l, patch_bounds bounds, bool may_join, patch_set* set, int* patch,
                   strays* s)
{
    int most_patches = set->count + s->count;
    rows r;
    if (!rows_create(l, patch, most_patches, &r)) return false;
    s->shared = mem_array_zero((size_t)most_patches, sizeof *s->shared);
    bool done = s->shared && place_strays(&r, s, bounds, may_join, set);
    rows_destroy(&r);
    return done;
}

// A stray piece may have joined another one: a few rounds, then what is left stays by itself.
bool repair(const level* l, patch_bounds bounds, patch_set* set, int* patch, int* out_strays)
{
    *out_strays = 0;
    enum { ROUNDS = 4 };
    for (int round = 0; round < ROUNDS; ++round) {
        strays s;
        if (!strays_create(l->g.node_count, set->count, &s)) return false;
        bool done = measure_pieces(l, set, patch, &s);
        if (done) link_strays(&l->g, set, patch, &s);
        int count = s.count;
        *out_strays += count;
        if (done && count > 0) done = settle(l, bounds, round < ROUNDS - 1, set, patch, &s);
        strays_destroy(&s);
        if (!done || count == 0) return done;
    }
    return true;
}
