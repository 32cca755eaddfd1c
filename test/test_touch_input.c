// What bodies that meet may be given: overlaps, broken meshes, odd numbers, too little memory. Each
// gets a right result or a sentence, and the world goes on.
#include "failing.h"
#include "scene.h"

typedef struct {
    double thickness, young;
    uint32_t mask;
    bool self;
} odd_def;
static const odd_def PLAIN = {0, 1e6, UINT32_MAX, false};

static pliant_body_id put(pliant_world* world, pliant_mesh* mesh, const odd_def* from,
                          const double at[3], pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.material.young = from->young;
    soft.material.damping = soft.cloth.damping = 0.002;
    memcpy(def.position, at, sizeof def.position);
    def.velocity = velocity;
    def.contact.thickness = (float)from->thickness;
    def.contact.mask = from->mask;
    def.contact.self = from->self;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

static pliant_body_id put_slab(pliant_world* world)
{
    pliant_body_id slab = put(world, generate("box6:6x1x6:0.1"), &PLAIN,
                              (const double[3]){-0.3, -0.1, -0.3}, vec(0, 0, 0));
    for (int i = 0; i < pliant_body_particle_count(world, slab); ++i)
        CHECK_OK(pliant_body_pin(world, slab, i));
    return slab;
}

static void keep_text(const char* text, void* context)
{
    char* to = (char*)context;
    strncat(to, text, 1900 - strlen(to));
}

// The fastest that a particle of two bodies was [m/s].
static double run_two(pliant_world* world, const pliant_body_id pair[2], int steps)
{
    double speed = 0;
    for (int i = 0; i < steps; ++i) {
        CHECK_OK(pliant_world_step(world, 0.01f));
        for (int k = 0; k < 2; ++k) speed = fmax(speed, measure_motion(world, pair[k]).speed);
    }
    return speed;
}

// ---- overlaps -----------------------------------------------------------------------------------

typedef struct {
    double speed; // [m/s] the largest of a particle
    double moved; // [m] of the center of both
    double apart; // [m] of their centers, at the end
    char told[2000];
} overlap;

static overlap start_inside(const char* one, const char* other, double x, double y)
{
    overlap out = {0, 0, 0, ""};
    pliant_world* world = make_still_world(20, 1);
    pliant_set_log(keep_text, out.told);
    pliant_body_id pair[2] = {
        put(world, generate(one), &PLAIN, (const double[3]){0, 0, 0}, vec(0, 0, 0)),
        put(world, generate(other), &PLAIN, (const double[3]){x, y, 0}, vec(0, 0, 0))};
    motion first[2], last[2];
    for (int i = 0; i < 2; ++i) first[i] = measure_motion(world, pair[i]);
    out.speed = run_two(world, pair, by_scope(10, 60, 60));
    for (int i = 0; i < 2; ++i) last[i] = measure_motion(world, pair[i]);
    for (int k = 0; k < 3; ++k) {
        double sum = 0, apart = last[1].center[k] - last[0].center[k];
        for (int i = 0; i < 2; ++i) sum += first[i].mass * (last[i].center[k] - first[i].center[k]);
        out.moved = fmax(out.moved, fabs(sum) / (first[0].mass + first[1].mass));
        out.apart += apart * apart;
    }
    out.apart = sqrt(out.apart);
    pliant_set_log(NULL, NULL);
    pliant_world_destroy(world);
    return out;
}

// A part of one in the other: it leaves at about the exit speed, and somebody is told.
static void bodies_may_start_inside_each_other(void** unused)
{
    (void)unused;
    overlap balls = start_inside("sphere:0.1:6", "sphere:0.1:6", 0.15, 0.01);
    CHECK_BETWEEN(balls.speed, 0, 1.2);
    CHECK_BETWEEN(balls.apart, by_scope(0, 1, 1) * 0.2, 0.6);
    assert_non_null(strstr(balls.told, "bodies 0 and 1 cross each other"));
    overlap sheets = start_inside("cloth:6x6:0.3x0.3", "cloth:5x5:0.3x0.3", 0.02, 0);
    CHECK_BETWEEN(sheets.speed, 0, 1.2);
    overlap ropes = start_inside("rope:0.3:6", "rope:0.3:6", 0.02, 0);
    CHECK_BETWEEN(ropes.speed, 0, 1.2);
    // One around the other: no surface is near.
    overlap nested = start_inside("sphere:0.2:8", "sphere:0.05:4", 0.01, 0);
    CHECK_BETWEEN(nested.speed, 0, 0.01);
}

// So deep that they cannot be pulled apart: they stay together, and where they are.
static void bodies_may_start_at_the_same_place(void** unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        overlap deep = start_inside("sphere:0.1:6", "sphere:0.1:6", 0.06 * i, 0);
        assert_non_null(strstr(deep.told, "bodies 0 and 1 cross each other"));
        CHECK_BETWEEN(deep.moved, 0, 1e-3);
        CHECK_BETWEEN(deep.apart, 0, 0.4);
    }
}

