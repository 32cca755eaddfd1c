// Kelvin-Voigt damping: a mode of angular frequency omega loses energy as exp(-tau omega^2 t), be
// it a mode of shear or of volume.
#include "scene.h"

static const double step = 1e-3; // [s]
enum { SUBSTEPS = 5 };
static const double h = 2e-4; // [s]

typedef struct {
    const char* name;
    int cells[3];
    double poisson;
    void (*guess)(const double x[3], const double size[3], double out[3]);
    bool clamped; // at x = 0
    int substeps; // 0: automatic
    double young; // [Pa] 0: the default
    pliant_integrator integrator;
    const char* word; // of a mesh in the place of a box of cells; NULL: none
} mode_case;

// Ends turn against each other about x.
static void guess_torsion(const double x[3], const double size[3], double out[3])
{
    double angle = cos(3.14159265358979 * x[0] / size[0]);
    out[0] = 0;
    out[1] = -angle * (x[2] - size[2] / 2);
    out[2] = angle * (x[1] - size[1] / 2);
}

// The bar gets longer and shorter.
static void guess_length(const double x[3], const double size[3], double out[3])
{
    out[0] = -cos(3.14159265358979 * x[0] / size[0]) * size[0] / 3;
    out[1] = out[2] = 0;
}

// A rope of a meter is pulled at its end.
static void guess_pull(const double x[3], const double size[3], double out[3])
{
    (void)size;
    out[0] = sin(3.14159265358979 / 2 * x[0]) / 10;
    out[1] = out[2] = 0;
}

// The cube breathes.
static void guess_breath(const double x[3], const double size[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = x[k] - size[k] / 2;
}

// The clamped bar bends.
static void guess_bend(const double x[3], const double size[3], double out[3])
{
    double at = x[0] / size[0];
    out[1] = at * at * (6 - 4 * at + at * at) * size[0] / 3;
    out[0] = -4 * at * (3 - 3 * at + at * at) * (x[1] - size[1] / 2) / 3;
    out[2] = 0;
}

typedef struct {
    pliant_world* world;
    pliant_body_id body;
    int count;
    place *rest, *shape;
    double mass[200];
} trial;

static pliant_mesh* mesh_of(const mode_case* c)
{
    pliant_mesh* mesh = NULL;
    if (!c->word) return box_mesh(c->cells, 0.1, 0);
    CHECK_OK(pliant_mesh_generate(c->word, &mesh));
    return mesh;
}

static trial start_trial(const mode_case* c, pliant_formulation formulation, double damping)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.formulation = formulation;
    soft.solver.integrator = c->integrator;
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    soft.material.poisson = c->poisson;
    soft.material.damping = damping;
    if (c->young > 0) soft.material.young = c->young;
    trial t = {.world = make_still_world(c->substeps, 1)};
    t.body = add_soft(t.world, mesh_of(c), &soft, 0);
    if (c->clamped) pin_plane(t.world, t.body, 0, 0);
    t.count = pliant_body_particle_count(t.world, t.body);
    t.rest = read_places(t.world, t.body);
    t.shape = read_places(t.world, t.body);
    CHECK_OK(pliant_body_read_masses(t.world, t.body, t.mass, 200));
    return t;
}

static void end_trial(trial* t)
{
    pliant_world_destroy(t->world);
    free(t->rest);
    free(t->shape);
}

// Starts from a displacement of a thousandth of the shape.
static void displace(trial* t)
{
    place* x = read_places(t->world, t->body);
    for (int i = 0; i < t->count; ++i)
        for (int k = 0; k < 3; ++k) x[i].x[k] = t->rest[i].x[k] + 1e-3 * t->shape[i].x[k];
    pliant_body_write_positions_exact(t->world, t->body, x->x, t->count);
    free(x);
}

