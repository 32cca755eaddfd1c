// Loose particles: balls that touch each other.
#include "base/hash.h"
#include "contact/cells.h"
#include "scene.h"
#include "world/world.h"

// ---- scenes -------------------------------------------------------------------------------------

enum { SIDE = 7, COUNT = SIDE * SIDE * SIDE };

// A block of particles, a little uneven, whose radii differ by up to `ratio`.
static pliant_mesh* block_mesh(double radius, double ratio)
{
    double x[3 * COUNT], r[COUNT];
    random_source random = {7};
    for (int i = 0; i < COUNT; ++i) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        r[i] = radius / (1 + (ratio - 1) * random_unit(&random));
        for (int k = 0; k < 3; ++k)
            x[3 * i + k] = radius * (1 + 2.05 * at[k] + 0.04 * random_unit(&random));
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = COUNT, .vertex_radius = r};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    return mesh;
}

typedef struct {
    int threads, lanes;
    double ratio;
    pliant_precision precision;
    bool plain;   // as pairs of elements
    bool fresh;   // with new lists in every substep
    int substeps; // 0: 8
} block_case;

// Two blocks, one above the other, that fall on a floor.
static pliant_world* block_world(block_case c)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.substeps = c.substeps ? c.substeps : 8;
    def.threads = c.threads;
    def.lanes = c.lanes;
    def.contact_passes = 2;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = c.precision;
    for (int i = 0; i < 2; ++i) {
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = 0.17 * i;
        at.velocity = (pliant_vec3){0.2f, i ? -2.0f : 0.0f, 0};
        at.contact.static_friction = at.contact.dynamic_friction = i ? 0.3f : 0.6f;
        pliant_mesh* mesh = block_mesh(0.01, c.ratio);
        new_soft(world, mesh, &soft, &at);
        pliant_mesh_destroy(mesh);
    }
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    world->contacts.plain = c.plain;
    world->contacts.fresh = c.fresh;
    return world;
}

static uint64_t digest_after(pliant_world* world, int steps)
{
    uint64_t digest = 0;
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}

static uint64_t digest_of(block_case c, int steps)
{
    pliant_world* world = block_world(c);
    uint64_t digest = digest_after(world, steps);
    pliant_world_destroy(world);
    return digest;
}

static uint64_t hash_body(const pliant_world* world, pliant_body_id id, uint64_t hash)
{
    double x[3 * COUNT];
    CHECK_OK(pliant_body_read_positions_exact(world, id, x, COUNT));
    return hash_bytes(hash, x, sizeof x);
}

// Of where particles are, alone.
static uint64_t hash_places(const pliant_world* world)
{
    pliant_body_id id[2];
    uint64_t hash = HASH_SEED;
    int count = pliant_world_bodies(world, id, 2);
    for (int i = 0; i < count; ++i) hash = hash_body(world, id[i], hash);
    return hash;
}

static pliant_world* points_world(const double* x, int count, double radius, double gravity,
                                  double restitution, pliant_body_id* out)
{
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = count};
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    pliant_world* world = NULL;
    pliant_world_def def = pliant_world_defaults();
    def.substeps = def.contact_passes = 10;
    def.threads = 1;
    CHECK_OK(pliant_world_create(&def, &world));
    soft.radius = radius;
    at.contact.restitution = (float)restitution;
    pliant_world_set_gravity(world, (pliant_vec3){0, (float)-gravity, 0});
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    *out = new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
    return world;
}

// ---- the same bits ------------------------------------------------------------------------------

static void threads_and_lanes_change_no_bit(void** unused)
{
    (void)unused;
    static const block_case cases[] = {{.threads = 1, .lanes = 1, .ratio = 3},
                                       {.threads = 1, .lanes = 4, .ratio = 3},
                                       {.threads = 2, .lanes = 8, .ratio = 3},
                                       {.threads = 3, .lanes = 16, .ratio = 3},
                                       {.threads = 1, .lanes = 16, .ratio = 3, .fresh = true}};
    uint64_t expected = digest_of(cases[0], 12);
    for (size_t i = 1; i < sizeof cases / sizeof cases[0]; ++i)
        if (digest_of(cases[i], 12) != expected)
            fail_msg("%d threads, %d lanes%s give other bits", cases[i].threads, cases[i].lanes,
                     cases[i].fresh ? ", new lists in every substep" : "");
}

