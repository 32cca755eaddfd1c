// Bodies that tear and are cut.
#include "torn.h"

#include "failing.h"

static const double dt = 1.0 / 120;

static int count_events(const pliant_world* world)
{
    int count = -1;
    CHECK_OK(pliant_world_read_tear_events(world, NULL, 0, &count));
    return count;
}

// ---- strength -----------------------------------------------------------------------------------

// Steps until something tears; how many events there were.
static int steps_to_tear(pliant_world* world, int steps)
{
    int events = 0;
    for (int i = 0; i < steps && events == 0; ++i) {
        run(world, 1, dt);
        events = count_events(world);
    }
    return events;
}

// A body whose vertices are stretched along x to `strain` tears in the next step, or it does not.
static int tear_stretched(const char* words, const pliant_soft_def* soft, double strain)
{
    pliant_world* world = make_still_world(20, 1);
    pliant_body_id id = add_soft(world, generate(words), soft, 0);
    place* x = read_places(world, id);
    int count = pliant_body_particle_count(world, id);
    for (int i = 0; i < count; ++i) x[i].x[0] *= 1 + strain;
    CHECK_OK(pliant_body_write_positions_exact(world, id, x->x, count));
    run(world, 1, 1e-6);
    int events = count_events(world);
    check_torn(world, id);
    free(x);
    pliant_world_destroy(world);
    return events;
}

static void stretched_too_far_it_tears(void** unused)
{
    (void)unused;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = 0.01;
    soft.material.poisson = 0;
    soft.material.tear_strength = 0.1 * soft.material.young;
    soft.cloth.tear_strength = 0.1 * soft.cloth.stretch;
    assert_int_equal(tear_stretched("rope:1:20", &soft, 0.099), 0);
    assert_true(tear_stretched("rope:1:20", &soft, 0.101) > 0);
    assert_int_equal(tear_stretched("cloth:8x8:1x1", &soft, 0.06), 0);
    assert_true(tear_stretched("cloth:8x8:1x1", &soft, 0.13) > 0);
    assert_int_equal(tear_stretched("beam:6x3x3", &soft, 0.06), 0);
    assert_true(tear_stretched("beam:6x3x3", &soft, 0.13) > 0);
}

static void a_hanging_rope_breaks_where_it_carries_the_most(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(40, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rope.radius = 0.01;
    soft.material.tear_strength = 5000; // half of what the weight comes to
    pliant_body_id id = add_soft(world, generate("rope:1:20"), &soft, 0);
    place* x = read_places(world, id);
    for (int i = 0; i <= 20; ++i) x[i] = (place){{0, -0.05 * i, 0}};
    CHECK_OK(pliant_body_write_positions_exact(world, id, x->x, 21));
    CHECK_OK(pliant_body_pin(world, id, 0));
    assert_int_equal(steps_to_tear(world, 60), 1);
    pliant_tear_event e;
    int count;
    CHECK_OK(pliant_world_read_tear_events(world, &e, 1, &count));
    assert_int_equal(e.particle, 1);
    assert_int_equal(e.twin, 21);
    assert_int_equal(e.body.index1, id.index1);
    CHECK_CLOSE(e.size, 3.14159265 * 1e-4, 1e-6);
    CHECK_BETWEEN(e.force / e.size, 5000, 7500);
    run(world, 30, dt);
    assert_true(read_place(world, id, 10).x[1] < -0.6);
    check_torn(world, id);
    free(x);
    pliant_world_destroy(world);
}

// ---- cuts ---------------------------------------------------------------------------------------

typedef struct {
    const char* words;
    int least; // particles that come of the cut
} sample;
static const sample samples[] = {
    {"rope:1:20", 1}, {"cloth:12x12:1x1", 13}, {"beam:8x3x3", 16}, {"sphere:0.4:6", 20}};
enum { SAMPLES = 4 };

// Across x = 0.02 or so, beyond everything.
static const double across[18] = {0.02, -9, -9, 0.021, 9, -9, 0.02, 9,  9,
                                  0.02, -9, -9, 0.02,  9, 9,  0.02, -9, 9};

static int cut(pliant_world* world, pliant_body_id id)
{
    int count = -1;
    place low, high;
    CHECK_OK(pliant_body_bounds(world, id, low.x, high.x));
    double blade[18], middle = 0.52 * low.x[0] + 0.48 * high.x[0];
    for (int i = 0; i < 18; ++i) blade[i] = across[i] + (i % 3 == 0 ? middle : 0);
    CHECK_OK(pliant_body_cut(world, id, blade, 2, &count));
    return count;
}

static pliant_body_id add_sample(pliant_world* world, const char* words)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.patch_rows = 64;
    soft.rope.bending = 1e-4;
    return add_soft(world, generate(words), &soft, 0);
}

