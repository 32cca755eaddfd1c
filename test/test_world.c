// The interface of worlds: ids, misuse, refusals, pins, attachments, forces, ropes, failures.
#include "failing.h"
#include "scene.h"

static pliant_vec3 vec(double x, double y, double z)
{
    return (pliant_vec3){(float)x, (float)y, (float)z};
}

static pliant_body_id add_box(pliant_world* world, double y)
{
    pliant_soft_def soft = pliant_soft_defaults();
    return add_soft(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), &soft, y);
}

// ---- ids and misuse ----------------------------------------------------------------------------

static void stale_ids_are_detected(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(4, 1);
    int misuse = 0;
    pliant_body_id first = add_box(world, 0);
    pliant_attachment_id held = pliant_attach(world, first, 0, (const double[3]){0, 0, 0}, 0);
    pliant_collider_def def = pliant_collider_defaults();
    pliant_collider_id collider = pliant_add_collider(world, &def);
    pliant_remove_body(world, first);
    pliant_remove_collider(world, collider);
    pliant_body_id second = add_box(world, 0);
    assert_int_equal(second.index1, first.index1); // the slot is used again
    assert_false(pliant_body_is_valid(world, first));
    assert_true(pliant_body_is_valid(world, second));

    pliant_set_assert(count_misuse, &misuse);
    assert_int_equal(pliant_body_particle_count(world, first), 0);
    pliant_remove_body(world, first);
    pliant_detach(world, held);
    pliant_attachment_move(world, held, (const double[3]){0, 1, 0});
    pliant_remove_collider(world, collider);
    pliant_body_id null = {0, 0};
    pliant_pin(world, null, 0);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuse, 6);
    assert_int_equal(pliant_world_body_count(world), 1);
    pliant_world_destroy(world);
}

typedef void misuse_fn(pliant_world* world, pliant_body_id body);

static void misuse_particle(pliant_world* w, pliant_body_id b) { pliant_pin(w, b, 27); }
static void misuse_negative(pliant_world* w, pliant_body_id b) { pliant_unpin(w, b, -1); }
static void misuse_count(pliant_world* w, pliant_body_id b)
{
    const pliant_vec3 v[1] = {{0, 0, 0}};
    pliant_body_write_velocities(w, b, v, 28);
}
static void misuse_null_array(pliant_world* w, pliant_body_id b)
{
    pliant_body_write_positions(w, b, NULL, 1);
}
static void misuse_nan_position(pliant_world* w, pliant_body_id b)
{
    const pliant_vec3 x[2] = {{1, 2, 3}, {0, NAN, 0}};
    pliant_body_write_positions(w, b, x, 2);
}
static void misuse_nan_exact(pliant_world* w, pliant_body_id b)
{
    const double x[6] = {1, 2, 3, 4, 5, INFINITY};
    pliant_body_write_positions_exact(w, b, x, 2);
}
static void misuse_nan_velocity(pliant_world* w, pliant_body_id b)
{
    const pliant_vec3 v[2] = {{1, 2, 3}, {0, 0, INFINITY}};
    pliant_body_write_velocities(w, b, v, 2);
}
static void misuse_nan_forces(pliant_world* w, pliant_body_id b)
{
    const pliant_vec3 f[2] = {{1, 2, 3}, {0, 0, NAN}};
    pliant_body_set_forces(w, b, f, 2);
}
static void misuse_nan_force(pliant_world* w, pliant_body_id b)
{
    pliant_body_add_force(w, b, 0, vec(NAN, 0, 0));
}
static void misuse_radius(pliant_world* w, pliant_body_id b)
{
    pliant_body_set_radius(w, b, 0, -1);
}
static void misuse_target(pliant_world* w, pliant_body_id b)
{
    pliant_pin_move(w, b, 0, (const double[3]){0, NAN, 0});
}
static void misuse_compliance(pliant_world* w, pliant_body_id b)
{
    assert_int_equal(pliant_attach(w, b, 0, (const double[3]){0, 0, 0}, -1).index1, 0);
}
static void misuse_gravity(pliant_world* w, pliant_body_id b)
{
    (void)b;
    pliant_world_set_gravity(w, vec(0, INFINITY, 0));
}
static void misuse_step(pliant_world* w, pliant_body_id b)
{
    (void)b;
    assert_int_equal(pliant_world_step(w, -1), PLIANT_ERROR_ARGUMENT);
}
static void misuse_scale(pliant_world* w, pliant_body_id b)
{
    pliant_body_set_gravity_scale(w, b, NAN);
}
static void misuse_def(pliant_world* w, pliant_body_id b)
{
    (void)b;
    pliant_collider_def def = {0};
    assert_int_equal(pliant_add_collider(w, &def).index1, 0);
}

