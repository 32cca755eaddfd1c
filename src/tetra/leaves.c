#define PRECISION_DOUBLE
#include "tetra/leaves.h"
#include "base/union.h"
#include "math/direction.h"
#include "tetra/plate.h"
#include <string.h>

enum { A_TASK = 256 };

static triangle triangle_of(const leaf* l, int t)
{
    double x[9];
    static const int corner[3] = {0, 1, 2};
    for (int k = 0; k < 3; ++k) {
        vec3 p = l->point[l->triangle[3 * (ptrdiff_t)t + k]].place;
        x[3 * k] = p.x, x[3 * k + 1] = p.y, x[3 * k + 2] = p.z;
    }
    return triangle_make(x, corner);
}

// ---- what sticks out ----------------------------------------------------------------------------

typedef struct {
    const leaves* of;
    const outline* mesh;
    double near;        // edges
    unsigned char* out; // of points
} sticking;

static bool sticks_out(const sticking* a, vec3 point)
{
    double least = a->near * a->of->o.edge;
    return tree_distance(&a->mesh->tree, point, least, NULL) >= least &&
           tree_winding(&a->mesh->tree, point) < 0.5;
}

static void stick_task(int task, void* argument)
{
    const sticking* a = (const sticking*)argument;
    int end = (task + 1) * A_TASK, count = a->of->skin.points;
    for (int v = task * A_TASK; v < end && v < count; ++v)
        if (a->out[v]) a->out[v] = !a->mesh || sticks_out(a, a->of->skin.point[v].place);
}

static int task_count(int count) { return (count + A_TASK - 1) / A_TASK; }

// Of the points of a side, or of all (-1). NULL when memory runs out.
static unsigned char* find_out(const leaves* l, int side, const outline* mesh, double near)
{
    sticking a = {l, mesh, near, (unsigned char*)mem_array_zero((size_t)l->skin.points, 1)};
    for (int i = 0; a.out && i < 3 * l->skin.triangles; ++i)
        if (side < 0 || l->side[i / 3] == side) a.out[l->skin.triangle[i]] = 1;
    if (a.out) workers_run(l->o.threads, stick_task, &a, task_count(l->skin.points));
    return a.out;
}

static bool is_out(const leaf* l, const unsigned char* out, int t)
{
    const int* corner = l->triangle + 3 * (ptrdiff_t)t;
    return out[corner[0]] && out[corner[1]] && out[corner[2]];
}

static bool copy_surface(leaves* l)
{
    const pliant_mesh* m = l->o.solid->surface;
    for (int v = 0; v < m->vertex_count; ++v) {
        const double* x = m->vertices + 3 * (ptrdiff_t)v;
        const leaf_point p = {.place = v3(x[0], x[1], x[2]), .root = -1};
        if (!leaf_add_point(&l->skin, &p)) return false;
    }
    for (int t = 0; t < m->triangle_count; ++t) {
        const int* corner = m->triangles + 3 * (ptrdiff_t)t;
        if (!leaf_add_triangle(&l->skin, corner[0], corner[1], corner[2])) return false;
    }
    return true;
}

static bool keep_out(leaves* l, const outline* mesh)
{
    leaf* skin = &l->skin;
    unsigned char* out = find_out(l, -1, mesh, LEAST_GAP);
    int kept = 0;
    for (int t = 0; out && t < skin->triangles; ++t) {
        for (int k = 0; k < 3 && !is_out(skin, out, t); ++k)
            skin->point[skin->triangle[3 * (ptrdiff_t)t + k]].loose = true;
        if (!is_out(skin, out, t)) continue;
        memmove(skin->triangle + 3 * (ptrdiff_t)kept++, skin->triangle + 3 * (ptrdiff_t)t,
                3 * sizeof(int));
    }
    if (out) skin->triangles = kept;
    mem_free(out);
    return out != NULL;
}

// ---- thickness ----------------------------------------------------------------------------------

// How far one can go inward from a place of the surface without meeting another side: half of the
// most that a plate may have, where nothing is nearer than the place itself, or less and less.
static double first_step(const leaves_options* o, vec3 place, vec3 normal)
{
    static const double LEAST = 1e-3, ITSELF = 0.98, SHORTER = 0.25; // edges; of the way
    double way = MOST_PLATE * o->edge / 2;
    while (way > LEAST * o->edge) {
        vec3 here = v3_add_scaled(place, -way, normal);
        if (tree_distance(&o->solid->tree, here, way, NULL) > ITSELF * way) break;
        way *= SHORTER;
    }
    return way;
}

