// What chords cut off of a curved surface is given back.
#define PRECISION_DOUBLE
#include "repair/angle.h"
#include "repair/passes.h"

static double det_of(const complex* c, const int v[4])
{
    vec3 x = place_of(c, v[0]);
    return v3_dot(v3_sub(place_of(c, v[1]), x),
                  v3_cross(v3_sub(place_of(c, v[2]), x), v3_sub(place_of(c, v[3]), x)));
}

double complex_volume(const complex* c)
{
    double sum = 0;
    for (int t = 0; t < c->cell_count; ++t)
        if (c->cells[t].corner[0] >= 0) sum += det_of(c, c->cells[t].corner) / 6;
    return sum;
}

// Twice the area vectors of the outer faces at each vertex; returns the area.
static double sum_normals(const complex* c, vec3* normal)
{
    double area = 0;
    for (int v = 0; v < c->knot_count; ++v) normal[v] = v3_zero();
    for (int t = 0; t < c->cell_count; ++t)
        for (int f = 0; f < 4; ++f) {
            if (c->cells[t].corner[0] < 0 || !(c->cells[t].outer >> f & 1)) continue;
            int k[3];
            face_corners(c->cells[t].corner, f, k);
            vec3 x = place_of(c, k[0]);
            vec3 n = v3_cross(v3_sub(place_of(c, k[1]), x), v3_sub(place_of(c, k[2]), x));
            area += sqrt(v3_dot(n, n)) / 2;
            for (int i = 0; i < 3; ++i) normal[k[i]] = v3_add(normal[k[i]], n);
        }
    return area;
}

static bool is_good_at(const repair* r, int v)
{
    const int_list* around = &r->c.knots[v].around;
    for (int i = 0; i < around->count; ++i) {
        const int* t = r->c.cells[around->item[i]].corner;
        if (!(tet_quality(place_of(&r->c, t[0]), place_of(&r->c, t[1]), place_of(&r->c, t[2]),
                          place_of(&r->c, t[3])) >= r->goal))
            return false;
    }
    return true;
}

static bool in_one_region(const complex* c, int v)
{
    const int_list* around = &c->knots[v].around;
    for (int i = 1; i < around->count; ++i)
        if (c->cells[around->item[i]].region != c->cells[around->item[0]].region) return false;
    return true;
}

static void push_out(repair* r, int v, vec3 normal, double offset)
{
    knot* k = &r->c.knots[v];
    double length2 = v3_dot(normal, normal);
    if (!k->outer || !k->around.count || !(length2 > 0) || !in_one_region(&r->c, v)) return;
    vec3 before = k->place;
    k->place = v3_add_scaled(before, offset / sqrt(length2), normal);
    if (!is_good_at(r, v) || !star_stays_near(r, v)) {
        k->place = before;
        return;
    }
    k->source = -1;
    star_hosts_again(r, v);
}

void restore_volume(repair* r, double volume)
{
    enum { ROUNDS = 4 };
    static const double close = 1e-4;
    for (int round = 0; round < ROUNDS; ++round) {
        double lack = volume - complex_volume(&r->c);
        if (fabs(lack) < close * volume) return;
        vec3* normal = (vec3*)mem_array((size_t)r->c.knot_count, sizeof(vec3));
        if (!normal) {
            r->c.failed = true;
            return;
        }
        double offset = lack / sum_normals(&r->c, normal), most = 0.5 * r->surface.tolerance;
        offset = offset > most ? most : offset < -most ? -most : offset;
        for (int v = 0; v < r->c.knot_count; ++v) push_out(r, v, normal[v], offset);
        mem_free(normal);
    }
}
