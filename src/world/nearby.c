#define PRECISION_DOUBLE
#include "world/nearby.h"
#include "geometry/box_tree.h"

enum { FEW = 32 }; // a loop over these takes no longer

void nearby_destroy(nearby_colliders* n)
{
    if (n->tree) box_tree_destroy((box_tree*)n->tree);
    mem_free(n->tree);
    mem_free(n->own);
    mem_free(n->wide);
    *n = (nearby_colliders){0};
}

// The local box at an instant, by its middle and how far it reaches along each axis of the world.
static void add_instant(const collider* c, const double position[3], const double axis[3][3],
                        nearby_box* out)
{
    double low[3], high[3];
    collider_box(c, low, high);
    for (int k = 0; k < 3; ++k) {
        double middle = position[k], half = 0;
        for (int i = 0; i < 3; ++i) {
            middle += axis[i][k] * (low[i] + high[i]) / 2;
            half += fabs(axis[i][k]) * (high[i] - low[i]) / 2;
        }
        out->low[k] = fmin(out->low[k], middle - half);
        out->high[k] = fmax(out->high[k], middle + half);
    }
}

// What turns stays within its reach.
static void add_ball(const collider* c, const double position[3], nearby_box* out)
{
    for (int k = 0; k < 3; ++k) {
        out->low[k] = fmin(out->low[k], position[k] - c->reach);
        out->high[k] = fmax(out->high[k], position[k] + c->reach);
    }
}

// All of its way, with some room for what single precision makes of it.
static nearby_box measure_way(const collider* c, int substeps)
{
    nearby_box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (!c->way) add_instant(c, c->position, c->axis, &b);
    for (int i = 0; i < 2 && c->way; ++i) {
        const collider_pose* p = &c->way[i ? substeps - 1 : -1];
        if (c->turns)
            add_ball(c, p->position, &b);
        else
            add_instant(c, p->position, p->axis, &b);
    }
    for (int k = 0; k < 3; ++k) {
        double room = 1e-5 * (fabs(b.low[k]) + fabs(b.high[k]) + c->reach);
        b.low[k] -= room;
        b.high[k] += room;
    }
    return b;
}

// Numbers of those that have a box.
typedef struct {
    const nearby_box* own;
    const int* number;
} boxed;

static tree_box box_of_element(const void* context, int which)
{
    const boxed* b = (const boxed*)context;
    const nearby_box* own = &b->own[b->number[which]];
    return (tree_box){v3(own->low[0], own->low[1], own->low[2]),
                      v3(own->high[0], own->high[1], own->high[2])};
}

static tree_box box_in_order(const void* context, int number)
{
    const boxed b = {(const nearby_box*)context, &number};
    return box_of_element(&b, 0);
}

// A tree over those that have a box. Its order is of their numbers.
static bool make_tree(pliant_world* world, nearby_colliders* n)
{
    int count = world->collider_count, boxes = 0;
    int* number = (int*)mem_array((size_t)count, sizeof *number);
    if (!number || !mem_reserve((void**)&n->wide, &n->wide_capacity, count, sizeof *n->wide)) {
        mem_free(number);
        return false;
    }
    n->wide_count = 0;
    for (int i = 0; i < count; ++i) {
        if (world->collider_list[i].reach < INFINITY)
            number[boxes++] = i;
        else
            n->wide[n->wide_count++] = i;
    }
    const boxed of = {n->own, number};
    box_tree* t = (box_tree*)n->tree;
    if (!t) n->tree = t = (box_tree*)mem_alloc_zero(sizeof *t);
    if (t) box_tree_destroy(t);
    bool good = t && box_tree_create(boxes, box_of_element, &of, t);
    for (int i = 0; i < boxes && good; ++i) t->order[i] = number[t->order[i]];
    mem_free(number);
    return good;
}

static nearby_tree view_of(const nearby_colliders* n)
{
    const box_tree* t = (const box_tree*)n->tree;
    return (nearby_tree){.node = (const nearby_box*)t->box,
                         .own = n->own,
                         .order = t->order,
                         .wide = n->wide,
                         .count = t->count,
                         .leaf_count = t->leaf_count,
                         .wide_count = n->wide_count};
}

bool world_start_nearby(pliant_world* world, int substeps)
{
    _Static_assert(sizeof(nearby_box) == sizeof(tree_box) && (int)NEARBY_LEAF == (int)TREE_LEAF,
                   "kernels read the boxes of a tree");
    nearby_colliders* n = &world->nearby;
    int count = world->collider_count;
    bool moving = false, other = n->changes != world->collider_changes;
    n->view = (nearby_tree){0};
    if (count <= FEW || n->unused) return true;
    for (int i = 0; i < count; ++i) moving = moving || world->collider_list[i].way;
    if (!other && !moving && !n->moving && n->key == world->collider_key) {
        n->view = view_of(n);
        return true;
    }
    if (!mem_reserve((void**)&n->own, &n->own_capacity, count, sizeof *n->own)) return false;
    for (int i = 0; i < count; ++i) n->own[i] = measure_way(&world->collider_list[i], substeps);
    if (!other)
        box_tree_refit((box_tree*)n->tree, box_in_order, n->own);
    else if (!make_tree(world, n))
        return false;
    n->changes = world->collider_changes;
    n->key = world->collider_key;
    n->moving = moving;
    n->view = view_of(n);
    return true;
}
