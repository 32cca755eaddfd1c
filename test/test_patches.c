// Bodies cut into patches: copies of shared particles behave as one particle.
#define body world_content // the tests call their ids so
#include "world/world.h"
#undef body

#include "scene.h"

static const pliant_interface interfaces[] = {PLIANT_INTERFACE_MERGED, PLIANT_INTERFACE_ORDERED};
static const char* const names[] = {"merged", "ordered"};

// Many small patches: most particles are shared.
static pliant_soft_def in_patches(pliant_interface interface, int rows)
{
    pliant_soft_def def = pliant_soft_defaults();
    def.solver.patch_interface = interface;
    def.solver.patch_rows = rows;
    return def;
}

static pliant_mesh* sample_mesh(void) { return box_mesh((int[3]){8, 4, 4}, 0.1, 0.2); }

static const plan* plan_of(const pliant_world* world, pliant_body_id body)
{
    return &world_body(world, body)->asset->plan;
}

// The first particle that three or more patches share.
static int shared_particle(const pliant_world* world, pliant_body_id body)
{
    const plan* p = plan_of(world, body);
    for (int i = 0; i < p->particle_count; ++i)
        if (plan_copy_count(p, i) > 2) return i;
    fail_msg("no particle has three copies");
    return -1;
}

static void check_copies(const state* s, const void* array, int stride, const char* what)
{
    size_t bytes = (size_t)s->scalar_bytes;
    for (int i = 0; i < s->particle_count; ++i)
        for (int k = 1; k < plan_copy_count(s->plan, i); ++k) {
            size_t one = (size_t)plan_row(s->plan, i, 0) * (size_t)stride * bytes;
            size_t other = (size_t)plan_row(s->plan, i, k) * (size_t)stride * bytes;
            if (memcmp((const char*)array + one, (const char*)array + other, 3 * bytes) != 0)
                fail_msg("%s of copy %d of particle %d differs", what, k, i);
        }
}

static void copies_stay_the_same_bits(void** unused)
{
    (void)unused;
    for (int k = 0; k < 4; ++k) {
        pliant_world* world = make_world(7, 1 + k / 2);
        pliant_soft_def soft = in_patches(interfaces[k % 2], 60);
        soft.material.damping = 1e-3;
        pliant_collider_def floor = pliant_collider_defaults();
        new_collider(world, &floor);
        pliant_body_id body = add_soft(world, sample_mesh(), &soft, 0.01);
        new_attachment(world, body, shared_particle(world, body), (const double[3]){1, 1, 1}, 1e-4);
        run(world, 10, 0.01);
        const state* s = &world_body(world, body)->s;
        check_copies(s, s->row, ROW, "position");
        check_copies(s, (const char*)s->row + ROW_D * s->scalar_bytes, ROW, "increment");
        check_copies(s, s->velocity, ROW4, "velocity");
        check_copies(s, s->residue, ROW4, "residue");
        check_copies(s, s->contact, CONTACT, "contact force");
        pliant_world_destroy(world);
    }
}

// ---- exact Gauss-Seidel -------------------------------------------------------------------------

// The order in which a plan solves its tets: turn, patch, color, lane.
static int* order_of_tets(const plan* p)
{
    int *tet = (int*)malloc((size_t)p->node_count * sizeof(int)), count = 0;
    for (int turn = 0; turn < p->turn_count; ++turn)
        for (int i = 0; i < p->patch_count; ++i)
            for (int color = 0; color < p->patch[i].color_count && p->patch[i].turn == turn;
                 ++color)
                for (int n = 0; n < p->node_count; ++n)
                    if (p->node_patch[n] == i && p->node_color[n] == color) tet[count++] = n;
    assert_int_equal(count, p->node_count);
    return tet;
}

static pliant_mesh* reordered(const pliant_mesh* mesh, const int* order)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    int* tets = (int*)malloc((size_t)a.tet_count * sizeof(int[4]));
    for (int t = 0; t < a.tet_count; ++t)
        memcpy(tets + 4 * t, a.tets + 4 * order[t], sizeof(int[4]));
    pliant_mesh* out = create_tets(a.vertices, a.vertex_count, tets, a.tet_count);
    free(tets);
    return out;
}

