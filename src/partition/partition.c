#include "partition/partition.h"
#include "graph/members.h"
#include "partition/allot.h"
#include "partition/bisect.h"
#include "partition/coarsen.h"
#include "partition/limits.h"
#include "partition/refine.h"
#include "partition/split.h"
#include <limits.h>
#include <string.h>

typedef struct {
    patch_bounds bounds;
    levels levels;
    components components; // of the coarsest level
    patch_set set;
    int* patch; // of each node of the level at hand
    watcher* watch;
} partition;

static patch_bounds resolve(const partition_settings* s)
{
    enum { NODES = 65535, PARTICLES = 1536 };
    return (patch_bounds){s && s->most_nodes > 0 ? s->most_nodes : NODES,
                          s && s->most_particles > 0 ? s->most_particles : PARTICLES};
}

// ---- one level ----------------------------------------------------------------------------------

static int count_beyond(const partition* t, const rows* r)
{
    int count = 0;
    for (int i = 0; i < t->set.count; ++i)
        count += t->set.patch[i].component >= 0 && r->particle_count[i] > t->bounds.most_particles;
    return count;
}

// Once with limits that follow the mean. At the finest level, some patches may still have too many
// particles: then again with the limits as they are.
static bool refine_rows(partition* t, rows* r, refiner* f)
{
    enum { PASSES = 4, ROUNDS = 3 };
    bool is_finest = r->l == &t->levels.level[0];
    int most = limits_particles(&t->set, r, t->bounds);
    for (int i = 0; i < ROUNDS && (i == 0 || (is_finest && count_beyond(t, r) > 0)); ++i) {
        patch_limit* limit = limits_create(&t->set, &t->components, r, most);
        if (!limit) return false;
        refine(f, limit, PASSES);
        mem_free(limit);
        if (!watcher_tick(t->watch)) return false;
        most = t->bounds.most_particles;
    }
    return true;
}

