// Short forms of the scenes with rigid bodies: few bodies of each, for digests.
#pragma once
#include "rigid_bodies.h"

typedef struct {
    const char* name;
    pliant_body_id (*fill)(pliant_world* world); // returns one of its rigid bodies
    int substeps, iterations;
    bool links; // it has joints of rigid bodies
} rigid_scene;

// ---- parts --------------------------------------------------------------------------------------

static inline pliant_quat turned(double x, double y, double z, double degrees)
{
    double length = sqrt(x * x + y * y + z * z), half = degrees * 3.14159265358979323846 / 360;
    double part = sin(half) / length;
    return (pliant_quat){(float)(part * x), (float)(part * y), (float)(part * z), (float)cos(half)};
}

static inline pliant_body_def touching_at(double x, double y, double z, double thickness,
                                          double friction)
{
    pliant_body_def def = body_at(x, y, z);
    def.contact.thickness = (float)thickness;
    def.contact.static_friction = def.contact.dynamic_friction = (float)friction;
    return def;
}

// Places a body of an asset that it lets go.
static inline pliant_body_id put(pliant_world* world, pliant_asset* asset,
                                 const pliant_body_def* def)
{
    pliant_body_id id = place_body(world, asset, def);
    pliant_asset_destroy(asset);
    return id;
}

static inline void put_plane(pliant_world* world, double friction, double restitution)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.static_friction = def.dynamic_friction = (float)friction;
    def.restitution = (float)restitution;
    def.measure_force = true;
    CHECK_OK(pliant_world_add_collider(world, &def, NULL));
}

// ---- scenes -------------------------------------------------------------------------------------

// A wall of three layers, hit by a ball.
static inline pliant_body_id put_boxes(pliant_world* world)
{
    pliant_asset* brick = rigid_asset("brick:0.4x0.2x0.2", 600);
    put_plane(world, 0.6, 0);
    for (int layer = 0; layer < 3; ++layer)
        for (int i = 0; i < 3; ++i) {
            pliant_body_def def = touching_at(0.404 * i - 0.404 + 0.2 * (layer % 2),
                                              0.102 + 0.204 * layer, 0, 0.004, 0.6);
            place_body(world, brick, &def);
        }
    pliant_asset_destroy(brick);
    pliant_body_def ball = touching_at(0.1, 0.35, 0.4, 0, 0.4);
    ball.velocity = vec(0, 0, -8);
    return put(world, ball_asset(0.15, 3000), &ball);
}

// Two pairs of cards that lean on each other, one across, and a pair on it.
static inline pliant_body_id put_cards(pliant_world* world)
{
    pliant_asset* card = rigid_asset("brick:0.1x0.003x0.06", 800);
    const double x[7] = {-0.07379, -0.02821, 0.02821, 0.07379, 0, -0.02279, 0.02279};
    pliant_body_id id = {0, 0};
    put_plane(world, 0.5, 0);
    for (int i = 0; i < 7; ++i) {
        double y = i < 4 ? 0.046249 : i == 4 ? 0.094299 : 0.142348;
        pliant_body_def def = touching_at(x[i], y, 0, 0.0006, 0.5);
        bool left = i == 0 || i == 2 || i == 5;
        if (i != 4) def.rotation = turned(0, 0, 1, left ? 65 : -65);
        id = place_body(world, card, &def);
    }
    pliant_asset_destroy(card);
    return id;
}

static inline pliant_body_id put_dominoes(pliant_world* world)
{
    pliant_asset* domino = rigid_asset("brick:0.014x0.09x0.045", 700);
    pliant_body_id id = {0, 0};
    put_plane(world, 0.4, 0);
    for (int i = 0; i < 6; ++i) {
        pliant_body_def def = touching_at(0.03 * i, 0.0454, 0, 0.0006, 0.2);
        def.rotation = turned(0, 1, 0, 3 * i);
        if (i == 0) def.angular_velocity = vec(0, 0, -12);
        id = place_body(world, domino, &def);
    }
    pliant_asset_destroy(domino);
    return id;
}

// Links in each other, of which the ends are held, and one end moves.
static inline pliant_body_id put_chain(pliant_world* world)
{
    pliant_asset* link = rigid_asset("link:0.12:0.07:0.016:8", 4000);
    pliant_body_id id = {0, 0};
    for (int i = 0; i < 6; ++i) {
        pliant_body_def def = touching_at(0.086 * i, 1, 0, 0.001, 0.2);
        def.rotation = turned(1, 0, 0, i % 2 ? 90 : 0);
        def.held = i == 0 || i == 5;
        if (i == 5) def.velocity = vec(-0.5, 0.2, 0.1);
        id = place_body(world, link, &def);
    }
    pliant_asset_destroy(link);
    return id;
}

