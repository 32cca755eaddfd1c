#define PRECISION_DOUBLE
#include "tetra/stuff.h"
#include "mesh/limit.h"
#include "tetra/hold.h"
#include "tetra/stencil.h"
#include <string.h>

// A point of the mesh is a lattice vertex or the cut of one of its forward edges: number
// POINTS * vertex + 0, or + 1 + edge.
enum { POINTS = 1 + FORWARD };

// ---- tets ---------------------------------------------------------------------------------------

static int forward_step(const int from[3], const int to[3])
{
    for (int k = 0; k < FORWARD; ++k) {
        const int* step = lattice_step[k];
        if (to[0] - from[0] == step[0] && to[1] - from[1] == step[1] && to[2] - from[2] == step[2])
            return k;
    }
    return -1;
}

static int64_t point_number(const stencil_corner corner[4], stencil_point p)
{
    const stencil_corner *a = &corner[p.first], *b = &corner[p.second];
    if (p.first == p.second) return (int64_t)POINTS * a->vertex;
    int k = forward_step(a->at, b->at);
    if (k >= 0) return (int64_t)POINTS * a->vertex + 1 + k;
    return (int64_t)POINTS * b->vertex + 1 + forward_step(b->at, a->at);
}

// Room for `count` tets behind the others. False when memory runs out; the limit is for later.
static bool make_room(stuffing* s, int count)
{
    if (s->tets + count > ELEMENT_LIMIT) s->too_many = true;
    return s->too_many ||
           mem_reserve((void**)&s->point, &s->capacity, s->tets + count, 4 * sizeof *s->point);
}

static bool add_cut_tets(stuffing* s, const stencil_corner corner[4])
{
    stencil_tet tet[3];
    int count = stencil_fill(corner, tet);
    if (!make_room(s, count)) return false;
    for (int t = 0; t < count && !s->too_many; ++t, ++s->tets)
        for (int i = 0; i < 4; ++i)
            s->point[4 * (size_t)s->tets + (size_t)i] = point_number(corner, tet[t][i]);
    return true;
}

static bool add_whole_tet(const int vertex[4], void* context)
{
    stuffing* s = (stuffing*)context;
    if (!make_room(s, 1)) return false;
    for (int i = 0; i < 4 && !s->too_many; ++i)
        s->point[4 * (size_t)s->tets + (size_t)i] = (int64_t)POINTS * vertex[i];
    s->tets += !s->too_many;
    return true;
}

static stencil_corner corner_at(const lattice* l, int center, int neighbor)
{
    stencil_corner c = {.vertex = center};
    if (neighbor >= 0) {
        c.vertex = l->neighbor[center][neighbor];
        memcpy(c.at, lattice_step[neighbor], sizeof c.at);
    }
    c.sign = c.vertex < 0 ? 1 : l->sign[c.vertex];
    return c;
}

static int step_number(int axis, int along, int across1, int across2)
{
    int step[3];
    step[axis] = along, step[(axis + 1) % 3] = across1, step[(axis + 2) % 3] = across2;
    for (int k = 0; k < NEIGHBORS; ++k)
        if (!memcmp(step, lattice_step[k], sizeof step)) return k;
    return -1;
}

// The four tets around the edge from a center to the next one along an axis.
static bool fill_around(stuffing* s, int center, int axis)
{
    static const int ring[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    const lattice* l = &s->lattice;
    stencil_corner corner[4] = {corner_at(l, center, -1), corner_at(l, center, axis)};
    if (corner[1].vertex < 0) return true;
    if (s->levels && s->cells.level[corner[1].vertex] > 0) return true; // the large cell's
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 2; ++k)
            corner[2 + k] =
                corner_at(l, center, step_number(axis, 1, ring[i + k][0], ring[i + k][1]));
        bool whole = corner[2].vertex >= 0 && corner[3].vertex >= 0;
        if (whole && !add_cut_tets(s, corner)) return false;
    }
    return true;
}

static bool fill_center(stuffing* s, int center)
{
    if (s->levels && s->cells.level[center] > 0)
        return coarse_fill(&s->cells, center, add_whole_tet, s);
    for (int axis = 0; axis < 3; ++axis)
        if (!fill_around(s, center, axis)) return false;
    return true;
}

static bool fill_lattice(stuffing* s)
{
    const lattice* l = &s->lattice;
    s->tets = 0;
    bool ok = s->levels == 0 || coarse_create(l, s->levels, &s->cells);
    for (int v = 0; v < l->count && ok; ++v)
        if (l->key[v] & 1) ok = fill_center(s, v); // the first coordinate is odd
    coarse_destroy(&s->cells);
    return ok;
}

// ---- mesh ---------------------------------------------------------------------------------------

