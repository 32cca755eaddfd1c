#define PRECISION_DOUBLE
#include "collide/query.h"
#include "collide/probe.h"
#include "geometry/box_contact.h"

// ---- its own axes -------------------------------------------------------------------------------

static void to_local(const collider* c, const double v[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = c->axis[k][0] * v[0] + c->axis[k][1] * v[1] + c->axis[k][2] * v[2];
}

static void point_to_local(const collider* c, const double point[3], double out[3])
{
    double from[3];
    for (int k = 0; k < 3; ++k) from[k] = point[k] - c->position[k];
    to_local(c, from, out);
}

static ray ray_to_local(const collider* c, const ray* r)
{
    double origin[3], direction[3];
    point_to_local(c, r->origin, origin);
    to_local(c, r->direction, direction);
    return ray_make(origin, direction);
}

double collider_distance(const collider* c, const double point[3], double out_normal[3])
{
    probe_shape s = probe_shape_of(c);
    double local[3];
    point_to_local(c, point, local);
    local_probe at = probe_local(&s, local, INFINITY);
    for (int k = 0; k < 3; ++k)
        out_normal[k] = at.normal[0] * c->axis[0][k] + at.normal[1] * c->axis[1][k] +
                        at.normal[2] * c->axis[2][k];
    return at.distance;
}

// ---- rays ---------------------------------------------------------------------------------------

static ray_span span_box(const ray* r, const double low[3], const double high[3])
{
    ray_span s = span_everywhere();
    for (int k = 0; k < 3; ++k)
        s = span_slab(s, low[k] - r->origin[k], high[k] - r->origin[k], r->direction[k]);
    return s;
}

static double field_value(const probe_shape* s, const ray* from, double distance)
{
    double p[3];
    ray_at(from, distance, p);
    return probe_field(s, p).distance;
}

// Where the value changes its sign between two places of a line.
static double find_crossing(const probe_shape* s, const ray* from, double before, double behind)
{
    bool inside = field_value(s, from, before) < 0;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (before + behind);
        if ((field_value(s, from, middle) < 0) == inside)
            before = middle;
        else
            behind = middle;
    }
    return behind;
}

// Values far from the surface may be too large by a cell: steps are shorter by two.
static double cast_field(const probe_shape* s, const ray* r, double longest)
{
    double high[3];
    for (int k = 0; k < 3; ++k) high[k] = s->origin[k] + s->cell * (s->count[k] - 1);
    ray_span inside = span_box(r, s->origin, high);
    double start = fmax(inside.enter, 0), length = fmin(inside.leave, longest) - start;
    if (!(length >= 0)) return INFINITY;
    ray from = *r; // from where it comes to the samples: farther away places are less exact
    ray_at(r, start, from.origin);
    double at = 0, value = field_value(s, &from, 0);
    while (value != 0) {
        double next = fmin(at + fmax(fabs(value) - 2 * s->cell, s->cell / 4), length);
        double there = field_value(s, &from, next);
        if ((there < 0) != (value < 0)) return start + find_crossing(s, &from, at, next);
        if (!(next < length)) return INFINITY;
        at = next;
        value = there;
    }
    return start + at;
}

static ray_span span_plane(const ray* r)
{
    return span_slab(span_everywhere(), -INFINITY, -r->origin[1], r->direction[1]);
}

// Below all planes of a hull.
static ray_span span_hull(const hull* h, const ray* r)
{
    const double* plane = (const double*)h->data;
    ray_span s = span_everywhere();
    for (int i = 0; i < h->face_count; ++i) {
        double speed = 0;
        for (int k = 0; k < 3; ++k) speed += plane[k * h->plane_count + i] * r->direction[k];
        s = span_slab(s, -INFINITY, -hull_height(plane, h->plane_count, i, r->origin), speed);
    }
    return s;
}

// The triangles themselves, whatever their thickness, from either side.
static double cast_net(const net* n, const ray* r, double longest)
{
    net_view v = net_view_of(n->data, n->node_count, false);
    double nearest = INFINITY;
    for (int i = 0; i < v.node_count;) {
        const net_node* at = &v.node[i];
        tree_box box = {v3(at->low[0], at->low[1], at->low[2]),
                        v3(at->high[0], at->high[1], at->high[2])};
        bool here = ray_meets_box(r, &box) <= fmin(nearest, longest);
        for (int k = at->first; here && k < at->first + at->count; ++k) {
            const facet* f = &v.face[k];
            const double* const corner[3] = {f->corner[0], f->corner[1], f->corner[2]};
            double share[3];
            nearest = fmin(nearest, ray_meets_triangle(r, corner, share));
        }
        i = here ? i + 1 : at->next;
    }
    return nearest;
}

static ray_span span_shape(const collider* c, const probe_shape* s, const ray* r)
{
    const double low[3] = {-s->half[0], -s->half[1], -s->half[2]};
    const double ends[2][3] = {{0, -s->half_height, 0}, {0, s->half_height, 0}}, zero[3] = {0};
    switch (s->shape) {
    case PLIANT_SHAPE_BOX:
        return span_box(r, low, s->half);
    case PLIANT_SHAPE_SPHERE:
        return span_ball(r, zero, s->radius);
    case PLIANT_SHAPE_CAPSULE:
        return span_capsule(r, ends[0], ends[1], s->radius);
    case PLIANT_SHAPE_CONVEX:
        return span_hull(c->hull, r);
    case PLIANT_SHAPE_PLANE:
    case PLIANT_SHAPE_MESH:
    case PLIANT_SHAPE_TRIANGLES:
        break;
    }
    return span_plane(r);
}

