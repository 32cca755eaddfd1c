#define PRECISION_DOUBLE
#include "tetra/stalk.h"
#include "math/direction.h"
#include <string.h>

typedef struct {
    const solid* solid;
    const outline* mesh;
    double edge; // of the mesh; all in units of the solid
} surroundings;

static bool is_inside(const surroundings* c, vec3 point)
{
    return tree_winding(&c->solid->tree, point) > 0.5;
}

// ---- sections -----------------------------------------------------------------------------------

static double depth_at(const surroundings* c, vec3 point, double limit)
{
    return tree_distance(&c->solid->tree, point, limit, NULL);
}

// To the surface, from inside, where it is `depth` away: by that, and again. It changes by no more
// than the step.
static double way_out(const surroundings* c, vec3 from, double depth, vec3 direction)
{
    enum { STEPS = 30 };
    static const double PRECISE = 0.01;
    double way = depth, least = PRECISE * depth;
    for (int i = 0; i < STEPS && way < c->edge && depth > least; ++i) {
        depth = depth_at(c, v3_add_scaled(from, way, direction), 2.01 * depth);
        way += depth;
    }
    return way < c->edge ? way : c->edge;
}

// What rays across the axis find.
typedef struct {
    vec3 middle;
    double area, perimeter, shortest, longest, depth;
} cut;

// With 24 rays, or with every second of them: half of the corners may be cut off.
typedef enum { EXACT = 1, ROUGH = 2 } precision;

