// A line along x through every row of samples counts the triangles that it crosses, with their
// direction. Whether a line crosses a triangle is decided edge by edge: each edge says how it
// passes the line, and says exactly the opposite to the triangle on its other side, also where
// rounding makes it wrong. So no line slips through between two triangles or meets both, and what
// goes in comes out.
#include "collide/winding.h"
#include "collide/samples.h"
#include <string.h>

typedef struct {
    const double* corner[3];
    double low[3], high[3]; // [m] bounding box
} facet;

static facet facet_at(const surface* s, int index)
{
    facet f;
    for (int k = 0; k < 3; ++k)
        f.corner[k] = s->vertex + 3 * (size_t)s->triangle[3 * (size_t)index + (size_t)k];
    for (int axis = 0; axis < 3; ++axis) {
        f.low[axis] = f.high[axis] = f.corner[0][axis];
        for (int k = 1; k < 3; ++k) {
            if (f.corner[k][axis] < f.low[axis]) f.low[axis] = f.corner[k][axis];
            if (f.corner[k][axis] > f.high[axis]) f.high[axis] = f.corner[k][axis];
        }
    }
    return f;
}

// Twice the area of (line, a, b) seen along x: exactly opposite for (line, b, a).
static double area_with(const double* a, const double* b, double y, double z)
{
    return (a[1] - y) * (b[2] - z) - (a[2] - z) * (b[1] - y);
}

// How the edge passes the half plane beyond the line along y: 1 upward, -1 downward, 0 not at all.
static int edge_passes(const double* a, const double* b, double y, double z)
{
    bool from_below = a[2] <= z, to_below = b[2] <= z;
    if (from_below == to_below) return 0;
    double area = area_with(a, b, y, z);
    if (from_below) return area > 0 ? 1 : 0;
    return area < 0 ? -1 : 0;
}

// 1 or -1 if the line crosses the triangle, by its direction.
static int line_crosses(const facet* f, double y, double z)
{
    return edge_passes(f->corner[0], f->corner[1], y, z) +
           edge_passes(f->corner[1], f->corner[2], y, z) +
           edge_passes(f->corner[2], f->corner[0], y, z);
}

// Where, along x. In a triangle seen edge-on the weights are rounding, but then all of it is where
// the line is, and any place on it is right.
static double crossing_place(const facet* f, double y, double z)
{
    double weight = 0, place = 0;
    for (int k = 0; k < 3; ++k) {
        double w = area_with(f->corner[(k + 1) % 3], f->corner[(k + 2) % 3], y, z);
        weight += w;
        place += w * f->corner[k][0];
    }
    place /= weight;
    if (!(place >= f->low[0])) place = f->low[0];
    if (place > f->high[0]) place = f->high[0];
    return place;
}

static void mark_crossing(const distance_field* field, double place, int amount, int* row_change)
{
    int at = samples_between(place, INFINITY, field->cell, field->count[0]).first;
    if (at * field->cell < place) ++at;
    if (at < field->count[0]) row_change[at] += amount;
}

static void mark_triangle(const facet* f, const distance_field* field, int* change)
{
    sample_range y = samples_between(f->low[1], f->high[1], field->cell, field->count[1]);
    sample_range z = samples_between(f->low[2], f->high[2], field->cell, field->count[2]);
    for (int k = z.first; k <= z.last; ++k)
        for (int j = y.first; j <= y.last; ++j) {
            int direction = line_crosses(f, j * field->cell, k * field->cell);
            if (direction == 0) continue;
            size_t row =
                (size_t)field->count[0] * ((size_t)j + (size_t)field->count[1] * (size_t)k);
            double place = crossing_place(f, j * field->cell, k * field->cell);
            mark_crossing(field, place, direction, change + row);
        }
}

// Without a common orientation the count means nothing, but its parity does: every crossing changes
// it, in whatever direction.
static void sign_row(const int* change, bool oriented, int count, float* value)
{
    int winding = 0;
    for (int x = 0; x < count; ++x) {
        winding += change[x];
        bool inside = oriented ? winding != 0 : winding % 2 != 0;
        if (inside) value[x] = -value[x];
    }
}

void winding_sign(const surface* s, distance_field* field, int* change)
{
    size_t row = (size_t)field->count[0], rows = (size_t)field->count[1] * (size_t)field->count[2];
    memset(change, 0, row * rows * sizeof *change);
    for (int t = 0; t < s->triangle_count; ++t) {
        facet f = facet_at(s, t);
        mark_triangle(&f, field, change);
    }
    for (size_t r = 0; r < rows; ++r)
        sign_row(change + r * row, s->oriented, (int)row, field->value + r * row);
}
