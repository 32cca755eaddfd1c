// The surface area heuristic over a few planes along each axis: a query enters a box about as often
// as the box has surface.
#define PRECISION_DOUBLE
#include "geometry/split.h"

enum { BINS = 12 };

typedef struct {
    vec3 low, high;
} box;

typedef struct {
    box box;
    int count;
} bin;

static const box NOTHING = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static box join_boxes(box a, box b)
{
    box joined = {v3_low(a.low, b.low), v3_high(a.high, b.high)};
    return joined;
}

static box box_of(const triangle* t)
{
    box b = {v3_low(t->corner[0], v3_low(t->corner[1], t->corner[2])),
             v3_high(t->corner[0], v3_high(t->corner[1], t->corner[2]))};
    return b;
}

static double surface_of(box b)
{
    vec3 side = v3_sub(b.high, b.low);
    return side.x * side.y + side.y * side.z + side.z * side.x;
}

static double along(vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

typedef struct {
    int axis;
    double low, per_bin; // of the middles along the axis
    int last;            // bin of the first part
    double cost;
} plane;

static int bin_of(const plane* p, const triangle* t)
{
    int b = (int)((along(triangle_middle(t), p->axis) - p->low) * p->per_bin);
    return b < 0 ? 0 : b >= BINS ? BINS - 1 : b;
}

static void fill_bins(const plane* p, const triangle* t, int count, bin bins[BINS])
{
    for (int b = 0; b < BINS; ++b) bins[b] = (bin){NOTHING, 0};
    for (int i = 0; i < count; ++i) {
        bin* b = &bins[bin_of(p, &t[i])];
        b->box = join_boxes(b->box, box_of(&t[i]));
        b->count += 1;
    }
}

// Keeps in `best` the plane behind one of the bins that costs least.
static void try_planes(plane p, const bin bins[BINS], plane* best)
{
    double right[BINS];
    bin sum = {NOTHING, 0};
    for (int b = BINS - 1; b > 0; --b) {
        sum.box = join_boxes(sum.box, bins[b].box);
        sum.count += bins[b].count;
        right[b - 1] = sum.count ? sum.count * surface_of(sum.box) : INFINITY;
    }
    sum = (bin){NOTHING, 0};
    for (int b = 0; b < BINS - 1; ++b) {
        sum.box = join_boxes(sum.box, bins[b].box);
        sum.count += bins[b].count;
        p.cost = sum.count ? sum.count * surface_of(sum.box) + right[b] : INFINITY;
        p.last = b;
        if (p.cost < best->cost) *best = p;
    }
}

static void swap_triangles(triangle* t, int* number, int a, int b)
{
    triangle moved = t[a];
    int moved_number = number[a];
    t[a] = t[b], number[a] = number[b];
    t[b] = moved, number[b] = moved_number;
}

static int divide(const plane* p, triangle* t, int* number, int count)
{
    int first = 0, last = count - 1;
    while (first <= last) {
        if (bin_of(p, &t[first]) <= p->last)
            ++first;
        else
            swap_triangles(t, number, first, last--);
    }
    return first;
}

int split_triangles(triangle* t, int* number, int count, bool uneven)
{
    plane best = {.cost = INFINITY};
    box middles = NOTHING;
    for (int i = 0; uneven && i < count; ++i) {
        vec3 middle = triangle_middle(&t[i]);
        middles = join_boxes(middles, (box){middle, middle});
    }
    for (int axis = 0; uneven && axis < 3; ++axis) {
        bin bins[BINS];
        double low = along(middles.low, axis), side = along(middles.high, axis) - low;
        plane p = {.axis = axis, .low = low, .per_bin = BINS / side};
        if (!(side > 0) || !isfinite(p.per_bin)) continue;
        fill_bins(&p, t, count, bins);
        try_planes(p, bins, &best);
    }
    return best.cost < INFINITY ? divide(&best, t, number, count) : count / 2;
}
