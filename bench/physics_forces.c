// Forces between bodies that rest on each other.
#include "bench/physics.h"
#include <math.h>
#include <string.h>

// Five tets a cell: the halves of a box mirror each other.
static const char* const box = "beam:2x2x2:0.1";
static const double side = 0.2, gap = 0.006; // [m] of the boxes, and between them at the start

static pliant_body_id add_base(lab* l, const lab_def* def)
{
    return lab_add_pinned(l, def, "box6:8x1x5:0.13", (const double[3]){-0.5, -0.13, -0.3}, 1);
}

static void judge_up(judge* j, const char* name, const char* quantity, double force,
                     double expected)
{
    judge_row(j, &(judgment){name, quantity, expected, force, 0.01, expected});
}

// So firm that a column of ten, 2 m, stands by its own bending stiffness: one of 1 MPa would buckle
// at 1.4 m.
static lab_def firm(void)
{
    lab_def def = lab_defaults();
    def.young = 1e7;
    def.damping = 0.002;
    def.substeps = 40;
    return def;
}

// [m] that the center of some box has gone, at most, within so many seconds.
static double creep_of(lab* l, double seconds)
{
    double from[MOST_BODIES][3], most = 0;
    for (int i = 1; i < l->count; ++i) {
        motion_sums at = lab_sums(l, l->body[i]);
        memcpy(from[i], at.center, sizeof from[i]);
    }
    lab_run(l, seconds);
    for (int i = 1; i < l->count; ++i) {
        motion_sums at = lab_sums(l, l->body[i]);
        double square = 0;
        for (int k = 0; k < 3; ++k)
            square += (at.center[k] - from[i][k]) * (at.center[k] - from[i][k]);
        most = fmax(most, sqrt(square));
    }
    return most;
}

// The base carries all boxes, the last but one the last.
static pliant_result stack(judge* j, int boxes)
{
    lab_def def = firm();
    lab l = lab_open(&def);
    pliant_body_id below = add_base(&l, &def);
    for (int i = 0; i < boxes; ++i)
        lab_add(&l, &def, box, (const double[3]){-0.1, gap + i * (side + gap), -0.1},
                (pliant_vec3){0, 0, 0});
    lab_run(&l, j->quick ? 0.5 : 3);
    double weight = l.result ? NAN : pliant_body_mass(l.world, l.body[1]) * lab_g, force[3];
    lab_mean_force(&l, l.body[1], below, 0.2, force);
    char name[32];
    snprintf(name, sizeof name, "stack_of_%d", boxes);
    if (!l.result) judge_up(j, name, "base_force_N", force[1], boxes * weight);
    lab_mean_force(&l, l.body[boxes], l.body[boxes - 1], 0.2, force);
    if (!l.result) judge_up(j, name, "force_on_top_box_N", force[1], weight);
    double speed = l.result ? NAN : lab_sums_of_all(&l).moving / (boxes * weight / lab_g);
    if (!l.result) judge_row(j, &(judgment){name, "mean_speed_m_s", 0, speed, 0.001, 1});
    double creep = j->quick ? 0 : creep_of(&l, 10);
    if (!l.result && !j->quick)
        judge_row(j, &(judgment){name, "creep_in_10_s_mm", 0, 1e3 * creep, 1, 1});
    lab_close(&l);
    return l.result;
}

static pliant_result pyramid(judge* j)
{
    lab_def def = firm();
    lab l = lab_open(&def);
    add_base(&l, &def);
    const double x[3] = {-0.22, 0.02, -0.1}, y[3] = {gap, gap, side + 2 * gap};
    for (int i = 0; i < 3; ++i)
        lab_add(&l, &def, box, (const double[3]){x[i], y[i], -0.1}, (pliant_vec3){0, 0, 0});
    lab_run(&l, j->quick ? 0.5 : 3);
    double weight = l.result ? NAN : pliant_body_mass(l.world, l.body[1]) * lab_g, force[3];
    for (int i = 1; i < 3; ++i) {
        lab_mean_force(&l, l.body[i], l.body[0], 0.2, force);
        if (!l.result)
            judge_up(j, "pyramid_of_3", i == 1 ? "under_left_N" : "under_right_N", force[1],
                     1.5 * weight);
    }
    lab_close(&l);
    return l.result;
}