static place* hang(const pliant_mesh* mesh, pliant_soft_def soft, int iterations)
{
    pliant_world* world = make_world(20, iterations);
    pliant_body_def def = pliant_body_defaults();
    soft.solver.precision = PLIANT_PRECISION_DOUBLE;
    pliant_body_id body = new_soft(world, mesh, &soft, &def);
    if (!body.index1) fail_msg("%s", pliant_error_text());
    pin_plane(world, body, 0, 0);
    run(world, 10, 0.01);
    place* out = read_places(world, body);
    pliant_world_destroy(world);
    return out;
}

// The same as tet after tet in one row, to rounding of the masses. (Any other order is off by some
// thousandths of the motion.)
static void ordered_patches_are_gauss_seidel(void** unused)
{
    (void)unused;
    for (int iterations = 1; iterations <= 2; ++iterations) {
        pliant_mesh* mesh = box_mesh((int[3]){8, 4, 4}, 0.1, 0);
        pliant_soft_def soft = in_patches(PLIANT_INTERFACE_ORDERED, 60);
        pliant_asset* asset = NULL;
        soft.research.rotation =
            PLIANT_ROTATION_AS_PUBLISHED; // else it is taken back patch by patch
        CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
        int* order = order_of_tets(&asset->plan);
        pliant_mesh* serial_mesh = reordered(mesh, order);
        pliant_soft_def serial = pliant_soft_defaults();
        serial.solver.schedule = PLIANT_SCHEDULE_SERIAL;
        serial.research.rotation = PLIANT_ROTATION_AS_PUBLISHED;
        place *a = hang(mesh, soft, iterations), *b = hang(serial_mesh, serial, iterations);
        double worst = 0;
        for (int i = 0; i < asset->plan.particle_count; ++i)
            for (int k = 0; k < 3; ++k) worst = fmax(worst, fabs(a[i].x[k] - b[i].x[k]));
        print_message("    %d iterations, %d patches in %d turns: %.2g m from serial\n", iterations,
                      asset->plan.patch_count, asset->plan.turn_count, worst);
        CHECK_BETWEEN(worst, 0, 1e-12);
        free(a);
        free(b);
        free(order);
        pliant_mesh_destroy(serial_mesh);
        pliant_mesh_destroy(mesh);
        pliant_asset_destroy(asset);
    }
}

// ---- conservation -------------------------------------------------------------------------------

// Sum of m v, and of m |v|, from the solver's own velocities.
static double sum_momentum(const pliant_world* world, pliant_body_id body, double out[3])
{
    pliant_view v = get_velocities_view(world, body);
    double* mass = (double*)malloc((size_t)v.count * sizeof(double));
    double scale = 0;
    pliant_body_read_masses(world, body, mass, v.count);
    memset(out, 0, sizeof(double[3]));
    for (int i = 0; i < v.count; ++i) {
        const char* row = (const char*)v.data + (size_t)v.row[i] * v.stride;
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            double speed = state_get(row, (size_t)k, v.scalar_bytes);
            out[k] += mass[i] * speed;
            square += speed * speed;
        }
        scale += mass[i] * sqrt(square);
    }
    free(mass);
    return scale;
}

