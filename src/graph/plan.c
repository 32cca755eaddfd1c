#include "graph/plan.h"
#include "graph/graph.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- which node goes where: clusters and their colors -------------------------------------------

typedef struct {
    int cluster_count, color_count;
    int* cluster; // of each node
    int* color;   // of each cluster
} coloring;

static bool same_particles(const plan_source* s, int a, int b)
{
    int count = s->offset[a + 1] - s->offset[a];
    return count == s->offset[b + 1] - s->offset[b] &&
           memcmp(s->particle + s->offset[a], s->particle + s->offset[b],
                  (size_t)count * sizeof(int)) == 0;
}

// Every node by itself; in the serial order, which has no colors, the nodes of one element stay
// together, which changes nothing but the room they take.
static bool single_clusters(const plan_source* s, bool serial, coloring* c)
{
    c->cluster_count = 0;
    for (int i = 0; i < s->node_count; ++i) {
        bool joins = serial && i > 0 && same_particles(s, i - 1, i);
        c->cluster[i] = joins ? c->cluster_count - 1 : c->cluster_count++;
    }
    return true;
}

// Cells become clusters, numbered by first appearance.
static bool cell_clusters(const plan_source* s, coloring* c)
{
    int most = 0;
    for (int i = 0; i < s->node_count; ++i)
        if (s->cell[i] > most) most = s->cell[i];
    int* number = (int*)mem_array((size_t)most + 1, sizeof(int));
    if (!number) return false;
    memset(number, 0xff, ((size_t)most + 1) * sizeof(int));
    c->cluster_count = 0;
    for (int i = 0; i < s->node_count; ++i) {
        if (number[s->cell[i]] < 0) number[s->cell[i]] = c->cluster_count++;
        c->cluster[i] = number[s->cell[i]];
    }
    mem_free(number);
    return true;
}

// Algorithm 4 with the nodes in the order of smallest degree last, as in the paper.
static int neighbor_clusters(const graph* g, int most_nodes, int* out_cluster)
{
    int* order = (int*)mem_array((size_t)g->node_count, sizeof(int));
    int count = -1;
    if (order && graph_order_smallest_last(g, order))
        count = graph_cluster(g, most_nodes, order, out_cluster);
    mem_free(order);
    return count;
}

static bool choose_clusters(const plan_source* s, const plan_settings* settings, const graph* g,
                            coloring* c)
{
    if (settings->schedule != PLIANT_CLUSTERED)
        return single_clusters(s, settings->schedule == PLIANT_SERIAL, c);
    if (settings->clustering == PLIANT_CLUSTER_CELLS) return cell_clusters(s, c);
    c->cluster_count = settings->clustering == PLIANT_CLUSTER_NEIGHBORS
                           ? neighbor_clusters(g, settings->cluster_size, c->cluster)
                           : graph_cluster_best(g, settings->cluster_size, c->cluster);
    return c->cluster_count >= 0;
}

static bool color_clusters(const graph* g, coloring* c)
{
    graph super = {0};
    c->color_count = graph_contract(g, c->cluster, c->cluster_count, &super)
                         ? graph_color_best(&super, c->color)
                         : -1;
    graph_destroy(&super);
    return c->color_count >= 0;
}

static bool find_coloring(const plan_source* s, const plan_settings* settings, coloring* c,
                          int* out_clique)
{
    graph g = {0};
    c->cluster = (int*)mem_array((size_t)s->node_count, sizeof(int));
    c->color = (int*)mem_array_zero((size_t)s->node_count, sizeof(int));
    bool good = c->cluster && c->color &&
                graph_create(s->node_count, s->particle_count, s->offset, s->particle, &g) &&
                choose_clusters(s, settings, &g, c);
    if (good && settings->schedule == PLIANT_SERIAL)
        c->color_count = s->node_count > 0;
    else
        good = good && color_clusters(&g, c);
    *out_clique = good ? graph_clique(&g) : 0;
    graph_destroy(&g);
    return good;
}

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

