// Quickhull (Barber, Dobkin and Huhdanpaa 1996): each triangle keeps the points that are above it;
// the highest of them becomes a corner, and triangles that it sees give way to a cone up to it.
//
// Which points are above which triangle is decided exactly: coordinates are rounded to a grid of
// 2^-38 of their range, and what is asked of them then fits into 128 bits. So the hull of the
// rounded points is right, whatever lies in one plane, in one line or at one place. Planes are
// those of the points as they were given; what is in one plane to a billionth of the size is one
// face.
#include "collide/hull.h"
#include "base/memory.h"
#include "base/sort.h"
#include <string.h>

__extension__ typedef __int128 wide;
#define GRID 0x1p38

typedef struct {
    int corner[3];   // counter-clockwise from outside
    int beside[3];   // triangle at the edge from corner k to the next
    int first_above; // of the points above it, -1: none
    int highest;     // of these
    int seen;        // number of the last corner that looked for it
    bool gone;
} side;

typedef struct {
    const double* point;
    int64_t* at; // on the grid
    int count;
    int* next; // of a point in the list above its side
    int* cone; // of a point at the horizon, the side that begins there
    side* sides;
    int side_count, side_capacity;
    int* edges; // of the horizon: side and which of its edges
    int edge_count, edge_capacity;
    int* stack;
    int stack_count, stack_capacity;
    bool full; // memory ran out
} builder;

// ---- exact --------------------------------------------------------------------------------------

static const int64_t* place(const builder* b, int point) { return b->at + 3 * (size_t)point; }

static void way(const builder* b, int from, int to, int64_t out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = place(b, to)[k] - place(b, from)[k];
}

static void normal_of(const builder* b, const int corner[3], wide out[3])
{
    int64_t u[3], v[3];
    way(b, corner[0], corner[1], u);
    way(b, corner[0], corner[2], v);
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (wide)u[i] * v[j] - (wide)u[j] * v[i];
    }
}

// Six times the volume that it has with a triangle: above zero where it is above it.
static wide height_of(const builder* b, const int corner[3], int point)
{
    wide n[3];
    int64_t w[3];
    normal_of(b, corner, n);
    way(b, corner[0], point, w);
    return n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
}

// ---- the first four corners ---------------------------------------------------------------------

static void find_box(const double* points, int count, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) low[k] = high[k] = points[k];
    for (size_t i = 3; i < 3 * (size_t)count; ++i) {
        if (points[i] < low[i % 3]) low[i % 3] = points[i];
        if (points[i] > high[i % 3]) high[i % 3] = points[i];
    }
}

static pliant_result check_points(const double* points, int count)
{
    if (count < 4)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "a convex hull needs at least four points that are not in a plane, and %d %s "
                    "given",
                    count, count == 1 ? "is" : "are");
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        if (!(fabs(points[i]) <= 1e30))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "point %d of a convex hull is at %g m along %c: finite numbers within 1e30 "
                        "m are needed",
                        (int)(i / 3), points[i], "xyz"[i % 3]);
    return PLIANT_OK;
}

static double round_to_grid(builder* b)
{
    double low[3], high[3], size = 0;
    find_box(b->point, b->count, low, high);
    for (int k = 0; k < 3; ++k) size = fmax(size, high[k] - low[k]);
    for (size_t i = 0; i < 3 * (size_t)b->count && size > 0; ++i)
        b->at[i] = (int64_t)floor((b->point[i] - low[i % 3]) / size * GRID + 0.5);
    return size;
}

// The two that are farthest apart along the longest axis.
static void find_line(const builder* b, int out[2])
{
    int64_t longest = -1;
    for (int k = 0; k < 3; ++k) {
        int low = 0, high = 0;
        for (int i = 1; i < b->count; ++i) {
            if (place(b, i)[k] < place(b, low)[k]) low = i;
            if (place(b, i)[k] > place(b, high)[k]) high = i;
        }
        int64_t length = place(b, high)[k] - place(b, low)[k];
        if (length > longest) longest = length, out[0] = low, out[1] = high;
    }
}

// A point far from the line, and one far from the plane; false when there is none.
static bool find_third(const builder* b, int corner[3])
{
    double most = 0;
    for (int i = 0; i < b->count; ++i) {
        const int test[3] = {corner[0], corner[1], i};
        wide n[3];
        normal_of(b, test, n);
        double square = 0;
        for (int k = 0; k < 3; ++k) square += (double)n[k] * (double)n[k];
        if (square > most) most = square, corner[2] = i;
    }
    return most > 0;
}

