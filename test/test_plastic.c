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

// Runs to rest: all speed is taken away whenever the kinetic energy has passed a maximum.
static void calm(pliant_world* world, pliant_body_id body, int steps)
{
    double before = 0;
    for (int i = 0; i < steps; ++i) {
        run(world, 1, 0.005);
        double now = get_body_energies(world, body).kinetic;
        if (now < before) {
            write_velocity(world, body, (pliant_vec3){0, 0, 0});
            now = 0;
        }
        before = now;
    }
}

// ---- a bar that is drawn ------------------------------------------------------------------------

typedef struct {
    pliant_world* world;
    pliant_body_id body;
    place* rest;
    int count;
    double length;
} bar;

// Between rollers at both ends.
static bar make_bar(const pliant_soft_def* soft, int substeps)
{
    bar b = {.world = make_still_world(substeps, 1), .length = 0.6};
    b.body = add_soft(b.world, box_mesh((int[3]){6, 2, 2}, 0.1, 0.15), soft, 0);
    b.count = pliant_body_particle_count(b.world, b.body);
    b.rest = read_places(b.world, b.body);
    for (int i = 0; i < b.count; ++i)
        if (b.rest[i].x[0] < 1e-9 || b.rest[i].x[0] > b.length - 1e-9)
            pliant_body_pin_axes(b.world, b.body, i, PLIANT_AXIS_X);
    return b;
}

static void destroy_bar(bar* b)
{
    pliant_world_destroy(b->world);
    free(b->rest);
}

static bool is_at_far_end(const bar* b, int i) { return b->rest[i].x[0] > b->length - 1e-9; }

static void draw(bar* b, double from, double to, int steps)
{
    for (int s = 1; s <= steps; ++s) {
        place* x = read_places(b->world, b->body);
        for (int i = 0; i < b->count; ++i)
            if (is_at_far_end(b, i)) x[i].x[0] = b->length * (from + (to - from) * s / steps);
        CHECK_OK(pliant_body_write_positions_exact(b->world, b->body, x->x, b->count));
        free(x);
        run(b->world, 1, 0.01);
    }
}

static void let_go(bar* b, int steps)
{
    for (int i = 0; i < b->count; ++i)
        if (is_at_far_end(b, i)) CHECK_OK(pliant_body_pin_axes(b->world, b->body, i, 0));
    calm(b->world, b->body, steps);
}

// Mean of the far end.
static double length_of(const bar* b)
{
    double sum = 0, n = 0;
    place* x = read_places(b->world, b->body);
    for (int i = 0; i < b->count; ++i)
        if (is_at_far_end(b, i)) sum += x[i].x[0], n += 1;
    free(x);
    return sum / n;
}

static double volume_of(const pliant_world* world, pliant_body_id body)
{
    pliant_mesh_arrays m = pliant_mesh_view(pliant_asset_mesh(pliant_body_asset(world, body)));
    place* x = read_places(world, body);
    double sum = 0;
    for (int t = 0; t < m.tet_count; ++t) {
        double e[3][3];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                e[i][k] = x[m.tets[4 * t + i + 1]].x[k] - x[m.tets[4 * t]].x[k];
        sum += determinant(e) / 6;
    }
    free(x);
    return sum;
}

// The elastic stretch of a bar at a Kirchhoff stress along it, and none across.
static double stretch_at(const pliant_material_def* m, double stress)
{
    double share = stress / shear_modulus(m), lambda = 1 / (1 - 2 * m->poisson);
    double low = 0.5, high = 2;
    for (int i = 0; i < 100; ++i) {
        double a = (low + high) / 2, square = a * a - share, j = a * square;
        *(square + lambda * (j - 2 + 2 * m->poisson) * j > 0 ? &high : &low) = a;
    }
    return low;
}

// What is left of a stretch when its stress is gone: with what has flowed the yield stress has
// grown.
static double stretch_left(const pliant_material_def* m, double drawn)
{
    double low = 1, high = drawn;
    for (int i = 0; i < 100; ++i) {
        double left = (low + high) / 2;
        double at = stretch_at(m, m->yield_stress + m->hardening * log(left));
        *(left * at > drawn ? &high : &low) = left;
    }
    return low;
}

