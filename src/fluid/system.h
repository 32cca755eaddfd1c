// Liquids of a world during a step. A meeting place of the step (solver/step.h): after each join,
// when all rows of the world are at the same instant, particles that flow push each other.
//
//   load     places take rows; has somebody strayed from where the lists expect him?
//   list     then who is near whom is found anew
//   wall     colliders fill a part of the kernels of those beside them, and so do other bodies
//   draw     once a substep: surface tension, vorticity
//   thin     likewise: viscosity
//   flow     likewise, where there are gases or heat: gas/system.h
//   press    each particle by itself: how dense is it, what pressure is missing?
//   push     each particle by itself: the sum over its neighbors, in the order of their numbers
//   store    rows take what particles were moved by; in the end, bodies their pressures
//
// A pass over particles reads what the one before wrote, and writes its own: no order of threads is
// in it.
#pragma once
#include "contact/cells.h"
#include "fluid/bodies.h"
#include "fluid/figures.h"
#include "fluid/fluid.h"
#include "fluid/reach.h"
#include "solver/step.h"

// A body that flows.
typedef struct {
    body_run* run;
    double viscosity;     // [Pa s]
    double tension;       // [N/m]
    double adhesion;      // [N/m]
    double vorticity;     // [-] how much of it drives
    bool slips;           // along walls
    uint32_t group, mask; // whom it meets
    double* pressure;     // [Pa] of each particle, after each substep
    double* drawn;        // [Pa] that is in surface tension; NULL: it has none
    int first;            // number of its first particle, among those of all
} fluid_member;

// A part of the cells, and who is near to their particles.
typedef struct {
    int first, last; // cells
    int* found;      // places, particle after particle
    int count, capacity;
    // Of a cell, all around it in the order of numbers:
    uint64_t* key; // number and place
    float* ball[4];
    grid_ball* way;
    int near;
    int* picked; // of those
    int key_capacity, ball_capacity[4], way_capacity, picked_capacity;
    cell_ranges ranges;
    bool good;
} fluid_chunk;

typedef struct fluid_system fluid_system;
// What else acts on particles that flow, once a substep, when lists and walls are known. False when
// memory runs out.
typedef bool fluid_flow_fn(void* context, fluid_system* s);

struct fluid_system {
    fluid_set set;
    fluid_member* member;
    int member_count;
    int total; // particles of all members, absent ones among them
    int lanes, scalar_bytes;
    double origin[3]; // [m] of places, for the step at hand
    double spacing;   // [m]
    int sweeps;       // of viscosity in a substep
    bool thick;       // it could take more than there is
    bool tense;       // somebody has surface tension
    bool whirls;      // somebody is driven by vorticity

    fluid_bodies bodies; // others, that are in it

    int* owner; // of each place: the member, its row, and its number in the body
    int* row;
    int* particle;
    float* from;   // [places][4] where it was listed [m]
    float* course; // [places][4] how far it goes in a substep, as is expected [m]
    list_span span;
    bool listed;
    bool strayed; // somebody did

    cell_grid cells;
    grid_ball *ball, *way, *sorted_way;
    fluid_chunk* chunk;
    int chunk_count;
    int* found_at; // of each place: where its neighbors begin in its chunk
    int* finder;

    int member_capacity, owner_capacity, row_capacity, particle_capacity, from_capacity;
    int course_capacity, ball_capacity, way_capacity, sorted_way_capacity, chunk_capacity;
    int found_at_capacity, finder_capacity, neighbors_capacity, start_capacity, other_capacity;
    int place_capacity, motion_capacity, press_capacity, move_capacity, wall_capacity;
    void* give; // of the set, while there are bodies
    int give_capacity;

    const step_work* step;
    const sweep_pass* pass;
    executor* exec;
    int room;                  // rows of lists on a GPU at first; 0: as usual; for tests
    fluid_figures figures;     // since the world began
    pliant_liquid_stats stats; // of the step
    fluid_flow_fn* flow;       // of gases and heat (gas/system.h); NULL: there are none
    void* flowing;
};

// Before a step: room for so many bodies, which the caller then adds. False when memory runs out.
bool fluid_start(fluid_system* s, int members);
void fluid_add(fluid_system* s, fluid_member m);
void fluid_destroy(fluid_system* s);

pliant_result fluid_meet(void* system, step_work* step, const sweep_pass* pass);

// ---- shared by its files ------------------------------------------------------------------------

// Lists of who is near now (lists.c). False when memory runs out.
bool fluid_list(fluid_system* s);
// What walls fill, and how they hold back what flows along them; and what pressure did to them
// (walls.c).
void fluid_find_walls(fluid_system* s);
void fluid_note_walls(fluid_system* s);
// What other bodies fill (bodies.c; false when memory runs out), by passes of its own: what flows
// along them holds them; what they fill; and then what pressure did to them (body_passes.c).
bool fluid_find_bodies(fluid_system* s);
void fluid_drag_bodies(fluid_system* s);
void fluid_fill_bodies(fluid_system* s);
void fluid_push_bodies(fluid_system* s);
// Lists of who is near whom of both (body_lists.c). False when memory runs out.
bool fluid_list_bodies(fluid_system* s);

static inline int fluid_blocks(const fluid_set* s)
{
    return (s->count + FLUID_BLOCK - 1) / FLUID_BLOCK;
}
