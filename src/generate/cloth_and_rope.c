// Cloth and rope.
#include "mesh/limit.h"

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

pliant_result pliant_mesh_rope(double length, int segments, pliant_mesh** out)
{
    if (!REQUIRE(out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_positive("the length of a rope", length);
    if (!result && segments < 1)
        result =
            fail(PLIANT_ERROR_ARGUMENT, "a rope of %d segments: at least 1 is needed", segments);
    if (!result) result = check_size("the rope", (double)segments + 1, segments);
    if (result) return result;
    pliant_mesh* mesh = mesh_allocate(segments + 1, 0, 0, segments);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i <= segments; ++i) {
        mesh->vertices[3 * i] = length * ((double)i / segments);
        mesh->vertices[3 * i + 1] = mesh->vertices[3 * i + 2] = 0;
    }
    for (int i = 0; i < segments; ++i) {
        mesh->edges[2 * i] = i;
        mesh->edges[2 * i + 1] = i + 1;
    }
    *out = mesh;
    return PLIANT_OK;
}
