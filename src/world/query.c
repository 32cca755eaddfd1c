// Rays, nearest points and overlaps: what is where in a world.
#define PRECISION_DOUBLE
#include "collide/query.h"
#include "base/cookie.h"
#include "math/direction.h"
#include "world/surface.h"

static const double FARTHEST_PLACE = 1e100; // [m] squares of squares of what is farther overflow

static bool is_place(const double x[3])
{
    for (int k = 0; k < 3; ++k)
        if (!(fabs(x[k]) <= FARTHEST_PLACE)) return false;
    return true;
}

static pliant_result refuse_place(const char* what)
{
    return fail(PLIANT_ERROR_ARGUMENT, "%s is not finite, or beyond %g m", what, FARTHEST_PLACE);
}

static pliant_hit nothing(void) { return (pliant_hit){.distance = INFINITY}; }

static pliant_body_id body_id(const pliant_world* world, int slot)
{
    return (pliant_body_id){(uint32_t)slot + 1, world->bodies.slot[slot].generation};
}

static vec3 vec3_of(const double v[3]) { return v3(v[0], v[1], v[2]); }
static void put3(vec3 v, double out[3]) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

// ---- what was found -----------------------------------------------------------------------------

static vec3 place_of_shares(const body_surface* s, const surface_hit* found)
{
    const int* corner = element_corners(s, found->element);
    vec3 start = surface_corner(s, corner[0]), sum = start;
    for (int k = 1; k < (element_is_segment(s, found->element) ? 2 : 3); ++k)
        sum = v3_add_scaled(sum, found->share[k], v3_sub(surface_corner(s, corner[k]), start));
    return sum;
}

// Of a loose particle, too. Of any direction across the segment where the place is on its middle
// line.
static vec3 normal_of_rope(const body_surface* s, const surface_hit* found, vec3 place)
{
    const int* corner = element_corners(s, found->element);
    vec3 away = v3_sub(place, place_of_shares(s, found));
    vec3 along = v3_sub(surface_corner(s, corner[1]), surface_corner(s, corner[0]));
    vec3 axis = fabs(along.x) <= fabs(along.y) ? v3(1, 0, 0) : v3(0, 1, 0);
    if (v3_dot(away, away) > 0) return v3_unit(away);
    return v3_dot(along, along) > 0 ? v3_unit(v3_cross(along, axis)) : axis;
}

static vec3 normal_of_triangle(const body_surface* s, int number)
{
    const int* corner = element_corners(s, number);
    vec3 start = surface_corner(s, corner[0]);
    return v3_unit(v3_cross(v3_sub(surface_corner(s, corner[1]), start),
                            v3_sub(surface_corner(s, corner[2]), start)));
}

// Without place, normal and side.
static pliant_hit describe_element(const body_surface* s, const surface_hit* found)
{
    pliant_hit hit = {.distance = found->distance, .element = found->element, .corners = 3};
    if (element_is_segment(s, found->element)) {
        hit.corners = s->loose ? 1 : 2;
        hit.element -= s->triangle_count;
    }
    for (int k = 0; k < hit.corners; ++k) {
        hit.particle[k] = element_corners(s, found->element)[k];
        hit.share[k] = found->share[k];
    }
    return hit;
}

// ---- rays ---------------------------------------------------------------------------------------

pliant_ray pliant_ray_defaults(void)
{
    pliant_ray r = {.longest = INFINITY, .bodies = true, .colliders = true, .cookie = COOKIE_RAY};
    return r;
}

static pliant_result check_ray(const pliant_ray* r)
{
    const double* d = r->direction;
    if (!is_place(r->origin)) return refuse_place("the origin of a ray");
    if (!is_place(d) || (d[0] == 0 && d[1] == 0 && d[2] == 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the direction of a ray is zero, not finite, or longer than %g",
                    FARTHEST_PLACE);
    if (!(r->longest >= 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the longest distance of a ray is %g m: give 0 or more, or INFINITY",
                    r->longest);
    return PLIANT_OK;
}

static void finish_ray(const ray* r, vec3 normal, pliant_hit* hit)
{
    put3(normal, hit->normal);
    hit->behind = v3_dot(vec3_of(r->direction), normal) > 0;
}

static pliant_hit describe_cast(const body_surface* s, const surface_hit* found, const ray* r)
{
    pliant_hit hit = describe_element(s, found);
    ray_at(r, hit.distance, hit.point);
    finish_ray(r,
               hit.corners <= 2 ? normal_of_rope(s, found, vec3_of(hit.point))
                                : normal_of_triangle(s, found->element),
               &hit);
    return hit;
}

// The nearest so far tells how far is looked: what comes later has to be nearer.
static double limit_of(const pliant_hit* best, double limit) { return fmin(best->distance, limit); }

static bool is_nearer(double far, const pliant_hit* best, double limit)
{
    return far < best->distance && far <= limit;
}

static pliant_result cast_at_bodies(const pliant_world* world, const ray* r, double longest,
                                    pliant_hit* best)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        const body_surface* s = NULL;
        if (!b || asset_is_carried(b->asset)) continue;
        pliant_result result = body_find_surface(world, b, false, &s);
        if (result) return result;
        surface_hit found = surface_cast(s, r, limit_of(best, longest));
        if (found.element < 0 || !is_nearer(found.distance, best, longest)) continue;
        *best = describe_cast(s, &found, r);
        best->body = body_id(world, i);
    }
    return PLIANT_OK;
}

