#include "partition/allot.h"
#include "graph/breadth.h"

// Room between the mean size of a patch and its limit, in percent: refinement needs some, and
// patches with more surface than others have more particles for the same work.
enum { ROOM = 8 };

// So much of the copies of a coarse level is left at the finest, in percent (measured: 43 to 60).
enum { KEPT = 52 };

// ---- how many patches ---------------------------------------------------------------------------

static int ratio_up(int64_t a, int64_t b) { return (int)((a + b - 1) / b); }

int64_t allot_with_room(int64_t mean) { return mean * 100 / (100 - ROOM); }

// Patches for so many of anything, with some room.
static int with_room(int64_t total, int most)
{
    return ratio_up(total * 100, (int64_t)most * (100 - ROOM));
}

// Patches for so many rows. A few patches may well be fuller, and trying costs little.
static int for_rows(int64_t row_count, int most)
{
    enum { FEW = 16, LITTLE_ROOM = 4 };
    int count = with_room(row_count, most);
    return count > FEW ? count : ratio_up(row_count * 100, (int64_t)most * (100 - LITTLE_ROOM));
}

// A guess that saves a second try, fitted to solid bodies: the more patches, the fewer of them are
// at the surface; up to 23 % more rows than particles.
static int64_t guess_rows(int particles, int most)
{
    int64_t patches = with_room(particles, most);
    return particles + (int64_t)particles * 23 * (patches - 1) / (patches + 6) / 100;
}

// Patches that a component of so many nodes and particles needs, for a start.
static int first_count(int nodes, int particles, patch_bounds bounds)
{
    if (nodes < 2 || (nodes <= bounds.most_nodes && particles <= bounds.most_particles)) return 1;
    int by_nodes = with_room(nodes, bounds.most_nodes);
    int by_particles =
        for_rows(guess_rows(particles, bounds.most_particles), bounds.most_particles);
    int count = by_nodes > by_particles ? by_nodes : by_particles;
    return count < 2 ? 2 : count < nodes ? count : nodes;
}

// ---- components ---------------------------------------------------------------------------------

void components_destroy(components* c)
{
    mem_free(c->of);
    mem_free(c->weight);
    mem_free(c->particles);
    mem_free(c->patches);
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

static void measure(const level* l, components* c)
{
    for (int j = 0; j < l->g.node_count; ++j) {
        c->weight[c->of[j]] += l->weight[j];
        c->particles[c->of[j]] += l->inner[j];
    }
    for (int p = 0; p < l->g.particle_count; ++p)
        if (l->g.node_offset[p] < l->g.node_offset[p + 1])
            c->particles[c->of[l->g.node[l->g.node_offset[p]]]] += l->width[p];
}

bool components_create(const level* l, patch_bounds bounds, components* out)
{
    *out = (components){0};
    if (find_components(&l->g, out)) {
        size_t count = (size_t)out->count;
        out->weight = mem_array_zero(count, sizeof *out->weight);
        out->particles = mem_array_zero(count, sizeof *out->particles);
        out->patches = mem_array(count, sizeof *out->patches);
    }
    if (!out->weight || !out->particles || !out->patches) {
        components_destroy(out);
        return false;
    }
    measure(l, out);
    for (int i = 0; i < out->count; ++i)
        out->patches[i] = first_count(out->weight[i], out->particles[i], bounds);
    return true;
}

// ---- corrections --------------------------------------------------------------------------------

typedef struct {
    int64_t rows; // of all patches
    int beyond;   // patches with more particles than they may have in the end
} usage;

static void measure_usage(const patch_set* set, const patch_sizes* sizes, int most_particles,
                          usage* out)
{
    for (int i = 0; i < set->count; ++i) {
        int component = set->patch[i].component;
        if (component < 0) continue;
        out[component].rows += sizes->particles[i];
        out[component].beyond += sizes->particles[i] > most_particles;
    }
}

static int needed(const components* c, int i, const usage* u, const review* v)
{
    int64_t copies = u->rows - c->particles[i];
    if (!v->is_finest) copies = copies * KEPT / 100;
    int by_nodes = with_room(c->weight[i], v->bounds.most_nodes);
    int count = for_rows(c->particles[i] + copies, v->bounds.most_particles);
    if (count < by_nodes) count = by_nodes;
    if (count < 2) count = 2;
    return count < c->weight[i] ? count : c->weight[i];
}

// A coarse level shows about how many are needed. The finest shows whether it went well: if not,
// the mean does not tell why, and a few more are needed. Single patches that went wrong among many
// are not worth another try: they will be halved.
static int correct(const components* c, int i, const usage* u, const review* v)
{
    int now = c->patches[i], count = needed(c, i, u, v), more = now + now / 32 + 1;
    if (v->is_finest) {
        if (u->beyond <= now / 32 || more > c->weight[i]) return now;
        return count > more ? count : more;
    }
    bool few = count > now + now / 24, many = count < now - now / 24;
    return few || (many && v->may_shrink) ? count : now;
}

bool allot_again(components* c, const patch_set* set, const patch_sizes* sizes, review v,
                 bool* out_again)
{
    usage* u = mem_array_zero((size_t)c->count, sizeof *u);
    *out_again = false;
    if (!u) return false;
    measure_usage(set, sizes, v.bounds.most_particles, u);
    for (int i = 0; i < c->count; ++i) {
        if (c->patches[i] < 2) continue;
        int count = correct(c, i, &u[i], &v);
        *out_again |= count != c->patches[i];
        c->patches[i] = count;
    }
    mem_free(u);
    return true;
}

// ---- the first partition ------------------------------------------------------------------------

typedef struct {
    patch_bounds bounds;
    int64_t nodes, particles;
    int patch; // below 0: none is open
} pack;

static bool has_room(const pack* p, const components* c, int i)
{
    return p->patch >= 0 && p->nodes + c->weight[i] <= p->bounds.most_nodes &&
           p->particles + c->particles[i] <= p->bounds.most_particles;
}

// Returns the patch of a component that fits one; below 0: out of memory.
static int pack_component(pack* p, const components* c, int i, int home, patch_set* set)
{
    if (!has_room(p, c, i)) {
        struct patch_info info = {.home = home, .parts = 1, .component = -1};
        *p = (pack){.bounds = p->bounds, .patch = set->count};
        if (!patch_set_append(set, info)) return -1;
    }
    p->nodes += c->weight[i];
    p->particles += c->particles[i];
    return p->patch;
}

// start[component] becomes its patch.
static bool number_patches(const components* c, patch_bounds bounds, patch_set* set, int* start)
{
    pack open = {.bounds = bounds, .patch = -1};
    set->count = 0;
    for (int i = 0, home = 0; i < c->count; home += c->patches[i++]) {
        struct patch_info info = {.home = home, .parts = c->patches[i], .component = i};
        bool fits = c->patches[i] < 2;
        start[i] = fits ? pack_component(&open, c, i, home, set) : set->count;
        if (start[i] < 0 || (!fits && !patch_set_append(set, info))) return false;
    }
    return true;
}

bool allot(const components* c, patch_bounds bounds, patch_set* set, int node_count, int* patch)
{
    int* start = mem_array((size_t)c->count, sizeof *start);
    bool done = start && number_patches(c, bounds, set, start);
    for (int j = 0; done && j < node_count; ++j) patch[j] = start[c->of[j]];
    mem_free(start);
    return done;
}
