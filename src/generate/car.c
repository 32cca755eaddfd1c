// A box of tets whose grid is bent to a car: hood, cabin and trunk by the height of the top along
// its length, sides that lean inward above the belt, and rounded ends.
#include "generate/car.h"
#include "mesh/limit.h"
#include "mesh/mesh.h"
#include <math.h>

// Height of the top over that of the roof, along the length.
static const double profile[][2] = {{0, 0.40}, {0.04, 0.50}, {0.27, 0.60}, {0.42, 1},
                                    {0.68, 1}, {0.84, 0.64}, {0.96, 0.60}, {1, 0.45}};
enum { PLACES = sizeof profile / sizeof *profile };

static double top_at(double x)
{
    int i = 1;
    while (i < PLACES - 1 && x > profile[i][0]) ++i;
    double part = (x - profile[i - 1][0]) / (profile[i][0] - profile[i - 1][0]);
    return profile[i - 1][1] + part * (profile[i][1] - profile[i - 1][1]);
}

// x, y, z from 0 to 1, z then from the middle.
static void bend(double at[3])
{
    const double belt = 0.6, lean = 0.55, side = 2 * at[2] - 1, end = 2 * at[0] - 1;
    const double height = at[1] * top_at(at[0]);
    const double end4 = end * end * end * end, inward = lean * fmax(height - belt, 0);
    at[0] += 0.03 * end * (1 - side * side); // rounded from above
    at[1] = height;
    at[2] = side / 2 * (1 - inward) * (1 - 0.12 * end4);
}

pliant_result car_create(const double size[3], int cells, pliant_mesh** out)
{
    pliant_box_def def = pliant_box_defaults();
    const double cell = size[0] / cells;
    for (int k = 0; k < 3; ++k) {
        if (!(size[k] > 0) || !(size[k] / cell < 1e4))
            return fail(PLIANT_ERROR_ARGUMENT, "a car of %g x %g x %g m with %d cells along it",
                        size[0], size[1], size[2], cells);
        def.cells[k] = (int)fmax(floor(size[k] / cell + 0.5), 2);
        def.cell_size[k] = 1.0 / def.cells[k];
    }
    pliant_result result = pliant_mesh_box(&def, out);
    for (int i = 0; !result && i < (*out)->vertex_count; ++i) {
        double* x = (*out)->vertices + 3 * (size_t)i;
        bend(x);
        for (int k = 0; k < 3; ++k) x[k] *= size[k];
    }
    return result;
}
