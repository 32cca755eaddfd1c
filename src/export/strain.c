#include "export/strain.h"
#include <math.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static void scale(double factor, double v[3])
{
    for (int k = 0; k < 3; ++k) v[k] *= factor;
}

// Duals lie in the span of the edges: dual i on edge j is 1 where they are the same, and else 0.
static void find_duals(simplex* s)
{
    double normal[3];
    if (s->edges == 1) {
        memcpy(s->dual[0], s->rest[0], sizeof s->dual[0]);
    } else if (s->edges == 2) {
        cross(s->rest[0], s->rest[1], normal);
        cross(s->rest[1], normal, s->dual[0]);
        cross(normal, s->rest[0], s->dual[1]);
    } else {
        for (int i = 0; i < 3; ++i) cross(s->rest[(i + 1) % 3], s->rest[(i + 2) % 3], s->dual[i]);
    }
    for (int i = 0; i < s->edges; ++i) {
        double size = dot(s->dual[i], s->rest[i]);
        scale(size != 0 ? 1 / size : 0, s->dual[i]);
    }
}

simplex simplex_of(const double* rest, const double* now, const int* corner, int corners)
{
    simplex s = {.edges = corners - 1};
    for (int i = 0; i < s.edges; ++i)
        for (int k = 0; k < 3; ++k) {
            int to = 3 * corner[i + 1] + k, from = 3 * corner[0] + k;
            s.rest[i][k] = rest[to] - rest[from];
            s.now[i][k] = now[to] - now[from];
        }
    find_duals(&s);
    memcpy(s.elastic, s.dual, sizeof s.elastic);
    return s;
}

void simplex_flow(simplex* s, const double shape[9])
{
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) s->elastic[i][k] = dot(shape + 3 * k, s->dual[i]);
}

void simplex_strain(const simplex* s, double out[6])
{
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    memset(out, 0, 6 * sizeof out[0]);
    for (int i = 0; i < s->edges; ++i)
        for (int j = 0; j < s->edges; ++j) {
            double change = dot(s->now[i], s->now[j]) - dot(s->rest[i], s->rest[j]);
            for (int k = 0; k < 6; ++k)
                out[k] += change / 2 * s->dual[i][row[k]] * s->dual[j][column[k]];
        }
}

// The deviator of mu / J F F^T: what the other term of the energy adds is a pressure.
double simplex_von_mises(const simplex* s, double mu)
{
    const double flat = 1e-3;
    double f[3][3] = {{0}}, b[3][3], turned[3], mean = 0, square = 0;
    for (int i = 0; i < 3; ++i)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) f[r][c] += s->now[i][r] * s->elastic[i][c];
    cross(f[1], f[2], turned);
    double volume = dot(f[0], turned);
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) b[r][c] = dot(f[r], f[c]);
        mean += b[r][r] / 3;
    }
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double part = b[r][c] - (r == c ? mean : 0);
            square += part * part;
        }
    return mu / (volume > flat ? volume : flat) * sqrt(1.5 * square);
}

bool simplex_is_inverted(const simplex* s)
{
    double before[3], now[3];
    cross(s->rest[0], s->rest[1], before);
    cross(s->now[0], s->now[1], now);
    return (dot(before, s->rest[2]) > 0) != (dot(now, s->now[2]) > 0);
}
