// Particles that flow, in tests: how they lie, their tank, and what must not change their bits.
#pragma once
#include "scene.h"
#include "world/world.h"

// On a grid, and moved a little, so that they lie as a liquid's do: by up to half of `jitter`
// spacings.
static inline pliant_mesh* flowing_grid(const int count[3], double spacing, double jitter)
{
    random_source random = {3};
    int total = count[0] * count[1] * count[2];
    double* x = (double*)malloc(3 * (size_t)total * sizeof(double));
    for (int i = 0; i < total; ++i) {
        const int at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        for (int k = 0; k < 3; ++k)
            x[3 * i + k] = spacing * (at[k] + 0.5 + jitter * random_range(&random, -0.5, 0.5));
    }
    const pliant_mesh_arrays arrays = {.vertices = x, .vertex_count = total};
    pliant_mesh* mesh = NULL;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    free(x);
    return mesh;
}

// A world of some kind, with so many threads and lanes.
typedef pliant_world* flowing_fn(int threads, int lanes);

// Threads, lanes, lists made anew in each step, and a world that was restored in the middle.
static inline void check_flowing_bits(flowing_fn* make, int steps, double dt)
{
    static const int ways[][2] = {{1, 1}, {1, 4}, {1, 8}, {1, 16}, {3, 0}};
    uint64_t wanted = 0;
    for (int w = 0; w < 5; ++w) {
        pliant_world* world = make(ways[w][0], ways[w][1]);
        run(world, steps, dt);
        if (w == 0) wanted = get_digest(world);
        assert_int_equal(get_digest(world), wanted);
        pliant_world_destroy(world);
    }
    pliant_world *one = make(1, 0), *other = make(1, 0);
    run(one, steps / 2, dt);
    size_t bytes = pliant_world_snapshot_size(one);
    void* kept = malloc(bytes);
    CHECK_OK(pliant_world_snapshot_save(one, kept, bytes));
    CHECK_OK(pliant_world_snapshot_restore(other, kept, bytes));
    assert_int_equal(get_digest(one), get_digest(other));
    for (int i = steps / 2; i < steps; ++i) {
        other->flowing.system.listed = false;
        run(other, 1, dt);
    }
    assert_int_equal(get_digest(other), wanted);
    free(kept);
    pliant_world_destroy(one);
    pliant_world_destroy(other);
}
