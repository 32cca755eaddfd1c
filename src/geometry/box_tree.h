// A tree of boxes over elements that may move: what is near in space is near in the tree.
//
// Elements are brought into the order of a curve through space, a few to a leaf; the tree is
// complete, and a node is nothing but a box. When elements have moved, the boxes are measured anew
// and the order stays.
#pragma once
#ifndef PRECISION_DOUBLE
#error "trees are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "geometry/box.h"
#include <stdbool.h>

typedef struct {
    vec3 low, high; // [m]
} tree_box;

// The box around an element.
typedef tree_box measure_fn(const void* context, int element);

enum { TREE_LEAF = 4, TREE_LEVELS = 32 };

typedef struct {
    int* order;     // elements in the order of the leaves
    tree_box* box;  // children of node i are 2 i + 1 and 2 i + 2; the leaves are the last
    int count;      // of elements
    int leaf_count; // a power of two; leaves at the end may be empty
} box_tree;

static const tree_box NO_BOX = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static inline tree_box join_boxes(tree_box a, tree_box b)
{
    tree_box joined = {v3_low(a.low, b.low), v3_high(a.high, b.high)};
    return joined;
}

static inline tree_box join_point(tree_box a, vec3 x) { return join_boxes(a, (tree_box){x, x}); }

// False when memory runs out.
bool box_tree_create(int count, measure_fn* measure, const void* context, box_tree* out);
void box_tree_destroy(box_tree* t);
// After elements have moved.
void box_tree_refit(box_tree* t, measure_fn* measure, const void* context);

// Looks for what is least. `bound` tells what no element in a box is below; `look` judges an
// element and returns the least that is known by then, which begins with `least`. Boxes above it
// are passed over; those that are equal are not, so that ties can be told.
typedef double bound_fn(const tree_box* box, const void* query);
typedef double look_fn(int element, void* query);
void box_tree_search(const box_tree* t, bound_fn* bound, look_fn* look, void* query, double least);
