// Angular momentum: what is free to turn goes on as it turned, and what hangs does not begin to.
#include "scene.h"

typedef struct {
    const char* name;
    pliant_formulation formulation;
    pliant_integrator integrator;
    pliant_schedule schedule;
    int patch_rows, iterations;
    pliant_interface interface;
    double damping;
    pliant_precision precision;
} way;
static const way ways[] = {
    {.name = "the defaults"},
    {.name = "two rows", .formulation = PLIANT_FORMULATION_TWO_ROWS},
    {.name = "decoupled", .formulation = PLIANT_FORMULATION_DECOUPLED},
    {.name = "decoupled nodes", .formulation = PLIANT_FORMULATION_DECOUPLED_NODES},
    {.name = "edges and volume", .formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME},
    {.name = "implicit Euler", .integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {.name = "symplectic Euler", .integrator = PLIANT_INTEGRATOR_SYMPLECTIC_EULER},
    {.name = "Verlet", .integrator = PLIANT_INTEGRATOR_VERLET},
    {.name = "BDF2", .integrator = PLIANT_INTEGRATOR_BDF2},
    {.name = "patches", .patch_rows = 40},
    {.name = "patches in turns", .patch_rows = 40, .interface = PLIANT_INTERFACE_ORDERED},
    {.name = "patches, BDF2", .patch_rows = 40, .integrator = PLIANT_INTEGRATOR_BDF2},
    {.name = "patches, iterations", .patch_rows = 40, .iterations = 3},
    {.name = "turns, iterations",
     .patch_rows = 40,
     .interface = PLIANT_INTERFACE_ORDERED,
     .iterations = 2},
    {.name = "iterations", .iterations = 3},
    {.name = "damped", .damping = 0.003},
    {.name = "damped patches", .damping = 0.003, .patch_rows = 40},
    {.name = "clustered", .schedule = PLIANT_SCHEDULE_CLUSTERED},
    {.name = "colored", .schedule = PLIANT_SCHEDULE_COLORED},
    {.name = "colored, iterations", .schedule = PLIANT_SCHEDULE_COLORED, .iterations = 2},
    {.name = "serial", .schedule = PLIANT_SCHEDULE_SERIAL},
    {.name = "phantom", .schedule = PLIANT_SCHEDULE_PHANTOM},
    {.name = "hybrid", .schedule = PLIANT_SCHEDULE_HYBRID},
    {.name = "jacobi", .schedule = PLIANT_SCHEDULE_JACOBI},
    {.name = "double precision", .precision = PLIANT_PRECISION_DOUBLE},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static pliant_soft_def soft_of(const way* w)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = 1e5;
    soft.material.damping = w->damping;
    soft.solver.formulation = w->formulation;
    soft.solver.integrator = w->integrator;
    soft.solver.schedule = w->schedule;
    soft.solver.patch_rows = w->patch_rows;
    soft.solver.patch_interface = w->interface;
    soft.solver.precision = w->precision;
    return soft;
}

static pliant_world* world_for(const way* w, bool gravity)
{
    int iterations = w->iterations ? w->iterations : 1;
    return gravity ? make_world(0, iterations) : make_still_world(0, iterations);
}

// Angular momentum about a point, and the sum of the sizes of its parts.
typedef struct {
    double of[3], size;
} spin;

static spin spin_about(const pliant_world* world, pliant_body_id body, const double point[3])
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    double* mass = (double*)malloc((size_t)count * sizeof *mass);
    spin s = {{0, 0, 0}, 0};
    pliant_body_read_velocities(world, body, v, count);
    pliant_body_read_masses(world, body, mass, count);
    for (int i = 0; i < count; ++i) {
        const double u[3] = {(double)v[i].x, (double)v[i].y, (double)v[i].z};
        double r[3], r2 = 0, u2 = 0;
        for (int k = 0; k < 3; ++k) {
            r[k] = x[i].x[k] - point[k];
            r2 += r[k] * r[k];
            u2 += u[k] * u[k];
        }
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            s.of[k] += mass[i] * (r[a] * u[b] - r[b] * u[a]);
        }
        s.size += mass[i] * sqrt(r2 * u2);
    }
    free(x);
    free(v);
    free(mass);
    return s;
}

