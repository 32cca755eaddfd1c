// The world and what is in it. Bodies are held by pointer, so that they stay where they are.
#pragma once
#include "base/pool.h"
#include "collide/field.h"
#include "cuda/device.h"
#include "solver/step.h"
#include "world/asset.h"

typedef struct body {
    const pliant_asset* asset;
    state s;
    double gravity_scale, friction, restitution;
    path* movers; // for the next step only
    int mover_count, mover_capacity;
    path* holders;
    path* row_movers; // scratch of the step: one for each row
    path* row_holders;
    uint64_t* path_keys;
    int row_mover_capacity, row_holder_capacity, path_key_capacity;
    uint32_t* holder_id; // index1 of the attachment of each
    int holder_count, holder_capacity, holder_id_capacity;
    bool failed;
    bool warned;                      // of too few substeps
    device_copy* remote;              // its place on the device, or NULL: it is stepped here
    unsigned newer_here, newer_there; // arrays of its state (device.h) that differ, and where from
} body;

typedef struct {
    uint32_t body_index1, body_generation;
} attachment_slot;

typedef struct {
    distance_field field; // owned, for meshes
} collider_slot;

// Snapshots of the last steps, newest at `next - 1`.
typedef struct {
    void* data;
    size_t bytes; // of one
    int capacity, count, next;
} history;

// Nothing leads back across a change of bodies or attachments.
static inline void history_clear(history* past) { past->count = 0; }

struct pliant_world {
    pliant_world_def def;
    executor exec;
    pool bodies;              // body*
    pool attachments;         // attachment_slot
    pool colliders;           // collider_slot, parallel to:
    collider* collider_list;  // the live ones, packed for the solver
    uint32_t* collider_owner; // index1 of each
    int collider_count, collider_capacity, collider_owner_capacity;
    body_run* run;     // scratch of the step: one for each body,
    piece_run* pieces; // slice or patch,
    patch_task* tasks; // patch
    int run_capacity, piece_capacity, task_capacity;
    history past;
    device* gpu;          // once it is needed
    device_copy** copies; // scratch of the step: of the bodies that are there
    int copy_capacity;
    bool stays_here; // what was made for a device, since there is none
    double* pull;    // scratch of the energies, for the largest body (unresolved.h)
    int pull_capacity;
    double time;
    double substep; // [s] of the last step, 0 before
    uint64_t step_count;
    pliant_profile profile;
};

// The body of an id, or NULL after the assert handler was told.
body* world_body(const pliant_world* world, pliant_body_id id);
body* world_body_with(const pliant_world* world, pliant_body_id id, int particle);

// The body of a slot, or NULL while it is free: for loops from 0 to bodies.count - 1.
body* world_body_at(const pliant_world* world, int index);

// What both snapshots and the history use.
size_t snapshot_bytes(const pliant_world* world);
void snapshot_write(const pliant_world* world, void* out);

void body_destroy(pliant_world* world, body* b);

pliant_result world_report_failures(const pliant_world* world);
