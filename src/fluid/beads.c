#include "fluid/beads.h"
#include "mesh/shape.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double longest = 1.5; // spacings that a piece of a tet or of a sheet may be long
enum { MOST_BEADS = 1 << 26 };

bool fluid_beads_add(fluid_beads* b, const fluid_bead* one)
{
    if (!mem_reserve((void**)&b->bead, &b->capacity, (int64_t)b->count + 1, sizeof *one))
        return false;
    b->bead[b->count++] = *one;
    return true;
}

void fluid_beads_destroy(fluid_beads* b)
{
    mem_free(b->bead);
    memset(b, 0, sizeof *b);
}

// ---- tets, sheets, ropes ------------------------------------------------------------------------

// A piece of an element, by what its corners have of those of the element.
typedef struct {
    double weight[4][4];
} piece;

typedef struct {
    const bead_source* from;
    const int* corner; // of the element
    int corners;
    fluid_beads* out;
} cutting;

static const double* places_of(const bead_source* f)
{
    return f->local ? f->local : f->mesh->vertices;
}

static void place_of(const cutting* c, const double weight[4], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = 0;
        for (int i = 0; i < c->corners; ++i)
            out[k] += weight[i] * places_of(c->from)[3 * (size_t)c->corner[i] + (size_t)k];
    }
}

// Its longest edge, from `out[0]` to `out[1]`; returns the square of its length.
static double find_longest(const cutting* c, const piece* p, int out[2])
{
    double at[4][3], most = -1;
    for (int i = 0; i < c->corners; ++i) place_of(c, p->weight[i], at[i]);
    for (int i = 0; i < c->corners; ++i)
        for (int k = i + 1; k < c->corners; ++k) {
            double square = 0;
            for (int a = 0; a < 3; ++a) square += (at[i][a] - at[k][a]) * (at[i][a] - at[k][a]);
            if (!(square > most)) continue;
            most = square;
            out[0] = i, out[1] = k;
        }
    return most;
}

static bool add_piece(const cutting* c, const piece* p, double volume)
{
    fluid_bead b = {.corners = c->corners, .volume = volume};
    for (int i = 0; i < c->corners; ++i) {
        b.corner[i] = c->corner[i];
        for (int k = 0; k < c->corners; ++k) b.weight[i] += p->weight[k][i] / c->corners;
    }
    if (c->from->local) place_of(c, b.weight, b.at);
    return fluid_beads_add(c->out, &b);
}

// Halves it at its longest edge until it is small. Both halves have half of it.
static bool cut_piece(const cutting* c, const piece* p, double volume)
{
    int end[2] = {0, 0};
    double most = longest * c->from->spacing;
    if (c->corners == 1 || find_longest(c, p, end) <= most * most) return add_piece(c, p, volume);
    for (int side = 0; side < 2; ++side) {
        piece half = *p;
        for (int i = 0; i < 4; ++i)
            half.weight[end[side]][i] = 0.5 * (p->weight[end[0]][i] + p->weight[end[1]][i]);
        if (c->out->count > MOST_BEADS || !cut_piece(c, &half, volume / 2)) return false;
    }
    return true;
}

static bool cut_element(const bead_source* f, const int* corner, int corners, double volume,
                        fluid_beads* out)
{
    const cutting c = {f, corner, corners, out};
    piece whole = {{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}};
    return !(volume > 0) || cut_piece(&c, &whole, volume);
}

static bool cut_elements(const bead_source* f, fluid_beads* out)
{
    const pliant_mesh* m = f->mesh;
    bool good = true;
    for (int t = 0; t < m->tet_count && good; ++t) {
        const int* c = m->tets + 4 * (size_t)t;
        good = cut_element(f, c, 4, fabs(tet_volume(m->vertices, c)), out);
    }
    for (int t = 0; m->tet_count == 0 && !f->encloses && t < m->triangle_count && good; ++t) {
        const int* c = m->triangles + 3 * (size_t)t;
        good = cut_element(f, c, 3, f->thickness * triangle_area(m->vertices, c), out);
    }
    for (int e = 0; e < m->edge_count && good; ++e) {
        const int* c = m->edges + 2 * (size_t)e;
        good = cut_element(f, c, 2, f->area * sqrt(squared_distance(m->vertices, c[0], c[1])), out);
    }
    return good;
}

// ---- fewer --------------------------------------------------------------------------------------

typedef struct {
    double at[3];
    uint64_t cell;
    int bead;
} placed_bead;

static int by_cell(const void* a, const void* b)
{
    const placed_bead *p = (const placed_bead*)a, *q = (const placed_bead*)b;
    if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
    return (p->bead > q->bead) - (p->bead < q->bead);
}

