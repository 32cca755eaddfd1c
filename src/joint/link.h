// The formulas of a joint that has a rigid side: a point, and where it turns only about an axis, or
// not at all, axes of a rigid body are held to those of another, to the world, or the point to one
// of a body that is not rigid. In double, as rigid/rigid.h.
//
// Each joint has rows. A row has a direction along which it pushes, as things are when the substep
// begins, and a measure C of how things are when it ends, exactly, however far bodies turn. With
// lambda the push, of both signs on both sides at the same place, and y its compliance over h^2,
//     C + y lambda = 0                  a row that holds,
//     C >= 0, lambda >= 0, one is 0     a row that stops: a limit,
//     C = 0 or |lambda| = most          rows that drive: motors, friction.
// That is SHAKE: forces along directions of the start, conditions of the end. It keeps momentum and
// angular momentum exactly, and the energy for ever, to the second order of h.
//
// A spring of stiffness k and damping c pulls by
//     lambda = -h^2 k (e + a d' + b (d - d')) - h c d,
// e the deflection when the substep begins, d and d' what this substep and the one before add to
// it. a = 0, b = 1/4 is the trapezoidal rule, which keeps the energy; a = b = 1 implicit Euler,
// which a spring wants that is too stiff for its substep: s = h^2 k w, a = s^2 / (1 + s^2).
#pragma once
#include "math/elementary.h"
#include "rigid/rigid.h"

enum { LINK_ROWS = 12, LINK_PARTICLES = 4 };

typedef enum {
    LINK_PLACE,
    LINK_ALIGN,
    LINK_SPRING,
    LINK_MOTOR,
    LINK_FRICTION,
    LINK_LIMIT,
    LINK_SWING,
    LINK_GROUPS
} link_group;
typedef enum { LINK_POINT, LINK_HINGE, LINK_FIXED } link_kind;

// What one side is, and where it is in the substep.
typedef struct {
    int body;                  // rigid one of the linkage; -1
    int count;                 // particles of a body that is not rigid; 0
    int point[LINK_PARTICLES]; // of the linkage
    double share[LINK_PARTICLES];
    double local[3]; // [m] in the body's axes; of the world: where it is when the step begins
    double way[3];   // [m] of the world: in the whole step
    double frame[4]; // the joint's axes in those of the body, or the world's: x is the axis
    // Of the substep:
    double start[3];  // [m] where it begins
    double anchor[3]; // [m] the point, from the center of a rigid body
    double arm[3];    // [m] where it is pushed, from there
    double turn[4];   // of the joint's axes when it begins
    double speed[3];  // [m/s] then
} link_side;

// What it is told.
typedef struct {
    link_kind kind;
    double compliance, breaking_force, breaking_torque; // [m/N, N, N m]
    double stiffness, damping, rest_angle;              // [N m/rad, N m s/rad, rad]
    double lower, upper, swing;                         // [rad]; infinite: none
    double friction;                                    // [N m]
    int motor;                                          // 0 none, 1 velocity, 2 position
    double motor_angle, motor_speed, motor_torque;      // [rad, rad/s, N m]
} link_rules;

// Rows of one kind.
typedef struct {
    int first, count;
    double yield;    // [1/kg], [1/(kg m^2)] compliance over h^2
    double shift[3]; // [m, rad] what its measure is counted from
    double most;     // [kg m^2] of rows that drive
    bool drives, stops;
    bool off; // it stops nothing now, or does all that it can
} link_rows;

typedef struct {
    link_rules rules;
    link_side side[2];
    link_rows group[LINK_GROUPS];
    int rows;
    // From substep to substep:
    double lambda[LINK_ROWS]; // [kg m, kg m^2] in all of the substep; then what will go on of it
    double angle;             // [rad] of the second side about the axis, turns counted
    bool closing;             // a gap that was there at first
    bool broken;
    // Of the substep:
    double along[LINK_ROWS][3];
    double apart[3], tilt[3];     // [m, rad] the gap when it began, and how far axes were off
    double keep[3], keep_tilt[3]; // what of both is left for later substeps
    double first_angle;           // [rad] then
    double bend[3];               // [rad] of all its turn then
    double pivot[LINK_ROWS];      // [1/kg, 1/(kg m^2)] how light both sides are
    double measure[LINK_ROWS];
    double change[LINK_ROWS]; // of the pass
    // Of the step:
    double sum[3], twist[3], drive; // [kg m, kg m^2] of all substeps so far: on the first side, on
                                    // the first side, about the axis on the second
    double force[3], torque[3], motor; // [N, N m, N m] their means
    bool closed, jumped;               // none had a gap of the start; bodies were moved before it
} link_state;

