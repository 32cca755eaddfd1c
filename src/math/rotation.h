// Rotations as the axes that they turn x, y and z into.
#pragma once
#include "math/turn.h"
#include "pliant.h"

static inline quaternion rotation_turn(pliant_quat q)
{
    quaternion t = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    return t;
}

// Of any length but zero: squares of floats are numbers in double.
static inline bool rotation_is_valid(pliant_quat q)
{
    quaternion t = rotation_turn(q);
    double square = t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w;
    return square > 0 && isfinite(square);
}

// By rows.
static inline void rotation_matrix(pliant_quat q, double out[9])
{
    double axis[3][3];
    turn_axes(rotation_turn(q), axis);
    for (int i = 0; i < 9; ++i) out[i] = axis[i % 3][i / 3];
}

// axis[i] is the image of the i-th unit vector. Exactly the unit vectors for the identity.
static inline void rotation_axes(pliant_quat q, double axis[3][3])
{
    turn_axes(rotation_turn(q), axis);
}
