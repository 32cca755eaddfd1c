// Rigid bodies: on slopes, rolling, in stacks, a card house, free rotation.
#include "bench/physics.h"
#include <math.h>
#include <stdio.h>

typedef struct {
    pliant_world* world;
    pliant_result result;
} yard;

static yard yard_open(bool weight)
{
    yard y = {NULL, PLIANT_OK};
    pliant_world_def def = pliant_world_defaults();
    if (!weight) def.gravity = (pliant_vec3){0, 0, 0};
    y.result = pliant_world_create(&def, &y.world);
    return y;
}

// A plane that falls toward x.
static pliant_collider_id yard_slope(yard* y, double slope, double friction)
{
    pliant_collider_id id = {0, 0};
    pliant_collider_def def = pliant_collider_defaults();
    def.rotation = (pliant_quat){0, 0, (float)-sin(slope / 2), (float)cos(slope / 2)};
    def.static_friction = def.dynamic_friction = (float)friction;
    def.measure_force = true;
    if (!y->result) y->result = pliant_world_add_collider(y->world, &def, &id);
    return id;
}

static pliant_body_id yard_add(yard* y, const pliant_mesh* mesh, const pliant_body_def* at)
{
    pliant_body_id id = {0, 0};
    pliant_soft_def soft = pliant_soft_defaults();
    soft.rigid = true;
    if (!y->result) y->result = pliant_world_add_soft(y->world, mesh, &soft, at, &id);
    return id;
}

static pliant_mesh* yard_mesh(yard* y, const char* words)
{
    pliant_mesh* mesh = NULL;
    if (!y->result) y->result = pliant_mesh_generate(words, &mesh);
    return mesh;
}

static void yard_run(yard* y, double seconds)
{
    for (int i = 0; i < (int)(60 * seconds + 0.5) && !y->result; ++i)
        y->result = pliant_world_step(y->world, 1.0f / 60);
}

static pliant_motion yard_look(yard* y, pliant_body_id id)
{
    pliant_motion m = {.held = false};
    if (!y->result) y->result = pliant_body_motion(y->world, id, &m);
    return m;
}

static pliant_body_def placed(double x, double y, double z)
{
    pliant_body_def def = pliant_body_defaults();
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return def;
}

static double along(const double v[3], double slope)
{
    return v[0] * cos(slope) - v[1] * sin(slope);
}

// ---- slopes -------------------------------------------------------------------------------------

typedef struct {
    double acceleration, way;
} slid;

static pliant_result run_slope(const pliant_mesh* mesh, double high, double slope, double friction,
                               double seconds, slid* out)
{
    yard y = yard_open(true);
    yard_slope(&y, slope, friction);
    pliant_body_def at = placed(high * sin(slope), high * cos(slope), 0);
    at.rotation = (pliant_quat){0, 0, (float)-sin(slope / 2), (float)cos(slope / 2)};
    pliant_body_id id = yard_add(&y, mesh, &at);
    yard_run(&y, 0.2);
    pliant_motion before = yard_look(&y, id);
    yard_run(&y, seconds);
    pliant_motion after = yard_look(&y, id);
    out->acceleration = (along(after.velocity, slope) - along(before.velocity, slope)) / seconds;
    out->way = along(after.center, slope) - along(before.center, slope);
    pliant_world_destroy(y.world);
    return y.result;
}

pliant_result physics_rigid_grid(judge* j)
{
    static const double degrees[] = {3, 5, 8, 10, 15, 20, 25, 30, 35, 40};
    yard y = yard_open(true);
    pliant_mesh* mesh = yard_mesh(&y, "brick:0.2x0.1x0.2");
    for (int i = 1; i <= 10 && !y.result; ++i)
        for (int k = 0; k < 10 && !y.result; k += j->quick ? 3 : 1) {
            double slope = degrees[k] * acos(-1) / 180, friction = 0.1 * i;
            double pull = lab_g * (sin(slope) - friction * cos(slope));
            slid out;
            char name[40];
            y.result = run_slope(mesh, 0.051, slope, friction,
                                 pull > 0   ? 1
                                 : j->quick ? 1
                                            : 10,
                                 &out);
            snprintf(name, sizeof name, "rigid_mu_%.1f_at_%.0f", friction, degrees[k]);
            if (pull > 0)
                judge_row(
                    j, &(judgment){name, "acceleration_m_s2", pull, out.acceleration, 0.02, pull});
            else
                judge_row(j, &(judgment){name, "way_m", 0, out.way, 1e-3, 1});
        }
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(y.world);
    return y.result;
}

