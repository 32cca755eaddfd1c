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

// Parts of a full turn that the shell's triangles take, seen from a point: 1 inside, 0 outside.
static double winding(const net* n, const double p[3])
{
    double sum = 0;
    for (int i = 0; i < n->triangle_count; ++i) {
        double v[3][3], length[3], normal[3];
        for (int k = 0; k < 3; ++k) {
            from_to(p, n->corner + 3 * (size_t)n->triangle[3 * i + k], v[k]);
            length[k] = sqrt(dot3(v[k], v[k]));
        }
        cross3(v[1], v[2], normal);
        double below = length[0] * length[1] * length[2] + dot3(v[0], v[1]) * length[2] +
                       dot3(v[1], v[2]) * length[0] + dot3(v[2], v[0]) * length[1];
        sum += 2 * atan2(dot3(v[0], normal), below);
    }
    return sum / (4 * 3.141592653589793);
}

static int count_escaped(const pliant_world* world, pliant_body_id grains)
{
    const collider* c = &world->collider_list[0];
    int count = pliant_body_particle_count(world, grains), escaped = 0;
    place* x = read_places(world, grains);
    for (int i = 0; i < count; ++i) {
        double local[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 3; ++m) local[k] += c->axis[k][m] * (x[i].x[m] - c->position[m]);
        escaped += !(winding(c->net, local) > 0.5);
    }
    free(x);
    return escaped;
}

// A ring that is thrown about and turned, with something in its tube: edges and corners, from the
// inside of which some stick out.
static void check_shaken(const char* mesh, double thickness, double radius, int substeps,
                         uint64_t seed)
{
    enum { GRAINS = 24 };
    place at[GRAINS];
    random_source r = {seed};
    for (int i = 0; i < GRAINS; ++i) {
        double angle = i * 6.283185307179586 / GRAINS;
        at[i] = (place){{0.5 * cos(angle), 0, 0.5 * sin(angle)}};
    }
    pliant_world* world = make_world(substeps, 1);
    pliant_collider_def def = net_def(surface_of(mesh));
    def.thickness = (float)thickness;
    def.static_friction = def.dynamic_friction = 0.3f;
    def.restitution = 0.5f;
    pliant_collider_id id = add_net(world, &def);
    pliant_body_id grains = add_grains(world, at, GRAINS, vec(0, 0, 0));
    for (int i = 0; i < pliant_body_particle_count(world, grains); ++i)
        pliant_body_set_radius(world, grains, i, (float)radius);
    for (int i = 0; i < 100; ++i) {
        if (i % 5 == 0) {
            double v[6];
            for (int k = 0; k < 6; ++k) v[k] = random_range(&r, -20, 20);
            CHECK_OK(pliant_collider_set_velocity(world, id, vec(v[0], v[1], v[2]),
                                                  vec(v[3], v[4], v[5])));
        }
        CHECK_OK(pliant_world_step(world, dt));
        int escaped = count_escaped(world, grains);
        if (escaped)
            fail_msg("%s, %g m thick, %d substeps: %d particles are outside after %d steps", mesh,
                     thickness, substeps, escaped, i + 1);
    }
    pliant_world_destroy(world);
}

static void a_shaken_shell_keeps_what_is_in_it(void** unused)
{
    (void)unused;
    for (int i = 0; i < by_scope(2, 4, 400); ++i) {
        static const double thickness[] = {1e-2, 1e-3, 1e-4, 2e-5};
        check_shaken("torus:0.5:0.2:4", thickness[i % 4], i % 3 * 0.002, 1 + i % 7,
                     (uint64_t)i + 1);
    }
}

// ---- it feels like a plane ----------------------------------------------------------------------

static pliant_collider_def plane_def(void)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.static_friction = def.dynamic_friction = 0;
    return def;
}