// The grid and the lanes do what trees and pairs of elements do.
static void the_grid_finds_and_does_what_pairs_of_elements_do(void** unused)
{
    (void)unused;
    static const pliant_precision precisions[] = {PLIANT_PRECISION_SINGLE, PLIANT_PRECISION_DOUBLE};
    for (int i = 0; i < 2; ++i) {
        block_case c = {.threads = 1, .lanes = 16, .ratio = 2, .precision = precisions[i]};
        pliant_world* world[2] = {block_world(c)};
        c.plain = true;
        world[1] = block_world(c);
        for (int step = 0; step < 12; ++step) {
            for (int k = 0; k < 2; ++k) CHECK_OK(pliant_world_step(world[k], 1.0f / 60));
            if (hash_places(world[0]) != hash_places(world[1]))
                fail_msg("precision %d: other bits from step %d on", i, step);
        }
        pliant_contact_stats a = pliant_world_contact_stats(world[0]),
                             b = pliant_world_contact_stats(world[1]);
        if (a.contacts < 50 || a.contacts != b.contacts)
            fail_msg("%d contacts, as pairs %d", a.contacts, b.contacts);
        for (int k = 0; k < 2; ++k) pliant_world_destroy(world[k]);
    }
}

// Lists last for many substeps, while some stray in most of them: those get the pairs that they may
// have, and nobody misses one.
static void lists_are_mended_for_those_that_stray(void** unused)
{
    (void)unused;
    enum { STEPS = 24, SUBSTEPS = 40 };
    for (int i = 0; i < 2; ++i) {
        block_case c = {.threads = 1, .lanes = 16, .ratio = 1 + 2 * i, .substeps = SUBSTEPS};
        c.precision = i ? PLIANT_PRECISION_DOUBLE : PLIANT_PRECISION_SINGLE;
        pliant_world* mended = block_world(c);
        c.fresh = true;
        pliant_world* anew = block_world(c);
        int lists = 0, mends = 0;
        for (int step = 0; step < STEPS; ++step) {
            uint64_t digest = digest_after(mended, 1), expected = digest_after(anew, 1);
            if (digest != expected) fail_msg("step %d of case %d has other bits", step, i);
            lists += pliant_world_contact_stats(mended).lists;
            mends += mended->contacts.figures.mends;
        }
        print_message("    %d lists and %d mends in %d substeps\n", lists, mends, STEPS * SUBSTEPS);
        assert_true(lists < STEPS * SUBSTEPS / 4);
        assert_true(mends > STEPS * SUBSTEPS / 4);
        pliant_world_destroy(mended);
        pliant_world_destroy(anew);
    }
}

static void a_snapshot_goes_on_with_the_same_bits(void** unused)
{
    (void)unused;
    const block_case c = {.threads = 1, .ratio = 2};
    pliant_world* world[2] = {block_world(c), block_world(c)};
    digest_after(world[0], 6);
    size_t bytes = pliant_world_snapshot_size(world[0]);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world[0], data, bytes));
    CHECK_OK(pliant_world_snapshot_restore(world[1], data, bytes));
    assert_int_equal(digest_after(world[0], 6), digest_after(world[1], 6));
    free(data);
    for (int k = 0; k < 2; ++k) pliant_world_destroy(world[k]);
}

// Others get other numbers, and nobody forgets what it does.
static void a_body_that_leaves_changes_nothing_for_the_other(void** unused)
{
    (void)unused;
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        pliant_body_id id[2];
        const double far[3] = {50, 0, 0};
        pliant_world* world = block_world((block_case){.threads = 1, .ratio = 2});
        pliant_world_bodies(world, id, 2);
        CHECK_OK(pliant_body_teleport(world, id[0], far, (pliant_quat){0, 0, 0, 1}, far));
        digest_after(world, 8);
        if (k) pliant_body_remove(world, id[0]);
        digest_after(world, 8);
        hash[k] = hash_body(world, id[1], HASH_SEED);
        pliant_world_destroy(world);
    }
    assert_int_equal(hash[0], hash[1]);
}

// ---- cells --------------------------------------------------------------------------------------

static bool are_near(const grid_ball* a, const grid_ball* b)
{
    double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y,
           z = (double)a->z - (double)b->z, reach = (double)a->reach + (double)b->reach;
    return x * x + y * y + z * z < reach * reach;
}

