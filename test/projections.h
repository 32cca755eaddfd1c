// Tests that hold in either precision: test_projection.c runs them in double, and
// test_projection_single.c in float.
#pragma once
#include "elements.h"

enum { TRIES = 50 };

// All sixteen choices of fixed corners, with an incompressible material too.
static void projection_stays_finite(void** unused)
{
    (void)unused;
    random_source r = {11};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (condition what = 0; what < CONDITION_COUNT; ++what)
            for (int fixed = 0; fixed < 16; ++fixed)
                for (int stiff = 0; stiff < 2; ++stiff) {
                    sample s = make_sample(&r, type, what, stiff ? 0.5 : 0.45);
                    s.s.own = (scalar)((fixed + (int)what) % 2);
                    for (int i = 0; i < 4; ++i)
                        if (fixed >> i & 1) s.ends.w[i] = 0;
                    if (fixed == 15) // nothing moves: as in a padded lane
                        for (int i = 0; i < 4; ++i) s.ends.moved[i] = v3_zero();
                    apply(&s, type);
                    if (!finite_result(&s, type))
                        fail_msg("%s %s, fixed corners %d, nu %g: dx_0 is %g %g %g",
                                 types[type].name, condition_name[what], fixed, stiff ? 0.5 : 0.45,
                                 (double)s.ends.dx[0].x, (double)s.ends.dx[0].y,
                                 (double)s.ends.dx[0].z);
                }
}

static void fixed_particle_does_not_move(void** unused)
{
    (void)unused;
    random_source r = {12};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (int try = 0; try < TRIES; ++try) {
            sample s = make_sample(&r, type, NEAR_REST, 0.45);
            int fixed = random_index(&r, types[type].particles);
            s.ends.w[fixed] = 0;
            apply(&s, type);
            if (length3(s.ends.dx[fixed]) != 0)
                fail_msg("%s moves a fixed particle by %g m", types[type].name,
                         length3(s.ends.dx[fixed]));
        }
}

// All but the attachment act between particles only.
static void projection_keeps_linear_momentum(void** unused)
{
    (void)unused;
    random_source r = {13};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (condition what = 0; what < CONDITION_COUNT && type != TYPE_attachment; ++what)
            for (int try = 0; try < TRIES; ++try) {
                sample s = make_sample(&r, type, what, 0.45);
                double scale, sum;
                apply(&s, type);
                sum = momentum(&s, types[type].particles, &scale);
                if (!(sum <= 64 * (double)SCALAR_EPSILON * scale))
                    fail_msg("%s %s: momentum %g of %g", types[type].name, condition_name[what],
                             sum, scale);
            }
}

static void go_back(sample* s)
{
    for (int i = 0; i < ELEMENT_PARTICLES; ++i)
        s->ends.x[i] = v3_sub(s->ends.x[i], s->ends.moved[i]);
}

// Rotation-invariant rows have gradients without moment. The rows of F are not invariant one by
// one: see ten_rows_moment_is_of_second_order.
static void projection_exerts_no_moment(void** unused)
{
    (void)unused;
    random_source r = {14};
    for (constraint_type type = 0; type < TYPE_COUNT; ++type)
        for (condition what = 0; what < CONDITION_COUNT; ++what)
            for (int try = 0; try < TRIES; ++try) {
                if (type == TYPE_ten_rows || type == TYPE_attachment) continue;
                sample s = make_sample(&r, type, what, 0.45);
                double scale;
                apply(&s, type);
                if (types[type].on_motion) go_back(&s); // it acts where the motion starts
                vec3 sum = moment(&s, types[type].particles, s.ends.x, &scale);
                if (!(length3(sum) <= 256 * (double)SCALAR_EPSILON * scale))
                    fail_msg("%s %s: moment %g of %g", types[type].name, condition_name[what],
                             length3(sum), scale);
            }
}

// With M = Lambda + L K the corrections are w_i k M b_i, and the moment about places y_i with
// gradient Y = sum y_i b_i^T is k times the axial vector of M Y^T. The rows of F say that Lambda =
// -(F + beta dF): about y = x / beta + dx, where Y = F / beta + dF, Lambda Y^T is symmetric, and
// so is K F^T = J I. What is left is L K dF^T: a multiplier times a correction, second order.
static void ten_rows_moment_is_of_second_order(void** unused)
{
    (void)unused;
    random_source r = {15};
    for (condition what = 0; what < CONDITION_COUNT; ++what)
        for (int try = 0; try < TRIES; ++try) {
            sample s = make_sample(&r, TYPE_ten_rows, what, 0.45);
            s.e.relaxation = 1 + try % 3;
            s.s.own = (scalar)(try % 7) / 6;
            types[TYPE_ten_rows].rest(s.constants, &s.e);
            apply(&s, TYPE_ten_rows);
            const ten_rows* c = (const ten_rows*)s.constants;
            mat3 f = tet_gradient(&c->shape, s.ends.x), df = tet_gradient(&c->shape, s.ends.dx);
            mat3 left = m3_scale(s.s.h2 * c->stiffness * s.lambda[9], m3_cofactor(f));
            // sum over columns: axial vector of (left df^T), as y cross force
            vec3 expected = v3_add(v3_add(v3_cross(df.a, left.a), v3_cross(df.b, left.b)),
                                   v3_cross(df.c, left.c));
            vec3 y[4];
            for (int i = 0; i < 4; ++i)
                y[i] = v3_add_scaled(s.ends.dx[i], (scalar)(1 / ten_rows_beta(&s)), s.ends.x[i]);
            double scale;
            vec3 sum = moment(&s, 4, y, &scale);
            double off = length3(v3_sub(sum, expected));
            if (!(off <= 512 * (double)SCALAR_EPSILON * scale))
                fail_msg("%s, beta %g: moment off by %g of %g", condition_name[what],
                         ten_rows_beta(&s), off, scale);
        }
}

