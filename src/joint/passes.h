// Joints of a world in a substep: their points, the rows of these, and the passes over them. The
// same source for the processor and for CUDA, where all pointers are to the device's memory.
#pragma once
#include "joint/pull.h"
#include "solver/row.h"
#include "solver/scalars.h"
#include <stdint.h>

// A body that is joined, in the step at hand: arrays of its state (solver/state.h).
typedef struct {
    void *row, *velocity, *residue;
    void *past, *lift;      // one of them is NULL
    double acceleration[3]; // [m/s^2] gravity
    double past_h[2];       // [s] of the substep before, of the step's first and the others
    bool frozen;            // it left the finite numbers: it stands still, and nothing moves it
} joint_body;

// Where a point comes from.
typedef struct {
    int body;           // of the set
    int row;            // the first copy of its particle
    const int* copy;    // rows of all copies; NULL: there is one
    int copies;         //
    unsigned char axes; // along which it is pinned (row.h)
    double residue[3];  // [m] of its row
    double loaded[3];   // [m] its motion as the rows have it
} joint_row;

typedef struct {
    joint_state* joint; // in the order of their slots
    joint_point* point; // in the order of bodies and particles
    joint_row* row;     // of each point
    joint_body* body;
    int* start;     // of each point, into incidence; and the end
    int* incidence; // JOINT_PARTICLES times the joint, plus the point's place there; ascending
    int count, point_count, body_count;
    int scalar_bytes;   // of the rows of its bodies
    double close_speed; // [m/s] at which a gap of the start is closed
    // Of the substep at hand:
    int substep;
    double h, last_h; // [s] it, and the one before; 0: what was does not count
} joint_set;

// ---- rows ---------------------------------------------------------------------------------------

INLINE double joint_get(const joint_set* s, const joint_row* r, const void* array, int stride,
                        int k)
{
    return state_get(array, (size_t)r->row * (size_t)stride + (size_t)k, s->scalar_bytes);
}

// All copies of a particle.
INLINE void joint_put(const joint_set* s, const joint_row* r, void* array, int stride, int k,
                      double value)
{
    for (int copy = 0; copy < r->copies; ++copy) {
        size_t row = (size_t)(r->copy ? r->copy[copy] : r->row);
        state_set(array, row * (size_t)stride + (size_t)k, value, s->scalar_bytes);
    }
}
INLINE void joint_add(const joint_set* s, const joint_row* r, void* array, int stride, int k,
                      double more)
{
    joint_put(s, r, array, stride, k, joint_get(s, r, array, stride, k) + more);
}

// ---- points -------------------------------------------------------------------------------------

// How many joints hold it: a broken one does not.
INLINE void count_joints(joint_set* s, int i)
{
    int count = 0;
    for (int k = s->start[i]; k < s->start[i + 1]; ++k)
        count += !s->joint[s->incidence[k] / JOINT_PARTICLES].broken;
    s->point[i].joints = count;
}

INLINE void load_joint_motion(joint_set* s, int i)
{
    joint_row* r = &s->row[i];
    const joint_body* b = &s->body[r->body];
    for (int k = 0; k < 3; ++k) {
        double d = joint_get(s, r, b->row, ROW, ROW_D + k);
        r->loaded[k] = b->frozen ? 0 : d - r->residue[k];
        s->point[i].motion[k] = r->loaded[k];
    }
}

// The velocity is that before gravity, which all particles feel alike, but not those that are
// pinned.
INLINE void load_joint_point(joint_set* s, int i)
{
    joint_row* r = &s->row[i];
    joint_point* p = &s->point[i];
    const joint_body* b = &s->body[r->body];
    double w = b->frozen ? 0 : joint_get(s, r, b->velocity, ROW4, ROW4_W);
    for (int k = 0; k < 3; ++k) {
        bool held = r->axes >> k & 1;
        double fall = w > 0 && !held ? s->h * b->acceleration[k] : 0;
        r->residue[k] = joint_get(s, r, b->residue, ROW4, k);
        p->place[k] = joint_get(s, r, b->row, ROW, k) + r->residue[k];
        p->velocity[k] = b->frozen ? 0 : joint_get(s, r, b->velocity, ROW4, k) - fall;
        p->inv_mass[k] = held ? 0 : w;
    }
    load_joint_motion(s, i);
}

