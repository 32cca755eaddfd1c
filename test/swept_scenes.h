// Worlds with colliders that meet triangles and edges.
#pragma once
#include "scene.h"

static inline pliant_collider_def ball_def(double radius, double x, double y, double z)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_SPHERE;
    def.radius = (float)radius;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    def.measure_force = true;
    return def;
}

static inline pliant_collider_def plate_def(double half_x, double half_y, double half_z, double y)
{
    pliant_collider_def def = pliant_collider_defaults();
    def.shape = PLIANT_SHAPE_BOX;
    def.half_extents = vec(half_x, half_y, half_z);
    def.position[1] = y;
    def.measure_force = true;
    return def;
}

static inline pliant_body_id add_mesh(pliant_world* world, pliant_mesh* mesh, double y,
                                      pliant_vec3 velocity)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.material.damping = 0.001;
    def.position[1] = y;
    def.velocity = velocity;
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    if (!id.index1) fail_msg("%s", pliant_error_text());
    pliant_mesh_destroy(mesh);
    return id;
}

// Cells of 0.1 m around the y axis.
static inline pliant_body_id add_sheet(pliant_world* world, double y, pliant_vec3 velocity)
{
    return add_mesh(world, generate("cloth:10x10:1x1"), y, velocity);
}

static inline pliant_body_id add_block(pliant_world* world, double y, pliant_vec3 velocity)
{
    return add_mesh(world, box_mesh((int[3]){2, 2, 2}, 0.1, 0), y, velocity);
}

static inline pliant_body_id stiff_sheet(pliant_world* world, double y)
{
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.cloth =
        (pliant_cloth_def){.density = 0.2, .stretch = 200, .bending = 0.02, .damping = 0.05};
    def.position[1] = y;
    pliant_mesh* mesh = generate("cloth:5x5:0.5x0.5");
    pliant_body_id id = new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return id;
}
static inline pliant_body_id sheet_on_ball(pliant_world* world)
{
    return stiff_sheet(world, 0.042);
}
static inline pliant_body_id sheet_on_edge(pliant_world* world) { return stiff_sheet(world, 0.01); }

// A ball of a third of a cell goes up through the middle of a triangle of a sheet.
static inline pliant_world* ball_under_sheet(double speed, int substeps)
{
    pliant_world* world = make_still_world(substeps, 1);
    add_sheet(world, 0, vec(0, 0, 0));
    pliant_collider_def ball = ball_def(0.033, 0.033, -0.2, 0.055);
    ball.velocity = vec(0, speed, 0);
    new_collider(world, &ball);
    return world;
}

// A body at 50 m/s and a plate of 2 cm.
static inline pliant_world* body_over_plate(bool sheet, int substeps)
{
    pliant_world* world = make_world(substeps, 1);
    pliant_collider_def plate = plate_def(2, 0.01, 2, 0);
    new_collider(world, &plate);
    const pliant_vec3 down = vec(0.3, -50, 0);
    sheet ? add_sheet(world, 0.5, down) : add_block(world, 0.5, down);
    return world;
}

// The plate comes from below, at the same speed.
static inline pliant_world* body_over_fast_plate(bool sheet)
{
    pliant_world* world = make_still_world(4, 1);
    pliant_collider_def plate = plate_def(0.7, 0.01, 0.7, -0.5);
    plate.velocity = vec(0, 50, 0);
    new_collider(world, &plate);
    const pliant_vec3 none = vec(0, 0, 0);
    sheet ? add_sheet(world, 0, none) : add_block(world, 0, none);
    return world;
}

// A blade that turns: 1 m long, 1 cm thick, 20 rad/s, against a block that hangs in its way.
static inline pliant_world* blade_and_block(void)
{
    pliant_world* world = make_still_world(2, 1);
    pliant_collider_def blade = plate_def(1, 0.005, 0.2, 0);
    blade.angular_velocity = vec(0, 0, 20);
    new_collider(world, &blade);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = 0.5;
    def.position[1] = 0.3;
    pliant_mesh* mesh = box_mesh((int[3]){2, 2, 2}, 0.1, 0);
    new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return world;
}

