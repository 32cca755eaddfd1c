// The projections of all constraint types in double precision: gradients, linear systems, the
// ten rows against a dense solve, and what iterations converge to.
#define PRECISION_DOUBLE
#include "projections.h"

// ---- gradients and the block projection ---------------------------------------------------------

static void gradient_matches_central_differences(void** unused)
{
    (void)unused;
    static const condition whats[] = {NEAR_REST, STRETCHED, INVERTED, FLAT};
    const double step = 1e-6; // [m]
    random_source r = {1};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (int try = 0; try < TRIES && types[type].eval; ++try) {
            sample s = make_sample(&r, type, whats[try % 4], 0.45);
            row_set at, plus, minus;
            types[type].eval(s.constants, s.ends.x, &at);
            for (int i = 0; i < types[type].particles; ++i)
                for (int k = 0; k < 3; ++k) {
                    vec3 x[ELEMENT_PARTICLES];
                    memcpy(x, s.ends.x, sizeof x);
                    (&x[i].x)[k] += step;
                    types[type].eval(s.constants, x, &plus);
                    (&x[i].x)[k] -= 2 * step;
                    types[type].eval(s.constants, x, &minus);
                    for (int row = 0; row < types[type].rows; ++row) {
                        double slope = (plus.value[row] - minus.value[row]) / (2 * step);
                        double gradient = (&at.grad[row][i].x)[k];
                        if (!(fabs(slope - gradient) <= 1e-6 * (length3(at.grad[row][i]) + 1)))
                            fail_msg("%s %s, row %d, particle %d, axis %d: gradient %.9g, "
                                     "difference %.9g",
                                     types[type].name, condition_name[whats[try % 4]], row, i, k,
                                     gradient, slope);
                    }
                }
        }
}

// C + A l + G dx + A dl = 0 after the projection, also with multipliers of an earlier iteration.
static void block_projection_solves_its_linear_system(void** unused)
{
    (void)unused;
    random_source r = {2};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (int try = 0; try < TRIES && types[type].eval; ++try) {
            sample s = make_sample(&r, type, try % 2 ? NEAR_REST : STRETCHED, 0.45);
            row_set at;
            real before[MAX_ROWS];
            for (int i = 0; i < MAX_ROWS; ++i)
                before[i] = s.lambda[i] = random_range(&r, -1, 1) * 1e-6;
            types[type].eval(s.constants, s.ends.x, &at);
            apply(&s, type);
            for (int row = 0; row < types[type].rows; ++row) {
                double alpha = at.compliance[row] * s.s.inv_h2;
                double rest = at.value[row] + alpha * s.lambda[row];
                double scale = fabs(at.value[row]) + fabs(alpha * before[row]);
                for (int i = 0; i < types[type].particles; ++i) {
                    rest += v3_dot(at.grad[row][i], s.ends.dx[i]);
                    scale += length3(at.grad[row][i]) * length3(s.ends.dx[i]);
                }
                if (!(fabs(rest) <= 1e-11 * scale))
                    fail_msg("%s, row %d: residual %g of %g", types[type].name, row, rest, scale);
            }
        }
}

// Nothing to hold on to: fixed particles and no compliance.
static void block_without_a_pivot_does_nothing(void** unused)
{
    (void)unused;
    random_source r = {3};
    sample s = make_sample(&r, TYPE_attachment, NEAR_REST, 0.45);
    s.ends.w[0] = 0;
    apply(&s, TYPE_attachment);
    for (int row = 0; row < 3; ++row) assert_true(s.lambda[row] == 0);
}

// ---- the ten rows against a dense solve ---------------------------------------------------------

enum { DENSE = 10 };

