#include "plan/plan.h"
#include "constraint/flow.h"
#include "partition/partition.h"
#include "plan/layout.h"
#include "plan/pack.h"
#include "plan/strips.h"
#include <string.h>

// The stages of making a plan end at these shares of the whole, in percent (asset.c has the
// others): as measured on a beam of 160 000 tets.
enum { CUT = 36, COLORED = 44, LAID_OUT = 48, PACKED = 54 };

static bool begin_stage(const plan_settings* settings, int end)
{
    return watcher_stage(settings->watch, end / 100.0);
}

static bool take_one_patch(plan* p)
{
    p->patch_count = p->turn_count = 1;
    p->index_bytes = 4;
    p->patch = (patch*)mem_array_zero(1, sizeof(patch));
    memset(p->node_patch, 0, (size_t)p->node_count * sizeof(int));
    return p->patch != NULL;
}

// One patch for all.
static bool arrange(const plan_source* s, const plan_settings* settings, plan* p, coloring* c,
                    int* corner_row)
{
    if (!take_one_patch(p)) return false;
    layout_trivial(s, p, corner_row);
    return settings->apart && settings->schedule == PLIANT_SCHEDULE_COLORED
               ? coloring_create_copied(s, settings, p, NULL, c)
               : coloring_create(s, settings, p, c);
}

// One patch for all, with copies.
static bool arrange_copies(const plan_source* s, const plan_settings* settings, plan* p,
                           coloring* c, int* corner_row)
{
    int* corner_copy = (int*)mem_array((size_t)s->offset[s->node_count], sizeof(int));
    p->split = settings->merge == PLIANT_MERGE_SPLIT;
    bool good = corner_copy && take_one_patch(p) &&
                coloring_create_copied(s, settings, p, corner_copy, c) &&
                layout_copied(s, corner_copy, c->color, p, corner_row);
    mem_free(corner_copy);
    return good;
}

// ---- patches ------------------------------------------------------------------------------------

// Patches that share a particle take different turns.
static bool take_turns(const graph* g, plan* p)
{
    int* turn = (int*)mem_array((size_t)p->patch_count, sizeof(int));
    p->turn_count = turn ? graph_color_patches(g, p->node_patch, p->patch_count, turn) : -1;
    for (int i = 0; i < p->patch_count && p->turn_count >= 0; ++i) p->patch[i].turn = turn[i];
    mem_free(turn);
    return p->turn_count >= 0;
}

// Of a large GPU: multiprocessors, and rows that the shared memory of one holds.
enum { MANY_PATCHES = 132, MOST_ROWS = 3328 };

static bool shares_processors(int particles)
{
    return (int64_t)particles > (int64_t)MANY_PATCHES * MOST_ROWS * 3 / 4;
}

// A patch for each multiprocessor, but not of fewer nodes than keep it busy and accurate, nor of
// more rows than its shared memory holds. Where there are more than that, two of them share a
// multiprocessor. `full`: how full patches are to be, in percent.
static partition_settings limits_of_many(int nodes, int particles, int full)
{
    enum { FEWEST_NODES = 256 };
    int64_t count = (nodes + FEWEST_NODES / 2) / FEWEST_NODES;
    if (count > MANY_PATCHES) count = MANY_PATCHES;
    if (count < 2) return (partition_settings){.most_particles = MOST_ROWS};
    if (shares_processors(particles)) return (partition_settings){.most_particles = MOST_ROWS / 2};
    return (partition_settings){
        .most_nodes = (int)((nodes * (int64_t)100 + count * full - 1) / (count * full)),
        .most_particles = MOST_ROWS};
}

// One patch too many, and all wait for its turn: rather some that are less full.
static int cut_many(const graph* g, const plan_source* s, int* out_patch)
{
    enum { MOST_FULL = 92, LESS = 4, LEAST_FULL = 80 };
    int count = MANY_PATCHES + 1;
    for (int full = MOST_FULL; full >= LEAST_FULL && count > MANY_PATCHES; full -= LESS) {
        partition_settings limits = limits_of_many(s->node_count, s->particle_count, full);
        count = graph_partition(g, &limits, out_patch);
        if (shares_processors(s->particle_count)) break;
    }
    return count;
}

static bool cut(const plan_source* s, const plan_settings* settings, plan* p)
{
    graph g = {0};
    const partition_settings limits = {.most_particles = settings->patch_rows};
    bool good = graph_create(s->node_count, s->particle_count, s->offset, s->particle, &g);
    g.watch = settings->watch;
    bool many = settings->many_patches && !settings->patch_rows;
    p->patch_count = !good  ? -1
                     : many ? cut_many(&g, s, p->node_patch)
                            : graph_partition(&g, &limits, p->node_patch);
    p->patch = p->patch_count >= 0
                   ? (patch*)mem_array_zero((size_t)p->patch_count + 1, sizeof(patch))
                   : NULL;
    p->turn_count = 1;
    good = p->patch && (settings->interface == PLIANT_INTERFACE_MERGED || take_turns(&g, p));
    p->split = settings->merge == PLIANT_MERGE_SPLIT && p->turn_count == 1;
    graph_destroy(&g);
    return good;
}

int plan_index_bytes(const plan* p)
{
    int most = 0;
    for (int i = 0; i < p->patch_count; ++i)
        if (p->patch[i].row_count > most) most = p->patch[i].row_count;
    return p->patched && most < UINT16_MAX ? 2 : 4;
}

