// Rigid bodies in their forms (physics_yard.h): on slopes, rolling, until they stop, in stacks,
// when they collide; a card house.
#include "bench/physics_yard.h"
#include <math.h>
#include <stdio.h>

static double along(const double v[3], double slope)
{
    return v[0] * cos(slope) - v[1] * sin(slope);
}

static const char* named(char name[40], body_form form, const char* what)
{
    snprintf(name, 40, "%s_%s", form_words[form], what);
    return name;
}

// ---- slopes -------------------------------------------------------------------------------------

static const double brick[3] = {0.2, 0.1, 0.2}; // [m]
#define BALLS_APART (1.0 / 30)                  // [m] in it

typedef struct {
    body_form form;
    const pliant_mesh* mesh;
    double high; // [m] of its middle above what it lies on
} thing;

typedef struct {
    double acceleration, way;
} slid;

static pliant_result run_slope(const thing* t, double slope, double friction, double seconds,
                               slid* out)
{
    yard y = yard_open(true);
    yard_slope(&y, slope, friction, 0);
    pliant_body_def at = yard_place(t->high * sin(slope), t->high * cos(slope), 0);
    at.rotation = (pliant_quat){0, 0, (float)-sin(slope / 2), (float)cos(slope / 2)};
    pliant_body_id id = yard_add(&y, t->mesh, t->form, &at);
    yard_run(&y, 0.2);
    yard_motion before = yard_look(&y, id);
    yard_run(&y, seconds);
    yard_motion after = yard_look(&y, id);
    out->acceleration = (along(after.velocity, slope) - along(before.velocity, slope)) / seconds;
    out->way = along(after.center, slope) - along(before.center, slope);
    yard_close(&y);
    return y.result;
}

// Sticks: less than 1 mm in ten seconds. Slides: as Coulomb says.
static pliant_result judge_slope(judge* j, const thing* t, double degrees, double friction)
{
    double slope = degrees * acos(-1) / 180, pull = lab_g * (sin(slope) - friction * cos(slope));
    slid out;
    char what[32], name[40];
    pliant_result result = run_slope(t, slope, friction, pull > 0 || j->quick ? 1 : 10, &out);
    if (result) return result;
    snprintf(what, sizeof what, "mu_%.1f_at_%.0f", friction, degrees);
    judgment slides = {
        named(name, t->form, what), "acceleration_m_s2", pull, out.acceleration, 0.02, pull};
    judgment sticks = {named(name, t->form, what), "way_m", 0, out.way, 1e-3, 1};
    judge_row(j, pull > 0 ? &slides : &sticks);
    return PLIANT_OK;
}

static thing thing_brick(yard* y, body_form form)
{
    thing t = {form, yard_brick(y, form, brick, BALLS_APART), 0.051};
    return t;
}

pliant_result physics_rigid_grid(judge* j)
{
    static const double degrees[] = {3, 10, 20, 30, 40, 5, 8, 15, 25, 35};
    static const double friction[] = {0.1, 0.3, 0.5, 0.7, 1, 0.2, 0.4, 0.6, 0.8, 0.9};
    yard y = yard_open(true);
    for (int form = 0; form < BODY_FORMS && !y.result; ++form) {
        thing t = thing_brick(&y, (body_form)form);
        const int cells = form == FORM_CORNERS ? 10 : 5; // balls take longer
        for (int i = 0; i < cells && !y.result; i += 1 + j->quick)
            for (int k = 0; k < cells && !y.result; k += 1 + j->quick)
                y.result = judge_slope(j, &t, degrees[k], friction[i]);
        pliant_mesh_destroy((pliant_mesh*)t.mesh);
    }
    yard_close(&y);
    return y.result;
}

pliant_result physics_rigid_slide(judge* j)
{
    yard y = yard_open(true);
    for (int form = 0; form < BODY_FORMS && !y.result; ++form) {
        thing t = thing_brick(&y, (body_form)form);
        if (!y.result) y.result = judge_slope(j, &t, 30, 0.3);
        pliant_mesh_destroy((pliant_mesh*)t.mesh);
    }
    yard_close(&y);
    return y.result;
}

// A brick that slides on level ground stops after v^2 / (2 mu g), less v h / 2 in substeps of h.
static pliant_result judge_stop(judge* j, body_form form, double speed, double friction)
{
    yard y = yard_open_with(true, 16);
    thing t = thing_brick(&y, form);
    char what[32], name[40];
    pliant_body_def at = yard_place(0, t.high, 0);
    yard_slope(&y, 0, friction, 0);
    pliant_body_id id = yard_add(&y, t.mesh, form, &at);
    yard_run(&y, 0.3);
    yard_motion before = yard_look(&y, id);
    yard_send(&y, id, (const double[3]){speed, 0, 0});
    yard_run(&y, 1.2 * speed / (friction * lab_g));
    yard_motion after = yard_look(&y, id);
    double way = speed * speed / (2 * friction * lab_g);
    snprintf(what, sizeof what, "stop_mu_%.1f_at_%.0f", friction, speed);
    if (!y.result)
        judge_row(j, &(judgment){named(name, form, what), "way_m", way,
                                 after.center[0] - before.center[0], 0.02, way});
    pliant_mesh_destroy((pliant_mesh*)t.mesh);
    yard_close(&y);
    return y.result;
}

