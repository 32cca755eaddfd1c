// Compiled once per width and precision: -DKERNELS=the name of the function -DLANES=...
// [-DPRECISION_DOUBLE].
#include "contact/measure.h"
#include "contact/push.h"
#include "contact/watch.h"
#include "solver/gather.h"

INLINE vec3 column(const void* array, const unsigned* at, real* last)
{
    vec3 x;
    rows_transpose(rows_load((const scalar*)array, at), &x, last);
    return x;
}

// Of four points along a direction: from the second side to the first, where they are nearest.
INLINE real least_gap(int first, vec3 n, const vec3 x[4])
{
    real low = v3_dot(n, x[0]), high = v3_dot(n, x[3]);
    for (int k = 1; k < first; ++k) low = lane_min(low, v3_dot(n, x[k]));
    for (int k = first; k < 3; ++k) high = lane_max(high, v3_dot(n, x[k]));
    return low - high;
}

// How far two points of both sides go apart, at most.
INLINE real most_apart(int first, const vec3 u[4])
{
    real most = lane_splat(0);
    for (int i = 0; i < first; ++i)
        for (int k = first; k < 4; ++k) {
            vec3 off = v3_sub(u[i], u[k]);
            most = lane_max(most, v3_dot(off, off));
        }
    return lane_sqrt(most);
}

INLINE void store_floats(float* to, real a)
{
#ifdef PRECISION_DOUBLE
    *to = (float)a;
#else
    lane_store(to, a);
#endif
}

// The direction in which they are nearest goes on to keep them apart: all of one side stays beyond
// all of the other one, by what it is now and what the list expects (watch.h).
INLINE void watch(const measured_points* of, int first, const closest_way* found, const vec3 x[4],
                  measured_pairs* p, int i)
{
    vec3 u[4];
    real unused;
    for (int k = 0; k < 4; ++k) u[k] = column(of->along, &p->point[k][i], &unused);
    real gap = least_gap(first, found->normal, x), rate = -least_gap(first, found->normal, u);
    real most = most_apart(first, u), age = lane_splat((scalar)of->age);
    real rounding = (scalar)WAY_ROUNDING * (found->distance + (scalar)(2 * WATCH_MOST) * most);
    store_floats(&p->wake[i], gap + age * rate - (scalar)WATCH_ROOM * most - rounding);
    store_floats(&p->rate[i], rate);
}

// How far the sides come nearer in this substep, at most (pair_way).
INLINE void go(const measured_points* of, int first, measured_pairs* p, int i)
{
    vec3 c[4];
    real leeway[4], course = lane_splat(0), all = lane_splat(0);
    for (int k = 0; k < 4; ++k) c[k] = column(of->course, &p->point[k][i], &leeway[k]);
    for (int a = 0; a < first; ++a)
        for (int b = first; b < 4; ++b) {
            vec3 off = v3_sub(c[a], c[b]);
            real way = lane_sqrt(v3_dot(off, off));
            course = lane_max(course, way);
            all = lane_max(all, way + leeway[a] + leeway[b]);
        }
    lane_store(&p->course[i], course);
    lane_store(&p->all[i], all);
}

INLINE void measure(const measured_points* of, pair_kind kind, measured_pairs* p, int i)
{
    // Seen from the last point.
    real unused;
    vec3 base = column(of->place, &p->point[3][i], &unused), x[4];
    for (int k = 0; k < 3; ++k) x[k] = v3_sub(column(of->place, &p->point[k][i], &unused), base);
    x[3] = v3_zero();
    closest at = kind == PAIR_TRIANGLE  ? closest_of_triangle(x[0], x[1], x[2], x[3])
                 : kind == PAIR_SEGMENT ? closest_of_segment(x[0], x[1], x[2])
                                        : closest_of_edges(x[0], x[1], x[2], x[3]);
    closest_way found = closest_way_of(&at);
    for (int k = 0; k < 4; ++k) lane_store(&p->weight[k][i], found.weight[k]);
    lane_store(&p->normal[0][i], found.normal.x);
    lane_store(&p->normal[1][i], found.normal.y);
    lane_store(&p->normal[2][i], found.normal.z);
    lane_store(&p->distance[i], found.distance);
    watch(of, pair_first_side(kind), &found, x, p, i);
    go(of, pair_first_side(kind), p, i);
}

measure_fn KERNELS;
void KERNELS(const measured_points* of, pair_kind kind, measured_pairs* p)
{
    for (int i = p->count; i % LANES; ++i)
        for (int k = 0; k < 4; ++k) p->point[k][i] = p->point[k][0];
    for (int i = 0; i < p->count; i += LANES) switch (kind) { // each its own code, in registers
        case PAIR_TRIANGLE:
            measure(of, PAIR_TRIANGLE, p, i);
            break;
        case PAIR_SEGMENT:
            measure(of, PAIR_SEGMENT, p, i);
            break;
        case PAIR_EDGES:
            measure(of, PAIR_EDGES, p, i);
            break;
        case PAIR_PLANE: // one at a time (find.c)
            break;
        }
}