// Numbers of the points in the mesh. NULL when memory runs out.
static int* number_points(const stuffing* s, int* out_count)
{
    size_t points = POINTS * (size_t)s->lattice.count;
    int* number = (int*)mem_array_zero(points, sizeof *number);
    *out_count = 0;
    for (size_t i = 0; number && i < 4 * (size_t)s->tets; ++i) number[s->point[i]] = 1;
    for (size_t p = 0; number && p < points; ++p)
        if (number[p]) number[p] = (*out_count)++;
    return number;
}

static vec3 point_place(const lattice* l, size_t point)
{
    size_t vertex = point / POINTS, k = point % POINTS;
    vec3 place = l->place[vertex];
    if (k == 0) return place;
    vec3 way = v3_sub(l->place[l->neighbor[vertex][k - 1]], place);
    return v3_add_scaled(place, (double)l->cut[vertex][k - 1], way);
}

static void place_vertices(const stuffing* s, const int* number, pliant_mesh* mesh)
{
    const solid* world = s->lattice.solid;
    for (size_t i = 0; i < 4 * (size_t)s->tets; ++i) {
        size_t point = (size_t)s->point[i];
        vec3 place = point_place(&s->lattice, point);
        double* x = mesh->vertices + 3 * (size_t)number[point];
        x[0] = world->center[0] + world->size * place.x;
        x[1] = world->center[1] + world->size * place.y;
        x[2] = world->center[2] + world->size * place.z;
        mesh->tets[i] = number[point];
    }
}

// Cuts and vertices that were moved to the surface.
static void mark_surface(const stuffing* s, const int* number, unsigned char* surface)
{
    for (size_t i = 0; i < 4 * (size_t)s->tets; ++i) {
        size_t point = (size_t)s->point[i];
        surface[number[point]] = point % POINTS != 0 || s->lattice.sign[point / POINTS] == 0;
    }
}

pliant_result stuffing_mesh(const stuffing* s, pliant_mesh** out, unsigned char** out_surface)
{
    *out = NULL;
    *out_surface = NULL;
    if (s->too_many)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "there would be more than %d tets, the most there may be: use longer edges",
                    (int)ELEMENT_LIMIT);
    int vertices, *number = number_points(s, &vertices);
    if (number) *out = mesh_allocate(vertices, s->tets, 0, 0);
    if (number) *out_surface = (unsigned char*)mem_array((size_t)vertices, 1);
    bool ok = *out && *out_surface;
    if (ok) place_vertices(s, number, *out);
    if (ok) mark_surface(s, number, *out_surface);
    mem_free(number);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- volume -------------------------------------------------------------------------------------

double stuffing_volume(const stuffing* s)
{
    double volume = 0;
    for (size_t t = 0; t < (size_t)s->tets; ++t) {
        vec3 x[4];
        for (size_t k = 0; k < 4; ++k) x[k] = point_place(&s->lattice, (size_t)s->point[4 * t + k]);
        vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]);
        volume += v3_dot(a, v3_cross(b, c)) / 6;
    }
    return volume;
}

// A vertex stands for half a cell.
static double sampled_volume(const lattice* l)
{
    double inside = 0;
    for (int v = 0; v < l->count; ++v) inside += l->sign[v] < 0 ? 1 : l->sign[v] == 0 ? 0.5 : 0;
    return inside * 4 * l->half * l->half * l->half;
}

// Known where the surface is closed and no part of it is inside of another.
double stuffing_lack(const stuffing* s, double volume)
{
    double known = s->lattice.solid->volume;
    if (s->lattice.overlaps || !(fabs(known - s->sampled) < 0.1 * known)) return 0;
    return known - volume;
}

pliant_result stuffing_swell(stuffing* s, double distance)
{
    static const double MOST = 0.1; // of a cell
    double most = MOST * 2 * s->lattice.half;
    if (distance == 0) return PLIANT_OK;
    lattice_unwarp(&s->lattice);
    lattice_inflate(&s->lattice, fmax(-most, fmin(most, distance)));
    hold_and_warp(&s->lattice);
    return fill_lattice(s) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- all of it ----------------------------------------------------------------------------------

pliant_result stuffing_create(const solid* s, workers* threads, const stuff_options* o,
                              stuffing* out)
{
    *out = (stuffing){.levels = o->levels};
    const lattice_options options = {o->cell, o->most_cells, o->clear_plates};
    pliant_result result = lattice_create(s, threads, &options, &out->lattice);
    if (result) return result;
    out->sampled = sampled_volume(&out->lattice);
    lattice_cut(&out->lattice);
    lattice_warp(&out->lattice);
    return hold_thin(&out->lattice) && fill_lattice(out) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

void stuffing_destroy(stuffing* s)
{
    mem_free(s->point);
    lattice_destroy(&s->lattice);
}
