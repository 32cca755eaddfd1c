#define PRECISION_DOUBLE
#include "tetra/leaf.h"
#include "base/memory.h"
#include "math/direction.h"
#include "mesh/tuple.h"

void leaf_release(leaf* l)
{
    mem_free(l->point);
    mem_free(l->triangle);
    *l = (leaf){0};
}

bool leaf_add_point(leaf* l, const leaf_point* p)
{
    if (!mem_reserve((void**)&l->point, &l->point_capacity, l->points + 1, sizeof *l->point))
        return false;
    l->point[l->points++] = *p;
    return true;
}

bool leaf_add_triangle(leaf* l, int a, int b, int c)
{
    if (!mem_reserve((void**)&l->triangle, &l->triangle_capacity, l->triangles + 1,
                     3 * sizeof *l->triangle))
        return false;
    int* corner = l->triangle + 3 * (ptrdiff_t)l->triangles++;
    corner[0] = a, corner[1] = b, corner[2] = c;
    return true;
}

int* leaf_partners(const leaf* l)
{
    tuple_list sides;
    int count = 3 * l->triangles;
    int* partner = (int*)mem_array((size_t)count, sizeof(int));
    if (!partner) return NULL;
    bool ok = tuples_allocate(&sides, 2, count);
    for (int s = 0; ok && s < count; ++s) {
        const int ends[2] = {leaf_side_start(l, s), leaf_side_end(l, s)};
        tuples_set(&sides, s, ends);
        partner[s] = -1;
    }
    ok = ok && tuples_sort(&sides, l->points);
    for (int first = 0, end; ok && first < count; first = end) {
        end = tuples_run_end(&sides, first);
        int a = sides.order[first], b = end - first > 1 ? sides.order[first + 1] : -1;
        if (b >= 0 && leaf_side_start(l, a) == leaf_side_end(l, b)) partner[a] = b, partner[b] = a;
    }
    tuples_free(&sides);
    if (ok) return partner;
    mem_free(partner);
    return NULL;
}

// ---- what all passes need -----------------------------------------------------------------------

typedef struct {
    leaf* leaf;
    int* partner;           // of sides
    int* start;             // of each point: its triangles
    int* around;            // triangles, by points
    unsigned char* border;  // of points
    unsigned char* touched; // of points: what is around them has changed in this pass
    int count;              // of points when the pass began
} pass;

static void pass_end(pass* p)
{
    mem_free(p->partner);
    mem_free(p->start);
    mem_free(p->around);
    mem_free(p->border);
    mem_free(p->touched);
    *p = (pass){0};
}

static void list_around(pass* p)
{
    const leaf* l = p->leaf;
    for (int i = 0; i < 3 * l->triangles; ++i) ++p->start[l->triangle[i] + 1];
    for (int v = 0; v < l->points; ++v) p->start[v + 1] += p->start[v];
    for (int i = 3 * l->triangles; i-- > 0;) p->around[--p->start[l->triangle[i] + 1]] = i / 3;
    for (int v = 0; v < l->points; ++v) p->start[v] = p->start[v + 1];
    p->start[l->points] = 3 * l->triangles;
}

static bool pass_begin(leaf* l, pass* p)
{
    size_t points = (size_t)l->points, sides = 3 * (size_t)l->triangles;
    *p = (pass){.leaf = l, .partner = leaf_partners(l), .count = l->points};
    p->start = (int*)mem_array_zero(points + 1, sizeof(int));
    p->around = (int*)mem_array(sides, sizeof(int));
    p->border = (unsigned char*)mem_array_zero(points, 1);
    p->touched = (unsigned char*)mem_array_zero(points, 1);
    if (!p->partner || !p->start || !p->around || !p->border || !p->touched) {
        pass_end(p);
        return false;
    }
    list_around(p);
    for (int s = 0; s < (int)sides; ++s)
        if (p->partner[s] < 0)
            p->border[leaf_side_start(l, s)] = p->border[leaf_side_end(l, s)] = 1;
    return true;
}

static vec3 place_of(const leaf* l, int v) { return l->point[v].place; }

static double length2(const leaf* l, int a, int b)
{
    vec3 way = v3_sub(place_of(l, b), place_of(l, a));
    return v3_dot(way, way);
}

static vec3 area_of(vec3 a, vec3 b, vec3 c) { return v3_cross(v3_sub(b, a), v3_sub(c, a)); }

