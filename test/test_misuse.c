// Stale ids, misuse, and definitions that are refused with a sentence.
#include "failing.h"
#include "scene.h"

// ---- ids and misuse -----------------------------------------------------------------------------

static void stale_ids_are_detected(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(4, 1);
    int misuse = 0;
    pliant_body_id first = add_box(world, 0);
    pliant_attachment_id held = new_attachment(world, first, 0, (const double[3]){0, 0, 0}, 0);
    pliant_collider_def def = pliant_collider_defaults();
    pliant_collider_id collider = new_collider(world, &def);
    pliant_body_remove(world, first);
    pliant_collider_remove(world, collider);
    pliant_body_id second = add_box(world, 0);
    assert_int_equal(second.index1, first.index1); // the slot is used again
    assert_false(pliant_body_is_valid(world, first));
    assert_true(pliant_body_is_valid(world, second));

    pliant_set_assert(count_misuse, &misuse);
    assert_int_equal(pliant_body_particle_count(world, first), 0);
    pliant_body_remove(world, first);
    pliant_attachment_remove(world, held);
    pliant_attachment_move(world, held, (const double[3]){0, 1, 0});
    pliant_collider_remove(world, collider);
    pliant_body_id null = {0, 0};
    pliant_body_pin(world, null, 0);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuse, 6);
    assert_int_equal(pliant_world_body_count(world), 1);
    pliant_world_destroy(world);
}

static void a_definition_without_its_defaults_has_a_sentence_of_its_own(void** unused)
{
    (void)unused;
    int misuse = 0;
    pliant_world* world = NULL;
    pliant_mesh* mesh = NULL;
    pliant_world_def def = {.threads = 1}; // not from pliant_world_defaults
    assert_int_not_equal(pliant_mesh_generate("no_such_mesh", &mesh), PLIANT_OK);
    pliant_set_assert(count_misuse, &misuse);
    assert_int_equal(pliant_world_create(&def, &world), PLIANT_ERROR_ARGUMENT);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuse, 1);
    if (strncmp(pliant_error_text(), "misuse: ", 8) != 0)
        fail_msg("the sentence is that of another failure: %s", pliant_error_text());
}

typedef void misuse_fn(pliant_world* world, pliant_body_id body);

static void misuse_particle(pliant_world* w, pliant_body_id b) { pliant_body_pin(w, b, 27); }
static void misuse_negative(pliant_world* w, pliant_body_id b) { pliant_body_unpin(w, b, -1); }
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
static void misuse_far_exact(pliant_world* w, pliant_body_id b)
{
    const double x[6] = {1, 2, 3, 4, 1e300, 6}; // finite, but not in single precision
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
    pliant_body_move_pin(w, b, 0, (const double[3]){0, NAN, 0});
}
static void misuse_compliance(pliant_world* w, pliant_body_id b)
{
    assert_int_equal(new_attachment(w, b, 0, (const double[3]){0, 0, 0}, -1).index1, 0);
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
    assert_int_equal(new_collider(w, &def).index1, 0);
}

// The handler is called once, and every bit of the world is as before.
static void misuse_does_nothing(void** unused)
{
    (void)unused;
    static misuse_fn* const cases[] = {misuse_particle,     misuse_negative,     misuse_count,
                                       misuse_null_array,   misuse_nan_position, misuse_nan_exact,
                                       misuse_nan_velocity, misuse_nan_forces,   misuse_nan_force,
                                       misuse_radius,       misuse_target,       misuse_compliance,
                                       misuse_gravity,      misuse_step,         misuse_scale,
                                       misuse_def,          misuse_far_exact};
    pliant_world* world = make_world(4, 1);
    pliant_body_id body = add_box(world, 0);
    uint64_t digest = get_digest(world);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int misuse = 0;
        pliant_set_assert(count_misuse, &misuse);
        cases[i](world, body);
        pliant_set_assert(NULL, NULL);
        if (misuse != 1) fail_msg("case %zu: the handler was called %d times", i, misuse);
        if (get_digest(world) != digest) fail_msg("case %zu changed the world", i);
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
    assert_int_equal(get_digest(NULL), 0);
    assert_int_equal(pliant_body_particle_count(NULL, none), 0);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuse, 5);
    pliant_world_destroy(NULL);
    pliant_asset_destroy(NULL);
}

