// Bodies in liquids: what they count, how deep they float, momentum, forces to read, the same bits.
#include "failing.h"
#include "flowing.h"
#include "fluid/beads.h"

#define SPACING 0.02 // [m]

static const double pi = 3.14159265358979323846;

static pliant_mesh* ball_mesh(double radius, int resolution)
{
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_sphere(radius, resolution, &mesh));
    return mesh;
}

static double volume_of(const pliant_mesh* mesh)
{
    pliant_mesh_quality q;
    CHECK_OK(pliant_mesh_measure(mesh, &q));
    return q.volume;
}

static pliant_world* open_world(int substeps, int threads, int lanes)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = substeps;
    def.threads = threads;
    def.lanes = lanes;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

// A tank of so many particles to a side, whose corner is the origin.
static pliant_collider_id add_tank(pliant_world* world, int wide)
{
    pliant_collider_id made = {0, 0};
    static const int sides[5][2] = {{0, 0}, {0, 1}, {2, 0}, {2, 1}, {1, 0}};
    for (int i = 0; i < 5; ++i) {
        pliant_collider_def def = pliant_collider_defaults();
        int axis = sides[i][0];
        def.shape = PLIANT_SHAPE_BOX;
        def.half_extents = vec(1, 1, 1);
        def.measure_force = true;
        for (int k = 0; k < 3; ++k) def.position[k] = SPACING * wide / 2;
        def.position[axis] = sides[i][1] ? SPACING * wide + 1 : -1;
        CHECK_OK(pliant_world_add_collider(world, &def, &made));
    }
    return made;
}

typedef struct {
    double middle[3], radius; // [m] where there is no liquid
} hole;

static pliant_body_id add_liquid(pliant_world* world, const int count[3], const hole* h,
                                 double viscosity)
{
    random_source random = {3};
    int total = 0;
    double* x = (double*)malloc(3 * sizeof *x * (size_t)(count[0] * count[1] * count[2]));
    for (int i = 0; i < count[0] * count[1] * count[2]; ++i) {
        const int at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        double square = 0, *to = x + 3 * (size_t)total;
        for (int k = 0; k < 3; ++k) {
            to[k] = SPACING * (at[k] + 0.5 + 0.2 * random_range(&random, -0.5, 0.5));
            if (h) square += (to[k] - h->middle[k]) * (to[k] - h->middle[k]);
        }
        total += !h || square > h->radius * h->radius;
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = total};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.liquid.spacing = SPACING;
    soft.liquid.viscosity = viscosity;
    soft.material.density = 1000;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    free(x);
    return id;
}

// ---- beads --------------------------------------------------------------------------------------