// Of second order: what changes a velocity at once is not to go on changing it (particle.h).
INLINE void note_joint_jump(joint_set* s, const joint_row* r, int k, double push)
{
    const joint_body* b = &s->body[r->body];
    double before = b->past_h[s->substep > 0];
    joint_add(s, r, b->past, PAST, k, before / s->h * push);
    joint_add(s, r, b->past, PAST, PAST_GAIN + k, -push / s->h);
}

INLINE void store_joint_motion(joint_set* s, int i)
{
    joint_row* r = &s->row[i];
    const joint_point* p = &s->point[i];
    const joint_body* b = &s->body[r->body];
    for (int k = 0; k < 3 && !b->frozen && p->joints > 0; ++k) {
        if (!(p->inv_mass[k] > 0)) continue;
        joint_put(s, r, b->row, ROW, ROW_D + k, p->motion[k] + r->residue[k]);
        if (b->past) note_joint_jump(s, r, k, p->motion[k] - r->loaded[k]);
    }
}

INLINE void sum_joint_pushes(const joint_set* s, int point, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = s->start[point]; i < s->start[point + 1]; ++i) {
        const joint_state* j = &s->joint[s->incidence[i] / JOINT_PARTICLES];
        if (!j->broken) joint_add_push(j, s->incidence[i] % JOINT_PARTICLES, out);
    }
}

INLINE void move_joint_point(joint_set* s, int i)
{
    double push[3];
    sum_joint_pushes(s, i, push);
    joint_move(&s->point[i], push);
}

// The next prediction expects what lasts [kg m] (solver/step.h).
INLINE void lift_joint_row(joint_set* s, int i, const double push[3])
{
    const joint_row* r = &s->row[i];
    const joint_point* p = &s->point[i];
    const joint_body* b = &s->body[r->body];
    if (!b->lift || b->frozen) return;
    for (int k = 0; k < 3; ++k)
        if (p->inv_mass[k] > 0)
            joint_add(s, r, b->lift, ROW4, k, p->inv_mass[k] * push[k] / (s->h * s->h));
}

INLINE void lift_joint_point(joint_set* s, int i)
{
    double push[3];
    if (!(s->point[i].joints > 0)) return;
    sum_joint_pushes(s, i, push);
    lift_joint_row(s, i, push);
}

// ---- joints -------------------------------------------------------------------------------------

INLINE void begin_joint(joint_set* s, int i)
{
    joint_state* j = &s->joint[i];
    double ratio = s->last_h > 0 ? s->h / s->last_h : 0, way = s->close_speed * s->h;
    if (j->broken) return;
    if (s->substep == 0) joint_start(j, s->point, way);
    joint_close(j, way);
    joint_begin(j, s->point, s->h, ratio * ratio);
}

// Whether it was not done yet. Less than `epsilon` is not seen in what increments have.
INLINE bool pull_joint(joint_set* s, int i)
{
    double epsilon = s->scalar_bytes == 4 ? (double)FLT_EPSILON / 16 : DBL_EPSILON;
    return !s->joint[i].broken && joint_pull(&s->joint[i], s->point, epsilon) > 0;
}

INLINE void end_joint(joint_set* s, int i)
{
    if (!s->joint[i].broken) joint_end(&s->joint[i], s->point, s->h);
}

// ---- all of them --------------------------------------------------------------------------------

// Those over points come first.
#define JOINT_PASSES(JOINTS, POINTS)                                                               \
    POINTS(count_joints)                                                                           \
    POINTS(load_joint_point)                                                                       \
    POINTS(load_joint_motion)                                                                      \
    POINTS(move_joint_point)                                                                       \
    POINTS(store_joint_motion)                                                                     \
    POINTS(lift_joint_point)                                                                       \
    JOINTS(begin_joint)                                                                            \
    JOINTS(end_joint)

#define PASS_NAME(name) JOINT_##name,
typedef enum { JOINT_PASSES(PASS_NAME, PASS_NAME) JOINT_PASS_COUNT } joint_pass;
#undef PASS_NAME

// How many there are for a pass.
INLINE int joint_pass_size(const joint_set* s, joint_pass pass)
{
    return pass < JOINT_begin_joint ? s->point_count : s->count;
}
