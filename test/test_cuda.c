// The CUDA backend steps every scene of cuda_table.h to the same bits as the processor. Without a
// GPU most of it is skipped, by name.
#include "cuda_table.h"

// ---- the same bits ------------------------------------------------------------------------------

// The largest difference of a coordinate between two worlds [m], and where.
static double compare_places(const stage* a, const stage* b, int* out_particle)
{
    place *x = read_places(a->world, a->body), *y = read_places(b->world, b->body);
    double most = 0;
    *out_particle = -1;
    for (int i = 0; i < a->cast->particles; ++i)
        for (int k = 0; k < 3; ++k)
            if (!(fabs(x[i].x[k] - y[i].x[k]) <= most)) {
                most = fabs(x[i].x[k] - y[i].x[k]);
                *out_particle = i;
            }
    free(x);
    free(y);
    return most;
}

// Steps both again, to say where they part.
static void tell_difference(const cast* c)
{
    stage here = open_stage(c, PLIANT_BACKEND_CPU), there = open_stage(c, PLIANT_BACKEND_CUDA);
    for (int i = 0; i < scene_steps(c->scene); ++i) {
        int particle;
        play(&here, i, 1);
        play(&there, i, 1);
        if (get_digest(here.world) == get_digest(there.world)) continue;
        double most = compare_places(&here, &there, &particle);
        print_error("%s: differ from step %d on; positions by %g m at particle %d; contacts %d "
                    "here, %d there\n",
                    c->scene->name, i, most, particle, count_contacts(here.world),
                    count_contacts(there.world));
        break;
    }
    pliant_world_destroy(here.world);
    pliant_world_destroy(there.world);
}

static void gpu_agrees_with_the_processor(void** state)
{
    need_gpu();
    cast c = make_cast((const scene*)*state);
    bool same = digest_of_scene(&c, PLIANT_BACKEND_CPU) == digest_of_scene(&c, PLIANT_BACKEND_CUDA);
    if (!same) {
        tell_difference(&c);
        _fail(__FILE__, __LINE__);
    }
    release_cast(&c);
}

// Were there no contacts or no patches, the comparison would say little.
static void check_scene(const cast* c, const stage* s)
{
    pliant_asset_info info = pliant_asset_describe(c->asset[0]);
    int contacts = 0;
    for (int i = 0; i < scene_steps(c->scene); ++i) {
        play(s, i, 1);
        contacts += count_contacts(s->world);
    }
    if (c->scene->props & (OBSTACLES | HULL | NET | CROWD) && !c->scene->large && contacts == 0)
        fail_msg("%s: nothing touches", c->scene->name);
    if (c->scene->patch_rows && (c->scene->patch_rows < c->particles) != (info.patches > 1))
        fail_msg("%s: %d patches", c->scene->name, info.patches);
    if (c->scene->patch_colors && info.colors > c->scene->patch_colors)
        fail_msg("%s: %d colors", c->scene->name, info.colors);
}

// Where there is no GPU, a world that may choose steps what was made for one by itself.
static void scenes_made_for_a_gpu_fall_back_to_the_processor(void** state)
{
    (void)state;
    if (has_gpu()) {
        print_message("    skipped: there is a GPU\n");
        skip();
    }
    for (int i = 0; i < CUDA_SCENES; i += by_scope(25, 5, 1)) {
        if (cuda_scenes[i].large) continue;
        cast c = make_cast(&cuda_scenes[i]);
        stage s = open_stage(&c, PLIANT_BACKEND_AUTO);
        assert_null(pliant_world_device(s.world));
        check_scene(&c, &s);
        if (digest_of_stage(&s) != digest_of_scene(&c, PLIANT_BACKEND_CPU))
            fail_msg("%s: another digest", cuda_scenes[i].name);
        pliant_world_destroy(s.world);
        release_cast(&c);
    }
}

