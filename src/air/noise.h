// Smooth noise of three coordinates with its slopes, and what has no sources: turbulence. In
// double, with the basic operations alone, so that it is the same on every machine.
//
// Corners of a lattice of cells of length 1 have a direction each, from a hash of their place. The
// noise is what they want of the way from them to the point, blended by the weights
// 6 t^5 - 15 t^4 + 10 t^3, whose first and second slopes vanish at both ends (Perlin 2002). The
// curl of three such noises is a velocity without sources (Bridson et al. 2007).
#pragma once
#include "math/lane.h"
#include <stdint.h>

INLINE uint32_t noise_mix(uint32_t a)
{
    a = (a ^ (a >> 16)) * 0x7feb352du;
    a = (a ^ (a >> 15)) * 0x846ca68bu;
    return a ^ (a >> 16);
}

// Whole numbers repeat after 2^31 cells.
INLINE uint32_t noise_hash(const int32_t cell[3], uint32_t seed)
{
    uint32_t h = noise_mix(seed + 0x9e3779b9u);
    for (int k = 0; k < 3; ++k)
        h = noise_mix(h ^ (uint32_t)cell[k]) + 0x85ebca6bu * (uint32_t)(k + 1);
    return h;
}

// One of the twelve ways to the middles of a cube's edges.
INLINE void noise_direction(uint32_t hash, double out[3])
{
    int axis = (int)(hash % 3);
    double signs[2] = {hash & 0x100 ? 1.0 : -1.0, hash & 0x200 ? 1.0 : -1.0};
    out[axis] = 0;
    out[(axis + 1) % 3] = signs[0];
    out[(axis + 2) % 3] = signs[1];
}

// The cell of a coordinate, and how far into it that is.
INLINE int32_t noise_cell(double x, double* out_part)
{
    const double many = 2147483648.0;
    double cell = floor(x);
    *out_part = x - cell;
    cell -= many * floor(cell / many);
    return (int32_t)cell;
}

// Slopes of the noise at a place.
INLINE void noise_slope(const double at[3], uint32_t seed, double out[3])
{
    double t[3], blend[3], rise[3];
    int32_t cell[3];
    for (int k = 0; k < 3; ++k) {
        cell[k] = noise_cell(at[k], &t[k]);
        blend[k] = t[k] * t[k] * t[k] * (t[k] * (6 * t[k] - 15) + 10);
        rise[k] = 30 * t[k] * t[k] * (t[k] - 1) * (t[k] - 1);
        out[k] = 0;
    }
    for (int corner = 0; corner < 8; ++corner) {
        int32_t here[3];
        double way[3], weight[3], slope[3], direction[3];
        for (int k = 0; k < 3; ++k) {
            int far = corner >> k & 1;
            here[k] = (int32_t)((uint32_t)cell[k] + (uint32_t)far);
            way[k] = t[k] - far;
            weight[k] = far ? blend[k] : 1 - blend[k];
            slope[k] = far ? rise[k] : -rise[k];
        }
        noise_direction(noise_hash(here, seed), direction);
        double wanted = direction[0] * way[0] + direction[1] * way[1] + direction[2] * way[2];
        for (int k = 0; k < 3; ++k) {
            double others = weight[(k + 1) % 3] * weight[(k + 2) % 3];
            out[k] += slope[k] * others * wanted + weight[k] * others * direction[k];
        }
    }
}

// A velocity without sources, whose components have a mean square of 1 in the long run.
INLINE void noise_curl(const double at[3], uint32_t seed, double out[3])
{
    const double size = 1.004; // measured
    double slope[3][3];
    for (int k = 0; k < 3; ++k) noise_slope(at, seed + 0x632be5abu * (uint32_t)(k + 1), slope[k]);
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = size * (slope[b][a] - slope[a][b]);
    }
}

// Of time alone, from -1 to 1.
INLINE double noise_swell(double time, uint32_t seed)
{
    double t, value[2];
    int32_t cell = noise_cell(time, &t);
    for (int i = 0; i < 2; ++i) {
        const int32_t here[3] = {(int32_t)((uint32_t)cell + (uint32_t)i), 0, 0};
        value[i] = noise_hash(here, seed) * (2.0 / 4294967295.0) - 1;
    }
    return value[0] + t * t * t * (t * (6 * t - 15) + 10) * (value[1] - value[0]);
}