// How much of the shape is in a field.
static double share_of_shape(const trial* t, const place* field)
{
    double above = 0, below = 0;
    for (int i = 0; i < t->count; ++i)
        for (int k = 0; k < 3; ++k) {
            above += t->mass[i] * field[i].x[k] * t->shape[i].x[k];
            below += t->mass[i] * t->shape[i].x[k] * t->shape[i].x[k];
        }
    return above / below;
}

// [-] of the displacement.
static double amplitude(const trial* t)
{
    place* x = read_places(t->world, t->body);
    for (int i = 0; i < t->count; ++i)
        for (int k = 0; k < 3; ++k) x[i].x[k] -= t->rest[i].x[k];
    double share = share_of_shape(t, x);
    free(x);
    return share;
}

// [1/s] of the velocity.
static double pace(const trial* t)
{
    pliant_vec3 v[200];
    place field[200];
    CHECK_OK(pliant_body_read_velocities(t->world, t->body, v, 200));
    for (int i = 0; i < t->count; ++i)
        field[i] = (place){{(double)v[i].x, (double)v[i].y, (double)v[i].z}};
    return share_of_shape(t, field);
}

// Angular frequency from the zeros of the amplitude.
static double find_frequency(trial* t, int steps)
{
    double last = amplitude(t), first_zero = -1, last_zero = -1;
    int zeros = 0;
    for (int i = 1; i <= steps; ++i) {
        run(t->world, 1, step);
        double now = amplitude(t);
        if ((now > 0) != (last > 0)) {
            last_zero = (i - now / (now - last)) * step;
            if (zeros++ == 0) first_zero = last_zero;
        }
        last = now;
    }
    if (zeros < 5) fail_msg("only %d zeros: no oscillation", zeros);
    return 3.14159265358979 * (zeros - 1) / (last_zero - first_zero);
}

// The mode near the guess: the part of an undamped motion that swings with its frequency.
static double find_mode(const mode_case* c, pliant_formulation formulation, place* out_shape)
{
    enum { STEPS = 400 };
    trial t = start_trial(c, formulation, 0);
    const double size[3] = {0.1 * c->cells[0], 0.1 * c->cells[1], 0.1 * c->cells[2]};
    for (int i = 0; i < t.count; ++i) c->guess(t.rest[i].x, size, t.shape[i].x);
    displace(&t);
    double omega = find_frequency(&t, STEPS);
    displace(&t);
    write_velocity(t.world, t.body, (pliant_vec3){0, 0, 0});
    memset(out_shape, 0, (size_t)t.count * sizeof *out_shape);
    for (int s = 0; s < STEPS; ++s) {
        double window = 1 - cos(2 * 3.14159265358979 * s / STEPS);
        double weight = window * cos(omega * s * step) * 2 / STEPS * 1e3;
        place* x = read_places(t.world, t.body);
        for (int i = 0; i < t.count; ++i)
            for (int k = 0; k < 3; ++k) out_shape[i].x[k] += weight * (x[i].x[k] - t.rest[i].x[k]);
        free(x);
        run(t.world, 1, step);
    }
    end_trial(&t);
    return omega;
}

// Energy of the mode, in some unit: what swings has more than a body that was let go at rest, which
// pairs of rows that are apart strain by themselves.
static double mode_energy(const trial t[2], double omega)
{
    double q = amplitude(&t[0]) - amplitude(&t[1]), p = pace(&t[0]) - pace(&t[1]);
    return omega * omega * q * q + p * p;
}

// Rate [1/s] at which the energy decays, over whole half periods.
static double find_rate(const mode_case* c, pliant_formulation formulation, const place* shape,
                        double damping, double omega)
{
    double slower = sqrt(1 - damping * damping * omega * omega / 4), energy[2];
    double half = 3.14159265358979 / (omega * slower) / step; // [steps]
    const int until[2] = {(int)(half + 0.5), (int)(5 * half + 0.5)};
    trial t[2];
    for (int i = 0; i < 2; ++i) {
        t[i] = start_trial(c, formulation, damping);
        memcpy(t[i].shape, shape, (size_t)t[i].count * sizeof *shape);
    }
    displace(&t[0]);
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) run(t[k].world, until[i] - (i ? until[0] : 0), step);
        energy[i] = mode_energy(t, omega);
    }
    for (int i = 0; i < 2; ++i) end_trial(&t[i]);
    return log(energy[0] / energy[1]) / ((until[1] - until[0]) * step);
}