// How often a ball is among those around a cell.
static int times_around(const cell_grid* c, const cell_ranges* r, int number)
{
    int times = 0;
    for (int k = 0; k < r->count; ++k)
        for (int i = r->range[k][0]; i < r->range[k][1]; ++i) times += c->order[i] == number;
    return times;
}

static void check_cells(const cell_grid* c, const grid_ball* balls, int seed)
{
    cell_ranges around = {0};
    for (int cell = 0; cell < c->cell_count; ++cell) {
        assert_true(cells_around(c, cell, &around));
        for (int k = 0; k < c->count; ++k) {
            int times = times_around(c, &around, k);
            for (int i = c->start[cell]; i < c->start[cell + 1]; ++i)
                if (times > 1 || (times == 0 && are_near(&balls[c->order[i]], &balls[k])))
                    fail_msg("world %d: ball %d is %d times around ball %d", seed, k, times,
                             c->order[i]);
        }
    }
    mem_free(around.range);
}

static void cells_have_all_who_are_near_once(void** unused)
{
    (void)unused;
    enum { BALLS = 40, WORLDS = 400 };
    cell_grid grid = {0};
    for (int seed = 0; seed < WORLDS; ++seed) {
        grid_ball balls[BALLS];
        random_source random = {(uint64_t)seed};
        // Some are far from all others, as far as floats go.
        double far = seed % 4 == 3 ? 1e30 : seed % 4 == 2 ? 1e6 : 0;
        for (int i = 0; i < BALLS; ++i) {
            double off = i % 10 == 9 ? far : 0, size = seed % 3 ? 0.05 : 0.3;
            balls[i] = (grid_ball){(float)(off + random_range(&random, -1, 1)),
                                   (float)(random_range(&random, -1, 1) - off),
                                   (float)random_range(&random, -1, 1),
                                   (float)(size * random_range(&random, seed % 2 ? 0.05 : 0.9, 1))};
        }
        assert_true(cells_sort(&grid, balls, BALLS));
        check_cells(&grid, balls, seed);
    }
    cells_destroy(&grid);
}

// ---- physics ------------------------------------------------------------------------------------

typedef struct {
    double v[COUNT][3], momentum[3];
} body_motion;

static void read_motion(const pliant_world* world, pliant_body_id id, int count, body_motion* out)
{
    pliant_vec3 velocity[COUNT];
    double mass[COUNT];
    memset(out, 0, sizeof *out);
    CHECK_OK(pliant_body_read_velocities(world, id, velocity, count));
    CHECK_OK(pliant_body_read_masses(world, id, mass, count));
    for (int i = 0; i < count; ++i) {
        const float of[3] = {velocity[i].x, velocity[i].y, velocity[i].z};
        for (int k = 0; k < 3; ++k) {
            out->v[i][k] = (double)of[k];
            out->momentum[k] += mass[i] * out->v[i][k];
        }
    }
}

// Head on, with a share of the relative speed left.
static void two_particles_part_with_their_restitution(void** unused)
{
    (void)unused;
    for (int e = 0; e < 2; ++e) {
        const double x[] = {-0.1, 0, 0, 0.1, 0, 0};
        const pliant_vec3 v[] = {{1, 0, 0}, {-1, 0, 0}};
        pliant_body_id id;
        body_motion after;
        pliant_world* world = points_world(x, 2, 0.05, 0, e, &id);
        CHECK_OK(pliant_body_write_velocities(world, id, v, 2));
        digest_after(world, 12);
        read_motion(world, id, 2, &after);
        double relative = after.v[1][0] - after.v[0][0];
        if (fabs(relative - 2 * e) > 1e-3 || fabs(after.momentum[0]) > 1e-9)
            fail_msg("e = %d: they part with %g m/s, momentum %g", e, relative, after.momentum[0]);
        pliant_world_destroy(world);
    }
}