static void check_beads(const bead_source* from, double volume, double reach, const char* what)
{
    fluid_beads beads;
    double sum = 0, second = 0;
    CHECK_OK(fluid_beads_create(from, &beads));
    for (int i = 0; i < beads.count; ++i) {
        const fluid_bead* b = &beads.bead[i];
        double at[3] = {b->at[0], b->at[1], b->at[2]}, weight = 0;
        for (int n = 0; n < b->corners; ++n) weight += b->weight[n];
        for (int k = 0; k < 3 && !from->local; ++k)
            for (int n = 0; n < b->corners; ++n)
                at[k] += b->weight[n] * from->mesh->vertices[3 * (size_t)b->corner[n] + (size_t)k];
        sum += b->volume;
        second += b->volume * (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        if (b->corners && fabs(weight - 1) > 1e-12) fail_msg("%s: weights sum to %g", what, weight);
    }
    // Of a ball the mean square of the distance is 3/5 of that of its radius.
    double mean = sqrt(second / sum / 0.6);
    if (!(fabs(sum - volume) < 2e-3 * volume && fabs(mean - reach) < 0.03 * reach))
        fail_msg("%s: %d beads have %g m^3 of %g, and a radius of %g m of %g", what, beads.count,
                 sum, volume, mean, reach);
    fluid_beads_destroy(&beads);
}

static void beads_have_the_volume_and_the_shape_of_their_body(void** unused)
{
    (void)unused;
    const double radius = 0.05;
    pliant_mesh *ball = ball_mesh(radius, 6), *skin = NULL, *grain = NULL;
    double volume = volume_of(ball), even = cbrt(volume * 3 / 4 / pi);
    CHECK_OK(pliant_mesh_boundary(ball, &skin, NULL));
    const bead_source soft = {.mesh = ball, .spacing = SPACING};
    const bead_source rigid = {
        .mesh = skin, .local = skin->vertices, .encloses = true, .spacing = SPACING};
    check_beads(&soft, volume, even, "tets");
    check_beads(&rigid, volume, even, "a closed surface");
    const double origin[3] = {0, 0, 0};
    const pliant_mesh_arrays one = {.vertices = origin, .vertex_count = 1};
    CHECK_OK(pliant_mesh_create(&one, &grain));
    const bead_source loose = {.mesh = grain, .radius = radius, .spacing = SPACING};
    fluid_beads beads;
    double sum = 0;
    CHECK_OK(fluid_beads_create(&loose, &beads));
    for (int i = 0; i < beads.count; ++i) sum += beads.bead[i].volume;
    assert_true(beads.count > 50);
    assert_true(fabs(sum - 4 * pi / 3) < 1e-9);
    fluid_beads_destroy(&beads);
    pliant_mesh_destroy(ball);
    pliant_mesh_destroy(skin);
    pliant_mesh_destroy(grain);
}

// ---- how deep they float ------------------------------------------------------------------------

enum { WIDE = 13, DEEP = 11, RESOLUTION = 6 };

typedef struct {
    double depth, wanted; // [-] over the radius: of the lowest point below the surface
    double load;          // [-] what the liquid carries, over the weight
    double floor;         // [-] what the floor does, over all weights
} floating;

// [m^3] Of a ball, up to a depth.
static double dipped(double radius, double depth)
{
    double t = depth < 0 ? 0 : depth > 2 * radius ? 2 * radius : depth;
    return pi * t * t * (3 * radius - t) / 3;
}

static double find_depth(double radius, double volume)
{
    double low = 0, high = 2 * radius;
    for (int i = 0; i < 60; ++i) {
        double middle = (low + high) / 2;
        *(dipped(radius, middle) < volume ? &low : &high) = middle;
    }
    return low;
}

// The surface is where the liquid's own volume, and what is dipped, have room.
static double find_level(double liquid, double area, double radius, double middle)
{
    double level = liquid / area;
    for (int i = 0; i < 60; ++i) level = (liquid + dipped(radius, level - middle + radius)) / area;
    return level;
}

static floating float_ball(double ratio, bool rigid, pliant_immersion by)
{
    const double size = SPACING * WIDE, radius = 4 * SPACING;
    pliant_world* world = open_world(12, 1, 0);
    pliant_mesh* mesh = ball_mesh(radius, RESOLUTION);
    double even = cbrt(volume_of(mesh) * 3 / 4 / pi);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    hole h = {{size / 2, SPACING * (DEEP + 0.5) + radius * (1 - 2 * ratio), size / 2},
              radius + SPACING / 2};
    soft.rigid = rigid;
    soft.material.density = 1000 * ratio;
    soft.material.young = 1e5;
    memcpy(def.position, h.middle, sizeof def.position);
    def.immersion.by = by;
    pliant_body_id water = add_liquid(world, (int[3]){WIDE, DEEP, WIDE}, &h, 1);
    pliant_body_id ball = new_soft(world, mesh, &soft, &def);
    pliant_collider_id floor = add_tank(world, WIDE);
    double liquid = pliant_body_mass(world, water) / 1000, weight = 9.81;
    floating out = {.wanted = find_depth(even, volume_of(mesh) * ratio) / even};
    weight *= pliant_body_mass(world, ball);
    enum { STEPS = 40, LAST = 10 };
    for (int i = 0; i < STEPS; ++i) {
        pliant_liquid_load load;
        double force[3];
        run(world, 1, 1 / 60.0);
        if (i < STEPS - LAST) continue;
        double y = measure_motion(world, ball).center[1];
        CHECK_OK(pliant_body_liquid_load(world, ball, &load));
        CHECK_OK(pliant_collider_force(world, floor, force, NULL));
        out.depth += (find_level(liquid, size * size, even, y) - y + even) / even / LAST;
        out.load += load.force[1] / weight / LAST;
        out.floor -= force[1] / (weight + 9810 * liquid) / LAST;
    }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
    return out;
}

// Small ones, in little time: `bench physics` looks closer.
static void balls_float_as_deep_as_their_density_says(void** unused)
{
    (void)unused;
    static const double ratio[] = {0.25, 0.5};
    for (int i = 0; i < 2; ++i) {
        floating f = float_ball(ratio[i], i == 0, PLIANT_IMMERSION_DENSITY);
        if (!(fabs(f.depth - f.wanted) < 0.08 && fabs(f.load - 1) < 0.05 &&
              fabs(f.floor - 1) < 0.02))
            fail_msg("density ratio %g: depth %g R, not %g; it is carried by %g of its weight; the "
                     "floor has %g of all weights",
                     ratio[i], f.depth, f.wanted, f.load, f.floor);
    }
}

// ---- momentum -----------------------------------------------------------------------------------

// One of each kind, in a drop of liquid that flies into them.
static int add_kinds(pliant_world* world, pliant_body_id out[6], pliant_immersion by)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* mesh = ball_mesh(0.05, 3);
    static const int cells[2] = {6, 6};
    static const double size[2] = {0.12, 0.12};
    def.immersion.by = by;
    soft.material.young = 1e5;
    soft.material.density = 300;
    def.position[0] = 0.3;
    def.position[1] = 0.09;
    def.position[2] = 0.09;
    def.angular_velocity = vec(3, 5, 1);
    out[0] = new_soft(world, mesh, &soft, &def);
    soft.rigid = true;
    def.position[0] = -0.13;
    out[1] = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    soft.rigid = false;
    CHECK_OK(pliant_mesh_cloth(cells, size, &mesh));
    def.position[0] = 0.08;
    def.position[1] = 0.25;
    def.velocity = vec(0, -1, 0);
    out[2] = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    CHECK_OK(pliant_mesh_rope(0.2, 8, &mesh));
    soft.rope.radius = 0.006;
    soft.material.density = 800;
    def.position[1] = -0.05;
    def.velocity = vec(0, 1, 0);
    out[3] = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    const double x[] = {0, 0, 0, 0.05, 0, 0, 0, 0, 0.06};
    const pliant_mesh_arrays grains = {.vertices = x, .vertex_count = 3};
    CHECK_OK(pliant_mesh_create(&grains, &mesh));
    soft.radius = 0.015;
    soft.material.density = 2600;
    def.position[0] = 0.09;
    def.position[1] = 0.09;
    def.position[2] = 0.25;
    def.velocity = vec(0, 0, -1);
    out[4] = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    out[5] = add_liquid(world, (int[3]){9, 9, 9}, NULL, 0.2);
    return 6;
}