static void questions_to_an_asset_are_checked(void** unused)
{
    (void)unused;
    pliant_soft_def def = pliant_soft_defaults();
    pliant_mesh* mesh = one_tet(1);
    pliant_asset* asset = NULL;
    CHECK_OK(pliant_asset_create(mesh, &def, &asset));
    int misuse = 0, color = 0;
    pliant_set_assert(count_misuse, &misuse);
    assert_int_equal(pliant_asset_substeps(asset, NAN), 0);
    assert_int_equal(pliant_asset_substeps(asset, -1), 0);
    assert_int_equal(pliant_asset_read_colors(asset, &color, -1), 0);
    pliant_set_assert(NULL, NULL);
    assert_int_equal(misuse, 3);
    assert_int_equal(pliant_asset_substeps(asset, 0), 1);
    assert_int_equal(pliant_asset_read_colors(asset, &color, 5), 1);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
}

// ---- refusals -----------------------------------------------------------------------------------

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
    const pliant_material_def table[1] = {def.material};
    bad.material.density = 0;
    refuse_soft(&bad, mesh, "density");
    bad = def;
    bad.material.young = NAN;
    refuse_soft(&bad, mesh, "young");
    bad = def;
    bad.material.poisson = 0.51;
    refuse_soft(&bad, mesh, "poisson");
    bad.material.poisson = 0.1;
    bad.research.lame_convention = PLIANT_LAME_PLAIN;
    refuse_soft(&bad, mesh, "poisson");
    bad = def;
    bad.material.damping = -1;
    refuse_soft(&bad, mesh, "damping");
    bad = def;
    bad.research.cluster_size = 0;
    refuse_soft(&bad, mesh, "cluster_size");
    bad = def;
    bad.solver.shear_relaxation = 0.5;
    refuse_soft(&bad, mesh, "shear_relaxation");
    bad = def;
    bad.radius = -1;
    refuse_soft(&bad, mesh, "radius");
    bad = def;
    bad.materials = table;
    refuse_soft(&bad, mesh, "materials");
    bad = def;
    bad.solver.formulation = (pliant_formulation)9;
    refuse_soft(&bad, mesh, "formulation");
    bad = def;
    bad.solver.schedule = (pliant_schedule)-1;
    refuse_soft(&bad, mesh, "schedule");
    bad = def;
    bad.research.clustering = (pliant_clustering)7;
    refuse_soft(&bad, mesh, "clustering");
    bad = def;
    bad.research.lame_convention = (pliant_lame_convention)5;
    refuse_soft(&bad, mesh, "lame_convention");
    bad = def;
    bad.solver.precision = (pliant_precision)2;
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
    def.solver.schedule = PLIANT_SCHEDULE_CLUSTERED;
    def.research.clustering = PLIANT_CLUSTERING_CELLS;
    mesh = create(a);
    refuse_soft(&def, mesh, "cell -1");
    pliant_mesh_destroy(mesh);
    a.tet_cell = NULL;
    a.tet_region = region;
    mesh = create(a);
    refuse_soft(&def, mesh, "generated box");
    def.research.clustering = PLIANT_CLUSTERING_COMPACT;
    def.materials = &def.material;
    def.material_count = 1;
    refuse_soft(&def, mesh, "region 1");
    pliant_mesh_destroy(mesh);
    def = pliant_soft_defaults();
    a = (pliant_mesh_arrays){.vertices = a.vertices, .vertex_count = 4};
    mesh = create(a);
    refuse_soft(&def, mesh, "tets, triangles or edges");
    pliant_mesh_destroy(mesh);
}