static void a_cut_keeps_mass_momentum_and_energy(void** unused)
{
    (void)unused;
    for (int i = 0; i < SAMPLES; ++i) {
        pliant_world* world = make_still_world(20, 1);
        pliant_body_id id = add_sample(world, samples[i].words);
        shake(world, id);
        run(world, 3, 0.01);
        motion before = measure_motion(world, id);
        pliant_energies energy = get_energies(world);
        int more = cut(world, id), events = count_events(world);
        if (more < samples[i].least) fail_msg("%s: %d new particles", samples[i].words, more);
        assert_int_equal(events, more);
        motion after = measure_motion(world, id);
        pliant_energies now = get_energies(world);
        CHECK_CLOSE(after.mass, before.mass, 1e-12);
        for (int k = 0; k < 3; ++k) {
            CHECK_CLOSE(after.momentum[k], before.momentum[k], 1e-9);
            CHECK_CLOSE(after.angular[k], before.angular[k], 1e-9);
        }
        CHECK_CLOSE(now.kinetic, energy.kinetic, 1e-9);
        CHECK_BETWEEN(now.elastic, 0.9 * energy.elastic, energy.elastic * (1 + 1e-9)); // hinges go
        check_torn(world, id);
        run(world, 10, 0.01);
        motion later = measure_motion(world, id);
        for (int k = 0; k < 3; ++k)
            CHECK_BETWEEN(later.momentum[k] - before.momentum[k], -1e-5 * before.mass,
                          1e-5 * before.mass);
        pliant_world_destroy(world);
    }
}

// ---- snapshots ----------------------------------------------------------------------------------

static void a_snapshot_has_the_tears(void** unused)
{
    (void)unused;
    for (int i = 0; i < SAMPLES; ++i) {
        pliant_world *world = make_still_world(20, 1), *other = make_still_world(20, 1);
        pliant_body_id id = add_sample(world, samples[i].words);
        add_sample(other, samples[i].words);
        shake(world, id);
        size_t whole_bytes = pliant_world_snapshot_size(world);
        void* whole = malloc(whole_bytes);
        CHECK_OK(pliant_world_snapshot_save(world, whole, whole_bytes));
        uint64_t first = get_digest(world);
        run(world, 2, 0.01);
        cut(world, id);
        run(world, 1, 0.01);
        size_t bytes = pliant_world_snapshot_size(world);
        void* torn = malloc(bytes);
        CHECK_OK(pliant_world_snapshot_save(world, torn, bytes));
        CHECK_OK(pliant_world_snapshot_restore(other, torn, bytes));
        assert_true(get_digest(world) == get_digest(other));
        run(world, 3, 0.01);
        run(other, 3, 0.01);
        assert_true(get_digest(world) == get_digest(other));
        check_torn(other, id);
        CHECK_OK(pliant_world_snapshot_restore(other, whole, whole_bytes));
        assert_true(get_digest(other) == first);
        check_torn(other, id);
        CHECK_OK(pliant_world_snapshot_restore(other, torn, bytes));
        run(other, 3, 0.01);
        assert_true(get_digest(world) == get_digest(other));
        free(whole);
        free(torn);
        pliant_world_destroy(world);
        pliant_world_destroy(other);
    }
}

// ---- the same for all ---------------------------------------------------------------------------

// A sheet that is pulled apart, a bar, and a rope; how many particles came of it.
static int tear_all(pliant_world* world)
{
    static const char* const words[] = {"cloth:16x12:0.8x0.6", "beam:8x3x3", "rope:0.8:16"};
    int more = 0;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.young = 1e5;
    soft.material.tear_strength = 1.2e4;
    soft.cloth.tear_strength = 90;
    soft.material.tear_energy = 20;
    soft.cloth.tear_energy = 0.2;
    soft.rope.radius = 0.02;
    soft.solver.patch_rows = 64;
    pliant_body_id id[3];
    for (int i = 0; i < 3; ++i) id[i] = add_soft(world, generate(words[i]), &soft, i);
    for (int i = 0; i < 3; ++i) {
        int count = pliant_body_particle_count(world, id[i]);
        pliant_vec3* v = (pliant_vec3*)calloc((size_t)count, sizeof *v);
        place* x = read_places(world, id[i]);
        for (int k = 0; k < count; ++k) v[k].x = (float)(8 * x[k].x[0] + x[k].x[1]);
        CHECK_OK(pliant_body_write_velocities(world, id[i], v, count));
        free(v);
        free(x);
        more -= count;
    }
    for (int i = 0; i < 20; ++i) {
        run(world, 1, dt);
        for (int k = 0; k < 3; ++k) check_torn(world, id[k]);
    }
    for (int i = 0; i < 3; ++i) more += pliant_body_particle_count(world, id[i]);
    return more;
}