static void check_decay(const mode_case* c, pliant_formulation formulation, double damping)
{
    place shape[200];
    double omega = find_mode(c, formulation, shape);
    double undamped = find_rate(c, formulation, shape, 0, omega);
    double damped = find_rate(c, formulation, shape, damping, omega);
    double square = omega * omega;
    print_message("    %s, formulation %d: omega %.1f, tau %.3g ms: %.3f ms measured, "
                  "%.3f ms of them the integrator's\n",
                  c->name, (int)formulation, omega, 1e3 * damping, 1e3 * damped / square,
                  1e3 * undamped / square);
    CHECK_CLOSE(damped - undamped, damping * square, 0.1);
    if (formulation == PLIANT_FORMULATION_TEN_ROWS)
        CHECK_CLOSE(damped, (damping + 0.2 * h) * square, 0.1);
}

static const mode_case torsion = {"torsion", {8, 2, 2}, 0.45, guess_torsion, false,
                                  SUBSTEPS,  0,         0,    NULL};
static const mode_case length = {"length", {8, 2, 2}, 0.3, guess_length, false,
                                 SUBSTEPS, 0,         0,   NULL};
static const mode_case breath = {"breath", {3, 3, 3}, 0.3, guess_breath, false,
                                 SUBSTEPS, 0,         0,   NULL};

static void torsion_decays(void** unused)
{
    (void)unused;
    check_decay(&torsion, PLIANT_FORMULATION_TEN_ROWS, 2e-3);
    check_decay(&torsion, PLIANT_FORMULATION_TWO_ROWS, 2e-3);
}

static void lengthening_decays(void** unused)
{
    (void)unused;
    check_decay(&length, PLIANT_FORMULATION_TEN_ROWS, 1.5e-3);
    check_decay(&length, PLIANT_FORMULATION_TWO_ROWS, 1.5e-3);
}

static void breathing_decays(void** unused)
{
    (void)unused;
    check_decay(&breath, PLIANT_FORMULATION_TEN_ROWS, 5e-4);
    check_decay(&breath, PLIANT_FORMULATION_TWO_ROWS, 5e-4);
}

// With automatic substeps, from weak to strong damping: as strong as is asked for.
static void check_damping(mode_case* c, pliant_formulation formulation, int integrator_count)
{
    static const pliant_integrator integrators[] = {
        PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_IMPLICIT_EULER, PLIANT_INTEGRATOR_BDF2};
    static const double strength[] = {0.05, 0.2, 0.5}; // tau omega
    place shape[200];
    double omega = find_mode(c, formulation, shape), square = omega * omega;
    for (int k = 0; k < integrator_count; ++k) {
        c->integrator = integrators[k];
        double undamped = find_rate(c, formulation, shape, 0, omega);
        for (int i = 0; i < 3; ++i) {
            if (i != (k + 2) % 3 && scope_now() < ALL) continue; // one for each integrator
            double tau = strength[i] / omega;
            double rate = find_rate(c, formulation, shape, tau, omega) - undamped;
            print_message("    integrator %d, tau omega %.2f: %.3f of the damping asked for\n",
                          (int)c->integrator, strength[i], rate / (tau * square));
            CHECK_CLOSE(rate, tau * square, 0.05);
        }
    }
}

static void check_bending(pliant_formulation formulation, int integrator_count)
{
    mode_case c = {
        "bending", {5, 2, 2}, 0.45, guess_bend, true, 0, 4e6, PLIANT_INTEGRATOR_FORESIGHT, NULL};
    check_damping(&c, formulation, integrator_count);
}