// Without hardening a bar that is drawn would have a neck.
static void check_drawn_bar(pliant_formulation formulation, pliant_precision precision,
                            double damping)
{
    const double drawn = 1.4;
    pliant_soft_def soft = metal(5e4);
    soft.material.hardening = 1.5e5;
    soft.material.damping = damping;
    soft.solver.formulation = formulation;
    soft.solver.precision = precision;
    bar b = make_bar(&soft, 20);
    double before = volume_of(b.world, b.body);
    draw(&b, 1, drawn, 120);
    let_go(&b, 120);
    double left = length_of(&b) / b.length, expected = stretch_left(&soft.material, drawn);
    double volume = volume_of(b.world, b.body) / before;
    print_message("    formulation %d: %.4f of %.1f left, closed form %.4f; volume %.5f\n",
                  formulation, left, drawn, expected, volume);
    CHECK_CLOSE(left - 1, expected - 1, 0.03);
    CHECK_CLOSE(volume, 1, 0.005);
    destroy_bar(&b);
}

static void drawn_bar_stays_long_by_what_has_flowed(void** unused)
{
    (void)unused;
    check_drawn_bar(PLIANT_FORMULATION_TEN_ROWS, PLIANT_PRECISION_SINGLE, 0.001);
    check_drawn_bar(PLIANT_FORMULATION_TEN_ROWS, PLIANT_PRECISION_DOUBLE, 0.001);
    check_drawn_bar(PLIANT_FORMULATION_TWO_ROWS, PLIANT_PRECISION_SINGLE, 0.001);
    check_drawn_bar(PLIANT_FORMULATION_DECOUPLED, PLIANT_PRECISION_SINGLE, 0.001);
    check_drawn_bar(PLIANT_FORMULATION_DECOUPLED_NODES, PLIANT_PRECISION_SINGLE, 0.001);
    check_drawn_bar(PLIANT_FORMULATION_TEN_ROWS, PLIANT_PRECISION_SINGLE, 0);
}

// ---- a block that is pressed --------------------------------------------------------------------

static const pliant_quat up_side_down = {1, 0, 0, 0};

static pliant_collider_id add_plate(pliant_world* world, double height, bool from_above)
{
    pliant_collider_def plate = pliant_collider_defaults();
    plate.static_friction = plate.dynamic_friction = 0;
    plate.position[1] = height;
    if (from_above) plate.rotation = up_side_down;
    return new_collider(world, &plate);
}

static double height_of(const pliant_world* world, pliant_body_id body)
{
    double low[3], high[3];
    CHECK_OK(pliant_body_bounds(world, body, low, high));
    return high[1] - low[1];
}

// Pressed flat between smooth plates: what is left is the largest dent less the elastic part, which
// is that of the yield stress.
static void pressed_block_keeps_its_dent(void** unused)
{
    (void)unused;
    const double height = 0.3, pressed = 0.22, steps = 60;
    pliant_soft_def soft = metal(5e4);
    soft.material.damping = 0.001;
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id body = add_soft(world, box_mesh((int[3]){4, 3, 4}, 0.1, 0.15), &soft, 0);
    double before = volume_of(world, body);
    add_plate(world, 0, false);
    pliant_collider_id plate = add_plate(world, height, true);
    for (int i = 1; i <= steps; ++i) {
        const double to[3] = {0, height + (pressed - height) * i / steps, 0};
        CHECK_OK(pliant_collider_move(world, plate, to, up_side_down));
        run(world, 1, 0.01);
    }
    CHECK_CLOSE(height_of(world, body), pressed, 0.01);
    pliant_collider_remove(world, plate);
    calm(world, body, 100);
    double left = height - height_of(world, body), back = 1 / stretch_at(&soft.material, -5e4);
    double expected = height - pressed * back, volume = volume_of(world, body) / before;
    print_message("    dent %.4f m, closed form %.4f m of %.4f m, volume %.4f\n", left, expected,
                  height - pressed, volume);
    CHECK_CLOSE(left, expected, 0.05);
    CHECK_CLOSE(volume, 1, 0.02);
    pliant_world_destroy(world);
}

// ---- bits ---------------------------------------------------------------------------------------

static bool is_plastic(const asset_sample* s) { return s->yield > 0; }

typedef struct {
    int lanes, threads;
} runner;

// One that is thrown about, so that much of it flows.
static pliant_world* thrown(const pliant_asset* asset, runner r, pliant_body_id* out)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_body_def start = pliant_body_defaults();
    pliant_world* world = NULL;
    def.substeps = 6;
    def.lanes = r.lanes;
    def.threads = r.threads;
    CHECK_OK(pliant_world_create(&def, &world));
    new_collider(world, &floor);
    start.position[1] = 0.01;
    *out = new_body(world, asset, &start);
    shake(world, *out);
    return world;
}

