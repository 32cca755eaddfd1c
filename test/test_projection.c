// The projections of all constraint types in double precision: gradients, linear systems, the
// ten rows against a dense solve, and what iterations converge to.
#define PRECISION_DOUBLE
#include "constraint/types.h"
#include "projections.h"

// ---- gradients and the block projection ---------------------------------------------------------

// Central difference of a row by a coordinate of a particle, over `step` [m] to either side.
static double difference(const sample* s, constraint_type type, int row, int particle, int axis,
                         double step)
{
    row_set plus, minus;
    vec3 x[ELEMENT_PARTICLES];
    memcpy(x, s->ends.x, sizeof x);
    (&x[particle].x)[axis] += step;
    types[type].eval(s->constants, x, &plus);
    (&x[particle].x)[axis] -= 2 * step;
    types[type].eval(s->constants, x, &minus);
    return plus.value[row] - minus.value[row];
}

// What two steps disagree by is the curvature of slivers. A hinge jumps where it is folded flat.
static bool check_slope(const sample* s, constraint_type type, int row, int particle, int axis)
{
    const double step = 1e-6;
    row_set at;
    types[type].eval(s->constants, s->ends.x, &at);
    double change = difference(s, type, row, particle, axis, step);
    if (fabs(change) > 1) return false;
    double slope = change / (2 * step);
    double fine = difference(s, type, row, particle, axis, step / 2) / step;
    double gradient = (&at.grad[row][particle].x)[axis];
    double allowed = 1e-6 * (length3(at.grad[row][particle]) + 1) + 2 * fabs(slope - fine);
    if (!(fabs(slope - gradient) <= allowed))
        fail_msg("%s, row %d, particle %d, axis %d: gradient %.9g, difference %.9g",
                 types[type].name, row, particle, axis, gradient, slope);
    return true;
}