static void add_momentum(const pliant_world* world, pliant_body_id id, double sum[3], double* size)
{
    const rigid_state* r = world_body_at(world, (int)id.index1 - 1)->rigid;
    motion of = {0};
    if (!r) of = measure_motion(world, id);
    for (int k = 0; r && k < 3; ++k) of.momentum[k] = r->mass * r->velocity[k];
    for (int k = 0; k < 3; ++k) {
        sum[k] += of.momentum[k];
        *size += fabs(of.momentum[k]);
    }
}

static void liquids_and_all_bodies_keep_their_momentum(void** unused)
{
    (void)unused;
    pliant_world* world = open_world(10, 1, 0);
    pliant_body_id id[6];
    double before[3] = {0, 0, 0}, after[3] = {0, 0, 0}, size = 0, moved = 0;
    pliant_world_set_gravity(world, vec(0, 0, 0));
    int count = add_kinds(world, id, PLIANT_IMMERSION_DENSITY);
    write_velocity(world, id[5], vec(0.5, 0.2, 0.1));
    for (int i = 0; i < count; ++i) add_momentum(world, id[i], before, &size);
    for (int i = 0; i < 25; ++i) {
        run(world, 1, 1 / 60.0);
        for (int b = 0; b < 5; ++b) {
            pliant_liquid_load load;
            CHECK_OK(pliant_body_liquid_load(world, id[b], &load));
            for (int k = 0; k < 3; ++k) moved += fabs(load.force[k]) / 60;
        }
    }
    for (int i = 0; i < count; ++i) add_momentum(world, id[i], after, &moved);
    for (int k = 0; k < 3; ++k)
        if (!(fabs(after[k] - before[k]) < 1e-6 * (size + moved) && moved > size))
            fail_msg("momentum %d was %.9g and is %.9g kg m/s, of %g that went to and fro", k,
                     before[k], after[k], size + moved);
    pliant_world_destroy(world);
}