static void bad_cloth_is_refused(void** unused)
{
    (void)unused;
    static const double line[] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const int triangle[] = {0, 1, 2}, anchor[] = {7};
    pliant_soft_def def = pliant_soft_defaults(), bad = def;
    pliant_mesh* mesh = create_triangles(line, 3, triangle, 1);
    refuse_soft(&def, mesh, "triangle 0 has no area");
    pliant_mesh_destroy(mesh);
    mesh = generate("cloth:1x1");
    bad.cloth.stretch = 0;
    refuse_soft(&bad, mesh, "stretch");
    bad = def;
    bad.cloth.air = 10;
    refuse_soft(&bad, mesh, "only a closed surface");
    bad = def;
    bad.cloth.bending = NAN;
    refuse_soft(&bad, mesh, "bending");
    bad = def;
    bad.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    bad.research.stiffness.area = 1.5;
    refuse_soft(&bad, mesh, "stiffness: area is 1.5");
    bad = def;
    bad.anchors = anchor;
    bad.anchor_count = 1;
    refuse_soft(&bad, mesh, "anchor 0 is vertex 7 of 4");
    bad = def;
    bad.research.boundary.bending = -1;
    refuse_soft(&bad, mesh, "boundary: bending is -1");
    pliant_mesh_destroy(mesh);
    mesh = one_tet(1);
    bad.research.boundary.bending = 1;
    refuse_soft(&bad, mesh, "edges_and_volume");
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
    pliant_collider_id id = {1, 1};
    if (pliant_world_add_collider(world, def, &id) != PLIANT_ERROR_ARGUMENT || id.index1)
        fail_msg("'%s' was not refused", word);
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
    bad.shape = PLIANT_SHAPE_BOX;
    bad.half_extents.y = 0;
    refuse_collider(world, &bad, "half_extents");
    bad = def;
    bad.shape = PLIANT_SHAPE_SPHERE;
    bad.radius = INFINITY;
    refuse_collider(world, &bad, "radius");
    bad = def;
    bad.shape = PLIANT_SHAPE_CAPSULE;
    bad.half_height = -1;
    refuse_collider(world, &bad, "half_height");
    bad = def;
    bad.shape = PLIANT_SHAPE_MESH;
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
    for (int i = 0; i < 12; ++i) {
        pliant_body_def def = pliant_body_defaults();
        if (i == 0) def.position[2] = INFINITY;
        if (i == 1) def.rotation = (pliant_quat){0, 0, 0, 0};
        if (i == 2) def.rotation = (pliant_quat){0, NAN, 0, 1};
        if (i == 3) def.friction = INFINITY;
        if (i == 4) def.restitution = -1;
        if (i == 5) def.position[1] = -1e300; // a float cannot hold it
        if (i == 6) def.angular_velocity.x = def.velocity.z = 3e38f;
        if (i == 7) def.position[1] = 1e30;
        if (i == 8)
            def.position[0] = -1e17; // a float and its residue tell hundreds of meters apart
        if (i == 9) def.velocity.y = 1e30f;
        if (i == 10) def.angular_velocity.y = -2e9f;
        if (i == 11) def.position[2] = 2e30;
        pliant_body_id id = {1, 1};
        if (pliant_world_add_soft(world, mesh, &soft, &def, &id) != PLIANT_ERROR_ARGUMENT ||
            id.index1)
            fail_msg("body %d not refused", i);
        assert_non_null(strstr(pliant_error_text(), "body"));
    }
    pliant_body_def far = pliant_body_defaults(); // where it is held to 1e-5 m
    far.position[0] = 1e9;
    assert_true(new_soft(world, mesh, &soft, &far).index1 != 0);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_ids_are_detected),
        cmocka_unit_test(a_definition_without_its_defaults_has_a_sentence_of_its_own),
        cmocka_unit_test(misuse_does_nothing),
        cmocka_unit_test(null_pointers_are_misuse),
        cmocka_unit_test(bad_materials_are_refused),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(bad_cloth_is_refused),
        cmocka_unit_test(bad_worlds_are_refused),
        cmocka_unit_test(bad_colliders_are_refused),
        cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(questions_to_an_asset_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