static void runs_repeat_ten_of_ten(void** state)
{
    (void)state;
    static const char* const names[] = {"all obstacles", "ten rows, ordered patches",
                                        "ten rows, colored, graph", "bodies of many kinds",
                                        "more patches than fit at once"};
    int runs = by_scope(2, 10, 10);
    need_gpu();
    for (int n = 0; n < by_scope(4, 5, 5); ++n) {
        cast c = make_cast(scene_named(names[n]));
        uint64_t first = digest_of_scene(&c, PLIANT_BACKEND_CUDA);
        int same = 1;
        for (int i = 1; i < runs; ++i) same += digest_of_scene(&c, PLIANT_BACKEND_CUDA) == first;
        if (same != runs) fail_msg("%s: %d of %d are equal", names[n], same, runs);
        release_cast(&c);
    }
}

static void graph_and_launches_give_the_same_bits(void** state)
{
    (void)state;
    need_gpu();
    scene s = *scene_named("all obstacles, damped, colored");
    cast c = make_cast(&s);
    uint64_t graph = digest_of_scene(&c, PLIANT_BACKEND_CUDA);
    s.launch_mode = PLIANT_LAUNCH_MODE_EACH;
    assert_true(graph == digest_of_scene(&c, PLIANT_BACKEND_CUDA));
    release_cast(&c);
}

// ---- digits -------------------------------------------------------------------------------------

// Sag [m] of the tip of a hanging beam after 0.1 s.
static double sag(const scene* kind, pliant_precision precision, int substeps, double far)
{
    scene s = *kind;
    s.mesh = "beam:6x2x2";
    s.precision = precision;
    s.substeps = substeps;
    s.far = far;
    s.props = PINNED;
    cast c = make_cast(&s);
    stage t = open_stage(&c, PLIANT_BACKEND_CUDA);
    double start = read_place(t.world, t.body, c.tip).x[1];
    play(&t, 0, 10);
    double y = read_place(t.world, t.body, c.tip).x[1] - start;
    pliant_world_destroy(t.world);
    release_cast(&c);
    return y;
}

static void check_sag(double far, double tolerance)
{
    static const int substeps[] = {30, 50, 100, 200, 500};
    static const scene kinds[] = {{"one patch", .patch_rows = 4000},
                                  {"patches", .patch_rows = 24},
                                  {"colored", .schedule = PLIANT_SCHEDULE_COLORED}};
    need_gpu();
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < by_scope(2, 5, 5); ++i) {
            double exact = sag(&kinds[k], PLIANT_PRECISION_DOUBLE, substeps[i], 0);
            double found = sag(&kinds[k], PLIANT_PRECISION_SINGLE, substeps[i], far);
            print_message("    %s, %d substeps: %.6f m, double %.6f (%+.4f %%)\n", kinds[k].name,
                          substeps[i], found, exact, 100 * (found / exact - 1));
            CHECK_CLOSE(found, exact, tolerance);
        }
}

static void float_agrees_with_double_up_to_500_substeps(void** state)
{
    (void)state;
    check_sag(0, 1e-3);
}

static void float_agrees_with_double_a_kilometer_away(void** state)
{
    (void)state;
    check_sag(1000, 5e-3);
}

// ---- fast arithmetic ----------------------------------------------------------------------------

// How far apart [m] the particles of two stages are, at most.
static double apart(const stage* a, const stage* b)
{
    place *p = read_places(a->world, a->body), *q = read_places(b->world, b->body);
    double most = 0;
    for (int i = 0; i < a->cast->particles; ++i)
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(p[i].x[k] - q[i].x[k]));
    free(p);
    free(q);
    return most;
}

static void fast_arithmetic_stays_near_the_exact_one_for_100_steps(void** state)
{
    (void)state;
    static const char* const names[] = {"ten rows, one patch", "two rows, patches",
                                        "ten rows, colored, graph", "edges and volume, patches",
                                        "BDF2, patches"};
    const double length = 0.8; // [m] of the beam; cloth folds, and folds magnify every bit
    need_gpu();
    for (int n = 0; n < by_scope(2, 5, 5); ++n) {
        scene exact = *scene_named(names[n]);
        exact.props = PINNED;
        exact.substeps = 20;
        scene fast = exact;
        fast.arithmetic = PLIANT_ARITHMETIC_FAST;
        cast c = make_cast(&exact), d = make_cast(&fast);
        stage a = open_stage(&c, PLIANT_BACKEND_CUDA), b = open_stage(&d, PLIANT_BACKEND_CUDA);
        play(&a, 0, 100);
        play(&b, 0, 100);
        double off = apart(&a, &b) / length;
        print_message("    %s: %.1e of the length\n", names[n], off);
        if (!(off > 0 && off < 1e-5)) fail_msg("%s: %.2e of the length", names[n], off);
        pliant_world_destroy(a.world);
        pliant_world_destroy(b.world);
        release_cast(&c);
        release_cast(&d);
    }
}