double collider_cast(const collider* c, const ray* r, double longest)
{
    probe_shape s = probe_shape_of(c);
    ray local = ray_to_local(c, r);
    if (c->shape == PLIANT_SHAPE_MESH) return cast_field(&s, &local, longest);
    if (c->shape == PLIANT_SHAPE_TRIANGLES) return cast_net(c->net, &local, longest);
    return span_meets(span_shape(c, &s, &local));
}

// ---- boxes --------------------------------------------------------------------------------------

static vec3 vec3_of(const double v[3]) { return v3(v[0], v[1], v[2]); }

static bool capsule_meets_box(const collider* c, double half_height, const tree_box* box)
{
    vec3 middle = vec3_of(c->position), axis = vec3_of(c->axis[1]);
    return box_segment_distance2(box, v3_add_scaled(middle, -half_height, axis),
                                 v3_add_scaled(middle, half_height, axis)) <= c->radius * c->radius;
}

static bool plane_meets_box(const collider* c, const tree_box* box)
{
    vec3 up = vec3_of(c->axis[1]);
    vec3 lowest = v3(up.x > 0 ? box->low.x : box->high.x, up.y > 0 ? box->low.y : box->high.y,
                     up.z > 0 ? box->low.z : box->high.z);
    return v3_dot(v3_sub(lowest, vec3_of(c->position)), up) <= 0;
}

static bool box_meets_box(const collider* c, const tree_box* box)
{
    turned_box other = {.center = vec3_of(c->position)};
    for (int k = 0; k < 3; ++k) {
        other.axis[k] = vec3_of(c->axis[k]);
        other.half[k] = c->half_extents[k];
    }
    return box_meets_turned_box(box, &other);
}

// Halves the box until the distance in its middle tells.
static bool field_meets_box(const collider* c, vec3 middle, vec3 half)
{
    const double at[3] = {middle.x, middle.y, middle.z};
    double normal[3], cell = c->field->cell, reach = sqrt(v3_dot(half, half));
    double distance = collider_distance(c, at, normal);
    double least = distance > 4 * cell ? distance - 2 * cell : distance; // it may be too large
    if (distance <= 0) return true;
    if (least > reach) return false;
    if (reach < cell / 8) return true;
    vec3 quarter = v3_scale(0.5, half);
    for (int i = 0; i < 8; ++i)
        if (field_meets_box(
                c,
                v3_add(middle, v3(i & 1 ? quarter.x : -quarter.x, i & 2 ? quarter.y : -quarter.y,
                                  i & 4 ? quarter.z : -quarter.z)),
                quarter))
            return true;
    return false;
}

// Only what is near to it: a large box would be halved for long.
static bool mesh_meets_box(const collider* c, const tree_box* box)
{
    vec3 reach = v3(c->reach, c->reach, c->reach), at = vec3_of(c->position);
    vec3 low = v3_high(box->low, v3_sub(at, reach)), high = v3_low(box->high, v3_add(at, reach));
    if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) return false;
    return field_meets_box(c, v3_scale(0.5, v3_add(low, high)), v3_scale(0.5, v3_sub(high, low)));
}

static vec3 place_of(const collider* c, const double local[3])
{
    vec3 out = vec3_of(c->position);
    for (int k = 0; k < 3; ++k) out = v3_add_scaled(out, local[k], vec3_of(c->axis[k]));
    return out;
}

static bool net_meets_box(const collider* c, const tree_box* box)
{
    net_view v = net_view_of(c->net->data, c->net->node_count, false);
    for (int i = 0; i < c->net->triangle_count; ++i) {
        vec3 corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = place_of(c, v.face[i].corner[k]);
        if (box_meets_triangle(box, corner)) return true;
    }
    return false;
}

static bool axis_parts_hull(const collider* c, const tree_box* box, vec3 axis)
{
    vec3 half = v3_scale(0.5, v3_sub(box->high, box->low));
    double middle = v3_dot(v3_scale(0.5, v3_add(box->low, box->high)), axis), low = INFINITY,
           high = -INFINITY, reach = box_reach(half, axis);
    for (int i = 0; i < c->hull->corner_count; ++i) {
        double at = v3_dot(place_of(c, c->hull->corner + 3 * (size_t)i), axis) - middle;
        low = fmin(low, at), high = fmax(high, at);
    }
    return low > reach || high < -reach;
}

static bool hull_meets_box(const collider* c, const tree_box* box)
{
    const vec3 unit[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    const facet* f = hull_facets(c->hull->data, c->hull->plane_count);
    for (int k = 0; k < 3; ++k)
        if (axis_parts_hull(c, box, unit[k])) return false;
    for (int i = 0; i < c->hull->triangle_count; ++i) {
        vec3 corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = place_of(c, f[i].corner[k]);
        if (axis_parts_hull(c, box,
                            v3_cross(v3_sub(corner[1], corner[0]), v3_sub(corner[2], corner[0]))))
            return false;
        for (int k = 0; k < 9; ++k)
            if (axis_parts_hull(
                    c, box, v3_cross(v3_sub(corner[(k / 3 + 1) % 3], corner[k / 3]), unit[k % 3])))
                return false;
    }
    return true;
}

bool collider_meets_box(const collider* c, const tree_box* box)
{
    switch (c->shape) {
    case PLIANT_SHAPE_BOX:
        return box_meets_box(c, box);
    case PLIANT_SHAPE_SPHERE:
        return capsule_meets_box(c, 0, box);
    case PLIANT_SHAPE_CAPSULE:
        return capsule_meets_box(c, c->half_height, box);
    case PLIANT_SHAPE_MESH:
        return mesh_meets_box(c, box);
    case PLIANT_SHAPE_CONVEX:
        return hull_meets_box(c, box);
    case PLIANT_SHAPE_TRIANGLES:
        return net_meets_box(c, box);
    case PLIANT_SHAPE_PLANE:
        break;
    }
    return plane_meets_box(c, box);
}
