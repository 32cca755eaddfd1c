#define PRECISION_DOUBLE
#include "tetra/ground.h"
#include "geometry/box.h"
#include "math/direction.h"
#include "mesh/limit.h"
#include "mesh/tet.h"
#include <string.h>

static const double LEAST_QUALITY = 0.0256; // 9.2 degrees (prism.h)

// How a stalk would stand: prisms from the mesh to the tip.
typedef struct {
    int face, count;
    double quality; // of the worst tet
    section section[MOST_SECTIONS + 1];
    unsigned char division[MOST_SECTIONS]; // of each
} stand;

static double edge_of(const ground* g)
{
    return g->at.outline->scale.edge / g->at.outline->scale.size;
}

static int mesh_vertex(const ground* g, int face, int k)
{
    return g->at.vertex[g->at.outline->boundary->triangles[3 * (ptrdiff_t)face + k]];
}

// ---- on a face ----------------------------------------------------------------------------------

static bool has_room(const ground* g, int face, int way)
{
    for (int i = 0; i < 3; ++i) {
        int v = mesh_vertex(g, face, prism_division[way][i]);
        if (g->valence[v] + 3 - i > g->at.most_valence) return false;
    }
    return true;
}

// The best way to divide a prism. Returns its quality.
static double best_division(const ground* g, stand* s, int i)
{
    double best = -1;
    for (int way = 0; way < DIVISIONS; ++way) {
        if (i == 0 && !has_room(g, s->face, way)) continue;
        double quality = prism_quality(&s->section[i], &s->section[i + 1], way);
        if (quality > best) best = quality, s->division[i] = (unsigned char)way;
    }
    return best;
}

static bool faces(const triangle* base, vec3 to)
{
    static const double FACING = 0.3; // cosine
    return v3_dot(v3_unit(v3_sub(to, triangle_middle(base))), base->normal) > FACING;
}

// What is between is of the solid, or nearly so.
static bool leads_to(const ground* g, const triangle* base, vec3 to)
{
    static const double OFF = 0.15; // in edges
    double off = OFF * edge_of(g);
    vec3 from = triangle_nearest(base, to), between = v3_add_scaled(from, 0.5, v3_sub(to, from));
    return tree_distance(&g->at.solid->tree, between, off, NULL) < off ||
           tree_winding(&g->at.solid->tree, between) > 0.5;
}

// Without its `left_out` lowest sections. A thin one becomes so step by step.
static stand stand_on(const ground* g, const stalk* s, int face, int left_out)
{
    static const double NARROWER = 0.33; // than the section below
    stand out = {.face = face, .count = s->count - left_out, .quality = 1};
    const triangle base = outline_face(g->at.outline, face);
    memcpy(out.section[0].corner, base.corner, sizeof base.corner);
    vec3 below = section_center(&out.section[0]);
    double side = v3_length(base.edge[0]);
    if (!faces(&base, s->center[out.count - 1])) out.quality = -1;
    for (int i = 0; i < out.count && out.quality >= LEAST_QUALITY; ++i) {
        int at = out.count - 1 - i;
        vec3 above = s->center[at > 0 ? at - 1 : 0], axis = v3_unit(v3_sub(above, below));
        side = s->side[at] > 0 ? fmax(s->side[at], NARROWER * side) : 0;
        out.section[i + 1] = section_above(&out.section[i], s->center[at], axis, side);
        out.quality = fmin(out.quality, best_division(g, &out, i));
        below = s->center[at];
    }
    if (out.quality >= LEAST_QUALITY && !leads_to(g, &base, s->center[out.count - 1]))
        out.quality = -1;
    return out;
}

enum { FACES = 64 };

// Those near where the stalk arrives: the nearest ones of two places and of places around them.
static int find_faces(const ground* g, const stalk* s, int out[FACES])
{
    enum { PLACES = 14 };
    static const double AROUND = 0.7, FARTHEST = 3; // in edges
    double edge = edge_of(g);
    int count = 0;
    for (int i = 0; i < PLACES; ++i) {
        vec3 place = i % 2 ? s->aim : s->center[s->count - 1];
        double shift = AROUND * edge * (i % 4 < 2 ? 1 : -1);
        int nearest, axis = i / 4;
        if (axis == 0) place.x += shift;
        if (axis == 1) place.y += shift;
        if (axis == 2) place.z += shift;
        tree_distance(&g->at.outline->tree, place, FARTHEST * edge, &nearest);
        bool known = nearest < 0 || g->taken[nearest];
        for (int k = 0; k < count; ++k) known |= out[k] == nearest;
        if (!known) out[count++] = nearest;
    }
    return count;
}

