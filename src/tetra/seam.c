#define PRECISION_DOUBLE
#include "tetra/seam.h"
#include "math/direction.h"

// An edge across a strip, in the outline's vertices.
typedef struct {
    int left, right;
} rung;

typedef struct {
    const seam_site* at;
    leaf* leaf;
    column_list* columns;
    leaf boundary;        // the outline's triangles, which are not its own
    int* partner;         // of their sides
    unsigned char* taken; // of the outline's vertices: a plate stands on them
    int* next;            // of the leaf's points: the next one along the border, or -1
    int* chain;           // points of the leaf, along the border
    int* path;            // faces
    rung* rung;
    int path_count, path_capacity;
    bool comes_near; // some of the plate is not in the leaf, since the mesh is near
} sewing;

// ---- faces --------------------------------------------------------------------------------------

static vec3 face_middle(const sewing* s, int face)
{
    triangle t = outline_face(s->at->outline, face);
    return triangle_middle(&t);
}

// The faces between two that are near to each other, by Dijkstra's algorithm.
enum { MOST_LOOKED_AT = 300 };
typedef struct {
    int face[MOST_LOOKED_AT], before[MOST_LOOKED_AT];
    double way[MOST_LOOKED_AT];
    bool done[MOST_LOOKED_AT];
    int count;
} spreading;

static int index_of(const spreading* w, int face)
{
    for (int i = 0; i < w->count; ++i)
        if (w->face[i] == face) return i;
    return -1;
}

static int nearest_open(const spreading* w)
{
    int best = -1;
    for (int i = 0; i < w->count; ++i)
        if (!w->done[i] && (best < 0 || w->way[i] < w->way[best])) best = i;
    return best;
}

// Faces off the leaf's plane are farther.
static double way_between(vec3 from, vec3 to, const leaf_point* near)
{
    static const double OFF = 3;
    double off = fabs(v3_dot(near->normal, v3_sub(to, near->place)));
    return v3_length(v3_sub(to, from)) + OFF * off;
}

static void spread_from(const sewing* s, spreading* w, int i, const leaf_point* near)
{
    vec3 here = face_middle(s, w->face[i]);
    w->done[i] = true;
    for (int side = 3 * w->face[i]; side < 3 * w->face[i] + 3; ++side) {
        int face = s->partner[side] / 3;
        if (s->partner[side] < 0) continue;
        double way = w->way[i] + way_between(here, face_middle(s, face), near);
        int known = index_of(w, face);
        if (known < 0 && w->count < MOST_LOOKED_AT) {
            known = w->count++;
            w->face[known] = face, w->done[known] = false, w->way[known] = INFINITY;
        }
        if (known >= 0 && !w->done[known] && way < w->way[known])
            w->way[known] = way, w->before[known] = i;
    }
}

// A face that comes again ends a detour, which is left out.
static bool add_to_path(sewing* s, int face)
{
    for (int i = 0; i < s->path_count; ++i)
        if (s->path[i] == face) {
            s->path_count = i + 1;
            return true;
        }
    if (!mem_reserve((void**)&s->path, &s->path_capacity, s->path_count + 1, sizeof *s->path))
        return false;
    s->path[s->path_count++] = face;
    return true;
}

// From the path's end to a face. False when memory runs out; where there is no way, it ends.
static bool extend_path(sewing* s, int to, const leaf_point* near)
{
    spreading w = {.count = 0};
    if (s->path_count == 0) return add_to_path(s, to);
    w.face[0] = to, w.way[0] = 0, w.before[0] = 0, w.done[0] = false, w.count = 1; // from its end
    int from = s->path[s->path_count - 1], at = -1;
    for (int i = nearest_open(&w); i >= 0 && at < 0; i = nearest_open(&w)) {
        if (w.face[i] == from) at = i;
        spread_from(s, &w, i, near);
    }
    for (; at > 0; at = w.before[at])
        if (!add_to_path(s, w.face[w.before[at]])) return false;
    return true;
}

// ---- the strip ----------------------------------------------------------------------------------

// The edge from a face to the next one, as one sees it on the way: -1 where they are no neighbors.
static rung rung_between(const sewing* s, int face, int next)
{
    for (int side = 3 * face; side < 3 * face + 3; ++side)
        if (s->partner[side] >= 0 && s->partner[side] / 3 == next)
            return (rung){leaf_side_end(&s->boundary, side), leaf_side_start(&s->boundary, side)};
    return (rung){-1, -1};
}

// Rungs of the path. Returns how many; 0 where a vertex is on both sides of it or taken.
static int find_rungs(const sewing* s)
{
    int count = s->path_count - 1;
    for (int i = 0; i < count; ++i) {
        s->rung[i] = rung_between(s, s->path[i], s->path[i + 1]);
        if (s->rung[i].left < 0 || s->taken[s->rung[i].left] || s->taken[s->rung[i].right])
            return 0;
    }
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k)
            if (s->rung[i].left == s->rung[k].right) return 0;
    return count;
}

