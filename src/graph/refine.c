#include "graph/refine.h"

// Particles in more patches than this stay so whatever one node does; particles with more nodes
// than this do not tell all of them about every move.
enum { MANY_ROWS = 32, MANY_NODES = 256 };

// More than any number of particles of a node.
enum { FIRST = 1 << 30 };

struct undo {
    int node, from;
};

bool patch_limits_allocate(patch_limits* l, int patch_count)
{
    patch_limits_destroy(l);
    l->most = mem_array_zero((size_t)patch_count, sizeof *l->most);
    l->least = mem_array_zero((size_t)patch_count, sizeof *l->least);
    return l->most && l->least;
}

void patch_limits_destroy(patch_limits* l)
{
    mem_free(l->most);
    mem_free(l->least);
    l->most = l->least = NULL;
}

bool refiner_create(rows* r, const patch_limits* limits, int patch_count, refiner* out)
{
    size_t nodes = (size_t)r->g->node_count, patches = (size_t)patch_count;
    *out = (refiner){.r = r, .limits = limits};
    out->heap = mem_array(nodes, sizeof *out->heap);
    out->place = mem_array(nodes, sizeof *out->place);
    out->last_pass = mem_array_zero(nodes, sizeof *out->last_pass);
    out->last_move = mem_array_zero(nodes, sizeof *out->last_move);
    out->best = mem_array(nodes, sizeof *out->best);
    out->undo = mem_array(nodes, sizeof *out->undo);
    out->present = mem_array_zero(patches, sizeof *out->present);
    out->touched = mem_array(patches, sizeof *out->touched);
    if (out->heap && out->place && out->last_pass && out->last_move && out->best && out->undo &&
        out->present && out->touched) {
        for (size_t j = 0; j < nodes; ++j) out->place[j] = -1;
        return true;
    }
    refiner_destroy(out);
    return false;
}

void refiner_destroy(refiner* f)
{
    mem_free(f->heap);
    mem_free(f->place);
    mem_free(f->last_pass);
    mem_free(f->last_move);
    mem_free(f->best);
    mem_free(f->undo);
    mem_free(f->present);
    mem_free(f->touched);
    *f = (refiner){0};
}

// ---- heap ---------------------------------------------------------------------------------------

static bool is_better(const refiner* f, int a, int b)
{
    int64_t left = f->best[a].order, right = f->best[b].order;
    return left != right ? left > right : a < b;
}

static void put(refiner* f, int at, int node)
{
    f->heap[at] = node;
    f->place[node] = at;
}

static void sift(refiner* f, int at)
{
    int node = f->heap[at];
    for (; at > 0 && is_better(f, node, f->heap[(at - 1) / 2]); at = (at - 1) / 2)
        put(f, at, f->heap[(at - 1) / 2]);
    for (;;) {
        int child = 2 * at + 1;
        if (child >= f->heap_count) break;
        if (child + 1 < f->heap_count && is_better(f, f->heap[child + 1], f->heap[child])) child++;
        if (!is_better(f, f->heap[child], node)) break;
        put(f, at, f->heap[child]);
        at = child;
    }
    put(f, at, node);
}

static void heap_remove(refiner* f, int node)
{
    int at = f->place[node], last = f->heap[--f->heap_count];
    f->place[node] = -1;
    if (last == node) return;
    put(f, at, last);
    sift(f, at);
}

// ---- moves --------------------------------------------------------------------------------------

static int64_t beyond_nodes(const patch_limits* l, int patch, int count)
{
    if (count > l->most[patch]) return count - l->most[patch];
    return count < l->least[patch] ? l->least[patch] - count : 0;
}

static int64_t beyond_particles(const patch_limits* l, int count)
{
    return count > l->most_particles ? count - l->most_particles : 0;
}

// What the limits gain by a move that takes `leaving` particles from one patch and brings
// `entering` to another.
static int64_t limits_gain(const refiner* f, int node, int to, int leaving, int entering)
{
    const rows* r = f->r;
    const patch_limits* l = f->limits;
    int from = r->patch[node], w = r->weight[node];
    return beyond_nodes(l, from, r->node_count[from]) -
           beyond_nodes(l, from, r->node_count[from] - w) + beyond_nodes(l, to, r->node_count[to]) -
           beyond_nodes(l, to, r->node_count[to] + w) +
           beyond_particles(l, r->particle_count[from]) -
           beyond_particles(l, r->particle_count[from] - leaving) +
           beyond_particles(l, r->particle_count[to]) -
           beyond_particles(l, r->particle_count[to] + entering);
}