// ---- forces -------------------------------------------------------------------------------------

// A ball that is held deep in water is carried by what it displaces, and does not turn.
static void a_ball_below_the_surface_is_carried_by_what_it_displaces(void** unused)
{
    (void)unused;
    const double size = SPACING * WIDE, radius = 3.5 * SPACING;
    pliant_world* world = open_world(12, 1, 0);
    pliant_mesh* mesh = ball_mesh(radius, 7);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    hole h = {{size / 2, SPACING * 6.5, size / 2}, radius + SPACING / 2};
    soft.rigid = true;
    soft.material.density = 3000;
    def.held = true;
    memcpy(def.position, h.middle, sizeof def.position);
    add_liquid(world, (int[3]){WIDE, 13, WIDE}, &h, 1);
    pliant_body_id ball = new_soft(world, mesh, &soft, &def);
    add_tank(world, WIDE);
    double sum[6] = {0}, wanted = 9810 * volume_of(mesh);
    enum { STEPS = 30, LAST = 10 };
    for (int i = 0; i < STEPS; ++i) {
        pliant_liquid_load load;
        run(world, 1, 1 / 60.0);
        if (i < STEPS - LAST) continue;
        CHECK_OK(pliant_body_liquid_load(world, ball, &load));
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum[k] += load.force[k] / LAST;
            sum[3 + k] +=
                (load.torque[k] - (h.middle[a] * load.force[b] - h.middle[b] * load.force[a])) /
                LAST;
        }
    }
    for (int k = 0; k < 6; ++k) {
        double off = sum[k] - (k == 1 ? wanted : 0), most = (k < 3 ? 0.07 : 0.02 * radius) * wanted;
        if (!(fabs(off) < most))
            fail_msg("force and torque %d: %g, off by %g of %g N", k, sum[k], off, wanted);
    }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// ---- the same bits ------------------------------------------------------------------------------

static pliant_world* splash(int threads, int lanes)
{
    pliant_body_id id[6];
    pliant_world* world = open_world(6, threads, lanes);
    add_kinds(world, id, PLIANT_IMMERSION_DENSITY);
    return world;
}

static void threads_lanes_lists_and_snapshots_change_no_bit(void** unused)
{
    (void)unused;
    check_flowing_bits(splash, 8, 1 / 60.0);
}

// ---- nothing gets through -----------------------------------------------------------------------

// [turns] How often a closed surface winds around a place.
static double winding(const pliant_mesh* mesh, const place* x, const double at[3])
{
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        double v[3][3], length[3], dot[3], cross[3];
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) v[i][k] = x[mesh->triangles[3 * t + i]].x[k] - at[k];
            length[i] = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        }
        for (int i = 0; i < 3; ++i) {
            const double *a = v[i], *b = v[(i + 1) % 3];
            dot[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            cross[i] =
                v[0][(i + 1) % 3] * v[1][(i + 2) % 3] - v[0][(i + 2) % 3] * v[1][(i + 1) % 3];
        }
        double volume = cross[0] * v[2][0] + cross[1] * v[2][1] + cross[2] * v[2][2];
        sum += 2 * atan2(volume, length[0] * length[1] * length[2] + dot[0] * length[2] +
                                     dot[1] * length[0] + dot[2] * length[1]);
    }
    return sum / (4 * pi);
}