pliant_result physics_stack(judge* j)
{
    pliant_result result = stack(j, 3);
    if (!result && !j->quick) result = stack(j, 10);
    return result ? result : pyramid(j);
}

// The load [N] on the upper box, downward, on its upper particles alike.
static void load_top(lab* l, pliant_body_id body, double top, double load)
{
    enum { UP_TO = 64 };
    pliant_vec3 x[UP_TO], force[UP_TO] = {{0, 0, 0}};
    int count = l->result ? 0 : pliant_body_particle_count(l->world, body), loaded = 0;
    if (count > UP_TO) count = UP_TO;
    if (!l->result) l->result = pliant_body_read_positions(l->world, body, x, count);
    for (int i = 0; i < count; ++i) loaded += (double)x[i].y > top;
    for (int i = 0; i < count; ++i)
        if ((double)x[i].y > top) force[i].y = (float)(-load / loaded);
    if (!l->result) l->result = pliant_body_set_forces(l->world, body, force, count);
}

static pliant_collider_id add_floor(lab* l)
{
    pliant_collider_id floor = {0, 0};
    pliant_collider_def def = pliant_collider_defaults();
    def.measure_force = true;
    if (!l->result) l->result = pliant_world_add_collider(l->world, &def, &floor);
    return floor;
}

typedef struct {
    double up, down, floor; // [N] on the upper box, on the lower one, of the floor
    double apart;           // [N] the most that both ways were not opposite
} forces;

static forces mean_forces(lab* l, pliant_collider_id floor, int steps)
{
    forces sum = {0};
    for (int i = 0; i < steps && !l->result; ++i) {
        double up[3], down[3], on_floor[3];
        lab_run(l, (double)lab_dt);
        if (!l->result)
            l->result = pliant_body_force_of(l->world, l->body[1], l->body[0], up, NULL);
        if (!l->result)
            l->result = pliant_body_force_of(l->world, l->body[0], l->body[1], down, NULL);
        if (!l->result) l->result = pliant_collider_force(l->world, floor, on_floor, NULL);
        if (l->result) return sum;
        sum.up += up[1] / steps;
        sum.down += down[1] / steps;
        sum.floor -= on_floor[1] / steps;
        for (int k = 0; k < 3; ++k) sum.apart = fmax(sum.apart, fabs(up[k] + down[k]));
    }
    return sum;
}

// A box on another one on a plane that measures, and a load on top.
pliant_result physics_press(judge* j)
{
    const double load = 100;
    lab_def def = lab_defaults();
    lab l = lab_open(&def);
    pliant_collider_id floor = add_floor(&l);
    for (int i = 0; i < 2; ++i)
        lab_add(&l, &def, box, (const double[3]){-0.1, 0.01 + i * (side + gap), -0.1},
                (pliant_vec3){0, 0, 0});
    load_top(&l, l.body[1], 1.9 * side, load);
    lab_run(&l, j->quick ? 0.5 : 2);
    double weight = l.result ? NAN : pliant_body_mass(l.world, l.body[0]) * lab_g;
    forces f = mean_forces(&l, floor, 20);
    if (!l.result) {
        judge_row(j, &(judgment){"press", "both_ways_differ_by_N", 0, f.apart, 1e-6, load});
        judge_up(j, "press", "force_on_upper_N", f.up, load + weight);
        judge_up(j, "press", "floor_less_lower_box_N", f.floor - weight, load + weight);
        judge_up(j, "press", "force_over_floor_less_1", f.up, f.floor - weight);
    }
    lab_close(&l);
    return l.result;
}