static int opposite_of(const leaf* l, int side)
{
    return l->triangle[side / 3 * 3 + (side + 2) % 3];
}

static leaf_point between(const leaf_point* a, const leaf_point* b, double part)
{
    leaf_point out = {.root = -1};
    out.place = v3_add_scaled(a->place, part, v3_sub(b->place, a->place));
    out.normal = v3_unit(v3_add_scaled(a->normal, part, v3_sub(b->normal, a->normal)));
    out.thickness = a->thickness + part * (b->thickness - a->thickness);
    out.loose = a->loose && b->loose;
    return out;
}

// Points that no triangle uses go.
static bool drop_unused(leaf* l)
{
    int* number = (int*)mem_array_zero((size_t)l->points, sizeof(int));
    int kept = 0;
    if (!number) return false;
    for (int i = 0; i < 3 * l->triangles; ++i) number[l->triangle[i]] = 1;
    for (int v = 0; v < l->points; ++v) {
        if (!number[v]) continue;
        l->point[kept] = l->point[v];
        number[v] = kept++;
    }
    for (int i = 0; i < 3 * l->triangles; ++i) l->triangle[i] = number[l->triangle[i]];
    l->points = kept;
    mem_free(number);
    return true;
}

// ---- splits -------------------------------------------------------------------------------------

// The middle of a side comes between its ends.
static bool split_triangle(leaf* l, int side, int middle)
{
    int *corner = l->triangle + side / 3 * 3, s = side % 3;
    int a = corner[s], b = corner[(s + 1) % 3], c = corner[(s + 2) % 3];
    corner[0] = a, corner[1] = middle, corner[2] = c;
    return leaf_add_triangle(l, middle, b, c);
}

// The longest side of a triangle, or -1 where it is no longer than that.
static int long_side(const leaf* l, int t, double most2)
{
    int longest = -1;
    for (int side = 3 * t; side < 3 * t + 3; ++side) {
        double here = length2(l, leaf_side_start(l, side), leaf_side_end(l, side));
        if (here > most2) longest = side, most2 = here;
    }
    return longest;
}

// Whether no side of a side's triangle is longer, or hardly.
static bool is_longest(const leaf* l, int side)
{
    static const double EQUAL = 1 + 1e-9;
    double here = length2(l, leaf_side_start(l, side), leaf_side_end(l, side));
    return long_side(l, side / 3, EQUAL * here) < 0;
}

// Sides that are the longest ones of both of their triangles: those stay as good as they are.
// Returns how many, -1 when memory runs out.
static int split_pass(leaf* l, double longest)
{
    pass p;
    int count = 0, triangles = l->triangles;
    unsigned char* done = (unsigned char*)mem_array_zero((size_t)triangles, 1);
    bool ok = done && pass_begin(l, &p);
    for (int t = 0; ok && t < triangles; ++t) {
        int side = done[t] ? -1 : long_side(l, t, longest * longest);
        int other = side < 0 ? -1 : p.partner[side];
        if (side < 0 || (other >= 0 && (done[other / 3] || !is_longest(l, other)))) continue;
        leaf_point middle =
            between(&l->point[leaf_side_start(l, side)], &l->point[leaf_side_end(l, side)], 0.5);
        ok = leaf_add_point(l, &middle) && split_triangle(l, side, l->points - 1);
        done[t] = 1;
        if (ok && other >= 0) ok = split_triangle(l, other, l->points - 1), done[other / 3] = 1;
        ++count;
    }
    if (done) mem_free(done), pass_end(&p);
    return ok ? count : -1;
}

bool leaf_refine(leaf* l, double longest)
{
    enum { PASSES = 60 };
    int count = 1;
    for (int i = 0; i < PASSES && count > 0; ++i) count = split_pass(l, longest);
    return count >= 0;
}

// ---- collapses ----------------------------------------------------------------------------------

static bool triangle_has(const leaf* l, int t, int v)
{
    const int* corner = l->triangle + 3 * (ptrdiff_t)t;
    return corner[0] == v || corner[1] == v || corner[2] == v;
}

static bool are_joined(const pass* p, int a, int b)
{
    for (int i = p->start[a]; i < p->start[a + 1]; ++i)
        if (triangle_has(p->leaf, p->around[i], b)) return true;
    return false;
}