static void gradient_matches_central_differences(void** unused)
{
    (void)unused;
    static const condition whats[] = {NEAR_REST, STRETCHED, INVERTED, FLAT};
    random_source r = {1};
    int slopes = 0, jumps = 0;
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (int try = 0; try < TRIES && types[type].eval; ++try) {
            sample s = make_sample(&r, type, whats[try % 4], 0.45);
            for (int i = 0; i < types[type].particles; ++i)
                for (int k = 0; k < 3; ++k)
                    for (int row = 0; row < types[type].rows; ++row, ++slopes)
                        jumps += !check_slope(&s, type, row, i, k);
        }
    CHECK_BETWEEN(jumps, 0, 0.02 * slopes);
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
                if (types[type].pulls && s.lambda[row] == 0) continue; // slack
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

// n iterations of the classic manner leave 1 - k of what one of them would take away: here of a
// value so small that the rows are linear. Of each type that knows it.
static void classic_stiffness_does_not_depend_on_iterations(void** unused)
{
    (void)unused;
    static const double stiffness[] = {0.05, 0.5, 0.99, 1};
    random_source r = {6};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (int try = 0; try < 12 && type_infos[type].classic; ++try) {
            sample s = make_sample(&r, type, AT_REST, 0.45);
            double k = stiffness[try % 4];
            int n = 1 << try / 4 * 2;
            s.e.compliance = decay_of(k);
            types[type].rest(s.constants, &s.e);
            s.s.classic = true;
            s.s.share = 1.0 / n;
            for (int c = 0; c < 3; ++c) (&s.ends.x[1].x)[c] += random_range(&r, -1e-6, 1e-6);
            row_set before, after;
            types[type].eval(s.constants, s.ends.x, &before);
            for (int i = 0; i < n; ++i) {
                apply(&s, type);
                for (int p = 0; p < types[type].particles; ++p)
                    s.ends.x[p] = v3_add(s.ends.x[p], s.ends.dx[p]);
            }
            types[type].eval(s.constants, s.ends.x, &after);
            double left = after.value[0] / before.value[0];
            bool slack = types[type].pulls && before.value[0] < 0;
            if (!(fabs(left - (slack ? 1 : 1 - k)) <= 1e-4))
                fail_msg("%s, k %g, %d iterations: %g is left", types[type].name, k, n, left);
        }
}

// Where there is nothing to pull at, nothing is pulled, also after iterations that pulled.
static void tether_never_pushes(void** unused)
{
    (void)unused;
    random_source r = {7};
    for (int try = 0; try < TRIES; ++try) {
        sample s = make_sample(&r, TYPE_tether, STRETCHED, 0.45);
        s.lambda[0] = try % 2 ? 0 : -1e-5;
        vec3 apart = v3_sub(s.ends.x[1], s.ends.x[0]);
        double length = length3(apart), rest = s.constants[0];
        apply(&s, TYPE_tether);
        assert_true(s.lambda[0] <= 0);
        double along = v3_dot(apart, v3_sub(s.ends.dx[1], s.ends.dx[0]));
        if (length > rest) assert_true(along < 0);
        if (length < rest && try % 2) assert_true(along == 0);
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

// ---- hinges and volumes in closed form ----------------------------------------------------------

// An edge along x of length 2 with tips 1 and 3 away, which are bent up by half of -angle each.
static void bend_hinge(double angle, double out[4][3])
{
    const double c = cos(angle / 2), s = -sin(angle / 2);
    const double x[4][3] = {{0, 0, 0}, {2, 0, 0}, {0.5, c, s}, {1.7, -3 * c, 3 * s}};
    memcpy(out, x, sizeof x);
}

static row_state bent_row(constraint_type type, double rest, double angle)
{
    element e = {.compliance = 1};
    double fields[MAX_FIELDS], x[4][3];
    row_state row;
    bend_hinge(rest, e.rest);
    bend_hinge(angle, x);
    type_infos[type].rest(&e, fields);
    type_infos[type].eval(fields, x, &row);
    return row;
}

static void dihedral_grows_with_the_angle_in_both_directions(void** unused)
{
    (void)unused;
    double last = -INFINITY, rest = 0.317;
    for (double angle = -3.14; angle < 3.141; angle += 0.02) {
        double value = bent_row(TYPE_dihedral, rest, angle).value;
        CHECK_CLOSE(value, 4 * tan(angle / 4) - 4 * tan(rest / 4), 1e-12);
        assert_true(value > last);
        last = value;
    }
}

// The tips of a hinge feel its angle times 1 / height, with a slope of 1 to 2, folded or not.
static void dihedral_pulls_as_firmly_at_any_angle(void** unused)
{
    (void)unused;
    for (double angle = -3.1; angle < 3.11; angle += 0.1) {
        row_state row = bent_row(TYPE_dihedral, 0, angle);
        double slope = 1 + tan(angle / 4) * tan(angle / 4);
        CHECK_CLOSE(hypot(row.grad[2][1], row.grad[2][2]), slope, 1e-9);
        CHECK_CLOSE(hypot(row.grad[3][1], row.grad[3][2]), slope / 3, 1e-9);
    }
}

// Of a hinge that is flat at rest and bends without stretch: 2 |edge| sin(angle / 2).
static void isometric_bending_is_length_times_angle(void** unused)
{
    (void)unused;
    for (double angle = -3.1; angle < 3.11; angle += 0.1) {
        double value = bent_row(TYPE_bending, 0, angle).value;
        CHECK_CLOSE(value, 4 * fabs(sin(angle / 2)), 1e-12);
    }
}

static void hinge_without_area_does_nothing(void** unused)
{
    (void)unused;
    element e = {.compliance = 1e-4};
    double fields[MAX_FIELDS], x[4][3];
    row_state row;
    bend_hinge(0.5, e.rest);
    type_infos[TYPE_dihedral].rest(&e, fields);
    for (int kind = 0; kind < 3; ++kind) {
        bend_hinge(1, x);
        if (kind == 0) x[2][1] = x[2][2] = 0;              // a tip on the edge
        if (kind == 1) memcpy(x[1], x[0], sizeof x[0]);    // no edge
        if (kind == 2) x[3][1] *= 1e-20, x[3][2] *= 1e-20; // almost on it
        type_infos[TYPE_dihedral].eval(fields, x, &row);
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 3; ++k) assert_true(row.grad[i][k] == 0);
    }
}

static void inverted_tet_is_two_volumes_away_from_rest(void** unused)
{
    (void)unused;
    random_source r = {8};
    for (int try = 0; try < TRIES; ++try) {
        sample s = make_sample(&r, TYPE_solid_volume, AT_REST, 0.45);
        row_set row;
        types[TYPE_solid_volume].eval(s.constants, s.ends.x, &row);
        assert_true(fabs(row.value[0]) <= 1e-12 * s.e.volume);
        for (int i = 0; i < 4; ++i) s.ends.x[i].z = -s.ends.x[i].z;
        types[TYPE_solid_volume].eval(s.constants, s.ends.x, &row);
        CHECK_CLOSE(row.value[0], -2 * s.e.volume, 1e-12);
    }
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
        cmocka_unit_test(classic_stiffness_does_not_depend_on_iterations),
        cmocka_unit_test(tether_never_pushes),
        cmocka_unit_test(block_without_a_pivot_does_nothing),
        cmocka_unit_test(dihedral_grows_with_the_angle_in_both_directions),
        cmocka_unit_test(dihedral_pulls_as_firmly_at_any_angle),
        cmocka_unit_test(isometric_bending_is_length_times_angle),
        cmocka_unit_test(hinge_without_area_does_nothing),
        cmocka_unit_test(inverted_tet_is_two_volumes_away_from_rest),
        cmocka_unit_test(ten_rows_equals_a_dense_solve),
        cmocka_unit_test(ten_rows_converge_to_implicit_euler),
        cmocka_unit_test(two_rows_converge_to_implicit_euler),
        cmocka_unit_test(decoupled_rows_converge_to_implicit_euler),
        PROJECTION_TESTS,
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