static vec3 vertex_place(const sewing* s, int v)
{
    const double* x = s->at->outline->place + 3 * (ptrdiff_t)v;
    return v3(x[0], x[1], x[2]);
}

// Whether the leaf's upper side is to the left, for most of the rungs.
static bool left_is_above(const sewing* s, int rungs, vec3 normal)
{
    double sum = 0;
    for (int i = 0; i < rungs; ++i)
        sum += v3_dot(normal,
                      v3_sub(vertex_place(s, s->rung[i].left), vertex_place(s, s->rung[i].right)));
    return sum > 0;
}

// A column of the plate on a rung, as a point of the leaf.
static bool add_column(sewing* s, int i, bool left_above, int rank)
{
    rung r = s->rung[i];
    int above = left_above ? r.left : r.right, below = left_above ? r.right : r.left;
    vec3 up = vertex_place(s, above), low = vertex_place(s, below), way = v3_sub(up, low);
    const leaf_point p = {.place = v3_scale(0.5, v3_add(up, low)),
                          .normal = v3_unit(way),
                          .thickness = v3_length(way),
                          .root = s->columns->count};
    column_list* c = s->columns;
    if (!mem_reserve((void**)&c->column, &c->capacity, c->count + 1, sizeof *c->column))
        return false;
    c->column[c->count++] = (column){s->at->vertex[above], s->at->vertex[below], rank};
    s->taken[above] = s->taken[below] = 1;
    return leaf_add_point(s->leaf, &p);
}

// Rungs to the next column: two, if both of their ends change on the way, or one.
static int next_rung(const sewing* s, int i, int rungs)
{
    if (i + 2 >= rungs) return i + 1;
    const rung *a = &s->rung[i], *c = &s->rung[i + 2];
    return a->left != c->left && a->right != c->right ? i + 2 : i + 1;
}

// Of the edge across from one column to the next, one end is below and the other above: that of
// the column with the lower rank is below.
static int rank_after(const sewing* s, int i, int next, bool left_above, int rank)
{
    bool left_stays = s->rung[i].left == s->rung[i + 1].left; // the edge starts on the left
    if (next == i + 1) return rank + 1;
    return left_stays == left_above ? rank - 1 : rank + 1;
}

// ---- sewing -------------------------------------------------------------------------------------

static double distance2(const leaf* l, int a, int b)
{
    vec3 way = v3_sub(l->point[a].place, l->point[b].place);
    return v3_dot(way, way);
}

// Triangles between the columns, which are the leaf's points from `first` on, and the chain; the
// shorter edge first.
static bool zip(sewing* s, int points, int first, int columns)
{
    leaf* l = s->leaf;
    int i = 0, k = 0;
    while (i + 1 < points || k + 1 < columns) {
        bool along =
            k + 1 == columns || (i + 1 < points && distance2(l, s->chain[i + 1], first + k) <
                                                       distance2(l, s->chain[i], first + k + 1));
        bool ok = along ? leaf_add_triangle(l, s->chain[i + 1], s->chain[i], first + k)
                        : leaf_add_triangle(l, s->chain[i], first + k, first + k + 1);
        if (!ok) return false;
        along ? ++i : ++k;
    }
    return true;
}

static bool sew_rungs(sewing* s, int points, int rungs)
{
    vec3 normal = v3_zero();
    for (int i = 0; i < points; ++i) normal = v3_add(normal, s->leaf->point[s->chain[i]].normal);
    bool left_above = left_is_above(s, rungs, normal);
    int first = s->leaf->points, rank = 0, columns = 0;
    for (int i = 0; i < rungs;) {
        int next = next_rung(s, i, rungs);
        if (!add_column(s, i, left_above, rank)) return false;
        if (next < rungs) rank = rank_after(s, i, next, left_above, rank);
        i = next;
        ++columns;
    }
    return zip(s, points, first, columns);
}

// Where to look for a strip, in edges: along the chain and some way beyond its ends, above or below
// the leaf.
typedef struct {
    double beyond, above;
} course;

// Adds what is below a point of the chain on the mesh, or, at its ends, beyond it.
static bool add_below(sewing* s, int points, int i, course c)
{
    static const double FARTHEST = 4; // edges
    leaf_point near = s->leaf->point[s->chain[i]];
    int other = i == 0 ? 1 : i + 1 == points ? i - 1 : i, face;
    vec3 away = v3_unit(v3_sub(near.place, s->leaf->point[s->chain[other]].place));
    near.place = v3_add_scaled(near.place, c.beyond * s->at->edge, away);
    near.place = v3_add_scaled(near.place, c.above * s->at->edge, near.normal);
    tree_distance(&s->at->outline->tree, near.place, FARTHEST * s->at->edge, &face);
    return face < 0 || extend_path(s, face, &near);
}

