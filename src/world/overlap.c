#define PRECISION_DOUBLE
#include "world/overlap.h"
#include "base/sort.h"
#include "math/direction.h"
#include <string.h>

bool body_space_create(const body* b, body_space* out)
{
    const pliant_mesh* m = b->asset->mesh;
    bool loose = mesh_is_loose(m);
    int corners = m->tet_count ? 4 : m->triangle_count ? 3 : loose ? 1 : 2;
    const int* corner = corners == 4   ? m->tets
                        : corners == 3 ? m->triangles
                        : loose        ? NULL
                                       : m->edges;
    int count = corners == 4   ? m->tet_count
                : corners == 3 ? m->triangle_count
                : loose        ? m->vertex_count
                               : m->edge_count;
    *out = (body_space){.corner = corner, .corners = corners, .count = count};
    out->x = (double*)mem_array((size_t)b->s.particle_count, 3 * sizeof(double));
    if (loose) out->radius = (double*)mem_array((size_t)b->s.particle_count, sizeof(double));
    if (!out->x || (loose && !out->radius)) return false;
    for (int k = 0; k < 3; ++k) out->low[k] = INFINITY, out->high[k] = -INFINITY;
    for (int i = 0; i < b->s.particle_count; ++i) {
        double* x = out->x + 3 * (size_t)i;
        double radius = loose ? state_read(&b->s, b->s.row, ROW, i, ROW_RADIUS) : 0;
        state_read_position(&b->s, i, x);
        if (loose) out->radius[i] = radius;
        for (int k = 0; k < 3; ++k) { // empty where it is absent
            out->low[k] = fmin(out->low[k], x[k] - radius);
            out->high[k] = fmax(out->high[k], x[k] + radius);
        }
    }
    return true;
}

void body_space_destroy(body_space* s)
{
    mem_free(s->x);
    mem_free(s->radius);
    memset(s, 0, sizeof *s);
}

static bool boxes_meet(const double low[3], const double high[3], const double other_low[3],
                       const double other_high[3])
{
    for (int k = 0; k < 3; ++k)
        if (!(low[k] < other_high[k] && other_low[k] < high[k])) return false;
    return true;
}

bool boxes_overlap(const body_space* a, const body_space* b)
{
    return boxes_meet(a->low, a->high, b->low, b->high);
}

// ---- two elements -------------------------------------------------------------------------------

typedef struct {
    vec3 point[4];
    int count;
    double radius;          // [m] of a loose particle
    double low[3], high[3]; // [m]
} simplex;

// Moved by a little on every axis.
static simplex simplex_of(const body_space* s, int number, double shift)
{
    static const double uneven[3] = {0.71, 1, 0.53};
    simplex e = {.count = s->corners,
                 .low = {INFINITY, INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < e.count; ++i) {
        int corner = s->corner ? s->corner[(size_t)number * (size_t)e.count + (size_t)i] : number;
        const double* x = s->x + 3 * (size_t)corner;
        if (!s->corner) e.radius = s->radius[number];
        double at[3];
        for (int k = 0; k < 3; ++k) {
            at[k] = x[k] + shift * uneven[k];
            e.low[k] = fmin(e.low[k], at[k] - e.radius);
            e.high[k] = fmax(e.high[k], at[k] + e.radius);
        }
        e.point[i] = v3(at[0], at[1], at[2]);
    }
    return e;
}

static void extent(const simplex* e, vec3 axis, double* low, double* high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < e->count; ++i) {
        double at = v3_dot(e->point[i], axis);
        *low = fmin(*low, at), *high = fmax(*high, at);
    }
}

// Whether neither reaches into the other along the axis, by more than the rounding of places.
static bool axis_separates(const simplex* a, const simplex* b, vec3 axis)
{
    double size = v3_dot(axis, axis), low[2], high[2];
    if (!(size > 0)) return false;
    axis = v3_unit(axis);
    extent(a, axis, &low[0], &high[0]);
    extent(b, axis, &low[1], &high[1]);
    double scale = fmax(high[0] - low[0], high[1] - low[1]);
    return fmin(high[0] - low[1], high[1] - low[0]) <= 1e-4 * scale;
}

static bool face_separates(const simplex* a, const simplex* b)
{
    for (int i = 0; i < a->count; ++i)
        for (int j = i + 1; j < a->count; ++j)
            for (int k = j + 1; k < a->count; ++k)
                if (axis_separates(a, b,
                                   v3_cross(v3_sub(a->point[j], a->point[i]),
                                            v3_sub(a->point[k], a->point[i]))))
                    return true;
    return false;
}