// All within an edge or so of its lower end.
static int find_all_faces(const ground* g, const stalk* s, int out[FACES])
{
    static const double AROUND = 1.5; // edges
    double most = AROUND * edge_of(g);
    int count = 0;
    for (int f = 0; f < g->at.outline->boundary->triangle_count && count < FACES; ++f) {
        triangle face = outline_face(g->at.outline, f);
        vec3 middle = triangle_middle(&face);
        double way = fmin(v3_length(v3_sub(middle, s->aim)),
                          v3_length(v3_sub(middle, s->center[s->count - 1])));
        if (way < most && !g->taken[f]) out[count++] = f;
    }
    return count;
}

// ---- crossings ----------------------------------------------------------------------------------

// Points of prisms that are not to be in anything else: corners, and some on the sides.
enum { STEPS = 4, POINTS = 3 * STEPS * MOST_SECTIONS };
typedef struct {
    vec3 point[POINTS];
    int count;
} cloud;

static void fill_cloud(const prisms* p, cloud* out)
{
    out->count = 0;
    for (int i = 0; i < p->count; ++i)
        for (int k = 0; k < 3; ++k) {
            vec3 from = p->section[i].corner[k], way = v3_sub(p->section[i + 1].corner[k], from);
            for (int step = 1; step <= STEPS; ++step)
                out->point[out->count++] = v3_add_scaled(from, (double)step / STEPS, way);
        }
}

static prisms prisms_make(const section* s, const unsigned char* division, int count)
{
    prisms p = {s, division, count, s->corner[0], s->corner[0]};
    for (int i = 0; i <= count; ++i)
        for (int k = 0; k < 3; ++k) {
            p.low = v3_low(p.low, s[i].corner[k]);
            p.high = v3_high(p.high, s[i].corner[k]);
        }
    return p;
}

static bool boxes_meet(const prisms* a, const prisms* b)
{
    return a->low.x <= b->high.x && a->low.y <= b->high.y && a->low.z <= b->high.z &&
           b->low.x <= a->high.x && b->low.y <= a->high.y && b->low.z <= a->high.z;
}

// Not only on its surface.
static bool tet_has(const vec3 x[4], vec3 p)
{
    for (int f = 0; f < 4; ++f)
        if (v3_dot(face_normal(x, f), v3_sub(p, x[tet_face[f][0]])) >= 0) return false;
    return true;
}

static bool prisms_have(const prisms* p, const cloud* points)
{
    for (int i = 0; i < p->count; ++i) {
        int tet[3][4];
        prism_divide(p->division[i], tet);
        for (int t = 0; t < 3; ++t) {
            vec3 x[4];
            for (int k = 0; k < 4; ++k) x[k] = p->section[i + tet[t][k] / 3].corner[tet[t][k] % 3];
            for (int n = 0; n < points->count; ++n)
                if (tet_has(x, points->point[n])) return true;
        }
    }
    return false;
}

static bool cross_each_other(const prisms* a, const cloud* points_of_a, const prisms* b)
{
    cloud points;
    if (!boxes_meet(a, b)) return false;
    fill_cloud(b, &points);
    return prisms_have(a, &points) || prisms_have(b, points_of_a);
}

static bool crosses(const ground* g, const stand* s)
{
    const prisms p = prisms_make(s->section, s->division, s->count);
    cloud points;
    fill_cloud(&p, &points);
    for (int i = 0; i < g->stalks; ++i)
        if (cross_each_other(&p, &points, &g->prisms[i])) return true;
    for (int i = 0; i < points.count; ++i)
        if (tree_winding(&g->at.outline->tree, points.point[i]) > 0.5) return true;
    return false;
}

// ---- building -----------------------------------------------------------------------------------

static void build(ground* g, const stand* s)
{
    section* sections = g->section + g->sections;
    unsigned char* division = g->division + g->sections;
    memcpy(sections, s->section, (size_t)(s->count + 1) * sizeof *sections);
    memcpy(division, s->division, (size_t)s->count);
    g->sections += s->count + 1;
    g->prisms[g->stalks] = prisms_make(sections, division, s->count);
    g->face[g->stalks++] = s->face;
    g->taken[s->face] = 1;
    g->points += section_is_point(&s->section[s->count]);
    for (int k = 0; k < 3; ++k)
        g->valence[mesh_vertex(g, s->face, prism_division[s->division[0]][k])] += 3 - k;
}

// How it may stand: on faces, with sections left out.
enum { MOST_LEFT_OUT = 6, CHOICES = MOST_LEFT_OUT * FACES };

// The best one of those that were not tried, or -1.
static int best_choice(const double quality[CHOICES], int count)
{
    int best = -1;
    for (int i = 0; i < count; ++i)
        if (quality[i] >= LEAST_QUALITY && (best < 0 || quality[i] > quality[best])) best = i;
    return best;
}