static void count_groups(const lane_work* work, int count, plan* p)
{
    for (int first = 0, end; first < count; first = end) {
        end = group_end(work, first, count);
        p->group_count++;
        p->round_count += (size_t)work[first].count;
        for (int r = 0; r < work[first].count; ++r) {
            const type_info* type = &type_infos[work[first].first[r].type];
            p->index_count += (size_t)type->particles * BLOCK;
            p->field_count += (size_t)type->fields * BLOCK;
            p->lambda_count += (size_t)type->rows * BLOCK;
        }
    }
}

// False when the value is beyond the scalar's range.
static bool store_field(const plan* p, size_t at, double value)
{
    bool single = p->scalar_bytes == 4;
    if (single)
        ((float*)p->field)[at] = (float)value;
    else
        ((double*)p->field)[at] = value;
    return fabs(value) <= (single ? (double)FLT_MAX : DBL_MAX);
}

static void pack_lane(const plan_source* s, plan* p, const round_block* b, int lane, int node)
{
    const type_info* type = &type_infos[b->type];
    element e;
    double fields[MAX_FIELDS];
    s->describe(s->context, node, &e);
    type->rest(&e, fields);
    bool fits = true;
    for (int f = 0; f < type->fields; ++f)
        fits = store_field(p, b->field_at + (size_t)(f * BLOCK + lane), fields[f]) && fits;
    if (!fits && (p->unfit_node < 0 || node < p->unfit_node)) p->unfit_node = node;
    for (int i = 0; i < type->particles; ++i)
        p->index[b->index_at + (size_t)(i * BLOCK + lane)] = s->particle[s->offset[node] + i];
}

static void pad_lane(const plan_source* s, plan* p, const round_block* b, int lane, int row)
{
    const type_info* type = &type_infos[b->type];
    size_t bytes = (size_t)p->scalar_bytes;
    for (int f = 0; f < type->fields; ++f) {
        char* first = (char*)p->field + (b->field_at + (size_t)(f * BLOCK)) * bytes;
        memcpy(first + (size_t)lane * bytes, first, bytes);
    }
    for (int i = 0; i < type->particles; ++i)
        p->index[b->index_at + (size_t)(i * BLOCK + lane)] = s->particle_count + row;
}

// Returns whether the group has a padded lane; those use rows from `pad_row` on.
static bool pack_group(const plan_source* s, plan* p, const lane_work* work, int lanes, int pad_row,
                       round_block* rounds)
{
    bool padded = false;
    for (int r = 0; r < work[0].count; ++r) {
        for (int lane = 0; lane < BLOCK; ++lane)
            if (lane < lanes && r < work[lane].count) {
                pack_lane(s, p, &rounds[r], lane, work[lane].first[r].node);
            } else {
                pad_lane(s, p, &rounds[r], lane, pad_row + lane);
                padded = true;
            }
    }
    return padded;
}

// The next rounds of the plan, with room for their blocks.
static round_block* take_rounds(plan* p, const lane_work* leader)
{
    round_block* first = p->round + p->round_count;
    for (int r = 0; r < leader->count; ++r) {
        const type_info* type = &type_infos[leader->first[r].type];
        round_block b = {(constraint_type)leader->first[r].type, p->index_count, p->field_count,
                         p->lambda_count};
        first[r] = b;
        p->damped = p->damped || type->on_motion;
        p->index_count += (size_t)type->particles * BLOCK;
        p->field_count += (size_t)type->fields * BLOCK;
        p->lambda_count += (size_t)type->rows * BLOCK;
    }
    p->round_count += (size_t)leader->count;
    return first;
}

