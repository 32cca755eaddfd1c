#include "graph/partition.h"
#include "graph/allot.h"
#include "graph/bisect.h"
#include "graph/members.h"
#include <limits.h>
#include <string.h>

typedef struct {
    patch_bounds bounds;
    levels levels;
    patch_set set;
    patch_limits limits;
    int* patch; // of each node of the level at hand
} partition;

static int used_particles(const graph* g)
{
    int used = 0;
    for (int p = 0; p < g->particle_count; ++p) used += g->node_offset[p] < g->node_offset[p + 1];
    return used;
}

static patch_bounds resolve(const graph* g, const partition_settings* s)
{
    enum { PATCHES = 1, LEAST = 256, MOST = 65535, PARTICLES = 1536 };
    int nodes = g->node_count / PATCHES;
    nodes = nodes < LEAST ? LEAST : nodes < MOST ? nodes : MOST;
    return (patch_bounds){s && s->most_nodes > 0 ? s->most_nodes : nodes,
                          s && s->most_particles > 0 ? s->most_particles : PARTICLES};
}

// High enough that no saving of rows by moving a node outweighs one node too many.
static int penalty(const graph* g)
{
    int most = 0;
    for (int j = 0; j < g->node_count; ++j)
        if (g->offset[j + 1] - g->offset[j] > most) most = g->offset[j + 1] - g->offset[j];
    return most + 1;
}

// ---- from the coarsest level to the finest ------------------------------------------------------

// Large clusters cannot be told apart from the patch that they fill: so many make one.
enum { CLUSTERS_PER_PATCH = 32 };

static bool make_levels(partition* t, const graph* g)
{
    int patches = allot_count(g->node_count, used_particles(g), t->bounds);
    return levels_create(g, g->node_count / patches / CLUSTERS_PER_PATCH, &t->levels);
}

static bool refine_level(partition* t, const level* l)
{
    rows r;
    refiner f;
    if (!rows_create(&l->g, l->weight, t->patch, t->set.count, &r)) return false;
    bool done = refiner_create(&r, &t->limits, t->set.count, &f);
    if (done) {
        refine(&f, 100 + l->g.node_count / 100, 4);
        refiner_destroy(&f);
    }
    rows_destroy(&r);
    return done;
}

// Pieces join their neighbors whatever the limits, and refinement evens that out.
static bool refine_whole(partition* t, const level* l)
{
    enum { ROUNDS = 3 };
    const patch_bounds none = {INT_MAX, INT_MAX};
    int strays = 1;
    for (int i = 0; i < ROUNDS && (i < 2 || strays > 0); ++i) {
        if (!repair(l, none, &t->set, t->patch, &strays)) return false;
        if ((i == 0 || strays > 0) && !refine_level(t, l)) return false;
    }
    return true;
}

// Nodes of the finer level get the patches of their clusters.
static bool project(partition* t, const level* fine)
{
    int* patch = mem_array((size_t)fine->g.node_count, sizeof *patch);
    if (!patch) return false;
    for (int j = 0; j < fine->g.node_count; ++j) patch[j] = t->patch[fine->cluster[j]];
    mem_free(t->patch);
    t->patch = patch;
    return true;
}

static bool cut_and_refine(partition* t)
{
    const level* coarsest = &t->levels.level[t->levels.count - 1];
    t->patch = mem_array((size_t)coarsest->g.node_count, sizeof *t->patch);
    if (!t->patch || !allot(coarsest, t->bounds, &t->set, &t->limits, t->patch) ||
        !refine_whole(t, coarsest))
        return false;
    for (int i = t->levels.count - 2; i >= 0; --i)
        if (!project(t, &t->levels.level[i]) || !refine_whole(t, &t->levels.level[i])) return false;
    return true;
}

// ---- limits that refinement could not keep ------------------------------------------------------

static bool is_beyond(const partition* t, const rows* r, int patch)
{
    return r->node_count[patch] > 1 && (r->node_count[patch] > t->bounds.most_nodes ||
                                        r->particle_count[patch] > t->bounds.most_particles);
}

