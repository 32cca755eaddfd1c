// Loose particles in numbers: all pairs are found, a cup holds its grains, heaps have their angle.
#include "contact/loose_entries.h"
#include "scene.h"
#include "world/world.h"

static pliant_mesh* points_mesh(const double* x, const double* radius, int count)
{
    const pliant_mesh_arrays arrays = {
        .vertices = x, .vertex_count = count, .vertex_radius = radius};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    return mesh;
}

static pliant_world* open_world(int substeps)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = substeps;
    def.threads = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    return world;
}

// ---- who is near --------------------------------------------------------------------------------

enum { BALLS = 12 };

// How often a particle is on the list of another one.
static int times_listed(const loose_pairs* p, int particle, int other)
{
    int times = 0;
    for (int k = 0; k < p->neighbors[particle]; ++k) times += loose_other(p, particle, k) == other;
    return times;
}

static void check_lists(const contact_system* s, int seed)
{
    const loose_pairs* p = &s->set.loose;
    const float *x = (const float*)s->set.place, *radius = (const float*)s->set.residue;
    for (int i = 0; i < BALLS; ++i)
        for (int k = 0; k < BALLS; ++k) {
            double square = 0, reach = (double)radius[4 * i + 3] + (double)radius[4 * k + 3];
            for (int j = 0; j < 3; ++j) {
                double off = (double)x[4 * i + j] - (double)x[4 * k + j];
                square += off * off;
            }
            int times = times_listed(p, i, k);
            bool touch = i != k && square <= reach * reach;
            if (times > 1 || (touch && times == 0) || (i == k && times) ||
                times != times_listed(p, k, i))
                fail_msg("world %d: balls %d and %d are %d times on a list, %g of %g m apart", seed,
                         i, k, times, sqrt(square), reach);
        }
}

