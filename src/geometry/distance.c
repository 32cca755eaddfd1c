// Nearest points by the tree: the nearer child first, and nothing that is farther than what is
// already known.
#define PRECISION_DOUBLE
#include "geometry/box.h"
#include "geometry/tree.h"

static double node_distance2(const tree_node* n, vec3 p)
{
    return box_distance2(n->low, n->high, p);
}

typedef struct {
    double distance2;
    int node;
} waiting;

typedef struct {
    double distance2;
    int nearest; // triangle in the tree's order
} finding;

static void look_into_leaf(const tree* t, const tree_node* n, vec3 point, finding* best)
{
    for (int i = n->first; i < n->first + n->count; ++i) {
        double distance2 = triangle_distance2(&t->triangle[i], point);
        if (distance2 < best->distance2) *best = (finding){distance2, i};
    }
}

double tree_distance(const tree* t, vec3 point, double limit, int* out_nearest)
{
    waiting stack[TREE_DEPTH + 1];
    int waiters = 0;
    finding best = {limit * limit, -1};
    stack[waiters++] = (waiting){node_distance2(&t->node[0], point), 0};
    while (waiters > 0) {
        waiting w = stack[--waiters];
        if (!(w.distance2 < best.distance2)) continue;
        const tree_node* n = &t->node[w.node];
        if (n->next == w.node + 1) {
            look_into_leaf(t, n, point, &best);
            continue;
        }
        int child[2] = {w.node + 1, t->node[w.node + 1].next};
        double d[2] = {node_distance2(&t->node[child[0]], point),
                       node_distance2(&t->node[child[1]], point)};
        int far = d[1] >= d[0];
        stack[waiters++] = (waiting){d[far], child[far]};
        stack[waiters++] = (waiting){d[1 - far], child[1 - far]};
    }
    if (out_nearest) *out_nearest = best.nearest < 0 ? -1 : t->number[best.nearest];
    return best.nearest < 0 ? limit : sqrt(best.distance2);
}
