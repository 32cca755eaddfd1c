// Colliders of triangles: nothing passes them, and what touches them feels a plane.
#include "failing_world.h"
#include "scene.h"
#include "world/world.h"

static const double G = 9.81;
static const float dt = 1.0f / 240;

// ---- what is thrown -----------------------------------------------------------------------------

// Tets of 1 cm that have nothing to do with each other, around places.
static pliant_mesh* make_grains(const place* at, int count)
{
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double size = 0.01;
    double* vertices = (double*)malloc(12 * (size_t)count * sizeof *vertices);
    int* tets = (int*)malloc(4 * (size_t)count * sizeof *tets);
    for (int i = 0; i < 4 * count; ++i) {
        tets[i] = i;
        for (int k = 0; k < 3; ++k)
            vertices[3 * i + k] = at[i / 4].x[k] + size * (corner[i % 4][k] - 0.25);
    }
    pliant_mesh* mesh = create_tets(vertices, 4 * count, tets, count);
    free(vertices);
    free(tets);
    return mesh;
}

static pliant_body_id add_grains(pliant_world* world, const place* at, int count,
                                 pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = make_grains(at, count);
    soft.material.young = 1e4;
    soft.material.damping = 0.002;
    def.velocity = velocity;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

// ---- what they meet -----------------------------------------------------------------------------

// A square around the origin, of cells of two triangles each, upward.
static pliant_mesh* sheet_mesh(double half, int cells, double (*height)(double x, double z))
{
    int side = cells + 1, count = 0;
    double* vertices = (double*)malloc(3 * (size_t)(side * side) * sizeof *vertices);
    int* triangles = (int*)malloc(6 * (size_t)(cells * cells) * sizeof *triangles);
    for (int i = 0; i < side * side; ++i) {
        double x = half * (2.0 * (i % side) / cells - 1), z = half * (2.0 * (i / side) / cells - 1);
        vertices[3 * i] = x;
        vertices[3 * i + 1] = height ? height(x, z) : 0;
        vertices[3 * i + 2] = z;
    }
    for (int i = 0; i < cells * cells; ++i) {
        int a = i / cells * side + i % cells, b = a + 1, c = a + side, d = c + 1;
        const int both[6] = {a, c, b, b, c, d};
        memcpy(triangles + count, both, sizeof both);
        count += 6;
    }
    pliant_mesh* mesh = create_triangles(vertices, side * side, triangles, count / 3);
    free(vertices);
    free(triangles);
    return mesh;
}

// A cup without a lid: as a die without its upper side, `half` wide and high.
static pliant_mesh* cup_mesh(double half)
{
    static const int side[5][4] = {
        {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    double vertices[24];
    int triangles[30];
    for (int i = 0; i < 24; ++i) vertices[i] = i / 3 >> i % 3 & 1 ? half : -half;
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k) {
            triangles[6 * i + k] = side[i][k];
            triangles[6 * i + 3 + k] = side[i][k ? k + 1 : 0];
        }
    return create_triangles(vertices, 8, triangles, 10);
}

// Met by particles alone, unless it is told else.
static pliant_collider_def net_def(pliant_mesh* mesh)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_TRIANGLES;
    def.mesh = mesh;
    def.thickness = 1e-3f;
    def.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    def.static_friction = def.dynamic_friction = 0;
    def.measure_force = true;
    return def;
}

static pliant_collider_id add_net(pliant_world* world, const pliant_collider_def* def)
{
    pliant_collider_id id = new_collider(world, def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy((pliant_mesh*)def->mesh);
    return id;
}

static int count_below(const pliant_world* world, pliant_body_id grains, double y)
{
    int count = pliant_body_particle_count(world, grains), below = 0;
    place* x = read_places(world, grains);
    for (int i = 0; i < count; ++i) below += !(x[i].x[1] > y);
    free(x);
    return below;
}

static place force_on(const pliant_world* world, pliant_collider_id id)
{
    place force;
    CHECK_OK(pliant_collider_force(world, id, force.x, NULL));
    return force;
}

// ---- nothing passes -----------------------------------------------------------------------------

// Where a seam, an edge, a corner and the middle of a triangle are, and places at random.
enum { THROWN = 60 };
static void find_targets(place* out)
{
    static const double special[][2] = {{0, 0},     {0.25, 0.25}, {0.25, -0.25}, {0.25, 0},
                                        {0, -0.25}, {0.1, 0.1},   {0.1, -0.1},   {1e-4, -1e-4}};
    random_source r = {5};
    for (int i = 0; i < THROWN; ++i) {
        bool given = i < 8;
        out[i].x[0] = given ? special[i][0] : random_range(&r, -0.45, 0.45);
        out[i].x[1] = 0.3;
        out[i].x[2] = given ? special[i][1] : random_range(&r, -0.45, 0.45);
    }
}

static void check_thrown(double speed, int substeps, int cells, pliant_vec3 aside)
{
    place at[THROWN];
    find_targets(at);
    pliant_world* world = make_still_world(substeps, 1);
    pliant_collider_def def = net_def(sheet_mesh(2, cells, NULL));
    add_net(world, &def);
    pliant_vec3 v = vec(aside.x * speed, -speed, aside.z * speed);
    pliant_body_id grains = add_grains(world, at, THROWN, v);
    for (int i = 0; i < 12; ++i) {
        CHECK_OK(pliant_world_step(world, dt));
        int below = count_below(world, grains, 0);
        if (below)
            fail_msg("at %g m/s, %d substeps, %d cells: %d particles are through after %d steps",
                     speed, substeps, cells, below, i + 1);
    }
    pliant_world_destroy(world);
}

static void nothing_passes_a_sheet_at_100_meters_per_second(void** unused)
{
    (void)unused;
    static const int cells[] = {1, 2, 16};
    for (int i = 0; i < 3; ++i)
        for (int substeps = 1; substeps < 12; substeps += 5)
            for (int slanted = 0; slanted < 2; ++slanted)
                check_thrown(100, substeps, cells[i], vec(0.3 * slanted, 0, 0.2 * slanted));
}

// The sheet comes instead.
static void a_moving_sheet_takes_all_along(void** unused)
{
    (void)unused;
    for (int substeps = 1; substeps < 12; substeps += 5) {
        place at[THROWN];
        find_targets(at);
        pliant_world* world = make_still_world(substeps, 1);
        pliant_collider_def def = net_def(sheet_mesh(2, 4, NULL));
        def.position[1] = -0.2;
        def.velocity = vec(5, 100, 3);
        pliant_collider_id id = add_net(world, &def);
        pliant_body_id grains = add_grains(world, at, THROWN, vec(0, 0, 0));
        double impulse = 0;
        for (int i = 0; i < 12; ++i) {
            CHECK_OK(pliant_world_step(world, dt));
            impulse -= force_on(world, id).x[1] * (double)dt;
            assert_int_equal(count_below(world, grains, get_collider(world, id).position[1]), 0);
        }
        // All that they have they got from the sheet.
        CHECK_CLOSE(impulse, measure_motion(world, grains).momentum[1], 1e-3);
        pliant_world_destroy(world);
    }
}

// As the cup sees it: [-half, half] in x and z, above -half in y.
static int count_outside(const pliant_world* world, pliant_body_id grains, pliant_collider_id id,
                         double half)
{
    const collider* c = &world->collider_list[world_find_collider(world, id)];
    int count = pliant_body_particle_count(world, grains), outside = 0;
    place* x = read_places(world, grains);
    for (int i = 0; i < count; ++i) {
        double local[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m) local[k] += c->axis[k][m] * (x[i].x[m] - c->position[m]);
        outside += !(fabs(local[0]) < half && fabs(local[2]) < half && local[1] > -half);
    }
    free(x);
    return outside;
}

// On a circle of 0.5 m, its bottom outward.
static void swing(pliant_world* world, pliant_collider_id id, double angle)
{
    const double position[3] = {0.5 * sin(angle), -0.5 * cos(angle), 0};
    const float half = (float)(angle / 2);
    CHECK_OK(
        pliant_collider_move(world, id, position, (pliant_quat){0, 0, sinf(half), cosf(half)}));
}

static void check_cup(double speed, int substeps, double thickness)
{
    enum { GRAINS = 27 };
    const double half = 0.1;
    place at[GRAINS];
    for (int i = 0; i < GRAINS; ++i) {
        at[i].x[0] = 0.05 * (i % 3 - 1);
        at[i].x[1] = -0.5 + 0.05 * (i / 3 % 3 - 1);
        at[i].x[2] = 0.05 * (i / 9 - 1);
    }
    pliant_world* world = make_world(substeps, 1);
    pliant_collider_def def = net_def(cup_mesh(half));
    def.thickness = (float)thickness;
    def.position[1] = -0.5;
    pliant_collider_id id = add_net(world, &def);
    pliant_body_id grains = add_grains(world, at, GRAINS, vec(0, 0, 0));
    run(world, 60, (double)dt); // to its bottom
    double angle = 0;
    for (int i = 0; i < 240; ++i) {
        angle += fmin(1, (i + 1) / 60.0) * speed / 0.5 * (double)dt;
        swing(world, id, angle);
        CHECK_OK(pliant_world_step(world, dt));
        int outside = count_outside(world, grains, id, half);
        if (outside)
            fail_msg("at %g m/s and %d substeps %d particles are outside after %d steps", speed,
                     substeps, outside, i + 1);
    }
    pliant_world_destroy(world);
}

static void a_swung_cup_loses_nothing(void** unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        check_cup(5, i ? 10 : 2, 1e-3);
        check_cup(10, i ? 10 : 2, 1e-4);
    }
}

// Two sheets that close on what is between them, as a book: it goes out at the open side, or stays
// between them.
static void a_wedge_that_closes_lets_nothing_through(void** unused)
{
    (void)unused;
    static const double vertices[] = {0, 0,   -1, 0, 0,    1,  1, 0.3,  -1,
                                      1, 0.3, 1,  1, -0.3, -1, 1, -0.3, 1};
    static const int triangles[] = {0, 1, 2, 2, 1, 3, 0, 4, 1, 4, 5, 1};
    place at[THROWN];
    random_source r = {8};
    for (int i = 0; i < THROWN; ++i) {
        at[i].x[0] = random_range(&r, 0.3, 0.9);
        at[i].x[1] = random_range(&r, -0.05, 0.05);
        at[i].x[2] = random_range(&r, -0.5, 0.5);
    }
    pliant_world* world = make_still_world(3, 1);
    pliant_collider_def def = net_def(create_triangles(vertices, 6, triangles, 4));
    add_net(world, &def);
    pliant_body_id grains = add_grains(world, at, THROWN, vec(-40, 10, 0));
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(pliant_world_step(world, dt));
        int count = pliant_body_particle_count(world, grains), outside = 0;
        place* x = read_places(world, grains);
        for (int k = 0; k < count; ++k)
            outside += x[k].x[0] < 1 && !(fabs(x[k].x[1]) < 0.3 * x[k].x[0]);
        free(x);
        if (outside) fail_msg("after %d steps %d particles are outside", i + 1, outside);
    }
    pliant_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_sheet_at_100_meters_per_second),
        cmocka_unit_test(a_moving_sheet_takes_all_along),
        cmocka_unit_test(a_swung_cup_loses_nothing),
        cmocka_unit_test(a_wedge_that_closes_lets_nothing_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