// The handler is called once, and every bit of the world is as before.
static void misuse_does_nothing(void** unused)
{
    (void)unused;
    static misuse_fn* const cases[] = {
        misuse_particle,     misuse_negative,  misuse_count,        misuse_null_array,
        misuse_nan_position, misuse_nan_exact, misuse_nan_velocity, misuse_nan_forces,
        misuse_nan_force,    misuse_radius,    misuse_target,       misuse_compliance,
        misuse_gravity,      misuse_step,      misuse_scale,        misuse_def};
    pliant_world* world = make_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    uint64_t digest = pliant_world_digest(world);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int misuse = 0;
        pliant_set_assert(count_misuse, &misuse);
        cases[i](world, body);
        pliant_set_assert(NULL, NULL);
        if (misuse != 1) fail_msg("case %zu: the handler was called %d times", i, misuse);
        if (pliant_world_digest(world) != digest) fail_msg("case %zu changed the world", i);
    }
    pliant_world_destroy(world);
}

static void null_pointers_are_misuse(void** unused)
{
    (void)unused;
    int misuse = 0;
    pliant_world* world = NULL;
    pliant_asset* asset = NULL;
    pliant_body_id none = {0, 0};
    pliant_set_assert(count_misuse, &misuse);
    assert_int_equal(pliant_world_create(NULL, &world), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_asset_create(NULL, NULL, &asset), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_world_step(NULL, 1), PLIANT_ERROR_ARGUMENT);
    assert_int_equal(pliant_world_digest(NULL), 0);
    assert_int_equal(pliant_body_particle_count(NULL, none), 0);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuse, 5);
    pliant_world_destroy(NULL);
    pliant_asset_destroy(NULL);
}

// ---- refusals ----------------------------------------------------------------------------------

static void refuse_soft(const pliant_soft_def* def, pliant_mesh* mesh, const char* word)
{
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, def, &asset);
    if (result != PLIANT_ERROR_ARGUMENT || asset) fail_msg("'%s' was not refused", word);
    if (!strstr(pliant_error_text(), word))
        fail_msg("\"%s\" does not say \"%s\"", pliant_error_text(), word);
}

static void bad_materials_are_refused(void** unused)
{
    (void)unused;
    pliant_mesh* mesh = one_tet(1);
    pliant_soft_def def = pliant_soft_defaults(), bad = def;
    const pliant_material table[1] = {def.material};
    bad.material.density = 0;
    refuse_soft(&bad, mesh, "density");
    bad = def;
    bad.material.young = NAN;
    refuse_soft(&bad, mesh, "Young");
    bad = def;
    bad.material.poisson = 0.51;
    refuse_soft(&bad, mesh, "Poisson");
    bad.material.poisson = 0.1;
    bad.material.parameters = PLIANT_PARAMETERS_PLAIN;
    refuse_soft(&bad, mesh, "Poisson");
    bad = def;
    bad.material.damping = -1;
    refuse_soft(&bad, mesh, "damping");
    bad = def;
    bad.cluster_size = 0;
    refuse_soft(&bad, mesh, "cluster_size");
    bad = def;
    bad.shear_relaxation = 0.5;
    refuse_soft(&bad, mesh, "shear_relaxation");
    bad = def;
    bad.radius = -1;
    refuse_soft(&bad, mesh, "radius");
    bad = def;
    bad.materials = table;
    refuse_soft(&bad, mesh, "materials");
    bad = def;
    bad.formulation = (pliant_formulation)9;
    refuse_soft(&bad, mesh, "formulation");
    bad = def;
    bad.schedule = (pliant_schedule)-1;
    refuse_soft(&bad, mesh, "schedule");
    bad = def;
    bad.clustering = (pliant_clustering)7;
    refuse_soft(&bad, mesh, "clustering");
    bad = def;
    bad.material.parameters = (pliant_parameters)5;
    refuse_soft(&bad, mesh, "parameters");
    bad = def;
    bad.precision = (pliant_precision)2;
    refuse_soft(&bad, mesh, "precision");
    pliant_mesh_destroy(mesh);
}

