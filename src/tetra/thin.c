#define PRECISION_DOUBLE
#include "tetra/thin.h"
#include "base/sort.h"
#include "geometry/morton.h"
#include "math/direction.h"

// In cells.
static const double NEAR = 0.75;       // to the surface: vertices that look for a middle
static const double LEAST_DEPTH = 0.2; // of a middle: thinner parts would grow by too much
static const double SAFE_DEPTH = 0.9;  // a ball of this radius has a vertex that no warp reaches

// ---- the middle ---------------------------------------------------------------------------------

typedef struct {
    vec3 start, inward; // on the surface; of length 1
} ray;

static double depth_at(const lattice* l, vec3 point)
{
    return tree_distance(&l->solid->tree, point, 2 * l->half, NULL) / (2 * l->half);
}

static vec3 ray_point(const lattice* l, const ray* r, double cells)
{
    return v3_add_scaled(r->start, cells * 2 * l->half, r->inward);
}

// From the point of the surface that is nearest. False where that is farther than a cell.
static bool find_ray(const lattice* l, vec3 point, bool inside, ray* out)
{
    const pliant_mesh* surface = l->solid->surface;
    double cell = 2 * l->half;
    int nearest;
    tree_distance(&l->solid->tree, point, 1.05 * cell, &nearest);
    if (nearest < 0) return false;
    triangle t = triangle_make(surface->vertices, surface->triangles + 3 * (ptrdiff_t)nearest);
    out->start = triangle_nearest(&t, point);
    vec3 way = inside ? v3_sub(point, out->start) : v3_sub(out->start, point);
    double length = sqrt(v3_dot(way, way));
    out->inward = length > 1e-3 * cell ? v3_scale(1 / length, way) : v3_neg(t.normal);
    return true;
}

// Half the way to where the distance has fallen again, in cells; 0 where it does not fall.
static double find_middle(const lattice* l, const ray* r)
{
    static const double STEP = 0.15, FALLEN = 0.6; // of the greatest distance on the way
    double greatest = 0;
    if (depth_at(l, ray_point(l, r, SAFE_DEPTH)) > 0.99 * SAFE_DEPTH) return 0;
    for (double way = STEP; way < 2 * SAFE_DEPTH; way += STEP) {
        double depth = depth_at(l, ray_point(l, r, way));
        greatest = fmax(greatest, depth);
        if (depth < FALLEN * greatest) return (way + depth) / 2; // as between parallel walls
    }
    return 0;
}

// From near the middle to the middle: away from the surface, in smaller and smaller steps, none of
// which leaves the solid. Returns the depth there, in cells.
static double climb(const lattice* l, vec3* point)
{
    static const double FIRST = 0.15, LAST = 0.02, SHORTER = 0.6;
    double depth = -solid_distance(l->solid, *point, 2 * l->half, NULL) / (2 * l->half);
    for (double step = FIRST; depth > 0 && step > LAST; step *= SHORTER) {
        ray r;
        if (!find_ray(l, *point, true, &r)) break;
        vec3 next = v3_add_scaled(*point, step * 2 * l->half, r.inward);
        double there = depth_at(l, next);
        if (there > depth && tree_winding(&l->solid->tree, next) > 0.5)
            depth = there, *point = next;
    }
    return depth;
}

// ---- plates -------------------------------------------------------------------------------------