// Ten seconds of a body that is shaken at first.
static void momentum_of_a_free_body_stays_for_ten_seconds(void** unused)
{
    (void)unused;
    static const double limit[] = {1e-3, 1e-11};
    for (int k = 0; k < 6; ++k) {
        pliant_precision precision = (pliant_precision)(k % 2);
        pliant_world* world = make_still_world(5, 1);
        pliant_soft_def soft = in_patches(interfaces[k / 2 % 2], 24);
        if (k >= 4) soft.solver.patch_colors = 12;
        soft.solver.precision = precision;
        pliant_body_id body = add_soft(world, box_mesh((int[3]){3, 2, 2}, 0.1, 0.2), &soft, 0);
        shake(world, body);
        double before[3], after[3], worst = 0, scale = sum_momentum(world, body, before);
        run(world, 1000, 0.01);
        sum_momentum(world, body, after);
        for (int axis = 0; axis < 3; ++axis)
            worst = fmax(worst, fabs(after[axis] - before[axis]) / scale);
        print_message("    %s%s, %s: drift %.2g of the sum of m |v|\n", names[k / 2 % 2],
                      k >= 4 ? ", 12 colors" : "", precision ? "double" : "single", worst);
        CHECK_BETWEEN(worst, 0, limit[precision]);
        pliant_world_destroy(world);
    }
}

// ---- what is done to a shared particle ----------------------------------------------------------

static void force_on_a_shared_particle_moves_the_body(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = make_still_world(50, 1);
        pliant_soft_def soft = in_patches(interfaces[k], 60);
        pliant_body_id body = add_soft(world, sample_mesh(), &soft, 0);
        pliant_body_add_force(world, body, shared_particle(world, body), vec(3, -2, 5));
        run(world, 20, 0.01);
        motion m = measure_motion(world, body);
        const double expected[3] = {3 * 0.2, -2 * 0.2, 5 * 0.2};
        for (int axis = 0; axis < 3; ++axis) CHECK_CLOSE(m.momentum[axis], expected[axis], 1e-3);
        pliant_world_destroy(world);
    }
}

static void pinned_shared_particle_stays_and_goes_where_it_is_moved(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = make_world(20, 1);
        pliant_soft_def soft = in_patches(interfaces[k], 60);
        pliant_body_id body = add_soft(world, sample_mesh(), &soft, 0);
        int particle = shared_particle(world, body);
        place start = read_place(world, body, particle);
        pliant_body_pin(world, body, particle);
        run(world, 5, 0.01);
        place held = read_place(world, body, particle);
        assert_memory_equal(&held, &start, sizeof held);
        const double target[3] = {start.x[0] + 0.01, start.x[1] - 0.02, start.x[2] + 0.005};
        pliant_body_move_pin(world, body, particle, target);
        run(world, 1, 0.01);
        place moved = read_place(world, body, particle);
        for (int axis = 0; axis < 3; ++axis) CHECK_CLOSE(moved.x[axis], target[axis], 1e-6);
        pliant_body_unpin(world, body, particle);
        run(world, 5, 0.01);
        place fallen = read_place(world, body, particle);
        if (!(fallen.x[1] < moved.x[1] - 0.005)) fail_msg("%s: does not fall", names[k]);
        pliant_world_destroy(world);
    }
}

static place hold_one(const pliant_soft_def* soft, int particle, int iterations)
{
    pliant_world* world = make_world(50, iterations);
    pliant_body_id body = add_soft(world, sample_mesh(), soft, 0);
    place at = read_place(world, body, particle);
    const double point[3] = {at.x[0], at.x[1] + 0.02, at.x[2]};
    pliant_attachment_id held = new_attachment(world, body, particle, point, 5e-5);
    run(world, 30, 0.01);
    pliant_attachment_move(world, held, (const double[3]){at.x[0] + 0.05, at.x[1], at.x[2]});
    run(world, 20, 0.01);
    at = read_place(world, body, particle);
    pliant_world_destroy(world);
    return at;
}