static void bad_meshes_are_refused(void** unused)
{
    (void)unused;
    const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};
    const int good[] = {0, 1, 2, 3}, inverted[] = {0, 2, 1, 3}, flat[] = {0, 1, 2, 4};
    const int cell[] = {-1}, region[] = {1};
    pliant_soft_def def = pliant_soft_defaults();
    pliant_mesh_arrays a = {
        .vertices = vertices, .vertex_count = 5, .tets = inverted, .tet_count = 1};
    pliant_mesh* mesh = create(a);
    refuse_soft(&def, mesh, "tet 0 is inverted");
    pliant_mesh_destroy(mesh);
    a.tets = flat;
    mesh = create(a);
    refuse_soft(&def, mesh, "tet 0 is flat");
    pliant_mesh_destroy(mesh);
    a.tets = good;
    mesh = create(a);
    refuse_soft(&def, mesh, "vertex 4");
    pliant_mesh_destroy(mesh);
    a.vertex_count = 4;
    a.tet_cell = cell;
    def.clustering = PLIANT_CLUSTER_CELLS;
    mesh = create(a);
    refuse_soft(&def, mesh, "cell -1");
    pliant_mesh_destroy(mesh);
    a.tet_cell = NULL;
    a.tet_region = region;
    mesh = create(a);
    refuse_soft(&def, mesh, "generated box");
    def.clustering = PLIANT_CLUSTER_COMPACT;
    def.materials = &def.material;
    def.material_count = 1;
    refuse_soft(&def, mesh, "region 1");
    pliant_mesh_destroy(mesh);
    def = pliant_soft_defaults();
    mesh = generate("cloth");
    refuse_soft(&def, mesh, "tets or edges");
    pliant_mesh_destroy(mesh);
}

static void refuse_world(const pliant_world_def* def, const char* word)
{
    pliant_world* world = NULL;
    assert_int_equal(pliant_world_create(def, &world), PLIANT_ERROR_ARGUMENT);
    assert_null(world);
    if (!strstr(pliant_error_text(), word))
        fail_msg("\"%s\" does not say \"%s\"", pliant_error_text(), word);
}

static void bad_worlds_are_refused(void** unused)
{
    (void)unused;
    pliant_world_def def = pliant_world_defaults(), bad = def;
    bad.substeps = -1;
    refuse_world(&bad, "substeps");
    bad = def;
    bad.iterations = 0;
    refuse_world(&bad, "iterations");
    bad = def;
    bad.threads = 5000;
    refuse_world(&bad, "threads");
    bad = def;
    bad.lanes = 3;
    refuse_world(&bad, "lanes");
    bad = def;
    bad.gravity.x = NAN;
    refuse_world(&bad, "gravity");
    bad = def;
    bad.history = -1;
    refuse_world(&bad, "history");
}

static void refuse_collider(pliant_world* world, const pliant_collider_def* def, const char* word)
{
    if (pliant_add_collider(world, def).index1) fail_msg("'%s' was not refused", word);
    if (!strstr(pliant_error_text(), word))
        fail_msg("\"%s\" does not say \"%s\"", pliant_error_text(), word);
}

static void bad_colliders_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_collider_def def = pliant_collider_defaults(), bad = def;
    bad.position[0] = NAN;
    refuse_collider(world, &bad, "position");
    bad = def;
    bad.rotation = (pliant_quat){0, 0, 0, 0};
    refuse_collider(world, &bad, "rotation");
    bad.rotation = (pliant_quat){INFINITY, 0, 0, 1};
    refuse_collider(world, &bad, "rotation");
    bad = def;
    bad.shape = PLIANT_BOX;
    bad.half_extents.y = 0;
    refuse_collider(world, &bad, "half_extents");
    bad = def;
    bad.shape = PLIANT_SPHERE;
    bad.radius = INFINITY;
    refuse_collider(world, &bad, "radius");
    bad = def;
    bad.shape = PLIANT_CAPSULE;
    bad.half_height = -1;
    refuse_collider(world, &bad, "half_height");
    bad = def;
    bad.shape = PLIANT_MESH;
    refuse_collider(world, &bad, "mesh");
    bad = def;
    bad.shape = (pliant_shape)17;
    refuse_collider(world, &bad, "shape");
    bad = def;
    bad.dynamic_friction = NAN;
    refuse_collider(world, &bad, "friction");
    bad.dynamic_friction = INFINITY;
    refuse_collider(world, &bad, "friction");
    bad = def;
    bad.restitution = 2;
    refuse_collider(world, &bad, "restitution");
    pliant_world_destroy(world);
}

