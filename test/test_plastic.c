// Rest shapes that flow: the return to the yield surface against closed forms, what is kept
// (volume, bits, digests), and bodies that stay as they were drawn or pressed.
#include "asset_samples.h"
#include "constraint/flow.h"

// ---- one element, held as it is -----------------------------------------------------------------

static pliant_soft_def metal(double yield)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.poisson = 0.3;
    soft.material.yield_stress = yield;
    return soft;
}

static double shear_modulus(const pliant_material_def* m)
{
    return m->young / (2 * (1 + m->poisson));
}

// A tet whose corners are all pinned.
typedef struct {
    pliant_world* world;
    pliant_body_id body;
    place rest[4];
} held_tet;

static held_tet hold_tet(const pliant_soft_def* soft, int substeps)
{
    held_tet t = {.world = make_still_world(substeps, 1)};
    t.body = add_soft(t.world, one_tet(0.1), soft, 0);
    place* x = read_places(t.world, t.body);
    memcpy(t.rest, x, sizeof t.rest);
    for (int i = 0; i < 4; ++i) pliant_body_pin(t.world, t.body, i);
    free(x);
    return t;
}

static void deform(held_tet* t, double f[3][3])
{
    place x[4];
    for (int i = 0; i < 4; ++i)
        for (int r = 0; r < 3; ++r) {
            x[i].x[r] = 0;
            for (int c = 0; c < 3; ++c) x[i].x[r] += f[r][c] * t->rest[i].x[c];
        }
    CHECK_OK(pliant_body_write_positions_exact(t->world, t->body, x->x, 4));
}

typedef struct {
    double p[3][3], strain; // Fp^-1
} flowed;

static flowed read_flowed(pliant_world* world, pliant_body_id body, int tet)
{
    int count = tet + 1;
    double* shape = (double*)malloc((size_t)count * 9 * sizeof *shape);
    float* strain = (float*)malloc((size_t)count * sizeof *strain);
    flowed out;
    CHECK_OK(pliant_body_read_plastic_shapes(world, body, shape, count));
    CHECK_OK(pliant_body_read_plastic_strains(world, body, strain, count));
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out.p[r][c] = shape[9 * tet + 3 * c + r];
    out.strain = (double)strain[tet];
    free(shape);
    free(strain);
    return out;
}

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// Von Mises' stress over mu, of Fe = F P: sqrt(3/2) |dev Fe Fe^T|.
static double mises(double f[3][3], double p[3][3])
{
    double e[3][3] = {{0}}, square = 0, mean = 0, b[3][3] = {{0}};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) e[r][c] += f[r][k] * p[k][c];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) b[r][c] += e[r][k] * e[c][k];
    for (int r = 0; r < 3; ++r) mean += b[r][r] / 3;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double part = b[r][c] - (r == c ? mean : 0);
            square += part * part;
        }
    return sqrt(1.5 * square);
}

static void stretch(double along, double across, double out[3][3])
{
    memset(out, 0, 9 * sizeof(double));
    out[0][0] = along;
    out[1][1] = out[2][2] = across;
}

// a of Fe = diag(a, b, b) with a b^2 = volume and a^2 - b^2 = stress / mu, tension or pressure.
static double elastic_stretch(double volume, double stress)
{
    double low = 0.1, high = 10;
    for (int i = 0; i < 200; ++i) {
        double a = (low + high) / 2;
        *(a * a - volume / a > stress ? &high : &low) = a;
    }
    return low;
}

static void check_uniaxial(pliant_precision precision, double along, double across)
{
    pliant_soft_def soft = metal(5e4);
    soft.solver.precision = precision;
    double share = 5e4 / shear_modulus(&soft.material), f[3][3], volume = along * across * across;
    double rounding = precision == PLIANT_PRECISION_DOUBLE ? 1e-12 : 2e-6;
    held_tet t = hold_tet(&soft, 20);
    stretch(along, across, f);
    deform(&t, f);
    run(t.world, 2, 0.01);
    flowed now = read_flowed(t.world, t.body, 0);
    double a = elastic_stretch(volume, along > across ? share : -share);
    print_message("    %.2f x %.2f: Fe %.8f, closed form %.8f, det Fp^-1 - 1 = %.1e\n", along,
                  across, along * now.p[0][0], a, determinant(now.p) - 1);
    CHECK_CLOSE(mises(f, now.p), share, 20 * rounding);
    CHECK_CLOSE(along * now.p[0][0], a, 3 * rounding);
    CHECK_CLOSE(across * now.p[1][1], sqrt(volume / a), 3 * rounding);
    CHECK_BETWEEN(fabs(determinant(now.p) - 1), 0, rounding);
    CHECK_BETWEEN(fabs(now.p[0][1]) + fabs(now.p[1][2]), 0, rounding);
    pliant_world_destroy(t.world);
}

