// What happens to particles one by one: prediction, pins, attachments, contacts, the end of the
// substep. Compiled once per precision (particles.c).
#pragma once
#include "collide/collider.h"
#include "collide/nearby.h"
#include "solver/enclosure.h"

// A collider whose surface begins below its shape.
typedef struct {
    uint64_t key; // of the collider
    double depth; // [m]; 0: none
} sunk_collider;
enum { MOST_SUNK = 8 };

typedef struct {
    state* s;
    double h; // [s]
    foresight sees;
    double acceleration[3]; // [m/s^2] gravity of this body
    double rest_speed;      // [m/s] impacts slower than this do not bounce
    int substep, substeps;  // number of this one, of all
    bool damped;            // viscosity comes before the prediction
    bool second_order;      // particles have a past
    double first_ratio;     // [-] of the step's first substep to the one before it, in length
    double drag;            // [-] part of the velocity that is lost in a substep
    const path* movers;     // one for each row, by row
    int mover_count;
    const roller* rollers; // one for each row, by row
    int roller_count;
    path* holders; // one for each row, by row, then as they were made
    int holder_count;
    const collider* colliders;
    int collider_count;
    int net_count;      // of these, triangles,
    int hull_count;     // and convex ones
    nearby_tree nearby; // over their boxes; no leaves: they are few
    const int* swept;   // numbers of those that meet its surface instead (contact/colliders.h),
    int swept_count;    // ascending
    const unsigned char* swept_there; // on a device: of each collider whether it is one; NULL: none
    double aside[3];                  // [m] the body meets them as if it were moved by that
    rise rising;
    const sunk_collider* sunk;    // MOST_SUNK; NULL: none
    double friction, restitution; // of the body, multiply the colliders'
    const component_pins* pins;   // of each component; NULL: nothing is pinned
    void* load;                   // [load_count][rows][LOAD] what colliders do, of those that are
    int load_count;               // asked for it
    const void* air;              // [rows][ROW4] [N] forces of the caller and of air, likewise as
                                  // scalars; NULL: those of the state alone
} particle_work;

// Of substep `number` to the one before it, in length; 0: what was before does not count.
static inline double work_ratio(const particle_work* w, int number)
{
    return !w->second_order ? 0 : number > 0 ? 1 : w->first_ratio;
}

// [s] Length of the substep before.
static inline double work_past_h(const particle_work* w, int number)
{
    double r = work_ratio(w, number);
    return r > 0 ? w->h / r : w->h;
}

// By which share a substep leans towards the motion of the one before (step.h): 0 is first order.
static inline double work_lean(const particle_work* w, int number)
{
    double r = work_ratio(w, number);
    return w->sees.past * r / (1 + 2 * r);
}

// Share of what contacts did that the prediction expects again (step.h). Constraints that see
// little of the motion see little of that, too: more would cost digits.
static inline double work_lift(const particle_work* w)
{
    static const double most = 2;
    bool seen = !w->second_order && w->sees.motion > 0;
    return seen ? fmin(w->sees.push / (2 * w->sees.motion), most) : 0;
}

// h b h'^2 for the length h' of the substep before (torque.h); 0: it does not count.
static inline double work_owed(const particle_work* w)
{
    double before = w->substep > 0 ? w->h : w->first_ratio > 0 ? w->h / w->first_ratio : 0;
    return w->second_order ? 0 : w->sees.push * w->h * before * before;
}

// Where rows are, with their radii: a little too large rather than too small.
typedef struct {
    double low[3], high[3];
} row_box;

// What is known of the contacts of some rows.
typedef struct {
    bool touching; // some row is in contact, from then on until the next prediction
    bool lifted;   // some row has a contact in its prediction, until that is taken back
} row_contacts;

// Rows first to last - 1.
typedef struct {
    int first, last;
    row_contacts* contacts;
    const row_box* completed; // their increments are those of the whole substep already; NULL: not
} row_range;

typedef struct {
    // d = h v + residue, for the viscosity to correct: the motion without forces.
    void (*coast)(const particle_work* w, row_range range);
    // v += h a (for a damped body from what viscosity left in d), d = what the constraints see of
    // h v, + residue; pinned particles stay, or follow their path.
    void (*predict)(const particle_work* w, row_range range);
    // After a sweep: from what the constraints saw and did to it, d of the whole substep, unless it
    // is that already. Then
    // attachments and contacts correct it. Multipliers start at zero in the first iteration.
    void (*touch)(const particle_work* w, row_range range, bool first_iteration);
    // v = (d - residue) / h, x += d. False when a particle left the finite numbers: it then stays
    // where it was, at rest.
    bool (*update)(const particle_work* w, row_range range);
    // Both, from one substep to the next of a body without viscosity, in one go over the rows.
    bool (*advance)(const particle_work* w, row_range range);
    // The increments of a patch's shared rows, for the others to see.
    void (*publish)(state* s, const patch* t, int buffer);
    // d = the mean of what all copies published, weighted by their shares.
    void (*merge)(state* s, const patch* t, int buffer);
    // d = what the copy of the turn before has published, where there is one.
    void (*take_over)(state* s, const patch* t, int buffer);
    // Phantoms of these particles take their place and increment; afterwards the particles take the
    // mean of what became of them, likewise weighted.
    void (*spread)(const particle_work* w, row_range range);
    void (*gather)(const particle_work* w, row_range range);
    // What a closed surface holds (enclosure.h): the sums over whole pieces; then every particle is
    // pushed by what the multiplier has changed by.
    void (*enclose)(const particle_work* w, row_range range, const enclosure* e,
                    enclosure_sums* sums);
    void (*inflate)(const particle_work* w, row_range range, const enclosure_sums* sums);
} particle_kernels;

const particle_kernels* particle_kernels_for(int scalar_bytes);