static void bad_bodies_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* mesh = one_tet(1);
    for (int i = 0; i < 5; ++i) {
        pliant_body_def def = pliant_body_defaults();
        if (i == 0) def.position[2] = INFINITY;
        if (i == 1) def.rotation = (pliant_quat){0, 0, 0, 0};
        if (i == 2) def.rotation = (pliant_quat){0, NAN, 0, 1};
        if (i == 3) def.friction = INFINITY;
        if (i == 4) def.restitution = -1;
        if (pliant_add_soft(world, mesh, &soft, &def).index1) fail_msg("body %d not refused", i);
        assert_non_null(strstr(pliant_error_text(), "a body's"));
    }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// ---- bodies come and go ------------------------------------------------------------------------

static void empty_world_steps(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(0, 1);
    run(world, 3, 0.5);
    CHECK_CLOSE(pliant_world_time(world), 1.5, 1e-12);
    assert_int_equal(pliant_world_step_count(world), 3);
    pliant_world_destroy(world);
}

static void removed_bodies_leave_the_others_alone(void** unused)
{
    (void)unused;
    pliant_world *world = make_world(4, 1), *alone = make_world(4, 1);
    pliant_body_id gone = add_box(world, 5), kept = add_box(world, 1), same = add_box(alone, 1);
    run(world, 2, 0.01);
    run(alone, 2, 0.01);
    pliant_remove_body(world, gone);
    pliant_body_id ids[4];
    assert_int_equal(pliant_world_bodies(world, ids, 4), 1);
    assert_memory_equal(&ids[0], &kept, sizeof kept);
    run(world, 2, 0.01);
    run(alone, 2, 0.01);
    add_box(world, 7);
    run(world, 2, 0.01);
    run(alone, 2, 0.01);
    place *a = read_places(world, kept), *b = read_places(alone, same);
    assert_memory_equal(a, b, 27 * sizeof *a);
    assert_int_equal(pliant_world_body_count(world), 2);
    free(a);
    free(b);
    pliant_world_destroy(world);
    pliant_world_destroy(alone);
}

static void asset_may_be_destroyed_while_in_use(void** unused)
{
    (void)unused;
    size_t held = pliant_allocated_bytes();
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, &soft, &asset));
    pliant_mesh_destroy(mesh);
    pliant_world* world = make_world(4, 1);
    pliant_body_id one = pliant_add_body(world, asset, &def);
    pliant_add_body(world, asset, &def);
    pliant_asset_destroy(asset);
    run(world, 2, 0.01);
    pliant_remove_body(world, one);
    run(world, 2, 0.01);
    pliant_world_destroy(world);
    assert_int_equal(pliant_allocated_bytes(), held);
}

static void body_starts_where_it_is_put(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = 1000;
    def.rotation = (pliant_quat){0, 0, 2, 2}; // a quarter turn about z, not normalized
    def.velocity = vec(1, 2, 3);
    pliant_mesh* mesh = one_tet(0.1);
    pliant_body_id body = pliant_add_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    place* x = read_places(world, body);
    CHECK_CLOSE(x[1].x[0], 1000, 1e-15);
    CHECK_CLOSE(x[1].x[1], 0.1, 1e-7);
    CHECK_CLOSE(x[2].x[0], 999.9, 1e-12); // digits that a float does not have
    motion m = measure_motion(world, body);
    CHECK_CLOSE(m.velocity[2], 3, 1e-6);
    free(x);
    pliant_world_destroy(world);
}

// ---- reading -----------------------------------------------------------------------------------

