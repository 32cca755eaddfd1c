#include "mesh/mesh.h"
#include <math.h>

// Rows of scale times the rotation; `inverse` is one over the squared norm of q.
static void scaled_rotation(double scale, pliant_quat q, double inverse, double out[3][3])
{
    const double x = q.x, y = q.y, z = q.z, w = q.w, two = 2 * inverse;
    const double rows[3][3] = {
        {1 - two * (y * y + z * z), two * (x * y - w * z), two * (x * z + w * y)},
        {two * (x * y + w * z), 1 - two * (x * x + z * z), two * (y * z - w * x)},
        {two * (x * z - w * y), two * (y * z + w * x), 1 - two * (x * x + y * y)},
    };
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out[i][j] = scale * rows[i][j];
}

void pliant_mesh_transform(pliant_mesh* mesh, double scale, pliant_quat rotation,
                           const double translation[3])
{
    if (!REQUIRE(mesh && translation) || !REQUIRE(isfinite(scale) && scale > 0)) return;
    const double x = rotation.x, y = rotation.y, z = rotation.z, w = rotation.w;
    const double norm = x * x + y * y + z * z + w * w;
    if (!REQUIRE(isfinite(norm) && norm > 0)) return;
    double m[3][3];
    scaled_rotation(scale, rotation, 1 / norm, m);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        double *p = mesh->vertices + 3 * (ptrdiff_t)i, from[3] = {p[0], p[1], p[2]};
        for (int k = 0; k < 3; ++k)
            p[k] = m[k][0] * from[0] + m[k][1] * from[1] + m[k][2] * from[2] + translation[k];
        if (mesh->vertex_radius) mesh->vertex_radius[i] *= scale;
    }
}