static bool find_fourth(const builder* b, const int corner[3], int* out)
{
    wide most = 0;
    for (int i = 0; i < b->count; ++i) {
        wide height = height_of(b, corner, i), size = height < 0 ? -height : height;
        if (size > most) most = size, *out = i;
    }
    return most > 0;
}

// ---- sides --------------------------------------------------------------------------------------

static int add_side(builder* b, int i, int j, int k)
{
    if (!mem_reserve((void**)&b->sides, &b->side_capacity, (int64_t)b->side_count + 1,
                     sizeof *b->sides)) {
        b->full = true;
        return -1;
    }
    b->sides[b->side_count] = (side){{i, j, k}, {-1, -1, -1}, -1, -1, -1, false};
    return b->side_count++;
}

static bool push(builder* b, int item)
{
    if (!mem_reserve((void**)&b->stack, &b->stack_capacity, (int64_t)b->stack_count + 1,
                     sizeof *b->stack)) {
        b->full = true;
        return false;
    }
    b->stack[b->stack_count++] = item;
    return true;
}

// Into the list of the first of these sides that it is above.
static void give_point(builder* b, int point, int first, int last)
{
    for (int i = first; i < last; ++i) {
        side* s = &b->sides[i];
        wide height = height_of(b, s->corner, point);
        if (height <= 0) continue;
        if (s->highest < 0 || height > height_of(b, s->corner, s->highest)) s->highest = point;
        b->next[point] = s->first_above;
        s->first_above = point;
        return;
    }
}

static pliant_result start(builder* b)
{
    int corner[4] = {0, 0, 0, 0};
    if (!(round_to_grid(b) > 0))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "all %d points of a convex hull are at one place, and it has no inside: give "
                    "points that are not in a plane",
                    b->count);
    find_line(b, corner);
    if (!find_third(b, corner))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "all %d points of a convex hull are in a line, and it has no inside: give "
                    "points that are not in a plane, or take a capsule",
                    b->count);
    if (!find_fourth(b, corner, &corner[3]))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "all %d points of a convex hull are in a plane, and it has no inside: give it "
                    "a thickness, or take the shape triangles",
                    b->count);
    if (height_of(b, corner, corner[3]) > 0) {
        int swap = corner[1];
        corner[1] = corner[2];
        corner[2] = swap;
    }
    // Side 0 has the fourth corner below it; the others are its cone.
    add_side(b, corner[0], corner[1], corner[2]);
    for (int k = 0; k < 3; ++k) add_side(b, corner[(k + 1) % 3], corner[k], corner[3]);
    if (b->full) return PLIANT_ERROR_MEMORY;
    for (int k = 0; k < 3; ++k) {
        b->sides[0].beside[k] = 1 + k;
        b->sides[1 + k].beside[0] = 0;
        b->sides[1 + k].beside[1] = 1 + (k + 2) % 3; // at the edge from corner k up
        b->sides[1 + k].beside[2] = 1 + (k + 1) % 3;
    }
    for (int i = 0; i < b->count; ++i) give_point(b, i, 0, 4);
    return PLIANT_OK;
}

// ---- a new corner -------------------------------------------------------------------------------

static int edge_towards(const side* s, int other)
{
    return s->beside[0] == other ? 0 : s->beside[1] == other ? 1 : 2;
}

static bool add_edge(builder* b, int from, int edge)
{
    if (!mem_reserve((void**)&b->edges, &b->edge_capacity, 2 * (int64_t)b->edge_count + 2,
                     sizeof *b->edges)) {
        b->full = true;
        return false;
    }
    b->edges[2 * b->edge_count] = from;
    b->edges[2 * b->edge_count + 1] = edge;
    b->edge_count++;
    return true;
}

// Sides that it sees, connected with one of them, and the edges around them. They stay in the
// stack.
static void find_horizon(builder* b, int from, int corner)
{
    b->edge_count = b->stack_count = 0;
    b->sides[from].gone = true;
    push(b, from);
    for (int i = 0; i < b->stack_count && !b->full; ++i)
        for (int k = 0; k < 3; ++k) {
            int at = b->stack[i], other = b->sides[at].beside[k];
            side* s = &b->sides[other];
            if (s->gone) continue;
            if (s->seen == corner || height_of(b, s->corner, corner) <= 0) {
                s->seen = corner;
                add_edge(b, at, k);
            } else {
                s->gone = true;
                push(b, other);
            }
        }
}