// A spring at a shared particle pulls as hard as one at a particle of a body in one piece: split
// masses do not make it weaker or stronger.
static void attachment_of_a_shared_particle_is_that_of_a_whole_one(void** unused)
{
    (void)unused;
    pliant_soft_def serial = pliant_soft_defaults();
    serial.solver.schedule = PLIANT_SCHEDULE_SERIAL;
    for (int k = 0; k < 4; k += by_scope(3, 3, 1)) {
        pliant_soft_def soft = in_patches(interfaces[k % 2], 60);
        pliant_world* world = make_world(1, 1);
        int particle = shared_particle(world, add_soft(world, sample_mesh(), &soft, 0));
        pliant_world_destroy(world);
        place a = hold_one(&soft, particle, 1 + k / 2), b = hold_one(&serial, particle, 1 + k / 2);
        print_message("    %s: %.5f %.5f, serial %.5f %.5f m\n", names[k % 2], a.x[0], a.x[1],
                      b.x[0], b.x[1]);
        for (int axis = 0; axis < 3; ++axis) CHECK_BETWEEN(fabs(a.x[axis] - b.x[axis]), 0, 3e-4);
    }
}

static void ground_carries_the_weight_of_patches(void** unused)
{
    (void)unused;
    for (int k = 0; k < by_scope(1, 1, 2); ++k) {
        pliant_world* world = make_world(40, 1);
        pliant_soft_def soft = in_patches(interfaces[k], 60);
        soft.material.damping = 0.02;
        pliant_collider_def floor = pliant_collider_defaults();
        new_collider(world, &floor);
        pliant_body_id body = add_soft(world, sample_mesh(), &soft, 0.001);
        run(world, by_scope(80, 80, 150), 0.01);
        double force = 0;
        for (int i = 0; i < 20; ++i) {
            run(world, 1, 0.01);
            force += contact_force(world, body).x[1] / 20;
        }
        double weight = 9.81 * pliant_body_mass(world, body);
        print_message("    %s: %.4f of the weight\n", names[k], force / weight);
        CHECK_CLOSE(force, weight, 0.01);
        pliant_world_destroy(world);
    }
}

// Two shapes that a body starts inside of push it from one to the other: the second one is seen by
// all copies of a particle, or by none.
static void copies_meet_the_same_colliders(void** unused)
{
    (void)unused;
    uint64_t digest[2];
    for (int k = 0; k < 2; ++k) {
        pliant_world_def def = pliant_world_defaults();
        pliant_world* world = NULL;
        def.gravity = vec(0, 0, 0);
        def.substeps = 40;
        def.threads = 1 + 2 * k;
        CHECK_OK(pliant_world_create(&def, &world));
        pliant_collider_def ball = pliant_collider_defaults(), wall = ball;
        ball.shape = PLIANT_SHAPE_SPHERE;
        ball.position[0] = 0.6;
        ball.radius = 1;
        wall.position[0] = -0.39;
        wall.rotation = (pliant_quat){0, 0, -0.70710678f, 0.70710678f}; // faces +x
        new_collider(world, &ball);
        new_collider(world, &wall);
        pliant_soft_def soft = in_patches(PLIANT_INTERFACE_MERGED, 64);
        pliant_body_id body = add_soft(world, generate("sphere:0.5:8"), &soft, 0);
        run(world, 1, 0.01);
        const state* s = &world_body(world, body)->s;
        check_copies(s, s->row, ROW, "position");
        digest[k] = get_digest(world);
        pliant_world_destroy(world);
    }
    assert_true(digest[0] == digest[1]);
}

// A contact of one substep is forgotten in the next, by rows that are shared too.
static void contacts_end_when_the_body_leaves(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 8);
    pliant_collider_def slope = pliant_collider_defaults();
    slope.rotation = (pliant_quat){0.1f, 0, 0.1f, 1};
    slope.restitution = 0.8f;
    new_collider(world, &slope);
    pliant_soft_def soft = in_patches(PLIANT_INTERFACE_MERGED, 64);
    soft.material.young = 1e5;
    pliant_body_id body = add_soft(world, generate("sphere:0.5:5"), &soft, 0.8);
    const collider* c = &world->collider_list[0];
    const state* s = &world_body(world, body)->s;
    for (int step = 0; step < 60; ++step) {
        run(world, 1, 0.01);
        place* x = read_places(world, body);
        for (int i = 0; i < s->particle_count; ++i) {
            double height = 0;
            for (int k = 0; k < 3; ++k) height += c->axis[1][k] * x[i].x[k];
            if (height > 1e-3 && state_read(s, s->contact, CONTACT, i, CONTACT_PUSH) > 0)
                fail_msg("step %d: particle %d is in contact, %g m above", step, i, height);
        }
        free(x);
    }
    pliant_world_destroy(world);
}

