// Bodies that are cut by triangles.
#include "world/tearing.h"

#include "mesh/shape.h"
#include "world/residency.h"
#include <math.h>

typedef struct {
    point corner[3];
    point normal; // of length 1
} blade;

static bool make_blade(const double* at, blade* out)
{
    static const int corner[3] = {0, 1, 2};
    point area = triangle_area_vector(at, corner);
    double length = sqrt(point_dot(area, area));
    for (int i = 0; i < 3; ++i) out->corner[i] = vertex_at(at, i);
    out->normal = (point){area.x / length, area.y / length, area.z / length};
    return isfinite(length) && length > 0;
}

static double height(const blade* b, point p)
{
    return point_dot(b->normal, point_between(b->corner[0], p));
}

// Whether the place of the plane that is nearest to the point is in the triangle.
static bool is_above(const blade* b, point p)
{
    bool above = true;
    for (int i = 0; i < 3; ++i) {
        point side = point_between(b->corner[i], b->corner[(i + 1) % 3]);
        point in = point_cross(b->normal, side);
        above = above && point_dot(in, point_between(b->corner[i], p)) >= 0;
    }
    return above;
}

// Places are known of `count` vertices; those that parted since are where they were.
static point middle_of(const body_tear* t, int corner, int count)
{
    star_element e = stars_element(&t->stars, corner);
    point sum = {0, 0, 0};
    for (int i = 0; i < e.count; ++i) {
        int vertex = stars_before(&t->stars, t->stars.corner[e.first + i], count);
        point p = vertex_at(t->place, vertex);
        sum.x += p.x / e.count, sum.y += p.y / e.count, sum.z += p.z / e.count;
    }
    return sum;
}

// New particles are where those are that they parted from, also before the body knows them.
static bool read_places(const body* b)
{
    body_tear* t = b->tear;
    int count = t->stars.vertex_count;
    if (!mem_reserve((void**)&t->place, &t->place_capacity, 3 * (int64_t)count, sizeof(double)))
        return false;
    for (int i = 0; i < count; ++i)
        state_read_position(&b->s, stars_before(&t->stars, i, b->s.particle_count),
                            t->place + 3 * (size_t)i);
    return true;
}

// Sides of the star that was taken, by the middles of its `size` elements. Returns whether there
// are two.
static bool find_sides(body_tear* t, const blade* cut, int size, int count)
{
    int over = 0;
    for (int i = 0; i < size; ++i) {
        t->side[i] = height(cut, middle_of(t, t->stars.member[i], count)) > 0;
        over += t->side[i];
    }
    return over > 0 && over < size;
}

static bool part_at(body_tear* t, const blade* cut, int vertex, int count)
{
    int size = stars_take(&t->stars, vertex);
    if (size < 0 || !mem_reserve((void**)&t->side, &t->side_capacity, size, 1)) return false;
    return !find_sides(t, cut, size, count) || stars_part(&t->stars, vertex, t->side);
}

static bool cut_by(body* b, const blade* cut)
{
    body_tear* t = b->tear;
    int count = t->stars.vertex_count;
    if (!read_places(b)) return false;
    for (int i = 0; i < count; ++i)
        if (!t->stars.held[i] && is_above(cut, vertex_at(t->place, i)) &&
            !part_at(t, cut, i, count))
            return false;
    return true;
}

static bool cut_all(body* b, const double* triangles, int count)
{
    for (int i = 0; i < b->s.particle_count; ++i)
        b->tear->stars.held[i] = !(state_read_inverse_mass(&b->s, i) > 0) || b->s.axes[i] != 0;
    for (int i = 0; i < count; ++i) {
        blade cut;
        if (make_blade(triangles + 9 * (size_t)i, &cut) && !cut_by(b, &cut)) return false;
    }
    return true;
}

static pliant_result check_triangles(const double* triangles, int count)
{
    for (int64_t i = 0; i < 9 * (int64_t)count; ++i)
        if (!isfinite(triangles[i]))
            return fail(PLIANT_ERROR_ARGUMENT, "triangle %d of a blade is not finite",
                        (int)(i / 9));
    return PLIANT_OK;
}

static pliant_result cut_body(pliant_world* world, body* b, const double* triangles, int count)
{
    int before = b->s.particle_count;
    if (!body_open_tear(b)) return PLIANT_ERROR_MEMORY;
    if (!cut_all(b, triangles, count)) {
        stars_forget(&b->tear->stars, before);
        return PLIANT_ERROR_MEMORY;
    }
    if (b->tear->stars.vertex_count == before) return PLIANT_OK;
    pliant_result result = body_go_on_torn(world, b, before);
    if (!result) world_note_parted(world, b, before, NULL, 0);
    return result;
}

pliant_result pliant_body_cut(pliant_world* world, pliant_body_id id, const double* triangles,
                              int triangle_count, int* out_count)
{
    if (out_count) *out_count = 0;
    body* b = world_body(world, id);
    if (!b || !REQUIRE(triangle_count >= 0 && (triangles || triangle_count == 0)))
        return PLIANT_ERROR_ARGUMENT;
    const pliant_asset* a = body_whole(b);
    pliant_result result = asset_check_tearing(a->mesh, &a->def, a->parts[PART_TETHER].count > 0);
    if (!result) result = check_triangles(triangles, triangle_count);
    if (result) return result;
    if (!body_fetch(world, b, STATE_ALL)) return PLIANT_ERROR_DEVICE;
    int before = b->s.particle_count;
    result = cut_body(world, b, triangles, triangle_count);
    if (out_count) *out_count = b->s.particle_count - before;
    return result;
}
