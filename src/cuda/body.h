// What kernels see of a body: its plan and state in device memory, and the numbers of the step.
// Included by C (device.c, through fill_device_body.h) and CUDA, in float or double.
#pragma once
#include "collide/nearby.h"
#include "cuda/match.h"
#include "cuda/rigid.h"
#include "plan/work.h"
#include "solver/order.h"
#include "solver/particle.h"
#include "solver/row.h"
#include <stdint.h>

#ifdef __CUDACC__
#define DEVICE static __device__ __forceinline__
#endif

// One kind of sweep: of places, or of the motion before the prediction. Where every group has one
// round of the same type, blocks are packed again, so that a thread takes its constants in few
// loads:
//   index   [group][lane] four uint16_t
//   field   [group][fields / 4][lane][4], then the rest [fields % 4][lane]
// Where every group has one round of one row with few constants, of whatever type, so that each
// unit of 32 lanes has one type:
//   lane       [lane] four uint16_t, 2 or 6 floats, the compliance first
//   unit_type  [unit]
typedef struct {
    bool any;     // there is something to do
    bool uniform; // packed, of one type; else, unless it is of one-row constraints, the blocks of
                  // the plan are read
    const uint16_t* index;
    const scalar* field;
    const scalar* same; // constants of the material
    const void* lane;
    const unsigned char* unit_type;
    size_t lambda_at; // where its multipliers start
} stream;

enum { ONE_ROW_FEW = 2, ONE_ROW_MOST = 6, ONE_ROW_UNIT = 32 };
static inline size_t one_row_bytes(int fields) { return 8 + 4 * (size_t)fields; }

// What a sweep sees: substeps of places, of motion, and of places in the step's first substep.
enum { SEEN_PLACES, SEEN_MOTION, SEEN_FIRST, SEEN_SUBSTEPS };

// Rest shapes that flow (constraint/flow.h), of a body whose plan has such blocks.
typedef struct {
    const int* start; // of each group, into block
    const flow_block* block;
    const scalar *rule, *rest; // of the blocks; constants before anything flowed
    scalar *state, *field;     // of the blocks; constants as they are
    scalar h;                  // [s]
} device_flow;

typedef struct {
    // plan
    const patch* patches;
    const int* color_group;
    const lane_group* group;
    const round_block* round;
    const void* index;
    const scalar* field;       // of the plan, or of the body where it flows
    const device_flow* flow;   // NULL: it does not
    const device_match* match; // NULL: it has no clusters of particles
    const device_rigid* rigid; // NULL: it deforms
    const int *source_start, *source, *before;
    const int* phantom;                    // of bodies without patches, or NULL
    const int *inside_start, *inside_pair; // of those that hold something (enclosure.h), or NULL
    const component* components;           // NULL: angular momentum is left to the constraints
    const strip* strips;
    int patch_count, row_count, particle_count, index_bytes;
    bool patched;
    scalar mass_unit;  // [1/kg] of sums over rows
    scalar relaxation; // [-] of constraints on phantoms
    stream sweep[2];   // of places, of motion

    // state
    scalar *row, *velocity, *residue, *force, *contact, *lambda, *share;
    double* inside_grad;
    enclosed_sum* inside_sum;
    double* inside_lambda; // the multiplier, and what it changes by
    scalar* past;          // NULL: of first order
    scalar* lift;          // NULL: of second order
    scalar* kept;          // increments before a sweep that goes on from another one, or NULL
    scalar* torque_sums;   // of each strip (torque.h)
    scalar* twists;        // of each component
    void* exchange[2];     // what copies publish in even meetings, and in odd ones (exchange.cuh)
    // Meetings are numbered on from step to step. The body stands still in steps after this one.
    long long* diverged;

    // step
    substep_rules rules[2];              // of the step's first substep, of the others
    substep sees_substep[SEEN_SUBSTEPS]; // as constraints see it
    foresight sees;
    enclosed_rules inside[2]; // of the step's first substep, of the others
    work_order order;
    long long first_meeting; // number of the step's first one
    bool pushed, meets;      // some force is not zero; other bodies may push it
    const path* movers;
    path* holders;
    const roller* rollers;
    int mover_count, holder_count, roller_count;
    const obstacle* obstacles;
    int obstacle_count, net_count; // of these, triangles
    const nearby_tree* nearby;     // over their boxes; NULL: they are few
    const unsigned char* swept; // of each obstacle whether the body meets its surface; NULL: none
    const component_pins* pins; // of each component; NULL: nothing is pinned
    rise rising;                // of their surfaces
    double aside[3];            // [m] it meets them as if it were moved by that
    scalar* load;               // [load_count][row_count][LOAD] of those that are asked for forces
    int load_count;
} device_body;

#ifdef __CUDACC__
// Of substep `number`. Without a past, all are alike.
template <bool PAST> DEVICE const substep_rules* rules_at(const device_body& b, int number)
{
    return &b.rules[PAST ? number > 0 : 1];
}
template <bool PAST> DEVICE int seen_at(bool braking, int number)
{
    return braking ? SEEN_MOTION : PAST && number == 0 ? SEEN_FIRST : SEEN_PLACES;
}
#endif