// Of one patch, and of patches that share particles.
static void fast_arithmetic_keeps_the_angular_momentum(void** state)
{
    (void)state;
    static const char* const names[] = {"ten rows, one patch", "hung, patches"};
    need_gpu();
    for (int n = 0; n < 2; ++n) {
        scene fast = *scene_named(names[n]);
        fast.arithmetic = PLIANT_ARITHMETIC_FAST;
        fast.props = SPINNING;
        cast c = make_cast(&fast);
        stage s = open_stage(&c, PLIANT_BACKEND_CUDA);
        motion before = measure_motion(s.world, s.body);
        play(&s, 0, 200);
        motion after = measure_motion(s.world, s.body);
        double lost = 0, all = 0;
        for (int k = 0; k < 3; ++k) {
            lost += pow(after.angular[k] - before.angular[k], 2);
            all += pow(before.angular[k], 2);
        }
        print_message("    %s: %.1e of the angular momentum\n", names[n], sqrt(lost / all));
        CHECK_BETWEEN(sqrt(lost / all), 0, 5e-4); // as published 4e-3
        pliant_world_destroy(s.world);
        release_cast(&c);
    }
}

// A body that hangs by one particle and turns about it.
static void fast_arithmetic_swings_as_the_exact_one(void** state)
{
    (void)state;
    need_gpu();
    scene exact = *scene_named("hung, one patch"), fast = exact;
    fast.arithmetic = PLIANT_ARITHMETIC_FAST;
    cast c = make_cast(&exact), d = make_cast(&fast);
    stage a = open_stage(&c, PLIANT_BACKEND_CUDA), b = open_stage(&d, PLIANT_BACKEND_CUDA);
    play(&a, 0, scene_steps(&exact));
    play(&b, 0, scene_steps(&exact));
    double off = apart(&a, &b);
    print_message("    %.1e m\n", off);
    CHECK_BETWEEN(off, 1e-12, 1e-5);
    pliant_world_destroy(a.world);
    pliant_world_destroy(b.world);
    release_cast(&c);
    release_cast(&d);
}

// Each kind has its own bits, in turns or not.
static void fast_and_exact_worlds_take_turns(void** state)
{
    (void)state;
    need_gpu();
    scene exact = *scene_named("all obstacles"), fast = exact;
    fast.arithmetic = PLIANT_ARITHMETIC_FAST;
    cast c = make_cast(&exact), d = make_cast(&fast);
    uint64_t alone = digest_of_scene(&d, PLIANT_BACKEND_CUDA);
    stage a = open_stage(&c, PLIANT_BACKEND_CUDA), b = open_stage(&d, PLIANT_BACKEND_CUDA);
    for (int i = 0; i < scene_steps(&exact); ++i) {
        play(&a, i, 1);
        play(&b, i, 1);
    }
    assert_true(get_digest(a.world) == digest_of_scene(&c, PLIANT_BACKEND_CPU));
    assert_true(get_digest(b.world) == alone);
    assert_true(get_digest(a.world) != alone);
    pliant_world_destroy(a.world);
    pliant_world_destroy(b.world);
    release_cast(&c);
    release_cast(&d);
}

// ---- worlds of both -----------------------------------------------------------------------------

static void the_device_has_a_name(void** state)
{
    (void)state;
    need_gpu();
    cast c = make_cast(&cuda_scenes[0]);
    stage s = open_stage(&c, PLIANT_BACKEND_AUTO);
    assert_non_null(pliant_world_device(s.world)); // the body was made for it
    print_message("    %s\n", pliant_world_device(s.world));
    pliant_world_destroy(s.world);
    release_cast(&c);
}