// In one of the best ways. False if they all cross something.
static bool grow_on(ground* g, const stalk* s, const int face[FACES], int faces, int left_out)
{
    enum { TRIALS = 12 };
    double quality[CHOICES] = {0};
    int choices = faces * (s->count < left_out ? s->count : left_out);
    for (int i = 0; i < choices; ++i)
        quality[i] = stand_on(g, s, face[i % faces], i / faces).quality;
    int i = best_choice(quality, choices);
    for (int trial = 0; trial < TRIALS && i >= 0; ++trial, i = best_choice(quality, choices)) {
        stand here = stand_on(g, s, face[i % faces], i / faces);
        quality[i] = -1;
        if (crosses(g, &here)) continue;
        build(g, &here);
        return true;
    }
    return false;
}

void ground_grow(ground* g, const stalk* s)
{
    int face[FACES];
    if (s->count == 0) return;
    if (grow_on(g, s, face, find_faces(g, s, face), 2)) return;
    grow_on(g, s, face, find_all_faces(g, s, face), MOST_LEFT_OUT);
}

// ---- the mesh -----------------------------------------------------------------------------------

// Returns its number.
static int append_vertex(const ground* g, vec3 place, pliant_mesh* mesh)
{
    const outline_scale* s = &g->at.outline->scale;
    double* x = mesh->vertices + 3 * (ptrdiff_t)mesh->vertex_count;
    x[0] = s->center[0] + s->size * place.x;
    x[1] = s->center[1] + s->size * place.y;
    x[2] = s->center[2] + s->size * place.z;
    return mesh->vertex_count++;
}

// A prism behind what is there, or a tet; `corner` has the mesh's vertices below, and receives
// those above.
static void append_prism(const ground* g, const section* above, int way, int corner[3],
                         pliant_mesh* mesh)
{
    bool point = section_is_point(above);
    int all[6], tet[3][4] = {{0, 1, 2, 3}};
    for (int k = 0; k < 3; ++k) {
        all[k] = corner[k];
        if (k == 0 || !point) corner[k] = append_vertex(g, above->corner[k], mesh);
        all[3 + k] = corner[k];
    }
    if (!point) prism_divide(way, tet);
    for (int t = 0; t < (point ? 1 : 3); ++t, ++mesh->tet_count)
        for (int k = 0; k < 4; ++k) mesh->tets[4 * (ptrdiff_t)mesh->tet_count + k] = all[tet[t][k]];
}

int ground_tets(const ground* g) { return 3 * (g->sections - g->stalks) - 2 * g->points; }

pliant_result ground_append(const ground* g, pliant_mesh** mesh)
{
    const pliant_mesh* old = *mesh;
    int added = ground_tets(g); // and as many vertices
    pliant_result result =
        check_size("the mesh", (double)old->vertex_count + added, (double)old->tet_count + added);
    if (result) return result;
    pliant_mesh* all = mesh_allocate(old->vertex_count + added, old->tet_count + added, 0, 0);
    if (!all) return PLIANT_ERROR_MEMORY;
    memcpy(all->vertices, old->vertices, 3 * (size_t)old->vertex_count * sizeof(double));
    memcpy(all->tets, old->tets, 4 * (size_t)old->tet_count * sizeof(int));
    all->vertex_count = old->vertex_count, all->tet_count = old->tet_count;
    for (int i = 0; i < g->stalks; ++i) {
        const prisms* p = &g->prisms[i];
        int corner[3];
        for (int k = 0; k < 3; ++k) corner[k] = mesh_vertex(g, g->face[i], k);
        for (int n = 0; n < p->count; ++n)
            append_prism(g, &p->section[n + 1], p->division[n], corner, all);
    }
    pliant_mesh_destroy(*mesh);
    *mesh = all;
    return PLIANT_OK;
}

// ---- all of it ----------------------------------------------------------------------------------

bool ground_create(const site* at, const pliant_mesh* mesh, const stalk* stalks, int count,
                   ground* out)
{
    *out = (ground){.at = *at};
    size_t sections = 0;
    for (int i = 0; i < count; ++i) sections += (size_t)stalks[i].count + 1;
    out->taken = (unsigned char*)mem_array_zero((size_t)at->outline->boundary->triangle_count, 1);
    out->valence = (int*)mem_array_zero((size_t)mesh->vertex_count, sizeof *out->valence);
    out->section = (section*)mem_array(sections, sizeof *out->section);
    out->division = (unsigned char*)mem_array(sections, 1);
    out->face = (int*)mem_array((size_t)count, sizeof *out->face);
    out->prisms = (prisms*)mem_array((size_t)count, sizeof *out->prisms);
    if (!out->taken || !out->valence || !out->section || !out->division || !out->face ||
        !out->prisms)
        return false;
    for (ptrdiff_t i = 0; i < 4 * (ptrdiff_t)mesh->tet_count; ++i) ++out->valence[mesh->tets[i]];
    return true;
}

void ground_destroy(ground* g)
{
    mem_free(g->taken);
    mem_free(g->valence);
    mem_free(g->section);
    mem_free(g->division);
    mem_free(g->face);
    mem_free(g->prisms);
}
