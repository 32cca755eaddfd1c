#define PRECISION_DOUBLE
#include "collide/room.h"
#include "collide/probe.h"
#include "math/direction.h"

// Points among colliders.
typedef struct {
    const point_set* set;
    const collider* list;
    int count;
    int stride;     // every so many-th point counts
    vec3 low, high; // [m] of all points, with their radii
    double touch;   // [m] no deeper is outside
} crowd;

static vec3 vec_of(const double p[3]) { return v3(p[0], p[1], p[2]); }

// The deepest point, when all are moved.
static double depth_in(const crowd* s, const collider* c, vec3 shift, vec3* out_normal)
{
    probe_shape shape = probe_shape_of(c);
    vec3 from = v3_sub(shift, vec_of(c->position));
    double deepest = -INFINITY;
    if (c->shape == PLIANT_SHAPE_TRIANGLES) return deepest; // nothing is inside
    for (int i = 0; i < s->set->count; i += s->stride) {
        const double* point = s->set->point + 3 * (size_t)i;
        const double there[3] = {point[0] + from.x, point[1] + from.y, point[2] + from.z};
        probe at = probe_world(&shape, there, INFINITY, false);
        double depth = s->set->radius[i] - at.distance;
        if (!(depth > deepest)) continue;
        deepest = depth;
        *out_normal = at.normal;
    }
    return deepest;
}

// The same in all colliders.
static double deepest(const crowd* s, vec3 shift, vec3* out_normal)
{
    vec3 a = v3_add(s->low, shift), b = v3_add(s->high, shift), normal;
    const double low[3] = {a.x, a.y, a.z}, high[3] = {b.x, b.y, b.z};
    double most = 0;
    for (int i = 0; i < s->count; ++i) {
        if (collider_is_far(&s->list[i], low, high, DBL_EPSILON)) continue;
        double depth = depth_in(s, &s->list[i], shift, &normal);
        if (!(depth > most)) continue;
        most = depth;
        *out_normal = normal;
    }
    return most;
}

static crowd crowd_of(const point_set* set, const collider* list, int count)
{
    crowd s = {set, list, count, 1, v3(INFINITY, INFINITY, INFINITY), v3_zero(), 0};
    s.high = v3_neg(s.low);
    for (int i = 0; i < set->count; ++i) {
        double r = set->radius[i];
        vec3 p = vec_of(set->point + 3 * (size_t)i);
        s.low = v3(fmin(s.low.x, p.x - r), fmin(s.low.y, p.y - r), fmin(s.low.z, p.z - r));
        s.high = v3(fmax(s.high.x, p.x + r), fmax(s.high.y, p.y + r), fmax(s.high.z, p.z + r));
    }
    s.touch = 1e-9 * v3_length(v3_sub(s.high, s.low));
    return s;
}

double points_depth(const point_set* set, const collider* c)
{
    crowd s = crowd_of(set, c, 1);
    vec3 normal;
    return depth_in(&s, c, v3_zero(), &normal);
}

// ---- directions ---------------------------------------------------------------------------------

// How far all have to go in a direction; INFINITY when that is `farthest` or more, or not found.
// What is so deep has at least as far to go.
static double exit_along(const crowd* s, vec3 direction, double farthest)
{
    enum { MOST_STEPS = 100 };
    double at = 0;
    for (int i = 0; i < MOST_STEPS && at < farthest; ++i) {
        vec3 normal;
        double depth = deepest(s, v3_scale(at, direction), &normal);
        if (depth <= s->touch) return at;
        at += depth;
    }
    return INFINITY;
}

typedef struct {
    const crowd* crowd;
    double length; // [m] of the best translation so far
    vec3 direction;
    bool found;
} search;

// Returns whether this direction is the best one so far, by more than rounding.
static bool try_direction(search* s, vec3 direction)
{
    vec3 unit = v3_unit(direction);
    if (!(v3_dot(unit, unit) > 0)) return false;
    double length = exit_along(s->crowd, unit, s->length * (1 - 1e-3));
    if (!(length < s->length)) return false;
    s->length = length;
    s->direction = unit;
    s->found = true;
    return true;
}

// The shortest translation that is beyond all of some planes: one after the other gives its
// multiplier what it lacks (Hildreth 1957).
typedef struct {
    vec3 normal;
    double height, multiplier; // [m]
} cut;

static vec3 beyond(cut* list, int count)
{
    enum { ROUNDS = 50 };
    vec3 at = v3_zero();
    for (int i = 0; i < count; ++i) at = v3_add_scaled(at, list[i].multiplier, list[i].normal);
    for (int i = 0; i < ROUNDS * count; ++i) {
        cut* c = &list[i % count];
        double change = fmax(c->height - v3_dot(c->normal, at), -c->multiplier);
        c->multiplier += change;
        at = v3_add_scaled(at, change, c->normal);
    }
    return at;
}

// Beyond the plane that is at the deepest point, and again from there: a way out of corners.
static vec3 out_of_corners(const crowd* s)
{
    enum { MOST_CUTS = 24 };
    cut list[MOST_CUTS];
    vec3 at = v3_zero();
    for (int i = 0; i < MOST_CUTS; ++i) {
        vec3 normal = v3_zero();
        double depth = deepest(s, at, &normal);
        if (depth <= s->touch) break;
        list[i] = (cut){normal, v3_dot(normal, at) + depth, 0};
        at = beyond(list, i + 1);
    }
    return at;
}

static void try_collider(search* s, const collider* c)
{
    const crowd* points = s->crowd;
    vec3 normal = v3_zero(), middle = v3_scale(0.5, v3_add(points->low, points->high));
    if (!(depth_in(points, c, v3_zero(), &normal) > points->touch)) return;
    try_direction(s, normal);
    try_direction(s, v3_sub(middle, vec_of(c->position)));
    for (int k = 0; k < 3; ++k) {
        try_direction(s, vec_of(c->axis[k]));
        try_direction(s, v3_neg(vec_of(c->axis[k])));
    }
}

static void try_around(search* s)
{
    for (int i = 0; i < 27; ++i) try_direction(s, v3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
}

// Near the best one, nearer and nearer.
static void refine(search* s)
{
    for (double step = 0.25; step > 0.01 && s->found;) {
        vec3 n = s->direction, other = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
        vec3 a = v3_unit(v3_cross(n, other)), b = v3_cross(n, a);
        bool better = false;
        for (int i = 0; i < 9 && !better; ++i) {
            vec3 aside = v3_add_scaled(v3_scale(i % 3 - 1, a), i / 3 - 1, b);
            better = i != 4 && try_direction(s, v3_add_scaled(n, step, aside));
        }
        if (!better) step /= 2;
    }
}

// A few thousand points tell the direction; all of them tell how far.
bool points_find_room(const point_set* set, const collider* list, int count, double farthest,
                      double out[3])
{
    enum { MANY = 2000 };
    crowd all = crowd_of(set, list, count), some = all;
    some.stride = set->count / MANY + 1;
    search s = {.crowd = &some, .length = farthest};
    try_direction(&s, out_of_corners(&some));
    for (int i = 0; i < count; ++i) try_collider(&s, &list[i]);
    try_around(&s);
    refine(&s);
    double length = s.found ? exit_along(&all, s.direction, 2 * farthest) : INFINITY;
    const double unit[3] = {s.direction.x, s.direction.y, s.direction.z};
    for (int k = 0; k < 3 && length < INFINITY; ++k) out[k] = length * unit[k];
    return length < INFINITY;
}
