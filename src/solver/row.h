// How a particle lies in memory, and what a step does with it. Valid C17 and C++ so that nvcc reads
// it too.
#pragma once
#include <stdbool.h>

enum { ROW = 8, ROW_W = 3, ROW_D = 4, ROW_RADIUS = 7 }; // x y z w  dx dy dz radius
// The radius [m] of a particle that is absent: so far below 0 that whatever looks for who is near
// finds nobody, and boxes around it are empty; its square is finite in floats.
#define ABSENT_RADIUS (-1e18f)
enum { ROW4 = 4, ROW4_W = 3 }; // x y z -, of a velocity x y z w
enum { CONTACT = 8, CONTACT_PUSH = 3, CONTACT_NORMAL = 4, CONTACT_BOUNCE = 7 };
enum { PAST = 8, PAST_GAIN = 4 }; // motion x y z -  change of velocity x y z -
// What one collider does to a row: force x y z, push;  torque x y z -;  arm x y z -
enum { LOAD = 12, LOAD_TORQUE = 4, LOAD_ARM = 8 };

// A point that goes from one place to another during the step, at constant velocity, with a
// particle pinned to it (a mover) or held to it (a holder).
typedef struct {
    int row, particle;
    double from[3], to[3]; // [m]
    double compliance;     // [m/N] of a holder
    double lambda[3];      // its multipliers of the substep
    double force[3];       // [N] on the particle, mean over the step, so far
    double share;          // [-] of what a holder owes (torque.h) that is its row's
} path;

// A row that is pinned along some axes: bits 1, 2, 4 for x, y, z.
typedef struct {
    int row, axes;
} roller;

// What the constraints of a body see of a substep (step.h): all 1 is implicit Euler.
typedef struct {
    double motion; // [-] share of what the velocity brings
    double push;   // [-] share of what they correct themselves
    double own;    // [-] least share of its own motion that an element of ten rows sees
    double past;   // [-] of second order: how much of it, from 0 (first) to 1
} foresight;

enum { TORQUE_SCALARS = 16, TWIST_SCALARS = 8 }; // of a sum, and of what comes of it (torque.h)

// How a component is pinned: at a row, at several in a line, of which two are known, or so that it
// has nothing to turn about.
typedef enum { PINS_NONE, PINS_POINT, PINS_LINE, PINS_HOLD } pin_kind;
typedef struct {
    pin_kind kind;
    int row, other;
} component_pins;

enum { ENCLOSURE_PIECE = 64 }; // particles of a closed surface whose terms are added in their order

// Of a piece, or of all: three times the volume, and inverse masses times gradients squared.
typedef struct {
    double volumes, pivot;
} enclosed_sum;

// The wanted volume [m^3], and the compliance of it over h^2 [m^6/J/s^2].
typedef struct {
    double wanted, alpha;
} enclosed_rules;

// Colliders press a body that has no room beside them little by little: their surfaces lie below
// their shapes at first, and come up (world/inside.h).
typedef struct {
    double done, part; // [-] of the time that takes: over before the step, and in each substep
} rise;
