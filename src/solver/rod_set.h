// Rods in memory (constraint/rod.h): an orientation for each segment, beside the particles' rows.
#pragma once
#include "solver/row.h"
#include <stddef.h>

// Constant: part of an asset.
typedef struct rod_set {
    int count, joint_count, particle_count;
    int* end;       // [count][2] particles: the third axis of a segment leads from one to the other
    double* length; // [count] [m]
    double* rest;   // [count][4] orientation in the mesh
    double* inertia;          // [count] [kg m^2] of the orientation, alike about all axes
    int* link;                // [joint_count][2] segments
    double* half;             // [joint_count][4] half of the way from one to the other at rest
    double* span;             // [joint_count] [m] of the rod that bends and twists there
    bool* ball;               // [joint_count] it has no axis: it twists as it bends
    int* hangs;               // [count] the joint that it is the second segment of; -1: none
    double stretch, shear;    // [N] E A, k G A
    double bending, twisting; // [N m^2] E I, G J
    double damping;           // [s]
    // In groups of 16 lanes, color after color: first the segments, then the joints.
    int group_count, segment_groups;
    int color_count;
    int* color_group; // [color_count + 1]
    unsigned* index;  // [group_count][3][BLOCK] where rows start, in pairs of scalars: of a segment
                      // its ends and its orientation, of a joint the two orientations
    void* field;      // [group_count][ROD_FIELDS][BLOCK] scalars: the constants
    int* lane;        // [group_count][BLOCK] which segment or joint; -1: padding
} rod_set;

enum { ROD_CORNERS = 3, ROD_FIELDS = 6 };

// What changes, of a body.
typedef struct rod_state {
    double* turn;           // [count][4] orientations
    double* spin;           // [count][3] [rad/s]
    double* torque;         // [count][3] [N m] of the caller
    double* goal;           // [count][4] where a clamped one is to be after the next step
    unsigned char* clamped; // [count] ROD_CLAMPED, ROD_GOING
    // Scratch of a substep:
    void* row;    // [count + 1][ROW] scalars: orientation  turn, inverse inertia
    double* left; // [count][3] [rad] what its rounding left over
    void* lambda; // [group_count][3][BLOCK] scalars; NULL with one iteration
} rod_state;

enum { ROD_CLAMPED = 1, ROD_GOING = 2 };