// The rungs below a chain; fewer than two where there is no strip.
static bool find_strip(sewing* s, int points, course c, int* out_rungs)
{
    const course within = {0, c.above};
    s->path_count = 0;
    if (c.beyond > 0 && !add_below(s, points, 0, c)) return false;
    for (int i = 0; i < points; ++i)
        if (!add_below(s, points, i, within)) return false;
    if (c.beyond > 0 && !add_below(s, points, points - 1, c)) return false;
    mem_free(s->rung);
    s->rung = (rung*)mem_array((size_t)s->path_count + 1, sizeof *s->rung);
    *out_rungs = s->rung && s->path_count > 2 ? find_rungs(s) : 0;
    return s->rung != NULL;
}

// A chain may be so short that it is above a face or two: then the strip is somewhat longer. Or it
// is above edges of the mesh, whose ends would be on both sides of the strip: then that is beside
// it.
static bool sew_chain(sewing* s, int points, int* seams)
{
    double beyond = s->at->beyond;
    const course courses[] = {{beyond, 0},       {0, 0},           {beyond, 0.25}, {beyond, -0.25},
                              {beyond + 0.5, 0}, {beyond + 0.9, 0}};
    enum { COUNT = sizeof courses / sizeof courses[0] };
    int rungs = 0, most = 1, best = -1;
    for (int i = 0; i < COUNT && most <= points; ++i) {
        if (!find_strip(s, points, courses[i], &rungs)) return false;
        if (rungs > most) most = rungs, best = i;
    }
    if (best < 0) return true;
    if (rungs != most && !find_strip(s, points, courses[best], &rungs)) return false;
    *seams += 1;
    return sew_rungs(s, points, rungs);
}

static bool is_near(const sewing* s, int point)
{
    static const double MOST = 1.9, ANYWHERE = 1.2; // edges; it is loose since the mesh is near
    vec3 place = s->leaf->point[point].place;
    return outline_is_near(s->at->outline, s->at->solid, place, place, MOST, ANYWHERE);
}

static bool list_border(sewing* s)
{
    int* partner = leaf_partners(s->leaf);
    if (!partner) return false;
    for (int v = 0; v < s->leaf->points; ++v) s->next[v] = -1;
    for (int side = 0; side < 3 * s->leaf->triangles; ++side)
        if (partner[side] < 0)
            s->next[leaf_side_start(s->leaf, side)] = leaf_side_end(s->leaf, side);
    mem_free(partner);
    return true;
}

// Points along the border from one that is near while they are; they leave the border.
static int take_chain(sewing* s, int start, const unsigned char* near)
{
    int count = 0;
    for (int v = start; v >= 0 && near[v];) {
        int next = s->next[v];
        s->chain[count++] = v;
        s->next[v] = -1;
        v = next;
    }
    return count;
}

// Chains begin behind a point that is not near, or anywhere where all are.
static bool sew_border(sewing* s, const unsigned char* near, int points, int* seams)
{
    for (int v = 0; v < points; ++v) {
        int next = s->next[v];
        if (near[v] || next < 0 || !near[next]) continue;
        int count = take_chain(s, next, near);
        if (count > 1 && !sew_chain(s, count, seams)) return false;
    }
    for (int v = 0; v < points; ++v) {
        if (!near[v] || s->next[v] < 0) continue;
        int count = take_chain(s, v, near);
        if (count > 1 && !sew_chain(s, count, seams)) return false;
    }
    return true;
}

static bool sew(sewing* s, int* seams)
{
    const pliant_mesh* b = s->at->outline->boundary;
    int points = s->leaf->points;
    s->boundary =
        (leaf){.triangle = b->triangles, .triangles = b->triangle_count, .points = b->vertex_count};
    unsigned char* near = (unsigned char*)mem_array((size_t)points, 1);
    s->partner = leaf_partners(&s->boundary);
    s->taken = (unsigned char*)mem_array_zero((size_t)b->vertex_count, 1);
    s->next = (int*)mem_array((size_t)points, sizeof(int));
    s->chain = (int*)mem_array((size_t)points, sizeof(int));
    bool ok = near && s->partner && s->taken && s->next && s->chain && list_border(s);
    for (int v = 0; ok && v < points; ++v) {
        near[v] = s->next[v] >= 0 && s->leaf->point[v].loose && is_near(s, v);
        s->comes_near |= s->leaf->point[v].loose;
    }
    ok = ok && sew_border(s, near, points, seams);
    mem_free(near);
    return ok;
}

pliant_result sew_leaf(const seam_site* at, leaf* l, column_list* columns, int* out_seams,
                       bool* out_sewn)
{
    sewing s = {.at = at, .leaf = l, .columns = columns};
    *out_seams = 0;
    bool ok = sew(&s, out_seams);
    *out_sewn = *out_seams > 0 || !s.comes_near;
    mem_free(s.partner);
    mem_free(s.taken);
    mem_free(s.next);
    mem_free(s.chain);
    mem_free(s.path);
    mem_free(s.rung);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