// Points that are neighbors of both ends.
static int common_neighbors(const pass* p, int a, int b)
{
    int count = 0;
    for (int i = p->start[a]; i < p->start[a + 1]; ++i)
        for (int k = 0; k < 3; ++k) {
            int v = p->leaf->triangle[3 * (ptrdiff_t)p->around[i] + k];
            bool first = true; // the triangle in which it comes first
            for (int n = p->start[a]; n < i; ++n)
                first = first && !triangle_has(p->leaf, p->around[n], v);
            count += first && v != a && v != b && are_joined(p, b, v);
        }
    return count;
}

// The border goes straight on at the point, or may as well.
static bool is_straight(const pass* p, int v)
{
    static const double STRAIGHT = 0.9; // cosine
    const leaf* l = p->leaf;
    vec3 in = v3_zero(), out = v3_zero();
    int sides = 0;
    for (int i = p->start[v]; i < p->start[v + 1]; ++i)
        for (int side = 3 * p->around[i]; side < 3 * p->around[i] + 3; ++side) {
            if (p->partner[side] >= 0) continue;
            vec3 way =
                v3_sub(place_of(l, leaf_side_end(l, side)), place_of(l, leaf_side_start(l, side)));
            if (leaf_side_start(l, side) == v) out = v3_unit(way), ++sides;
            if (leaf_side_end(l, side) == v) in = v3_unit(way), ++sides;
        }
    return sides == 2 && (l->point[v].loose || v3_dot(in, out) > STRAIGHT);
}

// Cosine of the largest angle of a triangle: smaller is worse.
static double bluntness(vec3 a, vec3 b, vec3 c)
{
    const vec3 x[3] = {a, b, c};
    double worst = 1;
    for (int k = 0; k < 3; ++k) {
        vec3 u = v3_sub(x[(k + 1) % 3], x[k]), v = v3_sub(x[(k + 2) % 3], x[k]);
        worst = fmin(worst, v3_dot(v3_unit(u), v3_unit(v)));
    }
    return worst;
}

// Whether what is around a point still faces upward when the point goes to a place.
static bool may_move(const pass* p, int v, int other, vec3 to, double longest)
{
    static const double TURNED = 0.5, BLUNT = -0.9; // cosines
    const leaf* l = p->leaf;
    for (int i = p->start[v]; i < p->start[v + 1]; ++i) {
        const int* corner = l->triangle + 3 * (ptrdiff_t)p->around[i];
        if (other >= 0 && triangle_has(l, p->around[i], other)) continue;
        vec3 x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = corner[k] == v ? to : place_of(l, corner[k]);
            vec3 way = v3_sub(to, x[k]);
            if (v3_dot(way, way) > longest * longest) return false;
        }
        vec3 area = v3_unit(area_of(x[0], x[1], x[2]));
        if (!(v3_dot(area, l->point[v].normal) > TURNED)) return false;
        if (other >= 0 && bluntness(x[0], x[1], x[2]) < BLUNT) return false;
    }
    return true;
}

// a goes into b.
static bool may_collapse(const pass* p, int side, int a, int b, double longest)
{
    const leaf* l = p->leaf;
    bool border_edge = p->partner[side] < 0;
    if (l->point[a].root >= 0 || (p->border[a] && (!border_edge || !is_straight(p, a))))
        return false;
    if (common_neighbors(p, a, b) != (border_edge ? 1 : 2)) return false;
    return may_move(p, a, b, place_of(l, b), longest);
}

static void touch_around(pass* p, int v)
{
    p->touched[v] = 1;
    for (int i = p->start[v]; i < p->start[v + 1]; ++i)
        for (int k = 0; k < 3; ++k)
            p->touched[p->leaf->triangle[3 * (ptrdiff_t)p->around[i] + k]] = 1;
}

static bool is_touched(const pass* p, int v)
{
    for (int i = p->start[v]; i < p->start[v + 1]; ++i)
        for (int k = 0; k < 3; ++k)
            if (p->touched[p->leaf->triangle[3 * (ptrdiff_t)p->around[i] + k]]) return true;
    return false;
}

static void collapse(pass* p, int a, int b)
{
    touch_around(p, a);
    touch_around(p, b);
    for (int i = p->start[a]; i < p->start[a + 1]; ++i) {
        int* corner = p->leaf->triangle + 3 * (ptrdiff_t)p->around[i];
        for (int k = 0; k < 3; ++k)
            if (corner[k] == a) corner[k] = b;
    }
}