static void view_and_copy_agree(void** unused)
{
    (void)unused;
    for (int twice = 0; twice < 2; ++twice) {
        pliant_world* world = make_world(7, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.precision = twice ? PLIANT_DOUBLE : PLIANT_SINGLE;
        pliant_body_id body = add_soft(world, one_tet(0.3), &soft, 3);
        run(world, 5, 0.01);
        pliant_vec3 x[4], v[4];
        assert_int_equal(pliant_body_read_positions(world, body, x, 4), 4);
        assert_int_equal(pliant_body_read_velocities(world, body, v, 4), 4);
        pliant_view px = pliant_body_view_positions(world, body);
        pliant_view pv = pliant_body_view_velocities(world, body);
        assert_int_equal(px.count, 4);
        assert_int_equal(px.scalar_bytes, twice ? 8 : 4);
        for (int i = 0; i < 4; ++i) {
            const void* row = (const char*)px.data + (size_t)i * px.stride;
            const void* speed = (const char*)pv.data + (size_t)i * pv.stride;
            double y = twice ? ((const double*)row)[1] : (double)((const float*)row)[1];
            double w = twice ? ((const double*)speed)[1] : (double)((const float*)speed)[1];
            assert_true((float)y == x[i].y && (float)w == v[i].y);
        }
        assert_int_equal(pliant_body_read_positions(world, body, x, 2), 2);
        pliant_world_destroy(world);
    }
}

// ---- pins, attachments, forces -----------------------------------------------------------------

static void moving_pin_arrives_at_constant_velocity(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(8, 1);
    pliant_body_id body = add_box(world, 0);
    const double target[3] = {0.3, 1.1, -0.7};
    place from = read_place(world, body, 26);
    pliant_pin_move(world, body, 26, target);
    run(world, 1, 0.25);
    place to = read_place(world, body, 26);
    pliant_vec3 v[27];
    pliant_body_read_velocities(world, body, v, 27);
    for (int k = 0; k < 3; ++k) CHECK_BETWEEN(to.x[k] - target[k], -2e-8, 2e-8);
    CHECK_CLOSE(v[26].x, (target[0] - from.x[0]) / 0.25, 1e-5);
    CHECK_CLOSE(v[26].y, (target[1] - from.x[1]) / 0.25, 1e-5);
    run(world, 2, 0.25);
    place later = read_place(world, body, 26);
    for (int k = 0; k < 3; ++k) CHECK_BETWEEN(later.x[k] - to.x[k], 0, 0); // and stays
    assert_true(pliant_body_particle(world, body, 26).pinned);
    pliant_unpin(world, body, 26);
    assert_false(pliant_body_particle(world, body, 26).pinned);
    pliant_world_destroy(world);
}

// A step of no time is no step: paths wait.
static void pause_does_not_lose_a_path(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    pliant_pin_move(world, body, 0, (const double[3]){0, 0.25, 0});
    run(world, 1, 0);
    run(world, 1, 0.1);
    CHECK_CLOSE(read_place(world, body, 0).x[1], 0.25, 1e-6);
    pliant_world_destroy(world);
}

// m g hangs at m g times compliance below its point.
static void attachment_stretches_by_force_times_compliance(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = 0.02;
    pliant_body_id body = add_soft(world, one_tet(0.1), &soft, 0);
    double mass = pliant_body_mass(world, body), compliance = 0.01 / (mass * 9.81);
    place* rest = read_places(world, body);
    for (int i = 0; i < 4; ++i) pliant_attach(world, body, i, rest[i].x, 4 * compliance);
    free(rest);
    double start = measure_motion(world, body).center[1];
    for (int i = 0; i < 150; ++i) {
        run(world, 1, 0.01);
        if (i % 3 == 2) write_velocity(world, body, vec(0, 0, 0));
    }
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, body).center[1] - start, -0.01, 0.02);
    pliant_world_destroy(world);
}

static void stiff_attachment_holds_its_point(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_body_id body = add_box(world, 0);
    pliant_attachment_id held = pliant_attach(world, body, 8, (const double[3]){0.2, 0.2, 0}, 0);
    run(world, 20, 0.01);
    CHECK_BETWEEN(read_place(world, body, 8).x[1], 0.2 - 1e-6, 0.2 + 1e-6);
    pliant_attachment_move(world, held, (const double[3]){0.2, 0.3, 0});
    run(world, 1, 0.05);
    CHECK_BETWEEN(read_place(world, body, 8).x[1], 0.3 - 1e-6, 0.3 + 1e-6);
    pliant_detach(world, held);
    run(world, 20, 0.01);
    assert_true(read_place(world, body, 8).x[1] < 0.25);
    pliant_world_destroy(world);
}

