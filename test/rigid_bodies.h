// Rigid bodies of tests: bricks, balls, and the worlds around them.
#pragma once
#include "scene.h"

static inline pliant_asset* rigid_asset(const char* words, double density)
{
    pliant_soft_def def = pliant_soft_defaults();
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    def.rigid = true;
    def.material.density = density;
    CHECK_OK(pliant_mesh_generate(words, &mesh));
    CHECK_OK(pliant_asset_create(mesh, &def, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}

// A single particle with a radius: a ball without corners.
static inline pliant_asset* ball_asset(double radius, double density)
{
    const double origin[3] = {0, 0, 0};
    const pliant_mesh_arrays arrays = {
        .vertices = origin, .vertex_count = 1, .vertex_radius = &radius};
    pliant_soft_def def = pliant_soft_defaults();
    pliant_mesh* mesh = NULL;
    pliant_asset* asset = NULL;
    def.rigid = true;
    def.material.density = density;
    CHECK_OK(pliant_mesh_create(&arrays, &mesh));
    CHECK_OK(pliant_asset_create(mesh, &def, &asset));
    pliant_mesh_destroy(mesh);
    return asset;
}

static inline pliant_body_id place_body(pliant_world* world, const pliant_asset* asset,
                                        const pliant_body_def* def)
{
    pliant_body_id id = {0, 0};
    CHECK_OK(pliant_world_add_body(world, asset, def, &id));
    return id;
}

static inline pliant_body_def body_at(double x, double y, double z)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return def;
}

static inline pliant_motion motion_of(const pliant_world* world, pliant_body_id id)
{
    pliant_motion m;
    CHECK_OK(pliant_body_motion(world, id, &m));
    return m;
}

static inline pliant_quat about_z(double radians)
{
    return (pliant_quat){0, 0, (float)sin(radians / 2), (float)cos(radians / 2)};
}

// A plane that falls toward x by an angle, through the origin.
static inline pliant_collider_id add_incline(pliant_world* world, double radians, double friction)
{
    pliant_collider_def def = pliant_collider_defaults();
    pliant_collider_id id;
    def.rotation = about_z(-radians);
    def.static_friction = def.dynamic_friction = (float)friction;
    def.measure_force = true;
    CHECK_OK(pliant_world_add_collider(world, &def, &id));
    return id;
}

static inline uint64_t digest_of(const pliant_world* world)
{
    uint64_t digest;
    CHECK_OK(pliant_world_digest(world, &digest));
    return digest;
}
