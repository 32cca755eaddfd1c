#define PRECISION_DOUBLE
#include "geometry/tet_tree.h"
#include "geometry/triangle.h"
#include "mesh/tet.h"

static vec3 place_of(const double* vertex, int number)
{
    const double* x = vertex + 3 * (size_t)number;
    return v3(x[0], x[1], x[2]);
}

static vec3 vertex_at(const tet_tree* t, int vertex) { return place_of(t->vertex, vertex); }

static tree_box box_of_tet(const void* tree, int tet)
{
    const tet_tree* t = (const tet_tree*)tree;
    tree_box box = NO_BOX;
    for (int k = 0; k < 4; ++k)
        box = join_point(box, vertex_at(t, t->tets[4 * (size_t)tet + (size_t)k]));
    return box;
}

bool tet_tree_create(const double* vertex, const int* tets, int tet_count, tet_tree* out)
{
    *out = (tet_tree){.vertex = vertex, .tets = tets};
    return box_tree_create(tet_count, box_of_tet, out, &out->boxes);
}

void tet_tree_destroy(tet_tree* t)
{
    box_tree_destroy(&t->boxes);
    *t = (tet_tree){0};
}

// ---- finding ------------------------------------------------------------------------------------

static double middle_distance2(const tree_box* b, vec3 p)
{
    vec3 arm = v3_sub(v3_scale(0.5, v3_add(b->low, b->high)), p);
    return v3_dot(arm, arm);
}

bool tet_shares(const double* vertex, const int c[4], vec3 point, double share[4])
{
    vec3 x0 = place_of(vertex, c[0]), p = v3_sub(point, x0);
    vec3 a = v3_sub(place_of(vertex, c[1]), x0), b = v3_sub(place_of(vertex, c[2]), x0),
         d = v3_sub(place_of(vertex, c[3]), x0);
    double inverse = 1 / v3_dot(a, v3_cross(b, d));
    share[1] = inverse * v3_dot(p, v3_cross(b, d));
    share[2] = inverse * v3_dot(a, v3_cross(p, d));
    share[3] = inverse * v3_dot(a, v3_cross(b, p));
    share[0] = 1 - share[1] - share[2] - share[3];
    return isfinite(share[0]);
}

void tet_tree_look_around(const tet_tree* t, vec3 center, double radius, tet_visit_fn* visit,
                          void* context)
{
    int stack[TREE_LEVELS + 2], waiters = 0;
    stack[waiters++] = 0;
    while (waiters > 0) {
        int node = stack[--waiters], leaf = node - (t->boxes.leaf_count - 1);
        if (!(box_distance2(t->boxes.box[node].low, t->boxes.box[node].high, center) <
              radius * radius))
            continue;
        if (leaf >= 0) {
            visit(t->boxes.order[TREE_LEAF * leaf], context);
            continue;
        }
        stack[waiters++] = 2 * node + 2;
        stack[waiters++] = 2 * node + 1;
    }
}

// The nearest point lies on a face that has the point on its outer side.
static double tet_distance2(const tet_tree* t, int tet, vec3 point, const double share[4])
{
    const int* c = t->tets + 4 * (size_t)tet;
    double nearest = INFINITY;
    for (int k = 0; k < 4; ++k) {
        if (share[k] >= 0) continue;
        const int corner[3] = {c[tet_face[k][0]], c[tet_face[k][1]], c[tet_face[k][2]]};
        triangle side = triangle_make(t->vertex, corner);
        nearest = lane_min(nearest, triangle_distance2(&side, point));
    }
    return nearest < INFINITY ? nearest : 0;
}

// What a search has found: `cost2` is at least the square of the distance.
typedef struct {
    tet_place place;
    double cost2;
} finding;

// A tet that is farther in its own heights costs more, up to `most` times.
static double cost2_of(double distance2, double least_share, double most)
{
    double factor = lane_min(1 - least_share, most);
    return distance2 * factor * factor;
}

static void look_at_tet(const tet_tree* t, int tet, vec3 point, double most, finding* best)
{
    tet_place found = {.tet = tet};
    tree_box box = box_of_tet(t, tet);
    if (!(box_distance2(box.low, box.high, point) < best->cost2)) return; // mostly
    if (!tet_shares(t->vertex, t->tets + 4 * (size_t)tet, point, found.share)) return;
    double least = 0;
    for (int k = 0; k < 4; ++k) least = lane_min(least, found.share[k]);
    double distance2 = least < 0 ? tet_distance2(t, tet, point, found.share) : 0;
    double cost2 = cost2_of(distance2, least, most);
    if (!(cost2 < best->cost2)) return;
    found.distance = sqrt(distance2);
    *best = (finding){found, cost2};
}

static void look_into_leaf(const tet_tree* t, int leaf, vec3 point, double most, finding* best)
{
    for (int i = TREE_LEAF * leaf; i < TREE_LEAF * (leaf + 1) && i < t->boxes.count; ++i)
        look_at_tet(t, t->boxes.order[i], point, most, best);
}

typedef struct {
    double distance2;
    int node;
} waiting;

// Nothing that is farther than what is already known costs.
static void search(const tet_tree* t, vec3 point, double most, finding* best)
{
    waiting stack[TREE_LEVELS + 2];
    int waiters = 0;
    stack[waiters++] = (waiting){0, 0};
    while (waiters > 0) {
        waiting w = stack[--waiters];
        if (!(w.distance2 < best->cost2)) continue;
        if (w.node >= t->boxes.leaf_count - 1) {
            look_into_leaf(t, w.node - (t->boxes.leaf_count - 1), point, most, best);
            continue;
        }
        int child = 2 * w.node + 1;
        double d[2] = {
            box_distance2(t->boxes.box[child].low, t->boxes.box[child].high, point),
            box_distance2(t->boxes.box[child + 1].low, t->boxes.box[child + 1].high, point)};
        // Boxes overlap: inside of both, the one whose middle is nearer.
        int far = d[0] == d[1] ? middle_distance2(&t->boxes.box[child + 1], point) >=
                                     middle_distance2(&t->boxes.box[child], point)
                               : d[1] > d[0];
        stack[waiters++] = (waiting){d[far], child + far};
        stack[waiters++] = (waiting){d[1 - far], child + 1 - far};
    }
}

tet_place tet_tree_find(const tet_tree* t, vec3 point, int guess)
{
    const double most = 8;
    finding best = {{.tet = -1, .distance = INFINITY}, INFINITY};
    if (guess >= 0) look_at_tet(t, guess, point, 1, &best);
    search(t, point, 1, &best);
    if (best.place.tet < 0 || best.cost2 == 0) return best.place;
    double least = 0;
    for (int k = 0; k < 4; ++k) least = lane_min(least, best.place.share[k]);
    best.cost2 = cost2_of(best.place.distance * best.place.distance, least, most);
    search(t, point, most, &best);
    return best.place;
}