static void raise_cone(builder* b, int corner)
{
    int first = b->side_count;
    for (int i = 0; i < b->edge_count; ++i) {
        const side* below = &b->sides[b->edges[2 * i]];
        int k = b->edges[2 * i + 1], start = below->corner[k], end = below->corner[(k + 1) % 3];
        int beyond = below->beside[k], number = add_side(b, start, end, corner);
        if (number < 0) return;
        int back = edge_towards(&b->sides[beyond], b->edges[2 * i]);
        // Two sides may have more than one edge in common: the right one has these ends.
        for (int e = 0; e < 3; ++e)
            if (b->sides[beyond].corner[e] == end && b->sides[beyond].corner[(e + 1) % 3] == start)
                back = e;
        b->sides[beyond].beside[back] = number;
        b->sides[number].beside[0] = beyond;
        b->cone[start] = number;
    }
    for (int i = first; i < b->side_count; ++i) {
        int after = b->cone[b->sides[i].corner[1]];
        b->sides[i].beside[1] = after;
        b->sides[after].beside[2] = i;
    }
}

static void take_corner(builder* b, int from)
{
    int corner = b->sides[from].highest, first = b->side_count;
    find_horizon(b, from, corner);
    if (!b->full) raise_cone(b, corner);
    for (int i = 0; i < b->stack_count && !b->full; ++i)
        for (int point = b->sides[b->stack[i]].first_above; point >= 0;) {
            int after = b->next[point];
            if (point != corner) give_point(b, point, first, b->side_count);
            point = after;
        }
}

static pliant_result grow(builder* b)
{
    for (int i = 0; i < b->side_count && !b->full; ++i)
        if (!b->sides[i].gone && b->sides[i].highest >= 0) take_corner(b, i);
    return b->full ? PLIANT_ERROR_MEMORY : PLIANT_OK;
}

// ---- faces --------------------------------------------------------------------------------------

typedef struct {
    double* area;   // [m^2] of each side
    int* order;     // sides, the largest first
    int* face;      // of each side, -1: not yet
    double* normal; // of each face
    int count;
} faces;

static void side_normal(const builder* b, const side* s, double out[3], double* out_area)
{
    const double *p = b->point + 3 * (size_t)s->corner[0], *q = b->point + 3 * (size_t)s->corner[1],
                 *r = b->point + 3 * (size_t)s->corner[2];
    double u[3], v[3];
    from_to(p, q, u);
    from_to(p, r, v);
    cross3(u, v, out);
    double length = sqrt(dot3(out, out));
    for (int k = 0; k < 3; ++k) out[k] = length > 0 ? out[k] / length : 0;
    *out_area = length / 2;
}

// The largest first, then as they are numbered.
static void sort_sides(faces* f, uint64_t* key, int count, double most)
{
    for (int i = 0; i < count; ++i) {
        uint64_t small = (uint64_t)((1 - f->area[i] / most) * 0x1p31);
        key[i] = small << 32 | (uint32_t)i;
    }
    sort_keys(key, count);
    for (int i = 0; i < count; ++i) f->order[i] = (int)(key[i] & 0xffffffffu);
}

static bool is_in_plane(const builder* b, const side* s, const double origin[3],
                        const double normal[3], double tolerance)
{
    for (int k = 0; k < 3; ++k) {
        double from[3];
        from_to(origin, b->point + 3 * (size_t)s->corner[k], from);
        if (!(fabs(dot3(normal, from)) <= tolerance)) return false;
    }
    return true;
}

// A face is a side and what is around it in its plane.
static bool spread_face(builder* b, faces* f, int seed, double tolerance)
{
    double area, *normal = f->normal + 3 * (size_t)f->count;
    const double* origin = b->point + 3 * (size_t)b->sides[seed].corner[0];
    side_normal(b, &b->sides[seed], normal, &area);
    b->stack_count = 0;
    f->face[seed] = f->count;
    if (!push(b, seed)) return false;
    while (b->stack_count > 0) {
        const side* s = &b->sides[b->stack[--b->stack_count]];
        for (int k = 0; k < 3; ++k) {
            int other = s->beside[k];
            if (f->face[other] >= 0 || !is_in_plane(b, &b->sides[other], origin, normal, tolerance))
                continue;
            f->face[other] = f->count;
            if (!push(b, other)) return false;
        }
    }
    f->count++;
    return true;
}

// What has no area to speak of belongs to a face beside it.
static void join_slivers(const builder* b, faces* f, int count)
{
    for (bool any = true; any;) {
        any = false;
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < 3 && f->face[i] < 0; ++k) {
                int other = f->face[b->sides[i].beside[k]];
                if (other >= 0) f->face[i] = other, any = true;
            }
    }
}