// A block slides and stops after v^2 / (2 mu g), over seams of many triangles.
static void friction_stops_a_block_where_a_plane_does(void** unused)
{
    (void)unused;
    const double mu = 0.4, speed = 2;
    double way[2];
    for (int is_net = 0; is_net < 2; ++is_net) {
        pliant_world* world = make_world(20, 1);
        pliant_collider_def def = is_net ? net_def(sheet_mesh(2, 40, NULL)) : plane_def();
        pliant_soft_def soft = pliant_soft_defaults();
        def.static_friction = def.dynamic_friction = (float)mu;
        soft.material.young = 2e6;
        soft.material.damping = 0.003;
        if (is_net) add_net(world, &def);
        if (!is_net) new_collider(world, &def);
        pliant_mesh* mesh = box_mesh((int[3]){4, 1, 4}, 0.05, 0);
        pliant_body_id slab = add_soft(world, mesh, &soft, is_net ? 0.5e-3 : 0);
        double start = measure_motion(world, slab).center[0];
        write_velocity(world, slab, vec(speed, 0, 0.1));
        run(world, 80, 0.01);
        motion m = measure_motion(world, slab);
        CHECK_BETWEEN(m.speed, 0, 1e-4);
        way[is_net] = m.center[0] - start;
        CHECK_CLOSE(way[is_net], speed * speed / (2 * mu * G), 0.02);
        pliant_world_destroy(world);
    }
    CHECK_CLOSE(way[1], way[0], 2e-3);
}

// It leaves with a share of its speed.
static void bounces_are_those_of_a_plane(void** unused)
{
    (void)unused;
    static const pliant_integrator kinds[] = {PLIANT_INTEGRATOR_FORESIGHT, PLIANT_INTEGRATOR_BDF2};
    for (int i = 0; i < 2; ++i)
        for (double e = 0; e < 2; e += 0.5) {
            pliant_world* world = make_still_world(20, 1);
            pliant_soft_def soft = pliant_soft_defaults();
            pliant_collider_def def = net_def(sheet_mesh(2, 3, NULL));
            soft.solver.integrator = kinds[i];
            def.restitution = (float)fmin(e, 1);
            add_net(world, &def);
            pliant_body_id rope = add_soft(world, generate("rope:1:2"), &soft, 0.1);
            write_velocity(world, rope, vec(0, -2, 0));
            run(world, 10, 0.01);
            CHECK_BETWEEN(measure_motion(world, rope).velocity[1] - 2 * fmin(e, 1), -2e-3, 2e-3);
            pliant_world_destroy(world);
        }
}

static double hills(double x, double z)
{
    double a = x * x + z * z;
    return 0.3 * a / (0.3 + a) + 0.02 * sin(9 * x) * sin(7 * z);
}

// Its weight is what the terrain carries, and all of it is above.
static void check_on_terrain(pliant_surface_contacts contacts, double close)
{
    pliant_world* world = make_world(10, 1);
    pliant_collider_def def = net_def(sheet_mesh(1, 24, hills));
    def.static_friction = def.dynamic_friction = 0.6f;
    def.surface_contacts = contacts;
    pliant_collider_id id = add_net(world, &def);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    at.position[0] = at.position[2] = -0.1;
    at.position[1] = 0.1;
    soft.material.damping = 0.02;
    pliant_mesh* mesh = box_mesh((int[3]){4, 2, 4}, 0.05, 0);
    pliant_body_id block = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    run(world, 250, 0.01);
    motion m = measure_motion(world, block);
    CHECK_BETWEEN(m.speed, 0, 1e-2);
    CHECK_CLOSE(-force_on(world, id).x[1], m.mass * G, close);
    int count = pliant_body_particle_count(world, block);
    place* x = read_places(world, block);
    for (int i = 0; i < count; ++i) {
        pliant_ray up = pliant_ray_defaults();
        pliant_hit hit;
        memcpy(up.origin, x[i].x, sizeof up.origin);
        up.direction[0] = up.direction[2] = 0;
        up.direction[1] = 1;
        up.bodies = false;
        CHECK_OK(pliant_world_cast_ray(world, &up, &hit));
        if (hit.distance < INFINITY) fail_msg("particle %d is %g m below", i, hit.distance);
    }
    free(x);
    pliant_world_destroy(world);
}

static void a_block_rests_on_a_terrain(void** unused)
{
    (void)unused;
    check_on_terrain(PLIANT_SURFACE_CONTACTS_NEVER, 1e-2);
    check_on_terrain(PLIANT_SURFACE_CONTACTS_AUTO, 1e-2);
}

// ---- one side -----------------------------------------------------------------------------------