static inline pliant_body_id put_bananas(pliant_world* world)
{
    pliant_asset* banana = rigid_asset("banana:0.3:0.035:7", 900);
    pliant_body_id id = {0, 0};
    put_plane(world, 0.6, 0);
    for (int i = 0; i < 5; ++i) {
        pliant_body_def def = touching_at(0.02 * i, 0.1 + 0.12 * i, -0.03 * i, 0.003, 0.5);
        def.rotation = turned(0.3 * i - 0.5, 0.7, 0.2 * i, 70 * i);
        def.velocity = vec(0, -2, 0);
        id = place_body(world, banana, &def);
    }
    pliant_asset_destroy(banana);
    return id;
}

// Everything that bounces and meets: a box, a ball, soft ones, cloth and a rope between colliders.
static inline pliant_body_id put_mixed(pliant_world* world)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_collider_def slab = pliant_collider_defaults();
    pliant_mesh* mesh[] = {generate("torus:0.2:0.08:3"), generate("cloth:5x5:0.4x0.4")};
    pliant_body_def def = touching_at(0, 0.62, 0, 0.004, 0.5);
    put_plane(world, 0.5, 0.5);
    slab.shape = PLIANT_SHAPE_BOX;
    slab.half_extents = vec(0.3, 0.05, 0.3);
    slab.position[1] = 0.1;
    slab.angular_velocity = vec(0, 1, 0);
    CHECK_OK(pliant_world_add_collider(world, &slab, NULL));
    soft.material.young = 1e5;
    soft.cloth.stretch = 200;
    for (int i = 0; i < 2; ++i) {
        pliant_body_def at = pliant_body_defaults();
        at.position[0] = i ? -0.2 : 0;
        at.position[1] = i ? 0.7 : 0.3;
        at.position[2] = i ? -0.2 : 0;
        new_soft(world, mesh[i], &soft, &at);
        pliant_mesh_destroy(mesh[i]);
    }
    def.velocity = vec(0.2, -3, 0);
    def.angular_velocity = vec(3, 1, -2);
    def.contact.restitution = 0.6f;
    pliant_body_id id = put(world, rigid_asset("brick:0.2x0.1x0.15", 1500), &def);
    def.position[0] = 0.25;
    def.position[1] = 0.9;
    put(world, ball_asset(0.08, 900), &def);
    return id;
}

// An arm on a motor carries a load on a rope.
static inline pliant_body_id put_crane(pliant_world* world)
{
    pliant_joint_def joint = pliant_joint_defaults();
    pliant_body_def def = body_at(0.4, 1, 0);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_mesh* rope = generate("rope:0.4:4");
    const double at[2][3] = {{0, 1, 0}, {0.8, 1, 0}};
    const pliant_body_id nobody = {0, 0};
    put_plane(world, 0.5, 0);
    def.contact.mask = 0;
    pliant_body_id arm = put(world, rigid_asset("brick:0.9x0.1x0.1", 300), &def);
    joint.kind = PLIANT_JOINT_HINGE;
    joint.axis[0] = 0, joint.axis[1] = 1, joint.axis[2] = 0;
    joint.motor = PLIANT_MOTOR_VELOCITY;
    joint.motor_speed = 2;
    joint.motor_torque = 200;
    CHECK_OK(pliant_body_place_joint_point(world, arm, at[0], &joint.point[0]));
    CHECK_OK(pliant_body_place_joint_point(world, nobody, at[0], &joint.point[1]));
    CHECK_OK(pliant_world_add_joint(world, &joint, NULL));
    def = pliant_body_defaults();
    def.position[0] = 0.8;
    def.position[1] = 1;
    def.contact.mask = 0;
    pliant_body_id line = new_soft(world, rope, &soft, &def);
    pliant_mesh_destroy(rope);
    joint = pliant_joint_defaults();
    CHECK_OK(pliant_body_place_joint_point(world, arm, at[1], &joint.point[0]));
    CHECK_OK(pliant_body_find_joint_point(world, line, at[1], &joint.point[1]));
    CHECK_OK(pliant_world_add_joint(world, &joint, NULL));
    return arm;
}

static const rigid_scene rigid_scenes[] = {
    {"boxes", put_boxes, 12, 1, false},
    {"card house", put_cards, 10, 1, false},
    {"dominoes", put_dominoes, 12, 1, false},
    {"chain", put_chain, 12, 1, false},
    {"bananas", put_bananas, 12, 1, false},
    {"mixed", put_mixed, 12, 1, false},
    {"mixed, iterations", put_mixed, 6, 2, false},
    {"crane", put_crane, 10, 1, true},
};
enum { RIGID_SCENES = sizeof rigid_scenes / sizeof *rigid_scenes };

static inline pliant_world* open_rigid_scene(const rigid_scene* s, pliant_world_def def,
                                             pliant_body_id* out_body)
{
    pliant_world* world = NULL;
    def.substeps = s->substeps;
    def.iterations = s->iterations;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_body_id id = s->fill(world);
    if (out_body) *out_body = id;
    return world;
}

// Or NULL.
static inline const rigid_scene* rigid_scene_named(const char* name)
{
    for (int i = 0; i < RIGID_SCENES; ++i)
        if (strcmp(rigid_scenes[i].name, name) == 0) return &rigid_scenes[i];
    return NULL;
}