static double most_strain(const pliant_world* world, pliant_body_id body)
{
    const pliant_mesh* mesh = pliant_asset_mesh(pliant_body_asset(world, body));
    int count = pliant_mesh_view(mesh).tet_count;
    float* strain = (float*)malloc((size_t)count * sizeof *strain);
    double most = 0;
    CHECK_OK(pliant_body_read_plastic_strains(world, body, strain, count));
    for (int i = 0; i < count; ++i) most = fmax(most, (double)strain[i]);
    free(strain);
    return most;
}

static void lanes_and_threads_give_the_same_bits(void** unused)
{
    (void)unused;
    static const runner runners[] = {{1, 1}, {4, 2}, {8, 3}, {16, 1}};
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        if (!is_plastic(&asset_samples[i])) continue;
        pliant_asset* asset = compile_sample(&asset_samples[i]);
        uint64_t first = 0;
        for (int r = 0; r < 4; ++r) {
            pliant_body_id body;
            pliant_world* world = thrown(asset, runners[r], &body);
            run(world, 4, 0.01);
            uint64_t digest = get_digest(world);
            if (r == 0) first = digest;
            if (!(most_strain(world, body) > 0.02))
                fail_msg("%s: nothing flows", asset_samples[i].name);
            if (digest != first)
                fail_msg("%s: %d lanes, %d threads give other bits", asset_samples[i].name,
                         runners[r].lanes, runners[r].threads);
            pliant_world_destroy(world);
        }
        pliant_asset_destroy(asset);
    }
}

static void restored_body_goes_on_with_its_shape(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        if (!is_plastic(&asset_samples[i])) continue;
        pliant_asset* asset = compile_sample(&asset_samples[i]);
        pliant_body_id body, fresh;
        pliant_world* world = thrown(asset, (runner){0, 1}, &body);
        run(world, 2, 0.01);
        size_t bytes = pliant_world_snapshot_size(world);
        void* data = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
        run(world, 2, 0.01);
        pliant_world* other = thrown(asset, (runner){0, 1}, &fresh);
        CHECK_OK(pliant_world_snapshot_restore(other, data, bytes));
        run(other, 2, 0.01);
        if (get_digest(world) != get_digest(other))
            fail_msg("%s goes on otherwise", asset_samples[i].name);
        free(data);
        pliant_world_destroy(world);
        pliant_world_destroy(other);
        pliant_asset_destroy(asset);
    }
}

static void saved_asset_flows_alike(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        if (!is_plastic(&asset_samples[i])) continue;
        pliant_asset* asset[2] = {compile_sample(&asset_samples[i]), NULL};
        uint64_t digest[2];
        size_t bytes = pliant_asset_write_size(asset[0]);
        void* data = malloc(bytes);
        CHECK_OK(pliant_asset_write(asset[0], data, bytes));
        CHECK_OK(pliant_asset_parse(data, bytes, "sample", &asset[1]));
        for (int k = 0; k < 2; ++k) {
            pliant_body_id body;
            pliant_world* world = thrown(asset[k], (runner){0, 1}, &body);
            run(world, 2, 0.01);
            digest[k] = get_digest(world);
            pliant_world_destroy(world);
            pliant_asset_destroy(asset[k]);
        }
        if (digest[0] != digest[1]) fail_msg("%s flows otherwise", asset_samples[i].name);
        free(data);
    }
}

// Below the yield stress: the bits of a body that cannot yield.
static void what_does_not_yield_has_the_bits_of_what_cannot(void** unused)
{
    (void)unused;
    for (int i = 0; i < ASSET_SAMPLES; ++i) {
        if (!is_plastic(&asset_samples[i])) continue;
        uint64_t digest[2];
        for (int k = 0; k < 2; ++k) {
            asset_sample s = asset_samples[i];
            s.yield = k ? 0 : 1e9;
            pliant_asset* asset = compile_sample(&s);
            pliant_body_id body;
            pliant_world* world = thrown(asset, (runner){0, 1}, &body);
            run(world, 4, 0.01);
            digest[k] = get_digest(world);
            pliant_world_destroy(world);
            pliant_asset_destroy(asset);
        }
        if (digest[0] != digest[1]) fail_msg("%s has other bits", asset_samples[i].name);
    }
}