static void drop_flat(leaf* l)
{
    int kept = 0;
    for (int t = 0; t < l->triangles; ++t) {
        int a = l->triangle[3 * t], b = l->triangle[3 * t + 1], c = l->triangle[3 * t + 2];
        if (a == b || b == c || c == a) continue;
        l->triangle[3 * kept] = a, l->triangle[3 * kept + 1] = b, l->triangle[3 * kept + 2] = c;
        ++kept;
    }
    l->triangles = kept;
}

static int collapse_pass(leaf* l, double shortest, double longest)
{
    pass p;
    int count = 0;
    if (!pass_begin(l, &p)) return -1;
    for (int side = 0; side < 3 * l->triangles; ++side) {
        int a = leaf_side_start(l, side), b = leaf_side_end(l, side);
        if (a == b || !(length2(l, a, b) < shortest * shortest)) continue;
        if (is_touched(&p, a) || is_touched(&p, b)) continue;
        bool forth = may_collapse(&p, side, a, b, longest);
        if (!forth && !may_collapse(&p, side, b, a, longest)) continue;
        forth ? collapse(&p, a, b) : collapse(&p, b, a);
        ++count;
    }
    drop_flat(l);
    pass_end(&p);
    return count;
}

// ---- swaps --------------------------------------------------------------------------------------

static bool should_swap(const pass* p, int side)
{
    static const double FLAT = 0.7, BETTER = 0.05; // cosines
    const leaf* l = p->leaf;
    int other = p->partner[side];
    vec3 a = place_of(l, leaf_side_start(l, side)), b = place_of(l, leaf_side_end(l, side));
    vec3 c = place_of(l, opposite_of(l, side)), d = place_of(l, opposite_of(l, other));
    vec3 first = v3_unit(area_of(c, a, d)), second = v3_unit(area_of(c, d, b));
    const int point[4] = {leaf_side_start(l, side), leaf_side_end(l, side), opposite_of(l, side),
                          opposite_of(l, other)};
    for (int k = 0; k < 4; ++k) {
        const leaf_point* q = &l->point[point[k]]; // columns are not across the leaf
        if (q->root >= 0) continue;
        if (v3_dot(first, q->normal) < FLAT || v3_dot(second, q->normal) < FLAT) return false;
    }
    return fmin(bluntness(c, a, d), bluntness(c, d, b)) >
           fmin(bluntness(a, b, c), bluntness(b, a, d)) + BETTER;
}

static int swap_pass(leaf* l)
{
    pass p;
    int count = 0;
    if (!pass_begin(l, &p)) return -1;
    for (int side = 0; side < 3 * l->triangles; ++side) {
        int other = p.partner[side];
        if (other < side) continue;
        int a = leaf_side_start(l, side), b = leaf_side_end(l, side);
        int c = opposite_of(l, side), d = opposite_of(l, other);
        if (p.touched[a] || p.touched[b] || p.touched[c] || p.touched[d]) continue;
        if (c == d || are_joined(&p, c, d) || !should_swap(&p, side)) continue;
        int *one = l->triangle + side / 3 * 3, *two = l->triangle + other / 3 * 3;
        one[0] = c, one[1] = a, one[2] = d;
        two[0] = c, two[1] = d, two[2] = b;
        p.touched[a] = p.touched[b] = p.touched[c] = p.touched[d] = 1;
        ++count;
    }
    pass_end(&p);
    return count;
}

// ---- moves --------------------------------------------------------------------------------------

// Toward the middle of its neighbors, along the surface.
static void relax(pass* p, int v)
{
    static const double PART = 0.5;
    leaf* l = p->leaf;
    leaf_point mean = {.place = v3_zero()};
    int count = 0;
    for (int i = p->start[v]; i < p->start[v + 1]; ++i)
        for (int k = 0; k < 3; ++k) {
            const leaf_point* q = &l->point[l->triangle[3 * (ptrdiff_t)p->around[i] + k]];
            if (q == &l->point[v]) continue;
            mean.place = v3_add(mean.place, q->place);
            mean.normal = v3_add(mean.normal, q->normal);
            mean.thickness += q->thickness;
            ++count;
        }
    if (count == 0) return;
    mean.place = v3_scale(1.0 / count, mean.place);
    mean.normal = v3_unit(mean.normal);
    mean.thickness /= count;
    leaf_point next = between(&l->point[v], &mean, PART);
    next.loose = l->point[v].loose;
    vec3 normal = l->point[v].normal, way = v3_sub(next.place, l->point[v].place);
    next.place = v3_add_scaled(next.place, -v3_dot(way, normal), normal);
    if (may_move(p, v, -1, next.place, INFINITY)) l->point[v] = next;
}

