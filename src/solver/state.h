// What changes: the state of one body. Arrays of rows of scalars (float or double by the plan), so
// that a row is one load for a vector unit. A particle has one row, or several copies of it in
// patches that share it (plan.h); copies have the same position and velocity, bit for bit.
//
// Positions are kept as increments: x is the position at the start of the substep, d what the
// substep adds, `residue` what rounding left over when d went into x. Constraints see differences
// only, (x_i - x_0) + (d_i - d_0), and correct d. So a substep may be as small as it likes and the
// origin as far away as it likes without losing digits.
#pragma once
#include "plan/plan.h"
#include "solver/row.h"
#include "solver/scalars.h"
#include "solver/store.h"
#include <float.h>
#include <math.h>

typedef struct state {
    const plan* plan;
    store_slice rows; // the memory of all that has rows, but for:
    void* own;        // that of masses, multipliers, exchanges, axes and phases
    int particle_count, row_count;
    int scalar_bytes;
    bool pushed;       // some force is not zero
    void* row;         // [row_count][ROW] position [m], inverse mass of the copy [1/kg], increment
                       // [m], radius [m]
    void* velocity;    // [row_count][ROW4] [m/s], inverse mass of the particle [1/kg]: 0 is pinned
    void* residue;     // [row_count][ROW4] [m]
    void* force;       // [row_count][ROW4] external, on the particle [N]
    void* contact;     // [row_count][CONTACT] force of the step [N], push of the substep [m], its
                       // normal, its restitution
    void* lift;        // [row_count][ROW4] acceleration by contacts that is expected [m/s^2]; NULL
                       // when the plan is of second order
    void* past;        // [row_count][PAST] motion of the substep before [m], its change of
                       // velocity [m/s]; NULL unless the plan is of second order
    double past_h;     // [s] length of that substep; 0: there is nothing to remember
    void* field;       // constants of the constraints: the plan's, or the body's own where its rest
                       // shape can flow (constraint/flow.h),
    void* flow;        // [flow.count][FLOW_STATE][BLOCK] and what has flowed; NULL: it cannot
    void* lambda;      // multipliers between iterations, or NULL when there is one
    void* kept;        // [row_count][ROW4] increments before the sweep [m]; NULL unless some sweep
                       // goes on from another one
    void* mass;        // [row_count] of the copy, without patches of the particle, in units of:
    double mass_unit;  // [1/kg] a power of two, in which particles weigh about 1; 0 is pinned
    void* share;       // [slots] weight of each copy in its merge; with phantoms, [rows]
    void* exchange[2]; // [slots][ROW4] increments of the copies, of the last two sweeps, and shares
    unsigned char*
        axes;        // [particle_count] along which it is pinned (row.h), of those that are free
    uint32_t* phase; // [particle_count]
} state;

// A finite number that stays one in the state's precision.
static inline bool state_can_hold(double value, int scalar_bytes)
{
    return fabs(value) <= (scalar_bytes == 4 ? (double)FLT_MAX : DBL_MAX);
}

// One number of a particle: the k-th of its rows in an array with `stride` scalars a row.
double state_read(const state* s, const void* array, int stride, int particle, int k);
void state_write(state* s, void* array, int stride, int particle, int k, double value);

// Position with all its digits: x + residue.
void state_read_position(const state* s, int particle, double out[3]);
void state_write_position(state* s, int particle, const double position[3]);
void state_read_velocity(const state* s, int particle, double out[3]);
void state_write_velocity(state* s, int particle, const double velocity[3]);

// [1/kg] of the particle; its copies have their share of the mass. 0: pinned. False when that of a
// copy is beyond the precision.
double state_read_inverse_mass(const state* s, int particle);
bool state_write_inverse_mass(state* s, int particle, double inverse_mass);

// `iterations` decides whether multipliers are kept, `on_device` which chunks its rows are from.
// The plan and the store stay where they are as long as the state is used. Rows are not cleared:
// memory belongs to the core that touches it first, so each should be cleared by the thread that
// will work on it.
bool state_create(store* from, const plan* p, int iterations, bool on_device, state* out);
void state_clear_patch(state* s, int number); // all its rows, with padding
void state_destroy(store* from, state* s);