// ---- broken meshes ------------------------------------------------------------------------------

// A strip of four triangles, with one more.
static pliant_mesh* strip_with(const int extra[3])
{
    static const double at[][3] = {{0, 0, 0},     {0.1, 0, 0}, {0, 0, 0.1},
                                   {0.1, 0, 0.1}, {0, 0, 0.2}, {0.1, 0, 0.2}};
    int triangles[15] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};
    memcpy(triangles + 12, extra, 3 * sizeof *extra);
    return create_triangles(at[0], 6, triangles, 5);
}

// It falls on a slab and lies there, or is refused with a sentence.
static void drop_strip(const int extra[3])
{
    pliant_world* world = make_world(20, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    pliant_mesh* strip = strip_with(extra);
    pliant_body_id pair[2] = {put_slab(world), {0, 0}};
    def.position[1] = 0.05;
    def.contact.self = true;
    def.contact.thickness = 0.01f;
    pliant_result result = pliant_world_add_soft(world, strip, &soft, &def, &pair[1]);
    if (result) {
        print_message("    refused: %s\n", pliant_error_text());
        assert_int_equal(result, PLIANT_ERROR_ARGUMENT);
        assert_true(strlen(pliant_error_text()) > 20);
        assert_int_equal(pliant_world_body_count(world), 1);
        CHECK_OK(pliant_world_step(world, 0.01f));
    } else {
        CHECK_BETWEEN(run_two(world, pair, 60), 0, 1.5);
        CHECK_BETWEEN(measure_motion(world, pair[1]).center[1], 0.004, 0.03);
    }
    pliant_mesh_destroy(strip);
    pliant_world_destroy(world);
}

static void meshes_may_have_bad_triangles(void** unused)
{
    (void)unused;
    drop_strip((const int[3]){1, 2, 3}); // one of the four again
    drop_strip((const int[3]){2, 1, 3}); // facing the other way
    drop_strip((const int[3]){0, 2, 4}); // without area: three of its corners in a line
    drop_strip((const int[3]){3, 3, 5}); // without a third corner
}

// ---- numbers ------------------------------------------------------------------------------------

static void a_surface_may_be_thicker_than_its_edges(void** unused)
{
    (void)unused;
    odd_def thick = PLAIN;
    thick.thickness = 0.08;
    thick.self = true;
    for (int kind = 0; kind < 3; ++kind) {
        static const char* const words[] = {"cloth:6x6:0.3x0.3", "box6:2x2x2:0.05", "rope:0.3:8"};
        pliant_world* world = make_world(20, 1);
        pliant_body_id slab = put_slab(world);
        pliant_body_id pair[2] = {
            put(world, generate(words[kind]), &thick, (const double[3]){0, 0.06, 0}, vec(0, -1, 0)),
            slab};
        CHECK_BETWEEN(run_two(world, pair, 50), 0, 3);
        // Half of its own thickness, and half of the slab's.
        double lowest = INFINITY;
        place* x = read_places(world, pair[0]);
        for (int i = 0; i < pliant_body_particle_count(world, pair[0]); ++i)
            lowest = fmin(lowest, x[i].x[1]);
        free(x);
        CHECK_BETWEEN(lowest, 0.036, 0.05);
        CHECK_BETWEEN(measure_motion(world, pair[0]).speed, 0, 0.2);
        pliant_world_destroy(world);
    }
}

static void check_refusal(pliant_world* world, const pliant_body_def* def, const char* word)
{
    pliant_mesh* mesh = generate("box6:1x1x1:0.1");
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_id id = {7, 7};
    assert_int_equal(pliant_world_add_soft(world, mesh, &soft, def, &id), PLIANT_ERROR_ARGUMENT);
    if (!strstr(pliant_error_text(), word)) fail_msg("no '%s' in: %s", word, pliant_error_text());
    assert_int_equal(id.index1, 0);
    assert_int_equal(pliant_world_body_count(world), 1);
    pliant_mesh_destroy(mesh);
}

static void bad_numbers_are_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(5, 1);
    pliant_body_def good = pliant_body_defaults(), bad = good;
    pliant_body_id slab = put_slab(world);
    const struct {
        float* member;
        const char* name;
    } members[] = {{&bad.contact.thickness, "thickness"},
                   {&bad.contact.static_friction, "static_friction"},
                   {&bad.contact.dynamic_friction, "dynamic_friction"},
                   {&bad.contact.restitution, "restitution"},
                   {&bad.contact.compliance, "compliance"}};
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
        static const float numbers[] = {NAN, INFINITY, -1};
        for (int k = 0; k < 3; ++k) {
            bad = good;
            *members[i].member = numbers[k];
            check_refusal(world, &bad, members[i].name);
            assert_int_equal(pliant_body_set_contact(world, slab, &bad.contact),
                             PLIANT_ERROR_ARGUMENT);
        }
    }
    CHECK_OK(pliant_world_step(world, 0.01f));
    pliant_world_destroy(world);
}

