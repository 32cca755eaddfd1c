// Bodies that hit each other: what restitution gives back, and what stays the same in all of them
// together.
#include "scene.h"
#include "world/world.h"

// ---- scenes -------------------------------------------------------------------------------------

typedef struct {
    double friction, restitution, thickness, young, damping;
    pliant_integrator integrator;
    pliant_precision precision;
} impact_def;
static const impact_def SMOOTH = {.young = 1e6, .thickness = 0.004};

static pliant_body_id add_words(pliant_world* world, const char* words, const impact_def* from,
                                const double at[3], pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    soft.material.young = from->young;
    soft.material.damping = from->damping;
    soft.solver.integrator = from->integrator;
    soft.solver.precision = from->precision;
    memcpy(def.position, at, sizeof def.position);
    def.velocity = velocity;
    def.contact.static_friction = def.contact.dynamic_friction = (float)from->friction;
    def.contact.restitution = (float)from->restitution;
    def.contact.thickness = (float)from->thickness;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

typedef struct {
    double momentum[3], spin[3]; // [kg m/s, kg m^2/s], the second about the origin
    double moving, turning;      // the sums of sizes that they are parts of
    double energy;               // [J] kinetic and elastic
} totals;

static void add_totals(const pliant_world* world, pliant_body_id id, totals* t)
{
    int count = pliant_body_particle_count(world, id);
    place* x = read_places(world, id);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    double* mass = (double*)malloc((size_t)count * sizeof *mass);
    pliant_body_read_velocities(world, id, v, count);
    pliant_body_read_masses(world, id, mass, count);
    for (int i = 0; i < count; ++i) {
        const double u[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        double speed = 0, way = 0;
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            t->momentum[k] += mass[i] * u[k];
            t->spin[k] += mass[i] * (x[i].x[a] * u[b] - x[i].x[b] * u[a]);
            speed += u[k] * u[k];
            way += x[i].x[k] * x[i].x[k];
        }
        t->moving += mass[i] * sqrt(speed);
        t->turning += mass[i] * sqrt(speed * way);
    }
    free(x);
    free(v);
    free(mass);
}

static totals measure_two(const pliant_world* world, const pliant_body_id pair[2])
{
    totals t = {0};
    pliant_energies e;
    for (int i = 0; i < 2; ++i) add_totals(world, pair[i], &t);
    CHECK_OK(pliant_world_energies(world, &e));
    t.energy = e.kinetic + e.elastic;
    return t;
}

static double change(const double a[3], const double b[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

// ---- restitution --------------------------------------------------------------------------------

// Two ropes of one segment each, one above the other: nothing of them is deformed.
static double part_at(const impact_def* def, double aside)
{
    pliant_world* world = make_still_world(100, 1);
    pliant_body_id rope[2];
    for (int i = 0; i < 2; ++i)
        rope[i] = add_words(world, "rope:0.1:1", def, (const double[3]){aside * i, 0.05 * i, 0},
                            vec(0, i ? -1.5 : 0.5, 0));
    run(world, 10, 0.01);
    double below = measure_motion(world, rope[0]).velocity[1],
           above = measure_motion(world, rope[1]).velocity[1];
    pliant_world_destroy(world);
    CHECK_BETWEEN(above + below, -1.0001, -0.9999); // the momentum
    return (above - below) / 2;
}

static void particles_part_at_their_restitution(void** unused)
{
    (void)unused;
    static const pliant_integrator integrators[] = {
        PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_IMPLICIT_EULER, PLIANT_INTEGRATOR_BDF2};
    impact_def def = SMOOTH;
    def.thickness = 0.01;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k <= 4; ++k) {
            def.integrator = integrators[i];
            def.precision = k % 2 ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE;
            def.restitution = 0.25 * k;
            CHECK_BETWEEN(part_at(&def, 0) - def.restitution, -1e-3, 1e-3);
            // Two contacts of one rope are solved in some substeps, and the rest is let out.
            CHECK_BETWEEN(part_at(&def, 0.002) - def.restitution, -0.03, 0.03);
        }
}

// How high it comes back that falls from 0.3 m, as a share.
static double bounce_height(const char* words, impact_def def, int substeps)
{
    pliant_world* world = make_world(substeps, 1);
    pliant_body_id slab =
        add_words(world, "box6:6x1x6:0.1", &def, (const double[3]){-0.3, -0.1, -0.3}, vec(0, 0, 0));
    for (int i = 0; i < pliant_body_particle_count(world, slab); ++i)
        CHECK_OK(pliant_body_pin(world, slab, i));
    pliant_body_id falling = add_words(
        world, words, &def, (const double[3]){0.03, 0.3 + def.thickness, 0.03}, vec(0, 0, 0));
    double start = measure_motion(world, falling).center[1], highest = 0;
    run(world, 27, 0.01); // falls for 0.247 s
    for (int i = 0; i < 40; ++i) {
        run(world, 1, 0.01);
        highest = fmax(highest, measure_motion(world, falling).center[1]);
    }
    pliant_world_destroy(world);
    return 1 - (start - highest) / 0.3;
}

// What has no elasticity of its own across the contact comes back to e^2 of its height. A box comes
// back by its elasticity, and higher with restitution than without.
static void restitution_makes_bodies_bounce_higher(void** unused)
{
    (void)unused;
    impact_def def = SMOOTH;
    double before = -1;
    for (int k = 0; k <= 2; ++k) {
        def.restitution = 0.5 * k;
        def.damping = 0;
        double rope = bounce_height("rope:0.2:8", def, 40);
        CHECK_BETWEEN(rope - def.restitution * def.restitution, -0.03, 1e-3);
        def.damping = 0.005;
        double box = bounce_height("box6:2x2x2:0.1", def, 20);
        print_message("    restitution %g: rope %.4f, box %.4f\n", def.restitution, rope, box);
        CHECK_BETWEEN(box, before + 0.01, 1);
        before = box;
    }
}

// What was stored in contacts that go on is forgotten: nothing jumps when its weight is taken away.
static void bodies_at_rest_remember_no_impact(void** unused)
{
    (void)unused;
    impact_def def = SMOOTH;
    def.restitution = 1;
    def.damping = 0.01;
    pliant_world* world = make_world(20, 1);
    pliant_body_id slab =
        add_words(world, "box6:4x1x4:0.1", &def, (const double[3]){-0.2, -0.1, -0.2}, vec(0, 0, 0));
    for (int i = 0; i < pliant_body_particle_count(world, slab); ++i)
        CHECK_OK(pliant_body_pin(world, slab, i));
    pliant_body_id box = add_words(world, "box6:2x2x2:0.1", &def,
                                   (const double[3]){-0.11, 0.1, -0.09}, vec(0, 0, 0));
    run(world, 300, 0.01);
    assert_true(pliant_world_contact_stats(world).contacts > 0);
    for (int i = 0; i < world->contacts.kept_count; ++i)
        CHECK_BETWEEN(world->contacts.kept[i].stored, 0, 1e-9);
    pliant_world_set_gravity(world, vec(0, 0, 0));
    run(world, 10, 0.01);
    CHECK_BETWEEN(measure_motion(world, box).velocity[1], -0.01, 0.05);
    pliant_world_destroy(world);
}

// ---- energy -------------------------------------------------------------------------------------

static pliant_world* make_balls(const impact_def* def, int substeps, double offset,
                                pliant_body_id ball[2])
{
    pliant_world* world = make_still_world(substeps, 1);
    for (int i = 0; i < 2; ++i)
        ball[i] = add_words(world, "sphere:0.1:6", def,
                            (const double[3]){i ? 0.13 : -0.13, i ? offset : 0, 0},
                            vec(i ? -2 : 2, 0, 0));
    return world;
}

// What is left of it, over what was there, and the most on the way.
static double collide(const impact_def* def, int substeps, double offset, double* out_most)
{
    pliant_body_id ball[2];
    pliant_world* world = make_balls(def, substeps, offset, ball);
    double before = measure_two(world, ball).energy, energy = before;
    bool met = false, parted = false;
    *out_most = 0;
    for (int i = 0; i < 20 && !parted; ++i) {
        run(world, 1, 0.01);
        int contacts = pliant_world_contact_stats(world).contacts;
        parted = met && contacts == 0;
        met = met || contacts > 0;
        energy = measure_two(world, ball).energy;
        *out_most = fmax(*out_most, energy / before);
    }
    assert_true(parted);
    pliant_world_destroy(world);
    return energy / before;
}

static void soft_balls_keep_their_energy(void** unused)
{
    (void)unused;
    impact_def def = SMOOTH;
    for (int k = 0; k <= 2; ++k)
        for (int offset = 0; offset < 2; ++offset) {
            double most, fine, coarse;
            def.restitution = 0.5 * k;
            fine = collide(&def, 200, 0.08 * offset, &most);
            CHECK_BETWEEN(fine, 0.98, 1.00001);
            CHECK_BETWEEN(most, 0.98, 1.00001);
            coarse = collide(&def, 0, 0.08 * offset, &most); // as many as are chosen
            print_message("    restitution %g: %.4f of the energy, with few substeps %.4f\n",
                          def.restitution, fine, coarse);
            CHECK_BETWEEN(coarse, 0.75, 1.00001);
        }
}

static void energy_does_not_grow_by_impacts(void** unused)
{
    (void)unused;
    static const pliant_integrator integrators[] = {PLIANT_INTEGRATOR_IMPLICIT_EULER,
                                                    PLIANT_INTEGRATOR_BDF2};
    impact_def def = SMOOTH;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k <= 1; ++k) {
            double most;
            def.integrator = integrators[i];
            def.restitution = k;
            def.friction = 0.5 * k;
            CHECK_BETWEEN(collide(&def, 100, 0.05, &most), 0.5, 1.00001);
            CHECK_BETWEEN(most, 0.5, 1.00001);
        }
}

// ---- momentum -----------------------------------------------------------------------------------

// Two rings, one through the other, that are held by each other again and again.
static void swing_links(double friction, double restitution, pliant_precision precision)
{
    impact_def def = SMOOTH;
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id ring[2];
    const double none[3] = {0, 0, 0}, beside[3] = {0.2, 0, 0};
    const pliant_quat quarter = {0.70710678f, 0, 0, 0.70710678f};
    int touched = 0, steps = by_scope(150, 1000, 1000);
    def.friction = friction;
    def.restitution = restitution;
    def.precision = precision;
    for (int i = 0; i < 2; ++i)
        ring[i] = add_words(world, "torus:0.2:0.05:2", &def, none, vec(i ? 1 : -1, 0, 0.2));
    CHECK_OK(pliant_body_teleport(world, ring[1], none, quarter, beside));
    totals before = measure_two(world, ring);
    double linear = 0, angular = 0;
    for (int i = 0; i < steps; ++i) {
        run(world, 1, 0.01);
        totals now = measure_two(world, ring);
        pliant_contact_stats stats = pliant_world_contact_stats(world);
        assert_true(stats.guarded == 0 && stats.squeezed == 0);
        touched += stats.contacts > 0;
        linear = fmax(linear, change(now.momentum, before.momentum) / before.moving);
        angular = fmax(angular, change(now.spin, before.spin) / before.turning);
        CHECK_BETWEEN(now.energy / before.energy, 0, 1.03); // the integrator's, while deformed
    }
    print_message(
        "    friction %g, restitution %g: linear %.1e, angular %.1e, %d steps in contact\n",
        friction, restitution, linear, angular, touched);
    CHECK_BETWEEN(touched, steps / 15, steps);
    CHECK_BETWEEN(linear, 0, 1e-6);
    // Friction acts at points that are a thickness apart.
    if (friction == 0) CHECK_BETWEEN(angular, 0, 1e-5);
    CHECK_BETWEEN(measure_two(world, ring).energy / before.energy, 0, 1);
    pliant_world_destroy(world);
}

static void linked_rings_keep_their_momentum(void** unused)
{
    (void)unused;
    swing_links(0, 0, PLIANT_PRECISION_SINGLE);
    swing_links(0, 1, PLIANT_PRECISION_SINGLE);
    swing_links(0.5, 0.5, PLIANT_PRECISION_SINGLE);
    swing_links(0, 0.5, PLIANT_PRECISION_DOUBLE);
}

// What the guard does to bodies that are free keeps their momentum, too; what it takes from those
// that are held is told.
static void the_guard_tells_what_it_takes(void** unused)
{
    (void)unused;
    impact_def def = SMOOTH;
    for (int held = 0; held < 2; ++held) {
        pliant_world* world = make_still_world(4, 1);
        def.thickness = 0.002;
        pliant_body_id sheet[2];
        double guarded = 0;
        int rounds = 0;
        for (int i = 0; i < 2; ++i)
            sheet[i] = add_words(world, "cloth:6x6:0.3x0.3", &def,
                                 (const double[3]){0.013 * i, 0.1 * i, 0.007 * i},
                                 vec(0, i ? -20 : 20 - 20 * held, 0));
        for (int i = 0; held && i < pliant_body_particle_count(world, sheet[0]); ++i)
            CHECK_OK(pliant_body_pin(world, sheet[0], i));
        totals before = measure_two(world, sheet);
        for (int i = 0; i < 10; ++i) {
            run(world, 1, 0.01);
            guarded += pliant_world_contact_stats(world).guarded;
            rounds += pliant_world_contact_stats(world).guard_rounds;
        }
        totals after = measure_two(world, sheet);
        double lost = change(before.momentum, after.momentum);
        if (!held) CHECK_BETWEEN(change(before.spin, after.spin) / before.turning, 0, 1e-5);
        assert_true(rounds > 0);
        print_message("    %s: %.2e of the momentum lost, %.2e told\n", held ? "held" : "free",
                      lost / before.moving, guarded / before.moving);
        if (!held) CHECK_BETWEEN(lost / before.moving, 0, 1e-6);
        if (!held) CHECK_BETWEEN(guarded, 0, 0);
        pliant_world_destroy(world);
    }
}

// Two bodies that fly into each other, one a little higher, at so few substeps that the guard has
// to act. It makes no friction: what it does is along the line between where it acts.
static void collide_aside(const char* words, double young, double speed, int substeps)
{
    impact_def def = {.young = young};
    pliant_world* world = make_still_world(substeps, 1);
    pliant_body_id pair[2];
    for (int i = 0; i < 2; ++i)
        pair[i] = add_words(world, words, &def, (const double[3]){2 * i - 1, 0.3 * i, 0},
                            vec(i ? -speed : speed, 0, 0));
    totals before = measure_two(world, pair);
    int rounds = 0, stopped = 0, steps = (int)lround(90 / fmax(speed, 1.5));
    for (int i = 0; i < steps; ++i) {
        run(world, 1, 1 / 60.0);
        pliant_contact_stats stats = pliant_world_contact_stats(world);
        rounds += stats.guard_rounds;
        stopped += stats.stopped;
        assert_true(stats.guarded == 0 && stats.guarded_angular == 0 && stats.squeezed == 0);
    }
    totals after = measure_two(world, pair);
    double linear = change(after.momentum, before.momentum) / before.moving;
    double angular = change(after.spin, before.spin) / before.turning;
    print_message("    %s at %g m/s: linear %.1e, angular %.1e, %d rounds, %d stopped\n", words,
                  speed, linear, angular, rounds, stopped);
    assert_true(rounds > 0);
    CHECK_BETWEEN(linear, 0, 1e-6);
    CHECK_BETWEEN(angular, 0, 1e-5);
    CHECK_BETWEEN(after.energy / before.energy, 0.3, 1);
    pliant_world_destroy(world);
}

static void the_guard_keeps_angular_momentum(void** unused)
{
    (void)unused;
    collide_aside("sphere:0.5:6", 1e5, 3, 3);
    collide_aside("box6:3x3x3:0.2", 1e5, 3, 3);
    if (by_scope(0, 1, 1)) collide_aside("sphere:0.5:6", 1e6, 3, 8);
    if (by_scope(0, 1, 1)) collide_aside("sphere:0.5:6", 1e5, 1, 3);
}

// ---- the same bits ------------------------------------------------------------------------------

static pliant_world* make_impact(int threads, int lanes)
{
    impact_def def = SMOOTH;
    pliant_world_def settings = pliant_world_defaults();
    pliant_world* world = NULL;
    def.restitution = 0.9;
    settings.threads = threads;
    settings.lanes = lanes;
    settings.substeps = 40;
    CHECK_OK(pliant_world_create(&settings, &world));
    for (int i = 0; i < 3; ++i)
        add_words(world, i ? "sphere:0.1:5" : "cloth:8x8:0.5x0.5", &def,
                  (const double[3]){0.05 * i, 0.12 * i, 0.02 * i}, vec(0, -2 * i, 0));
    return world;
}

static uint64_t digest_of(pliant_world* world)
{
    uint64_t digest = 0;
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}

// Also of what impacts have stored, which snapshots have.
static void impacts_have_the_same_bits(void** unused)
{
    (void)unused;
    pliant_world *world = make_impact(1, 16), *other = make_impact(2, 1);
    int stored = 0;
    for (int i = 0; i < 12; ++i) {
        run(world, 1, 0.01);
        run(other, 1, 0.01);
        assert_int_equal(digest_of(world), digest_of(other));
        const contact_system* s = &world->contacts;
        for (int k = 0; k < s->kept_count; ++k) stored += s->kept[k].stored > 0;
        size_t bytes = pliant_world_snapshot_size(world);
        void* data = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
        pliant_world_destroy(other);
        other = make_impact(2, 1);
        CHECK_OK(pliant_world_snapshot_restore(other, data, bytes));
        free(data);
    }
    assert_true(stored > 0);
    pliant_world_destroy(world);
    pliant_world_destroy(other);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_part_at_their_restitution),
        usual_test(restitution_makes_bodies_bounce_higher),
        usual_test(bodies_at_rest_remember_no_impact),
        usual_test(soft_balls_keep_their_energy),
        usual_test(energy_does_not_grow_by_impacts),
        usual_test(linked_rings_keep_their_momentum),
        cmocka_unit_test(the_guard_tells_what_it_takes),
        usual_test(the_guard_keeps_angular_momentum),
        cmocka_unit_test(impacts_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
