#include "contact/overlaps.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/morton.h"

enum { LEAF = 2 }; // boxes

static int leaves_for(int count)
{
    int leaves = 1;
    while (LEAF * (int64_t)leaves < count) leaves *= 2;
    return leaves;
}

bool overlaps_reserve(overlap_tree* t, int count)
{
    int leaves = leaves_for(count);
    if (count != t->count) t->ordered = false;
    t->count = 0;
    if (!mem_reserve((void**)&t->box, &t->box_capacity, count, sizeof *t->box) ||
        !mem_reserve((void**)&t->node, &t->node_capacity, (int64_t)count + 2 * (int64_t)leaves,
                     sizeof *t->node) ||
        !mem_reserve((void**)&t->order, &t->order_capacity, count, sizeof *t->order))
        return false;
    t->count = count;
    t->leaf_count = leaves;
    return true;
}

void overlaps_destroy(overlap_tree* t)
{
    mem_free(t->box);
    mem_free(t->node);
    mem_free(t->order);
    *t = (overlap_tree){0};
}

// ---- boxes --------------------------------------------------------------------------------------

static void join(overlap_box* to, const overlap_box* other)
{
    for (int k = 0; k < 3; ++k) {
        to->low[k] = other->low[k] < to->low[k] ? other->low[k] : to->low[k];
        to->high[k] = other->high[k] > to->high[k] ? other->high[k] : to->high[k];
    }
}

// ---- the order ----------------------------------------------------------------------------------

// Of a coordinate, as one of the steps of a cube around all.
static uint32_t step_of(double x, double low, double per_step)
{
    enum { STEPS = 1 << 10 };
    double step = (x - low) * per_step * STEPS;
    return step > 0 ? (uint32_t)(step < STEPS - 1 ? step : STEPS - 1) : 0;
}

static double middle_of(const overlap_box* b, int k) { return 0.5 * b->low[k] + 0.5 * b->high[k]; }

static void sort_boxes(overlap_tree* t)
{
    overlap_box all = NO_OVERLAP;
    double longest = 0;
    for (int i = 0; i < t->count; ++i) join(&all, &t->box[i]);
    for (int k = 0; k < 3; ++k) longest = fmax(longest, all.high[k] - all.low[k]);
    double per_step = longest > 0 && longest < INFINITY ? 1 / longest : 0;
    for (int i = 0; i < t->count; ++i) {
        uint32_t step[3];
        for (int k = 0; k < 3; ++k)
            step[k] = step_of(middle_of(&t->box[i], k), all.low[k], per_step);
        t->order[i] = morton_key(step[0], step[1], step[2]) << 32 | (uint32_t)i;
    }
    sort_keys(t->order, t->count);
}

static int number_at(const overlap_tree* t, int place)
{
    return (int)(t->order[place] & UINT32_MAX);
}

static overlap_box* nodes_of(const overlap_tree* t) { return t->node + t->count; }

static void measure(overlap_tree* t)
{
    overlap_box* node = nodes_of(t);
    for (int i = 0; i < t->count; ++i) t->node[i] = t->box[number_at(t, i)];
    for (int leaf = 0; leaf < t->leaf_count; ++leaf) {
        overlap_box* to = &node[t->leaf_count - 1 + leaf];
        *to = NO_OVERLAP;
        for (int i = LEAF * leaf; i < LEAF * (leaf + 1) && i < t->count; ++i) join(to, &t->node[i]);
    }
    for (int i = t->leaf_count - 2; i >= 0; --i) {
        node[i] = node[2 * i + 1];
        join(&node[i], &node[2 * i + 2]);
    }
}

// ---- looking ------------------------------------------------------------------------------------

typedef struct {
    overlap_tree* t;
    overlap_fn* tell;
    void* context;
} search;

static bool look(const search* s, int one, int two)
{
    const overlap_tree* t = s->t;
    if (!box_overlaps(&t->node[one], &t->node[two])) return true;
    int a = number_at(t, one), b = number_at(t, two);
    return s->tell(s->context, a < b ? a : b, a < b ? b : a);
}

static bool look_in_leaves(const search* s, int leaf, int other)
{
    int count = s->t->count, last = LEAF * (leaf + 1), end = LEAF * (other + 1);
    for (int i = LEAF * leaf; i < last && i < count; ++i)
        for (int k = leaf == other ? i + 1 : LEAF * other; k < end && k < count; ++k)
            if (!look(s, i, k)) return false;
    return true;
}

// Pairs of what is in a node with what is in another one of the same height.
static bool look_across(const search* s, int node, int other)
{
    const overlap_box* box = nodes_of(s->t);
    int leaf = s->t->leaf_count - 1;
    s->t->looks++;
    if (!box_overlaps(&box[node], &box[other])) return true;
    if (node >= leaf) return look_in_leaves(s, node - leaf, other - leaf);
    for (int i = 0; i < 4; ++i)
        if (!look_across(s, 2 * node + 1 + i / 2, 2 * other + 1 + i % 2)) return false;
    return true;
}

static bool look_within(const search* s, int node)
{
    int leaf = s->t->leaf_count - 1, child = 2 * node + 1;
    if (node >= leaf) return look_in_leaves(s, node - leaf, node - leaf);
    return look_within(s, child) && look_within(s, child + 1) && look_across(s, child, child + 1);
}

bool overlaps_find(overlap_tree* t, overlap_fn* tell, void* context)
{
    const search s = {t, tell, context};
    bool made = !t->ordered;
    if (t->count < 2) return true;
    if (made) sort_boxes(t);
    measure(t);
    t->looks = 0;
    bool all = look_within(&s, 0);
    // One that ended early tells nothing of the order.
    if (made) t->looks_at_first = (all ? t->looks : 8 * (int64_t)t->count) + t->count;
    t->ordered = t->looks <= 2 * t->looks_at_first;
    return all;
}