static void one_sided_triangles_let_pass_what_comes_from_behind(void** unused)
{
    (void)unused;
    for (int behind = 0; behind < 2; ++behind) {
        place at[THROWN];
        find_targets(at);
        for (int i = 0; i < THROWN && behind; ++i) at[i].x[1] = -0.3;
        pliant_world* world = make_still_world(4, 1);
        pliant_collider_def def = net_def(sheet_mesh(2, 4, NULL));
        def.two_sided = false;
        def.surface_contacts = PLIANT_SURFACE_CONTACTS_AUTO;
        add_net(world, &def);
        double speed = behind ? 30 : -30;
        pliant_body_id grains = add_grains(world, at, THROWN, vec(0, speed, 0));
        run(world, 10, (double)dt);
        if (behind) {
            CHECK_CLOSE(measure_motion(world, grains).velocity[1], speed, 1e-5);
            CHECK_CLOSE(measure_motion(world, grains).center[1], 10 * speed * (double)dt - 0.3,
                        2e-2);
        } else {
            assert_int_equal(count_below(world, grains, 0), 0);
        }
        pliant_world_destroy(world);
    }
}

// ---- surfaces -----------------------------------------------------------------------------------

// A spike between the particles of a coarse cloth: a pyramid of 2 cm under cells of 10 cm.
static void surfaces_of_bodies_meet_triangles_too(void** unused)
{
    (void)unused;
    static const double vertices[] = {-0.01, -0.3, -0.01, 0.01, -0.3, -0.01,
                                      0,     -0.3, 0.01,  0,    -0.1, 0};
    static const int triangles[] = {0, 3, 1, 1, 3, 2, 2, 3, 0};
    for (int surfaces = 0; surfaces < 2; ++surfaces) {
        pliant_world* world = make_still_world(4, 1);
        pliant_collider_def def = net_def(create_triangles(vertices, 4, triangles, 3));
        if (surfaces) def.surface_contacts = PLIANT_SURFACE_CONTACTS_AUTO;
        def.position[0] = 0.033;
        def.position[2] = 0.055;
        def.velocity = vec(0, 10, 0);
        pliant_collider_id id = add_net(world, &def);
        pliant_soft_def soft = pliant_soft_defaults();
        pliant_body_id sheet = add_soft(world, generate("cloth:10x10:1x1"), &soft, 0);
        run(world, 24, (double)dt);
        double tip = get_collider(world, id).position[1] - 0.1;
        int below = count_below(world, sheet, tip);
        if (surfaces == (below == 121))
            fail_msg("surfaces %d: the tip is at %g m, and %d particles are below it", surfaces,
                     tip, below);
        pliant_world_destroy(world);
    }
}

// ---- the same bits ------------------------------------------------------------------------------

// A spinning cup with a hull in it and a body of several patches.
static pliant_world* busy_world(int threads, int lanes, bool phased)
{
    pliant_world_def settings = pliant_world_defaults();
    pliant_world* world = NULL;
    settings.substeps = 4;
    settings.threads = threads;
    settings.lanes = lanes;
    CHECK_OK(pliant_world_create(&settings, &world));
    world->phased = phased;
    pliant_collider_def cup = net_def(cup_mesh(0.6)), stone = pliant_collider_defaults();
    cup.static_friction = cup.dynamic_friction = 0.5f;
    cup.angular_velocity = vec(1, 3, 2);
    cup.velocity = vec(0.3, 0.1, 0);
    add_net(world, &cup);
    pliant_mesh* ball = generate("sphere:0.2:4");
    stone.shape = PLIANT_SHAPE_CONVEX;
    stone.mesh = ball;
    stone.surface_contacts = PLIANT_SURFACE_CONTACTS_NEVER;
    stone.position[1] = -0.4;
    new_collider(world, &stone);
    pliant_mesh_destroy(ball);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.patch_rows = 60;
    add_soft(world, box_mesh((int[3]){8, 3, 3}, 0.07, 0.2), &soft, -0.1);
    return world;
}

static uint64_t digest_of(int threads, int lanes, bool phased)
{
    pliant_world* world = busy_world(threads, lanes, phased);
    run(world, 40, 0.01);
    uint64_t digest = get_digest(world);
    pliant_world_destroy(world);
    return digest;
}

static void all_threads_lanes_and_drivers_have_one_digest(void** unused)
{
    (void)unused;
    uint64_t one = digest_of(1, 1, false);
    assert_true(digest_of(3, 0, false) == one);
    assert_true(digest_of(2, 4, true) == one);
}