// ---- rotations ----------------------------------------------------------------------------------

INLINE void link_turn_vector(const double q[4], const double v[3], double out[3])
{
    double once[3], twice[3];
    d3_cross(q, v, once);
    d3_cross(q, once, twice);
    for (int k = 0; k < 3; ++k) out[k] = v[k] + 2 * (q[3] * once[k] + twice[k]);
}

// What turns the first to the second, in the first's axes; the shorter way.
INLINE void link_between(const double a[4], const double b[4], double out[4])
{
    const double back[4] = {-a[0], -a[1], -a[2], a[3]};
    quaternion_product(back, b, out);
    if (out[3] < 0)
        for (int k = 0; k < 4; ++k) out[k] = -out[k];
}

// atan2.
INLINE double link_angle(double x, double y)
{
    return y < 0 ? -angle_of_direction(x, -y) : angle_of_direction(x, y);
}

// About x, of all of it; as near to `before` as whole turns allow.
INLINE double link_twist(const double q[4], double before)
{
    double angle = 2 * link_angle(q[3], q[0]), turns = (before - angle) / (2 * HALF_TURN);
    return angle + 2 * HALF_TURN * floor(turns + 0.5);
}
INLINE double link_swing(const double q[4])
{
    return 2 * angle_of_direction(sqrt(q[3] * q[3] + q[0] * q[0]), sqrt(q[1] * q[1] + q[2] * q[2]));
}

// As an angle about an axis, in the world.
INLINE void link_bend(const double q[4], const double turn[4], double out[3])
{
    double sine = sqrt(d3_dot(q, q)), local[3];
    double factor = sine > 0 ? 2 * angle_of_direction(q[3], sine) / sine : 2;
    for (int k = 0; k < 3; ++k) local[k] = factor * q[k];
    link_turn_vector(turn, local, out);
}

// ---- rows ---------------------------------------------------------------------------------------

INLINE bool link_has_limit(const link_rules* r)
{
    return r->lower > -INFINITY || r->upper < INFINITY;
}

INLINE void link_add_group(link_state* l, link_group which, int count)
{
    link_rows none = {l->rows, count, 0, {0, 0, 0}, INFINITY, false, false, false};
    l->group[which] = none;
    l->rows += count;
}

// Which rows it has, by its rules.
INLINE void link_list_rows(link_state* l)
{
    const link_rules* r = &l->rules;
    bool turns = r->kind != LINK_FIXED;
    int all = r->kind == LINK_POINT ? 3 : 1;
    l->rows = 0;
    link_add_group(l, LINK_PLACE, 3);
    link_add_group(l, LINK_ALIGN, r->kind == LINK_FIXED ? 3 : r->kind == LINK_HINGE ? 2 : 0);
    link_add_group(l, LINK_SPRING, turns && (r->stiffness > 0 || r->damping > 0) ? all : 0);
    link_add_group(l, LINK_MOTOR, turns && r->motor ? 1 : 0);
    link_add_group(l, LINK_FRICTION, turns && r->friction > 0 ? all : 0);
    link_add_group(l, LINK_LIMIT, turns && link_has_limit(r) ? 1 : 0);
    link_add_group(l, LINK_SWING, r->kind == LINK_POINT && r->swing < INFINITY ? 1 : 0);
    l->group[LINK_MOTOR].drives = l->group[LINK_FRICTION].drives = true;
    l->group[LINK_LIMIT].stops = r->lower < r->upper;
    l->group[LINK_SWING].stops = true;
}

INLINE void link_set_along(link_state* l, link_group which, int i, const double v[3])
{
    if (i < l->group[which].count)
        memcpy(l->along[l->group[which].first + i], v, sizeof l->along[0]);
}