pliant_result physics_rigid_stop(judge* j)
{
    static const double friction[] = {0.2, 0.5}, speed[] = {1, 3};
    for (int form = 0; form < BODY_FORMS; ++form)
        for (int i = 0; i < (j->quick ? 1 : 2); ++i)
            for (int k = 0; k < (j->quick ? 1 : 2); ++k) {
                pliant_result result = judge_stop(j, (body_form)form, speed[k], friction[i]);
                if (result) return result;
            }
    return PLIANT_OK;
}

// A single ball, and shells of many, which roll over bumps: a wheel with corners that are t apart
// loses t / (1 + k) of its energy in a radian, k = I / (m r^2), here 6 %. So they are slower.
pliant_result physics_rigid_roll(judge* j)
{
    const double slope = acos(-1) / 18, radius = 0.1;
    yard y = yard_open(true);
    for (int form = 0; form < BODY_FORMS && !y.result; ++form) {
        thing t = {(body_form)form, yard_ball(&y, (body_form)form, radius, 1500), radius};
        slid out = {0, 0};
        char name[40];
        if (!y.result) y.result = run_slope(&t, slope, 0.5, 1, &out);
        double inertia = form == FORM_CORNERS ? 0.4 : 2.0 / 3 * 0.81;
        double expected = lab_g * sin(slope) / (1 + inertia);
        if (!y.result)
            judge_row(j, &(judgment){named(name, (body_form)form, "roll"), "acceleration_m_s2",
                                     expected, out.acceleration, form == FORM_CORNERS ? 0.02 : 0.15,
                                     expected});
        pliant_mesh_destroy((pliant_mesh*)t.mesh);
    }
    yard_close(&y);
    return y.result;
}

// ---- piles --------------------------------------------------------------------------------------

enum { PILE = 64 };

// How far any of them goes [m].
static double drift(yard* y, const pliant_body_id* id, int count, double seconds)
{
    yard_motion before[PILE];
    double worst = 0;
    for (int i = 0; i < count; ++i) before[i] = yard_look(y, id[i]);
    yard_run(y, seconds);
    for (int i = 0; i < count; ++i) {
        yard_motion after = yard_look(y, id[i]);
        for (int k = 0; k < 3; ++k)
            worst = fmax(worst, fabs(after.center[k] - before[i].center[k]));
    }
    return worst;
}

// Ten boxes of 1 m. Boxes of balls stand ball on ball. (Shape matching hears of a contact through
// the one ball that has it: it holds no such stack, and hits do not obey their restitution.)
static pliant_result judge_stack(judge* j, body_form form)
{
    enum { BOXES = 10 };
    const double box[3] = {1, 1, 1};
    yard y = yard_open(true);
    pliant_mesh* mesh = yard_brick(&y, form, box, 0.25);
    pliant_collider_id floor = yard_slope(&y, 0, 0.5, 0);
    pliant_body_id id[PILE];
    double force[3] = {0}, sum = 0, weight = 0;
    char name[40];
    for (int i = 0; i < BOXES; ++i) {
        pliant_body_def at = yard_place(0, 0.506 + (form == FORM_CORNERS ? 1.0114 : 1.0) * i, 0);
        at.contact.static_friction = at.contact.dynamic_friction = 0.5f;
        id[i] = yard_add(&y, mesh, form, &at);
        if (!y.result) weight += lab_g * pliant_body_mass(y.world, id[i]);
    }
    yard_run(&y, 0.5);
    double worst = drift(&y, id, BOXES, j->quick ? 2 : 20);
    for (int i = 0; i < 30 && !y.result; ++i) {
        yard_run(&y, 1.0 / 60);
        if (!y.result) y.result = pliant_collider_force(y.world, floor, force, NULL);
        sum -= force[1] / 30;
    }
    judge_row(j, &(judgment){named(name, form, "stack"), "reaction_N", weight, sum, 0.01, weight});
    judge_row(j, &(judgment){named(name, form, "stack"), "drift_m", 0, worst, 0.005, 1});
    pliant_mesh_destroy(mesh);
    yard_close(&y);
    return y.result;
}

pliant_result physics_rigid_stack(judge* j)
{
    pliant_result result = PLIANT_OK;
    for (int form = 0; form < FORM_MATCHED && !result; ++form)
        result = judge_stack(j, (body_form)form);
    return result;
}

// A wall of 14 layers of bricks stands until it is hit: how far any of them goes in five seconds.
static void build_wall(yard* y, const pliant_mesh* of[2], pliant_body_id* id, int* count)
{
    enum { WIDE = 3, LAYERS = 14 };
    const double long_way = 0.404, high = 0.204;
    for (int layer = 0; layer < LAYERS; ++layer) {
        const bool odd = layer % 2;
        for (int i = 0; i < WIDE + odd; ++i) {
            const bool half = odd && (i == 0 || i == WIDE);
            double x = long_way * (i - (odd ? 0.5 : 0));
            if (half) x += i == 0 ? 0.101 : -0.101;
            pliant_body_def at = yard_place(x, 0.102 + high * layer, 0);
            at.contact.static_friction = at.contact.dynamic_friction = 0.6f;
            at.contact.thickness = 0.004f;
            id[(*count)++] = yard_add(y, of[half], FORM_CORNERS, &at);
        }
    }
}