static bool edge_separates(const simplex* a, vec3 edge, const simplex* b)
{
    for (int i = 0; i < b->count; ++i)
        for (int j = i + 1; j < b->count; ++j)
            if (axis_separates(a, b, v3_cross(edge, v3_sub(b->point[j], b->point[i])))) return true;
    return false;
}

// By more than a hundredth of their size: particles that touch are not told of.
static bool balls_overlap(const simplex* a, const simplex* b)
{
    vec3 way = v3_sub(a->point[0], b->point[0]);
    double apart = 0.99 * (a->radius + b->radius);
    return v3_dot(way, way) < apart * apart;
}

// Of a loose particle and an element, the middle counts. Convex shapes are apart when an axis
// tells: a face's normal, or one across two edges.
static bool simplices_overlap(const simplex* a, const simplex* b)
{
    if (!boxes_meet(a->low, a->high, b->low, b->high)) return false;
    if (a->count == 1 && b->count == 1) return balls_overlap(a, b);
    if (face_separates(a, b) || face_separates(b, a)) return false;
    for (int i = 0; i < a->count; ++i)
        for (int j = i + 1; j < a->count; ++j)
            if (edge_separates(a, v3_sub(a->point[j], a->point[i]), b)) return false;
    return true;
}

// ---- all elements -------------------------------------------------------------------------------

// Elements that reach into a box, by their smallest x.
typedef struct {
    uint64_t* key;
    int* element;
    int count;
    double widest; // [m] along x
} row_of_elements;

// In the order of the numbers.
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static bool line_up(const body_space* s, const body_space* other, double margin,
                    row_of_elements* out)
{
    double low[3], high[3];
    for (int k = 0; k < 3; ++k) low[k] = other->low[k] - margin, high[k] = other->high[k] + margin;
    *out = (row_of_elements){(uint64_t*)mem_array((size_t)s->count, sizeof(uint64_t)),
                             (int*)mem_array((size_t)s->count, sizeof(int)), 0, 0};
    if (!out->key || !out->element) return false;
    for (int i = 0; i < s->count; ++i) {
        simplex e = simplex_of(s, i, 0);
        if (!boxes_meet(e.low, e.high, low, high)) continue;
        out->key[out->count] = key_of(e.low[0]);
        out->element[out->count++] = i;
        out->widest = fmax(out->widest, e.high[0] - e.low[0]);
    }
    return sort_with_order(out->key, out->element, out->count);
}

static int first_from(const row_of_elements* r, double x)
{
    uint64_t key = key_of(x);
    int low = 0, high = r->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (r->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static overlap compare(const body_space* a, const row_of_elements* of_a, const body_space* b,
                       const row_of_elements* of_b, double shift)
{
    const int64_t most = 20000000;
    int64_t pairs = 0;
    for (int i = 0; i < of_a->count; ++i) {
        simplex e = simplex_of(a, of_a->element[i], shift);
        int last = first_from(of_b, e.high[0]);
        for (int k = first_from(of_b, e.low[0] - of_b->widest); k < last; ++k) {
            simplex other = simplex_of(b, of_b->element[k], 0);
            if (simplices_overlap(&e, &other)) return OVERLAPPING;
            if (++pairs > most) return UNDECIDED;
        }
    }
    return APART;
}

static double size_of(const body_space* s)
{
    double size = 0;
    for (int k = 0; k < 3; ++k) size = fmax(size, s->high[k] - s->low[k]);
    return size;
}

// Bodies that overlap do so when one is moved by a little to either side; those that touch do not.
// (A sheet between two layers of tets is in none of them, to the bit.)
overlap spaces_overlap(const body_space* a, const body_space* b)
{
    row_of_elements of_a = {0}, of_b = {0};
    double shift = 1e-4 * fmin(size_of(a), size_of(b));
    bool good = line_up(a, b, shift, &of_a) && line_up(b, a, shift, &of_b);
    overlap found = good ? compare(a, &of_a, b, &of_b, shift) : UNDECIDED;
    if (found == OVERLAPPING) found = compare(a, &of_a, b, &of_b, -shift);
    mem_free(of_a.key);
    mem_free(of_a.element);
    mem_free(of_b.key);
    mem_free(of_b.element);
    return found;
}