static void ten_rows_rest_is_a_fixed_point(void** unused)
{
    (void)unused;
    random_source r = {16};
    for (int try = 0; try < TRIES; ++try) {
        static const double beta[] = {1, 2, 5};
        sample s = make_sample(&r, TYPE_ten_rows, AT_REST, 0.3 + 0.01 * (try % 20));
        s.e.relaxation = beta[try % 3];
        types[TYPE_ten_rows].rest(s.constants, &s.e);
        apply(&s, TYPE_ten_rows);
        for (int i = 0; i < 4; ++i)
            if (!(length3(s.ends.dx[i]) <= 0.1 * 64 * (double)SCALAR_EPSILON))
                fail_msg("beta %g: moves by %g m from rest", s.e.relaxation, length3(s.ends.dx[i]));
    }
}

// The nine rows hold after the projection: F / beta + dF + Lambda = 0, for steps far beyond any
// sensible one (h omega of about 500 at a million) and for every number of free corners. Beyond,
// the result stays finite.
static void ten_rows_solves_its_rows_at_any_stiffness(void** unused)
{
    (void)unused;
    random_source r = {17};
    for (double stiffness = 1; stiffness <= 1e9; stiffness *= 10)
        for (int fixed = 0; fixed < 4; ++fixed)
            for (int try = 0; try < TRIES; ++try) {
                sample s = make_sample(&r, TYPE_ten_rows, NEAR_REST, 0.45);
                s.e.mu *= stiffness;
                s.e.volume_compliance /= stiffness;
                types[TYPE_ten_rows].rest(s.constants, &s.e);
                for (int i = 0; i < fixed; ++i) s.ends.w[i] = 0;
                apply(&s, TYPE_ten_rows);
                const ten_rows* c = (const ten_rows*)s.constants;
                mat3 f = tet_gradient(&c->shape, s.ends.x), df = tet_gradient(&c->shape, s.ends.dx);
                mat3 lambda = {v3(s.lambda[0], s.lambda[1], s.lambda[2]),
                               v3(s.lambda[3], s.lambda[4], s.lambda[5]),
                               v3(s.lambda[6], s.lambda[7], s.lambda[8])};
                mat3 rest = m3_add_scaled(m3_add_scaled(lambda, 1, df), 1, f);
                double off = sqrt((double)m3_dot(rest, rest) / (double)m3_dot(f, f));
                if (!isfinite(off) || !(off <= (stiffness > 1e6 ? INFINITY : 2e-2)))
                    fail_msg("stiffness times %g, %d fixed: rows off by %g (%g %g %g)", stiffness,
                             fixed, off, (double)s.ends.dx[3].x, (double)s.ends.dx[3].y,
                             (double)s.ends.dx[3].z);
            }
}

// A spin of any speed has no rate of strain where it starts: it is not held back.
static void viscous_leaves_a_spin_alone(void** unused)
{
    (void)unused;
    random_source r = {18};
    for (int try = 0; try < TRIES; ++try) {
        sample s = make_sample(&r, TYPE_viscous, NEAR_REST, 0.45);
        double angle = random_range(&r, 0.1, 1);
        for (int i = 0; i < 4; ++i) {
            s.ends.moved[i] = v3_scale((scalar)angle, v3(-s.ends.x[i].y, s.ends.x[i].x, 0));
            s.ends.x[i] = v3_add(s.ends.x[i], s.ends.moved[i]);
        }
        apply(&s, TYPE_viscous);
        for (int i = 0; i < 4; ++i)
            if (!(length3(s.ends.dx[i]) <= 0.1 * 64 * (double)SCALAR_EPSILON))
                fail_msg("turning by %g rad is corrected by %g m", angle, length3(s.ends.dx[i]));
    }
}

static double kinetic(const sample* s, bool after)
{
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
        double moved = length3(after ? v3_add(s->ends.moved[i], s->ends.dx[i]) : s->ends.moved[i]);
        sum += moved * moved / (2 * (double)s->ends.w[i]);
    }
    return sum;
}

// However large the motion: its strain rate is linear in it, and each row takes a minimum of the
// energy along its force.
static void viscous_never_adds_energy(void** unused)
{
    (void)unused;
    random_source r = {19};
    for (condition what = 0; what < CONDITION_COUNT; ++what)
        for (int try = 0; try < TRIES; ++try) {
            sample s = make_sample(&r, TYPE_viscous, what, 0.45);
            for (int i = 0; i < 4; ++i) s.ends.moved[i] = v3_scale(10, s.ends.moved[i]);
            s.s = make_substep(random_range(&r, 1e-5, 1e-2));
            apply(&s, TYPE_viscous);
            double before = kinetic(&s, false), after = kinetic(&s, true);
            if (!(after <= before * (1 + 1e-4)))
                fail_msg("%s: energy grows from %g to %g", condition_name[what], before, after);
        }
}

#define PROJECTION_TESTS                                                                           \
    cmocka_unit_test(projection_stays_finite), cmocka_unit_test(fixed_particle_does_not_move),     \
        cmocka_unit_test(projection_keeps_linear_momentum),                                        \
        cmocka_unit_test(projection_exerts_no_moment),                                             \
        cmocka_unit_test(ten_rows_moment_is_of_second_order),                                      \
        cmocka_unit_test(ten_rows_rest_is_a_fixed_point),                                          \
        cmocka_unit_test(ten_rows_solves_its_rows_at_any_stiffness),                               \
        cmocka_unit_test(viscous_leaves_a_spin_alone), cmocka_unit_test(viscous_never_adds_energy)