// One world whose balls are put elsewhere again and again, with lists that are made for each.
static void all_pairs_of_10000_random_worlds_are_listed_once(void** unused)
{
    (void)unused;
    enum { WORLDS = 10000 };
    random_source random = {5};
    double x[3 * BALLS], radius[BALLS];
    for (int i = 0; i < BALLS; ++i) {
        radius[i] = 0.01 * pow(10, -random_unit(&random)); // up to ten times as large
        for (int k = 0; k < 3; ++k) x[3 * i + k] = 0.1 * i;
    }
    pliant_mesh* mesh = points_mesh(x, radius, BALLS);
    pliant_world* world = open_world(1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    for (int seed = 0; seed < WORLDS; ++seed) {
        pliant_vec3 at_random[BALLS], v[BALLS];
        double size = seed % 3 ? 0.02 : 0.06, speed = seed % 2 ? 0 : 5;
        for (int i = 0; i < BALLS; ++i) {
            float* to[] = {&at_random[i].x, &v[i].x};
            for (int k = 0; k < 3; ++k) {
                to[0][k] = (float)random_range(&random, -size, size);
                to[1][k] = (float)random_range(&random, -speed, speed);
            }
        }
        CHECK_OK(pliant_body_write_positions(world, id, at_random, BALLS));
        CHECK_OK(pliant_body_write_velocities(world, id, v, BALLS));
        CHECK_OK(pliant_world_step(world, 1e-3f));
        check_lists(&world->contacts, seed);
    }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
}

// ---- a cup --------------------------------------------------------------------------------------

enum { GRAINS = 150 };
#define CUP_RADIUS 0.06 // [m]
#define CUP_HEIGHT 0.3
#define ARM        0.6 // [m] from the axis about which it swings

static pliant_body_id fill_cup(pliant_world* world, double bottom)
{
    double x[3 * GRAINS], radius[GRAINS];
    for (int i = 0; i < GRAINS; ++i) {
        const int at[3] = {i % 5, i / 25, i / 5 % 5};
        radius[i] = 0.006 + 0.001 * (i % 3);
        for (int k = 0; k < 3; ++k) x[3 * i + k] = 0.0165 * (at[k] - (k == 1 ? -0.7 : 2));
        x[3 * i + 1] += bottom - ARM;
    }
    pliant_mesh* mesh = points_mesh(x, radius, GRAINS);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_collider_id add_cup(pliant_world* world, double* out_bottom)
{
    pliant_collider_def def = pliant_collider_defaults();
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_generate("cup:0.06:0.3:16", &mesh));
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    *out_bottom = INFINITY;
    for (int i = 0; i < a.vertex_count; ++i) *out_bottom = fmin(*out_bottom, a.vertices[3 * i + 1]);
    def.shape = PLIANT_SHAPE_TRIANGLES;
    def.mesh = mesh;
    def.thickness = 5e-4f; // thin as a sheet
    def.position[1] = -ARM;
    pliant_collider_id id = new_collider(world, &def);
    pliant_mesh_destroy(mesh);
    return id;
}

// Grains that are not between the walls and above the bottom, seen from the cup at an angle.
static int count_lost(const pliant_world* world, pliant_body_id grains, double angle, double bottom)
{
    double x[3 * GRAINS];
    int lost = 0;
    CHECK_OK(pliant_body_read_positions_exact(world, grains, x, GRAINS));
    for (int i = 0; i < GRAINS; ++i) {
        double along = x[3 * i] * cos(angle) + x[3 * i + 1] * sin(angle);
        double up = -x[3 * i] * sin(angle) + x[3 * i + 1] * cos(angle) + ARM - bottom;
        lost += !(hypot(along, x[3 * i + 2]) < CUP_RADIUS && up > 0 && up < CUP_HEIGHT);
    }
    return lost;
}

// On a circle, once around and further, faster and faster up to a speed.
static void a_cup_that_swings_loses_no_grain(void** unused)
{
    (void)unused;
    for (int speed = 5; speed <= 10; speed += 5) {
        const double dt = 1.0 / 120, rate = speed / ARM, ramp = 0.1 * speed;
        double bottom, angle = 0;
        pliant_world* world = open_world(10);
        pliant_collider_id cup = add_cup(world, &bottom);
        pliant_body_id grains = fill_cup(world, bottom);
        for (int i = 1; i <= by_scope(120, 180, 240); ++i) {
            double t = i * dt - 0.2; // it stands first
            angle = t < 0 ? 0 : t < ramp ? rate * t * t / (2 * ramp) : rate * (t - ramp / 2);
            const double there[] = {ARM * sin(angle), -ARM * cos(angle), 0};
            CHECK_OK(pliant_collider_move(
                world, cup, there,
                (pliant_quat){0, 0, (float)sin(angle / 2), (float)cos(angle / 2)}));
            CHECK_OK(pliant_world_step(world, (float)dt));
            int lost = count_lost(world, grains, angle, bottom);
            if (lost)
                fail_msg("at %d m/s %d of %d grains are lost by step %d", speed, lost, GRAINS, i);
        }
        pliant_world_destroy(world);
    }
}

// ---- heaps --------------------------------------------------------------------------------------

// [degrees] Of a cone with the same mean height and the same median distance from its axis: half of
// its mass is nearer than half of its radius.
static double angle_of_heap(const pliant_world* world, pliant_body_id id, int count, double radius)
{
    double x[3 * 600], away[600], height = 0;
    CHECK_OK(pliant_body_read_positions_exact(world, id, x, count));
    for (int i = 0; i < count; ++i) {
        double r = hypot(x[3 * i], x[3 * i + 2]);
        int k = i;
        for (; k > 0 && away[k - 1] > r; --k) away[k] = away[k - 1];
        away[k] = r;
        height += 4 * (x[3 * i + 1] - radius / 2) / count;
    }
    return atan(height / (2 * away[count / 2])) * 57.29578;
}

// A column that comes down on a rough floor.
static double heap_with(double rolling)
{
    enum { SIDE = 6, COUNT = SIDE * SIDE * 14 };
    const double radius = 0.005;
    double x[3 * COUNT], r[COUNT];
    random_source random = {3};
    for (int i = 0; i < COUNT; ++i) {
        const int at[3] = {i % SIDE, i / SIDE / SIDE, i / SIDE % SIDE};
        r[i] = radius * random_range(&random, 0.8, 1);
        for (int k = 0; k < 3; ++k)
            x[3 * i + k] = radius * (1 + 2.4 * (at[k] - (k == 1 ? 0 : SIDE / 2.0)) +
                                     0.7 * random_unit(&random) - 0.35);
    }
    pliant_world* world = open_world(25);
    pliant_collider_def floor = pliant_collider_defaults();
    floor.static_friction = floor.dynamic_friction = 1;
    new_collider(world, &floor);
    pliant_mesh* mesh = points_mesh(x, r, COUNT);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    at.contact.static_friction = at.contact.dynamic_friction = 0.8f;
    at.contact.rolling_resistance = (float)rolling;
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    for (int i = 0; i < 45; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    double angle = angle_of_heap(world, id, COUNT, radius);
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
    return angle;
}

static void heaps_are_steeper_the_less_their_grains_roll(void** unused)
{
    (void)unused;
    double flat = heap_with(0.05), some = heap_with(0.4), steep = heap_with(1);
    if (!(flat < 8 && some > flat + 4 && steep > some + 6 && steep < 50))
        fail_msg("heaps of %g, %g and %g degrees", flat, some, steep);
}

// ---- high heaps ---------------------------------------------------------------------------------

// How far balls in a column of so many layers, between walls, sink into each other in a second with
// the substeps that the world chooses, over their radius.
static double sunk_under(int layers)
{
    enum { SIDE = 4, MOST_LAYERS = 30, MOST = SIDE * SIDE * MOST_LAYERS };
    const double radius = 0.01, pitch = 2.02 * radius;
    double x[3 * MOST], radii[MOST], deepest = 0;
    const int count = SIDE * SIDE * layers;
    random_source random = {3};
    for (int i = 0; i < count; ++i) {
        const int at[3] = {i % SIDE, i / SIDE / SIDE, i / SIDE % SIDE};
        radii[i] = radius * random_range(&random, 0.9, 1);
        for (int k = 0; k < 3; ++k)
            x[3 * i + k] = pitch * (at[k] + 0.5) + random_range(&random, 0, 0.01 * radius);
    }
    pliant_mesh* mesh = points_mesh(x, radii, count);
    pliant_world* world = open_world(0);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    at.contact.static_friction = at.contact.dynamic_friction = 0.3f;
    pliant_body_id id = new_soft(world, mesh, &soft, &at);
    const float half = 0.70710678f, wall = (float)(pitch * SIDE);
    const pliant_quat turn[] = {{0, 0, 0, 1},
                                {0, 0, -half, half},
                                {0, 0, half, half},
                                {half, 0, 0, half},
                                {-half, 0, 0, half}};
    for (int i = 0; i < 5; ++i) {
        pliant_collider_def plane = pliant_collider_defaults();
        plane.rotation = turn[i];
        plane.position[0] = i == 2 ? (double)wall : 0;
        plane.position[2] = i == 4 ? (double)wall : 0;
        new_collider(world, &plane);
    }
    for (int i = 0; i < 60; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_body_read_positions_exact(world, id, x, count));
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < i; ++k) {
            double square = 0;
            for (int j = 0; j < 3; ++j)
                square += (x[3 * i + j] - x[3 * k + j]) * (x[3 * i + j] - x[3 * k + j]);
            deepest = fmax(deepest, radii[i] + radii[k] - sqrt(square));
        }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(world);
    return deepest / radius;
}

static void balls_sink_in_as_little_under_many_layers_as_under_few(void** unused)
{
    (void)unused;
    for (int layers = 10; layers <= 30; layers += 20) {
        double sunk = sunk_under(layers);
        print_message("    under %d layers balls sink in by %.2f of their radius\n", layers, sunk);
        CHECK_BETWEEN(sunk, 0, 0.35);
    }
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_of_10000_random_worlds_are_listed_once),
        cmocka_unit_test(a_cup_that_swings_loses_no_grain),
        cmocka_unit_test(heaps_are_steeper_the_less_their_grains_roll),
        cmocka_unit_test(balls_sink_in_as_little_under_many_layers_as_under_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