static void cast_at_colliders(const pliant_world* world, const ray* r, double longest,
                              pliant_hit* best)
{
    for (int i = 0; i < world->collider_count; ++i) {
        const collider* c = &world->collider_list[i];
        double normal[3], far = collider_cast(c, r, limit_of(best, longest));
        if (!is_nearer(far, best, longest)) continue;
        *best = (pliant_hit){.collider = world_collider_id(world, i), .distance = far};
        ray_at(r, far, best->point);
        collider_distance(c, best->point, normal);
        finish_ray(r, vec3_of(normal), best);
    }
}

pliant_result pliant_world_cast_ray(const pliant_world* world, const pliant_ray* def,
                                    pliant_hit* out)
{
    if (!REQUIRE(world && out) || !REQUIRE_DEF(def, COOKIE_RAY)) return PLIANT_ERROR_ARGUMENT;
    *out = nothing();
    pliant_result result = check_ray(def);
    if (result) return result;
    ray r = ray_make(def->origin, def->direction);
    pliant_hit best = nothing();
    if (def->bodies) result = cast_at_bodies(world, &r, def->longest, &best);
    if (result) return result;
    if (def->colliders) cast_at_colliders(world, &r, def->longest, &best);
    *out = best;
    return PLIANT_OK;
}

// ---- nearest points -----------------------------------------------------------------------------

static pliant_hit describe_nearest(const body_surface* s, const surface_hit* found, vec3 point)
{
    const double at[3] = {point.x, point.y, point.z};
    pliant_hit hit = describe_element(s, found);
    vec3 place = place_of_shares(s, found), normal;
    if (hit.corners <= 2) {
        normal = normal_of_rope(s, found, point);
        place = v3_add_scaled(place, element_radius(s, found->element), normal);
        hit.behind = hit.distance < 0;
        hit.distance = fabs(hit.distance);
    } else {
        normal = normal_of_triangle(s, found->element);
        hit.behind = s->tet_count ? surface_holds(s, at) : v3_dot(v3_sub(point, place), normal) < 0;
    }
    put3(normal, hit.normal);
    put3(place, hit.point);
    return hit;
}

static pliant_result nearest_of_body(const pliant_world* world, int slot, const double point[3],
                                     double farthest, pliant_hit* best)
{
    body* b = world_body_at(world, slot);
    const body_surface* s = NULL;
    pliant_result result = b ? body_find_surface(world, b, true, &s) : PLIANT_OK;
    if (result || !b) return result;
    surface_hit found = surface_nearest(s, point, limit_of(best, farthest));
    if (found.element < 0) return PLIANT_OK;
    pliant_hit hit = describe_nearest(s, &found, vec3_of(point));
    hit.body = body_id(world, slot);
    if (is_nearer(hit.distance, best, farthest)) *best = hit;
    return PLIANT_OK;
}

static void nearest_of_collider(const pliant_world* world, int number, const double point[3],
                                double farthest, pliant_hit* best)
{
    double normal[3], far = collider_distance(&world->collider_list[number], point, normal);
    if (!is_nearer(fabs(far), best, farthest)) return;
    *best = (pliant_hit){
        .collider = world_collider_id(world, number), .distance = fabs(far), .behind = far < 0};
    put3(vec3_of(normal), best->normal);
    put3(v3_add_scaled(vec3_of(point), -far, vec3_of(normal)), best->point);
}