static void threads_and_lanes_change_no_bit(void** unused)
{
    (void)unused;
    static const int threads[] = {1, 3, 2}, lanes[] = {1, 16, 4};
    uint64_t first = 0;
    for (int i = 0; i < 3; ++i) {
        pliant_world_def def = pliant_world_defaults();
        pliant_world* world;
        def.threads = threads[i];
        def.lanes = lanes[i];
        def.substeps = 10;
        CHECK_OK(pliant_world_create(&def, &world));
        int more = tear_all(world);
        if (more < 30) fail_msg("only %d new particles", more);
        if (i == 0) first = get_digest(world);
        assert_true(get_digest(world) == first);
        pliant_world_destroy(world);
    }
}

static void rewinding_mends_what_was_torn(void** unused)
{
    (void)unused;
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world;
    def.history = 30;
    def.substeps = 10;
    CHECK_OK(pliant_world_create(&def, &world));
    assert_true(tear_all(world) > 0);
    uint64_t after = get_digest(world);
    CHECK_OK(pliant_world_rewind(world, 20));
    for (int i = 0; i < 3; ++i) {
        pliant_body_id id[4];
        assert_int_equal(pliant_world_bodies(world, id, 4), 3);
        const body* b = torn_body(world, id[i]);
        assert_true(b->asset == body_whole(b));
        check_torn(world, id[i]);
    }
    run(world, 20, dt);
    assert_true(get_digest(world) == after);
    pliant_world_destroy(world);
}

// ---- what particles take along ------------------------------------------------------------------

static void pins_forces_and_numbers_stay(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(20, 1);
    pliant_body_id id = add_sample(world, "cloth:12x12:1x1");
    CHECK_OK(pliant_body_pin(world, id, 6));
    CHECK_OK(pliant_body_add_force(world, id, 84, vec(0, 5, 0)));
    assert_int_equal(pliant_body_topology(world, id), 0);
    int more = cut(world, id), origin[256];
    assert_true(pliant_body_topology(world, id) > 0);
    int count = pliant_body_particle_count(world, id);
    assert_int_equal(count, 169 + more);
    CHECK_OK(pliant_body_read_origins(world, id, origin, 256));
    double force = 0;
    const body* b = torn_body(world, id);
    for (int i = 0; i < count; ++i) {
        force += state_read(&b->s, b->s.force, ROW4, i, 1);
        if (i < 169) assert_int_equal(origin[i], i);
        if (origin[i] == 6) assert_int_equal(i, 6); // it is pinned: it does not part
    }
    CHECK_CLOSE(force, 5, 1e-6);
    place before = read_place(world, id, 6);
    run(world, 20, dt);
    place after = read_place(world, id, 6);
    assert_memory_equal(&before, &after, sizeof before);
    pliant_world_destroy(world);
}

// ---- energy -------------------------------------------------------------------------------------

// Trousers: a strip of cloth, slit in its middle, whose legs are pulled apart. When the tear grows
// by a, the hands are 2 a farther apart: the force of each is half of the energy per length.
typedef struct {
    double force;         // [N] mean while it tears
    double length, spent; // [m, J] of the whole tear
} trouser_tear;

// Ends of the legs hang on points that go up, or down.
typedef struct {
    pliant_attachment_id id;
    double from[3], side;
} hand;

static int take_hands(pliant_world* world, pliant_body_id id, const place* rest, int count,
                      hand out[32])
{
    int hands = 0;
    for (int i = 0; i < count; ++i) {
        if (rest[i].x[0] > 1e-6 - 0.1 || fabs(rest[i].x[2]) < 1e-6) continue;
        hand* h = &out[hands++];
        memcpy(h->from, rest[i].x, sizeof h->from);
        h->side = rest[i].x[2] > 0 ? 1 : -1;
        h->id = new_attachment(world, id, i, h->from, 1e-4);
    }
    return hands;
}