static spin spin_of(const pliant_world* world, pliant_body_id body)
{
    motion m = measure_motion(world, body);
    return spin_about(world, body, m.center);
}

// By how much one differs from another, in parts of the sum of the sizes; along an axis, if there
// is one.
static double change(const spin* a, const spin* b, const double axis[3])
{
    double square = 0, along = 0, size = fmax(a->size, b->size);
    for (int k = 0; k < 3; ++k) {
        square += (a->of[k] - b->of[k]) * (a->of[k] - b->of[k]);
        if (axis) along += (a->of[k] - b->of[k]) * axis[k];
    }
    return (axis ? fabs(along) : sqrt(square)) / size;
}

// Velocities of a rotation about an axis through a point [rad/s].
static void turn(pliant_world* world, pliant_body_id body, const double point[3],
                 const double axis[3])
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    pliant_vec3* v = (pliant_vec3*)malloc((size_t)count * sizeof *v);
    for (int i = 0; i < count; ++i) {
        double r[3];
        for (int k = 0; k < 3; ++k) r[k] = x[i].x[k] - point[k];
        v[i] = vec(axis[1] * r[2] - axis[2] * r[1], axis[2] * r[0] - axis[0] * r[2],
                   axis[0] * r[1] - axis[1] * r[0]);
    }
    pliant_body_write_velocities(world, body, v, count);
    free(x);
    free(v);
}

static double total_energy(const pliant_world* world)
{
    pliant_energies e = get_energies(world);
    return e.kinetic + e.elastic;
}

// ---- free bodies --------------------------------------------------------------------------------

static void stretch(pliant_world* world, pliant_body_id body, double factor)
{
    int count = pliant_body_particle_count(world, body);
    place* x = read_places(world, body);
    for (int i = 0; i < count; ++i) x[i].x[0] *= factor;
    pliant_body_write_positions_exact(world, body, x->x, count);
    free(x);
}

static void a_stretched_body_does_not_begin_to_turn(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i) {
        pliant_soft_def soft = soft_of(&ways[i]);
        pliant_world* world = world_for(&ways[i], false);
        pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
        stretch(world, body, 1.3);
        double most = 0, size = 0;
        for (int step = 0; step < 60; ++step) {
            run(world, 1, 1.0 / 60);
            spin s = spin_of(world, body);
            size = fmax(size, s.size);
            for (int k = 0; k < 3; ++k) most = fmax(most, fabs(s.of[k]));
        }
        bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
        if (!(most <= (second ? 2e-3 : 1e-5) * size))
            fail_msg("%s: angular momentum of %g, %g of the sum of sizes", ways[i].name, most,
                     most / size);
        pliant_world_destroy(world);
    }
}

static void a_spinning_body_keeps_spinning(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i) {
        pliant_soft_def soft = soft_of(&ways[i]);
        pliant_world* world = world_for(&ways[i], false);
        pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
        motion m = measure_motion(world, body);
        turn(world, body, m.center, (double[3]){0, 0, 6});
        spin before = spin_of(world, body);
        run(world, 120, 1.0 / 60);
        spin after = spin_of(world, body);
        bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
        double lost = change(&before, &after, NULL);
        if (!(lost <= (second ? 1e-3 : 1e-4)))
            fail_msg("%s: %g of the angular momentum is lost in 2 s", ways[i].name, lost);
        pliant_world_destroy(world);
    }
}

