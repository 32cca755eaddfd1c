// Cloth and rope.
#include "base/memory.h"
#include "math/circle.h"
#include "mesh/limit.h"
#include <math.h>
#include <stdio.h>

static void place_cloth(const int cells[2], const double size[2], double* vertex)
{
    for (int j = 0; j <= cells[1]; ++j)
        for (int i = 0; i <= cells[0]; ++i, vertex += 3) {
            vertex[0] = size[0] * ((double)i / cells[0] - 0.5);
            vertex[1] = 0;
            vertex[2] = size[1] * ((double)j / cells[1] - 0.5);
        }
}

// Corners 0, 1 along x and 2, 3 above them along z; counter-clockwise seen from above (+y).
static void cut_cloth(const int cells[2], int* triangle)
{
    static const int cut[2][6] = {{0, 2, 3, 0, 3, 1}, {0, 2, 1, 1, 2, 3}};
    int row = cells[0] + 1;
    for (int j = 0; j < cells[1]; ++j)
        for (int i = 0; i < cells[0]; ++i)
            for (int v = 0; v < 6; ++v) {
                int corner = cut[(i + j) & 1][v];
                *triangle++ = i + (corner & 1) + row * (j + (corner >> 1));
            }
}

pliant_result pliant_mesh_cloth(const int cells[2], const double size[2], pliant_mesh** out)
{
    if (!REQUIRE(cells && size && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    for (int axis = 0; axis < 2; ++axis) {
        if (cells[axis] < 1)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "a cloth with %d cells along %c: at least 1 is needed", cells[axis],
                        "xz"[axis]);
        pliant_result result = check_positive("the size of a cloth", size[axis]);
        if (result) return result;
    }
    double nx = cells[0], nz = cells[1];
    pliant_result result = check_size("the cloth", (nx + 1) * (nz + 1), 2 * nx * nz);
    if (result) return result;
    pliant_mesh* mesh =
        mesh_allocate((cells[0] + 1) * (cells[1] + 1), 0, 2 * cells[0] * cells[1], 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    place_cloth(cells, size, mesh->vertices);
    cut_cloth(cells, mesh->triangles);
    *out = mesh;
    return PLIANT_OK;
}

static void chain(int segments, int* edge)
{
    for (int i = 0; i < segments; ++i) {
        edge[2 * i] = i;
        edge[2 * i + 1] = i + 1;
    }
}

static pliant_result check_chain(const char* what, double length, int segments, int least)
{
    char words[64];
    snprintf(words, sizeof words, "the length of a %s", what);
    pliant_result result = check_positive(words, length);
    if (!result && segments < least)
        result = fail(PLIANT_ERROR_ARGUMENT, "a %s of %d segments: at least %d is needed", what,
                      segments, least);
    snprintf(words, sizeof words, "the %s", what);
    return result ? result : check_size(words, (double)segments + 1, segments);
}

pliant_result pliant_mesh_rope(double length, int segments, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_chain("rope", length, segments, 1);
    if (result) return result;
    pliant_mesh* mesh = mesh_allocate(segments + 1, 0, 0, segments);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i <= segments; ++i) {
        mesh->vertices[3 * i] = length * ((double)i / segments);
        mesh->vertices[3 * i + 1] = mesh->vertices[3 * i + 2] = 0;
    }
    chain(segments, mesh->edges);
    *out = mesh;
    return PLIANT_OK;
}

// ---- helix --------------------------------------------------------------------------------------

static void place_helix(double radius, double pitch, int sides, pliant_mesh* mesh)
{
    for (int i = 0; i <= mesh->edge_count; ++i) {
        circle_point p = circle_at(i % sides, sides);
        double* out = mesh->vertices + 3 * (size_t)i;
        out[0] = radius * p.cosine;
        out[1] = -pitch * ((double)i / sides);
        out[2] = radius * p.sine;
    }
}

pliant_result pliant_mesh_helix(double radius, double pitch, int turns, int sides,
                                pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_positive("the radius of a helix", radius);
    if (!result) result = check_positive("the pitch of a helix", pitch);
    if (!result && (turns < 1 || sides < 3))
        result = fail(PLIANT_ERROR_ARGUMENT,
                      "a helix of %d turns of %d sides: at least 1 turn of 3 sides is needed",
                      turns, sides);
    if (!result) result = check_size("the helix", (double)turns * sides + 1, (double)turns * sides);
    if (result) return result;
    int segments = turns * sides;
    pliant_mesh* mesh = mesh_allocate(segments + 1, 0, 0, segments);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    place_helix(radius, pitch, sides, mesh);
    chain(segments, mesh->edges);
    *out = mesh;
    return PLIANT_OK;
}

// ---- knot ---------------------------------------------------------------------------------------

// A long trefoil of polynomials (Shastri): three crossings, over and under by turns; its last
// coordinate is made flatter. Beyond +-end it goes straight on along x, by a tail on each side.
typedef struct {
    double end, tail, flat;
} knot_curve;

static void knot_point(const knot_curve* k, double t, double out[3])
{
    double inside = t < -k->end ? -k->end : t > k->end ? k->end : t, s = inside * inside;
    out[0] = inside * (s - 3) + (t - inside) * k->tail;
    out[1] = s * (s - 4);
    out[2] = k->flat * inside * (s * s - 10);
}

enum { KNOT_PIECES = 4096 }; // that its length is measured by

// The curve from t = -2 end to 2 end, and the length up to each piece's end.
static void measure_knot(const knot_curve* k, double (*point)[3], double* way)
{
    way[0] = 0;
    for (int i = 0; i <= KNOT_PIECES; ++i) {
        knot_point(k, 2 * k->end * (2.0 * i / KNOT_PIECES - 1), point[i]);
        if (i == 0) continue;
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            double d = point[i][axis] - point[i - 1][axis];
            square += d * d;
        }
        way[i] = way[i - 1] + sqrt(square);
    }
}

// Vertices at equal distances along the curve, which is scaled to the length.
static void place_knot(double (*point)[3], const double* way, double length, int segments,
                       double* vertex)
{
    double all = way[KNOT_PIECES];
    for (int i = 0, piece = 1; i <= segments; ++i) {
        double wanted = all * ((double)i / segments);
        while (piece < KNOT_PIECES && way[piece] < wanted) ++piece;
        double share = (wanted - way[piece - 1]) / (way[piece] - way[piece - 1]);
        for (int axis = 0; axis < 3; ++axis) {
            double from = point[piece - 1][axis], to = point[piece][axis];
            vertex[3 * i + axis] = length / all * (from + share * (to - from));
        }
    }
}

pliant_result pliant_mesh_knot(double length, int segments, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_chain("knot", length, segments, 20);
    if (result) return result;
    const knot_curve k = {2.1, 3, 0.15};
    pliant_mesh* mesh = mesh_allocate(segments + 1, 0, 0, segments);
    double(*point)[3] = (double(*)[3])mem_array(KNOT_PIECES + 1, 4 * sizeof(double));
    if (!mesh || !point) {
        pliant_mesh_destroy(mesh);
        mem_free(point);
        return PLIANT_ERROR_MEMORY;
    }
    double* way = point[KNOT_PIECES + 1];
    measure_knot(&k, point, way);
    place_knot(point, way, length, segments, mesh->vertices);
    chain(segments, mesh->edges);
    mem_free(point);
    *out = mesh;
    return PLIANT_OK;
}