// Cuts a patch in two; the second half gets a new number.
static bool halve(partition* t, bisector* b, int patch, int* node, int node_count)
{
    if (!bisect(b, 0, 2, node, node_count)) return false;
    for (int i = 0; i < node_count; ++i)
        if (b->part[node[i]] == 1) t->patch[node[i]] = t->set.count;
    return patch_set_append(&t->set, t->set.patch[patch].home, false);
}

static bool halve_those_beyond(partition* t, const rows* r, int* first, int* node, int* part)
{
    int count = t->set.count;
    bisector b;
    if (!bisector_create(r->g, r->weight, part, &b)) return false;
    list_members(t->patch, r->g->node_count, count, first, node);
    bool done = true;
    for (int i = 0; i < count && done; ++i)
        if (is_beyond(t, r, i)) done = halve(t, &b, i, node + first[i], first[i + 1] - first[i]);
    bisector_destroy(&b);
    return done;
}

// *out_again: some patch had to be cut.
static bool keep_bounds(partition* t, bool* out_again)
{
    const level* l = &t->levels.level[0];
    rows r;
    *out_again = false;
    if (!rows_create(&l->g, l->weight, t->patch, t->set.count, &r)) return false;
    for (int i = 0; i < t->set.count; ++i) *out_again |= is_beyond(t, &r, i);
    bool done = true;
    if (*out_again) {
        int* first = mem_array((size_t)t->set.count + 1, sizeof *first);
        int* node = mem_array((size_t)l->g.node_count, sizeof *node);
        int* part = mem_array((size_t)l->g.node_count, sizeof *part);
        done = first && node && part && halve_those_beyond(t, &r, first, node, part);
        mem_free(part);
        mem_free(node);
        mem_free(first);
    }
    rows_destroy(&r);
    return done;
}

// ---- numbers ------------------------------------------------------------------------------------

// Appends the patches that have nodes, in the order given, and tells every node its new number.
static bool number_in_order(partition* t, const int* order, int* number, patch_set* out)
{
    int nodes = t->levels.level[0].g.node_count;
    for (int j = 0; j < nodes; ++j) number[t->patch[j]] = 1;
    for (int i = 0; i < t->set.count; ++i) {
        if (number[order[i]] == 0) continue;
        number[order[i]] = out->count;
        if (!patch_set_append(out, out->count, t->set.patch[order[i]].is_pack)) return false;
    }
    for (int j = 0; j < nodes; ++j) t->patch[j] = number[t->patch[j]];
    return true;
}

static bool number_by_home(partition* t)
{
    size_t count = (size_t)t->set.count;
    patch_set numbered = {0};
    int *home = mem_array(count, sizeof *home), *first = mem_array(count + 1, sizeof *first);
    int *order = mem_array(count, sizeof *order), *number = mem_array_zero(count, sizeof *number);
    bool done = home && first && order && number;
    for (int i = 0; done && i < t->set.count; ++i) home[i] = t->set.patch[i].home;
    if (done) list_members(home, t->set.count, t->set.count, first, order);
    done = done && number_in_order(t, order, number, &numbered);
    mem_free(number);
    mem_free(order);
    mem_free(first);
    mem_free(home);
    mem_free(t->set.patch);
    t->set = numbered;
    return done;
}

// ---- the whole ----------------------------------------------------------------------------------

static void partition_destroy(partition* t)
{
    levels_destroy(&t->levels);
    patch_limits_destroy(&t->limits);
    mem_free(t->set.patch);
    mem_free(t->patch);
}

static bool run(partition* t, const graph* g)
{
    bool again = true;
    int strays;
    if (!make_levels(t, g) || !cut_and_refine(t)) return false;
    while (again)
        if (!repair(&t->levels.level[0], t->bounds, &t->set, t->patch, &strays) ||
            !number_by_home(t) || !keep_bounds(t, &again))
            return false;
    return true;
}

int graph_partition(const graph* g, const partition_settings* settings, int* out_patch)
{
    if (g->node_count == 0) return 0;
    partition t = {.bounds = resolve(g, settings)};
    t.limits.most_particles = t.bounds.most_particles;
    t.limits.penalty = penalty(g);
    bool done = run(&t, g);
    if (done) memcpy(out_patch, t.patch, (size_t)g->node_count * sizeof *out_patch);
    int count = done ? t.set.count : -1;
    partition_destroy(&t);
    return count;
}
