// Cut points, and vertices that move onto them. With these thresholds of Labelle and Shewchuk
// (2007) no dihedral angle is below 9 degrees, whatever the surface is; at held vertices, which
// come to the surface, none was found.
#define PRECISION_DOUBLE
#include "tetra/lattice.h"

static const double WARP_LONG = 0.24999, WARP_SHORT = 0.41189; // of the edge's length

// A cut is known to this part of the edge.
static const double CUT_TOLERANCE = 1.0 / 1024;
enum { CUT_STEPS = 16 };

// ---- cuts ---------------------------------------------------------------------------------------

typedef struct {
    double at[2], value[2]; // places along the edge, on either side of the cut
} bracket;

static double guess_in(const bracket* b)
{
    double part = b->value[0] / (b->value[0] - b->value[1]), width = b->at[1] - b->at[0];
    part = part < 0.02 ? 0.02 : part > 0.98 ? 0.98 : part;
    return b->at[0] + part * width;
}

// Where the vertex is before the warp.
static vec3 unwarped(const lattice* l, int v)
{
    int at[3];
    lattice_coordinates(l->key[v], at);
    return lattice_place(l, at);
}

static double value_along(const lattice* l, int from, int to, double at)
{
    vec3 start = unwarped(l, from), way = v3_sub(unwarped(l, to), start);
    double cell = 2 * l->half;
    return solid_distance(l->solid, v3_add_scaled(start, at, way), cell, NULL) / cell;
}

// False position; an end that stays twice counts half, so that the other one moves too: also in
// holes, where the values jump.
static double find_within(const lattice* l, int from, int to, bracket b)
{
    int last = -1;
    for (int i = 0; i < CUT_STEPS && b.at[1] - b.at[0] > CUT_TOLERANCE; ++i) {
        double at = guess_in(&b), value = value_along(l, from, to, at);
        if (fabs(value) < CUT_TOLERANCE / 2) return at;
        int end = (value < 0) == (b.value[0] < 0) ? 0 : 1;
        if (end == last) b.value[1 - end] *= 0.5;
        b.at[end] = at, b.value[end] = value;
        last = end;
    }
    return (b.at[0] + b.at[1]) / 2;
}

static double find_cut(const lattice* l, int from, int to)
{
    bracket b = {{0, 1}, {(double)l->value[from], (double)l->value[to]}};
    return find_within(l, from, to, b);
}

// Of several cuts the one nearest to an inner vertex, as far as eight steps show.
static double find_first_cut(const lattice* l, int inner, int outer)
{
    enum { STEPS = 8 };
    double before = (double)l->value[inner];
    for (int i = 1; i < STEPS; ++i) {
        double value = value_along(l, inner, outer, (double)i / STEPS);
        bracket b = {{(i - 1.0) / STEPS, (double)i / STEPS}, {before, value}};
        if (value >= 0) return find_within(l, inner, outer, b);
        before = value;
    }
    return find_cut(l, inner, outer);
}

static void cut_piece(int piece, void* argument)
{
    lattice* l = (lattice*)argument;
    for (int v = piece * PIECE; v < piece_end(piece, l->count); ++v)
        for (int k = 0; k < FORWARD; ++k) {
            int other = l->neighbor[v][k];
            bool crosses = other >= 0 && l->sign[v] * l->sign[other] < 0;
            l->cut[v][k] = crosses ? (float)find_cut(l, v, other) : 0;
        }
}

void lattice_cut(lattice* l) { workers_run(l->threads, cut_piece, l, piece_count(l->count)); }

void lattice_cut_around(lattice* l, int v)
{
    for (int k = 0; k < NEIGHBORS; ++k) {
        int other = l->neighbor[v][k];
        if (other < 0 || !(l->value[other] > 0)) continue;
        float along = l->value[v] < 0 ? (float)find_first_cut(l, v, other) : 0;
        if (k < FORWARD)
            l->cut[v][k] = along;
        else
            l->cut[other][k - FORWARD] = 1 - along;
    }
}

// The distance grows along an edge by the difference of its ends' values, at least where they are
// small.
void lattice_inflate(lattice* l, double distance)
{
    float level = (float)(distance / (2 * l->half));
    for (int v = 0; v < l->count; ++v)
        for (int k = 0; k < FORWARD; ++k) {
            int other = l->neighbor[v][k];
            if (other < 0 || l->sign[v] * l->sign[other] >= 0) continue;
            float along = l->cut[v][k] + level / (l->value[other] - l->value[v]);
            l->cut[v][k] = along < 0 ? 0 : along > 1 ? 1 : along;
        }
}

// ---- warp ---------------------------------------------------------------------------------------

// How far along the edge to a neighbor the cut is, as a part of the edge.
static double cut_along(const lattice* l, int v, int k)
{
    if (k < FORWARD) return (double)l->cut[v][k];
    return 1 - (double)l->cut[l->neighbor[v][k]][k - FORWARD];
}

// The neighbor toward the nearest cut that is too near, or -1.
static int too_near(const lattice* l, int v)
{
    int nearest = -1;
    double least = INFINITY;
    for (int k = 0; k < NEIGHBORS; ++k) {
        int other = l->neighbor[v][k];
        if (other < 0 || l->sign[v] * l->sign[other] >= 0) continue;
        double along = cut_along(l, v, k), length = is_long_edge(k) ? 2 : sqrt(3);
        if (along >= (is_long_edge(k) ? WARP_LONG : WARP_SHORT)) continue;
        if (along * length < least) nearest = k, least = along * length;
    }
    return nearest;
}

// To the nearest place of the surface, from outside.
static void bring_to_surface(lattice* l, int v)
{
    const pliant_mesh* surface = l->solid->surface;
    vec3 place = unwarped(l, v);
    int nearest;
    tree_distance(&l->solid->tree, place, 2 * l->half, &nearest);
    if (nearest < 0 || tree_winding(&l->solid->tree, place) > 0.5) return;
    triangle t = triangle_make(surface->vertices, surface->triangles + 3 * (ptrdiff_t)nearest);
    l->place[v] = triangle_nearest(&t, place);
}

// What is held stays where it is, or nearly so, and its cuts keep their distance.
static void clear_held(lattice* l, int v)
{
    for (int k = 0; k < NEIGHBORS; ++k) {
        int other = l->neighbor[v][k];
        if (other < 0 || l->sign[v] * l->sign[other] >= 0) continue;
        float least = (float)(is_long_edge(k) ? WARP_LONG : WARP_SHORT);
        float* cut = k < FORWARD ? &l->cut[v][k] : &l->cut[other][k - FORWARD];
        if (k < FORWARD ? *cut < least : *cut > 1 - least) *cut = k < FORWARD ? least : 1 - least;
    }
}

// One after the other: a vertex that has moved onto the surface has no cuts around it any more.
void lattice_warp(lattice* l)
{
    for (int v = 0; v < l->count; ++v)
        if (l->thin[v] == THIN_HELD) bring_to_surface(l, v), clear_held(l, v);
    for (int v = 0; v < l->count; ++v) {
        int k = l->sign[v] && l->thin[v] != THIN_HELD ? too_near(l, v) : -1;
        if (k < 0) continue;
        const int* step = lattice_step[k];
        l->place[v] =
            v3_add_scaled(l->place[v], l->half * cut_along(l, v, k), v3(step[0], step[1], step[2]));
        l->sign[v] = 0;
    }
}
