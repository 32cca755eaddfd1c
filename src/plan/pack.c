#include "plan/pack.h"
#include "plan/flow.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the work of a lane: the constraints of its cluster, in order -------------------------------

typedef struct {
    int node;
    unsigned char type;
} job;

typedef struct {
    const job* first;
    int count, cluster, color;
} lane_work;

// Clusters by color; within a color, equal sequences of types side by side, a longer sequence
// before its beginnings. Last by number, so that the order is total.
static int compare_work(const void* left, const void* right)
{
    const lane_work *a = (const lane_work*)left, *b = (const lane_work*)right;
    if (a->color != b->color) return a->color < b->color ? -1 : 1;
    int common = a->count < b->count ? a->count : b->count;
    for (int i = 0; i < common; ++i)
        if (a->first[i].type != b->first[i].type)
            return a->first[i].type < b->first[i].type ? -1 : 1;
    if (a->count != b->count) return a->count > b->count ? -1 : 1;
    return a->cluster < b->cluster ? -1 : a->cluster > b->cluster;
}

static bool can_follow(const lane_work* leader, const lane_work* w)
{
    if (w->color != leader->color || w->count > leader->count) return false;
    for (int i = 0; i < w->count; ++i)
        if (w->first[i].type != leader->first[i].type) return false;
    return true;
}

// Jobs of all nodes, cluster by cluster in ascending node order.
static void fill_jobs(const plan_source* s, const coloring* c, job* jobs, lane_work* work)
{
    for (int i = 0; i < c->cluster_count; ++i) {
        lane_work empty = {jobs, 0, i, c->color[i]};
        work[i] = empty;
    }
    for (int i = 0; i < s->node_count; ++i)
        work[c->cluster[i]].count += s->recipes[s->recipe[i]].type_count;
    job* next = jobs;
    for (int i = 0; i < c->cluster_count; ++i) {
        work[i].first = next;
        next += work[i].count;
        work[i].count = 0;
    }
    for (int i = 0; i < s->node_count; ++i) {
        const recipe* r = &s->recipes[s->recipe[i]];
        lane_work* w = &work[c->cluster[i]];
        for (int k = 0; k < r->type_count; ++k) {
            job* j = jobs + (w->first - jobs) + w->count++;
            j->node = i;
            j->type = (unsigned char)r->type[k];
        }
    }
}

// ---- groups and rounds --------------------------------------------------------------------------

static int group_end(const lane_work* work, int first, int count)
{
    int end = first + 1;
    while (end < count && end - first < BLOCK && can_follow(&work[first], &work[end])) ++end;
    return end;
}

static void count_groups(const lane_work* work, int count, bool one_material, plan* p)
{
    for (int first = 0, end; first < count; first = end) {
        end = group_end(work, first, count);
        p->group_count++;
        p->round_count += (size_t)work[first].count;
        for (int r = 0; r < work[first].count; ++r) {
            const type_info* type = &type_infos[work[first].first[r].type];
            p->index_count += (size_t)type->particles * BLOCK;
            // At most: blocks of mixed materials are whole, others may have their constants in
            // front.
            int fields = one_material ? type->fields - type->same : type->fields + 1;
            p->field_count += (size_t)fields * BLOCK;
            p->lambda_count += (size_t)type->rows * BLOCK;
        }
    }
}

typedef struct {
    const plan_source* source;
    plan* plan;
    const int* corner_row;
    // Constants of the material that were stored last, by type, and where.
    bool known[TYPE_COUNT];
    double same[TYPE_COUNT][MAX_FIELDS];
    size_t same_at[TYPE_COUNT];
} packing;

// Whether a value is within the scalar's range.
static bool fits_field(const plan* p, double value)
{
    return fabs(value) <= (p->scalar_bytes == 4 ? (double)FLT_MAX : DBL_MAX);
}

static void store_field(const plan* p, size_t at, double value)
{
    if (p->scalar_bytes == 4)
        ((float*)p->field)[at] = (float)value;
    else
        ((double*)p->field)[at] = value;
}

static void store_index(const plan* p, size_t at, int row)
{
    if (p->index_bytes == 2)
        ((uint16_t*)p->index)[at] = (uint16_t)row;
    else
        ((int*)p->index)[at] = row;
}

// The constants of a block, before they are rounded.
typedef struct {
    double field[BLOCK][MAX_FIELDS];
} constants;

static void take_lane(const packing* k, const round_block* b, int lane, int node, constants* out)
{
    const plan_source* s = k->source;
    const type_info* type = &type_infos[b->type];
    element e;
    s->describe(s->context, node, &e);
    type->rest(&e, out->field[lane]);
    for (int i = 0; i < type->particles; ++i)
        store_index(k->plan, b->index_at + (size_t)(i * BLOCK + lane),
                    k->corner_row[s->offset[node] + i]);
    bool fits = true;
    for (int f = 0; f < type->fields; ++f) fits = fits && fits_field(k->plan, out->field[lane][f]);
    int* unfit = &k->plan->unfit_node;
    if (!fits && (*unfit < 0 || node < *unfit)) *unfit = node;
}