static void pack_groups(const plan_source* s, plan* p, const lane_work* work, int count)
{
    int color = -1, padded = 0;
    p->group_count = p->round_count = p->index_count = p->field_count = p->lambda_count = 0;
    for (int first = 0, end; first < count; first = end) {
        end = group_end(work, first, count);
        if (work[first].color != color) padded = 0;
        while (color < work[first].color) p->color_group[++color] = (int)p->group_count;
        lane_group* g = &p->group[p->group_count++];
        g->first_round = (int)p->round_count;
        g->round_count = work[first].count;
        round_block* rounds = take_rounds(p, &work[first]);
        if (pack_group(s, p, work + first, end - first, padded * BLOCK, rounds)) padded++;
        if (s->particle_count + padded * BLOCK > p->row_count)
            p->row_count = s->particle_count + padded * BLOCK;
    }
    while (color < p->color_count) p->color_group[++color] = (int)p->group_count;
}

static bool allocate_plan(plan* p)
{
    p->color_group = (int*)mem_array_zero((size_t)p->color_count + 1, sizeof(int));
    p->group = (lane_group*)mem_array(p->group_count, sizeof(lane_group));
    p->round = (round_block*)mem_array(p->round_count, sizeof(round_block));
    p->index = (int*)mem_array(p->index_count, sizeof(int));
    p->field = mem_array(p->field_count, (size_t)p->scalar_bytes);
    p->node_color = (int*)mem_array((size_t)p->node_count, sizeof(int));
    return p->color_group && p->group && p->round && p->index && p->field && p->node_color;
}

// Of each node, and how many nodes the colors have: counted where the groups' starts will be.
static void note_colors(const coloring* c, plan* p)
{
    for (int i = 0; i < p->node_count; ++i) {
        p->node_color[i] = c->color[c->cluster[i]];
        p->color_group[p->node_color[i]]++;
    }
    p->smallest_color = p->node_count;
    for (int color = 0; color < p->color_count; ++color) {
        int size = p->color_group[color];
        if (size > p->largest_color) p->largest_color = size;
        if (size < p->smallest_color) p->smallest_color = size;
    }
}

static bool pack(const plan_source* s, const coloring* c, plan* p)
{
    job* jobs = (job*)mem_array((size_t)p->constraint_count, sizeof(job));
    lane_work* work = (lane_work*)mem_array((size_t)c->cluster_count, sizeof(lane_work));
    bool good = jobs && work;
    if (good) {
        fill_jobs(s, c, jobs, work);
        if (!p->serial) qsort(work, (size_t)c->cluster_count, sizeof(lane_work), compare_work);
        count_groups(work, c->cluster_count, p);
        good = allocate_plan(p);
    }
    if (good) {
        note_colors(c, p);
        pack_groups(s, p, work, c->cluster_count);
    }
    mem_free(jobs);
    mem_free(work);
    return good;
}

bool plan_create(const plan_source* source, const plan_settings* settings, plan* out)
{
    coloring c = {0};
    plan p = {.particle_count = source->particle_count,
              .row_count = source->particle_count,
              .node_count = source->node_count,
              .unfit_node = -1,
              .serial = settings->schedule == PLIANT_SERIAL,
              .scalar_bytes = settings->scalar_bytes};
    for (int i = 0; i < source->node_count; ++i)
        p.constraint_count += source->recipes[source->recipe[i]].type_count;
    bool good = find_coloring(source, settings, &c, &p.clique);
    p.color_count = c.color_count;
    p.cluster_count = c.cluster_count;
    good = good && pack(source, &c, &p);
    mem_free(c.cluster);
    mem_free(c.color);
    if (!good) {
        plan_destroy(&p);
        memset(&p, 0, sizeof p);
    }
    *out = p;
    return good;
}

void plan_destroy(plan* p)
{
    mem_free(p->color_group);
    mem_free(p->group);
    mem_free(p->round);
    mem_free(p->node_color);
    mem_free(p->index);
    mem_free(p->field);
}

size_t plan_bytes(const plan* p)
{
    return p->index_count * sizeof(int) + p->field_count * (size_t)p->scalar_bytes +
           p->round_count * sizeof(round_block) + p->group_count * sizeof(lane_group) +
           (size_t)(p->color_count + 1) * sizeof(int);
}
