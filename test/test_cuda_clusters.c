// Clusters of particles on a GPU: the processor's bits, for crowds of small bodies and for large
// ones.
#include "base/hash.h"
#include "cuda_table.h"

typedef struct {
    const char* name;
    double stiffness, spacing, yield;
    int side, bodies, substeps, iterations;
    pliant_precision precision;
    pliant_launch_mode mode;
    bool contacts; // bodies meet each other,
    bool floating; // and no collider
} cluster_case;

static const cluster_case cases[] = {
    {"rigid", 1, 0, 0, 4, 3, 4, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH, false, false},
    {"rigid, double", 1, 0, 0, 3, 2, 4, 2, PLIANT_PRECISION_DOUBLE, PLIANT_LAUNCH_MODE_GRAPH, false,
     false},
    {"soft", 0.8, 0.25, 0, 5, 2, 4, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_EACH, false,
     false},
    {"soft, iterations", 0.6, 0, 0, 5, 2, 3, 3, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH,
     false, false},
    {"plastic", 0.9, 0.25, 0.05, 5, 2, 4, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH,
     false, false},
    {"large", 0.9, 0.4, 0.05, 11, 1, 3, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH, false,
     false},
    {"meeting", 1, 0, 0, 3, 3, 4, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH, true,
     false},
    {"floating", 1, 0, 0, 3, 3, 4, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH, true,
     true},
    {"floating, large", 1, 0, 0, 11, 2, 2, 1, PLIANT_PRECISION_SINGLE, PLIANT_LAUNCH_MODE_GRAPH,
     true, true},
};
enum { CASES = sizeof cases / sizeof *cases };

static pliant_mesh* cube(int side)
{
    double* x = (double*)malloc(3 * (size_t)(side * side * side) * sizeof *x);
    pliant_mesh* mesh = NULL;
    int count = 0;
    for (int i = 0; i < side * side * side; ++i, ++count) {
        x[3 * i] = 0.1 * (i % side);
        x[3 * i + 1] = 0.1 * (i / side % side);
        x[3 * i + 2] = 0.13 * (i / side / side);
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = count};
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    free(x);
    return mesh;
}

static pliant_world* make_clustered(const cluster_case* c, pliant_backend backend)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_collider_def floor = pliant_collider_defaults();
    pliant_mesh* mesh = cube(c->side);
    def.substeps = c->substeps;
    def.iterations = c->iterations;
    def.backend = backend;
    def.threads = 2;
    def.launch_mode = c->mode;
    def.contacts = c->contacts;
    CHECK_OK(pliant_world_create(&def, &world));
    soft.radius = 0.05;
    soft.clusters.stiffness = c->stiffness;
    soft.clusters.spacing = c->spacing;
    soft.clusters.yield_strain = c->yield;
    soft.solver.precision = c->precision;
    for (int i = 0; i < c->bodies; ++i) {
        pliant_body_def at = pliant_body_defaults();
        at.position[1] = 0.2 + (0.3 + 0.1 * c->side) * i;
        at.velocity = vec(0.4, c->contacts ? -4 * i : -4, 0.1); // above each other, or apart
        at.rotation = (pliant_quat){0.2f, 0.1f * (float)i, 0.1f, 0.9f};
        at.angular_velocity = vec(1, 2, -3);
        new_soft(world, mesh, &soft, &at);
    }
    if (!c->floating) new_collider(world, &floor);
    pliant_mesh_destroy(mesh);
    return world;
}

static uint64_t digest_of(pliant_world* world, int steps)
{
    uint64_t digest = 0;
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}

// What contacts of particles remember is in other records on a GPU: of places alone.
static uint64_t places_of(pliant_world* world, int steps)
{
    uint64_t hash = HASH_SEED;
    pliant_body_id id[8];
    for (int i = 0; i < steps; ++i) CHECK_OK(pliant_world_step(world, 1.0f / 60));
    for (int i = pliant_world_bodies(world, id, 8) - 1; i >= 0; --i) {
        static double x[3 * 2048];
        CHECK_OK(pliant_body_read_positions_exact(world, id[i], x, 2048));
        hash = hash_bytes(hash, x,
                          3 * sizeof(double) * (size_t)pliant_body_particle_count(world, id[i]));
    }
    return hash;
}

static void bits_are_those_of_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    for (int i = 0; i < CASES; ++i) {
        pliant_world *here = make_clustered(&cases[i], PLIANT_BACKEND_CPU),
                     *there = make_clustered(&cases[i], PLIANT_BACKEND_CUDA);
        for (int k = 0; k < 3; ++k) {
            bool meet = cases[i].contacts;
            uint64_t expected = meet ? places_of(here, 4) : digest_of(here, 4);
            uint64_t found = meet ? places_of(there, 4) : digest_of(there, 4);
            if (found != expected) fail_msg("%s: other bits by step %d", cases[i].name, 4 * k + 4);
        }
        pliant_world_destroy(here);
        pliant_world_destroy(there);
    }
}

// Read, written, saved and restored in the middle of a run.
static uint64_t disturbed(const cluster_case* c, pliant_backend backend)
{
    pliant_world *world = make_clustered(c, backend), *other = make_clustered(c, backend);
    pliant_body_id id[8];
    pliant_cluster_pose pose[64];
    CHECK_OK(pliant_world_step(world, 1.0f / 60));
    assert_int_equal(pliant_world_bodies(world, id, 8), c->bodies);
    int count = pliant_body_cluster_count(world, id[0]);
    CHECK_BETWEEN(count, 1, 64);
    CHECK_OK(pliant_body_read_clusters(world, id[0], pose, 64));
    for (int i = 0; i < count; ++i) pose[i].position[1] += 0.1;
    CHECK_OK(pliant_body_write_clusters(world, id[0], pose, count));
    const double pivot[3] = {0, 0, 0}, shift[3] = {0, 0.2, 0};
    CHECK_OK(pliant_body_teleport(world, id[1], pivot, (pliant_quat){0, 0.3f, 0, 1}, shift));
    CHECK_OK(pliant_world_step(world, 1.0f / 60));
    CHECK_OK(pliant_body_forget_plastic_strains(world, id[1]));
    CHECK_OK(pliant_world_step(world, 1.0f / 60));
    size_t bytes = pliant_world_snapshot_size(world);
    void* data = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(world, data, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other, data, bytes));
    uint64_t digest = digest_of(other, 3);
    free(data);
    pliant_world_destroy(world);
    pliant_world_destroy(other);
    return digest;
}

static void clusters_come_and_go_as_on_the_processor(void** unused)
{
    (void)unused;
    need_gpu();
    assert_true(disturbed(&cases[4], PLIANT_BACKEND_CPU) ==
                disturbed(&cases[4], PLIANT_BACKEND_CUDA));
}

int main(void)
{
    pliant_set_log(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_the_processor),
        cmocka_unit_test(clusters_come_and_go_as_on_the_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