// The directions of a substep, from the axes of both sides.
INLINE void link_place_rows(link_state* l)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double axis[3][3], other[3], about[3], across[3];
    for (int k = 0; k < 3; ++k) link_turn_vector(l->side[0].turn, unit[k], axis[k]);
    link_turn_vector(l->side[1].turn, unit[0], other);
    double along = 1 + d3_dot(axis[0], other);
    for (int k = 0; k < 3; ++k) about[k] = along > 1e-6 ? (axis[0][k] + other[k]) / along : 0;
    d3_cross(other, axis[0], across); // against the swing
    double sine = sqrt(d3_dot(across, across));
    for (int k = 0; k < 3; ++k) across[k] = sine > 1e-6 ? across[k] / sine : 0;
    for (int k = 0; k < 3; ++k) {
        link_set_along(l, LINK_PLACE, k, unit[k]);
        link_set_along(l, LINK_ALIGN, k, axis[(k + 1) % 3]);
        link_set_along(l, LINK_SPRING, k, l->rules.kind == LINK_POINT ? unit[k] : about);
        link_set_along(l, LINK_FRICTION, k, l->rules.kind == LINK_POINT ? unit[k] : about);
    }
    link_set_along(l, LINK_MOTOR, 0, about);
    link_set_along(l, LINK_LIMIT, 0, about);
    link_set_along(l, LINK_SWING, 0, across);
}

// How a spring is counted: `way` is what the substep before added to the deflection.
INLINE void link_set_spring(link_rows* g, int i, double stiff, double damped, double pivot,
                            double deflection, double way)
{
    double s = stiff * pivot, a = s * s / (1 + s * s), b = (1 + 3 * a) / 4;
    g->yield = 1 / (stiff * b + damped);
    g->shift[i] = g->yield * stiff * (deflection + (a - b) * way);
}

// ---- measures -----------------------------------------------------------------------------------

// Where a rigid body's axes are when the substep ends.
INLINE void link_turn_at_end(const rigid_state* r, const double turn[4], double out[4])
{
    const double spin[4] = {r->spin[0], r->spin[1], r->spin[2], r->cosine};
    quaternion_product(spin, turn, out);
}

// How both sides are turned to each other when the substep ends.
typedef struct {
    double turn[4];    // of the first side
    double between[4]; // in its axes
    double angle;      // [rad] about the axis
    double slip[3];    // [rad] how the substep turned the second side against the first
} link_end;

INLINE void link_measure_turn(const link_state* l, const double first[4], const double second[4],
                              link_end* out)
{
    double before[4], back[4], slip[4];
    memcpy(out->turn, first, sizeof out->turn);
    link_between(first, second, out->between);
    link_between(l->side[0].turn, l->side[1].turn, before);
    for (int k = 0; k < 4; ++k) back[k] = k < 3 ? -before[k] : before[k];
    quaternion_product(out->between, back, slip);
    double sign = slip[3] < 0 ? -2 : 2;
    for (int k = 0; k < 3; ++k) slip[k] *= sign;
    link_turn_vector(first, slip, out->slip);
    out->angle = link_twist(out->between, l->first_angle);
}

// By how much axes are not parallel, or do not lie on each other.
INLINE void link_measure_align(const link_state* l, const link_end* e, double out[3])
{
    const double* q = e->between;
    const double tilted[3] = {0, -2 * (q[0] * q[2] - q[1] * q[3]), 2 * (q[0] * q[1] + q[2] * q[3])};
    const double turned[3] = {2 * q[0], 2 * q[1], 2 * q[2]};
    link_turn_vector(e->turn, l->rules.kind == LINK_FIXED ? turned : tilted, out);
}

INLINE double link_row_of(const link_state* l, link_group which, int i, const double v[3])
{
    return d3_dot(l->along[l->group[which].first + i], v);
}

INLINE void link_measure_group(link_state* l, link_group which, const link_end* e)
{
    const link_rows* g = &l->group[which];
    double v[3], whole[3], *out = l->measure + g->first;
    double turned = e->angle - l->first_angle;
    if (which == LINK_ALIGN) link_measure_align(l, e, v);
    if (which == LINK_SPRING) link_bend(e->between, e->turn, whole);
    for (int i = 0; i < g->count; ++i) {
        if (which == LINK_ALIGN)
            out[i] = link_row_of(l, which, i, v) - link_row_of(l, which, i, l->keep_tilt);
        if (which == LINK_SPRING)
            out[i] = (g->count > 1 ? whole[i] - l->bend[i] : turned) + g->shift[i];
        if (which == LINK_MOTOR) out[i] = turned - g->shift[0];
        if (which == LINK_FRICTION) out[i] = g->count > 1 ? e->slip[i] : turned;
        if (which == LINK_LIMIT) out[i] = g->shift[1] * (e->angle - g->shift[0]);
        if (which == LINK_SWING) out[i] = g->shift[0] - link_swing(e->between);
    }
}