// Stiff, so that next to nothing of the energy is elastic or goes to and fro.
static void a_spinning_body_keeps_its_energy(void** unused)
{
    (void)unused;
    const pliant_integrator integrators[] = {
        PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_IMPLICIT_EULER, PLIANT_INTEGRATOR_BDF2};
    for (int i = 0; i < 3; ++i) {
        pliant_soft_def soft = pliant_soft_defaults();
        soft.solver.integrator = integrators[i];
        pliant_world* world = make_still_world(0, 1);
        pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
        motion m = measure_motion(world, body);
        turn(world, body, m.center, (double[3]){0, 0, 6});
        double before = total_energy(world);
        run(world, 600, 1.0 / 60);
        double lost = 1 - total_energy(world) / before;
        print_message("    integrator %d: %.4f %% of the energy is lost in 10 s\n",
                      (int)integrators[i], 100 * lost);
        CHECK_BETWEEN(lost, 0, 0.002);
        pliant_world_destroy(world);
    }
}

// As the papers have it, a spin of 6 rad/s is damped without any cause.
static void an_option_leaves_the_torque_as_published(void** unused)
{
    (void)unused;
    pliant_soft_def soft = soft_of(&ways[0]);
    soft.research.rotation = PLIANT_ROTATION_AS_PUBLISHED;
    pliant_world* world = make_still_world(0, 1);
    pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
    motion m = measure_motion(world, body);
    turn(world, body, m.center, (double[3]){0, 0, 6});
    spin before = spin_of(world, body);
    run(world, 120, 1.0 / 60);
    spin after = spin_of(world, body);
    CHECK_BETWEEN(change(&before, &after, NULL), 1e-3, 0.5);
    pliant_world_destroy(world);
}

// Two boxes in one mesh, a meter apart.
static pliant_mesh* two_boxes(void)
{
    pliant_mesh* box = generate("box6:3x3x3");
    pliant_mesh_arrays a = pliant_mesh_view(box);
    double* vertices = (double*)malloc(6 * (size_t)a.vertex_count * sizeof *vertices);
    int* tets = (int*)malloc(8 * (size_t)a.tet_count * sizeof *tets);
    for (int part = 0; part < 2; ++part) {
        for (int i = 0; i < 3 * a.vertex_count; ++i)
            vertices[3 * part * a.vertex_count + i] = a.vertices[i] + (i % 3 == 0 ? part : 0);
        for (int i = 0; i < 4 * a.tet_count; ++i)
            tets[4 * part * a.tet_count + i] = a.tets[i] + part * a.vertex_count;
    }
    pliant_mesh* mesh = create_tets(vertices, 2 * a.vertex_count, tets, 2 * a.tet_count);
    free(vertices);
    free(tets);
    pliant_mesh_destroy(box);
    return mesh;
}

// Positions of a body of two parts after a while, the first of which moves or does not.
static place* run_two_parts(const way* w, bool moves, int* out_count)
{
    pliant_soft_def soft = soft_of(w);
    pliant_world* world = world_for(w, false);
    pliant_body_id body = add_soft(world, two_boxes(), &soft, 0);
    int count = pliant_body_particle_count(world, body);
    pliant_vec3* v = (pliant_vec3*)calloc((size_t)count, sizeof *v);
    random_source r = {7};
    for (int i = 0; i < count / 2 && moves; ++i)
        v[i] = vec(random_range(&r, -1, 1), random_range(&r, -1, 1), random_range(&r, -1, 1));
    pliant_body_write_velocities(world, body, v, count);
    run(world, 20, 1.0 / 60);
    place* x = read_places(world, body);
    free(v);
    pliant_world_destroy(world);
    *out_count = count;
    return x;
}

static void a_part_knows_nothing_of_the_motion_of_another(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; i += by_scope(4, 1, 1)) {
        int count;
        place *alone = run_two_parts(&ways[i], false, &count),
              *beside = run_two_parts(&ways[i], true, &count);
        for (int k = count / 2; k < count; ++k)
            if (memcmp(&alone[k], &beside[k], sizeof(place)) != 0)
                fail_msg("%s: particle %d at rest moves with the other part", ways[i].name, k);
        free(alone);
        free(beside);
    }
}

// ---- pins ---------------------------------------------------------------------------------------

