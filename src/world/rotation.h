// Rotations as the axes that they turn x, y and z into.
#pragma once
#include "pliant.h"
#include <math.h>

static inline bool rotation_is_valid(pliant_quat q)
{
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square > 0 && isfinite(square);
}

// axis[i] is the image of the i-th unit vector. Exactly the unit vectors for the identity.
static inline void rotation_axes(pliant_quat q, double axis[3][3])
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double s = 2 / (x * x + y * y + z * z + w * w);
    const double columns[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
        {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
        {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)},
    };
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) axis[i][k] = columns[i][k];
}
