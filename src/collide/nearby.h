// Which of many colliders may touch what is in a box: a tree over their boxes. It names them in
// ascending order, as a loop over all of them would meet them, and leaves none out; so it makes no
// difference but that of time. For the CPU and CUDA.
#pragma once
#include "math/lane.h"
#include <stdbool.h>

enum { NEARBY_MOST = 16, NEARBY_LEAF = 4 }; // named at once; colliders in a leaf

typedef struct {
    double low[3], high[3]; // [m]
} nearby_box;

// The boxes hold all of a step. What has none (planes) is always near.
typedef struct {
    const nearby_box* node; // children of node i are 2 i + 1 and 2 i + 2, the leaves are the last
    const nearby_box* own;  // of each collider
    const int* order;       // colliders, leaf after leaf
    const int* wide;        // those that have no box, ascending
    int count, leaf_count, wide_count; // of the order, leaves, wide ones; no leaves: no tree
} nearby_tree;

typedef struct {
    int number[NEARBY_MOST]; // ascending
    int count;
    bool more; // beyond the last one
} nearby_list;

INLINE bool nearby_meets(const nearby_box* b, const double low[3], const double high[3])
{
    bool apart = false;
    for (int k = 0; k < 3; ++k) apart = apart || low[k] > b->high[k] || high[k] < b->low[k];
    return !apart;
}

// The lowest numbers stay.
INLINE void nearby_add(nearby_list* l, int number)
{
    int at = l->count;
    if (at == NEARBY_MOST) {
        l->more = true;
        if (number > l->number[--at]) return;
    } else {
        l->count++;
    }
    for (; at > 0 && l->number[at - 1] > number; --at) l->number[at] = l->number[at - 1];
    l->number[at] = number;
}

// The node behind all below this one; 0: there is none.
INLINE int nearby_skip(int node)
{
    while (node > 0 && node % 2 == 0) node = node / 2 - 1; // from a right child up
    return node > 0 ? node + 1 : 0;
}

// Colliders behind number `after` whose boxes meet this one.
FUNCTION void nearby_find(const nearby_tree* t, const double low[3], const double high[3],
                          int after, nearby_list* out)
{
    out->count = 0;
    out->more = false;
    for (int i = 0; i < t->wide_count; ++i)
        if (t->wide[i] > after) nearby_add(out, t->wide[i]);
    int node = 0;
    do {
        bool here = nearby_meets(&t->node[node], low, high);
        int first = NEARBY_LEAF * (node - (t->leaf_count - 1));
        for (int i = first; here && i >= 0 && i < first + NEARBY_LEAF && i < t->count; ++i) {
            int number = t->order[i];
            if (number > after && nearby_meets(&t->own[number], low, high)) nearby_add(out, number);
        }
        node = here && first < 0 ? 2 * node + 1 : nearby_skip(node);
    } while (node > 0);
}