// Water in a sack of cloth, thrown on the ground at 3 m/s.
static void a_sack_of_cloth_keeps_its_water(void** unused)
{
    (void)unused;
    pliant_world* world = open_world(20, 1, 0);
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_collider_def ground = pliant_collider_defaults();
    CHECK_OK(pliant_mesh_generate("balloon:0.085:5", &mesh));
    soft.cloth.density = 0.4;
    soft.cloth.stretch = 2000;
    def.contact.thickness = 0.003f;
    for (int k = 0; k < 3; ++k) def.position[k] = 2.5 * SPACING;
    def.velocity = vec(0, -3, 0);
    pliant_body_id sack = new_soft(world, mesh, &soft, &def);
    pliant_body_id water = add_liquid(world, (int[3]){5, 5, 5}, NULL, 0.1);
    write_velocity(world, water, vec(0, -3, 0));
    ground.position[1] = -0.04;
    CHECK_OK(pliant_world_add_collider(world, &ground, NULL));
    for (int step = 0; step < 30; ++step) {
        run(world, 1, 1 / 60.0);
        place *x = read_places(world, sack), *w = read_places(world, water);
        for (int i = 0; i < 125; ++i) {
            double turns = winding(mesh, x, w[i].x);
            if (!(fabs(turns - 1) < 0.01))
                fail_msg("step %d: particle %d at %g, %g, %g m is out: the sack winds around it %g "
                         "times",
                         step, i, w[i].x[0], w[i].x[1], w[i].x[2], turns);
        }
        free(x);
        free(w);
    }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// A cup as thin as a sheet goes around a circle of 0.6 m at up to 5 m/s, its opening inward.
static void a_cup_that_swings_keeps_its_water(void** unused)
{
    (void)unused;
    const double radius = 5 * SPACING, high = 14 * SPACING, round = 0.6, dt = 1 / 120.0;
    pliant_world* world = open_world(12, 1, 0);
    pliant_mesh* mesh = NULL;
    pliant_collider_def def = pliant_collider_defaults();
    pliant_collider_id cup;
    CHECK_OK(pliant_mesh_cup(radius, high, 20, &mesh));
    def.shape = PLIANT_SHAPE_TRIANGLES;
    def.mesh = mesh;
    def.thickness = 0.001f;
    def.position[0] = def.position[2] = 3 * SPACING;
    def.position[1] = -SPACING / 2;
    CHECK_OK(pliant_world_add_collider(world, &def, &cup));
    pliant_body_id water = add_liquid(world, (int[3]){6, 5, 6}, NULL, 0.02);
    double angle = 0, speed = 0;
    const double center[2] = {def.position[0], def.position[1] + round};
    for (int step = 0; step < 160; ++step) {
        double at[3] = {0, 0, def.position[2]}, up[2];
        if (step > 20) speed = fmin(speed + 6 * dt, 5);
        angle += speed / round * dt;
        up[0] = -sin(angle), up[1] = cos(angle);
        at[0] = center[0] - round * up[0];
        at[1] = center[1] - round * up[1];
        const pliant_quat turn = {0, 0, (float)sin(angle / 2), (float)cos(angle / 2)};
        CHECK_OK(pliant_collider_move(world, cup, at, turn));
        run(world, 1, dt);
        place* x = read_places(world, water);
        for (int i = 0; i < 180; ++i) {
            double way[3] = {x[i].x[0] - at[0], x[i].x[1] - at[1], x[i].x[2] - at[2]};
            double y = way[0] * up[0] + way[1] * up[1], across = way[0] * up[1] - way[1] * up[0];
            double out = sqrt(across * across + way[2] * way[2]);
            if (!(y > 0 && y < high && out < radius))
                fail_msg("step %d at %g m/s: particle %d is %g m up and %g m out in the cup", step,
                         speed, i, y, out);
        }
        free(x);
    }
    assert_true(speed > 4.9);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// ---- by contacts alone, and what is refused -----------------------------------------------------

static void by_contacts_a_body_counts_nothing(void** unused)
{
    (void)unused;
    pliant_body_id id[6];
    pliant_world* world = open_world(6, 1, 0);
    add_kinds(world, id, PLIANT_IMMERSION_CONTACTS);
    run(world, 3, 1 / 60.0);
    assert_int_equal(world->flowing.system.bodies.bead_count, 0);
    pliant_world_destroy(world);
}

static void unknown_ways_of_immersion_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = open_world(4, 1, 0);
    pliant_mesh* mesh = ball_mesh(0.05, 3);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.immersion.by = (pliant_immersion)7;
    assert_int_equal(pliant_world_add_soft(world, mesh, &soft, &def, NULL), PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), "by")) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// A grid of what a body displaces has an end: it is told what to do.
