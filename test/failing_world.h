// A small world in which every allocation fails once, from its mesh to its second step.
#pragma once
#include "failing.h"

typedef struct {
    const char* mesh; // of all bodies
    int bodies;       // 2 at most
    double height[2]; // [m] of each
    float dt;         // [s]
    // What else there is in it; NULL: nothing.
    pliant_result (*furnish)(pliant_world* world, const pliant_body_id* bodies);
    bool rigid; // they do not deform
} failing_world;

static inline pliant_result fill_failing_world(const failing_world* w, pliant_world* world,
                                               const pliant_asset* asset)
{
    pliant_body_id id[2];
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < w->bodies && !result; ++i) {
        pliant_body_def def = pliant_body_defaults();
        def.position[1] = w->height[i];
        result = pliant_world_add_body(world, asset, &def, &id[i]);
    }
    return result || !w->furnish ? result : w->furnish(world, id);
}

static inline pliant_result step_failing_world(const void* context)
{
    const failing_world* w = (const failing_world*)context;
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    pliant_world* world = NULL;
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_world_def settings = pliant_world_defaults();
    soft.rigid = w->rigid;
    settings.substeps = 4;
    settings.threads = 1;
    pliant_result result = pliant_mesh_generate(w->mesh, &mesh);
    if (!result) result = pliant_asset_create(mesh, &soft, &asset);
    if (!result) result = pliant_world_create(&settings, &world);
    if (!result) result = fill_failing_world(w, world, asset);
    for (int i = 0; i < 2 && !result; ++i) result = pliant_world_step(world, w->dt);
    pliant_world_destroy(world);
    pliant_asset_destroy(asset);
    pliant_mesh_destroy(mesh);
    return result;
}

static inline void check_failing_world(const failing_world* w)
{
    CHECK_BETWEEN(check_some_failures(step_failing_world, w, by_scope(7, 3, 1)), 50, 10000);
}
