// Boxes of cells. Vertices and cells are numbered with z fastest, slice after slice along a beam in
// x: what is near in space is near in memory, and in the same order for both.
#include "base/cookie.h"
#include "base/random.h"
#include "mesh/limit.h"
#include "mesh/shape.h"
#include <math.h>

enum { CORNERS = 8 };

// Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1).
static const int cut_in_5[2][5][4] = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 2, 7, 4}, {1, 2, 4, 7}},
    {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 0, 6, 5}, {7, 6, 3, 5}, {0, 3, 6, 5}},
};
// Kuhn: the six ways from corner 0 to corner 7 along the axes.
static const int cut_in_6[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                   {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

pliant_box_def pliant_box_defaults(void)
{
    pliant_box_def def = {
        .cells = {1, 1, 1},
        .cell_size = {0.1, 0.1, 0.1},
        .tets_per_cell = 5,
        .cookie = COOKIE_BOX,
    };
    return def;
}

static pliant_result check_box(const pliant_box_def* def)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (def->cells[axis] < 1)
            return fail(PLIANT_ERROR_ARGUMENT, "a box with %d cells along %c: at least 1 is needed",
                        def->cells[axis], "xyz"[axis]);
        pliant_result result = check_positive("the cell size of a box", def->cell_size[axis]);
        if (result) return result;
        if (!isfinite(def->cells[axis] * def->cell_size[axis]))
            return fail(PLIANT_ERROR_ARGUMENT, "a box with cells of %g m along %c is too large",
                        def->cell_size[axis], "xyz"[axis]);
    }
    if (def->tets_per_cell != 5 && def->tets_per_cell != 6)
        return fail(PLIANT_ERROR_ARGUMENT, "a box with %d tets per cell: 5 and 6 are possible",
                    def->tets_per_cell);
    if (!(def->jitter >= 0 && def->jitter <= 0.3))
        return fail(PLIANT_ERROR_ARGUMENT, "a box with jitter %g: 0 to 0.3 is possible",
                    def->jitter);
    double nx = def->cells[0], ny = def->cells[1], nz = def->cells[2];
    return check_size("the box", (nx + 1) * (ny + 1) * (nz + 1), nx * ny * nz * def->tets_per_cell);
}

static void place_vertices(const pliant_box_def* def, double* vertex)
{
    for (int i = 0; i <= def->cells[0]; ++i)
        for (int j = 0; j <= def->cells[1]; ++j)
            for (int k = 0; k <= def->cells[2]; ++k, vertex += 3) {
                vertex[0] = i * def->cell_size[0];
                vertex[1] = j * def->cell_size[1];
                vertex[2] = k * def->cell_size[2];
            }
}

static int vertex_number(const pliant_box_def* def, int i, int j, int k)
{
    return k + (def->cells[2] + 1) * (j + (def->cells[1] + 1) * i);
}

static void cell_corners(const pliant_box_def* def, const int cell[3], int out_corner[CORNERS])
{
    for (int c = 0; c < CORNERS; ++c)
        out_corner[c] =
            vertex_number(def, cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1));
}

static void cut_cells(const pliant_box_def* def, pliant_mesh* mesh)
{
    int tet = 0, number = 0, cell[3];
    for (cell[0] = 0; cell[0] < def->cells[0]; ++cell[0])
        for (cell[1] = 0; cell[1] < def->cells[1]; ++cell[1])
            for (cell[2] = 0; cell[2] < def->cells[2]; ++cell[2], ++number) {
                int corner[CORNERS], mirrored = (cell[0] + cell[1] + cell[2]) & 1;
                const int(*cut)[4] = def->tets_per_cell == 6 ? cut_in_6 : cut_in_5[mirrored];
                cell_corners(def, cell, corner);
                for (int t = 0; t < def->tets_per_cell; ++t, ++tet) {
                    for (int v = 0; v < 4; ++v) mesh->tets[4 * tet + v] = corner[cut[t][v]];
                    mesh->tet_cell[tet] = number;
                }
            }
}

static void move_inner_vertices(const pliant_box_def* def, double* vertices)
{
    random_source random = {def->seed};
    for (int i = 1; i < def->cells[0]; ++i)
        for (int j = 1; j < def->cells[1]; ++j)
            for (int k = 1; k < def->cells[2]; ++k) {
                double *vertex = vertices + 3 * (ptrdiff_t)vertex_number(def, i, j, k), shift[3];
                random_in_ball(&random, shift);
                for (int axis = 0; axis < 3; ++axis)
                    vertex[axis] += def->jitter * def->cell_size[axis] * shift[axis];
            }
}

static void move_half_way_back(const pliant_box_def* def, double* vertices, int index)
{
    int row = def->cells[2] + 1, column = def->cells[1] + 1;
    int place[3] = {index / row / column, index / row % column, index % row};
    double* vertex = vertices + 3 * (ptrdiff_t)index;
    for (int axis = 0; axis < 3; ++axis)
        vertex[axis] = (vertex[axis] + place[axis] * def->cell_size[axis]) / 2;
}

// The corner tets of the five are 0.58 cells high, and two vertices may move 0.3 cells each towards
// each other. Tets with less than a sixtieth of the cell get their vertices back half-way; the
// passes are bounded for cells so small or large that no volume can be computed.
static void relax_flat_tets(const pliant_box_def* def, pliant_mesh* mesh)
{
    double sixth = def->cell_size[0] * def->cell_size[1] * def->cell_size[2] / 6;
    bool again = true;
    for (int pass = 0; again && pass < 60; ++pass) {
        again = false;
        for (int t = 0; t < mesh->tet_count; ++t) {
            if (tet_volume(mesh->vertices, mesh->tets + 4 * t) >= 0.1 * sixth) continue;
            again = true;
            for (int v = 0; v < 4; ++v)
                move_half_way_back(def, mesh->vertices, mesh->tets[4 * t + v]);
        }
    }
}

pliant_result pliant_mesh_box(const pliant_box_def* def, pliant_mesh** out)
{
    if (!REQUIRE(out) || !REQUIRE_DEF(def, COOKIE_BOX)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    pliant_result result = check_box(def);
    if (result) return result;
    int cells = def->cells[0] * def->cells[1] * def->cells[2];
    int vertices = (def->cells[0] + 1) * (def->cells[1] + 1) * (def->cells[2] + 1);
    pliant_mesh* mesh = mesh_allocate(vertices, cells * def->tets_per_cell, 0, 0);
    if (!mesh) return PLIANT_ERROR_MEMORY;
    mesh->tet_cell = (int*)mem_array((size_t)mesh->tet_count, sizeof(int));
    if (!mesh->tet_cell) {
        pliant_mesh_destroy(mesh);
        return PLIANT_ERROR_MEMORY;
    }
    place_vertices(def, mesh->vertices);
    cut_cells(def, mesh);
    if (def->jitter > 0) {
        move_inner_vertices(def, mesh->vertices);
        relax_flat_tets(def, mesh);
    }
    *out = mesh;
    return PLIANT_OK;
}