pliant_result pliant_world_find_nearest(const pliant_world* world, const double point[3],
                                        double farthest, pliant_hit* out)
{
    if (!REQUIRE(world && point && out)) return PLIANT_ERROR_ARGUMENT;
    *out = nothing();
    if (!is_place(point)) return refuse_place("the point of a query");
    if (!(farthest >= 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "the farthest distance is %g m: give 0 or more, or INFINITY", farthest);
    pliant_hit best = nothing();
    for (int i = 0; i < world->bodies.count; ++i) {
        pliant_result result = nearest_of_body(world, i, point, farthest, &best);
        if (result) return result;
    }
    for (int i = 0; i < world->collider_count; ++i)
        nearest_of_collider(world, i, point, farthest, &best);
    *out = best;
    return PLIANT_OK;
}

pliant_result pliant_body_find_nearest(const pliant_world* world, pliant_body_id id,
                                       const double point[3], pliant_hit* out)
{
    if (!world_body(world, id) || !REQUIRE(point && out)) return PLIANT_ERROR_ARGUMENT;
    *out = nothing();
    if (!is_place(point)) return refuse_place("the point of a query");
    return nearest_of_body(world, (int)id.index1 - 1, point, INFINITY, out);
}

// ---- overlaps -----------------------------------------------------------------------------------

typedef struct {
    bool round;
    double center[3], radius; // [m]
    tree_box box;             // [m] of what is not round
} volume;

static bool volume_meets_body(const volume* v, const body_surface* s)
{
    bool meets = v->round ? surface_nearest(s, v->center, v->radius).element >= 0
                          : surface_meets_box(s, &v->box);
    return meets || surface_holds(s, v->center);
}

static bool volume_meets_collider(const volume* v, const collider* c)
{
    double normal[3];
    return v->round ? collider_distance(c, v->center, normal) <= v->radius
                    : collider_meets_box(c, &v->box);
}

typedef struct {
    pliant_overlap* out;
    int count, capacity;
} overlap_list;

static void add_overlap(overlap_list* l, pliant_overlap found)
{
    if (l->count < l->capacity) l->out[l->count] = found;
    l->count++;
}

static pliant_result find_overlaps(const pliant_world* world, const volume* v, overlap_list l,
                                   int* out_count)
{
    for (int i = 0; i < world->bodies.count; ++i) {
        body* b = world_body_at(world, i);
        const body_surface* s = NULL;
        if (!b || asset_is_carried(b->asset)) continue;
        pliant_result result = body_find_surface(world, b, true, &s);
        if (result) return result;
        if (volume_meets_body(v, s)) add_overlap(&l, (pliant_overlap){.body = body_id(world, i)});
    }
    for (int i = 0; i < world->collider_count; ++i)
        if (volume_meets_collider(v, &world->collider_list[i]))
            add_overlap(&l, (pliant_overlap){.collider = world_collider_id(world, i)});
    *out_count = l.count;
    return PLIANT_OK;
}

pliant_result pliant_world_overlap_ball(const pliant_world* world, const double center[3],
                                        double radius, pliant_overlap* out, int capacity,
                                        int* out_count)
{
    if (!REQUIRE(out_count)) return PLIANT_ERROR_ARGUMENT;
    *out_count = 0;
    if (!REQUIRE(world && center) || !REQUIRE(capacity >= 0 && (out || capacity == 0)))
        return PLIANT_ERROR_ARGUMENT;
    volume v = {.round = true, .center = {center[0], center[1], center[2]}, .radius = radius};
    if (!is_place(center)) return refuse_place("the center of a ball");
    if (!(radius >= 0 && radius <= FARTHEST_PLACE))
        return fail(PLIANT_ERROR_ARGUMENT, "the radius of a ball is %g m: give 0 to %g", radius,
                    FARTHEST_PLACE);
    return find_overlaps(world, &v, (overlap_list){out, 0, capacity}, out_count);
}

pliant_result pliant_world_overlap_box(const pliant_world* world, const double min[3],
                                       const double max[3], pliant_overlap* out, int capacity,
                                       int* out_count)
{
    if (!REQUIRE(out_count)) return PLIANT_ERROR_ARGUMENT;
    *out_count = 0;
    if (!REQUIRE(world && min && max) || !REQUIRE(capacity >= 0 && (out || capacity == 0)))
        return PLIANT_ERROR_ARGUMENT;
    volume v = {.box = {vec3_of(min), vec3_of(max)}};
    if (!is_place(min) || !is_place(max)) return refuse_place("a corner of a box");
    for (int k = 0; k < 3; ++k) {
        v.center[k] = 0.5 * (min[k] + max[k]);
        if (min[k] > max[k])
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a box goes from %g to %g m along %c: min is to be below max", min[k],
                        max[k], "xyz"[k]);
    }
    return find_overlaps(world, &v, (overlap_list){out, 0, capacity}, out_count);
}