static void a_snapshot_goes_on_with_the_same_bits(void** unused)
{
    (void)unused;
    pliant_world *world = busy_world(1, 0, false), *other = busy_world(1, 0, false);
    run(world, 20, 0.01);
    size_t bytes = pliant_world_snapshot_size(world);
    void* snapshot = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, snapshot, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other, snapshot, bytes));
    free(snapshot);
    run(world, 10, 0.01);
    run(other, 10, 0.01);
    assert_true(get_digest(world) == get_digest(other));
    pliant_world_destroy(world);
    pliant_world_destroy(other);
}

// ---- bad input ----------------------------------------------------------------------------------

static void refuse(const pliant_collider_def* def, const char* says)
{
    pliant_world* world = make_world(1, 1);
    assert_int_equal(new_collider(world, def).index1, 0);
    if (!strstr(pliant_error_text(), says))
        fail_msg("'%s' does not say '%s'", pliant_error_text(), says);
    pliant_world_destroy(world);
}

static void bad_input_gets_a_sentence(void** unused)
{
    (void)unused;
    static const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 0},
                        far[] = {0, 0, 0, 1e40, 0, 0, 0, 1, 0};
    static const int good[] = {0, 1, 3}, flat[] = {0, 1, 3, 0, 1, 2}, first[] = {0, 1, 2};
    pliant_collider_def def = net_def(NULL);
    refuse(&def, "the shape triangles needs a mesh");
    pliant_mesh* mesh = create_triangles(line, 4, flat, 2);
    def.mesh = mesh;
    refuse(&def, "triangle 1 of the collider, at (0, 0, 0) m, has no area");
    pliant_mesh_destroy(mesh);
    def.mesh = mesh = create_triangles(line, 4, good, 1);
    def.thickness = 1e-6f;
    refuse(&def, "a thickness of 1e-06 m is too little");
    def.thickness = -1;
    refuse(&def, "thickness");
    pliant_mesh_destroy(mesh);
    def = net_def(mesh = create_triangles(far, 3, first, 1));
    refuse(&def, "1e+40");
    pliant_mesh_destroy(mesh);
    def = net_def(mesh = generate("rope:1:3"));
    refuse(&def, "no triangles");
    def.shape = PLIANT_SHAPE_CONVEX;
    refuse(&def, "in a line");
    pliant_mesh_destroy(mesh);
}

static pliant_result add_net_and_hull(pliant_world* world, const pliant_body_id* bodies)
{
    (void)bodies;
    pliant_collider_def def = pliant_collider_defaults();
    pliant_mesh* mesh = NULL;
    pliant_result result = pliant_mesh_generate("cloth:2x2:1x1", &mesh);
    def.shape = PLIANT_SHAPE_TRIANGLES;
    def.velocity = (pliant_vec3){0, 1, 0};
    def.mesh = mesh;
    if (!result) result = pliant_world_add_collider(world, &def, NULL);
    pliant_mesh_destroy(mesh);
    mesh = NULL;
    if (!result) result = pliant_mesh_generate("beam:1x1x1", &mesh);
    def.shape = PLIANT_SHAPE_CONVEX;
    def.mesh = mesh;
    def.position[1] = -1;
    if (!result) result = pliant_world_add_collider(world, &def, NULL);
    pliant_mesh_destroy(mesh);
    return result;
}

static void every_allocation_may_fail(void** unused)
{
    (void)unused;
    const failing_world w = {"cloth:2x2:0.2x0.2", 1, {0.02}, 0.002f, add_net_and_hull, false};
    check_failing_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_sheet_at_100_meters_per_second),
        cmocka_unit_test(a_moving_sheet_takes_all_along),
        cmocka_unit_test(a_swung_cup_loses_nothing),
        cmocka_unit_test(a_wedge_that_closes_lets_nothing_through),
        cmocka_unit_test(a_shaken_shell_keeps_what_is_in_it),
        cmocka_unit_test(friction_stops_a_block_where_a_plane_does),
        cmocka_unit_test(bounces_are_those_of_a_plane),
        cmocka_unit_test(a_block_rests_on_a_terrain),
        cmocka_unit_test(one_sided_triangles_let_pass_what_comes_from_behind),
        cmocka_unit_test(surfaces_of_bodies_meet_triangles_too),
        cmocka_unit_test(all_threads_lanes_and_drivers_have_one_digest),
        cmocka_unit_test(a_snapshot_goes_on_with_the_same_bits),
        cmocka_unit_test(bad_input_gets_a_sentence),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
