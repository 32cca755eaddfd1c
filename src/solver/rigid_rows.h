// The rows of a rigid body: they go as it does. The same source for the processor and for CUDA.
#pragma once
#include "rigid/rigid.h"
#include "solver/row.h"
#include "solver/scalars.h"

// The arrays of a body without patches (solver/state.h), whose row i is particle i.
typedef struct {
    void *row, *velocity, *residue;
    const double* local; // [m] places in the body's axes
    int bytes;           // of a scalar
} rigid_rows;

// When a substep begins: with all that gravity and its momenta will add, and the velocity of that.
INLINE void rigid_row_begin(const rigid_state* r, const rigid_rows* rows, size_t i, double h)
{
    double arm[3], motion[3];
    rigid_outward(&r->axis, rows->local + 3 * i, arm);
    rigid_motion_at(r, arm, motion);
    for (size_t k = 0; k < 3; ++k) {
        double rest = r->center[k] + arm[k] - state_get(rows->row, i * ROW + k, rows->bytes);
        state_set(rows->row, i * ROW + ROW_D + k, rest + motion[k], rows->bytes);
        state_set(rows->velocity, i * ROW4 + k, motion[k] / h, rows->bytes);
    }
}

// Where the body is; what rounding left over is in the residue.
INLINE void rigid_row_place(const rigid_state* r, const rigid_rows* rows, size_t i)
{
    double arm[3], turning[3], omega[3];
    rigid_outward(&r->axis, rows->local + 3 * i, arm);
    rigid_angular_velocity(r, omega);
    d3_cross(omega, arm, turning);
    for (size_t k = 0; k < 3; ++k) {
        double at = r->center[k] + arm[k];
        state_set(rows->row, i * ROW + k, at, rows->bytes);
        double lost = at - state_get(rows->row, i * ROW + k, rows->bytes);
        state_set(rows->residue, i * ROW4 + k, lost, rows->bytes);
        state_set(rows->velocity, i * ROW4 + k, r->velocity[k] + turning[k], rows->bytes);
    }
}
