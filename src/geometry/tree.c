#define PRECISION_DOUBLE
#include "geometry/tree.h"
#include "base/memory.h"
#include "geometry/split.h"

enum { LEAF = 4 }; // most triangles of a leaf

static void measure_box(const tree* t, tree_node* n)
{
    n->low = n->high = t->triangle[n->first].corner[0];
    for (int i = n->first; i < n->first + n->count; ++i)
        for (int k = 0; k < 3; ++k) {
            n->low = v3_low(n->low, t->triangle[i].corner[k]);
            n->high = v3_high(n->high, t->triangle[i].corner[k]);
        }
}

static double farthest2(const tree_node* n)
{
    vec3 arm = v3_high(v3_sub(n->high, n->center), v3_sub(n->center, n->low));
    return v3_dot(arm, arm);
}

static void add_moment(tree_node* n, vec3 arm, vec3 area)
{
    n->moment[0] = v3_add_scaled(n->moment[0], arm.x, area);
    n->moment[1] = v3_add_scaled(n->moment[1], arm.y, area);
    n->moment[2] = v3_add_scaled(n->moment[2], arm.z, area);
}

static void measure_leaf(const tree* t, tree_node* n)
{
    measure_box(t, n);
    double weight = 0;
    vec3 sum = v3_zero();
    for (int i = n->first; i < n->first + n->count; ++i) {
        vec3 area = triangle_area_vector(&t->triangle[i]);
        double size = sqrt(v3_dot(area, area));
        weight += size;
        sum = v3_add_scaled(sum, size, triangle_middle(&t->triangle[i]));
        n->area = v3_add(n->area, area);
    }
    vec3 box_middle = v3_scale(0.5, v3_add(n->low, n->high));
    n->center = weight > 0 ? v3_scale(1 / weight, sum) : box_middle;
    for (int i = n->first; i < n->first + n->count; ++i)
        add_moment(n, v3_sub(triangle_middle(&t->triangle[i]), n->center),
                   triangle_area_vector(&t->triangle[i]));
    n->reach2 = farthest2(n);
}

// Moments about the common center, from those about the children's.
static void measure_parent(tree_node* n, const tree_node* child[2])
{
    n->low = v3_low(child[0]->low, child[1]->low);
    n->high = v3_high(child[0]->high, child[1]->high);
    double share = (double)child[0]->count / n->count;
    n->center = v3_add(v3_scale(share, child[0]->center), v3_scale(1 - share, child[1]->center));
    for (int k = 0; k < 2; ++k) {
        n->area = v3_add(n->area, child[k]->area);
        for (int i = 0; i < 3; ++i) n->moment[i] = v3_add(n->moment[i], child[k]->moment[i]);
        add_moment(n, v3_sub(child[k]->center, n->center), child[k]->area);
    }
    n->reach2 = farthest2(n);
}

// `depth` is how many more levels may be of uneven halves: the traversals have room for so many.
static void build(tree* t, int first, int count, int depth)
{
    int index = t->node_count++;
    tree_node* n = &t->node[index];
    *n = (tree_node){.first = first, .count = count};
    if (count <= LEAF) {
        measure_leaf(t, n);
    } else {
        int left = split_triangles(t->triangle + first, t->number + first, count, depth > 0);
        build(t, first, left, depth - 1);
        int second = t->node_count;
        build(t, first + left, count - left, depth - 1);
        measure_parent(n, (const tree_node* [2]){&t->node[index + 1], &t->node[second]});
    }
    n->next = t->node_count;
}

bool tree_create(const double* vertex, const int* corners, int count, tree* out)
{
    *out = (tree){.triangle_count = count};
    out->triangle = (triangle*)mem_array((size_t)count, sizeof(triangle));
    out->number = (int*)mem_array((size_t)count, sizeof(int));
    out->node = (tree_node*)mem_array(2 * (size_t)count, sizeof(tree_node));
    bool ok = out->triangle && out->number && out->node;
    for (int i = 0; ok && i < count; ++i) {
        out->number[i] = i;
        out->triangle[i] = triangle_make(vertex, corners + 3 * (size_t)i);
    }
    if (ok)
        build(out, 0, count, TREE_DEPTH / 2);
    else
        tree_destroy(out);
    return ok;
}

void tree_destroy(tree* t)
{
    mem_free(t->triangle);
    mem_free(t->number);
    mem_free(t->node);
    *t = (tree){0};
}
