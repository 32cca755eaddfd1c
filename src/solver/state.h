// What changes: the state of one body. Arrays of rows of scalars (float or double by the plan), so
// that a row is one load for a vector unit.
//
// Positions are kept as increments: x is the position at the start of the substep, d what the
// substep adds, `residue` what rounding left over when d went into x. Constraints see differences
// only, (x_i - x_0) + (d_i - d_0), and correct d. So a substep may be as small as it likes and the
// origin as far away as it likes without losing digits.
#pragma once
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROW = 8, ROW_W = 3, ROW_D = 4, ROW_RADIUS = 7 }; // x y z w  dx dy dz radius
enum { ROW4 = 4 };                                      // x y z -
enum { CONTACT = 8, CONTACT_PUSH = 3, CONTACT_NORMAL = 4, CONTACT_BOUNCE = 7 };

typedef struct state {
    int particle_count, row_count;
    int scalar_bytes;
    void* row;      // [row_count][ROW] position [m], inverse mass [1/kg], increment [m], radius [m]
    void* velocity; // [row_count][ROW4] [m/s]
    void* residue;  // [row_count][ROW4] [m]
    void* force;    // [particle_count][ROW4] external [N]
    void* contact;  // [particle_count][CONTACT] force of the step [N], push of the substep [m],
                    // its normal, its restitution
    void* lambda;   // multipliers between iterations, or NULL when there is one
    uint32_t* phase; // [particle_count]
} state;

static inline double state_get(const void* array, size_t at, int scalar_bytes)
{
    return scalar_bytes == 4 ? (double)((const float*)array)[at] : ((const double*)array)[at];
}

static inline void state_set(void* array, size_t at, double value, int scalar_bytes)
{
    if (scalar_bytes == 4)
        ((float*)array)[at] = (float)value;
    else
        ((double*)array)[at] = value;
}

// A finite number that stays one in the state's precision.
static inline bool state_can_hold(double value, int scalar_bytes)
{
    return fabs(value) <= (scalar_bytes == 4 ? (double)FLT_MAX : DBL_MAX);
}

// Position with all its digits: x + residue.
void state_read_position(const state* s, int particle, double out[3]);
void state_write_position(state* s, int particle, const double position[3]);
void state_read_velocity(const state* s, int particle, double out[3]);
void state_write_velocity(state* s, int particle, const double velocity[3]);

bool state_create(int particle_count, int row_count, int scalar_bytes, size_t lambda_count,
                  state* out);
void state_destroy(state* s);