// How many rows the node's own patch loses without it; `touched` gets the patches around it.
static int look_around(refiner* f, int node, int* out_touched, int* out_shared)
{
    const rows* r = f->r;
    const graph* g = r->g;
    int leaving = 0, touched = 0, shared = 0;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i];
        const row* at = r->row + g->node_offset[p];
        if (r->row_count[p] > MANY_ROWS) continue;
        shared++;
        for (int k = 0; k < r->row_count[p]; ++k) {
            if (at[k].patch == r->patch[node]) {
                leaving += at[k].count == 1;
            } else if (f->present[at[k].patch]++ == 0) {
                f->touched[touched++] = at[k].patch;
            }
        }
    }
    *out_touched = touched;
    *out_shared = shared;
    return leaving;
}

// What helps the limits goes first, but by how much does not count: heavy nodes would go first and
// tear the patch. False when no other patch is near.
static bool find_move(refiner* f, int node, move* out)
{
    int touched, shared, leaving = look_around(f, node, &touched, &shared);
    for (int t = 0; t < touched; ++t) {
        int to = f->touched[t], entering = shared - f->present[to];
        f->present[to] = 0;
        int saved = leaving - entering, penalty = f->limits->penalty;
        int64_t within = limits_gain(f, node, to, leaving, entering);
        int64_t order = saved + (within > 0 ? FIRST : penalty * within);
        if (t > 0 && (order < out->order || (order == out->order && to > out->to))) continue;
        *out = (move){to, saved + penalty * within, order};
    }
    return touched > 0;
}

static void update(refiner* f, int node)
{
    move found;
    if (f->last_pass[node] == f->pass) return;
    bool movable = find_move(f, node, &found), queued = f->place[node] >= 0;
    if (!movable) {
        if (queued) heap_remove(f, node);
        return;
    }
    f->best[node] = found;
    if (!queued) put(f, f->heap_count++, node);
    sift(f, f->place[node]);
}

// A move changes the gains of other nodes only where a row came, went, or has one node.
static bool is_critical(const rows* r, int particle, int from, int to)
{
    const row *left = rows_find(r, particle, from), *entered = rows_find(r, particle, to);
    return !left || left->count == 1 || entered->count <= 2;
}

static void update_around(refiner* f, int node, int from)
{
    const graph* g = f->r->g;
    int to = f->r->patch[node];
    f->moves++;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i], first = g->node_offset[p], end = g->node_offset[p + 1];
        if (end - first > MANY_NODES || !is_critical(f->r, p, from, to)) continue;
        for (int k = first; k < end; ++k) {
            int other = g->node[k];
            if (f->last_move[other] == f->moves) continue;
            f->last_move[other] = f->moves;
            update(f, other);
        }
    }
}

// ---- passes -------------------------------------------------------------------------------------

// Takes the best move. Sizes have changed since it was found: what is now worse goes back and false
// is returned.
static bool take_best(refiner* f, int* out_node)
{
    int node = f->heap[0];
    move now;
    if (!find_move(f, node, &now)) {
        heap_remove(f, node);
        return false;
    }
    bool worse = now.order < f->best[node].order;
    f->best[node] = now;
    *out_node = node;
    if (worse)
        sift(f, 0);
    else
        heap_remove(f, node);
    return !worse;
}

static void clear_heap(refiner* f)
{
    for (int i = 0; i < f->heap_count; ++i) f->place[f->heap[i]] = -1;
    f->heap_count = 0;
}

// Returns what it gained.
static int64_t run_pass(refiner* f, int patience)
{
    int done = 0, kept = 0, node;
    int64_t gain = 0, best = 0;
    while (f->heap_count > 0 && done - kept <= patience) {
        if (!take_best(f, &node)) continue;
        if (patience == 0 && f->best[node].gain <= 0) break;
        int from = f->r->patch[node];
        f->undo[done++] = (struct undo){node, from};
        f->last_pass[node] = f->pass;
        gain += f->best[node].gain;
        rows_move(f->r, node, f->best[node].to);
        update_around(f, node, from);
        if (gain <= best) continue;
        best = gain;
        kept = done;
    }
    while (done > kept) {
        --done;
        rows_move(f->r, f->undo[done].node, f->undo[done].from);
    }
    clear_heap(f);
    return best;
}

void refine(refiner* f, int patience, int most_passes)
{
    for (int pass = 0; pass < most_passes; ++pass) {
        f->pass++;
        for (int j = 0; j < f->r->g->node_count; ++j) update(f, j);
        if (run_pass(f, patience) == 0) return;
    }
}
