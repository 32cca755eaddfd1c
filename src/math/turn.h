// Rotations as quaternions in double precision. Nothing of libm but the root: the same bits on
// every machine.
#pragma once
#include <math.h>

typedef struct {
    double x, y, z, w; // of any length but zero
} quaternion;

static inline quaternion turn_none(void)
{
    quaternion t = {0, 0, 0, 1};
    return t;
}

static inline quaternion turn_unit(quaternion t)
{
    double s = 1 / sqrt(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
    quaternion out = {s * t.x, s * t.y, s * t.z, s * t.w};
    return out;
}

static inline quaternion turn_back(quaternion t)
{
    quaternion out = {-t.x, -t.y, -t.z, t.w};
    return out;
}

// First b, then a.
static inline quaternion turn_after(quaternion a, quaternion b)
{
    quaternion out = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                      a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return out;
}

// axis[i] is the image of the i-th unit vector. Exactly the unit vectors for the identity.
static inline void turn_axes(quaternion t, double axis[3][3])
{
    double x = t.x, y = t.y, z = t.z, w = t.w;
    double s = 2 / (x * x + y * y + z * z + w * w);
    const double columns[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
        {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
        {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)},
    };
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) axis[i][k] = columns[i][k];
}

// The rotation's matrix less the identity, row by row, without what cancels: how far a small turn
// moves a point.
static inline void turn_motion(quaternion t, double out[3][3])
{
    double x = t.x, y = t.y, z = t.z, w = t.w;
    double s = 2 / (x * x + y * y + z * z + w * w);
    const double rows[3][3] = {
        {-s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), -s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), -s * (x * x + y * y)},
    };
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) out[i][k] = rows[i][k];
}

// By |angle| [rad] about `angle`. A series for half of it, halved until it is small, and as many
// doublings.
static inline quaternion turn_by(const double angle[3])
{
    double size = sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
    double small = size / 2;
    int halvings = 0;
    for (; small > 1.0 / 16; ++halvings) small /= 2;
    double q = small * small;
    double sinc = 1 - q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72)));
    double sine = small * sinc, cosine = sqrt(1 - sine * sine);
    for (int i = 0; i < halvings; ++i) {
        double twice = 2 * sine * cosine;
        cosine = 1 - 2 * sine * sine;
        sine = twice;
        if (i < 12) continue;
        double size1 = sqrt(sine * sine + cosine * cosine); // of many turns, it drifts from 1
        sine /= size1, cosine /= size1;
    }
    double s = halvings ? sine / size : sinc / 2;
    quaternion out = {s * angle[0], s * angle[1], s * angle[2], cosine};
    return turn_unit(out);
}

// The angle [rad] and axis of the shorter way, up to pi: the inverse of turn_by.
static inline void turn_angle(quaternion t, double out[3])
{
    enum { HALVINGS = 4 };
    quaternion u = turn_unit(t);
    double size = sqrt(u.x * u.x + u.y * u.y + u.z * u.z), sine = size, cosine = fabs(u.w);
    for (int i = 0; i < HALVINGS; ++i) {
        double half = sqrt((1 + cosine) / 2);
        sine = sine / (2 * half);
        cosine = half;
    }
    double tangent = sine / cosine, q = tangent * tangent, series = 0;
    for (int k = 17; k > 0; k -= 2) series = 1.0 / k - q * series;
    double angle = 2 * (1 << HALVINGS) * tangent * series;
    double s = size > 0 ? (u.w < 0 ? -angle : angle) / size : 0;
    out[0] = s * u.x, out[1] = s * u.y, out[2] = s * u.z;
}