// Returns the force of those that go up [N].
static double read_hands(const pliant_world* world, const hand* h, int count)
{
    double up = 0;
    for (int i = 0; i < count; ++i) {
        if (h[i].side < 0) continue;
        pliant_attachment_info info;
        CHECK_OK(pliant_attachment_describe(world, h[i].id, &info));
        up += info.force[1];
    }
    return up;
}

static void move_hands(pliant_world* world, const hand* h, int count, double way)
{
    for (int i = 0; i < count; ++i) {
        const double to[3] = {h[i].from[0], h[i].side * way, h[i].from[2]};
        CHECK_OK(pliant_attachment_move(world, h[i].id, to));
    }
}

static trouser_tear tear_trousers(const char* words, double energy)
{
    enum { STEPS = 380, FROM = 140, TO = 300 };
    const double speed = 0.15, step = 1.0 / 240; // [m/s] of each hand
    pliant_world* world = make_still_world(60, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.cloth.density = 1;
    soft.cloth.stretch = 2000;
    soft.cloth.bending = 1e-5;
    soft.cloth.tear_strength = 2000;
    soft.cloth.tear_energy = energy;
    pliant_body_id id = add_soft(world, generate(words), &soft, 0);
    const double slit[9] = {-0.2, -1, 0, -0.2, 1, 0, -0.05, 0, 0};
    int cuts = 0, count = pliant_body_particle_count(world, id);
    place* rest = read_places(world, id);
    CHECK_OK(pliant_body_cut(world, id, slit, 1, &cuts));
    assert_true(cuts > 0);
    hand hands[32];
    int hand_count = take_hands(world, id, rest, count, hands);
    trouser_tear out = {0};
    for (int i = 1; i <= STEPS; ++i) {
        move_hands(world, hands, hand_count, speed * step * i);
        run(world, 1, step);
        if (i > FROM && i <= TO) out.force += read_hands(world, hands, hand_count) / (TO - FROM);
        int events = 0;
        pliant_tear_event e[8];
        CHECK_OK(pliant_world_read_tear_events(world, e, 8, &events));
        for (int k = 0; k < events && k < 8; ++k) out.length += e[k].size;
    }
    out.spent = pliant_body_tear_energy(world, id);
    check_torn(world, id);
    free(rest);
    pliant_world_destroy(world);
    return out;
}

static void trousers_tear_with_half_of_the_energy_per_length(void** unused)
{
    (void)unused;
    static const char* const words[] = {"cloth:20x6:0.2x0.06", "cloth:30x10:0.2x0.06",
                                        "cloth:40x12:0.2x0.06"};
    for (int i = 0; i < 3; ++i) {
        trouser_tear t = tear_trousers(words[i], 2);
        CHECK_CLOSE(t.force, 1, 0.15);
        CHECK_CLOSE(t.spent, 2 * t.length, 0.03); // the last bonds hang on
        CHECK_CLOSE(t.length, 0.15, 0.04);        // a cell of the slit
        if (getenv("PLIANT_SHOW"))
            print_message("%s: %g N, %g m, %g J\n", words[i], t.force, t.length, t.spent);
    }
}

// ---- refusals and failures ----------------------------------------------------------------------

static void refuse_asset(const char* words, const pliant_soft_def* soft, const char* why)
{
    pliant_mesh* mesh = generate(words);
    pliant_asset* asset = NULL;
    assert_int_equal(pliant_asset_create(mesh, soft, &asset), PLIANT_ERROR_UNSUPPORTED);
    if (!strstr(pliant_error_text(), why)) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
}

static void what_cannot_tear_is_refused(void** unused)
{
    (void)unused;
    const int anchor = 0;
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.tear_strength = soft.cloth.tear_strength = 100;
    pliant_soft_def other = soft;
    other.rigid = true;
    refuse_asset("beam:2x2x2", &other, "joints that break");
    other = soft;
    other.solver.formulation = PLIANT_FORMULATION_EDGES_AND_VOLUME;
    refuse_asset("beam:2x2x2", &other, "another formulation");
    other = soft;
    other.anchors = &anchor;
    other.anchor_count = 1;
    refuse_asset("cloth:4x4:1x1", &other, "anchors");
    other = soft;
    other.research.stiffness_mode = PLIANT_STIFFNESS_MODE_CLASSIC;
    refuse_asset("cloth:4x4:1x1", &other, "compliant");
}

static void a_cut_of_what_does_not_part_is_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_world(10, 1);
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rigid = true;
    pliant_body_id rigid = add_soft(world, generate("brick:1x1x1"), &soft, 0);
    int count = 7;
    assert_int_equal(pliant_body_cut(world, rigid, across, 2, &count), PLIANT_ERROR_UNSUPPORTED);
    assert_int_equal(count, 0);
    pliant_body_id sheet = add_sample(world, "cloth:4x4:1x1");
    double wrong[9] = {0};
    wrong[4] = (double)INFINITY;
    assert_int_equal(pliant_body_cut(world, sheet, wrong, 1, NULL), PLIANT_ERROR_ARGUMENT);
    wrong[4] = 0; // a triangle without area cuts nothing
    CHECK_OK(pliant_body_cut(world, sheet, wrong, 1, &count));
    assert_int_equal(count, 0);
    pliant_world_destroy(world);
}