static void momentum_is_kept(void** unused)
{
    (void)unused;
    const double up[3] = {0, 10, 0};
    pliant_body_id id[2];
    body_motion before[2], after[2];
    pliant_world* world = block_world((block_case){.threads = 1, .ratio = 2});
    pliant_world_set_gravity(world, (pliant_vec3){0, 0, 0});
    pliant_world_bodies(world, id, 2);
    for (int i = 0; i < 2; ++i) {
        CHECK_OK(pliant_body_teleport(world, id[i], up, (pliant_quat){0, 0, 0, 1}, up));
        read_motion(world, id[i], COUNT, &before[i]);
    }
    digest_after(world, 10);
    for (int i = 0; i < 2; ++i) read_motion(world, id[i], COUNT, &after[i]);
    double size = fabs(before[1].momentum[1]), moved = fabs(after[0].momentum[1]);
    for (int k = 0; k < 3; ++k) {
        double change = after[0].momentum[k] + after[1].momentum[k] - before[0].momentum[k] -
                        before[1].momentum[k];
        if (!(moved > 0.05 * size) || fabs(change) > 1e-6 * size)
            fail_msg("momentum along %d changes by %g of %g (%g went over)", k, change, size,
                     moved);
    }
    pliant_world_destroy(world);
}

// Three on each other: each contact carries what is above it.
static void a_column_carries_its_weight(void** unused)
{
    (void)unused;
    const double x[] = {0, 0.05, 0, 0, 0.15, 0, 0, 0.25, 0};
    pliant_body_id id;
    pliant_contact contact[4];
    double mass[3];
    int count;
    pliant_world* world = points_world(x, 3, 0.05, 10, 0, &id);
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    digest_after(world, 60);
    CHECK_OK(pliant_body_read_masses(world, id, mass, 3));
    CHECK_OK(pliant_world_read_contacts(world, contact, 4, &count));
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; ++i) {
        double weight = 10 * mass[0] * (2 - i);
        if (contact[i].particle[0] != i || contact[i].particle[1] != i + 1 ||
            fabs(contact[i].normal_force / weight - 1) > 0.01 || contact[i].normal[1] > -0.999)
            fail_msg("contact %d of %d and %d pushes with %g N instead of %g along y = %g", i,
                     contact[i].particle[0], contact[i].particle[1], contact[i].normal_force,
                     weight, contact[i].normal[1]);
    }
    pliant_world_destroy(world);
}

// ---- input --------------------------------------------------------------------------------------

static void all_at_one_place_stay_finite(void** unused)
{
    (void)unused;
    const double x[3 * 20] = {0};
    pliant_body_id id;
    body_motion after;
    pliant_world* world = points_world(x, 20, 0.05, 10, 0, &id);
    digest_after(world, 20);
    read_motion(world, id, 20, &after);
    for (int i = 0; i < 20; ++i)
        for (int k = 0; k < 3; ++k) assert_true(fabs(after.v[i][k]) < 10);
    pliant_world_destroy(world);
}

static void particles_need_a_radius(void** unused)
{
    (void)unused;
    const double x[] = {0, 0, 0}, radius[] = {0.0};
    pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = 1};
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    assert_int_equal(pliant_asset_create(mesh, &soft, &asset), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "need a radius"));
    pliant_mesh_destroy(mesh);
    arrays.vertex_radius = radius;
    assert_int_equal(pliant_mesh_create(&arrays, &mesh), PLIANT_ERROR_ARGUMENT);
    assert_non_null(strstr(pliant_error_text(), "vertex 0 has a radius of 0 m"));
}

// It counts from the next step on.
static void radii_change_at_run_time(void** unused)
{
    (void)unused;
    const double x[] = {0, 0, 0, 0.2, 0, 0};
    double after[6];
    pliant_body_id id;
    pliant_world* world = points_world(x, 2, 0.05, 0, 0, &id);
    digest_after(world, 3);
    CHECK_OK(pliant_body_set_radius(world, id, 0, 0.2f));
    digest_after(world, 60);
    CHECK_OK(pliant_body_read_positions_exact(world, id, after, 2));
    if (after[3] - after[0] < 0.245)
        fail_msg("radii of 0.2 and 0.05 m are %g m apart", after[3] - after[0]);
    pliant_world_destroy(world);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_and_lanes_change_no_bit),
        cmocka_unit_test(the_grid_finds_and_does_what_pairs_of_elements_do),
        cmocka_unit_test(lists_are_mended_for_those_that_stray),
        cmocka_unit_test(a_snapshot_goes_on_with_the_same_bits),
        cmocka_unit_test(a_body_that_leaves_changes_nothing_for_the_other),
        cmocka_unit_test(cells_have_all_who_are_near_once),
        cmocka_unit_test(two_particles_part_with_their_restitution),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(a_column_carries_its_weight),
        cmocka_unit_test(all_at_one_place_stay_finite),
        cmocka_unit_test(particles_need_a_radius),
        cmocka_unit_test(radii_change_at_run_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
