// Logarithms, roots and angles with the same bits on every machine: the last bits of libm's differ
// from one library to the next. In double, by the basic operations and square roots, which IEEE 754
// rounds. Within 4 units of the last place of what they should be (test_elementary.c).
#pragma once
#include <math.h>

#define HALF_TURN 3.14159265358979323846

// 2 artanh(s), for |s| below 0.172.
static inline double twice_artanh(double s)
{
    const double square = s * s;
    double sum = 0;
    for (int k = 23; k > 1; k -= 2) sum = square * (sum + 1.0 / k);
    return 2 * s * sum + 2 * s;
}

// ln(x), x > 0 and finite: with x = m 2^e and m about 1, e ln 2 + 2 artanh((m - 1) / (m + 1)).
static inline double natural_log(double x)
{
    // ln 2 in two parts, of which the first has zeros at its end: its products are exact.
    const double ln2_first = 0x1.62e42fefap-1, ln2_rest = 0x1.cf79abc9e3b3ap-40;
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) m *= 2, e--;
    return e * ln2_first + (twice_artanh((m - 1) / (m + 1)) + e * ln2_rest);
}

// ln(1 + y), y > -1, with all digits of a small y: what the sum has lost of it is added again.
static inline double log_of_one_plus(double y)
{
    const double sum = 1 + y;
    return natural_log(sum) + (y - (sum - 1)) / sum;
}

// The n-th root of 0 < x <= 1 by Newton's iteration, which comes down from 1: slowly by
// (1 - 1 / n) at first, then with twice the digits each time.
static inline double root_of_part(double x, int n)
{
    double y = 1;
    for (int step = 0; step < 60 * n; ++step) {
        double power = 1;
        for (int k = 1; k < n; ++k) power *= y;
        double next = y - (y - x / power) / n;
        if (!(next < y)) return y;
        y = next;
    }
    return y;
}

// arctan(t), |t| below 0.42: twice that of t / (1 + sqrt(1 + t^2)), by its series.
static inline double small_arctan(double t)
{
    const double half = t / (1 + sqrt(1 + t * t)), square = half * half;
    double sum = 0;
    for (int k = 25; k > 1; k -= 2) sum = square * (1.0 / k - sum);
    return 2 * (half - half * sum);
}

// arctan(t), 0 <= t <= 1: near 1, what is beyond an eighth of a turn.
static inline double arctan_of_part(double t)
{
    return t < 0.41421356 ? small_arctan(t) : HALF_TURN / 4 + small_arctan((t - 1) / (t + 1));
}

// The angle of the direction (x, y), y >= 0: 0 to pi; 0 where both are 0.
static inline double angle_of_direction(double x, double y)
{
    const double along = fabs(x);
    if (!(along + y > 0)) return 0;
    double angle =
        y <= along ? arctan_of_part(y / along) : HALF_TURN / 2 - arctan_of_part(along / y);
    return x < 0 ? HALF_TURN - angle : angle;
}

// In degrees, of a cosine; beyond -1 and 1, where rounding may take one, of these.
static inline double degrees_of_cosine(double cosine)
{
    return 2 * angle_of_direction(sqrt(fmax(1 + cosine, 0)), sqrt(fmax(1 - cosine, 0))) *
           (180 / HALF_TURN);
}