static void what_is_pinned_at_a_point_turns_about_it(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i) {
        pliant_soft_def soft = soft_of(&ways[i]);
        pliant_world* world = world_for(&ways[i], false);
        pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
        pliant_body_pin(world, body, 0);
        place pin = read_place(world, body, 0);
        turn(world, body, pin.x, (double[3]){1, 2, 3});
        spin before = spin_about(world, body, pin.x);
        run(world, 60, 1.0 / 60);
        spin after = spin_about(world, body, pin.x);
        double lost = change(&before, &after, NULL);
        bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
        if (!(lost <= (second ? 1e-3 : 1e-5)))
            fail_msg("%s: %g of the angular momentum about the pin is lost", ways[i].name, lost);
        pliant_world_destroy(world);
    }
}

// A spring to a point has no torque about the point, however soft it is. (Viscosity changes the
// velocities that tell what was left over in the substep before.)
static void what_a_spring_holds_turns_about_its_point(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i)
        for (double compliance = 0; compliance < 0.1; compliance = fmax(1e-6, compliance * 100)) {
            pliant_soft_def soft = soft_of(&ways[i]);
            bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
            pliant_world* world = world_for(&ways[i], false);
            pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
            place held = read_place(world, body, 0);
            new_attachment(world, body, 0, held.x, compliance);
            turn(world, body, held.x, (double[3]){1, 2, 3});
            spin before = spin_about(world, body, held.x);
            run(world, by_scope(20, 30, 60), 1.0 / 60);
            spin after = spin_about(world, body, held.x);
            double lost = change(&before, &after, NULL);
            if (!(lost <= (second ? 1e-3 : ways[i].damping > 0 ? 2e-4 : 2e-5)))
                fail_msg("%s, %g m/N: %g of the angular momentum about the point is lost",
                         ways[i].name, compliance, lost);
            pliant_world_destroy(world);
        }
}

static void what_is_pinned_in_a_line_turns_about_it(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i)
        for (int pins = 2; pins < 4; ++pins) { // 3: all in the line
            pliant_soft_def soft = soft_of(&ways[i]);
            pliant_world* world = world_for(&ways[i], false);
            pliant_body_id body = add_soft(world, generate("box6:6x4x4"), &soft, 0);
            int count = pliant_body_particle_count(world, body);
            place* x = read_places(world, body);
            for (int k = 0; k < count; ++k) {
                bool on = fabs(x[k].x[1]) < 1e-6 && fabs(x[k].x[2]) < 1e-6;
                bool end = fabs(x[k].x[0]) < 1e-6 || fabs(x[k].x[0] - 0.6) < 1e-6;
                if (on && (end || (pins == 3 && fabs(x[k].x[0] - 0.3) < 1e-6)))
                    pliant_body_pin(world, body, k);
            }
            const double line[3] = {4, 0, 0}, along[3] = {1, 0, 0};
            turn(world, body, x[0].x, line);
            spin before = spin_about(world, body, x[0].x);
            run(world, by_scope(20, 30, 60), 1.0 / 60);
            spin after = spin_about(world, body, x[0].x);
            double lost = change(&before, &after, along);
            bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
            if (!(lost <= (second ? 1e-3 : 1e-5)))
                fail_msg("%s, %d pins: %g of the angular momentum about their line is lost",
                         ways[i].name, pins, lost);
            free(x);
            pliant_world_destroy(world);
        }
}

// A pin that goes at a constant velocity is a pin at rest for who goes along.
static void what_hangs_on_a_moving_pin_turns_about_it(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i) {
        pliant_soft_def soft = soft_of(&ways[i]);
        pliant_world* world = world_for(&ways[i], false);
        pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
        double pin[3] = {0, 0, 0};
        spin before = {{0, 0, 0}, 0}, after = before;
        for (int step = 0; step < 60; ++step) {
            pin[1] += 0.5 / 60;
            pliant_body_move_pin(world, body, 0, pin);
            run(world, 1, 1.0 / 60);
            after = spin_about(world, body, pin);
            motion m = measure_motion(world, body); // as seen from the pin
            const double v[3] = {0, 0.5, 0};
            for (int k = 0; k < 3; ++k) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                after.of[k] -=
                    m.mass * ((m.center[a] - pin[a]) * v[b] - (m.center[b] - pin[b]) * v[a]);
            }
            if (step == 0) before = after;
        }
        double lost = change(&before, &after, NULL);
        bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
        if (!(lost <= (second ? 3e-3 : 1e-5)))
            fail_msg("%s: %g of the angular momentum about the pin is lost", ways[i].name, lost);
        pliant_world_destroy(world);
    }
}

