#include "world/parting.h"
#include "math/jacobi.h"
#include "mesh/shape.h"
#include "world/reaction.h"
#include <math.h>
#include <string.h>

// ---- forces of elements -------------------------------------------------------------------------

static void add_force(body_tear* t, int corner, const double force[3])
{
    for (int k = 0; k < 3; ++k) t->force[3 * (size_t)corner + (size_t)k] += force[k];
}

static void measure_parts(const body* b, part_kind kind, int first_corner, int count)
{
    int part = reaction_first_part(b->asset, kind), corners = part_corners[kind];
    for (int i = 0; i < count; ++i) {
        reaction r;
        reaction_find(b, part + i, &r);
        for (int k = 0; k < corners; ++k)
            add_force(b->tear, first_corner + corners * i + k, r.force[k]);
    }
}

static void measure_sides(const body* b)
{
    for (int i = 0; i < b->tear->stars.triangle_count; ++i)
        for (int side = 0; side < 3; ++side) {
            reaction r;
            reaction_find_side(b, i, side, &r);
            add_force(b->tear, 3 * i + side, r.force[0]);
            add_force(b->tear, 3 * i + (side + 1) % 3, r.force[1]);
        }
}

bool parting_measure(body* b)
{
    body_tear* t = b->tear;
    const mesh_stars* s = &t->stars;
    size_t corners = 3 * (size_t)s->corner_count;
    if (!mem_reserve((void**)&t->force, &t->force_capacity, (int64_t)corners, sizeof(double)) ||
        !mem_reserve((void**)&t->place, &t->place_capacity, 3 * (int64_t)s->vertex_count,
                     sizeof(double)))
        return false;
    memset(t->force, 0, corners * sizeof(double));
    for (int i = 0; i < s->vertex_count; ++i)
        state_read_position(&b->s, i, t->place + 3 * (size_t)i);
    int faces = 4 * s->tet_count, edges = faces + 3 * s->triangle_count;
    measure_parts(b, PART_TET, 0, s->tet_count);
    measure_parts(b, PART_ROPE, edges, s->edge_count);
    if (asset_is_woven(b->asset))
        measure_parts(b, PART_MEMBRANE, faces, s->triangle_count);
    else
        measure_sides(b);
    measure_parts(b, PART_AREA, faces, b->asset->parts[PART_AREA].count);
    return true;
}

// ---- what two sides do --------------------------------------------------------------------------

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Sums over the elements of a side: force, and place from the vertex.
typedef struct {
    double force[3], place[3];
} side_sum;

static void add_element(const body_tear* t, int corner, int vertex, side_sum* sum)
{
    star_element e = stars_element(&t->stars, corner);
    const double *x = t->place + 3 * (size_t)vertex, *f = t->force + 3 * (size_t)corner;
    for (int k = 0; k < 3; ++k) {
        sum->force[k] += f[k];
        for (int i = 0; i < e.count; ++i) {
            int other = t->stars.corner[e.first + i];
            sum->place[k] += (t->place[3 * (size_t)other + (size_t)k] - x[k]) / e.count;
        }
    }
}

static side_sum take_away(const side_sum* all, const side_sum* part)
{
    side_sum rest;
    for (int k = 0; k < 3; ++k) {
        rest.force[k] = all->force[k] - part->force[k];
        rest.place[k] = all->place[k] - part->place[k];
    }
    return rest;
}

// [N] with which they pull from each other; 0: they press.
static double pull_apart(const side_sum* one, const side_sum* two)
{
    double t[3], way[3];
    for (int k = 0; k < 3; ++k) {
        t[k] = (two->force[k] - one->force[k]) / 2;
        way[k] = two->place[k] - one->place[k];
    }
    double length = sqrt(dot(t, t));
    if (!(length > 0) || !(dot(t, way) > 0)) return 0;
    return fmax(fmin(-dot(one->force, t), dot(two->force, t)) / length, 0);
}

// Keeps the way that is loaded the most, the first of those alike.
static bool offer(parting* best, double force, double holds, double size, double energy)
{
    if (!(holds > 0) || !(force / holds > best->load)) return false;
    *best = (parting){force / holds, force, size, energy};
    return true;
}

// ---- faces between elements ---------------------------------------------------------------------

