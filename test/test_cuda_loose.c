// Loose particles on a GPU: the same bits as on the CPU, and the same to read. Without a GPU most
// of it is skipped, by name.
#define body world_content // its name is in the tests' own headers, too
#include "world/world.h"
#undef body
#include "cuda_scenes.h"

// ---- heaps --------------------------------------------------------------------------------------

typedef struct {
    const char* name;
    int side, bodies, steps, substeps, passes, iterations;
    double ratio, speed, restitution; // of radii; [m/s] downward; [-]
    pliant_precision precision;
    pliant_integrator integrator;
    bool fresh, fast_one, phases, cloth, ball, little_room, plain;
} heap;

static const heap heaps[] = {
    {"grains", 6, 2, 24, .passes = 2},
    {"grains, lists anew in every substep", 5, 1, 12, .fresh = true},
    {"grains that need more room than there is", 6, 2, 16, .little_room = true, .speed = 3},
    {"grains of many sizes", 5, 2, 20, .ratio = 9},
    {"grains, double", 5, 1, 16, .precision = PLIANT_PRECISION_DOUBLE, .ratio = 2},
    {"grains, three passes, two iterations", 5, 2, 16, .passes = 3, .iterations = 2},
    {"grains, BDF2", 5, 2, 16, .integrator = PLIANT_INTEGRATOR_BDF2},
    {"grains that fall fast", 5, 2, 16, .speed = 12},
    {"grains, one of them very fast", 5, 1, 16, .fast_one = true},
    {"grains of two groups", 5, 2, 16, .phases = true},
    {"grains and a cloth", 4, 2, 24, .cloth = true},
    {"grains on a ball with a surface", 4, 2, 24, .ball = true},
    {"grains that bounce", 5, 2, 16, .restitution = 0.6, .speed = 2},
};
enum { HEAPS = sizeof heaps / sizeof heaps[0] };

// A little uneven, so that nobody is above another one.
static pliant_mesh* grains_mesh(const heap* h)
{
    enum { MOST = 8 * 8 * 8 };
    double x[3 * MOST], r[MOST], ratio = h->ratio > 0 ? h->ratio : 1, radius = 0.01;
    int count = h->side * h->side * h->side;
    random_source random = {7};
    for (int i = 0; i < count; ++i) {
        const int at[3] = {i % h->side, i / h->side % h->side, i / h->side / h->side};
        r[i] = radius / (1 + (ratio - 1) * random_unit(&random));
        for (int k = 0; k < 3; ++k)
            x[3 * i + k] = radius * (1 + 2.05 * at[k] + 0.04 * random_unit(&random));
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = count, .vertex_radius = r};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    return mesh;
}

static void throw_one(pliant_world* world, pliant_body_id id, int count)
{
    pliant_vec3 v[512];
    CHECK_OK(pliant_body_read_velocities(world, id, v, count));
    v[3] = (pliant_vec3){40, 3, 11};
    CHECK_OK(pliant_body_write_velocities(world, id, v, count));
}

static void add_grains(pliant_world* world, const heap* h)
{
    pliant_soft_def soft = pliant_soft_defaults();
    soft.solver.precision = h->precision;
    soft.solver.integrator = h->integrator;
    for (int i = 0; i < h->bodies; ++i) {
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = 0.021 * h->side * i;
        at.velocity = (pliant_vec3){0.2f, (float)(i ? -2 - h->speed : -h->speed), 0};
        at.contact.static_friction = at.contact.dynamic_friction = i ? 0.3f : 0.6f;
        at.contact.restitution = (float)h->restitution;
        pliant_mesh* mesh = grains_mesh(h);
        pliant_body_id id = new_soft(world, mesh, &soft, &at);
        int count = pliant_mesh_view(mesh).vertex_count;
        if (h->fast_one) throw_one(world, id, count);
        for (int k = 0; h->phases && k < count; k += 3) pliant_body_set_phase(world, id, k, 2);
        pliant_mesh_destroy(mesh);
    }
}

static void add_others(pliant_world* world, const heap* h)
{
    pliant_collider_def floor = pliant_collider_defaults();
    new_collider(world, &floor);
    if (h->ball) {
        pliant_collider_def ball = pliant_collider_defaults();
        ball.shape = PLIANT_SHAPE_SPHERE;
        ball.radius = 0.02f;
        ball.position[0] = ball.position[2] = 0.03;
        ball.surface_contacts = PLIANT_SURFACE_CONTACTS_ALWAYS;
        new_collider(world, &ball);
    }
    if (!h->cloth) return;
    pliant_mesh* mesh = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def at = pliant_body_defaults();
    CHECK_OK(pliant_mesh_generate("cloth:8x8:0.3x0.3", &mesh));
    at.position[1] = 0.3;
    at.contact.thickness = 0.004f;
    new_soft(world, mesh, &soft, &at);
    pliant_mesh_destroy(mesh);
}

