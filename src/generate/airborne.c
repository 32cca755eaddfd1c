#include "generate/airborne.h"
#include "math/circle.h"
#include "mesh/limit.h"
#include <math.h>
#include <string.h>

// ---- round sheets -------------------------------------------------------------------------------

// The middle, and 6 k vertices in ring k, one after the other.
static int ring_start(int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); }
static int ring_vertex(int ring, int i) { return ring_start(ring) + (ring ? i % (6 * ring) : 0); }

static void place_disc(double radius, int rings, double* vertex)
{
    memset(vertex, 0, 3 * sizeof *vertex);
    for (int ring = 1; ring <= rings; ++ring)
        for (int i = 0; i < 6 * ring; ++i) {
            double* v = vertex + 3 * (size_t)ring_vertex(ring, i);
            circle_point p = circle_at(i, 6 * ring);
            v[0] = radius * ring / rings * p.cosine;
            v[1] = 0;
            v[2] = -radius * ring / rings * p.sine; // counter-clockwise seen from above
        }
}

// Each sixth of a ring has one more triangle at its outside than at its inside.
static int* cut_ring(int ring, int* triangle)
{
    for (int side = 0; side < 6; ++side)
        for (int i = 0; i < ring; ++i) {
            int outer = side * ring + i, inner = side * (ring - 1) + i;
            *triangle++ = ring_vertex(ring, outer);
            *triangle++ = ring_vertex(ring, outer + 1);
            *triangle++ = ring_vertex(ring - 1, inner);
            if (i == ring - 1) continue;
            *triangle++ = ring_vertex(ring, outer + 1);
            *triangle++ = ring_vertex(ring - 1, inner + 1);
            *triangle++ = ring_vertex(ring - 1, inner);
        }
    return triangle;
}

static void fill_disc(double radius, int rings, pliant_mesh* mesh)
{
    int* triangle = mesh->triangles;
    place_disc(radius, rings, mesh->vertices);
    for (int ring = 1; ring <= rings; ++ring) triangle = cut_ring(ring, triangle);
}

static pliant_result check_disc(double radius, int rings)
{
    if (rings < 1)
        return fail(PLIANT_ERROR_ARGUMENT, "a disc of %d rings: at least 1 is needed", rings);
    pliant_result result = check_positive("the radius of a disc", radius);
    return result ? result
                  : check_size("the disc", 3.0 * rings * (rings + 1) + 1, 6.0 * rings * rings);
}

pliant_result disc_create(double radius, int rings, pliant_mesh** out)
{
    *out = NULL;
    pliant_result result = check_disc(radius, rings);
    if (result) return result;
    pliant_mesh* mesh = mesh_allocate(ring_start(rings + 1), 0, 6 * rings * rings, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    fill_disc(radius, rings, mesh);
    *out = mesh;
    return PLIANT_OK;
}

// ---- a parachute --------------------------------------------------------------------------------

enum { LINE_PARTS = 6 };

// From a vertex of the edge to the last one of all.
static void add_line(pliant_mesh* mesh, int from, int first, const double to[3], int* edge)
{
    for (int i = 0; i < LINE_PARTS; ++i) {
        int next = i + 1 < LINE_PARTS ? first + i : mesh->vertex_count - 1;
        edge[2 * i] = i ? first + i - 1 : from;
        edge[2 * i + 1] = next;
        for (int k = 0; k < 3; ++k) {
            double start = mesh->vertices[3 * (size_t)from + (size_t)k];
            mesh->vertices[3 * (size_t)next + (size_t)k] =
                start + (to[k] - start) * (i + 1) / LINE_PARTS;
        }
    }
}

pliant_result parachute_create(double radius, int lines, double length, pliant_mesh** out)
{
    const int each = 2, rings = lines * each / 6;
    *out = NULL;
    if (lines < 6 || lines % 3 != 0)
        return fail(PLIANT_ERROR_ARGUMENT, "a parachute of %d lines: it takes 6, 9, 12 or more",
                    lines);
    pliant_result result = check_disc(radius, rings);
    if (!result && !(length > radius))
        result = fail(PLIANT_ERROR_ARGUMENT,
                      "the lines of a parachute are %g m long, less than its radius of %g m: they "
                      "do not reach its edge",
                      length, radius);
    if (result) return result;
    int canopy = ring_start(rings + 1), vertices = canopy + lines * (LINE_PARTS - 1) + 1;
    pliant_mesh* mesh = mesh_allocate(vertices, 0, 6 * rings * rings, lines * LINE_PARTS);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    const double below[3] = {0, -sqrt(length * length - radius * radius), 0};
    fill_disc(radius, rings, mesh);
    for (int i = 0; i < lines; ++i)
        add_line(mesh, ring_vertex(rings, each * i), canopy + i * (LINE_PARTS - 1), below,
                 mesh->edges + 2 * (size_t)(i * LINE_PARTS));
    *out = mesh;
    return PLIANT_OK;
}

// ---- a paper plane ------------------------------------------------------------------------------

// Thin tets: two corners side by side where a part is thick, and two that make it wide. So it is
// heavy in front, and its middle of mass lies before that of its area.
static const double dart_vertices[][3] = {
    // Parts of the length, of half of the span, both in y, and of half of the span.
    {0, -0.01, 0},    {0, 0.01, 0},     {0.8, 0, 0},      {0.8, 0.12, 1},  {0.8, 0.12, -1},
    {0.8, -0.008, 0}, {0.8, 0.008, 0},  {1, 0.07, 0},     {0.8, 0.112, 1}, {0.8, 0.128, 1},
    {1, 0.19, 1},     {0.8, 0.112, -1}, {0.8, 0.128, -1}, {1, 0.19, -1},   {0.4, 0, -0.02},
    {0.4, 0, 0.02},   {1, 0, 0},        {1, -0.25, 0},
};
static const int dart_tets[][4] = {
    {0, 1, 2, 3},  {0, 1, 2, 4},    {5, 6, 3, 7},     {5, 6, 4, 7},
    {8, 9, 10, 7}, {11, 12, 13, 7}, {14, 15, 16, 17},
};
enum {
    DART_VERTICES = sizeof dart_vertices / sizeof dart_vertices[0],
    DART_TETS = sizeof dart_tets / sizeof dart_tets[0],
};

// Corners 1 to 3 are counter-clockwise seen from corner 0's other side.
static void turn_outward(const double* vertices, int* tet)
{
    double e[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            e[i][k] = vertices[3 * tet[i + 1] + k] - vertices[3 * tet[0] + k];
    double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                    e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                    e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    int last = tet[3];
    if (volume > 0) return;
    tet[3] = tet[2];
    tet[2] = last;
}

pliant_result dart_create(double length, double span, pliant_mesh** out)
{
    *out = NULL;
    pliant_result result = check_positive("the length of a dart", length);
    if (!result) result = check_positive("the span of a dart", span);
    if (result) return result;
    pliant_mesh* mesh = mesh_allocate(DART_VERTICES, DART_TETS, 0, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < DART_VERTICES; ++i) {
        double* v = mesh->vertices + 3 * (size_t)i;
        v[0] = length * (dart_vertices[i][0] - 0.5);
        v[1] = span / 2 * dart_vertices[i][1];
        v[2] = span / 2 * dart_vertices[i][2];
    }
    memcpy(mesh->tets, dart_tets, sizeof dart_tets);
    for (int i = 0; i < DART_TETS; ++i) turn_outward(mesh->vertices, mesh->tets + 4 * (size_t)i);
    *out = mesh;
    return PLIANT_OK;
}