// A ball of one point turns, and a belt stays where it is: both take along what lies on them.
static inline pliant_world* sheet_on_turning_ball(bool belt)
{
    pliant_world* world = make_world(0, 1);
    pliant_collider_def ball = ball_def(0.035, 0.03, 0, 0.06);
    const pliant_vec3 turn = vec(0, 0, 10);
    if (belt)
        ball.surface_angular_velocity = turn;
    else
        ball.angular_velocity = turn;
    new_collider(world, &ball);
    stiff_sheet(world, 0.042);
    return world;
}

// The upper edge of a box that stands on another one.
static inline pliant_collider_def standing_box(void)
{
    pliant_collider_def box = plate_def(0.2, 0.2, 1, -0.2 * sqrt(2));
    box.position[0] = 0.03;
    box.rotation = (pliant_quat){0, 0, 0.38268343f, 0.92387953f};
    box.surface_contacts = PLIANT_SURFACE_CONTACTS_ALWAYS;
    box.static_friction = box.dynamic_friction = 1;
    return box;
}

// A rope over a rod that is thinner than a tenth of its segments.
static inline pliant_world* rope_over_rod(void)
{
    pliant_collider_def rod = ball_def(0.005, 0.02, 0, 0);
    rod.shape = PLIANT_SHAPE_CAPSULE;
    rod.half_height = 0.5f;
    rod.rotation = (pliant_quat){(float)sqrt(0.5), 0, 0, (float)sqrt(0.5)}; // along z
    rod.static_friction = rod.dynamic_friction = 3;
    pliant_world* world = make_world(0, 1);
    new_collider(world, &rod);
    pliant_soft_def soft = pliant_soft_defaults();
    pliant_body_def def = pliant_body_defaults();
    soft.rope.radius = 0.004;
    soft.material.damping = 0.02;
    def.position[0] = -0.5;
    def.position[1] = 0.015;
    pliant_mesh* mesh = generate("rope:1:9");
    new_soft(world, mesh, &soft, &def);
    pliant_mesh_destroy(mesh);
    return world;
}

// A mesh is met by its triangles: a small one, as the ball is.
static inline pliant_world* mesh_under_sheet(void)
{
    pliant_world* world = make_still_world(4, 1);
    pliant_mesh* mesh = surface_of("sphere:0.033:4");
    pliant_collider_def def = ball_def(0.5, 0.033, -0.2, 0.055);
    def.shape = PLIANT_SHAPE_MESH;
    def.mesh = mesh;
    def.velocity = vec(0, 20, 0);
    new_collider(world, &def);
    pliant_mesh_destroy(mesh);
    add_sheet(world, 0, vec(0, 0, 0));
    return world;
}

// The only body, and the only collider of those worlds.
static inline pliant_body_id first_body(const pliant_world* world)
{
    pliant_body_id id = {0, 0};
    pliant_world_bodies(world, &id, 1);
    return id;
}
static inline pliant_collider_id first_collider_of(const pliant_world* world)
{
    pliant_collider_id id = {0, 0};
    pliant_world_colliders(world, &id, 1);
    return id;
}

// Two sheets that lie on each other, on small balls, of which one goes and one is taken away.
static inline pliant_world* make_balls(int threads)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.threads = threads;
    def.backend = made_on;
    CHECK_OK(pliant_world_create(&def, &world));
    pliant_collider_def ball = ball_def(0.035, 0.03, 0, 0.06);
    new_collider(world, &ball);
    ball = ball_def(0.03, -0.13, -0.05, 0.06);
    ball.velocity = vec(0, 2, 0);
    new_collider(world, &ball);
    pliant_collider_def plate = plate_def(0.1, 0.01, 0.1, -0.3);
    plate.position[0] = 0.2;
    plate.velocity = vec(0, 20, 0);
    new_collider(world, &plate);
    stiff_sheet(world, 0.06);
    stiff_sheet(world, 0.12);
    return world;
}