// Bodies that were made for the processor stay there beside others.
static void processor_and_gpu_share_a_world(void** state)
{
    (void)state;
    uint64_t digest[2];
    need_gpu();
    cast c = make_cast(scene_named("plane"));
    pliant_soft_def def = scene_soft(c.scene);
    def.solver.target_backend = PLIANT_BACKEND_CPU;
    add_asset(&c, generate("beam:5x2x2"), &def);
    for (int i = 0; i < 2; ++i) {
        stage s = open_stage(&c, i ? PLIANT_BACKEND_AUTO : PLIANT_BACKEND_CPU);
        assert_true((pliant_world_device(s.world) != NULL) == (i == 1));
        play(&s, 0, 20);
        digest[i] = get_digest(s.world);
        pliant_world_destroy(s.world);
    }
    assert_true(digest[0] == digest[1]);
    release_cast(&c);
}

// A world of many bodies, with a distance field that was there before them.
static void hundred_bodies_agree_with_the_processor(void** state)
{
    (void)state;
    uint64_t digest[2];
    need_gpu();
    cast c = make_cast(scene_named("all obstacles"));
    for (int i = 0; i < 2; ++i) {
        stage s = open_stage(&c, i ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU);
        for (int n = 1; n < by_scope(20, 100, 100); ++n)
            write_velocity(s.world, add_member(&s, 0), vec(0.01 * n, -1, 0));
        play(&s, 0, 8);
        digest[i] = get_digest(s.world);
        pliant_world_destroy(s.world);
    }
    assert_true(digest[0] == digest[1]);
    release_cast(&c);
}

static void worlds_on_one_gpu_do_not_disturb_each_other(void** state)
{
    (void)state;
    need_gpu();
    cast c = make_cast(scene_named("all obstacles"));
    stage a = open_stage(&c, PLIANT_BACKEND_CUDA), b = open_stage(&c, PLIANT_BACKEND_CUDA);
    for (int i = 0; i < scene_steps(c.scene); ++i) {
        CHECK_OK(pliant_world_step(a.world, scene_dt));
        CHECK_OK(pliant_world_step(b.world, scene_dt));
    }
    uint64_t digest = digest_of_scene(&c, PLIANT_BACKEND_CPU);
    assert_true(get_digest(a.world) == digest);
    assert_true(get_digest(b.world) == digest);
    pliant_world_destroy(a.world);
    pliant_world_destroy(b.world);
    release_cast(&c);
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(scenes_made_for_a_gpu_fall_back_to_the_processor),
    cmocka_unit_test(runs_repeat_ten_of_ten),
    cmocka_unit_test(graph_and_launches_give_the_same_bits),
    cmocka_unit_test(float_agrees_with_double_up_to_500_substeps),
    cmocka_unit_test(float_agrees_with_double_a_kilometer_away),
    cmocka_unit_test(fast_arithmetic_stays_near_the_exact_one_for_100_steps),
    cmocka_unit_test(fast_arithmetic_keeps_the_angular_momentum),
    cmocka_unit_test(fast_arithmetic_swings_as_the_exact_one),
    cmocka_unit_test(fast_and_exact_worlds_take_turns),
    cmocka_unit_test(the_device_has_a_name),
    cmocka_unit_test(processor_and_gpu_share_a_world),
    cmocka_unit_test(hundred_bodies_agree_with_the_processor),
    cmocka_unit_test(worlds_on_one_gpu_do_not_disturb_each_other),
};
enum { OTHERS = sizeof others / sizeof others[0] };

int main(void)
{
    pliant_set_log(NULL, NULL);
    struct CMUnitTest tests[CUDA_SCENES + OTHERS] = {{0}};
    for (int i = 0; i < CUDA_SCENES; ++i) {
        tests[i].name = cuda_scenes[i].name;
        tests[i].test_func = in_scope(gpu_agrees_with_the_processor, i, 4, cuda_scenes[i].large);
        tests[i].initial_state = (void*)&cuda_scenes[i];
    }
    memcpy(tests + CUDA_SCENES, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