// The solid goes on from a middle in neighboring directions across the ray. That of a bar goes on
// in opposite ones.
static bool is_plate(const lattice* l, const ray* r, vec3 middle)
{
    enum { DIRECTIONS = 8 };
    static const double turn[2][2] = {{1, 0}, {0.70710678118654752, 0.70710678118654752}};
    vec3 other = fabs(r->inward.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    vec3 u = v3_unit(v3_cross(r->inward, other)), v = v3_cross(r->inward, u);
    bool inside[DIRECTIONS], plate = false;
    for (int i = 0; i < DIRECTIONS; ++i) {
        const double* t = turn[i % 2];
        vec3 way = v3_add(v3_scale(t[0], u), v3_scale(t[1], v));
        inside[i] = tree_winding(&l->solid->tree, v3_add_scaled(middle, 2 * l->half, way)) > 0.5;
        if (i % 2 == 0) continue;
        vec3 quarter = v;
        v = v3_neg(u), u = quarter;
    }
    for (int i = 0; i < DIRECTIONS; ++i) plate |= inside[i] && inside[(i + 1) % DIRECTIONS];
    return plate;
}

// Half the way to where the ray leaves the solid, from a depth at which it is inside; 0 where that
// is farther than `most`. In cells.
static double find_half(const lattice* l, const ray* r, double depth, double most)
{
    static const double STEP = 0.04;
    for (double way = depth + STEP; way < 2 * most; way += STEP)
        if (tree_winding(&l->solid->tree, ray_point(l, r, way)) < 0.5) return (way - STEP / 2) / 2;
    return 0;
}

static void clear_piece(int piece, void* argument)
{
    static const float MOST_DEPTH = 0.42f; // cells: half of the thickness of what is cleared
    lattice* l = (lattice*)argument;
    for (int v = piece * PIECE; v < piece_end(piece, l->count); ++v) {
        int at[3];
        ray r;
        if (!(l->value[v] < 0 && l->value[v] > -MOST_DEPTH)) continue;
        lattice_coordinates(l->key[v], at);
        if (!find_ray(l, lattice_place(l, at), true, &r)) continue;
        double half = find_half(l, &r, -(double)l->value[v], (double)MOST_DEPTH);
        if (half > 0 && is_plate(l, &r, ray_point(l, &r, half))) l->value[v] = -l->value[v];
    }
}

void thin_clear_plates(lattice* l)
{
    workers_run(l->threads, clear_piece, l, piece_count(l->count));
}

// ---- vertices near it ---------------------------------------------------------------------------

static const uint64_t NONE = UINT64_MAX;

static uint64_t nearest_vertex(const lattice* l, vec3 point)
{
    vec3 at = v3_scale(1 / l->half, v3_sub(point, l->origin));
    const double x[3] = {at.x, at.y, at.z};
    double least = INFINITY;
    uint64_t key = NONE;
    for (int odd = 0; odd < 2; ++odd) { // the nearest corner, the nearest center
        uint32_t whole[3];
        double distance2 = 0;
        for (int k = 0; k < 3; ++k) {
            double rounded = 2 * floor((x[k] - odd) / 2 + 0.5) + odd;
            distance2 += (x[k] - rounded) * (x[k] - rounded);
            whole[k] = (uint32_t)rounded;
        }
        if (distance2 < least) least = distance2, key = morton_key(whole[0], whole[1], whole[2]);
    }
    return key;
}

static uint64_t look_from(const lattice* l, int v)
{
    int at[3];
    ray r;
    if (!(fabs((double)l->value[v]) < NEAR)) return NONE;
    lattice_coordinates(l->key[v], at);
    if (!find_ray(l, lattice_place(l, at), l->value[v] < 0, &r)) return NONE;
    double half = find_middle(l, &r);
    if (!(half > 0)) return NONE;
    vec3 middle = ray_point(l, &r, half);
    if (l->clears_plates && is_plate(l, &r, middle)) return NONE;
    return climb(l, &middle) < LEAST_DEPTH ? NONE : nearest_vertex(l, middle);
}

typedef struct {
    const lattice* lattice;
    uint64_t* key; // that each vertex has found
} looking;

static void look_piece(int piece, void* argument)
{
    const looking* a = (const looking*)argument;
    for (int v = piece * PIECE; v < piece_end(piece, a->lattice->count); ++v)
        a->key[v] = look_from(a->lattice, v);
}

bool thin_find(const lattice* l, key_list* out)
{
    looking a = {l, (uint64_t*)mem_array((size_t)l->count, sizeof *a.key)};
    *out = (key_list){.key = a.key, .capacity = l->count};
    if (!a.key) return false;
    workers_run(l->threads, look_piece, &a, piece_count(l->count));
    for (int v = 0; v < l->count; ++v)
        if (a.key[v] != NONE) a.key[out->count++] = a.key[v];
    if (out->count) out->count = sort_unique(out->key, out->count);
    return out->count >= 0;
}