static bool refine_level(partition* t, const level* l)
{
    rows r;
    refiner f;
    if (!rows_create(l, t->patch, t->set.count, &r)) return false;
    bool done = refiner_create(&r, t->set.count, &f);
    if (done) {
        done = refine_rows(t, &r, &f);
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
    for (int i = 0; i < ROUNDS && strays > 0; ++i)
        if (!refine_level(t, l) || !repair(l, none, &t->set, t->patch, &strays)) return false;
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

// ---- from the coarsest level to the finest ------------------------------------------------------

// Clusters that fill a patch cannot be told from it: so many make one.
enum { CLUSTERS_PER_PATCH = 64 };

// A patch for each component, at the coarsest level.
static bool begin(partition* t)
{
    const level* coarsest = &t->levels.level[t->levels.count - 1];
    mem_free(t->patch);
    t->patch = mem_array((size_t)coarsest->g.node_count, sizeof *t->patch);
    return t->patch && allot(&t->components, t->bounds, &t->set, coarsest->g.node_count, t->patch);
}

// Cuts what the level is fine enough for. *out_whole: there is nothing left to cut.
static bool cut_level(partition* t, int i, bool* out_whole)
{
    const level* l = &t->levels.level[i];
    int least_nodes = i > 0 ? 2 * CLUSTERS_PER_PATCH : 1;
    return (i == t->levels.count - 1 || project(t, l)) &&
           split(l, least_nodes, &t->set, t->patch, out_whole) && refine_whole(t, l);
}

// Whether other numbers of patches are needed than those that there are.
static bool review_numbers(partition* t, int i, int tries, bool* out_again)
{
    patch_sizes sizes;
    review v = {.bounds = t->bounds, .may_shrink = tries == 0, .is_finest = i == 0};
    if (!patch_sizes_create(&t->levels.level[i], t->patch, t->set.count, &sizes)) return false;
    bool done = allot_again(&t->components, &t->set, &sizes, v, out_again);
    patch_sizes_destroy(&sizes);
    return done;
}

// From the coarsest level down to the first where all patches are cut. Returns that level, below 0:
// out of memory.
static int cut_all(partition* t)
{
    bool whole = false;
    int i = t->levels.count;
    if (!begin(t)) return -1;
    while (!whole && i > 0)
        if (!cut_level(t, --i, &whole)) return -1;
    return i;
}

// Goes on from a level where all patches are cut to the finest. Level 2 is so near to the levels 1
// and 3 that it is not worth its time.
static bool refine_down(partition* t, int i)
{
    bool whole;
    while (i > 0) {
        --i;
        if (i == 2 && !project(t, &t->levels.level[i--])) return false;
        if (!cut_level(t, i, &whole)) return false;
    }
    return true;
}

// One try. *out_again: the numbers of patches were not good, and have been corrected.
static bool cut_and_refine(partition* t, int tries, bool is_last, bool* out_again)
{
    int i = cut_all(t);
    *out_again = false;
    if (i < 0 || (i > 0 && !is_last && !review_numbers(t, i, tries, out_again))) return false;
    return *out_again || (refine_down(t, i) && review_numbers(t, 0, tries, out_again));
}

static bool make_levels(partition* t, const graph* g)
{
    return levels_create(g, g->node_count / CLUSTERS_PER_PATCH / 2, &t->levels) &&
           watcher_tick(t->watch) &&
           components_create(&t->levels.level[t->levels.count - 1], t->bounds, &t->components);
}

// ---- limits that refinement could not keep ------------------------------------------------------

static bool is_beyond(const partition* t, const patch_sizes* s, int patch)
{
    return s->nodes[patch] > 1 && (s->nodes[patch] > t->bounds.most_nodes ||
                                   s->particles[patch] > t->bounds.most_particles);
}

// Cuts a patch in two; the second half gets a new number.
static bool halve(partition* t, bisector* b, int patch, int* node, int node_count)
{
    struct patch_info info = t->set.patch[patch];
    int left = bisect(b, 1, 2, node, node_count);
    for (int i = left; i >= 0 && i < node_count; ++i) t->patch[node[i]] = t->set.count;
    return left >= 0 && patch_set_append(&t->set, info);
}

static bool halve_those_beyond(partition* t, const patch_sizes* s, int* first, int* node)
{
    const level* l = &t->levels.level[0];
    int count = t->set.count;
    bisector b;
    if (!bisector_create(l, &b)) return false;
    list_members(t->patch, l->g.node_count, count, first, node);
    bool done = true;
    for (int i = 0; i < count && done; ++i)
        if (is_beyond(t, s, i)) done = halve(t, &b, i, node + first[i], first[i + 1] - first[i]);
    bisector_destroy(&b);
    return done;
}

// *out_again: some patch had to be cut.
static bool keep_bounds(partition* t, bool* out_again)
{
    const level* l = &t->levels.level[0];
    patch_sizes s;
    *out_again = false;
    if (!patch_sizes_create(l, t->patch, t->set.count, &s)) return false;
    for (int i = 0; i < t->set.count; ++i) *out_again |= is_beyond(t, &s, i);
    bool done = true;
    if (*out_again) {
        int* first = mem_array((size_t)t->set.count + 1, sizeof *first);
        int* node = mem_array((size_t)l->g.node_count, sizeof *node);
        done = first && node && halve_those_beyond(t, &s, first, node);
        mem_free(node);
        mem_free(first);
    }
    patch_sizes_destroy(&s);
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
        struct patch_info info = t->set.patch[order[i]];
        info.home = out->count;
        if (!patch_set_append(out, info)) return false;
    }
    for (int j = 0; j < nodes; ++j) t->patch[j] = number[t->patch[j]];
    return true;
}

static bool number_by_home(partition* t)
{
    size_t count = (size_t)t->set.count;
    patch_set numbered = {0};
    int homes = 0;
    for (int i = 0; i < t->set.count; ++i)
        if (t->set.patch[i].home >= homes) homes = t->set.patch[i].home + 1;
    int *home = mem_array(count, sizeof *home),
        *first = mem_array((size_t)homes + 1, sizeof *first);
    int *order = mem_array(count, sizeof *order), *number = mem_array_zero(count, sizeof *number);
    bool done = home && first && order && number;
    for (int i = 0; done && i < t->set.count; ++i) home[i] = t->set.patch[i].home;
    if (done) list_members(home, t->set.count, homes, first, order);
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
    components_destroy(&t->components);
    mem_free(t->set.patch);
    mem_free(t->patch);
}

static bool run(partition* t, const graph* g)
{
    enum { TRIES = 4 };
    bool again = true;
    int strays;
    if (!make_levels(t, g)) return false;
    for (int i = 0; i < TRIES && again; ++i)
        if (!cut_and_refine(t, i, i == TRIES - 1, &again)) return false;
    for (again = true; again;)
        if (!repair(&t->levels.level[0], t->bounds, &t->set, t->patch, &strays) ||
            !number_by_home(t) || !keep_bounds(t, &again))
            return false;
    return true;
}

int graph_partition(const graph* g, const partition_settings* settings, int* out_patch)
{
    if (g->node_count == 0) return 0;
    partition t = {.bounds = resolve(settings), .watch = g->watch};
    bool done = run(&t, g);
    if (done) memcpy(out_patch, t.patch, (size_t)g->node_count * sizeof *out_patch);
    int count = done ? t.set.count : -1;
    partition_destroy(&t);
    return count;
}