static void stretching_of_a_rope_decays_as_asked(void** unused)
{
    (void)unused;
    mode_case c = {"rope",     {0, 0, 0}, 0.45, guess_pull,
                   true,       0,         4e6,  PLIANT_INTEGRATOR_FORESIGHT,
                   "rope:1:20"};
    check_damping(&c, PLIANT_FORMULATION_TEN_ROWS, 3);
}

static void bending_of_ten_rows_decays_as_asked(void** unused)
{
    (void)unused;
    check_bending(PLIANT_FORMULATION_TEN_ROWS, 3);
}

static void bending_of_two_rows_decays_as_asked(void** unused)
{
    (void)unused;
    check_bending(PLIANT_FORMULATION_TWO_ROWS, 3);
}

static void bending_of_decoupled_pairs_decays_as_asked(void** unused)
{
    (void)unused;
    check_bending(PLIANT_FORMULATION_DECOUPLED, 3);
}

static void bending_of_decoupled_nodes_decays_as_asked(void** unused)
{
    (void)unused;
    check_bending(PLIANT_FORMULATION_DECOUPLED_NODES, 1);
}

static void bending_of_edges_and_volumes_decays_as_asked(void** unused)
{
    (void)unused;
    check_bending(PLIANT_FORMULATION_EDGES_AND_VOLUME, 3);
}

// However strong: it only takes energy. Damping between the elastic rows made this body burst.
static void strong_damping_is_stable(void** unused)
{
    (void)unused;
    static const double poisson[] = {0.3, 0.45, 0.499, 0.5};
    for (double damping = 1e-3; damping < 20; damping *= by_scope(100, 100, 10))
        for (int i = 0; i < 4; ++i)
            for (int f = 0; f < 2; ++f) {
                if ((i + f) % 2 && scope_now() < ALL) continue;
                pliant_world* world = make_still_world(10, 1);
                pliant_soft_def soft = pliant_soft_defaults();
                soft.solver.formulation = (pliant_formulation)f;
                soft.material.damping = damping;
                soft.material.poisson = poisson[i];
                pliant_body_id body =
                    add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, 0);
                pliant_vec3 v[27];
                random_source r = {2};
                for (int k = 0; k < 27; ++k)
                    v[k] = (pliant_vec3){(float)random_range(&r, -1, 1),
                                         (float)random_range(&r, -1, 1),
                                         (float)random_range(&r, -1, 1)};
                pliant_body_write_velocities(world, body, v, 27);
                double before = get_body_energies(world, body).kinetic;
                run(world, 20, 0.005);
                pliant_energies e = get_body_energies(world, body);
                if (!(e.kinetic <= before && e.elastic < 0.5 * before))
                    fail_msg("tau %g s, nu %g, formulation %d: %g J of motion became %g + %g",
                             damping, poisson[i], f, before, e.kinetic, e.elastic);
                pliant_world_destroy(world);
            }
}

// A box with a vertex so near to the next one that the tets between them are far stiffer than most.
static pliant_mesh* uneven_box(void)
{
    pliant_mesh *even = box_mesh((int[3]){6, 4, 4}, 0.1, 0), *uneven = NULL;
    pliant_mesh_arrays a = pliant_mesh_view(even);
    double x[3 * 175];
    assert_int_equal(a.vertex_count, 175);
    memcpy(x, a.vertices, sizeof x);
    for (int v = 0; v < 175; ++v) {
        bool inside =
            fabs(x[3 * v] - 0.3) + fabs(x[3 * v + 1] - 0.2) + fabs(x[3 * v + 2] - 0.2) < 1e-6;
        if (inside) x[3 * v] += 0.092;
    }
    a.vertices = x;
    CHECK_OK(pliant_mesh_create(&a, &uneven));
    pliant_mesh_destroy(even);
    return uneven;
}