static void pad_lane(const packing* k, const round_block* b, int lane, int row, constants* out)
{
    memcpy(out->field[lane], out->field[0], sizeof out->field[0]);
    for (int i = 0; i < type_infos[b->type].particles; ++i)
        store_index(k->plan, b->index_at + (size_t)(i * BLOCK + lane), row);
}

static bool are_mixed(const type_info* type, const constants* c)
{
    size_t first = (size_t)(type->fields - type->same), bytes = (size_t)type->same * sizeof(double);
    for (int lane = 1; lane < BLOCK; ++lane)
        if (memcmp(c->field[lane] + first, c->field[0] + first, bytes) != 0) return true;
    return false;
}

// Constants of the material stand in front of the first block that has them.
static void store_same(packing* k, round_block* b, const constants* c)
{
    const type_info* type = &type_infos[b->type];
    const double* same = c->field[0] + (type->fields - type->same);
    size_t bytes = (size_t)type->same * sizeof(double);
    if (!k->known[b->type] || memcmp(k->same[b->type], same, bytes) != 0) {
        memcpy(k->same[b->type], same, bytes);
        k->known[b->type] = true;
        k->same_at[b->type] = k->plan->field_count;
        for (int f = 0; f < BLOCK; ++f) // the block starts on a cache line
            store_field(k->plan, k->plan->field_count++, f < type->same ? same[f] : 0);
    }
    b->same_at = k->same_at[b->type];
}

static void store_constants(packing* k, round_block* b, const constants* c)
{
    plan* p = k->plan;
    const type_info* type = &type_infos[b->type];
    b->mixed = are_mixed(type, c);
    if (!b->mixed) store_same(k, b, c);
    b->field_at = p->field_count;
    int fields = b->mixed ? type->fields : type->fields - type->same;
    for (int f = 0; f < fields; ++f)
        for (int lane = 0; lane < BLOCK; ++lane)
            store_field(p, p->field_count++, c->field[lane][f]);
}

// Returns whether the group has a padded lane; those use rows from `pad_row` on.
static bool pack_group(packing* k, const lane_work* work, int lanes, int pad_row,
                       round_block* rounds)
{
    bool padded = false;
    int apart = k->plan->patched ? 0 : 1; // threads must not meet on a row
    for (int r = 0; r < work[0].count; ++r) {
        constants c;
        for (int lane = 0; lane < BLOCK; ++lane)
            if (lane < lanes && r < work[lane].count) {
                take_lane(k, &rounds[r], lane, work[lane].first[r].node, &c);
            } else {
                pad_lane(k, &rounds[r], lane, pad_row + apart * lane, &c);
                padded = true;
            }
        store_constants(k, &rounds[r], &c);
    }
    return padded;
}

// The next rounds of the plan, with room for their indices and multipliers.
static round_block* take_rounds(plan* p, const lane_work* leader)
{
    round_block* first = p->round + p->round_count;
    for (int r = 0; r < leader->count; ++r) {
        const type_info* type = &type_infos[leader->first[r].type];
        first[r] = (round_block){.type = (constraint_type)leader->first[r].type,
                                 .index_at = p->index_count,
                                 .lambda_at = p->lambda_count};
        p->damped = p->damped || type->on_motion;
        p->index_count += (size_t)type->particles * BLOCK;
        p->lambda_count += (size_t)type->rows * BLOCK;
    }
    p->round_count += (size_t)leader->count;
    return first;
}

// The row of a color's next padded group: a patch has one for all, the other schedules have rows
// behind the particles for every padded group of a color.
static int padding_row(const plan* p, int patch_number, int padded)
{
    return p->patch[patch_number].row_count + (p->patched ? 0 : padded * BLOCK);
}

static bool pack_groups(packing* k, const lane_work* work, int count, watcher* watch)
{
    plan* p = k->plan;
    enum { GROUPS_PER_TICK = 1 << 11 };
    int color = -1, padded = 0;
    p->group_count = p->round_count = p->index_count = p->field_count = p->lambda_count = 0;
    for (int first = 0, end; first < count; first = end) {
        end = group_end(work, first, count);
        if (p->group_count % GROUPS_PER_TICK == 0 && !watcher_share(watch, (double)first / count))
            return false;
        if (work[first].color != color) padded = 0;
        while (color < work[first].color) p->color_group[++color] = (int)p->group_count;
        lane_group* g = &p->group[p->group_count++];
        *g = (lane_group){(int)p->round_count, work[first].count, end - first};
        round_block* rounds = take_rounds(p, &work[first]);
        int row = padding_row(p, p->node_patch[work[first].first[0].node], padded);
        if (!pack_group(k, work + first, end - first, row, rounds)) continue;
        padded++;
        if (!p->patched && row + BLOCK > p->row_count) p->row_count = row + BLOCK;
    }
    while (color < p->color_count) p->color_group[++color] = (int)p->group_count;
    return true;
}