// It meets nobody, but itself where it says so.
static void a_mask_of_zero_meets_nobody(void** unused)
{
    (void)unused;
    odd_def alone = PLAIN;
    alone.mask = 0;
    for (int self = 0; self < 2; ++self) {
        pliant_world* world = make_world(10, 1);
        alone.self = self == 1;
        pliant_body_id pair[2] = {put(world, generate("cloth:5x5:0.3x0.3"), &alone,
                                      (const double[3]){0, 0.1, 0}, vec(0, 0, 0)),
                                  put_slab(world)};
        run_two(world, pair, 40);
        CHECK_BETWEEN(measure_motion(world, pair[0]).center[1], -2, -0.3);
        assert_int_equal(pliant_world_contact_stats(world).contacts, 0);
        pliant_world_destroy(world);
    }
}

// ---- memory -------------------------------------------------------------------------------------

static pliant_world* make_heap(void)
{
    odd_def folds = PLAIN;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = 1;
    def.substeps = 10;
    CHECK_OK(pliant_world_create(&def, &world));
    folds.thickness = 0.01;
    folds.self = true;
    put_slab(world);
    for (int i = 0; i < 3; ++i)
        put(world, generate(i ? "box6:1x1x1:0.1" : "cloth:5x5:0.3x0.3"), &folds,
            (const double[3]){0.01 * i, 0.02 + 0.12 * i, 0.02 * i}, vec(0, -1, 0));
    return world;
}

static uint64_t digest_of(const pliant_world* world)
{
    uint64_t digest = 0;
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}

// A step whose n-th allocation fails, in a world that is about to touch. True: none was left to
// fail.
static bool step_without_memory(int n, uint64_t expected)
{
    pliant_world* world = make_heap();
    size_t bytes = pliant_world_snapshot_size(world);
    void* saved = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, saved, bytes));
    failing_allocator failing = {n};
    pliant_allocator hooks = {allocate_or_fail, release_allocated, &failing};
    pliant_set_allocator(&hooks);
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < 12 && !result; ++i) result = pliant_world_step(world, 0.01f);
    pliant_set_allocator(NULL);
    if (result) {
        assert_int_equal(result, PLIANT_ERROR_MEMORY);
        assert_non_null(strstr(pliant_error_text(), "out of memory"));
        // The world goes on from where it is, and back to what was saved.
        run(world, 2, 0.01);
        for (int i = 0; i < 3; ++i) {
            pliant_body_id all[4];
            assert_int_equal(pliant_world_bodies(world, all, 4), 4);
            CHECK_BETWEEN(measure_motion(world, all[i + 1]).speed, 0, 5);
        }
        CHECK_OK(pliant_world_snapshot_restore(world, saved, bytes));
        run(world, 12, 0.01);
    }
    assert_true(digest_of(world) == expected);
    free(saved);
    pliant_world_destroy(world);
    return !result;
}

static void count_thick(const char* text, void* context)
{
    if (strstr(text, "the thickness of its contacts")) ++*(int*)context;
}

// Once for bodies of one asset, when they are new, and when it is changed.
static void a_thickness_above_the_size_of_its_body_is_told(void** unused)
{
    (void)unused;
    int told = 0;
    pliant_world* world = make_still_world(1, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_asset* asset = box_asset(&soft); // half a meter long
    pliant_body_def def = pliant_body_defaults();
    pliant_body_id id[3];
    pliant_set_log(count_thick, &told);
    for (int i = 0; i < 3; ++i) {
        def.position[0] = 40 * i;
        def.contact.thickness = i == 2 ? 0.4f : 10;
        id[i] = new_body(world, asset, &def);
    }
    run(world, 2, 0.001);
    assert_int_equal(told, 1);
    def.contact.thickness = 0.6f;
    CHECK_OK(pliant_body_set_contact(world, id[2], &def.contact));
    run(world, 2, 0.001);
    assert_int_equal(told, 2);
    pliant_set_log(NULL, NULL);
    pliant_asset_destroy(asset);
    pliant_world_destroy(world);
}

static void a_step_may_run_out_of_memory(void** unused)
{
    (void)unused;
    pliant_world* world = make_heap();
    run(world, 12, 0.01);
    assert_true(pliant_world_contact_stats(world).contacts > 0);
    uint64_t expected = digest_of(world);
    pliant_world_destroy(world);
    int failures = 0;
    while (!step_without_memory(failures, expected)) failures += by_scope(29, 5, 1);
    print_message("    %d allocations\n", failures);
    CHECK_BETWEEN(failures, 20, 500);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_may_start_inside_each_other),
        cmocka_unit_test(bodies_may_start_at_the_same_place),
        cmocka_unit_test(meshes_may_have_bad_triangles),
        cmocka_unit_test(a_surface_may_be_thicker_than_its_edges),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(a_mask_of_zero_meets_nobody),
        cmocka_unit_test(a_thickness_above_the_size_of_its_body_is_told),
        cmocka_unit_test(a_step_may_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