// ---- failures and snapshots ---------------------------------------------------------------------

static void body_that_diverges_stays_finite(void** unused)
{
    (void)unused;
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = make_world(5, 1);
        pliant_soft_def soft = in_patches(interfaces[k], 60);
        pliant_body_id body = add_soft(world, sample_mesh(), &soft, 0);
        pliant_body_add_force(world, body, shared_particle(world, body), vec(3e38, 0, 0));
        pliant_result result = PLIANT_OK;
        for (int i = 0; i < 20 && !result; ++i) result = pliant_world_step(world, 0.01f);
        assert_int_equal(result, PLIANT_ERROR_DIVERGED);
        int count = pliant_body_particle_count(world, body);
        place* x = read_places(world, body);
        for (int i = 0; i < count; ++i)
            if (!isfinite(x[i].x[0] + x[i].x[1] + x[i].x[2])) fail_msg("particle %d", i);
        const state* s = &world_body(world, body)->s;
        check_copies(s, s->row, ROW, "position");
        free(x);
        pliant_world_destroy(world);
    }
}

// A snapshot knows particles, not rows: it goes from any layout to any other.
static void snapshot_fits_every_layout(void** unused)
{
    (void)unused;
    pliant_soft_def soft[3] = {in_patches(PLIANT_INTERFACE_MERGED, 60),
                               in_patches(PLIANT_INTERFACE_ORDERED, 100), pliant_soft_defaults()};
    soft[2].solver.schedule = PLIANT_SCHEDULE_SERIAL;
    pliant_world* world[3];
    pliant_body_id body[3];
    for (int i = 0; i < 3; ++i) {
        world[i] = make_world(10, 1);
        body[i] = add_soft(world[i], sample_mesh(), &soft[i], 0);
        pin_plane(world[i], body[i], 0, 0);
    }
    pliant_body_add_force(world[0], body[0], 7, vec(1, 2, 3));
    run(world[0], 5, 0.01);
    size_t bytes = pliant_world_snapshot_size(world[0]);
    void* snapshot = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world[0], snapshot, bytes));
    for (int i = 1; i < 3; ++i) {
        CHECK_OK(pliant_world_snapshot_restore(world[i], snapshot, bytes));
        assert_true(get_digest(world[i]) == get_digest(world[0]));
        const state* s = &world_body(world[i], body[i])->s;
        check_copies(s, s->row, ROW, "position");
        run(world[i], 1, 0.01);
    }
    run(world[0], 1, 0.01);
    place *a = read_places(world[0], body[0]), *b = read_places(world[2], body[2]);
    for (int i = 0; i < pliant_body_particle_count(world[0], body[0]); ++i)
        for (int k = 0; k < 3; ++k) CHECK_BETWEEN(fabs(a[i].x[k] - b[i].x[k]), 0, 1e-3);
    free(a);
    free(b);
    free(snapshot);
    for (int i = 0; i < 3; ++i) pliant_world_destroy(world[i]);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        known_threads_test(copies_stay_the_same_bits),
        numbers_test(ordered_patches_are_gauss_seidel),
        numbers_test(momentum_of_a_free_body_stays_for_ten_seconds),
        numbers_test(force_on_a_shared_particle_moves_the_body),
        known_threads_test(pinned_shared_particle_stays_and_goes_where_it_is_moved),
        numbers_test(attachment_of_a_shared_particle_is_that_of_a_whole_one),
        numbers_test(ground_carries_the_weight_of_patches),
        cmocka_unit_test(copies_meet_the_same_colliders),
        numbers_test(contacts_end_when_the_body_leaves),
        known_threads_test(body_that_diverges_stays_finite),
        known_threads_test(snapshot_fits_every_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