// ---- what flows ---------------------------------------------------------------------------------

// The node of a lane in the rounds from `round` on, if it can flow; else -1.
static int flowing_node(const plan_source* s, const lane_work* w, int round)
{
    element e = {0};
    if (round >= w->count) return -1;
    s->describe(s->context, w->first[round].node, &e);
    return e.yield > 0 || e.swells ? w->first[round].node : -1;
}

// A block of it, if any of its lanes flows; returns the round behind it. Lanes of a group have the
// same types in the same order, so their nodes end together.
static int pack_flow_block(packing* k, const lane_work* work, int lanes, int round, bool stores)
{
    const lane_work* leader = &work[0];
    int node[BLOCK], end = round;
    bool any = false;
    while (end < leader->count && leader->first[end].node == leader->first[round].node) ++end;
    for (int i = 0; i < BLOCK; ++i) {
        node[i] = i < lanes ? flowing_node(k->source, &work[i], round) : -1;
        any = any || node[i] >= 0;
    }
    plan_flow* f = &k->plan->flow;
    if (any && stores) {
        f->block[f->count] = (flow_block){round, end - round};
        memcpy(f->node + f->count * BLOCK, node, sizeof node);
    }
    f->count += any;
    return end;
}

// Of all groups, in their order: once to count blocks, once to fill them in.
static void pack_flow_blocks(packing* k, const lane_work* work, int count, bool stores)
{
    plan* p = k->plan;
    size_t number = 0;
    p->flow.count = 0;
    for (int first = 0, end; first < count; first = end, ++number) {
        end = group_end(work, first, count);
        p->flow.start[number] = (int)p->flow.count;
        for (int round = 0; round < work[first].count;) {
            size_t before = p->flow.count;
            round = pack_flow_block(k, work + first, end - first, round, stores);
            if (stores && p->flow.count > before)
                p->flow.block[before].first_round += p->group[number].first_round;
        }
    }
    p->flow.start[number] = (int)p->flow.count;
}

static bool pack_flow(packing* k, const lane_work* work, int count)
{
    plan* p = k->plan;
    if (!k->source->flows) return true;
    p->flow.start = (int*)mem_array(p->group_count + 1, sizeof(int));
    if (!p->flow.start) return false;
    pack_flow_blocks(k, work, count, false);
    if (!flow_allocate(p)) return false;
    pack_flow_blocks(k, work, count, true);
    return plan_find_flow(p, k->source->describe, k->source->context);
}

// ---- all ----------------------------------------------------------------------------------------

static bool allocate_plan(plan* p)
{
    p->color_group = (int*)mem_array_zero((size_t)p->color_count + 1, sizeof(int));
    p->group = (lane_group*)mem_array(p->group_count, sizeof(lane_group));
    p->round = (round_block*)mem_array(p->round_count, sizeof(round_block));
    p->index = mem_array(p->index_count, (size_t)p->index_bytes);
    p->field = mem_array(p->field_count, (size_t)p->scalar_bytes);
    p->node_color = (int*)mem_array((size_t)p->node_count, sizeof(int));
    return p->color_group && p->group && p->round && p->index && p->field && p->node_color;
}

// Of each node, and how many nodes the colors have: counted where the groups' starts will be.
static void note_colors(const coloring* c, plan* p)
{
    for (int i = 0; i < p->node_count; ++i) {
        int color = c->color[c->cluster[i]];
        p->node_color[i] = color - p->patch[p->node_patch[i]].first_color;
        p->color_group[color]++;
    }
    p->smallest_color = p->node_count;
    for (int color = 0; color < p->color_count; ++color) {
        int size = p->color_group[color];
        if (size > p->largest_color) p->largest_color = size;
        if (size < p->smallest_color) p->smallest_color = size;
    }
}

bool pack(const plan_source* s, const plan_settings* settings, const coloring* c,
          const int* corner_row, plan* p)
{
    packing k = {.source = s, .plan = p, .corner_row = corner_row};
    job* jobs = (job*)mem_array((size_t)p->constraint_count, sizeof(job));
    lane_work* work = (lane_work*)mem_array((size_t)c->cluster_count, sizeof(lane_work));
    bool good = jobs && work;
    if (good) {
        fill_jobs(s, c, jobs, work);
        if (!p->serial) qsort(work, (size_t)c->cluster_count, sizeof(lane_work), compare_work);
        p->field_count = TYPE_COUNT * BLOCK; // constants of one material
        count_groups(work, c->cluster_count, s->one_material, p);
        good = allocate_plan(p);
    }
    if (good) {
        note_colors(c, p);
        good = pack_groups(&k, work, c->cluster_count, settings->watch) &&
               pack_flow(&k, work, c->cluster_count);
    }
    mem_free(jobs);
    mem_free(work);
    return good;
}
