// Bodies that meet on a GPU: the same bits as on the CPU, and the same to read. Without a GPU most
// of it is skipped, by name.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_scenes.h"

// ---- heaps --------------------------------------------------------------------------------------

// Bodies above each other over a floor, each a little aside.
typedef struct {
    const char* name;
    const char* mesh[3]; // in turn; the first alone where others are missing
    int bodies, steps, substeps, iterations, passes;
    double gap, thickness, friction, restitution; // [m], [m], [-], [-]
    pliant_precision precision;
    pliant_schedule schedule;
    pliant_integrator integrator;
    int patch_rows;
    double damping, yield;
    bool self, fresh, pinned, overlap, each, unguarded;
    bool large;   // too slow for an emulated device
    double speed; // [m/s] downward
} heap;

static const heap heaps[] = {
    {"boxes", {"box6:3x3x3"}, 4, 40, .gap = 0.02},
    {"boxes of patches", {"box6:4x4x4"}, 3, 30, .patch_rows = 40},
    {"boxes, lists anew in every substep", {"box6:3x3x3"}, 3, 20, .fresh = true},
    {"boxes, colored", {"box6:3x3x3"}, 3, 20, .schedule = PLIANT_SCHEDULE_COLORED},
    {"boxes, clustered, launches",
     {"box6:3x3x3"},
     3,
     15,
     .schedule = PLIANT_SCHEDULE_CLUSTERED,
     .each = true},
    {"boxes, jacobi", {"box6:3x3x3"}, 3, 15, .schedule = PLIANT_SCHEDULE_JACOBI},
    {"boxes, phantoms", {"box6:3x3x3"}, 3, 15, .schedule = PLIANT_SCHEDULE_PHANTOM},
    {"boxes, BDF2", {"box6:3x3x3"}, 3, 30, .integrator = PLIANT_INTEGRATOR_BDF2},
    {"boxes, implicit Euler",
     {"box6:3x3x3"},
     3,
     20,
     .integrator = PLIANT_INTEGRATOR_IMPLICIT_EULER},
    {"boxes, double", {"box6:3x3x3"}, 3, 20, .precision = PLIANT_PRECISION_DOUBLE},
    {"boxes, three iterations, two passes", {"box6:3x3x3"}, 3, 20, .iterations = 3, .passes = 2},
    {"boxes, damped", {"box6:3x3x3"}, 3, 20, .damping = 0.002},
    {"boxes of patches, damped", {"box6:4x4x4"}, 3, 12, .patch_rows = 40, .damping = 0.02},
    // Long enough that a list gets too short in the midst of it.
    {"boxes that are dented", {"box6:3x3x3"}, 4, 40, .yield = 2e3, .speed = 3},
    {"boxes that are dented, colored",
     {"box6:3x3x3"},
     3,
     20,
     .yield = 2e3,
     .speed = 3,
     .schedule = PLIANT_SCHEDULE_COLORED},
    {"boxes that bounce", {"box6:2x2x2"}, 3, 30, .restitution = 0.8, .speed = 3},
    {"boxes that overlap", {"box6:3x3x3"}, 3, 20, .overlap = true},
    {"tori", {"torus"}, 6, 30, .gap = 0.1, .large = true},
    {"balls, fast", {"sphere:0.2:6"}, 4, 20, .speed = 20, .large = true},
    {"sheets", {"cloth:10x10:0.6x0.6"}, 4, 30, .gap = 0.03, .thickness = 0.01},
    {"sheets, fast",
     {"cloth:10x10:0.6x0.6"},
     4,
     20,
     .gap = 0.03,
     .thickness = 0.004,
     .speed = 10,
     .large = true},
    {"sheets, fast, without the guard",
     {"cloth:10x10:0.6x0.6"},
     4,
     20,
     .gap = 0.03,
     .thickness = 0.004,
     .speed = 10,
     .large = true,
     .unguarded = true},
    {"sheets that fold",
     {"cloth:16x16:0.6x0.6"},
     2,
     40,
     .gap = 0.03,
     .self = true,
     .pinned = true,
     .thickness = 0.01},
    {"ropes", {"rope:1:30"}, 4, 30, .gap = 0.05, .self = true},
    {"all kinds", {"box6:3x3x3", "cloth:8x8:0.6x0.6", "rope:0.8:20"}, 6, 40, .gap = 0.05},
    {"all kinds, pinned",
     {"cloth:8x8:0.6x0.6", "box6:2x2x2", "rope:0.8:20"},
     5,
     30,
     .gap = 0.05,
     .pinned = true},
};
enum { HEAPS = sizeof heaps / sizeof heaps[0] };