static pliant_world* make_heap(const heap* h, pliant_backend backend)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.backend = backend;
    def.threads = 1;
    def.substeps = h->substeps ? h->substeps : 6;
    def.iterations = h->iterations ? h->iterations : 1;
    def.contact_passes = h->passes ? h->passes : 2;
    CHECK_OK(pliant_world_create(&def, &world));
    world->contacts.fresh = h->fresh;
    world->contacts.plain = h->plain;
    if (h->little_room) world->contacts.room = 1;
    add_others(world, h);
    add_grains(world, h);
    return world;
}

// ---- the same bits ------------------------------------------------------------------------------

static void heaps_of_grains_have_the_same_bits(void** of)
{
    need_gpu();
    const heap* h = (const heap*)*of;
    pliant_world *here = make_heap(h, PLIANT_BACKEND_CPU),
                 *there = make_heap(h, PLIANT_BACKEND_CUDA);
    int most = 0;
    for (int i = 0; i < h->steps; ++i) {
        CHECK_OK(pliant_world_step(here, 1.0f / 60));
        CHECK_OK(pliant_world_step(there, 1.0f / 60));
        if (i % 4 && i + 1 < h->steps) continue;
        pliant_contact_stats a = pliant_world_contact_stats(here),
                             b = pliant_world_contact_stats(there);
        if (a.contacts > most) most = a.contacts;
        if (get_digest(here) != get_digest(there) || a.contacts != b.contacts)
            fail_msg("%s: other bits by step %d; contacts %d and %d", h->name, i, a.contacts,
                     b.contacts);
    }
    assert_true(most > 0);
    pliant_world_destroy(here);
    pliant_world_destroy(there);
}

static void a_snapshot_of_grains_goes_on_on_the_other_side(void** unused)
{
    (void)unused;
    need_gpu();
    const heap* h = &heaps[0];
    static const pliant_backend backends[] = {PLIANT_BACKEND_CUDA, PLIANT_BACKEND_CPU};
    uint64_t digest[2];
    pliant_world* from = make_heap(h, PLIANT_BACKEND_CUDA);
    for (int i = 0; i < 14; ++i) CHECK_OK(pliant_world_step(from, 1.0f / 60));
    size_t bytes = pliant_world_snapshot_size(from);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(from, data, bytes));
    for (int k = 0; k < 2; ++k) {
        pliant_world* to = make_heap(h, backends[k]);
        CHECK_OK(pliant_world_snapshot_restore(to, data, bytes));
        for (int i = 0; i < 6; ++i) CHECK_OK(pliant_world_step(to, 1.0f / 60));
        digest[k] = get_digest(to);
        pliant_world_destroy(to);
    }
    for (int i = 0; i < 6; ++i) CHECK_OK(pliant_world_step(from, 1.0f / 60));
    assert_int_equal(digest[0], get_digest(from));
    assert_int_equal(digest[0], digest[1]);
    free(data);
    pliant_world_destroy(from);
}

// Of each pair the same force, whichever side it was read from.
static void contacts_of_grains_read_the_same(void** unused)
{
    (void)unused;
    need_gpu();
    enum { MOST = 2000 };
    const heap* h = &heaps[0];
    static pliant_contact contact[2][MOST];
    int count[2];
    static const pliant_backend backends[] = {PLIANT_BACKEND_CPU, PLIANT_BACKEND_CUDA};
    for (int k = 0; k < 2; ++k) {
        pliant_world* world = make_heap(h, backends[k]);
        for (int i = 0; i < 16; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
        CHECK_OK(pliant_world_read_contacts(world, contact[k], MOST, &count[k]));
        pliant_world_destroy(world);
    }
    assert_int_equal(count[0], count[1]);
    assert_true(count[0] >= 50 && count[0] <= MOST);
    for (int i = 0; i < count[0]; ++i)
        if (memcmp(contact[0][i].force, contact[1][i].force, sizeof contact[0][i].force) != 0 ||
            contact[0][i].depth != contact[1][i].depth)
            fail_msg("contact %d of %d differs", i, count[0]);
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    struct CMUnitTest tests[HEAPS + 2] = {{0}};
    for (int i = 0; i < HEAPS; ++i) {
        tests[i].name = heaps[i].name;
        tests[i].test_func = heaps_of_grains_have_the_same_bits;
        tests[i].initial_state = (void*)(uintptr_t)&heaps[i];
    }
    const struct CMUnitTest others[] = {
        cmocka_unit_test(a_snapshot_of_grains_goes_on_on_the_other_side),
        cmocka_unit_test(contacts_of_grains_read_the_same),
    };
    memcpy(tests + HEAPS, others, sizeof others);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