// Opposite to the weight: nothing moves. Cleared: it falls.
static void forces_stay_until_cleared(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    pliant_body_id body = add_box(world, 0);
    double mass[27];
    pliant_vec3 force[27];
    assert_int_equal(pliant_body_read_masses(world, body, mass, 27), 27);
    for (int i = 0; i < 27; ++i) force[i] = vec(0, mass[i] * (double)9.81f, 0);
    pliant_body_set_forces(world, body, force, 27);
    run(world, 10, 0.01);
    CHECK_BETWEEN(measure_motion(world, body).velocity[1], -1e-5, 1e-5);
    pliant_body_set_forces(world, body, NULL, 0);
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, body).velocity[1], -0.981, 1e-4);
    pliant_body_add_force(world, body, 3, vec(pliant_body_mass(world, body), 0, 0));
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, body).velocity[0], 0.1, 1e-4);
    pliant_world_destroy(world);
}

static void gravity_scale_scales_gravity(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    pliant_body_id light = add_box(world, 0), heavy = add_box(world, 2);
    pliant_body_set_gravity_scale(world, light, -0.5f);
    pliant_body_set_gravity_scale(world, heavy, 2);
    run(world, 10, 0.01);
    CHECK_CLOSE(measure_motion(world, light).velocity[1], 0.4905, 1e-4);
    CHECK_CLOSE(measure_motion(world, heavy).velocity[1], -1.962, 1e-4);
    pliant_world_destroy(world);
}

// ---- ropes -------------------------------------------------------------------------------------

// A weight F at the end of a vertical rope, its own weight m g: stretch (F + m g / 2) L / (E A).
static void rope_stretches_like_a_rod(void** unused)
{
    (void)unused;
    const double length = 2, radius = 0.01, area = 3.14159265358979 * radius * radius, load = 20;
    pliant_world* world = make_world(100, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope_radius = radius;
    soft.material.young = 2e6;
    pliant_body_def def = pliant_body_defaults();
    def.rotation = (pliant_quat){0, 0, -1, 1}; // x goes down
    pliant_mesh* mesh = generate("rope:2:10");
    pliant_body_id body = pliant_add_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    pliant_pin(world, body, 0);
    pliant_body_add_force(world, body, 10, vec(0, -load, 0));
    for (int i = 0; i < 400; ++i) { // to rest: all speed taken away again and again
        run(world, 1, 0.01);
        if (i % 5 == 4) write_velocity(world, body, vec(0, 0, 0));
    }
    double weight = pliant_body_mass(world, body) * 9.81;
    double stretch = -read_place(world, body, 10).x[1] - length;
    CHECK_CLOSE(pliant_body_mass(world, body), 1000 * area * length, 1e-9);
    CHECK_CLOSE(stretch, (load + weight / 2) * length / (2e6 * area), 0.01);
    pliant_world_destroy(world);
}

// ---- what goes wrong ---------------------------------------------------------------------------

static void inverted_element_recovers(void** unused)
{
    (void)unused;
    static const pliant_formulation forms[] = {PLIANT_TEN_ROWS, PLIANT_TWO_ROWS, PLIANT_DECOUPLED};
    for (int f = 0; f < 3; ++f) {
        pliant_world* world = make_still_world(20, 1);
        pliant_soft_def soft = pliant_soft_defaults();
        soft.formulation = forms[f];
        soft.material.damping = 0.005;
        pliant_body_id body = add_soft(world, one_tet(0.1), &soft, 0);
        const double inside_out[12] = {0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0.01, 0.01, -0.03};
        pliant_body_write_positions_exact(world, body, inside_out, 4);
        run(world, 200, 0.01);
        place* x = read_places(world, body);
        double d[3][3];
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) d[i][k] = x[i + 1].x[k] - x[0].x[k];
        double det = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                     d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
                     d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        print_message("    formulation %d: det %.4g of 1e-3\n", f, det);
        CHECK_CLOSE(det, 1e-3, 0.1);
        free(x);
        pliant_world_destroy(world);
    }
}

