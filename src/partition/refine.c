#include "partition/refine.h"

// Particles in more patches than this stay so whatever one node does; particles with more nodes
// than this do not tell all of them about every move.
enum { MANY_ROWS = 32, MANY_NODES = 256 };

// For each node beyond a limit, in rows: more than the rows of a node that stands for one.
enum { PENALTY = 16 };

// More than any number of particles of a node.
enum { FIRST = 1 << 30 };

struct undo {
    int node, from;
};

bool refiner_create(rows* r, int patch_count, refiner* out)
{
    size_t nodes = (size_t)r->g->node_count, patches = (size_t)patch_count;
    *out = (refiner){.r = r};
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

// What a patch of so many is beyond its limits, in nodes. Particles count more than the nodes that
// have to leave for one to go: equal work is a wish, room for the particles is not.
static int64_t beyond(const patch_limit* l, int nodes, int particles)
{
    enum { PER_PARTICLE = 16 };
    int64_t out = nodes > l->most ? nodes - l->most : nodes < l->least ? l->least - nodes : 0;
    return particles > l->most_particles
               ? out + PER_PARTICLE * (int64_t)(particles - l->most_particles)
               : out;
}

// What the limits gain by a move that takes `leaving` particles from one patch and brings
// `entering` to another.
static int64_t limits_gain(const refiner* f, int node, int to, int leaving, int entering)
{
    const rows* r = f->r;
    int from = r->patch[node], w = r->l->weight[node];
    const patch_limit *a = &f->limit[from], *b = &f->limit[to];
    int *nodes = r->node_count, *particles = r->particle_count;
    return beyond(a, nodes[from], particles[from]) -
           beyond(a, nodes[from] - w, particles[from] - leaving) +
           beyond(b, nodes[to], particles[to]) - beyond(b, nodes[to] + w, particles[to] + entering);
}

// How many rows the node's own patch loses without it; `touched` gets the patches around it.
static int look_around(refiner* f, int node, int* out_touched, int* out_shared)
{
    const rows* r = f->r;
    const graph* g = r->g;
    int leaving = 0, touched = 0, shared = 0, from = r->patch[node];
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        const row_list* list = &r->list[g->particle[i]];
        const row* at = r->row + list->first;
        if (list->count > MANY_ROWS) continue;
        int width = list->width;
        shared += width;
        for (int k = 0; k < list->count; ++k) {
            if (at[k].patch == from) {
                leaving += at[k].count == 1 ? width : 0;
            } else {
                if (f->present[at[k].patch] == 0) f->touched[touched++] = at[k].patch;
                f->present[at[k].patch] += width;
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
    int inner = f->r->l->inner[node];
    for (int t = 0; t < touched; ++t) {
        int to = f->touched[t], entering = shared - f->present[to];
        f->present[to] = 0;
        int saved = leaving - entering;
        int64_t within = limits_gain(f, node, to, leaving + inner, entering + inner);
        int64_t order = saved + (within > 0 ? FIRST : PENALTY * within);
        if (t > 0 && (order < out->order || (order == out->order && to > out->to))) continue;
        *out = (move){to, saved + PENALTY * within, order};
    }
    return touched > 0;
}

// Whether another patch has about half of the node's particles. Others would bring as many rows as
// they have particles: not looking at them saves half of the time.
static bool is_near_another(const refiner* f, int node)
{
    const rows* r = f->r;
    int near = 0;
    for (int i = r->g->offset[node]; i < r->g->offset[node + 1]; ++i) {
        const row_list* list = &r->list[r->g->particle[i]];
        near += list->count > 1 ? list->width : -list->width;
    }
    return near >= 0;
}

static void update(refiner* f, int node)
{
    move found;
    if (f->last_pass[node] == f->pass) return;
    bool movable = is_near_another(f, node) && find_move(f, node, &found);
    bool queued = f->place[node] >= 0;
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

// Tells the nodes of a particle of the move, those that have not been told yet.
static void update_nodes(refiner* f, int particle)
{
    const graph* g = f->r->g;
    for (int k = g->node_offset[particle]; k < g->node_offset[particle + 1]; ++k) {
        int node = g->node[k];
        if (f->last_move[node] == f->moves) continue;
        f->last_move[node] = f->moves;
        update(f, node);
    }
}

static void update_around(refiner* f, int node, int from)
{
    const graph* g = f->r->g;
    int to = f->r->patch[node];
    f->moves++;
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        int p = g->particle[i], nodes = g->node_offset[p + 1] - g->node_offset[p];
        if (nodes <= MANY_NODES && is_critical(f->r, p, from, to)) update_nodes(f, p);
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

// Nodes at particles of several patches; no other can move.
static void queue_interfaces(refiner* f)
{
    const graph* g = f->r->g;
    f->moves++;
    for (int p = 0; p < g->particle_count; ++p)
        if (f->r->list[p].count > 1) update_nodes(f, p);
}

void refine(refiner* f, const patch_limit* limit, int most_passes)
{
    enum { PATIENCE = 100, LEAST_GAIN = 200 };
    f->limit = limit;
    for (int pass = 0; pass < most_passes; ++pass) {
        f->pass++;
        queue_interfaces(f);
        int queued = f->heap_count;
        if (run_pass(f, 50 + queued / PATIENCE) <= queued / LEAST_GAIN) return;
    }
}