pliant_result physics_rigid_roll(judge* j)
{
    const double origin[3] = {0, 0, 0}, radius = 0.1, slope = acos(-1) / 18;
    const pliant_mesh_arrays arrays = {
        .vertices = origin, .vertex_count = 1, .vertex_radius = &radius};
    pliant_mesh* mesh = NULL;
    slid out = {0, 0};
    pliant_result result = pliant_mesh_create(&arrays, &mesh);
    if (!result) result = run_slope(mesh, radius, slope, 0.5, 1, &out);
    pliant_mesh_destroy(mesh);
    double expected = 5.0 / 7 * lab_g * sin(slope);
    judge_row(j, &(judgment){"rigid_roll", "acceleration_m_s2", expected, out.acceleration, 0.02,
                             expected});
    return result;
}

// ---- piles --------------------------------------------------------------------------------------

enum { PILE = 15 };

// How far any of them goes [m].
static double drift(yard* y, const pliant_body_id* id, int count, double seconds)
{
    pliant_motion before[PILE];
    double worst = 0;
    for (int i = 0; i < count; ++i) before[i] = yard_look(y, id[i]);
    yard_run(y, seconds);
    for (int i = 0; i < count; ++i) {
        pliant_motion after = yard_look(y, id[i]);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(after.center[k] - before[i].center[k]));
    }
    return worst;
}

pliant_result physics_rigid_stack(judge* j)
{
    enum { BOXES = 10 };
    yard y = yard_open(true);
    pliant_mesh* mesh = yard_mesh(&y, "brick:1x1x1");
    pliant_collider_id floor = yard_slope(&y, 0, 0.5);
    pliant_body_id id[PILE];
    double force[3] = {0}, sum = 0, weight = 0;
    for (int i = 0; i < BOXES; ++i) {
        pliant_body_def at = placed(0, 0.506 + 1.0114 * i, 0);
        id[i] = yard_add(&y, mesh, &at);
        if (!y.result) weight += lab_g * pliant_body_mass(y.world, id[i]);
    }
    yard_run(&y, 0.5);
    double worst = drift(&y, id, BOXES, j->quick ? 2 : 20);
    for (int i = 0; i < 30 && !y.result; ++i) {
        yard_run(&y, 1.0 / 60);
        if (!y.result) y.result = pliant_collider_force(y.world, floor, force, NULL);
        sum -= force[1] / 30;
    }
    judge_row(j, &(judgment){"rigid_stack", "reaction_N", weight, sum, 0.01, weight});
    judge_row(j, &(judgment){"rigid_stack", "drift_m", 0, worst, 0.005, 1});
    pliant_mesh_destroy(mesh);
    pliant_world_destroy(y.world);
    return y.result;
}

// Cards of 10 cm that lean on each other at 65 degrees.
static void build_cards(yard* y, const pliant_mesh* card, pliant_body_id id[PILE])
{
    const double l = 0.1, t = 0.003, gap = 0.0006, angle = 65 * acos(-1) / 180;
    double hy = l / 2 * sin(angle) + t / 2 * cos(angle), base = 0;
    double dx = l / 2 * cos(angle) + t / 2 * sin(angle) + gap / 2;
    int count = 0;
    for (int level = 0; level < 3; ++level, base += 2 * hy + t + 2 * gap) {
        int pairs = 3 - level;
        for (int i = 0; i < 2 * pairs; ++i) {
            int side = i % 2 ? 1 : -1;
            double x = (i / 2 - (pairs - 1) / 2.0) * (l + 0.002) + side * dx,
                   half = side * angle / 2;
            pliant_body_def at = placed(x, base + gap / 2 + hy, 0);
            at.rotation = (pliant_quat){0, 0, (float)-sin(half), (float)cos(half)};
            at.contact.thickness = (float)gap;
            id[count++] = yard_add(y, card, &at);
        }
        for (int i = 0; i < pairs - 1; ++i) {
            pliant_body_def at =
                placed((i - (pairs - 2) / 2.0) * (l + 0.002), base + 1.5 * gap + 2 * hy + t / 2, 0);
            at.contact.thickness = (float)gap;
            id[count++] = yard_add(y, card, &at);
        }
    }
}

pliant_result physics_rigid_cards(judge* j)
{
    yard y = yard_open(true);
    pliant_mesh* card = yard_mesh(&y, "brick:0.1x0.003x0.06");
    pliant_body_id id[PILE];
    yard_slope(&y, 0, 0.5);
    build_cards(&y, card, id);
    yard_run(&y, 0.25);
    double worst = drift(&y, id, PILE, j->quick ? 2 : 20);
    judge_row(j, &(judgment){"rigid_cards", "drift_m", 0, worst, 0.005, 0.1});
    pliant_mesh_destroy(card);
    pliant_world_destroy(y.world);
    return y.result;
}