static pliant_soft_def soft_of(const heap* h)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.material.damping = h->damping;
    soft.material.yield_stress = h->yield;
    soft.solver.precision = h->precision;
    soft.solver.schedule = h->schedule;
    soft.solver.integrator = h->integrator;
    soft.solver.patch_rows = h->patch_rows;
    soft.rope.radius = 0.01;
    return soft;
}

static pliant_world* open_world(const heap* h, pliant_backend backend)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.backend = backend;
    def.threads = 1;
    def.substeps = h->substeps ? h->substeps : 8;
    def.iterations = h->iterations ? h->iterations : 1;
    if (h->passes) def.contact_passes = h->passes;
    def.contact_guard = !h->unguarded;
    if (h->each) def.launch_mode = PLIANT_LAUNCH_MODE_EACH;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    return world;
}

static void find_heights(const pliant_mesh* mesh, double* low, double* high)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < a.vertex_count; ++i) {
        *low = fmin(*low, a.vertices[3 * i + 1]);
        *high = fmax(*high, a.vertices[3 * i + 1]);
    }
}

static void add_bodies(pliant_world* world, const heap* h)
{
    pliant_soft_def soft = soft_of(h);
    int kinds = h->mesh[1] ? 3 : 1;
    double y = 0.02, gap = h->overlap ? -0.02 : h->gap > 0 ? h->gap : 0.02;
    for (int i = 0; i < h->bodies; ++i) {
        pliant_mesh* mesh = NULL;
        pliant_body_def def = pliant_body_defaults();
        double low, high;
        CHECK_OK(pliant_mesh_generate(h->mesh[i % kinds], &mesh));
        find_heights(mesh, &low, &high);
        def.position[0] = 0.013 * i;
        def.position[1] = y - low;
        def.position[2] = -0.007 * i;
        y += high - low + gap;
        def.velocity.y = (float)-h->speed;
        def.contact.self = h->self;
        def.contact.thickness = (float)h->thickness;
        def.contact.restitution = (float)h->restitution;
        if (h->friction > 0)
            def.contact.static_friction = def.contact.dynamic_friction = (float)h->friction;
        pliant_body_id id = new_soft(world, mesh, &soft, &def);
        if (!id.index1) fail_msg("%s: %s", h->name, pliant_error_text());
        if (h->pinned && i == 0) CHECK_OK(pliant_body_pin(world, id, 0));
        pliant_mesh_destroy(mesh);
    }
}

static pliant_world* make_heap(const heap* h, pliant_backend backend)
{
    pliant_world* world = open_world(h, backend);
    world->contacts.fresh = h->fresh;
    add_bodies(world, h);
    return world;
}

// ---- the same bits ------------------------------------------------------------------------------