static bool find_faces(builder* b, faces* f, double size)
{
    int count = b->side_count;
    double most = 0, normal[3];
    uint64_t* key = (uint64_t*)mem_array((size_t)count, sizeof *key);
    f->area = (double*)mem_array((size_t)count, sizeof *f->area);
    f->order = (int*)mem_array((size_t)count, sizeof *f->order);
    f->face = (int*)mem_array((size_t)count, sizeof *f->face);
    f->normal = (double*)mem_array((size_t)count, 3 * sizeof *f->normal);
    bool good = key && f->area && f->order && f->face && f->normal;
    for (int i = 0; i < count && good; ++i) {
        side_normal(b, &b->sides[i], normal, &f->area[i]);
        f->face[i] = -1;
        most = fmax(most, f->area[i]);
    }
    if (good) sort_sides(f, key, count, most);
    mem_free(key);
    for (int i = 0; i < count && good; ++i) {
        int at = f->order[i];
        if (f->face[at] < 0 && f->area[at] > 1e-12 * size * size)
            good = spread_face(b, f, at, 1e-9 * size);
    }
    if (good) join_slivers(b, f, count);
    return good;
}

static void faces_destroy(faces* f)
{
    mem_free(f->area);
    mem_free(f->order);
    mem_free(f->face);
    mem_free(f->normal);
}

// Only what is left of the sides.
static void drop_gone(builder* b)
{
    int left = 0;
    for (int i = 0; i < b->side_count; ++i) {
        b->sides[i].seen = b->sides[i].gone ? -1 : left;
        left += !b->sides[i].gone;
    }
    for (int i = 0; i < b->side_count; ++i) {
        side s = b->sides[i];
        if (s.gone) continue;
        for (int k = 0; k < 3; ++k) s.beside[k] = b->sides[s.beside[k]].seen;
        b->sides[i] = s;
    }
    for (int i = 0; i < b->side_count; ++i) {
        int to = b->sides[i].seen;
        if (to >= 0) b->sides[to] = b->sides[i];
    }
    b->side_count = left;
}

// ---- the hull -----------------------------------------------------------------------------------

// Corners in the order of the points.
static void number_corners(builder* b, hull* out)
{
    for (int i = 0; i < b->count; ++i) b->cone[i] = -1;
    for (int i = 0; i < b->side_count; ++i)
        for (int k = 0; k < 3; ++k) b->cone[b->sides[i].corner[k]] = 0;
    for (int i = 0; i < b->count; ++i) {
        if (b->cone[i] < 0) continue;
        memcpy(out->corner + 3 * (size_t)out->corner_count, b->point + 3 * (size_t)i,
               3 * sizeof(double));
        b->cone[i] = out->corner_count++;
    }
}

// Sides face after face; each as its number is.
static void list_triangles(const builder* b, faces* f, hull* out, int* first)
{
    for (int i = 0; i <= out->plane_count; ++i) first[i] = 0;
    for (int i = 0; i < b->side_count; ++i) first[f->face[i] + 1]++;
    for (int i = 0; i < out->plane_count; ++i) first[i + 1] += first[i];
    facet* facets = (facet*)((double*)out->data + 4 * (size_t)out->plane_count);
    int* next = f->order;
    memcpy(next, first, (size_t)f->count * sizeof *next);
    for (int i = 0; i < b->side_count; ++i) {
        int at = next[f->face[i]]++;
        double area;
        for (int k = 0; k < 3; ++k) {
            out->triangle[3 * at + k] = b->cone[b->sides[i].corner[k]];
            memcpy(facets[at].corner[k], b->point + 3 * (size_t)b->sides[i].corner[k],
                   3 * sizeof(double));
        }
        side_normal(b, &b->sides[i], facets[at].normal, &area);
    }
}

static double highest_along(const hull* h, const double n[3])
{
    double most = -INFINITY;
    for (int i = 0; i < h->corner_count; ++i) most = fmax(most, dot3(n, h->corner + 3 * (size_t)i));
    return most;
}

static double width_along(const hull* h, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return highest_along(h, n) + highest_along(h, back);
}