static placed_bead place_bead(const bead_source* f, const fluid_beads* b, int i)
{
    const double cell = 0.8 * f->spacing;
    const fluid_bead* one = &b->bead[i];
    const cutting c = {.from = f, .corner = one->corner, .corners = one->corners};
    placed_bead out = {.bead = i};
    place_of(&c, one->weight, out.at);
    for (int k = 0; k < 3; ++k) {
        int64_t along = (int64_t)floor(fmax(fmin(out.at[k] / cell, 1e6), -1e6)) + (1 << 20);
        out.cell = out.cell << 21 | (uint64_t)along;
    }
    return out;
}

// Of those of a cell, the one next to their middle has what all have; of a rigid body it is there.
static fluid_bead merge(const bead_source* f, const fluid_beads* b, const placed_bead* p, int count)
{
    double middle[3] = {0, 0, 0}, volume = 0, nearest = INFINITY;
    int chosen = 0;
    for (int i = 0; i < count; ++i) {
        double part = b->bead[p[i].bead].volume;
        for (int k = 0; k < 3; ++k) middle[k] += part * p[i].at[k];
        volume += part;
    }
    for (int k = 0; k < 3; ++k) middle[k] /= volume;
    for (int i = 0; i < count; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) square += (p[i].at[k] - middle[k]) * (p[i].at[k] - middle[k]);
        if (square < nearest) nearest = square, chosen = p[i].bead;
    }
    fluid_bead out = b->bead[chosen];
    out.volume = volume;
    if (f->local) memcpy(out.at, middle, sizeof middle);
    return out;
}

// Fine meshes have more pieces than a liquid can tell apart.
static bool merge_beads(const bead_source* f, fluid_beads* b)
{
    placed_bead* p = (placed_bead*)mem_array((size_t)b->count + 1, sizeof *p);
    fluid_bead* out = (fluid_bead*)mem_array((size_t)b->count + 1, sizeof *out);
    int count = 0;
    for (int i = 0; p && i < b->count; ++i) p[i] = place_bead(f, b, i);
    if (p && out && b->count) qsort(p, (size_t)b->count, sizeof *p, by_cell);
    for (int i = 0, last = 0; p && out && i < b->count; i = last) {
        while (last < b->count && p[last].cell == p[i].cell) ++last;
        out[count++] = merge(f, b, p + i, last - i);
    }
    bool good = p && out;
    if (good && count) memcpy(b->bead, out, (size_t)count * sizeof *out);
    if (good) b->count = count;
    mem_free(p);
    mem_free(out);
    return good;
}

// ---- balls --------------------------------------------------------------------------------------

// Places of a ball of radius 1, each with the same part of its volume.
static bool add_ball(const bead_source* f, int particle, fluid_beads* out)
{
    const double volume = 4.0 / 3 * 3.14159265358979323846;
    int side = (int)ceil(2 * f->radius / f->spacing - 0.25), first = out->count;
    fluid_bead b = {.corner = {particle}, .corners = 1, .weight = {1}};
    if (side < 1) side = 1;
    for (int i = 0; i < side * side * side; ++i) {
        const int at[3] = {i % side, i / side % side, i / side / side};
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            b.at[k] = (2 * at[k] + 1.0) / side - 1;
            square += b.at[k] * b.at[k];
        }
        if (square <= 1 && (out->count > MOST_BEADS || !fluid_beads_add(out, &b))) return false;
    }
    for (int i = first; i < out->count; ++i) out->bead[i].volume = volume / (out->count - first);
    return true;
}

// Of a rigid body the balls do not change, and turn with it.
static void fix_balls(const bead_source* f, fluid_beads* out)
{
    for (int i = 0; i < out->count; ++i) {
        fluid_bead* b = &out->bead[i];
        const double* middle = f->local + 3 * (size_t)b->corner[0];
        double radius = f->mesh->vertex_radius ? f->mesh->vertex_radius[b->corner[0]] : f->radius;
        for (int k = 0; k < 3; ++k) b->at[k] = middle[k] + radius * b->at[k];
        b->volume *= radius * radius * radius;
    }
}

// ---- all of it ----------------------------------------------------------------------------------

pliant_result fluid_beads_create(const bead_source* from, fluid_beads* out)
{
    memset(out, 0, sizeof *out);
    bool good = true, loose = mesh_is_loose(from->mesh);
    for (int i = 0; loose && i < from->mesh->vertex_count && good; ++i)
        good = add_ball(from, i, out);
    if (good && !loose) good = cut_elements(from, out) && merge_beads(from, out);
    if (good && from->encloses && from->mesh->tet_count == 0) good = fluid_beads_fill(from, out);
    if (good && loose && from->local) fix_balls(from, out);
    out->balls = loose && !from->local;
    if (good) return PLIANT_OK;
    bool many = out->count > MOST_BEADS;
    fluid_beads_destroy(out);
    if (!many) return PLIANT_ERROR_MEMORY;
    return fail(
        PLIANT_ERROR_MEMORY,
        "a body in a liquid is as large as more than %d of its particles: use a larger "
        "spacing, or let the body meet it as grains (\"immersion\": {\"by\": \"contacts\"})",
        MOST_BEADS);
}