static void held_stretch_returns_to_the_yield_surface(void** unused)
{
    (void)unused;
    static const double stretches[][2] = {{1.2, 0.95}, {0.8, 1.1}, {2, 0.8}, {1.3, 1.3 * 0.8}};
    for (int i = 0; i < 4; ++i) {
        check_uniaxial(PLIANT_PRECISION_SINGLE, stretches[i][0], stretches[i][1]);
        check_uniaxial(PLIANT_PRECISION_DOUBLE, stretches[i][0], stretches[i][1]);
    }
}

// In small steps of a simple shear the stress stays at the yield stress over sqrt(3), and what is
// beyond its elastic part has flowed: gamma / sqrt(3).
static void shear_flows_at_the_yield_stress_over_the_root_of_three(void** unused)
{
    (void)unused;
    const double yield = 2e3, most = 0.05;
    pliant_soft_def soft = metal(yield);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    double mu = shear_modulus(&soft.material), f[3][3];
    held_tet t = hold_tet(&soft, 2);
    for (int i = 1; i <= 100; ++i) {
        stretch(1, 1, f);
        f[0][1] = most * i / 100;
        deform(&t, f);
        run(t.world, 1, 0.01);
    }
    flowed now = read_flowed(t.world, t.body, 0);
    CHECK_CLOSE(mises(f, now.p), yield / mu, 1e-6);
    CHECK_CLOSE(now.strain, (most - yield / sqrt(3) / mu) / sqrt(3), 2e-3);
    pliant_world_destroy(t.world);
}

// Without change of volume, diag(s, 1/sqrt s, 1/sqrt s): log s less the log of the elastic stretch.
static void plastic_strain_of_a_stretch_is_logarithmic(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(3e4);
    double f[3][3], share = 3e4 / shear_modulus(&soft.material);
    held_tet t = hold_tet(&soft, 4);
    for (int i = 1; i <= 100; ++i) {
        double s = 1 + 0.01 * i;
        stretch(s, 1 / sqrt(s), f);
        deform(&t, f);
        run(t.world, 1, 0.01);
    }
    CHECK_CLOSE(read_flowed(t.world, t.body, 0).strain, log(2 / elastic_stretch(1, share)), 1e-3);
    pliant_world_destroy(t.world);
}

// The stress at the end is what it has become, and strains add up: two equations for two unknowns.
static void hardening_raises_the_yield_stress(void** unused)
{
    (void)unused;
    const double yield = 3e4, hardening = 2e5;
    pliant_soft_def soft = metal(yield);
    soft.material.hardening = hardening;
    double f[3][3], mu = shear_modulus(&soft.material), a = 1, low = 1, high = 1.5;
    held_tet t = hold_tet(&soft, 4);
    for (int i = 1; i <= 50; ++i) {
        double s = 1 + 0.01 * i;
        stretch(s, 1 / sqrt(s), f);
        deform(&t, f);
        run(t.world, 1, 0.01);
    }
    for (int i = 0; i < 100; ++i) {
        a = (low + high) / 2;
        *(mu * (a * a - 1 / a) > yield + hardening * log(1.5 / a) ? &high : &low) = a;
    }
    flowed now = read_flowed(t.world, t.body, 0);
    print_message("    stress %.1f Pa, closed form %.1f Pa\n", mu * mises(f, now.p),
                  mu * (a * a - 1 / a));
    CHECK_CLOSE(mu * mises(f, now.p), mu * (a * a - 1 / a), 1e-3);
    CHECK_CLOSE(now.strain, log(1.5 / a), 2e-3);
    pliant_world_destroy(t.world);
}