// ---- the substep --------------------------------------------------------------------------------

INLINE double link_length(const double a[3]) { return sqrt(d3_dot(a, a)); }

// What is off is closed little by little: at once it would throw the bodies. Returns whether some
// is left after `way` [m, rad].
INLINE bool link_leave(const double off[3], double way, double out[3])
{
    double length = link_length(off), left = length > way ? (length - way) / length : 0;
    for (int k = 0; k < 3; ++k) out[k] = left * off[k];
    return left > 0;
}

// `way` [m]: what a gap closes by in the substep.
INLINE void link_close(link_state* l, bool first, double way)
{
    link_end begin;
    if (first) l->closed = true;
    if (first && l->jumped) l->closing = true;
    link_measure_turn(l, l->side[0].turn, l->side[1].turn, &begin);
    link_measure_align(l, &begin, l->tilt);
    bool left = l->rules.compliance == 0 && link_leave(l->apart, way, l->keep);
    if (l->group[LINK_ALIGN].count && link_leave(l->tilt, way, l->keep_tilt)) left = true;
    l->closing = l->closing && left;
    l->closed = l->closed && !l->closing;
}

// [rad] What a motor wants in a substep of h.
INLINE double link_motor_way(const link_state* l, double h)
{
    double most = h * fabs(l->rules.motor_speed), left = l->rules.motor_angle - l->first_angle;
    if (l->rules.motor == 1) return h * l->rules.motor_speed;
    return left > most ? most : left < -most ? -most : left;
}

// `way` [m], `turned` [rad]: by which the substep before moved the sides apart, and turned them.
INLINE void link_set_groups(link_state* l, double h, const double way[3], const double turned[3])
{
    const link_rules* r = &l->rules;
    link_rows* g = l->group;
    for (int k = 0; k < 3; ++k) {
        g[LINK_PLACE].shift[k] = l->apart[k] - l->keep[k];
        if (r->compliance > 0)
            link_set_spring(&g[LINK_PLACE], k, h * h / r->compliance, 0, l->pivot[k], l->apart[k],
                            way[k]);
    }
    for (int i = 0; i < g[LINK_SPRING].count; ++i) {
        int row = g[LINK_SPRING].first + i;
        bool one = g[LINK_SPRING].count == 1;
        double bent = one ? l->first_angle - r->rest_angle : l->bend[i];
        link_set_spring(&g[LINK_SPRING], i, h * h * r->stiffness, h * r->damping, l->pivot[row],
                        bent, d3_dot(l->along[row], turned));
    }
    g[LINK_MOTOR].shift[0] = link_motor_way(l, h);
    g[LINK_MOTOR].most = h * h * r->motor_torque;
    g[LINK_FRICTION].most = h * h * r->friction;
    g[LINK_SWING].shift[0] = r->swing;
}

// The limit that is nearer, as the sides turn without it.
INLINE void link_choose_limit(link_state* l, double angle)
{
    link_rows* g = &l->group[LINK_LIMIT];
    const link_rules* r = &l->rules;
    if (g->count == 0) return;
    bool lower = angle - r->lower < r->upper - angle;
    g->shift[0] = lower ? r->lower : r->upper;
    g->shift[1] = lower ? 1 : -1;
    for (int k = 0; k < 3; ++k) l->along[g->first][k] *= g->shift[1];
}

// ---- passes -------------------------------------------------------------------------------------

// [kg m^2] The size of what rows of a group do.
INLINE double link_size(const double* lambda, int count)
{
    double square = 0;
    for (int i = 0; i < count; ++i) square += lambda[i] * lambda[i];
    return sqrt(square);
}

// Rows that drive, and push as much as they can: the direction in which they still would. They hold
// again once that is less than what they can.
INLINE void link_judge_drive(link_state* l, link_rows* g)
{
    double wanted[3], *lambda = l->lambda + g->first;
    for (int i = 0; i < g->count; ++i) {
        double pivot = l->pivot[g->first + i];
        wanted[i] = lambda[i] - (pivot > 0 ? l->measure[g->first + i] / pivot : 0);
    }
    double size = link_size(wanted, g->count);
    g->off = !(size < g->most);
    for (int i = 0; i < g->count && g->off; ++i)
        l->change[g->first + i] = wanted[i] * (g->most / size) - lambda[i];
}