// From a place of the surface inward to the other side; 0 where that is too far or no other side.
// The distance to the surface, which is known from its nearest triangle, is a step that cannot
// miss.
static double thickness_from(const leaves_options* o, vec3 place, vec3 normal)
{
    enum { STEPS = 40 };
    static const double LEAST = 1e-5, OPPOSITE = -0.5, FRONT = 0.02; // in edges; a cosine
    const solid* s = o->solid;
    double most = MOST_PLATE * o->edge, least = LEAST * o->edge;
    double way = first_step(o, place, normal);
    int nearest = -1;
    for (int i = 0; i < STEPS && way < most; ++i) {
        vec3 here = v3_add_scaled(place, -way, normal);
        double depth = tree_distance(&s->tree, here, 1.01 * way, &nearest); // it came from there
        if (nearest < 0) return 0;
        triangle t =
            triangle_make(s->surface->vertices, s->surface->triangles + 3 * (ptrdiff_t)nearest);
        bool other = v3_dot(t.normal, normal) < OPPOSITE;
        if (other && depth < 1e-2 * way) {
            vec3 front = v3_add_scaled(place, FRONT * o->edge, normal);
            return tree_winding(&s->tree, front) > 0.5 ? 0 : way + depth;
        }
        way += depth > least ? depth : least;
    }
    return 0;
}

static void thickness_task(int task, void* argument)
{
    const leaves* a = (const leaves*)argument;
    int end = (task + 1) * A_TASK;
    for (int t = task * A_TASK; t < end && t < a->skin.triangles; ++t) {
        triangle shape = triangle_of(&a->skin, t);
        a->thickness[t] =
            shape.flat ? 0 : thickness_from(&a->o, triangle_middle(&shape), shape.normal);
    }
}

// ---- sides --------------------------------------------------------------------------------------

static bool is_smooth(const leaf* l, int one, int two)
{
    static const double SMOOTH = 0.5; // cosine
    triangle a = triangle_of(l, one), b = triangle_of(l, two);
    return v3_dot(a.normal, b.normal) > SMOOTH;
}

// A triangle is of a plate's side if all are that go on from it smoothly, or two of them: near an
// edge, its middle may see no other side.
static void mend_sides(leaves* a, const int* partner)
{
    for (int t = 0; t < a->skin.triangles; ++t) {
        double sum = 0;
        int count = 0, others = 0;
        for (int s = 3 * t; s < 3 * t + 3 && !(a->thickness[t] > 0); ++s) {
            int other = partner[s] / 3;
            if (partner[s] < 0 || !is_smooth(&a->skin, t, other)) continue;
            bool thin = a->thickness[other] > 0;
            sum += a->thickness[other];
            thin ? ++count : ++others;
        }
        if (count > 1 || (count == 1 && others == 0)) a->thickness[t] = sum / count;
    }
}

// Triangles of plates that are neighbors, not across a sharp edge.
static bool join_sides(leaves* a)
{
    const leaf* l = &a->skin;
    int* partner = leaf_partners(l);
    if (!partner) return false;
    for (int pass = 0; pass < 3; ++pass) mend_sides(a, partner);
    union_start(a->side, l->triangles);
    for (int s = 0; s < 3 * l->triangles; ++s) {
        int other = partner[s] / 3;
        if (partner[s] < s || !(a->thickness[s / 3] > 0) || !(a->thickness[other] > 0)) continue;
        if (is_smooth(l, s / 3, other)) union_join(a->side, s / 3, other);
    }
    for (int t = 0; t < l->triangles; ++t) {
        triangle shape = triangle_of(l, t);
        a->side[t] = union_root(a->side, t);
        if (a->thickness[t] > 0) a->area[a->side[t]] += triangle_area(&shape);
    }
    mem_free(partner);
    return true;
}

static int largest_side(const leaves* a)
{
    int largest = -1;
    for (int t = 0; t < a->skin.triangles; ++t)
        if (a->area[t] > 0 && (largest < 0 || a->area[t] > a->area[largest])) largest = t;
    return largest;
}