static cut cut_across(const surroundings* c, vec3 from, vec3 axis, precision how)
{
    enum { QUARTER = 6, MOST_RAYS = 4 * QUARTER };
    static const double PI = 3.14159265358979324;
    static const double turn[QUARTER][2] = {
        {1, 0},
        {0.96592582628906829, 0.25881904510252076},
        {0.86602540378443865, 0.5},
        {0.70710678118654752, 0.70710678118654752},
        {0.5, 0.86602540378443865},
        {0.25881904510252076, 0.96592582628906829},
    };
    const int rays = MOST_RAYS / (int)how;
    vec3 other = fabs(axis.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    vec3 u = v3_unit(v3_cross(axis, other)), v = v3_cross(axis, u), sum = v3_zero();
    cut out = {.shortest = c->edge, .depth = depth_at(c, from, c->edge)};
    double squares = 0;
    vec3 end[MOST_RAYS];
    for (int i = 0; i < rays; ++i) {
        int step = i * (int)how % QUARTER;
        const double* t = turn[step];
        vec3 direction = v3_add(v3_scale(t[0], u), v3_scale(t[1], v));
        double way = way_out(c, from, out.depth, direction);
        squares += way * way;
        sum = v3_add_scaled(sum, 2.0 / 3 * way * way * way, direction);
        end[i] = v3_scale(way, direction);
        out.shortest = fmin(out.shortest, way), out.longest = fmax(out.longest, way);
        if (step + (int)how < QUARTER) continue;
        vec3 quarter = v;
        v = v3_neg(u), u = quarter;
    }
    for (int i = 0; i < rays; ++i) out.perimeter += v3_length(v3_sub(end[i], end[(i + 1) % rays]));
    out.area = PI / rays * squares;
    out.middle = squares > 0 ? v3_add_scaled(from, 1 / squares, sum) : from;
    return out;
}

// The side of an equal-sided triangle with the perimeter of the section, so that a stalk has the
// part's surface; with its area, where that is less; or whose corners stick out by a third of an
// edge. 0 where the section is no compact one.
static double side_of(const surroundings* c, const cut* k)
{
    static const double PER_ROOT_OF_AREA = 1.51967137, PER_RADIUS = 1.7320508075688773;
    static const double LONGEST = 4, OUT = 0.33; // of the shortest; in edges
    bool compact = k->longest < c->edge && k->longest < LONGEST * k->shortest;
    double side = fmin(k->perimeter / 3, PER_ROOT_OF_AREA * sqrt(k->area));
    return compact ? fmin(side, PER_RADIUS * (k->shortest + OUT * c->edge)) : 0;
}

// Moves an inner point to the middle of its section. Returns the section's area.
static double center(const surroundings* c, vec3 axis, int rounds, vec3* point)
{
    double area = 0;
    for (int i = 0; i < rounds; ++i) {
        cut k = cut_across(c, *point, axis, ROUGH);
        vec3 way = v3_sub(k.middle, *point);
        if (v3_dot(way, way) < k.depth * k.depth || is_inside(c, k.middle)) *point = k.middle;
        area = k.area;
    }
    return area;
}

// ---- the course ---------------------------------------------------------------------------------

// A point inside, a little below the tip. False where there is none.
static bool enter(const surroundings* c, vec3 tip, vec3 inward, vec3* out)
{
    enum { TRIALS = 8 };
    for (int i = 1; i <= TRIALS; ++i) {
        *out = v3_add_scaled(tip, 0.125 * i * c->edge, inward);
        if (is_inside(c, *out)) return true;
    }
    return false;
}

// On along the middle by at most `step`. False where it is too crooked for that.
static bool go_on(const surroundings* c, double step, vec3* point, vec3* inward, double* area)
{
    enum { TRIALS = 6 };
    static const double STRAIGHT = 0.5; // cosine
    for (int i = 0; i < TRIALS; ++i, step *= 0.5) {
        vec3 next = v3_add_scaled(*point, step, *inward);
        if (!is_inside(c, next)) continue;
        *area = center(c, *inward, 1, &next);
        vec3 way = v3_unit(v3_sub(next, *point));
        if (v3_dot(way, *inward) < STRAIGHT) continue;
        *point = next, *inward = way;
        return true;
    }
    return false;
}

// In edges, to the mesh: where a course ends, where it may end, and where it ends whatever is
// between.
static const double ARRIVED = 0.5, REACHED = 1.5, THERE = 0.1;
static const double FARTHEST = 4; // in units of the solid

static bool is_near(const surroundings* c, vec3 point, double edges)
{
    double limit = edges * c->edge;
    return outline_is_near(c->mesh, c->solid, point, point, edges, THERE) ||
           (tree_distance(&c->mesh->tree, point, limit, NULL) < limit &&
            tree_winding(&c->mesh->tree, point) > 0.5);
}

// It goes on behind the tip: a handle, of which the tip is only the farthest place.
static bool goes_through(const surroundings* c, vec3 first, vec3 outward)
{
    for (int i = 1; i <= 4; ++i)
        if (!is_inside(c, v3_add_scaled(first, 0.25 * i * c->edge, outward))) return false;
    return true;
}

// About twice the side of a triangle with the section's area; more where that is too short to get
// to the mesh with the sections that are left.
static double step_from(const surroundings* c, vec3 point, double area, int left)
{
    static const double LENGTH = 3, CROOKED = 1.3; // of the root of the area; of the straight way
    double way = tree_distance(&c->mesh->tree, point, FARTHEST, NULL);
    return fmin(c->edge, fmax(LENGTH * sqrt(area), CROOKED * way / left));
}

// From the tip to the mesh, all centers. Returns their number, 0 if it does not get there.
static int walk(const surroundings* c, vec3 tip, vec3 inward, stalk* out)
{
    vec3 point;
    if (!enter(c, tip, inward, &point)) return 0;
    double area = center(c, inward, 3, &point);
    for (int count = 0; count < MOST_SECTIONS; ++count) {
        double step = step_from(c, point, area, MOST_SECTIONS - count);
        out->center[count] = out->aim = point;
        if (is_near(c, point, ARRIVED)) return count;
        if (!go_on(c, step, &point, &inward, &area)) {
            out->aim = v3_add_scaled(point, 0.5 * c->edge, inward);
            return is_near(c, point, REACHED) ? count + 1 : 0;
        }
        if (count == 0 && goes_through(c, out->center[0], v3_neg(inward))) return 0;
    }
    return 0;
}

static vec3 axis_at(const stalk* s, int i)
{
    vec3 before = s->center[i > 0 ? i - 1 : 0],
         after = i + 1 < s->count ? s->center[i + 1] : s->aim;
    return v3_unit(v3_sub(before, after));
}

// Where it flares out to what the mesh has, the sections end.
static void measure(const surroundings* c, stalk* s)
{
    for (int i = 0; i < s->count; ++i) {
        cut k = cut_across(c, s->center[i], axis_at(s, i), EXACT);
        s->side[i] = side_of(c, &k);
        if (s->side[i] > 0) continue;
        s->aim = s->center[i];
        s->count = is_near(c, s->aim, REACHED) ? i : 0;
    }
}

// Prisms are not longer than so many sides: tets would be too sharp.
static const double LONGEST = 4;

static double way_between(const stalk* s, int i, int k)
{
    return v3_length(v3_sub(s->center[i], s->center[k]));
}

// The tip is a point. A single tet ends in it, which may be as long and thin as it likes: sections
// that are nearly in the tip or would have to be thicker than they are are left out.
static void point(const surroundings* c, vec3 tip, stalk* s)
{
    static const double NEAR = 0.25, FAR = 2; // edges
    int first = 0;
    while (first + 1 < s->count) {
        double way = v3_length(v3_sub(s->center[first], tip)) / c->edge;
        bool thin = s->side[first] * LONGEST < way_between(s, first, first + 1);
        if (way > FAR || (way > NEAR && !thin)) break;
        ++first;
    }
    if (first > 1) {
        size_t left = (size_t)(s->count - first);
        memmove(s->center + 1, s->center + first, left * sizeof s->center[0]);
        memmove(s->side + 1, s->side + first, left * sizeof s->side[0]);
        s->count = (int)left + 1;
    }
    s->center[0] = tip;
    s->side[0] = 0;
}

// The first section was taken a little below the tip. Half way to it, that of a cone is half as
// large, that of a round end 0.7 times.
static void reach_tip(const surroundings* c, vec3 tip, stalk* s)
{
    static const double POINTED = 0.65;
    vec3 outward = axis_at(s, 0), from = s->center[0];
    vec3 between = v3_add_scaled(from, 0.5, v3_sub(tip, from));
    cut k = cut_across(c, between, outward, ROUGH);
    if (k.perimeter / 3 < POINTED * s->side[0]) {
        point(c, tip, s);
        return;
    }
    double way = way_out(c, from, depth_at(c, from, c->edge), outward);
    s->center[0] = v3_add_scaled(from, way, outward);
}

static void thicken(stalk* s)
{
    for (int i = s->side[0] > 0 ? 1 : 2; i < s->count; ++i) {
        double least = way_between(s, i, i - 1) / LONGEST;
        s->side[i - 1] = fmax(s->side[i - 1], least);
        s->side[i] = fmax(s->side[i], least);
    }
}

void stalk_follow(const solid* s, const outline* mesh, vec3 tip, const vec3 inward[STARTS],
                  stalk* out)
{
    surroundings c = {s, mesh, mesh->scale.edge / mesh->scale.size};
    *out = (stalk){0};
    for (int i = 0; i < STARTS && out->count == 0; ++i) out->count = walk(&c, tip, inward[i], out);
    if (out->count == 0) return;
    center(&c, axis_at(out, 0), 2, &out->center[0]);
    measure(&c, out);
    if (out->count == 0) return;
    reach_tip(&c, tip, out);
    thicken(out);
}
