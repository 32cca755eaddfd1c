// Which boxes of many overlap: those of bodies, step after step.
//
// A complete binary tree over the boxes, in the order of a curve through space. Boxes are measured
// in every step, and the order is kept until looking takes much longer than when it was made: it
// decides nothing but that.
#pragma once
#include "contact/needs.h"

static const overlap_box NO_OVERLAP = {{INFINITY, INFINITY, INFINITY},
                                       {-INFINITY, -INFINITY, -INFINITY}};

typedef struct {
    overlap_box* box;  // of each body, for whoever looks: to be set before
    overlap_box* node; // boxes in order, then the tree: children of node i are 2 i + 1, 2 i + 2
    uint64_t* order;   // number of each body behind its place on the curve
    int count, leaf_count;
    int box_capacity, node_capacity, order_capacity;
    int64_t looks, looks_at_first; // at pairs of boxes, the last time; with a new order
    bool ordered;
} overlap_tree;

// Room for so many bodies. False when memory runs out.
bool overlaps_reserve(overlap_tree* t, int count);
void overlaps_destroy(overlap_tree* t);

// Tells of every two bodies whose boxes overlap, each pair once, the lower number first, until the
// callback returns false. Returns whether it never did.
typedef bool overlap_fn(void* context, int a, int b);
bool overlaps_find(overlap_tree* t, overlap_fn* tell, void* context);