static void divergence_is_reported_and_contained(void** unused)
{
    (void)unused;
    pliant_world *world = make_world(4, 1), *alone = make_world(4, 1);
    pliant_body_id wild = add_box(world, 0), calm = add_box(world, 2), same = add_box(alone, 2);
    pliant_vec3 v[27] = {{1e30f, -1e30f, 3e30f}, {-2e30f, 1e30f, 0}};
    pliant_body_write_velocities(world, wild, v, 27);
    pliant_result result = pliant_world_step(world, 0.01f);
    run(alone, 1, 0.01);
    assert_int_equal(result, PLIANT_ERROR_DIVERGED);
    if (!strstr(pliant_error_text(), "body 0")) fail_msg("%s", pliant_error_text());
    place *a = read_places(world, calm), *b = read_places(alone, same),
          *w = read_places(world, wild);
    assert_memory_equal(a, b, 27 * sizeof *a);
    for (int i = 0; i < 27; ++i)
        if (!isfinite(w[i].x[0] + w[i].x[1] + w[i].x[2])) fail_msg("particle %d is not finite", i);
    // Writing brings it back.
    place rest[27];
    for (int i = 0; i < 27; ++i)
        rest[i] = (place){{0.1 * (i % 3), 0.1 * (i / 3 % 3), 0.1 * (i / 9)}};
    pliant_body_write_positions_exact(world, wild, rest->x, 27);
    memset(v, 0, sizeof v);
    pliant_body_write_velocities(world, wild, v, 27);
    run(world, 2, 0.01);
    free(a);
    free(b);
    free(w);
    pliant_world_destroy(world);
    pliant_world_destroy(alone);
}

// The digest after a divergence is the same for all lanes: no NaN stays in the state.
static void divergence_has_a_digest(void** unused)
{
    (void)unused;
    uint64_t digest[2];
    for (int i = 0; i < 2; ++i) {
        pliant_world_def def = pliant_world_defaults();
        pliant_world* world = NULL;
        def.substeps = 4;
        def.threads = 1;
        def.lanes = i ? 16 : 1;
        CHECK_OK(pliant_world_create(&def, &world));
        pliant_collider_def floor = pliant_collider_defaults();
        pliant_add_collider(world, &floor);
        pliant_body_id body = add_box(world, 0);
        pliant_vec3 v[27] = {{1e30f, -1e30f, 3e30f}, {-2e30f, 1e30f, 0}};
        pliant_body_write_velocities(world, body, v, 27);
        assert_int_equal(pliant_world_step(world, 0.01f), PLIANT_ERROR_DIVERGED);
        place force = contact_force(world, body);
        if (!isfinite(force.x[0] + force.x[1] + force.x[2]))
            fail_msg("a contact force is not finite");
        digest[i] = pliant_world_digest(world);
        pliant_world_destroy(world);
    }
    assert_true(digest[0] == digest[1]);
}

static void count_warnings(pliant_log_level level, const char* text, void* context)
{
    if (level == PLIANT_LOG_WARNING && strstr(text, "substeps")) ++*(int*)context;
}

static void too_few_substeps_warn_once(void** unused)
{
    (void)unused;
    int warnings = 0;
    pliant_world *coarse = make_world(1, 1), *chosen = make_world(0, 1);
    add_box(coarse, 0);
    add_box(chosen, 0);
    pliant_set_log(count_warnings, &warnings);
    pliant_world_step(chosen, 0.03f);
    assert_int_equal(warnings, 0);
    for (int i = 0; i < 3; ++i) pliant_world_step(coarse, 0.03f);
    pliant_set_log(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_true(pliant_world_profile(chosen).substeps > 1);
    pliant_world_destroy(coarse);
    pliant_world_destroy(chosen);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_ids_are_detected),
        cmocka_unit_test(misuse_does_nothing),
        cmocka_unit_test(null_pointers_are_misuse),
        cmocka_unit_test(bad_materials_are_refused),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(bad_worlds_are_refused),
        cmocka_unit_test(bad_colliders_are_refused),
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(empty_world_steps),
        cmocka_unit_test(removed_bodies_leave_the_others_alone),
        cmocka_unit_test(asset_may_be_destroyed_while_in_use),
        cmocka_unit_test(body_starts_where_it_is_put),
        cmocka_unit_test(view_and_copy_agree),
        cmocka_unit_test(moving_pin_arrives_at_constant_velocity),
        cmocka_unit_test(pause_does_not_lose_a_path),
        cmocka_unit_test(attachment_stretches_by_force_times_compliance),
        cmocka_unit_test(stiff_attachment_holds_its_point),
        cmocka_unit_test(forces_stay_until_cleared),
        cmocka_unit_test(gravity_scale_scales_gravity),
        cmocka_unit_test(rope_stretches_like_a_rod),
        cmocka_unit_test(inverted_element_recovers),
        cmocka_unit_test(divergence_is_reported_and_contained),
        cmocka_unit_test(divergence_has_a_digest),
        cmocka_unit_test(too_few_substeps_warn_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
