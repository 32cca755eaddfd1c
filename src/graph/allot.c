#include "graph/allot.h"
#include "graph/bisect.h"
#include "graph/breadth.h"
#include "graph/members.h"

// Room between the mean size of a patch and its limit, in percent.
enum { ROOM = 6 };

// Rows per particle of large patches, in percent: a guess that saves a second try.
enum { COPIES = 130 };

typedef struct {
    int count;
    int* of;        // of each node
    int* first;     // count + 1, into node
    int* node;      // by component
    int* weight;    // of each component: nodes of the finest graph
    int* particles; // of each component
    int* patches;   // of each component; 0: shares one
    int* start;     // of each component: its first patch
} components;

static void components_destroy(components* c)
{
    mem_free(c->of);
    mem_free(c->first);
    mem_free(c->node);
    mem_free(c->weight);
    mem_free(c->particles);
    mem_free(c->patches);
    mem_free(c->start);
    *c = (components){0};
}

static bool find_components(const graph* g, components* c)
{
    breadth b;
    c->of = mem_array((size_t)g->node_count, sizeof *c->of);
    if (!c->of || !breadth_create(g, &b)) return false;
    c->count = breadth_components(&b, c->of);
    breadth_destroy(&b);
    return true;
}

static void list_nodes(const level* l, components* c)
{
    list_members(c->of, l->g.node_count, c->count, c->first, c->node);
    for (int j = 0; j < l->g.node_count; ++j) c->weight[c->of[j]] += l->weight[j];
    for (int p = 0; p < l->g.particle_count; ++p)
        if (l->g.node_offset[p] < l->g.node_offset[p + 1])
            c->particles[c->of[l->g.node[l->g.node_offset[p]]]]++;
}

static bool components_create(const level* l, components* out)
{
    *out = (components){0};
    if (find_components(&l->g, out)) {
        size_t count = (size_t)out->count;
        out->first = mem_array(count + 1, sizeof *out->first);
        out->node = mem_array((size_t)l->g.node_count, sizeof *out->node);
        out->weight = mem_array_zero(count, sizeof *out->weight);
        out->particles = mem_array_zero(count, sizeof *out->particles);
        out->patches = mem_array(count, sizeof *out->patches);
        out->start = mem_array(count, sizeof *out->start);
        if (out->first && out->node && out->weight && out->particles && out->patches &&
            out->start) {
            list_nodes(l, out);
            return true;
        }
    }
    components_destroy(out);
    return false;
}

static int ratio_up(int64_t a, int64_t b) { return (int)((a + b - 1) / b); }

int allot_count(int nodes, int particles, patch_bounds bounds)
{
    if (nodes < 2 || (nodes <= bounds.most_nodes && particles <= bounds.most_particles)) return 1;
    int by_nodes = ratio_up((int64_t)nodes * (100 + ROOM), (int64_t)bounds.most_nodes * 100);
    int by_particles = ratio_up((int64_t)particles * COPIES, (int64_t)bounds.most_particles * 100);
    int count = by_nodes > by_particles ? by_nodes : by_particles;
    return count < 2 ? 2 : count < nodes ? count : nodes;
}

// Numbers patches by component; what fits goes into the open pack as long as there is room.
static bool number_patches(components* c, patch_bounds bounds, patch_set* set)
{
    int pack = -1;
    int64_t nodes = 0, particles = 0;
    set->count = 0;
    for (int i = 0; i < c->count; ++i) {
        c->start[i] = set->count;
        for (int k = 0; c->patches[i] > 1 && k < c->patches[i]; ++k)
            if (!patch_set_append(set, set->count, false)) return false;
        if (c->patches[i] > 1) continue;
        nodes += c->weight[i];
        particles += c->particles[i];
        if (pack < 0 || nodes > bounds.most_nodes || particles > bounds.most_particles) {
            pack = set->count;
            nodes = c->weight[i];
            particles = c->particles[i];
            if (!patch_set_append(set, set->count, true)) return false;
        }
        c->start[i] = pack;
    }
    return true;
}

// Sizes differ from their mean by this part of it, in percent.
enum { TOLERANCE = 4 };

static void set_limits(patch_limits* l, const components* c)
{
    for (int i = 0; i < c->count; ++i) {
        int patches = c->patches[i], slack = c->weight[i] / patches * TOLERANCE / 100;
        for (int k = 0; patches > 1 && k < patches; ++k) {
            l->most[c->start[i] + k] = ratio_up(c->weight[i], patches) + slack;
            l->least[c->start[i] + k] = c->weight[i] / patches - slack;
        }
    }
}

static bool cut_components(const level* l, const components* c, int* patch)
{
    bisector b;
    if (!bisector_create(&l->g, l->weight, patch, &b)) return false;
    bool done = true;
    for (int i = 0; i < c->count && done; ++i)
        done = bisect(&b, c->start[i], c->patches[i], c->node + c->first[i],
                      c->first[i + 1] - c->first[i]);
    bisector_destroy(&b);
    return done;
}

// More patches for components whose patches have too many particles on average. Refinement evens
// them out and removes at least a quarter of the copies (measured: 30 to 40 %). False: none needs
// more.
static bool add_patches(components* c, const rows* r, int most_particles)
{
    bool added = false;
    for (int i = 0; i < c->count; ++i) {
        int64_t total = 0;
        for (int k = 0; c->patches[i] > 1 && k < c->patches[i]; ++k)
            total += r->particle_count[c->start[i] + k];
        total -= (total - c->particles[i]) / 4;
        int needed = ratio_up(total * (100 + ROOM), (int64_t)most_particles * 100);
        if (needed > c->weight[i]) needed = c->weight[i];
        if (c->patches[i] < 2 || needed <= c->patches[i]) continue;
        c->patches[i] = needed;
        added = true;
    }
    return added;
}

// One try with the numbers of patches as they are; *out_again: a component needs more.
static bool cut(const level* l, components* c, patch_set* set, patch_limits* limits, int* patch,
                bool* out_again)
{
    rows r;
    if (!patch_limits_allocate(limits, set->count) || !cut_components(l, c, patch) ||
        !rows_create(&l->g, l->weight, patch, set->count, &r))
        return false;
    set_limits(limits, c);
    *out_again = add_patches(c, &r, limits->most_particles);
    rows_destroy(&r);
    return true;
}

bool allot(const level* coarse, patch_bounds bounds, patch_set* set, patch_limits* limits,
           int* patch)
{
    enum { TRIES = 4 };
    components c;
    if (!components_create(coarse, &c)) return false;
    for (int i = 0; i < c.count; ++i)
        c.patches[i] = allot_count(c.weight[i], c.particles[i], bounds);
    bool done = true, again = true;
    for (int i = 0; i < TRIES && done && again; ++i)
        done = number_patches(&c, bounds, set) && cut(coarse, &c, set, limits, patch, &again);
    components_destroy(&c);
    return done;
}