// Energy is that of what is elastic: none is left in an element that is let go where it flowed to.
static void elastic_energy_is_from_the_shape_at_rest_as_it_is(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(1e4);
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    double f[3][3], share = 1e4 / shear_modulus(&soft.material), a = elastic_stretch(1, share);
    held_tet t = hold_tet(&soft, 20);
    stretch(1.5, 1 / sqrt(1.5), f);
    deform(&t, f);
    run(t.world, 5, 0.01);
    double density = shear_modulus(&soft.material) / 2 * (a * a + 2 / a - 3);
    CHECK_CLOSE(get_body_energies(t.world, t.body).elastic, density * 1e-3 / 6, 1e-6);
    CHECK_OK(pliant_body_forget_plastic_strains(t.world, t.body));
    density = shear_modulus(&soft.material) / 2 * (1.5 * 1.5 + 2 / 1.5 - 3);
    CHECK_CLOSE(get_body_energies(t.world, t.body).elastic, density * 1e-3 / 6, 1e-6);
    assert_true(read_flowed(t.world, t.body, 0).strain == 0);
    pliant_world_destroy(t.world);
}

// ---- another asset ------------------------------------------------------------------------------

static void another_material_goes_on_with_the_shape(void** unused)
{
    (void)unused;
    pliant_soft_def soft = metal(1e4);
    double f[3][3];
    held_tet t = hold_tet(&soft, 4);
    stretch(1.4, 0.9, f);
    deform(&t, f);
    run(t.world, 1, 0.01);
    flowed before = read_flowed(t.world, t.body, 0);
    pliant_mesh* mesh = one_tet(0.1);
    pliant_asset *stronger = NULL, *elastic = NULL;
    soft.material.yield_stress = 1e6;
    CHECK_OK(pliant_asset_create(mesh, &soft, &stronger));
    soft.material.yield_stress = 0;
    CHECK_OK(pliant_asset_create(mesh, &soft, &elastic));
    CHECK_OK(pliant_body_set_asset(t.world, t.body, stronger));
    run(t.world, 1, 0.01);
    flowed after = read_flowed(t.world, t.body, 0);
    assert_memory_equal(before.p, after.p, sizeof before.p);
    assert_int_equal(pliant_body_set_asset(t.world, t.body, elastic), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "yield_stress"));
    pliant_asset_destroy(stronger);
    pliant_asset_destroy(elastic);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(t.world);
}

// ---- what is refused ----------------------------------------------------------------------------

static void check_refused(const pliant_mesh* mesh, const pliant_soft_def* soft, const char* words)
{
    pliant_asset* asset = NULL;
    assert_int_equal(pliant_asset_create(mesh, soft, &asset), PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), words))
        fail_msg("\"%s\" does not have \"%s\"", pliant_error_text(), words);
}

static void what_cannot_flow_is_refused(void** unused)
{
    (void)unused;
    pliant_mesh *tet = one_tet(0.1), *cloth = generate("cloth:3x3:1x1");
    pliant_soft_def soft = metal(-1);
    check_refused(tet, &soft, "yield_stress");
    soft = metal(NAN);
    check_refused(tet, &soft, "yield_stress");
    soft = metal(0);
    soft.material.hardening = 1e4;
    check_refused(tet, &soft, "give it a yield_stress");
    soft.material.hardening = NAN;
    check_refused(tet, &soft, "hardening");
    soft = metal(1e4);
    soft.material.plastic_time = -1;
    check_refused(tet, &soft, "plastic_time");
    soft = metal(1e4);
    check_refused(cloth, &soft, "no tets");
    soft.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    check_refused(tet, &soft, "edges_and_volume");
    soft = metal(1e-2);
    check_refused(tet, &soft, "single precision");
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(tet, &soft, &asset));
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(tet);
    pliant_mesh_destroy(cloth);
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
        numbers_test(drawn_bar_stays_long_by_what_has_flowed),
        numbers_test(pressed_block_keeps_its_dent),
        cmocka_unit_test(lanes_and_threads_give_the_same_bits),
        cmocka_unit_test(restored_body_goes_on_with_its_shape),
        cmocka_unit_test(saved_asset_flows_alike),
        cmocka_unit_test(what_does_not_yield_has_the_bits_of_what_cannot),
        cmocka_unit_test(elastic_energy_is_from_the_shape_at_rest_as_it_is),
        cmocka_unit_test(another_material_goes_on_with_the_shape),
        cmocka_unit_test(what_cannot_flow_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
