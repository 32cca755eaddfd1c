// Points of the unit circle with the same bits on every machine: the last bits of libm's sine and
// cosine differ from one library to the next.
#pragma once
#include <math.h>

typedef struct {
    double cosine, sine;
} circle_point;

// The angle of 0 to an eighth of a turn: fraction * pi / 4. The series end below half a last bit.
static inline circle_point first_octant(double fraction)
{
    const double t = fraction * 0.78539816339744830962, s = t * t;
    double cosine = 1, sine = 1;
    for (int k = 18; k > 0; k -= 2) {
        cosine = 1 - cosine * s / (k * (k - 1));
        sine = 1 - sine * s / (k * (k + 1));
    }
    circle_point p = {cosine, sine * t}, diagonal = {sqrt(0.5), sqrt(0.5)};
    return fraction == 1 ? diagonal : p;
}

// `fraction` of octant 0 to 7, measured from its end on an axis.
static inline circle_point octant_point(int octant, double fraction)
{
    const int odd = octant & 1;
    circle_point p = first_octant(fraction);
    if (odd) p.sine = -p.sine;
    for (int quarter = (octant + odd) / 2; quarter > 0; --quarter) {
        circle_point turned = {-p.sine, p.cosine};
        p = turned;
    }
    return p;
}

// The point at index / count of a turn, 0 <= index < count < 2^28. Symmetric under the reflections
// of the axes and diagonals, exactly.
static inline circle_point circle_at(int index, int count)
{
    long long eighths = 8LL * index;
    int octant = (int)(eighths / count), rest = (int)(eighths % count);
    return octant_point(octant, (double)(octant & 1 ? count - rest : rest) / count);
}

// The point at an angle in degrees. Exact at multiples of 45 degrees.
static inline circle_point circle_at_degrees(double degrees)
{
    double turn = fmod(degrees, 360);
    if (turn < 0) turn += 360;
    int octant = turn < 360 ? (int)(turn / 45) : 0;
    double rest = turn < 360 ? turn - 45 * octant : 0;
    return octant_point(octant, (octant & 1 ? 45 - rest : rest) / 45);
}