// A plane of symmetry, a rail, a roller: what they leave free is kept.
static void pins_along_axes_keep_what_they_leave_free(void** unused)
{
    (void)unused;
    const struct {
        const char* name;
        unsigned axes; // of the face x = 0, or of one particle
        bool face;
    } holds[] = {{"a plane", PLIANT_AXIS_X, true},
                 {"a roller", PLIANT_AXIS_Y, false},
                 {"a rail", PLIANT_AXIS_X | PLIANT_AXIS_Y, false}};
    for (int i = 0; i < WAYS; ++i)
        for (int h = 0; h < 3; ++h) {
            pliant_soft_def soft = soft_of(&ways[i]);
            pliant_world* world = world_for(&ways[i], false);
            pliant_body_id body = add_soft(world, generate("box6:6x3x3"), &soft, 0);
            int count = pliant_body_particle_count(world, body);
            place* x = read_places(world, body);
            shake(world, body);
            for (int k = 0; k < count; ++k)
                if (holds[h].face ? fabs(x[k].x[0]) < 1e-6 : k == 0)
                    pliant_body_pin_axes(world, body, k, holds[h].axes);
            run(world, 1, 1.0 / 60); // what they had along the axes is gone
            motion m0 = measure_motion(world, body);
            spin s0 = spin_of(world, body);
            run(world, 40, 1.0 / 60);
            motion m1 = measure_motion(world, body);
            spin s1 = spin_of(world, body);
            place* y = read_places(world, body);
            bool second = soft.solver.integrator == PLIANT_INTEGRATOR_BDF2;
            for (int k = 0; k < 3; ++k) {
                double change_of = fabs(m1.momentum[k] - m0.momentum[k]) / (m0.mass * 1.0);
                if (!(holds[h].axes >> k & 1) && !(change_of < (second ? 1e-4 : 1e-5)))
                    fail_msg("%s, %s: momentum %d changes by %g", ways[i].name, holds[h].name, k,
                             change_of);
                if (holds[h].axes >> k & 1 && !(fabs(y[0].x[k] - x[0].x[k]) < 1e-7))
                    fail_msg("%s, %s: moves along axis %d by %g", ways[i].name, holds[h].name, k,
                             y[0].x[k] - x[0].x[k]);
            }
            if (holds[h].face && !(fabs(s1.of[0] - s0.of[0]) < (second ? 1e-3 : 1e-5) * s0.size))
                fail_msg("%s, %s: angular momentum about x goes from %g to %g", ways[i].name,
                         holds[h].name, s0.of[0], s1.of[0]);
            free(x);
            free(y);
            pliant_world_destroy(world);
        }
}

// By how much a body was turned about the vertical through a point [degrees].
static double turned_by(const place* before, const place* after, int count, const double point[3])
{
    double cross = 0, dot = 0;
    for (int i = 0; i < count; ++i) {
        double ax = before[i].x[0] - point[0], az = before[i].x[2] - point[2];
        double bx = after[i].x[0] - point[0], bz = after[i].x[2] - point[2];
        cross += az * bx - ax * bz;
        dot += ax * bx + az * bz;
    }
    return atan2(cross, dot) * 180 / 3.14159265358979323846;
}

