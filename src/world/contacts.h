// Bodies that meet each other: what the world's contact system is told of them, and the snapshot's
// part of it.
#pragma once
#include "world/world.h"

// Before a step of dt [s], after the bodies were gathered: the system knows the bodies as they are,
// and which of them may touch. `out_any`: some do, and run in phases; all of them on a GPU, or on
// the CPU.
pliant_result world_prepare_contacts(pliant_world* world, double dt, int substeps, bool* out_any);
// Before that, of each body: whether its particles were put elsewhere since the last step.
void world_look_for_jump(pliant_world* world, const body* b);
// Whether those that take part are on a GPU, which is told of them once the step is prepared.
bool world_meets_remotely(const pliant_world* world);
pliant_result world_describe_contacts(pliant_world* world);
// After it. False when memory runs out.
bool world_finish_contacts(pliant_world* world);

// What the last step left, here, for whoever reads it.
pliant_result world_fetch_contacts(const pliant_world* world);

// Somebody asks for begin and end of touching: from now on steps on a GPU bring what they need.
pliant_result world_start_events(pliant_world* world);

// What is state: how hard each pair pushed when the last substep ended. Numbers of 8 bytes alone:
// it is hashed as it is.
typedef struct {
    uint64_t key;
    double lambda, slide[3], sunk;
    double stored, pivot; // what gives back energy does so by the pivot that it had
} contact_record;
uint64_t world_contact_record_count(const pliant_world* world);
// Of a pair that is remembered; only one that goes on is state.
contact_record world_contact_record(const pliant_world* world, int number);
// From `count` records in memory, of a substep of h [s]. False when memory runs out.
bool world_restore_contacts(pliant_world* world, const char* records, uint64_t count, double h);
