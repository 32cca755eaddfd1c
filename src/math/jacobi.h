// Eigenvectors of small symmetric matrices by Jacobi's rotations.
#pragma once
#include <math.h>

enum { JACOBI_SWEEPS = 12 }; // they converge quadratically

// Turns the coordinates p and q of an n x n matrix so that its element (p, q) vanishes, and the
// rows of `turned` with them.
static inline void jacobi_turn(int n, double* m, double* turned, int p, int q)
{
    double off = m[n * p + q];
    if (off == 0) return;
    double cot = (m[n * q + q] - m[n * p + p]) / (2 * off);
    double t = (cot < 0 ? -1 : 1) / (fabs(cot) + sqrt(1 + cot * cot));
    double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int i = 0; i < n; ++i) {
        double a = m[n * i + p], b = m[n * i + q];
        m[n * i + p] = c * a - s * b;
        m[n * i + q] = s * a + c * b;
    }
    for (int i = 0; i < n; ++i) {
        double a = m[n * p + i], b = m[n * q + i], u = turned[n * p + i], v = turned[n * q + i];
        m[n * p + i] = c * a - s * b;
        m[n * q + i] = s * a + c * b;
        turned[n * p + i] = c * u - s * v;
        turned[n * q + i] = s * u + c * v;
    }
}

// The eigenvalues come to the diagonal of `m`, the eigenvectors are the rows of `turned`.
static inline void jacobi_solve(int n, double* m, double* turned)
{
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) turned[n * i + k] = i == k;
    for (int sweep = 0; sweep < JACOBI_SWEEPS; ++sweep)
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) jacobi_turn(n, m, turned, p, q);
}
