#define PRECISION_DOUBLE
#include "geometry/box_tree.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/morton.h"

static uint32_t step_of(double x, double low, double per_step)
{
    double step = (x - low) * per_step;
    const double last = (double)((1u << MORTON_BITS) - 1);
    return step > 0 ? (uint32_t)(step < last ? step : last) : 0;
}

static bool sort_elements(box_tree* t, measure_fn* measure, const void* context)
{
    tree_box all = NO_BOX;
    for (int i = 0; i < t->count; ++i) all = join_boxes(all, measure(context, i));
    vec3 side = v3_sub(all.high, all.low);
    double longest = lane_max(side.x, lane_max(side.y, side.z));
    double per_step = longest > 0 ? (double)(1u << MORTON_BITS) / longest : 0;
    uint64_t* key = (uint64_t*)mem_array((size_t)t->count, sizeof(uint64_t));
    if (!key) return false;
    for (int i = 0; i < t->count; ++i) {
        tree_box box = measure(context, i);
        vec3 middle = v3_scale(0.5, v3_add(box.low, box.high));
        key[i] = morton_key(step_of(middle.x, all.low.x, per_step),
                            step_of(middle.y, all.low.y, per_step),
                            step_of(middle.z, all.low.z, per_step));
        t->order[i] = i;
    }
    bool good = sort_with_order(key, t->order, t->count);
    mem_free(key);
    return good;
}

void box_tree_refit(box_tree* t, measure_fn* measure, const void* context)
{
    for (int leaf = 0; leaf < t->leaf_count; ++leaf) {
        tree_box box = NO_BOX;
        for (int i = TREE_LEAF * leaf; i < TREE_LEAF * (leaf + 1) && i < t->count; ++i)
            box = join_boxes(box, measure(context, t->order[i]));
        t->box[t->leaf_count - 1 + leaf] = box;
    }
    for (int i = t->leaf_count - 2; i >= 0; --i)
        t->box[i] = join_boxes(t->box[2 * i + 1], t->box[2 * i + 2]);
}

bool box_tree_create(int count, measure_fn* measure, const void* context, box_tree* out)
{
    *out = (box_tree){.count = count, .leaf_count = 1};
    while (TREE_LEAF * (int64_t)out->leaf_count < count) out->leaf_count *= 2;
    out->order = (int*)mem_array((size_t)count, sizeof(int));
    out->box = (tree_box*)mem_array(2 * (size_t)out->leaf_count, sizeof(tree_box));
    bool good = out->order && out->box && sort_elements(out, measure, context);
    if (good)
        box_tree_refit(out, measure, context);
    else
        box_tree_destroy(out);
    return good;
}

void box_tree_destroy(box_tree* t)
{
    mem_free(t->order);
    mem_free(t->box);
    *t = (box_tree){0};
}

typedef struct {
    double bound;
    int node;
} waiting;

static double look_into_leaf(const box_tree* t, int leaf, look_fn* look, void* query, double least)
{
    for (int i = TREE_LEAF * leaf; i < TREE_LEAF * (leaf + 1) && i < t->count; ++i)
        least = look(t->order[i], query);
    return least;
}

// The lower child first.
void box_tree_search(const box_tree* t, bound_fn* bound, look_fn* look, void* query, double least)
{
    waiting stack[TREE_LEVELS + 2];
    int waiters = 0;
    if (t->count > 0) stack[waiters++] = (waiting){bound(&t->box[0], query), 0};
    while (waiters > 0) {
        waiting w = stack[--waiters];
        if (!(w.bound <= least) || w.bound == INFINITY) continue;
        if (w.node >= t->leaf_count - 1) {
            least = look_into_leaf(t, w.node - (t->leaf_count - 1), look, query, least);
            continue;
        }
        int child = 2 * w.node + 1;
        double b[2] = {bound(&t->box[child], query), bound(&t->box[child + 1], query)};
        int far = b[1] >= b[0];
        stack[waiters++] = (waiting){b[far], child + far};
        stack[waiters++] = (waiting){b[1 - far], child + 1 - far};
    }
}