static void a_damaged_snapshot_of_tears_is_refused(void** unused)
{
    (void)unused;
    pliant_world* world = make_still_world(10, 1);
    pliant_body_id id = add_sample(world, "cloth:12x12:1x1");
    cut(world, id);
    size_t bytes = tear_bytes(world);
    char *torn = (char*)malloc(bytes), *damaged = (char*)malloc(bytes);
    tear_save(world, torn);
    for (size_t at = 0; at < bytes; at += 4) {
        const int32_t wrong[] = {-1, 170, 1 << 30};
        for (int i = 0; i < 3; ++i) {
            memcpy(damaged, torn, bytes);
            memcpy(damaged + at, &wrong[i], sizeof wrong[i]);
            pliant_result result = tear_restore(world, damaged, bytes);
            assert_true(result == PLIANT_OK || result == PLIANT_ERROR_FORMAT);
            check_torn(world, id);
        }
    }
    assert_int_equal(tear_restore(world, torn, bytes - 4), PLIANT_ERROR_FORMAT);
    CHECK_OK(tear_restore(world, torn, bytes));
    check_torn(world, id);
    free(torn);
    free(damaged);
    pliant_world_destroy(world);
}

// A cut that runs out of memory leaves the body as it was.
typedef struct {
    pliant_world* world;
    pliant_body_id id;
    const void* whole;
    size_t bytes;
} cut_attempt;

static pliant_result try_cut(const void* context)
{
    const cut_attempt* c = (const cut_attempt*)context;
    double blade[18];
    for (int i = 0; i < 18; ++i) blade[i] = across[i] + (i % 3 == 0 ? 0.5 : 0);
    pliant_result result = pliant_body_cut(c->world, c->id, blade, 2, NULL);
    pliant_set_allocator(NULL);
    check_torn(c->world, c->id);
    return result;
}

static void a_cut_without_memory_changes_nothing(void** unused)
{
    (void)unused;
    size_t held = pliant_allocated_bytes();
    for (int n = 0;; ++n) {
        pliant_world* world = make_still_world(10, 1);
        cut_attempt c = {.world = world, .id = add_sample(world, "cloth:8x8:1x1")};
        failing_allocator failing = {n};
        pliant_allocator hooks = {allocate_or_fail, release_allocated, &failing};
        pliant_set_allocator(&hooks);
        pliant_result result = try_cut(&c);
        run(world, 1, dt);
        pliant_world_destroy(world);
        assert_int_equal(pliant_allocated_bytes(), held);
        if (failing.until_failure >= 0) break;
        assert_int_equal(result, PLIANT_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretched_too_far_it_tears),
        cmocka_unit_test(a_hanging_rope_breaks_where_it_carries_the_most),
        cmocka_unit_test(a_cut_keeps_mass_momentum_and_energy),
        cmocka_unit_test(a_snapshot_has_the_tears),
        cmocka_unit_test(threads_and_lanes_change_no_bit),
        cmocka_unit_test(rewinding_mends_what_was_torn),
        cmocka_unit_test(pins_forces_and_numbers_stay),
        cmocka_unit_test(trousers_tear_with_half_of_the_energy_per_length),
        cmocka_unit_test(what_cannot_tear_is_refused),
        cmocka_unit_test(a_cut_of_what_does_not_part_is_refused),
        cmocka_unit_test(a_damaged_snapshot_of_tears_is_refused),
        cmocka_unit_test(a_cut_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