static const double* rest_place(const body_tear* t, int vertex)
{
    return t->whole->mesh->vertices + 3 * (size_t)stars_root(&t->stars, vertex);
}

static double rest_length(const body_tear* t, int a, int b)
{
    const double *p = rest_place(t, a), *q = rest_place(t, b);
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    return sqrt(dot(d, d));
}

// Of two tets: their common corners as they were before anything parted, two at most beside the
// vertex. Returns how many.
static int common_roots(const mesh_stars* s, star_element a, star_element b, int vertex, int out[2])
{
    int count = 0, own = stars_root(s, vertex);
    for (int i = 0; i < a.count && count < 2; ++i) {
        int root = stars_root(s, s->corner[a.first + i]);
        for (int k = 0; k < b.count && root != own; ++k)
            if (stars_root(s, s->corner[b.first + k]) == root) {
                out[count++] = root;
                break;
            }
    }
    return count;
}

static int common_vertices(const mesh_stars* s, star_element a, star_element b, int vertex,
                           int out[2])
{
    int count = 0;
    for (int i = 0; i < a.count * b.count && count < 2; ++i) {
        int c = s->corner[a.first + i / b.count];
        if (c != vertex && c == s->corner[b.first + i % b.count]) out[count++] = c;
    }
    return count;
}

static double face_area(const body_tear* t, int vertex, const int other[2])
{
    const int corner[3] = {stars_root(&t->stars, vertex), other[0], other[1]};
    return triangle_area(t->whole->mesh->vertices, corner);
}

typedef struct {
    double holds, size, energy;
    bool open; // some face is
} bond;

static void add_face(const body_tear* t, int corner, int other, int vertex, bond* sum)
{
    star_element a = stars_element(&t->stars, corner), b = stars_element(&t->stars, other);
    int root[2], known[2], own = t->stars.corner[corner];
    if (common_roots(&t->stars, a, b, vertex, root) < 2) return;
    const pliant_material_def *m = asset_material(t->whole, a.number),
                              *n = asset_material(t->whole, b.number);
    double area = face_area(t, vertex, root) / 3;
    double one = m->tear_strength > 0 ? m->tear_strength : INFINITY;
    double two = n->tear_strength > 0 ? n->tear_strength : INFINITY;
    sum->open = sum->open || common_vertices(&t->stars, a, b, own, known) < 2;
    sum->holds += area * fmin(one, two);
    sum->size += area;
    sum->energy += area * (one < two ? m : n)->tear_energy;
}

// ---- cloth --------------------------------------------------------------------------------------

static int third_corner(const mesh_stars* s, star_element e, int vertex, int known)
{
    int found = -1;
    for (int i = 0; i < e.count; ++i) {
        int c = s->corner[e.first + i];
        if (c != vertex && c != known) found = c;
    }
    return found;
}

static bool has_corner(const mesh_stars* s, star_element e, int vertex)
{
    bool has = false;
    for (int i = 0; i < e.count; ++i) has = has || s->corner[e.first + i] == vertex;
    return has;
}

// Another triangle of the star at the edge to `spoke`; -1: it is the border.
static int next_triangle(const mesh_stars* s, const int* member, int count, int at, int spoke)
{
    for (int i = 0; i < count; ++i) {
        star_element e = stars_element(s, member[i]);
        if (i != at && e.count == 3 && has_corner(s, e, spoke)) return i;
    }
    return -1;
}

typedef struct {
    int count;        // of triangles
    const int* place; // of each among the members,
    const int* spoke; // and the particle at the edge before it; the last one is behind the last
    bool closed;
} fan;

// Triangles of a star as they lie side by side, from `first` on towards `spoke`. Where more than
// two meet at an edge they are not all reached.
static void walk(const mesh_stars* s, const int* member, int count, int vertex, int first,
                 int spoke, int* place, int* spokes, fan* out)
{
    int at = first;
    out->count = 0;
    out->closed = false;
    while (at >= 0 && out->count < count && !out->closed) {
        place[out->count] = at;
        spokes[out->count++] = spoke;
        spoke = third_corner(s, stars_element(s, member[at]), vertex, spoke);
        at = next_triangle(s, member, count, at, spoke);
        out->closed = at == first;
    }
    spokes[out->count] = spoke;
}