static bool arrange_patches(const plan_source* s, const plan_settings* settings, plan* p,
                            coloring* c, int* corner_row)
{
    int* corner_copy = (int*)mem_array((size_t)s->offset[s->node_count], sizeof(int));
    bool good = corner_copy && cut(s, settings, p) && begin_stage(settings, COLORED) &&
                coloring_create_patched(s, settings, p, corner_copy, c) &&
                layout_create(s, corner_copy, p, corner_row);
    if (good) p->index_bytes = plan_index_bytes(p);
    mem_free(corner_copy);
    return good;
}

// ---- together -----------------------------------------------------------------------------------

typedef bool arrange_fn(const plan_source* s, const plan_settings* settings, plan* p, coloring* c,
                        int* corner_row);

static arrange_fn* way_to_arrange(pliant_schedule schedule)
{
    bool copied = schedule == PLIANT_SCHEDULE_PHANTOM || schedule == PLIANT_SCHEDULE_HYBRID ||
                  schedule == PLIANT_SCHEDULE_JACOBI;
    return schedule == PLIANT_SCHEDULE_PATCHED ? arrange_patches
           : copied                            ? arrange_copies
                                               : arrange;
}

// Copies that all have the whole mass of their particle keep no momentum, whatever one does.
static bool keeps_momentum(const plan* p)
{
    return p->split || p->turn_count > 1 || p->copies.slot_count == 0;
}

plan plan_start(const plan_settings* settings)
{
    return (plan){.unfit_node = -1,
                  .serial = settings->schedule == PLIANT_SCHEDULE_SERIAL,
                  .patched = settings->schedule == PLIANT_SCHEDULE_PATCHED,
                  .relaxation = settings->relaxation,
                  .classic = settings->classic,
                  .second_order = settings->second_order,
                  .scalar_bytes = settings->scalar_bytes};
}

void plan_finish(plan* p)
{
    enum { CACHE = 4 << 20 }; // [bytes] of a core's share, or less
    p->large = plan_bytes(p) > CACHE;
}

bool plan_create(const plan_source* source, const plan_settings* settings, plan* out)
{
    coloring c = {0};
    plan p = plan_start(settings);
    p.particle_count = source->particle_count;
    p.node_count = source->node_count;
    for (int i = 0; i < source->node_count; ++i)
        p.constraint_count += source->recipes[source->recipe[i]].type_count;
    p.node_patch = (int*)mem_array((size_t)p.node_count, sizeof(int));
    int* corner_row = (int*)mem_array((size_t)source->offset[source->node_count], sizeof(int));
    bool good = p.node_patch && corner_row && begin_stage(settings, p.patched ? CUT : COLORED) &&
                way_to_arrange(settings->schedule)(source, settings, &p, &c, corner_row);
    p.cluster_count = c.cluster_count;
    good = good && begin_stage(settings, LAID_OUT);
    if (good && !settings->twisting && keeps_momentum(&p))
        good = strips_create(source, corner_row, &p);
    good = good && begin_stage(settings, PACKED) && pack(source, settings, &c, corner_row, &p);
    plan_finish(&p);
    coloring_destroy(&c);
    mem_free(corner_row);
    if (!good) {
        plan_destroy(&p);
        memset(&p, 0, sizeof p);
    }
    *out = p;
    return good;
}

void plan_destroy(plan* p)
{
    mem_free(p->patch);
    copies_destroy(&p->copies);
    mem_free(p->component);
    mem_free(p->strip);
    mem_free(p->color_group);
    mem_free(p->group);
    mem_free(p->round);
    mem_free(p->node_color);
    mem_free(p->node_patch);
    mem_free(p->index);
    mem_free(p->field);
    mem_free(p->flow.start);
    mem_free(p->flow.block);
    mem_free(p->flow.node);
    mem_free(p->flow.lane);
    mem_free(p->flow.rule);
}

// Of what a step reads.
size_t plan_bytes(const plan* p)
{
    return p->index_count * (size_t)p->index_bytes + p->field_count * (size_t)p->scalar_bytes +
           p->round_count * sizeof(round_block) + p->group_count * sizeof(lane_group) +
           p->flow.count * (sizeof(flow_block) + FLOW_RULES * BLOCK * (size_t)p->scalar_bytes) +
           (size_t)(p->color_count + 1) * sizeof(int) + (size_t)p->patch_count * sizeof(patch) +
           (size_t)p->component_count * sizeof(component) + (size_t)p->strip_count * sizeof(strip) +
           (p->copies.phantom ? (size_t)p->particle_count * sizeof(int)
                              : (size_t)p->copies.slot_count * (4 * sizeof(int) + sizeof(double)));
}

double plan_copies(const plan* p)
{
    int more = p->copies.slot_count - p->copies.shared_count;
    return p->particle_count ? 1 + (double)more / p->particle_count : 1;
}

int plan_patch_of_row(const plan* p, int row)
{
    int low = 0, high = p->patch_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (p->patch[middle].first_row <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int plan_slot_of_row(const plan* p, int row)
{
    const patch* t = &p->patch[plan_patch_of_row(p, row)];
    return t->first_slot + row - t->first_row - t->inner_count;
}