static void a_hung_box_does_not_turn(void** unused)
{
    (void)unused;
    for (int i = 0; i < WAYS; ++i) {
        pliant_soft_def soft = soft_of(&ways[i]);
        soft.material.damping = 0.001;
        pliant_world* world = world_for(&ways[i], true);
        pliant_body_def def = pliant_body_defaults();
        double half = sqrt(0.5);
        def.rotation = (pliant_quat){0, 0, (float)-half, (float)half};
        pliant_mesh* mesh = generate("box6:8x4x4");
        pliant_body_id body = new_soft(world, mesh, &soft, &def);
        int count = pliant_body_particle_count(world, body), pin = -1;
        pliant_mesh_arrays rest = pliant_mesh_view(mesh);
        for (int k = 0; k < count; ++k) {
            const double* v = rest.vertices + 3 * k;
            if (fabs(v[0]) + fabs(v[1] - 0.2) + fabs(v[2] - 0.2) < 1e-6) pin = k;
        }
        assert_true(pin >= 0);
        pliant_body_pin(world, body, pin);
        place *before = read_places(world, body), at = before[pin];
        double turned = 0;
        int seconds = by_scope(1, 1, 5);
        for (int second = 0; second < seconds; ++second) {
            run(world, 60, 1.0 / 60);
            place* after = read_places(world, body);
            turned += turned_by(before, after, count, at.x);
            free(before);
            before = after;
        }
        if (!(fabs(turned) < 0.2 * seconds))
            fail_msg("%s: turns by %g degrees in %d s", ways[i].name, turned, seconds);
        free(before);
        pliant_mesh_destroy(mesh);
        pliant_world_destroy(world);
    }
}

// ---- ropes, cloth, air --------------------------------------------------------------------------

typedef struct {
    const char *name, *mesh;
    double air;
} sheet;

static void ropes_cloth_and_balloons_keep_their_spin(void** unused)
{
    (void)unused;
    const sheet sheets[] = {{"a straight rope", "rope:1:20", 0},
                            {"cloth", "cloth:8x8:1x1", 0},
                            {"a balloon", "sphere:0.3:4", 1e5}};
    for (int i = 0; i < 3; ++i)
        for (int classic = 0; classic < 2; ++classic) {
            pliant_soft_def soft = pliant_soft_defaults();
            pliant_world* world = make_still_world(0, classic ? 4 : 1);
            pliant_mesh *mesh = generate(sheets[i].mesh), *surface = NULL;
            soft.cloth.air = sheets[i].air;
            soft.research.stiffness_mode =
                classic ? PLIANT_STIFFNESS_MODE_CLASSIC : PLIANT_STIFFNESS_MODE_COMPLIANT;
            if (sheets[i].air > 0) {
                CHECK_OK(pliant_mesh_boundary(mesh, &surface, NULL));
                pliant_mesh_destroy(mesh);
                mesh = surface;
            }
            pliant_body_id body = add_soft(world, mesh, &soft, 0);
            motion m = measure_motion(world, body);
            turn(world, body, m.center, (double[3]){0.5, 2, 3});
            spin before = spin_of(world, body);
            run(world, 30, 1.0 / 60);
            spin after = spin_of(world, body);
            double lost = change(&before, &after, NULL);
            if (!(lost <= 1e-5))
                fail_msg("%s, manner %d: %g of the angular momentum is lost", sheets[i].name,
                         classic, lost);
            pliant_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        numbers_test(a_stretched_body_does_not_begin_to_turn),
        numbers_test(a_spinning_body_keeps_spinning),
        numbers_test(a_spinning_body_keeps_its_energy),
        known_threads_test(an_option_leaves_the_torque_as_published),
        known_threads_test(a_part_knows_nothing_of_the_motion_of_another),
        numbers_test(what_is_pinned_at_a_point_turns_about_it),
        numbers_test(what_a_spring_holds_turns_about_its_point),
        numbers_test(what_is_pinned_in_a_line_turns_about_it),
        numbers_test(what_hangs_on_a_moving_pin_turns_about_it),
        numbers_test(pins_along_axes_keep_what_they_leave_free),
        numbers_test(a_hung_box_does_not_turn),
        known_threads_test(ropes_cloth_and_balloons_keep_their_spin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
