// Closed surfaces of triangles for rigid bodies: bricks, links of chains, bananas. All lie around
// the origin.
#include "base/cookie.h"
#include "base/error.h"
#include "math/circle.h"
#include "mesh/limit.h"
#include "mesh/mesh.h"

// ---- bricks -------------------------------------------------------------------------------------

pliant_result pliant_mesh_brick(const double size[3], pliant_mesh** out)
{
    if (!REQUIRE(out && size)) return PLIANT_ERROR_ARGUMENT;
    pliant_box_def def = pliant_box_defaults();
    for (int k = 0; k < 3; ++k) {
        def.cells[k] = 1;
        def.cell_size[k] = size[k];
    }
    pliant_result result = pliant_mesh_box(&def, out);
    for (int i = 0; !result && i < 3 * (*out)->vertex_count; ++i)
        (*out)->vertices[i] -= size[i % 3] / 2;
    return result;
}

// ---- tubes --------------------------------------------------------------------------------------

// A cut through a tube around a line in the plane z = 0: its middle, the direction in the plane at
// right angles to the line, and how wide it is.
typedef struct {
    double middle[2], across[2], radius; // [m]
} tube_cut;

static void place_cut(const tube_cut* c, int sides, double* vertex)
{
    for (int i = 0; i < sides; ++i, vertex += 3) {
        circle_point p = circle_at(i, sides);
        vertex[0] = c->middle[0] + c->radius * p.cosine * c->across[0];
        vertex[1] = c->middle[1] + c->radius * p.cosine * c->across[1];
        vertex[2] = c->radius * p.sine;
    }
}

// Between two cuts, the second on the side where the line goes.
static int* join_cuts(int first, int second, int sides, int* triangle)
{
    for (int i = 0; i < sides; ++i, triangle += 6) {
        int next = (i + 1) % sides;
        const int two[6] = {first + i,    first + next,  second + i,
                            first + next, second + next, second + i};
        for (int k = 0; k < 6; ++k) triangle[k] = two[k];
    }
    return triangle;
}

static pliant_result check_tube(const char* what, const double* numbers, int count, int sides)
{
    for (int i = 0; i < count; ++i) {
        pliant_result result = check_positive(what, numbers[i]);
        if (result) return result;
    }
    if (sides < 3)
        return fail(PLIANT_ERROR_ARGUMENT, "%s, of %d sides: at least 3 are needed", what, sides);
    return check_size(what, 16.0 * sides * sides, 32.0 * sides * sides);
}

// ---- links --------------------------------------------------------------------------------------

// Cut i of 2 n: half of them around each end, so that the straight parts are between two of them.
static tube_cut link_cut(double length, double width, double wire, int i, int n)
{
    int end = i / n, step = i % n;
    double bend = (width - wire) / 2, half = (length - width) / 2;
    circle_point p = circle_at_degrees(180.0 * step / (n - 1) - 90 + 180 * end);
    tube_cut cut = {
        {(end ? -half : half) + bend * p.cosine, bend * p.sine}, {p.cosine, p.sine}, wire / 2};
    return cut;
}

pliant_result pliant_mesh_link(double length, double width, double wire, int sides,
                               pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    const double numbers[3] = {length, width, wire};
    pliant_result result = check_tube("a number of a link", numbers, 3, sides);
    if (!result && !(width > 2 * wire && length > width))
        result = fail(PLIANT_ERROR_ARGUMENT,
                      "a link %g m long and %g m wide, of wire of %g m: it is to be longer than "
                      "wide (a torus is a ring), and wider than two wires",
                      length, width, wire);
    if (result) return result;
    int n = sides / 2 + 3, cuts = 2 * n;
    pliant_mesh* mesh = mesh_allocate(cuts * sides, 0, 2 * cuts * sides, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    int* triangle = mesh->triangles;
    for (int i = 0; i < cuts; ++i) {
        tube_cut cut = link_cut(length, width, wire, i, n);
        place_cut(&cut, sides, mesh->vertices + 3 * (size_t)(i * sides));
        triangle = join_cuts((i + 1) % cuts * sides, i * sides, sides, triangle);
    }
    *out = mesh;
    return PLIANT_OK;
}

// ---- bananas ------------------------------------------------------------------------------------

// Along an arc of 120 degrees; it gets thinner toward its ends.
static tube_cut banana_cut(double length, double radius, int i, int cuts)
{
    const double arc = 120, pi = 3.14159265358979323846;
    double bend = length / (arc / 180 * pi), t = (double)i / (cuts - 1), s = 2 * t - 1;
    circle_point p = circle_at_degrees(90 + arc * (0.5 - t));
    tube_cut cut = {{bend * p.cosine, bend * (p.sine - 0.85)},
                    {p.cosine, p.sine},
                    radius * (1 - 0.65 * s * s * s * s)};
    return cut;
}

static void close_end(int middle, int first, int sides, bool last, int* triangle)
{
    for (int i = 0; i < sides; ++i, triangle += 3) {
        int next = (i + 1) % sides;
        triangle[0] = middle;
        triangle[1] = first + (last ? i : next);
        triangle[2] = first + (last ? next : i);
    }
}

pliant_result pliant_mesh_banana(double length, double radius, int sides, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    const double numbers[2] = {length, radius};
    pliant_result result = check_tube("a number of a banana", numbers, 2, sides);
    if (!result && !(radius < 0.4 * length))
        result = fail(PLIANT_ERROR_ARGUMENT,
                      "a banana %g m long with a radius of %g m: it is to be longer than that",
                      length, radius);
    if (result) return result;
    int cuts = sides + 3, last = cuts * sides;
    pliant_mesh* mesh = mesh_allocate(last + 2, 0, 2 * cuts * sides, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    int* triangle = mesh->triangles;
    for (int i = 0; i < cuts; ++i) {
        tube_cut cut = banana_cut(length, radius, i, cuts);
        place_cut(&cut, sides, mesh->vertices + 3 * (size_t)(i * sides));
        if (i > 0) triangle = join_cuts((i - 1) * sides, i * sides, sides, triangle);
        if (i > 0 && i + 1 < cuts) continue;
        double* middle = mesh->vertices + 3 * (size_t)(i ? last + 1 : last);
        middle[0] = cut.middle[0];
        middle[1] = cut.middle[1];
        middle[2] = 0;
    }
    close_end(last, 0, sides, false, triangle);
    close_end(last + 1, last - sides, sides, true, triangle + 3 * (size_t)sides);
    *out = mesh;
    return PLIANT_OK;
}