// The points of one side: in the middle of the plate.
static bool take_side(const leaves* a, int side, const unsigned char* sticks, leaf* out)
{
    const leaf* l = &a->skin;
    int* number = (int*)mem_array((size_t)l->points, sizeof(int));
    int* faces = (int*)mem_array_zero((size_t)l->points, sizeof(int));
    bool ok = number && faces;
    for (int v = 0; ok && v < l->points; ++v) number[v] = -1;
    for (int t = 0; ok && t < l->triangles; ++t) {
        if (a->side[t] != side || !(a->thickness[t] > 0) || !is_out(l, sticks, t)) continue;
        int corner[3];
        triangle shape = triangle_of(l, t);
        for (int k = 0; k < 3 && ok; ++k) {
            int v = l->triangle[3 * (ptrdiff_t)t + k];
            if (number[v] < 0) {
                ok = leaf_add_point(out, &l->point[v]);
                number[v] = out->points - 1;
            }
            if (!ok) break;
            corner[k] = number[v];
            leaf_point* p = &out->point[corner[k]];
            p->normal = v3_add(p->normal, triangle_area_vector(&shape));
            p->thickness += a->thickness[t];
            ++faces[corner[k]];
        }
        ok = ok && leaf_add_triangle(out, corner[0], corner[1], corner[2]);
    }
    for (int t = 0; ok && t < l->triangles; ++t)
        for (int k = 0; k < 3 && a->side[t] == side && !is_out(l, sticks, t); ++k) {
            int v = number[l->triangle[3 * (ptrdiff_t)t + k]];
            if (v >= 0) out->point[v].loose = true;
        }
    for (int v = 0; ok && v < out->points; ++v) {
        leaf_point* p = &out->point[v];
        p->normal = v3_unit(p->normal);
        p->thickness /= faces[v];
        p->place = v3_add_scaled(p->place, -p->thickness / 2, p->normal);
    }
    mem_free(number);
    mem_free(faces);
    return ok;
}

// ---- all ----------------------------------------------------------------------------------------

static bool measure_skin(leaves* a)
{
    size_t count = (size_t)a->skin.triangles;
    a->thickness = (double*)mem_array(count, sizeof(double));
    a->side = (int*)mem_array(count, sizeof(int));
    a->area = (double*)mem_array_zero(count, sizeof(double));
    if (!a->thickness || !a->side || !a->area) return false;
    workers_run(a->o.threads, thickness_task, a, task_count(a->skin.triangles));
    return join_sides(a);
}

bool leaves_open(const leaves_options* o, const outline* mesh, leaves* out)
{
    static const double FINE = 0.8; // edges
    *out = (leaves){.o = *o};
    return copy_surface(out) && leaf_refine(&out->skin, FINE * o->edge) && keep_out(out, mesh) &&
           measure_skin(out);
}

void leaves_close(leaves* l)
{
    leaf_release(&l->skin);
    mem_free(l->thickness);
    mem_free(l->side);
    mem_free(l->area);
}

static double area_of(const leaf* l)
{
    double area = 0;
    for (int t = 0; t < l->triangles; ++t) {
        triangle shape = triangle_of(l, t);
        area += triangle_area(&shape);
    }
    return area;
}

static bool measure_border(const leaf* l, double* out)
{
    int* partner = leaf_partners(l);
    for (int s = 0; partner && s < 3 * l->triangles; ++s) {
        vec3 way =
            v3_sub(l->point[leaf_side_end(l, s)].place, l->point[leaf_side_start(l, s)].place);
        if (partner[s] < 0) *out += v3_length(way);
    }
    mem_free(partner);
    return partner != NULL;
}

int leaves_next(leaves* l)
{
    static const double LEAST = 1; // squares of edges
    int side = largest_side(l);
    if (side < 0 || !(l->area[side] > LEAST * l->o.edge * l->o.edge)) return -1;
    l->whole = l->area[side];
    l->area[side] = 0;
    return side;
}

bool leaves_take(const leaves* l, int side, const outline* mesh, double gap, leaf* out)
{
    static const double LEFT = 0.5, NARROW = 0.8; // of the side; edges: that is a bar
    *out = (leaf){0};
    unsigned char* sticks = find_out(l, side, mesh, gap);
    bool ok = sticks && take_side(l, side, sticks, out);
    double area = ok ? area_of(out) : 0, border = 0;
    ok = ok && measure_border(out, &border);
    if (ok && (area < LEFT * l->whole || 2 * area < NARROW * l->o.edge * border))
        leaf_release(out);
    else if (ok)
        ok = leaf_remesh(out, PLATE_EDGE * l->o.edge);
    mem_free(sticks);
    if (!ok) leaf_release(out);
    return ok;
}