// Nothing is above a plane: its height is that of the highest corner.
static void list_planes(const faces* f, hull* out)
{
    double* plane = (double*)out->data;
    for (int i = 0; i < out->plane_count; ++i) {
        const double none[3] = {0, 0, 0}, *n = i < f->count ? f->normal + 3 * (size_t)i : none;
        for (int k = 0; k < 3; ++k) plane[k * out->plane_count + i] = n[k];
        plane[3 * out->plane_count + i] = i < f->count ? highest_along(out, n) : INFINITY;
    }
}

// Across the least width, the narrowest of some directions.
static double find_slim(const hull* h, const double n[3], double thin)
{
    enum { DIRECTIONS = 16 };
    const double cosine = 0.98078528040323044,
                 sine = 0.19509032201612827; // of a 16th of half a turn
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[least])) least = 2;
    double other[3] = {0, 0, 0}, a[3], b[3], c = 1, s = 0, slim = INFINITY;
    other[least] = 1;
    cross3(n, other, a);
    double length = sqrt(dot3(a, a));
    for (int k = 0; k < 3; ++k) a[k] /= length;
    cross3(n, a, b);
    for (int i = 0; i < DIRECTIONS; ++i) {
        double d[3], turned = c * cosine - s * sine;
        for (int k = 0; k < 3; ++k) d[k] = c * a[k] + s * b[k];
        slim = fmin(slim, width_along(h, d) / 2);
        s = s * cosine + c * sine;
        c = turned;
    }
    return fmax(slim, thin);
}

static void measure(const faces* f, hull* out)
{
    const double* thinnest = f->normal;
    out->thin = INFINITY;
    for (int i = 0; i < f->count; ++i) {
        double half = width_along(out, f->normal + 3 * (size_t)i) / 2;
        if (half < out->thin) out->thin = half, thinnest = f->normal + 3 * (size_t)i;
    }
    out->slim = find_slim(out, thinnest, out->thin);
    find_box(out->corner, out->corner_count, out->low, out->high);
}

static pliant_result fill_hull(builder* b, faces* f, double size, hull* out)
{
    out->triangle_count = b->side_count;
    out->face_count = f->count;
    out->plane_count = (f->count + HULL_LANES - 1) / HULL_LANES * HULL_LANES;
    out->bytes = 4 * (size_t)out->plane_count * sizeof(double) +
                 (size_t)out->triangle_count * sizeof(facet) +
                 ((size_t)out->plane_count + 1) * sizeof(int);
    out->corner = (double*)mem_array((size_t)b->count, 3 * sizeof(double));
    out->triangle = (int*)mem_array((size_t)out->triangle_count, 3 * sizeof(int));
    out->data = mem_alloc_zero(out->bytes);
    if (!out->corner || !out->triangle || !out->data) return PLIANT_ERROR_MEMORY;
    number_corners(b, out);
    list_triangles(b, f, out, (int*)hull_firsts(out->data, out->plane_count, out->triangle_count));
    list_planes(f, out);
    measure(f, out);
    if (f->count >= 4 && out->thin > 0.5e-6 * size) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "the points of a convex hull are in a plane, but for %.2g m of %g m: give it a "
                "thickness, or take the shape triangles",
                2 * out->thin, size);
}

static double size_of(const double* points, int count)
{
    double low[3], high[3], size = 0;
    find_box(points, count, low, high);
    for (int k = 0; k < 3; ++k) size = fmax(size, high[k] - low[k]);
    return size;
}

pliant_result hull_create(const double* points, int count, hull* out)
{
    *out = (hull){0};
    builder b = {.point = points, .count = count};
    faces f = {0};
    pliant_result result = check_points(points, count);
    if (result) return result;
    b.at = (int64_t*)mem_array((size_t)count, 3 * sizeof *b.at);
    b.next = (int*)mem_array((size_t)count, sizeof *b.next);
    b.cone = (int*)mem_array((size_t)count, sizeof *b.cone);
    result = b.at && b.next && b.cone ? start(&b) : PLIANT_ERROR_MEMORY;
    if (!result) result = grow(&b);
    if (!result) {
        double size = size_of(points, count);
        drop_gone(&b);
        result = find_faces(&b, &f, size) ? fill_hull(&b, &f, size, out) : PLIANT_ERROR_MEMORY;
    }
    faces_destroy(&f);
    mem_free(b.at);
    mem_free(b.next);
    mem_free(b.cone);
    mem_free(b.sides);
    mem_free(b.edges);
    mem_free(b.stack);
    if (result) hull_destroy(out);
    return result;
}

void hull_destroy(hull* h)
{
    if (!h) return;
    mem_free(h->corner);
    mem_free(h->triangle);
    mem_free(h->data);
    *h = (hull){0};
}
