// The formulas of a joint: a point of one body is held to a point of another. The same source for
// the processor and for CUDA. Joints are few, and compute in double whatever their rows have: so
// two points that are joined are at the same place up to the rounding of their increments.
//
// The gap of a joint is C = sum of weight_k x_k, with positive weights on its first side and
// negative ones on its second, which both have the sum 1. XPBD in three rows at once:
//     lambda += -(C + a lambda) / (sum of n_k w_k weight_k^2 + a),     a = compliance / h^2,
// where n_k is the number of joints at particle k, as if each had its part of the mass, and every
// particle moves by w_k times the sum of weight_k times what the multipliers have gained. Both
// sides get the same push, so momentum is kept; the torque of it is the gap times the force.
#pragma once
#include "math/lane.h"
#include <math.h>
#include <stdbool.h>

enum { JOINT_PARTICLES = 8 }; // of both sides

// A particle that joints hold.
typedef struct {
    double place[3];    // [m] at the start of the substep, with all its digits
    double motion[3];   // [m] what the substep adds
    double velocity[3]; // [m/s] at the start of the substep
    double inv_mass[3]; // [1/kg] along each axis: 0 where it is pinned
    double joints;      // how many hold it
} joint_point;

typedef struct {
    int count; // of particles
    int point[JOINT_PARTICLES];
    double weight[JOINT_PARTICLES]; // [-] in the gap
    double compliance;              // [m/N]
    double breaking_force;          // [N]
    double rest[3];   // [m] a gap that was there at first, and is closed little by little
    double lambda[3]; // [kg m] multipliers: what it did in all of the substep
    double force[3];  // [N] on the first side, mean over the last step
    bool broken;      // it holds nothing any more
    // Of the substep:
    double yield;    // [1/kg] compliance over h^2
    double apart[3]; // [m] the gap when it began
    double pivot[3]; // [1/kg] sum of the inverse masses, each for its part, along each axis
    double push[3];  // [kg m] what a pass adds, on the first side
    // Of the step:
    double sum[3]; // [kg m] of lambda, of all substeps so far
    bool closed;   // none of it had a gap from the start
    bool jumped;   // its bodies were moved before it
} joint_state;

INLINE double joint_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
INLINE double joint_length(const double a[3]) { return sqrt(joint_dot(a, a)); }

INLINE void joint_note_gap(joint_state* j, const joint_point* point)
{
    for (int k = 0; k < 3; ++k) {
        j->apart[k] = 0;
        for (int i = 0; i < j->count; ++i)
            j->apart[k] += j->weight[i] * point[j->point[i]].place[k];
    }
}

// The start of a step. A stiff joint closes a gap that was there at first, or that its bodies were
// moved apart by, little by little: at once it would throw them. `little` [m] is closed in a
// substep.
INLINE void joint_start(joint_state* j, const joint_point* point, double little)
{
    for (int k = 0; k < 3; ++k) j->sum[k] = 0;
    j->closed = true;
    if (!j->jumped || j->compliance > 0) return;
    joint_note_gap(j, point);
    bool small = joint_length(j->apart) <= little;
    for (int k = 0; k < 3; ++k) j->rest[k] = small ? 0 : j->apart[k];
}

// [m] by which a gap of the start shrinks in a substep of h [s] at a speed [m/s].
INLINE void joint_close(joint_state* j, double way)
{
    double length = joint_length(j->rest), left = length > way ? (length - way) / length : 0;
    if (length > 0) j->closed = false;
    for (int k = 0; k < 3; ++k) j->rest[k] = left * j->rest[k];
}

// Where the substep starts: the gap, and the masses. `carry`: of the multipliers of the substep
// before.
INLINE void joint_begin(joint_state* j, const joint_point* point, double h, double carry)
{
    j->yield = j->compliance / (h * h);
    joint_note_gap(j, point);
    for (int k = 0; k < 3; ++k) {
        j->pivot[k] = 0;
        for (int i = 0; i < j->count; ++i) {
            const joint_point* p = &point[j->point[i]];
            j->pivot[k] += p->joints * p->inv_mass[k] * (j->weight[i] * j->weight[i]);
        }
        j->lambda[k] = j->pivot[k] > 0 ? carry * j->lambda[k] : 0;
        j->push[k] = j->lambda[k];
    }
}

// [m] the gap that is left, as the points go now.
INLINE void joint_gap(const joint_state* j, const joint_point* point, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        double moved = 0;
        for (int i = 0; i < j->count; ++i) moved += j->weight[i] * point[j->point[i]].motion[k];
        out[k] = (j->apart[k] - j->rest[k]) + moved;
    }
}