// Gauss with partial pivoting.
static void solve_dense(double a[DENSE][DENSE + 1], double out[DENSE])
{
    for (int c = 0; c < DENSE; ++c) {
        int best = c;
        for (int row = c + 1; row < DENSE; ++row)
            if (fabs(a[row][c]) > fabs(a[best][c])) best = row;
        for (int k = 0; k <= DENSE; ++k) {
            double kept = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = kept;
        }
        for (int row = c + 1; row < DENSE; ++row)
            for (int k = DENSE; k >= c; --k) a[row][k] -= a[row][c] / a[c][c] * a[c][k];
    }
    for (int c = DENSE - 1; c >= 0; --c) {
        out[c] = a[c][DENSE];
        for (int k = c + 1; k < DENSE; ++k) out[c] -= a[c][k] * out[k];
        out[c] /= a[c][c];
    }
}

static double element_of(const mat3* m, int row, int column)
{
    const vec3* c = column == 0 ? &m->a : column == 1 ? &m->b : &m->c;
    return (&c->x)[row];
}

// The ten equations of ten_rows.h for the changes of the multipliers, written out: unknown 3 c + r
// is the element of row r and column c.
static void write_equations(const sample* s, const ten_rows* c, double a[DENSE][DENSE + 1])
{
    mat3 f = tet_gradient(&c->shape, s->ends.x), cof = m3_cofactor(f);
    sym3 t = s3_scale(s->s.h2 * c->stiffness, tet_mobility(&c->shape, s->ends.w));
    double beta = ten_rows_beta(s);
    const double full[3][3] = {{t.xx, t.xy, t.xz}, {t.xy, t.yy, t.yz}, {t.xz, t.yz, t.zz}};
    memset(a, 0, sizeof(double[DENSE][DENSE + 1]));
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
            double* equation = a[3 * column + row];
            equation[3 * column + row] += 1;
            equation[DENSE] = -element_of(&f, row, column) - s->lambda[3 * column + row];
            for (int d = 0; d < 3; ++d) {
                equation[3 * d + row] += beta * full[d][column];
                equation[9] += beta * element_of(&cof, row, d) * full[d][column];
                a[9][3 * d + row] += element_of(&cof, row, column) * full[d][column];
                a[9][9] +=
                    element_of(&cof, row, column) * element_of(&cof, row, d) * full[d][column];
            }
        }
    a[9][9] += c->softness;
    a[9][DENSE] = -(m3_dot(f, cof) / 3 - c->gamma + c->softness * s->lambda[9]);
}

static void ten_rows_equals_a_dense_solve(void** unused)
{
    (void)unused;
    random_source r = {4};
    for (condition what = 0; what < CONDITION_COUNT; ++what)
        for (int try = 0; try < TRIES; ++try) {
            sample s = make_sample(&r, TYPE_ten_rows, what, try % 5 ? 0.45 : 0.3);
            s.e.relaxation = 1 + try % 3;
            s.s.own = (scalar)(try % 7) / 6;
            types[TYPE_ten_rows].rest(s.constants, &s.e);
            for (int i = 0; i < 10; ++i) s.lambda[i] = try % 2 ? random_range(&r, -1, 1) : 0;
            for (int i = 0; i < try % 4; ++i) s.ends.w[i] = 0;
            double a[DENSE][DENSE + 1], change[DENSE];
            write_equations(&s, (const ten_rows*)s.constants, a);
            solve_dense(a, change);
            sample before = s;
            apply(&s, TYPE_ten_rows);
            for (int i = 0; i < 10; ++i)
                if (!(fabs(s.lambda[i] - before.lambda[i] - change[i]) <=
                      1e-10 * (1 + fabs(change[i]))))
                    fail_msg("%s: multiplier %d changes by %.12g, dense %.12g",
                             condition_name[what], i, s.lambda[i] - before.lambda[i], change[i]);
        }
}

// ---- what iterations converge to ----------------------------------------------------------------