static void heaps_have_the_same_bits(void** of)
{
    need_gpu();
    const heap* h = (const heap*)*of;
    pliant_world *here = make_heap(h, PLIANT_BACKEND_CPU),
                 *there = make_heap(h, PLIANT_BACKEND_CUDA);
    int most = 0, steps = by_scope(h->steps / 2, h->steps, h->steps);
    for (int i = 0; i < steps; ++i) {
        CHECK_OK(pliant_world_step(here, 1.0f / 60));
        CHECK_OK(pliant_world_step(there, 1.0f / 60));
        int near = pliant_world_contact_stats(here).near_pairs;
        if (near > most) most = near;
        if (i % 5 && i + 1 < steps) continue;
        if (get_digest(here) == get_digest(there)) continue;
        pliant_contact_stats a = pliant_world_contact_stats(here),
                             b = pliant_world_contact_stats(there);
        fail_msg("%s: other bits by step %d; near pairs %d here and %d there, contacts %d and %d, "
                 "guard rounds %d and %d, stopped %d and %d",
                 h->name, i, a.near_pairs, b.near_pairs, a.contacts, b.contacts, a.guard_rounds,
                 b.guard_rounds, a.stopped, b.stopped);
    }
    assert_true(most > 0);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

// ---- what can be read ---------------------------------------------------------------------------

static void contacts_on_a_gpu_can_be_read(void** unused)
{
    (void)unused;
    need_gpu();
    enum { MOST = 4096 };
    static pliant_contact a[MOST], b[MOST];
    pliant_world *here = make_heap(&heaps[0], PLIANT_BACKEND_CPU),
                 *there = make_heap(&heaps[0], PLIANT_BACKEND_CUDA);
    pliant_touch_event event[2][16];
    int count[2], events[2];
    for (int i = 0; i < 60; ++i) {
        CHECK_OK(pliant_world_step(here, 1.0f / 60));
        CHECK_OK(pliant_world_step(there, 1.0f / 60));
        CHECK_OK(pliant_world_read_touch_events(here, event[0], 16, &events[0]));
        CHECK_OK(pliant_world_read_touch_events(there, event[1], 16, &events[1]));
        assert_int_equal(events[0], events[1]);
    }
    CHECK_OK(pliant_world_read_contacts(here, a, MOST, &count[0]));
    CHECK_OK(pliant_world_read_contacts(there, b, MOST, &count[1]));
    assert_int_equal(count[0], count[1]);
    CHECK_BETWEEN(count[0], 4, MOST);
    for (int i = 0; i < count[0]; ++i) assert_memory_equal(a[i].force, b[i].force, sizeof a->force);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

static void snapshots_of_a_gpu_go_on_the_same(void** unused)
{
    (void)unused;
    need_gpu();
    const heap* h = &heaps[HEAPS - 2];
    pliant_world* world = make_heap(h, PLIANT_BACKEND_CUDA);
    for (int i = 0; i < 20; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    size_t bytes = pliant_world_snapshot_size(world);
    void* memory = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, memory, bytes));
    for (int i = 0; i < 10; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    uint64_t first = get_digest(world);
    CHECK_OK(pliant_world_snapshot_restore(world, memory, bytes));
    for (int i = 0; i < 10; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    assert_true(first == get_digest(world));
    free(memory);
    pliant_world_destroy(world);
}

// Bodies come and go while others touch.
static void bodies_come_and_go_on_a_gpu(void** unused)
{
    (void)unused;
    need_gpu();
    const heap* h = &heaps[0];
    pliant_world* world[2] = {make_heap(h, PLIANT_BACKEND_CPU), make_heap(h, PLIANT_BACKEND_CUDA)};
    for (int w = 0; w < 2; ++w) {
        pliant_body_id ids[16];
        int count = 0;
        for (int i = 0; i < 30; ++i) CHECK_OK(pliant_world_step(world[w], 1.0f / 60));
        count = pliant_world_bodies(world[w], ids, 16);
        assert_int_equal(count, h->bodies);
        pliant_body_remove(world[w], ids[1]);
        for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world[w], 1.0f / 60));
        add_bodies(world[w], &(heap){"more", {"box6:2x2x2"}, 1, .gap = 2});
        for (int i = 0; i < 15; ++i) CHECK_OK(pliant_world_step(world[w], 1.0f / 60));
    }
    assert_true(get_digest(world[0]) == get_digest(world[1]));
    for (int w = 0; w < 2; ++w) pliant_world_destroy(world[w]);
}

// ---- batches ------------------------------------------------------------------------------------

static void batches_meet_world_by_world(void** unused)
{
    (void)unused;
    need_gpu();
    enum { WORLDS = 5, STEPS = 25 };
    const heap* h = &heaps[0];
    pliant_world *one = make_heap(h, PLIANT_BACKEND_CPU), *world[WORLDS];
    pliant_world_def def = pliant_world_defaults();
    pliant_batch* batch = NULL;
    def.backend = PLIANT_BACKEND_CUDA;
    def.threads = 1;
    def.substeps = 8;
    CHECK_OK(pliant_batch_create(&def, &batch));
    for (int w = 0; w < WORLDS; ++w) {
        pliant_collider_def floor = pliant_collider_defaults();
        CHECK_OK(pliant_batch_add(batch, &world[w]));
        new_collider(world[w], &floor);
        add_bodies(world[w], h);
    }
    for (int i = 0; i < STEPS; ++i) {
        CHECK_OK(pliant_world_step(one, 1.0f / 60));
        CHECK_OK(pliant_batch_step(batch, 1.0f / 60));
    }
    for (int w = 0; w < WORLDS; ++w) assert_true(get_digest(one) == get_digest(world[w]));
    pliant_world_destroy(one);
    pliant_batch_destroy(batch);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest others[] = {
        cmocka_unit_test(contacts_on_a_gpu_can_be_read),
        cmocka_unit_test(snapshots_of_a_gpu_go_on_the_same),
        cmocka_unit_test(bodies_come_and_go_on_a_gpu),
        cmocka_unit_test(batches_meet_world_by_world),
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    struct CMUnitTest tests[HEAPS + OTHERS] = {{0}};
    for (int i = 0; i < HEAPS; ++i) {
        tests[i].name = heaps[i].name;
        tests[i].test_func = in_scope(heaps_have_the_same_bits, i, 1, heaps[i].large);
        tests[i].initial_state = (void*)(uintptr_t)&heaps[i];
    }
    memcpy(tests + HEAPS, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
