// Horn 1987, "Closed-form solution of absolute orientation using unit quaternions": the best
// rotation is the eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix.
#include "mesh/align.h"
#include "math/jacobi.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static void find_center(const double* points, int count, double out[3])
{
    memset(out, 0, 3 * sizeof(double));
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) out[k] += points[3 * i + k] / count;
}

// The matrix whose quadratic form is the sum of b . (q a q*) over all points.
static void horn_matrix(double m[3][3], double out[4][4])
{
    out[0][0] = m[0][0] + m[1][1] + m[2][2];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[0][i + 1] = out[i + 1][0] = m[j][k] - m[k][j];
        out[i + 1][i + 1] = m[i][i] - m[j][j] - m[k][k];
        out[i + 1][j + 1] = out[j + 1][i + 1] = m[i][j] + m[j][i];
    }
}

// Eigenvector of the largest eigenvalue, of length 1.
static void largest_eigenvector(double n[4][4], double out[4])
{
    double turned[4][4];
    jacobi_solve(4, &n[0][0], &turned[0][0]);
    int best = 0;
    for (int i = 1; i < 4; ++i)
        if (n[i][i] > n[best][best]) best = i;
    for (int i = 0; i < 4; ++i) out[i] = turned[best][i];
}

// Of the quaternion (w, x, y, z) of length 1.
static void rotation_matrix(const double q[4], double out[3][3])
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i][i] = 1 - 2 * (q[j + 1] * q[j + 1] + q[k + 1] * q[k + 1]);
        out[i][j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]);
        out[j][i] = 2 * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]);
    }
}

static void find_rotation(const double* a, const double* b, int count, double center[2][3],
                          double out[3][3])
{
    double m[3][3] = {{0}}, n[4][4], q[4];
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                m[r][c] += (a[3 * i + r] - center[0][r]) * (b[3 * i + c] - center[1][c]);
    horn_matrix(m, n);
    largest_eigenvector(n, q);
    rotation_matrix(q, out);
}

double align_rms(const double* a, const double* b, int count)
{
    double center[2][3], turn[3][3], sum = 0;
    if (count < 1) return 0;
    find_center(a, count, center[0]);
    find_center(b, count, center[1]);
    find_rotation(a, b, count, center, turn);
    for (ptrdiff_t i = 0; i < count; ++i)
        for (int r = 0; r < 3; ++r) {
            double off = b[3 * i + r] - center[1][r];
            for (int c = 0; c < 3; ++c) off -= turn[r][c] * (a[3 * i + c] - center[0][c]);
            sum += off * off;
        }
    return sqrt(sum / count);
}
