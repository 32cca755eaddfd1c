#define PRECISION_DOUBLE
#include "geometry/tet_tree.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/box.h"
#include "geometry/morton.h"
#include "geometry/split.h"
#include "mesh/tet.h"

enum { LEAF = 4, DEPTH = 32 };

static const tet_box NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static vec3 place_of(const double* vertex, int number)
{
    const double* x = vertex + 3 * (size_t)number;
    return v3(x[0], x[1], x[2]);
}

static vec3 vertex_at(const tet_tree* t, int vertex) { return place_of(t->vertex, vertex); }

static tet_box join_boxes(tet_box a, tet_box b)
{
    tet_box joined = {v3_low(a.low, b.low), v3_high(a.high, b.high)};
    return joined;
}

static tet_box box_of_tet(const tet_tree* t, int tet)
{
    tet_box box = NOTHING;
    for (int k = 0; k < 4; ++k) {
        vec3 x = vertex_at(t, t->tets[4 * (size_t)tet + (size_t)k]);
        box = join_boxes(box, (tet_box){x, x});
    }
    return box;
}

// ---- building -----------------------------------------------------------------------------------

static uint32_t step_of(double x, double low, double per_step)
{
    double step = (x - low) * per_step;
    const double last = (double)((1u << MORTON_BITS) - 1);
    return step > 0 ? (uint32_t)(step < last ? step : last) : 0;
}

static bool sort_tets(tet_tree* t, int vertex_count)
{
    tet_box all = NOTHING;
    for (int v = 0; v < vertex_count; ++v) {
        vec3 x = vertex_at(t, v);
        all = join_boxes(all, (tet_box){x, x});
    }
    vec3 side = v3_sub(all.high, all.low);
    double longest = lane_max(side.x, lane_max(side.y, side.z));
    double per_step = longest > 0 ? (double)(1u << MORTON_BITS) / longest : 0;
    uint64_t* key = (uint64_t*)mem_array((size_t)t->tet_count, sizeof(uint64_t));
    if (!key) return false;
    for (int i = 0; i < t->tet_count; ++i) {
        tet_box box = box_of_tet(t, i);
        vec3 middle = v3_scale(0.5, v3_add(box.low, box.high));
        key[i] = morton_key(step_of(middle.x, all.low.x, per_step),
                            step_of(middle.y, all.low.y, per_step),
                            step_of(middle.z, all.low.z, per_step));
        t->order[i] = i;
    }
    bool good = sort_with_order(key, t->order, t->tet_count);
    mem_free(key);
    return good;
}

static void measure_boxes(tet_tree* t)
{
    for (int leaf = 0; leaf < t->leaf_count; ++leaf) {
        tet_box box = NOTHING;
        for (int i = LEAF * leaf; i < LEAF * (leaf + 1) && i < t->tet_count; ++i)
            box = join_boxes(box, box_of_tet(t, t->order[i]));
        t->box[t->leaf_count - 1 + leaf] = box;
    }
    for (int i = t->leaf_count - 2; i >= 0; --i)
        t->box[i] = join_boxes(t->box[2 * i + 1], t->box[2 * i + 2]);
}

bool tet_tree_create(const double* vertex, int vertex_count, const int* tets, int tet_count,
                     tet_tree* out)
{
    *out = (tet_tree){.vertex = vertex, .tets = tets, .tet_count = tet_count, .leaf_count = 1};
    while (LEAF * (int64_t)out->leaf_count < tet_count) out->leaf_count *= 2;
    out->order = (int*)mem_array((size_t)tet_count, sizeof(int));
    out->box = (tet_box*)mem_array(2 * (size_t)out->leaf_count, sizeof(tet_box));
    bool good = out->order && out->box && sort_tets(out, vertex_count);
    if (good)
        measure_boxes(out);
    else
        tet_tree_destroy(out);
    return good;
}

void tet_tree_destroy(tet_tree* t)
{
    mem_free(t->order);
    mem_free(t->box);
    *t = (tet_tree){0};
}

// ---- finding ------------------------------------------------------------------------------------

static double middle_distance2(const tet_box* b, vec3 p)
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
    int stack[DEPTH + 2], waiters = 0;
    stack[waiters++] = 0;
    while (waiters > 0) {
        int node = stack[--waiters], leaf = node - (t->leaf_count - 1);
        if (!(box_distance2(t->box[node].low, t->box[node].high, center) < radius * radius))
            continue;
        if (leaf >= 0) {
            visit(t->order[LEAF * leaf], context);
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
    tet_box box = box_of_tet(t, tet);
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
    for (int i = LEAF * leaf; i < LEAF * (leaf + 1) && i < t->tet_count; ++i)
        look_at_tet(t, t->order[i], point, most, best);
}

typedef struct {
    double distance2;
    int node;
} waiting;

// Nothing that is farther than what is already known costs.
static void search(const tet_tree* t, vec3 point, double most, finding* best)
{
    waiting stack[DEPTH + 2];
    int waiters = 0;
    stack[waiters++] = (waiting){0, 0};
    while (waiters > 0) {
        waiting w = stack[--waiters];
        if (!(w.distance2 < best->cost2)) continue;
        if (w.node >= t->leaf_count - 1) {
            look_into_leaf(t, w.node - (t->leaf_count - 1), point, most, best);
            continue;
        }
        int child = 2 * w.node + 1;
        double d[2] = {box_distance2(t->box[child].low, t->box[child].high, point),
                       box_distance2(t->box[child + 1].low, t->box[child + 1].high, point)};
        // Boxes overlap: inside of both, the one whose middle is nearer.
        int far = d[0] == d[1] ? middle_distance2(&t->box[child + 1], point) >=
                                     middle_distance2(&t->box[child], point)
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
