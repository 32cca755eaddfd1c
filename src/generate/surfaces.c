// Surfaces that are open, for colliders: a terrain, a cup.
#include "base/memory.h"
#include "base/random.h"
#include "math/circle.h"
#include "mesh/limit.h"

// ---- terrain ------------------------------------------------------------------------------------

// A height from -1 to 1 at each knot of a grid, the same for the same numbers.
static double knot_height(uint64_t seed, int octave, int i, int j)
{
    random_source r = {seed ^ ((uint64_t)octave << 56) ^ ((uint64_t)(uint32_t)i << 28) ^
                       (uint64_t)(uint32_t)j};
    random_bits(&r);
    return random_range(&r, -1, 1);
}

static double smooth(double t) { return t * t * (3 - 2 * t); }

// Between four knots.
static double wave(uint64_t seed, int octave, double x, double z)
{
    int i = (int)x, j = (int)z;
    double u = smooth(x - i), v = smooth(z - j);
    double low =
        (1 - u) * knot_height(seed, octave, i, j) + u * knot_height(seed, octave, i + 1, j);
    double high =
        (1 - u) * knot_height(seed, octave, i, j + 1) + u * knot_height(seed, octave, i + 1, j + 1);
    return (1 - v) * low + v * high;
}

// Three waves, each half as long and high as the one before.
static double height_at(uint64_t seed, double x, double z)
{
    double sum = 0, share = 0.5, knots = 4;
    for (int octave = 0; octave < 3; ++octave, share /= 2, knots *= 2)
        sum += share * wave(seed, octave, knots * x, knots * z);
    return sum;
}

pliant_result pliant_mesh_terrain(const int cells[2], const double size[2], double height,
                                  uint64_t seed, pliant_mesh** out)
{
    pliant_result result = pliant_mesh_cloth(cells, size, out);
    if (!result) result = check_positive("the height of a terrain", height);
    if (result) {
        if (out) pliant_mesh_destroy(*out);
        if (out) *out = NULL;
        return result;
    }
    double* vertex = (*out)->vertices;
    for (int j = 0; j <= cells[1]; ++j)
        for (int i = 0; i <= cells[0]; ++i, vertex += 3)
            vertex[1] = height * height_at(seed, (double)i / cells[0], (double)j / cells[1]);
    return PLIANT_OK;
}

// ---- cup ----------------------------------------------------------------------------------------

// The middle of the bottom, its rim, and the upper one.
static void place_cup(double radius, double height, int sides, double* vertex)
{
    vertex[0] = vertex[1] = vertex[2] = 0;
    for (int i = 0; i < 2 * sides; ++i) {
        circle_point p = circle_at(i % sides, sides);
        double* at = vertex + 3 * (size_t)(1 + i);
        at[0] = radius * p.sine;
        at[1] = i < sides ? 0 : height;
        at[2] = radius * p.cosine;
    }
}

static void cut_cup(int sides, int* triangle)
{
    for (int i = 0; i < sides; ++i, triangle += 9) {
        int a = 1 + i, b = 1 + (i + 1) % sides, c = a + sides, d = b + sides;
        const int three[9] = {0, a, b, a, c, b, b, c, d};
        for (int k = 0; k < 9; ++k) triangle[k] = three[k];
    }
}

pliant_result pliant_mesh_cup(double radius, double height, int sides, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_positive("the radius of a cup", radius);
    if (!result) result = check_positive("the height of a cup", height);
    if (!result && sides < 3)
        result = fail(PLIANT_ERROR_ARGUMENT, "a cup of %d sides: at least 3 are needed", sides);
    if (!result) result = check_size("the cup", 2.0 * sides + 1, 3.0 * sides);
    if (result) return result;
    pliant_mesh* mesh = mesh_allocate(2 * sides + 1, 0, 3 * sides, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    place_cup(radius, height, sides, mesh->vertices);
    cut_cup(sides, mesh->triangles);
    *out = mesh;
    return PLIANT_OK;
}