pliant_result physics_rigid_wall(judge* j)
{
    const double whole[3] = {0.4, 0.2, 0.2}, half[3] = {0.198, 0.2, 0.2};
    pliant_body_id id[PILE];
    int count = 0;
    yard y = yard_open(true);
    const pliant_mesh* mesh[2] = {yard_brick(&y, FORM_CORNERS, whole, 0),
                                  yard_brick(&y, FORM_CORNERS, half, 0)};
    yard_slope(&y, 0, 0.6, 0);
    build_wall(&y, mesh, id, &count);
    yard_run(&y, 0.5);
    double worst = drift(&y, id, count, j->quick ? 0.5 : 5);
    judge_row(j, &(judgment){"rigid_wall", "drift_m", 0, worst, 0.005, half[1]});
    for (int i = 0; i < 2; ++i) pliant_mesh_destroy((pliant_mesh*)mesh[i]);
    yard_close(&y);
    return y.result;
}

// ---- collisions ---------------------------------------------------------------------------------

// Two bricks fly into each other, face against face, and part at e times their speed.
static pliant_result judge_collision(judge* j, body_form form, double restitution)
{
    yard y = yard_open(false);
    thing t = thing_brick(&y, form);
    pliant_body_id id[2];
    yard_motion before[2], after[2];
    char what[32], name[40];
    for (int i = 0; i < 2; ++i) {
        pliant_body_def at = yard_place(i ? 0.16 : -0.16, i ? 0.004 : 0, i ? 0.003 : 0);
        at.velocity.x = i ? -1 : 1;
        at.contact.restitution = (float)restitution;
        id[i] = yard_add(&y, t.mesh, form, &at);
    }
    for (int i = 0; i < 2; ++i) before[i] = yard_look(&y, id[i]);
    yard_run(&y, 0.4);
    for (int i = 0; i < 2; ++i) after[i] = yard_look(&y, id[i]);
    double momentum = 0, size = 2 * before[0].mass, energy = 0, had = 0;
    for (int i = 0; i < 2; ++i) {
        momentum += after[i].mass * after[i].velocity[0];
        energy += after[i].energy;
        had += before[i].energy;
    }
    double parts = (after[1].velocity[0] - after[0].velocity[0]) / 2;
    snprintf(what, sizeof what, "collide_e_%.1f", restitution);
    named(name, form, what);
    judge_row(j, &(judgment){name, "speed_ratio", restitution, parts, 0.02, 1});
    judge_row(j, &(judgment){name, "momentum", 0, momentum, 1e-5, size});
    judge_row(j, &(judgment){name, "energy_grown", 0, fmax(energy / had - 1, 0), 1e-5, 1});
    pliant_mesh_destroy((pliant_mesh*)t.mesh);
    yard_close(&y);
    return y.result;
}

pliant_result physics_rigid_collide(judge* j)
{
    static const double restitution[] = {0, 0.5, 1};
    for (int form = 0; form < FORM_MATCHED; ++form)
        for (int i = 0; i < 3; ++i) {
            pliant_result result = judge_collision(j, (body_form)form, restitution[i]);
            if (result) return result;
        }
    return PLIANT_OK;
}

// ---- cards --------------------------------------------------------------------------------------

// Cards of 10 cm that lean on each other at 65 degrees.
static int build_cards(yard* y, const pliant_mesh* card, pliant_body_id id[PILE])
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
            pliant_body_def at = yard_place(x, base + gap / 2 + hy, 0);
            at.rotation = (pliant_quat){0, 0, (float)-sin(half), (float)cos(half)};
            at.contact.thickness = (float)gap;
            id[count++] = yard_add(y, card, FORM_CORNERS, &at);
        }
        for (int i = 0; i < pairs - 1; ++i) {
            pliant_body_def at = yard_place((i - (pairs - 2) / 2.0) * (l + 0.002),
                                            base + 1.5 * gap + 2 * hy + t / 2, 0);
            at.contact.thickness = (float)gap;
            id[count++] = yard_add(y, card, FORM_CORNERS, &at);
        }
    }
    return count;
}

pliant_result physics_rigid_cards(judge* j)
{
    yard y = yard_open(true);
    const double size[3] = {0.1, 0.003, 0.06};
    pliant_mesh* card = yard_brick(&y, FORM_CORNERS, size, 0);
    pliant_body_id id[PILE];
    yard_slope(&y, 0, 0.5, 0);
    const int count = build_cards(&y, card, id);
    yard_run(&y, 0.25);
    double worst = drift(&y, id, count, j->quick ? 2 : 20);
    judge_row(j, &(judgment){"rigid_cards", "drift_m", 0, worst, 0.005, 0.1});
    pliant_mesh_destroy(card);
    yard_close(&y);
    return y.result;
}