static void a_body_of_too_many_particles_is_refused(void** unused)
{
    (void)unused;
    const double size[3] = {40, 40, 40};
    pliant_mesh *brick = NULL, *skin = NULL;
    fluid_beads beads;
    CHECK_OK(pliant_mesh_brick(size, &brick));
    CHECK_OK(pliant_mesh_boundary(brick, &skin, NULL));
    const bead_source from = {
        .mesh = skin, .local = skin->vertices, .encloses = true, .spacing = SPACING};
    assert_int_equal(fluid_beads_create(&from, &beads), PLIANT_ERROR_MEMORY);
    if (!strstr(pliant_error_text(), "larger spacing")) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(brick);
    pliant_mesh_destroy(skin);
}

// ---- memory -------------------------------------------------------------------------------------

static pliant_result try_to_step(const void* context)
{
    (void)context;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_mesh *ball = NULL, *water = NULL;
    pliant_soft_def soft = pliant_soft_defaults(), liquid = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    const double x[] = {0.07, 0, 0, 0, 0.07, 0, 0, 0, 0.07};
    const pliant_mesh_arrays drops = {.vertices = x, .vertex_count = 3};
    liquid.liquid.spacing = SPACING;
    soft.rigid = true;
    def.substeps = 2;
    def.threads = 1;
    pliant_result result = pliant_world_create(&def, &world);
    if (!result) result = pliant_mesh_sphere(0.06, 2, &ball);
    if (!result) result = pliant_mesh_create(&drops, &water);
    if (!result) result = pliant_world_add_soft(world, ball, &soft, &at, NULL);
    if (!result) result = pliant_world_add_soft(world, water, &liquid, &at, NULL);
    if (!result) result = pliant_world_step(world, 0.01f);
    pliant_mesh_destroy(ball);
    pliant_mesh_destroy(water);
    if (world) pliant_world_destroy(world);
    return result;
}

static void refused_memory_is_survived(void** unused)
{
    (void)unused;
    assert_true(check_some_failures(try_to_step, NULL, 1) > 50);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beads_have_the_volume_and_the_shape_of_their_body),
        cmocka_unit_test(balls_float_as_deep_as_their_density_says),
        cmocka_unit_test(liquids_and_all_bodies_keep_their_momentum),
        cmocka_unit_test(a_ball_below_the_surface_is_carried_by_what_it_displaces),
        cmocka_unit_test(threads_lanes_lists_and_snapshots_change_no_bit),
        cmocka_unit_test(a_sack_of_cloth_keeps_its_water),
        cmocka_unit_test(a_cup_that_swings_keeps_its_water),
        cmocka_unit_test(by_contacts_a_body_counts_nothing),
        cmocka_unit_test(unknown_ways_of_immersion_are_refused),
        cmocka_unit_test(a_body_of_too_many_particles_is_refused),
        cmocka_unit_test(refused_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