// From the border on, where there is one.
static bool find_fan(body_tear* t, int vertex, const int* member, int count, fan* out)
{
    const mesh_stars* s = &t->stars;
    int triangles = 0, start = -1, spoke = -1, border = 0;
    if (!mem_reserve((void**)&t->ring, &t->ring_capacity, 2 * (int64_t)count + 1, sizeof(int)))
        return false;
    for (int i = 0; i < count; ++i) {
        star_element e = stars_element(s, member[i]);
        if (e.count != 3) continue;
        triangles++;
        for (int k = 0; k < 3; ++k) {
            int c = s->corner[e.first + k];
            if (c == vertex) continue;
            bool last = next_triangle(s, member, count, i, c) < 0;
            if (start < 0 || (last && border == 0)) start = i, spoke = c;
            border += last;
        }
    }
    *out = (fan){.place = t->ring, .spoke = t->ring + count};
    if (start < 0) return true;
    walk(s, member, count, vertex, start, spoke, t->ring, t->ring + count, out);
    bool sound = out->count == triangles && border == (out->closed ? 0 : 2);
    if (!sound) out->count = 0; // where sheets meet, they do not part
    return true;
}

static bool sum_fan(body_tear* t, int vertex, const int* member, const fan* f)
{
    if (!mem_reserve((void**)&t->sum, &t->sum_capacity,
                     (f->count + 1) * (int64_t)(sizeof(side_sum) / sizeof(double)), sizeof(double)))
        return false;
    side_sum* sum = (side_sum*)(void*)t->sum;
    sum[0] = (side_sum){.force = {0, 0, 0}};
    for (int i = 0; i < f->count; ++i) {
        sum[i + 1] = sum[i];
        add_element(t, member[f->place[i]], vertex, &sum[i + 1]);
    }
    return true;
}

// Whether the vertex is the tip of a tear: the border on both sides of it was one edge.
static bool is_tip(const body_tear* t, const fan* f)
{
    return !f->closed &&
           stars_root(&t->stars, f->spoke[0]) == stars_root(&t->stars, f->spoke[f->count]);
}

static double mean_spoke(const body_tear* t, int vertex, const fan* f)
{
    double sum = 0;
    for (int i = 0; i <= f->count; ++i) sum += rest_length(t, vertex, f->spoke[i]);
    return sum / (f->count + 1);
}