// Who takes part in the pass; what others change by themselves is in `change`.
INLINE void link_judge(link_state* l, double rounding)
{
    for (int i = 0; i < l->rows; ++i) l->change[i] = 0;
    for (int i = 0; i < LINK_GROUPS; ++i) {
        link_rows* g = &l->group[i];
        if (g->drives && g->off && g->count) link_judge_drive(l, g);
        if (g->stops && g->count)
            g->off = !(l->lambda[g->first] > 0 || l->measure[g->first] < -rounding);
    }
    // What no limit allows, no motor does.
    if (l->group[LINK_LIMIT].count && !l->group[LINK_LIMIT].off && l->group[LINK_MOTOR].count &&
        !(l->group[LINK_MOTOR].most < INFINITY)) {
        l->group[LINK_MOTOR].off = true;
        l->change[l->group[LINK_MOTOR].first] = -l->lambda[l->group[LINK_MOTOR].first];
    }
}

// After a pass: what is pushed too far is less, and off.
INLINE void link_limit(link_state* l)
{
    for (int i = 0; i < LINK_GROUPS; ++i) {
        link_rows* g = &l->group[i];
        double wanted[3] = {0, 0, 0};
        if (g->off || !(g->drives || g->stops)) continue;
        for (int k = 0; k < g->count; ++k)
            wanted[k] = l->lambda[g->first + k] + l->change[g->first + k];
        double size = link_size(wanted, g->count), part = 1;
        if (g->stops && wanted[0] < 0) part = 0;
        if (g->drives && size > g->most) part = g->most / size;
        if (part == 1) continue;
        g->off = true;
        for (int k = 0; k < g->count; ++k)
            l->change[g->first + k] = part * wanted[k] - l->lambda[g->first + k];
    }
}

// [kg m, kg m^2] What rows push: on the first side along, on the second about.
INLINE void link_sum(const link_state* l, const double* of, double push[3], double twist[3])
{
    for (int k = 0; k < 3; ++k) {
        push[k] = of[k];
        twist[k] = 0;
    }
    for (int i = 3; i < l->rows; ++i)
        for (int k = 0; k < 3; ++k) twist[k] += of[i] * l->along[i][k];
}

INLINE bool link_row_is_off(const link_state* l, int row)
{
    for (int i = 0; i < LINK_GROUPS; ++i)
        if (row >= l->group[i].first && row < l->group[i].first + l->group[i].count)
            return l->group[i].off || !(l->pivot[row] > 0);
    return true;
}

// ---- the end ------------------------------------------------------------------------------------

// The share of what it did to the points that will go on: not what stopped points that went apart.
INLINE double link_lasting_share(const link_state* l, double h)
{
    double needed = 0, speed[3];
    for (int k = 0; k < 3; ++k) {
        double n = (l->pivot[k] + l->group[LINK_PLACE].yield) * l->lambda[k];
        needed += n * n;
        speed[k] = l->side[0].speed[k] - l->side[1].speed[k];
    }
    needed = sqrt(needed);
    double impact = h * link_length(speed);
    return needed > impact ? (needed - impact) / needed : 0;
}

INLINE void link_note_end(link_state* l, double h)
{
    double push[3], twist[3], share = link_lasting_share(l, h);
    link_sum(l, l->lambda, push, twist);
    for (int k = 0; k < 3; ++k) {
        l->sum[k] += push[k];
        l->twist[k] -= twist[k];
    }
    const link_rows* motor = &l->group[LINK_MOTOR];
    if (motor->count) l->drive += l->lambda[motor->first];
    for (int i = 0; i < 3; ++i) l->lambda[i] *= share;
    if (l->group[LINK_LIMIT].count)
        l->lambda[l->group[LINK_LIMIT].first] *= l->group[LINK_LIMIT].shift[1];
}

// As joint_finish (pull.h).
INLINE void link_finish(link_state* l, double h, int substeps)
{
    double part = l->broken ? 0 : 1 / (h * h * substeps);
    for (int k = 0; k < 3; ++k) {
        l->force[k] = part * l->sum[k];
        l->torque[k] = part * l->twist[k];
    }
    l->motor = part * l->drive;
    if (l->broken) return;
    l->broken = l->closed && (link_length(l->force) > l->rules.breaking_force ||
                              link_length(l->torque) > l->rules.breaking_torque);
    for (int i = 0; i < LINK_ROWS && l->broken; ++i) l->lambda[i] = 0;
}
