#include "surfacing/cases.h"
#include <stdbool.h>
#include <string.h>

enum { FACES = 6, NONE = -1, MOST = CELL_EDGES };

static int edge_between(int corner, int other)
{
    int axis = (corner ^ other) == 1 ? 0 : (corner ^ other) == 2 ? 1 : 2;
    return 4 * axis + (corner >> (axis + 1) % 3 & 1) + 2 * (corner >> (axis + 2) % 3 & 1);
}

// The corners of a face, counter-clockwise seen from outside of the cell.
static void face_corners(int face, int out[4])
{
    int axis = face / 2, high = face % 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    const int round[4] = {0, u, u | v, v};
    for (int i = 0; i < 4; ++i) out[i] = round[high ? i : 3 - i] | high << axis;
}

static bool is_inside(int code, int corner) { return code >> corner & 1; }

// From each cut edge to the one that follows it around a polygon: on a face, a run of corners that
// are inside is cut off by a line from where it ends to where it begins.
static void link_cuts(int code, int next[CELL_EDGES])
{
    for (int i = 0; i < CELL_EDGES; ++i) next[i] = NONE;
    for (int face = 0; face < FACES; ++face) {
        int corner[4];
        face_corners(face, corner);
        for (int i = 0; i < 4; ++i) {
            if (is_inside(code, corner[(i + 3) % 4]) || !is_inside(code, corner[i])) continue;
            int last = i;
            while (is_inside(code, corner[(last + 1) % 4])) last = (last + 1) % 4;
            int begin = edge_between(corner[(i + 3) % 4], corner[i]);
            next[begin] = edge_between(corner[last], corner[(last + 1) % 4]);
        }
    }
}

// Twice the place of an edge's middle.
static int middle(int edge, int axis)
{
    return edge / 4 == axis ? 1 : 2 * (cell_edge_corner(edge) >> axis & 1);
}

static bool share_a_face(int one, int other)
{
    for (int axis = 0; axis < 3; ++axis)
        if (middle(one, axis) == middle(other, axis) && middle(one, axis) != 1) return true;
    return false;
}

// What it costs to cut a polygon from one vertex to another: short lines are best, and those in a
// face are none.
static int cost_of(const int* polygon, int count, int i, int k)
{
    enum { FORBIDDEN = 10000 };
    if (k == i + 1 || (i == 0 && k == count - 1)) return 0;
    int sum = share_a_face(polygon[i], polygon[k]) ? FORBIDDEN : 0;
    for (int axis = 0; axis < 3; ++axis) {
        int off = middle(polygon[i], axis) - middle(polygon[k], axis);
        sum += off * off;
    }
    return sum;
}

typedef struct {
    int best[MOST][MOST], apex[MOST][MOST];
} cutting;

// The cheapest way to cut the part of the polygon from each vertex to each later one.
static void find_cuts(const int* polygon, int count, cutting* c)
{
    memset(c, 0, sizeof *c);
    for (int span = 2; span < count; ++span)
        for (int i = 0; i + span < count; ++i) {
            int k = i + span;
            c->best[i][k] = 1 << 30;
            for (int j = i + 1; j < k; ++j) {
                int cost = c->best[i][j] + c->best[j][k] + cost_of(polygon, count, i, j) +
                           cost_of(polygon, count, j, k);
                if (cost < c->best[i][k]) c->best[i][k] = cost, c->apex[i][k] = j;
            }
        }
}

static void add_triangles(cell_cases* out, int code, const int* polygon, const cutting* c, int i,
                          int k)
{
    if (k - i < 2) return;
    int j = c->apex[i][k];
    unsigned char* to = out->edge[code] + 3 * out->count[code]++;
    to[0] = (unsigned char)polygon[i];
    to[1] = (unsigned char)polygon[j];
    to[2] = (unsigned char)polygon[k];
    add_triangles(out, code, polygon, c, i, j);
    add_triangles(out, code, polygon, c, j, k);
}

static void add_polygon(cell_cases* out, int code, const int* polygon, int count)
{
    cutting c;
    find_cuts(polygon, count, &c);
    add_triangles(out, code, polygon, &c, 0, count - 1);
}

void cell_cases_make(cell_cases* out)
{
    memset(out, 0, sizeof *out);
    for (int code = 0; code < CELL_CASES; ++code) {
        int next[CELL_EDGES];
        link_cuts(code, next);
        for (int edge = 0; edge < CELL_EDGES; ++edge) {
            int polygon[MOST], count = 0;
            for (int at = edge; next[at] != NONE; ++count) {
                polygon[count] = at;
                int to = next[at];
                next[at] = NONE;
                at = to;
            }
            if (count) add_polygon(out, code, polygon, count);
        }
    }
}