// Of the force on a tip, what drives the tear on in a direction: cos^2 of half of the angle to the
// way that it came, between what the shares of opening and of tearing cracks are (cos^3, cos).
static double share_of_kink(const body_tear* t, int vertex, int before, int ahead)
{
    const double *x = rest_place(t, vertex), *p = rest_place(t, before), *q = rest_place(t, ahead);
    const double in[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    const double out[3] = {q[0] - x[0], q[1] - x[1], q[2] - x[2]};
    return (1 + dot(in, out) / sqrt(dot(in, in) * dot(out, out))) / 2;
}

// Triangles from `first` to before `end` of the fan are the second side; edges of ropes stay.
static void find_cloth(body_tear* t, int vertex, const fan* f, int first, int end, parting* out,
                       unsigned char* side, int count)
{
    const side_sum* sum = (const side_sum*)(const void*)t->sum;
    side_sum two = take_away(&sum[end], &sum[first]), one = take_away(&sum[f->count], &two);
    const pliant_cloth_def* cloth = &t->whole->def.cloth;
    int ahead = f->spoke[first], other = f->closed ? f->spoke[end] : f->spoke[0];
    bool tip = is_tip(t, f), border = !f->closed && !tip;
    double way = rest_length(t, vertex, ahead), strength = cloth->tear_strength;
    double held = border ? way / 2 : (way + rest_length(t, vertex, other)) / 2;
    double size = border ? way / 2 : rest_length(t, ahead, other) / 2;
    if (tip && cloth->tear_energy > 0)
        strength = fmin(strength, TIP_SHARE * cloth->tear_energy / mean_spoke(t, vertex, f));
    double drive = tip ? share_of_kink(t, vertex, other, ahead) : 1;
    if (!offer(out, drive * pull_apart(&one, &two), held * strength, size,
               size * cloth->tear_energy))
        return;
    memset(side, 0, (size_t)count);
    for (int i = first; i < end; ++i) side[f->place[i]] = 1;
}

static bool part_cloth(body_tear* t, int vertex, const int* member, int count, parting* out,
                       unsigned char* side)
{
    fan f;
    if (!find_fan(t, vertex, member, count, &f) || !sum_fan(t, vertex, member, &f)) return false;
    for (int i = f.closed ? 0 : 1; i < f.count; ++i) {
        if (!f.closed) find_cloth(t, vertex, &f, i, f.count, out, side, count);
        for (int k = i + 1; k < f.count && f.closed; ++k)
            find_cloth(t, vertex, &f, i, k, out, side, count);
    }
    return true;
}

// ---- tets ---------------------------------------------------------------------------------------

// The direction in which the elements of a star pull the most: of the sum of place times force.
static void find_direction(const body_tear* t, int vertex, const int* member, int count,
                           double out[3])
{
    double m[9] = {0}, turned[9];
    for (int i = 0; i < count; ++i) {
        side_sum e = {.force = {0, 0, 0}};
        add_element(t, member[i], vertex, &e);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                m[3 * r + c] += (e.place[r] * e.force[c] + e.place[c] * e.force[r]) / 2;
    }
    jacobi_solve(3, m, turned);
    int most = m[4] > m[0] ? 1 : 0;
    if (m[8] > m[4 * most]) most = 2;
    memcpy(out, turned + 3 * most, sizeof(double[3]));
}

static void part_tets(body_tear* t, int vertex, const int* member, int count, parting* out,
                      unsigned char* side)
{
    double along[3];
    side_sum sum[2] = {{.force = {0, 0, 0}}, {.force = {0, 0, 0}}};
    bond held = {0};
    find_direction(t, vertex, member, count, along);
    for (int i = 0; i < count; ++i) {
        side_sum e = {.force = {0, 0, 0}};
        add_element(t, member[i], vertex, &e);
        side[i] = dot(e.place, along) > 0;
        add_element(t, member[i], vertex, &sum[side[i]]);
    }
    double force = pull_apart(&sum[0], &sum[1]);
    if (!(force > 0)) return;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < i; ++k)
            if (side[i] != side[k] && stars_element(&t->stars, member[i]).count == 4 &&
                stars_element(&t->stars, member[k]).count == 4)
                add_face(t, member[i], member[k], vertex, &held);
    double tip = TIP_SHARE * held.energy / sqrt(held.size);
    if (held.open && tip > 0) held.holds = fmin(held.holds, tip);
    offer(out, force, held.holds, held.size, held.energy);
}

// ---- ropes --------------------------------------------------------------------------------------

// Each edge of a rope by itself comes off the others.
static void part_ropes(body_tear* t, int vertex, const int* member, int count, parting* out,
                       unsigned char* side)
{
    const pliant_material_def* m = &t->whole->material[0];
    double area = asset_rope_area(t->whole);
    side_sum all = {.force = {0, 0, 0}};
    for (int i = 0; i < count; ++i) add_element(t, member[i], vertex, &all);
    for (int i = count > 2 ? 0 : 1; i < count; ++i) {
        if (stars_element(&t->stars, member[i]).count != 2) continue;
        side_sum two = {.force = {0, 0, 0}};
        add_element(t, member[i], vertex, &two);
        side_sum one = take_away(&all, &two);
        if (!offer(out, pull_apart(&one, &two), area * m->tear_strength, area,
                   area * m->tear_energy))
            continue;
        memset(side, 0, (size_t)count);
        side[i] = 1;
    }
}

// ---- a vertex -----------------------------------------------------------------------------------

static bool is_pulled(const body_tear* t, const int* member, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const double* f = t->force + 3 * (size_t)member[i];
        sum += sqrt(dot(f, f));
    }
    return sum / 2 > t->least;
}

bool parting_find(body* b, int vertex, parting* out, unsigned char* side)
{
    body_tear* t = b->tear;
    int count = stars_take(&t->stars, vertex);
    const int* member = t->stars.member;
    *out = (parting){0};
    if (count < 0) return false;
    if (count < 2 || !is_pulled(t, member, count)) return true;
    if (t->stars.edge_count) part_ropes(t, vertex, member, count, out, side);
    if (t->stars.triangle_count) return part_cloth(t, vertex, member, count, out, side);
    if (t->stars.tet_count && !(out->load > 1)) part_tets(t, vertex, member, count, out, side);
    return true;
}