// A spring pulls along the line between its points as they were: only this makes no torque. Across
// it the gap is what the substep adds. Of this a soft spring sees nothing, a stiff one all, by the
// share x / (1 + x), x = pivot / yield, as an element of ten rows does (docs/rooms/solver.md). That
// is a larger compliance across: a (2 + a / pivot). False where there is no line.
INLINE bool joint_line(const joint_state* j, const double gap[3], double out[3])
{
    double length = joint_length(j->apart), moved[3];
    for (int k = 0; k < 3; ++k) moved[k] = gap[k] - j->apart[k];
    if (!(j->yield > 0) || !(length > joint_length(moved))) return false;
    if (!(j->pivot[0] > 0) || j->pivot[0] != j->pivot[1] || j->pivot[0] != j->pivot[2])
        return false;
    for (int k = 0; k < 3; ++k) out[k] = j->apart[k] / length;
    return true;
}

// One pass. Returns by how far the joint was off, beyond what rounding leaves: above 0 it was not
// done.
INLINE double joint_pull(joint_state* j, const joint_point* point, double epsilon)
{
    double gap[3], line[3] = {0, 0, 0}, off = 0, size = 0;
    joint_gap(j, point, gap);
    bool turns = joint_line(j, gap, line);
    double along = joint_dot(line, gap), pulled = joint_dot(line, j->lambda);
    double across = turns ? j->yield * (2 + j->yield / j->pivot[0]) : j->yield;
    for (int k = 0; k < 3; ++k) {
        // Both parts of what lacks, each with its compliance; without a line all is across.
        double a = line[k] * along, b = gap[k] - a;
        double in = line[k] * pulled, out = j->lambda[k] - in;
        double change = -(b + across * out) / (j->pivot[k] + across);
        if (turns) change -= (a + j->yield * in) / (j->pivot[k] + j->yield);
        j->push[k] = j->pivot[k] > 0 ? change : 0;
        j->lambda[k] += j->push[k];
        double left = (j->pivot[k] + j->yield) * fabs(j->push[k]);
        off = left > off ? left : off;
        size += fabs(gap[k]) + fabs(j->rest[k]) + fabs(j->yield * j->lambda[k]);
    }
    for (int i = 0; i < j->count; ++i)
        size += fabs(j->weight[i]) * joint_length(point[j->point[i]].motion);
    return off - epsilon * size;
}

// What one joint adds to the sum of pushes on its particle `i`.
INLINE void joint_add_push(const joint_state* j, int i, double sum[3])
{
    for (int k = 0; k < 3; ++k) sum[k] += j->weight[i] * j->push[k];
}
INLINE void joint_move(joint_point* p, const double push[3])
{
    for (int k = 0; k < 3; ++k) p->motion[k] += p->inv_mass[k] * push[k];
}

// Of what a joint did, the share that will go on: not what stopped points that went apart when the
// substep began.
INLINE double joint_lasting_share(const joint_state* j, const joint_point* point, double h)
{
    double speed[3] = {0, 0, 0}, needed = 0;
    for (int i = 0; i < j->count; ++i)
        for (int k = 0; k < 3; ++k) speed[k] += j->weight[i] * point[j->point[i]].velocity[k];
    for (int k = 0; k < 3; ++k) {
        double n = (j->pivot[k] + j->yield) * j->lambda[k];
        needed += n * n;
    }
    needed = sqrt(needed);
    double impact = h * joint_length(speed);
    return needed > impact ? (needed - impact) / needed : 0;
}

// The end of the substep: multipliers are kept as far as they will go on, for the next one and for
// the prediction, and the force of the step has all of them.
INLINE void joint_end(joint_state* j, const joint_point* point, double h)
{
    double share = joint_lasting_share(j, point, h);
    for (int k = 0; k < 3; ++k) {
        j->sum[k] += j->lambda[k];
        j->lambda[k] = share * j->lambda[k];
        j->push[k] = j->lambda[k];
    }
}

// The end of the step. The mean force over it decides. A joint that still closes a gap of the start
// does not break: its force is that of closing it.
INLINE void joint_finish(joint_state* j, double h, int substeps)
{
    for (int k = 0; k < 3; ++k) j->force[k] = j->broken ? 0 : j->sum[k] / (h * h * substeps);
    if (j->broken) return;
    j->broken = j->closed && joint_length(j->force) > j->breaking_force;
    for (int k = 0; k < 3 && j->broken; ++k) j->lambda[k] = 0;
}