// What is beyond the yield stress goes with exp(-t / time).
static void stress_relaxes_in_the_plastic_time(void** unused)
{
    (void)unused;
    const double yield = 2e3, time = 0.1;
    pliant_soft_def soft = metal(yield);
    soft.material.plastic_time = time;
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    double f[3][3], mu = shear_modulus(&soft.material);
    held_tet t = hold_tet(&soft, 100);
    stretch(1.01, 1 / sqrt(1.01), f);
    deform(&t, f);
    const double begin = mises(f, (double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) - yield / mu;
    for (int i = 1; i <= 3; ++i) {
        run(t.world, 1, 0.1);
        flowed now = read_flowed(t.world, t.body, 0);
        double left = (mises(f, now.p) - yield / mu) / begin;
        print_message("    after %d times: %.4f, closed form %.4f\n", i, left, exp(-i));
        CHECK_CLOSE(left, exp(-i), 0.02);
    }
    pliant_world_destroy(t.world);
}

static void nothing_flows_beyond_the_limit(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(3e4);
    soft.material.plastic_limit = 0.1;
    double f[3][3];
    held_tet t = hold_tet(&soft, 4);
    for (int i = 1; i <= 100; ++i) {
        double s = 1 + 0.01 * i;
        stretch(s, 1 / sqrt(s), f);
        deform(&t, f);
        run(t.world, 1, 0.01);
    }
    CHECK_CLOSE(read_flowed(t.world, t.body, 0).strain, 0.1, 1e-3);
    pliant_world_destroy(t.world);
}

static void turn(double angle, double f[3][3], double out[3][3])
{
    double s = sin(angle), c = cos(angle), r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    memset(out, 0, 9 * sizeof(double));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m) out[i][k] += r[i][m] * f[m][k];
}

static void turning_alone_flows_nothing(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(1e2);
    double f[3][3], turned[3][3];
    held_tet t = hold_tet(&soft, 4);
    stretch(1, 1, f);
    for (int i = 0; i < 20; ++i) {
        turn(0.7 * i, f, turned);
        deform(&t, turned);
        run(t.world, 1, 0.01);
    }
    assert_true(read_flowed(t.world, t.body, 0).strain == 0);
    pliant_world_destroy(t.world);
}

static void flow_does_not_know_how_a_body_is_turned(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(5e4);
    double f[3][3], turned[3][3];
    flowed got[2];
    stretch(1.4, 0.9, f);
    f[0][1] = 0.3;
    for (int i = 0; i < 2; ++i) {
        held_tet t = hold_tet(&soft, 4);
        turn(i ? 1.1 : 0, f, turned);
        deform(&t, turned);
        run(t.world, 1, 0.01);
        got[i] = read_flowed(t.world, t.body, 0);
        pliant_world_destroy(t.world);
    }
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) CHECK_BETWEEN(fabs(got[0].p[r][c] - got[1].p[r][c]), 0, 2e-6);
    CHECK_CLOSE(got[0].strain, got[1].strain, 1e-5);
}

// To and fro ten thousand times, all ways.
static void volume_is_kept_over_many_substeps(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(1e4);
    double f[3][3], worst = 0;
    held_tet t = hold_tet(&soft, 50);
    for (int i = 0; i < 200; ++i) {
        stretch(1 + 0.3 * sin(0.3 * i), 1 + 0.1 * cos(0.7 * i), f);
        f[0][1] = 0.2 * sin(1.1 * i);
        f[2][0] = 0.2 * cos(0.9 * i);
        deform(&t, f);
        run(t.world, 1, 0.01);
        worst = fmax(worst, fabs(determinant(read_flowed(t.world, t.body, 0).p) - 1));
    }
    print_message("    plastic strain %.1f, det off by at most %.1e\n",
                  read_flowed(t.world, t.body, 0).strain, worst);
    assert_true(read_flowed(t.world, t.body, 0).strain > 5);
    CHECK_BETWEEN(worst, 0, 5e-7);
    pliant_world_destroy(t.world);
}

// What is flat, inside out or torn apart comes back as it was.
static void elements_that_are_flat_or_inverted_do_not_flow(void** unused)
{
    (void)unused;
    static const double along[] = {0.05, 0, -1, 30};
    pliant_soft_def soft = metal(1e3);
    for (int i = 0; i < 4; ++i) {
        double f[3][3];
        held_tet t = hold_tet(&soft, 4);
        stretch(along[i], 1, f);
        deform(&t, f);
        run(t.world, 1, 0.01);
        assert_true(read_flowed(t.world, t.body, 0).strain == 0);
        pliant_world_destroy(t.world);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_stretch_returns_to_the_yield_surface),
        cmocka_unit_test(shear_flows_at_the_yield_stress_over_the_root_of_three),
        cmocka_unit_test(plastic_strain_of_a_stretch_is_logarithmic),
        cmocka_unit_test(hardening_raises_the_yield_stress),
        cmocka_unit_test(stress_relaxes_in_the_plastic_time),
        cmocka_unit_test(nothing_flows_beyond_the_limit),
        cmocka_unit_test(turning_alone_flows_nothing),
        cmocka_unit_test(flow_does_not_know_how_a_body_is_turned),
        cmocka_unit_test(volume_is_kept_over_many_substeps),
        cmocka_unit_test(elements_that_are_flat_or_inverted_do_not_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