// Where the border is straight, between its neighbors on it.
static void relax_border(pass* p, int v)
{
    leaf* l = p->leaf;
    int end[2] = {-1, -1};
    if (!is_straight(p, v)) return;
    for (int i = p->start[v]; i < p->start[v + 1]; ++i)
        for (int side = 3 * p->around[i]; side < 3 * p->around[i] + 3; ++side) {
            if (p->partner[side] >= 0) continue;
            if (leaf_side_start(l, side) == v) end[1] = leaf_side_end(l, side);
            if (leaf_side_end(l, side) == v) end[0] = leaf_side_start(l, side);
        }
    if (end[0] < 0 || end[1] < 0) return;
    if (l->point[v].loose) {
        leaf_point middle = between(&l->point[end[0]], &l->point[end[1]], 0.5);
        leaf_point next = between(&l->point[v], &middle, 0.5);
        next.loose = true;
        if (may_move(p, v, -1, next.place, INFINITY)) l->point[v] = next;
        return;
    }
    double before = sqrt(length2(l, v, end[0])), after = sqrt(length2(l, v, end[1]));
    double way = (after - before) / 4; // half of the way to the middle
    const leaf_point* to = &l->point[way > 0 ? end[1] : end[0]];
    double length = way > 0 ? after : before;
    if (!(length > 0)) return;
    leaf_point next = between(&l->point[v], to, fabs(way) / length);
    if (may_move(p, v, -1, next.place, INFINITY)) l->point[v] = next;
}

static bool relax_pass(leaf* l)
{
    pass p;
    if (!pass_begin(l, &p)) return false;
    for (int v = 0; v < l->points; ++v) {
        if (l->point[v].root >= 0) continue;
        p.border[v] ? relax_border(&p, v) : relax(&p, v);
    }
    pass_end(&p);
    return true;
}

static bool swap_all(leaf* l)
{
    enum { PASSES = 12 };
    int count = 1;
    for (int i = 0; i < PASSES && count > 0; ++i) count = swap_pass(l);
    return count >= 0;
}

static bool collapse_all(leaf* l, double shortest, double longest)
{
    enum { PASSES = 8 };
    int count = 1;
    for (int i = 0; i < PASSES && count > 0; ++i) {
        count = collapse_pass(l, shortest, longest);
        if (count > 0 && swap_pass(l) < 0) return false;
    }
    return count >= 0;
}

bool leaf_smooth(leaf* l)
{
    enum { ROUNDS = 6 };
    for (int i = 0; i < ROUNDS; ++i)
        if (!swap_all(l) || !relax_pass(l)) return false;
    return true;
}

// Far more triangles than its area asks for, and they do not become fewer: a surface in folds or
// with many borders.
static bool is_crumpled(const leaf* l, double edge, int before)
{
    static const double MANY = 4, FEWER = 0.7, PER_SQUARE = 2.31; // 1 / area for edges of 1
    double area = 0;
    for (int t = 0; t < l->triangles; ++t) {
        const int* corner = l->triangle + 3 * (ptrdiff_t)t;
        area += 0.5 * v3_length(area_of(place_of(l, corner[0]), place_of(l, corner[1]),
                                        place_of(l, corner[2])));
    }
    return l->triangles > FEWER * before &&
           l->triangles * edge * edge > MANY * PER_SQUARE * area + edge * edge;
}

bool leaf_remesh(leaf* l, double edge)
{
    enum { ROUNDS = 4 };
    double shortest = 0.75 * edge, longest = 1.35 * edge;
    for (int i = 0; i < ROUNDS; ++i) {
        int before = l->triangles;
        if (i + 1 < ROUNDS && !leaf_refine(l, longest)) return false;
        if (!collapse_all(l, shortest, longest)) return false;
        if (is_crumpled(l, edge, before)) l->triangles = 0;
        if (!swap_all(l) || !relax_pass(l)) return false;
    }
    return drop_unused(l) && leaf_smooth(l);
}