// Damping takes energy from a body that hangs, and gives none to its stiffest tets.
static void damped_body_with_a_few_stiff_tets_is_calm(void** unused)
{
    (void)unused;
    double elastic[3];
    for (int i = 0; i < 3; ++i) {
        pliant_world* world = make_world(0, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.material.damping = i ? 0.001 * pow(10, i - 1) : 0;
        pliant_body_id body = add_soft(world, uneven_box(), &soft, 0);
        pin_plane(world, body, 0, 0);
        run(world, 30, 1 / 60.0);
        elastic[i] = get_body_energies(world, body).elastic;
        pliant_world_destroy(world);
    }
    print_message("    %g J, damped %g J and %g J\n", elastic[0], elastic[1], elastic[2]);
    for (int i = 1; i < 3; ++i) CHECK_BETWEEN(elastic[i], 0.2 * elastic[0], 1.5 * elastic[0]);
}

// A damped beam sags as much as an undamped one, in the end.
static void damping_does_not_move_the_equilibrium(void** unused)
{
    (void)unused;
    double sag[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world* world = make_world(20, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.material.damping = i ? 0.06 : 0.02;
        pliant_body_id body = add_soft(world, box_mesh((int[3]){5, 2, 2}, 0.1, 0), &soft, 0);
        pin_plane(world, body, 0, 0);
        run(world, by_scope(200, 200, 300), 0.01);
        sag[i] = read_place(world, body, 5 * 3 * 3).x[1];
        CHECK_BETWEEN(get_body_energies(world, body).kinetic, 0, 1e-5);
        pliant_world_destroy(world);
    }
    print_message("    sag %.6f m with tau 20 ms, %.6f m with 60 ms\n", sag[0], sag[1]);
    CHECK_CLOSE(sag[1], sag[0], 1e-3);
}

// [J] at the end of a second of it.
static double energy_of_spin(pliant_formulation formulation, double damping)
{
    pliant_world_def def = pliant_world_defaults();
    def.gravity = (pliant_vec3){0, 0, 0};
    def.substeps = 24;
    pliant_world* world = NULL;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.formulation = formulation;
    soft.material.damping = damping;
    pliant_mesh* mesh = box_mesh((int[3]){5, 2, 2}, 0.1, 0);
    pliant_body_def body = pliant_body_defaults();
    body.angular_velocity = (pliant_vec3){0, 6, 0};
    pliant_body_id id = new_soft(world, mesh, &soft, &body);
    pliant_mesh_destroy(mesh);
    run(world, 60, 1 / 60.0);
    double energy = get_body_energies(world, id).elastic;
    pliant_world_destroy(world);
    return energy;
}

// Motion goes along chords, outwards: viscosity is not to take that for a stretch.
static void damping_does_not_hold_a_spinning_body_together(void** unused)
{
    (void)unused;
    const pliant_formulation forms[] = {PLIANT_FORMULATION_TEN_ROWS,
                                        PLIANT_FORMULATION_EDGES_AND_VOLUME};
    for (int i = 0; i < 2; ++i) {
        double little = energy_of_spin(forms[i], 0.01), much = energy_of_spin(forms[i], 0.03);
        print_message("    %g J with tau 10 ms, %g J with 30 ms\n", little, much);
        CHECK_CLOSE(much, little, i ? 0.001 : 0.08);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        numbers_test(torsion_decays),
        numbers_test(lengthening_decays),
        cmocka_unit_test(breathing_decays),
        numbers_test(bending_of_ten_rows_decays_as_asked),
        numbers_test(bending_of_two_rows_decays_as_asked),
        numbers_test(bending_of_decoupled_pairs_decays_as_asked),
        numbers_test(bending_of_decoupled_nodes_decays_as_asked),
        numbers_test(bending_of_edges_and_volumes_decays_as_asked),
        cmocka_unit_test(stretching_of_a_rope_decays_as_asked),
        numbers_test(strong_damping_is_stable),
        numbers_test(damped_body_with_a_few_stiff_tets_is_calm),
        numbers_test(damping_does_not_move_the_equilibrium),
        numbers_test(damping_does_not_hold_a_spinning_body_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
