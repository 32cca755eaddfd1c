// The constraint of docs/add-a-constraint.md, by its kernel: three particles and one projection,
// whose result is known. C = |x0 - 2 x1 + x2| becomes C a / (w0 + 4 w1 + w2 + a), a = compliance /
// h^2.
#include "constraint/types.h"
#include "solver/row.h"
#include "solver/sweep.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const sweep_kernels sweep_of_bow;

static const double inverse_mass[3] = {1, 0.5, 2};

// How far from straight the three are after one projection, from 0.4 m on; the momentum it made.
static double bow_after(double compliance, double h, double* out_momentum)
{
    enum { PARTICLES = 3 };
    static const double place[PARTICLES][3] = {{0, 0, 0}, {1, -0.2, 0}, {2, 0, 0}};
    element rest = {.rest = {{0}, {1, 0, 0}, {2, 0, 0}}, .compliance = compliance};
    double constants[MAX_FIELDS];
    float field[2][BLOCK] = {{0}}, row[PARTICLES][ROW] = {{0}}, residue[PARTICLES][4] = {{0}};
    int index[PARTICLES][BLOCK] = {{0}};
    type_infos[TYPE_bow].rest(&rest, constants);
    for (int f = 0; f < 2; ++f) field[f][0] = (float)constants[f];
    for (int i = 0; i < PARTICLES; ++i) {
        index[i][0] = i;
        for (int k = 0; k < 3; ++k) row[i][k] = (float)place[i][k];
        row[i][ROW_W] = (float)inverse_mass[i];
    }
    const block_work work = {.index = index,
                             .field = field,
                             .row = row,
                             .residue = residue,
                             .h = h,
                             .own = 1,
                             .index_bytes = sizeof index[0][0],
                             .first_iteration = true,
                             .relaxation = 1};
    sweep_of_bow.solve[TYPE_bow](&work, 0, 1);
    double y[PARTICLES];
    *out_momentum = 0;
    for (int i = 0; i < PARTICLES; ++i) {
        y[i] = row[i][1] + row[i][ROW_D + 1];
        *out_momentum += row[i][ROW_D + 1] / inverse_mass[i];
    }
    return y[0] - 2 * y[1] + y[2];
}

static int check(const char* what, double found, double expected)
{
    if (fabs(found - expected) < 1e-6) return 0;
    printf("bow, %s: %.9g, it should be %.9g\n", what, found, expected);
    return 1;
}

int main(void)
{
    double momentum, h = 0.01, sum = 1 + 4 * 0.5 + 2, alpha = 3e-4 / (h * h);
    int wrong = strcmp(type_infos[TYPE_bow].name, "bow") != 0;
    wrong += check("stiff", bow_after(0, h, &momentum), 0);
    wrong += check("momentum", momentum, 0);
    wrong += check("compliant", bow_after(3e-4, h, &momentum), 0.4 * alpha / (sum + alpha));
    return wrong != 0;
}