// Implicit Euler of one element: m (x - predicted) + h^2 grad(V Psi) = 0. Returns the residual
// over the size of the elastic part.
static double euler_residual(const sample* s, const vec3 predicted[4])
{
    tet_shape shape = tet_rest(&s->e);
    mat3 f = tet_gradient(&shape, s->ends.x), cof = m3_cofactor(f);
    double pressure = (m3_dot(f, cof) / 3 - s->e.gamma) / s->e.volume_compliance;
    vec3 gradient[4];
    tet_gradients(&shape, m3_add_scaled(m3_scale(s->e.mu, f), pressure, cof), gradient);
    double worst = 0, scale = 0;
    for (int i = 0; i < 4; ++i) {
        vec3 inertia = v3_scale(1 / s->ends.w[i], v3_sub(s->ends.x[i], predicted[i]));
        vec3 elastic = v3_scale(s->s.h2 * s->e.volume, gradient[i]);
        worst = fmax(worst, length3(v3_add(inertia, elastic)));
        scale = fmax(scale, length3(elastic));
    }
    return worst / scale;
}

static void iterate(sample* s, constraint_type type, real* lambda)
{
    memcpy(s->lambda, lambda, sizeof s->lambda);
    types[type].rest(s->constants, &s->e);
    apply(s, type);
    for (int i = 0; i < 4; ++i) s->ends.x[i] = v3_add(s->ends.x[i], s->ends.dx[i]);
    memcpy(lambda, s->lambda, sizeof s->lambda);
}

// The residual after many iterations with multipliers, largest over random elements.
static double iterated_residual(const constraint_type* type, int count, double h, double beta)
{
    random_source r = {5};
    double worst = 0;
    for (int try = 0; try < 20; ++try) {
        sample s = make_sample(&r, type[0], NEAR_REST, 0.45);
        real lambda[2][MAX_ROWS] = {{0}};
        vec3 predicted[4];
        memcpy(predicted, s.ends.x, sizeof predicted);
        s.s = make_substep(h);
        s.e.relaxation = beta;
        for (int i = 0; i < 300; ++i)
            for (int t = 0; t < count; ++t) iterate(&s, type[t], lambda[t]);
        worst = fmax(worst, euler_residual(&s, predicted));
    }
    return worst;
}

// XPBD moves along the gradients of each iteration and never looks back at them, so that its fixed
// point is implicit Euler up to the change of the gradients during the substep: h^2 in the force.
static void check_implicit_euler(const constraint_type* type, int count, double beta)
{
    double coarse = iterated_residual(type, count, 1e-4, beta);
    double fine = iterated_residual(type, count, 2.5e-5, beta);
    print_message("    %s, beta %g: force off by %.3g, %.3g at a quarter of the step\n",
                  types[type[0]].name, beta, coarse, fine);
    CHECK_BETWEEN(coarse, 0, 0.12);
    CHECK_BETWEEN(coarse / fine, 12, 20);
}

static void ten_rows_converge_to_implicit_euler(void** unused)
{
    (void)unused;
    const constraint_type type = TYPE_ten_rows;
    check_implicit_euler(&type, 1, 1);
    check_implicit_euler(&type, 1, 2);
    check_implicit_euler(&type, 1, 5);
}

static void two_rows_converge_to_implicit_euler(void** unused)
{
    (void)unused;
    const constraint_type type = TYPE_two_rows;
    check_implicit_euler(&type, 1, 1);
}

static void decoupled_rows_converge_to_implicit_euler(void** unused)
{
    (void)unused;
    const constraint_type type[2] = {TYPE_deviatoric, TYPE_hydrostatic};
    check_implicit_euler(type, 2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_matches_central_differences),
        cmocka_unit_test(block_projection_solves_its_linear_system),
        cmocka_unit_test(block_without_a_pivot_does_nothing),
        cmocka_unit_test(ten_rows_equals_a_dense_solve),
        cmocka_unit_test(ten_rows_converge_to_implicit_euler),
        cmocka_unit_test(two_rows_converge_to_implicit_euler),
        cmocka_unit_test(decoupled_rows_converge_to_implicit_euler),
        PROJECTION_TESTS,
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
