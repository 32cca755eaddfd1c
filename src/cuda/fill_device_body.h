// A device_body from what the host knows. Compiled once per precision (fill_device_body.c).
#pragma once
#include "solver/step.h"

// One kind of sweep, packed again where it can be (body.h).
typedef struct {
    bool any, uniform;
    constraint_type type;
    int one_row_fields; // fields of a lane; 0: not packed that way
    void *index, *field, *same;
    void *lane, *unit_type;
} device_stream;

static inline bool is_packed(const device_stream* s) { return s->uniform || s->one_row_fields; }

// A plan in device memory. What no kernel reads is not there.
typedef struct {
    void* memory; // all of the rest
    size_t bytes;
    void *patches, *color_group, *group, *round, *index, *field;
    void *source_start, *source, *before, *phantom;
    void *component, *strip;
    void *inside_start, *inside_pair;          // of a body that holds something (enclosure.h)
    void *flow_start, *flow_block, *flow_rule; // of one that flows (plan_flow)
    cluster_set clusters;                      // of one that has some
    double* local;                             // of one that is rigid
    device_stream sweep[2];
    constraint_type in_order; // all rounds are of this type and lie in order; else TYPE_COUNT
    bool single;              // and every group has one
    size_t field_at, same_at; // of the first one, in elements
    size_t lambda_at[2], lambda_count;
    int lanes; // of the largest color
} device_plan;

// A state in device memory.
typedef struct {
    void *row, *velocity, *residue, *force, *contact, *lambda, *share, *exchange[2];
    void *inside_grad, *inside_sum, *inside_lambda;
    void *past, *lift; // of second order, of first; else NULL
    void *kept, *torque_sums, *twists;
    void *flow, *field;     // of a body that flows, side by side: its state and its constants
    cluster_state matched;  // of clusters
    void *pressure, *drawn; // of a liquid, of one with surface tension: [particles] doubles
} device_state;

// What a step brings along for one body, in device memory.
typedef struct {
    long long* diverged;
    long long first_meeting;
    const path* movers;
    path* holders;
    const roller* rollers;
    const void* obstacles;
    const void* nearby; // NULL: they are few
    const component_pins* pins;
    void* load;
    const void* flow;  // device_flow, or NULL
    const void* match; // device_match, or NULL
    const void* rigid; // device_rigid, or NULL
} device_paths;

typedef struct {
    size_t body_bytes, obstacle_bytes, flow_bytes;
    void (*body)(const body_run* b, const step_work* step, const device_plan* p,
                 const device_state* s, const device_paths* paths, void* out);
    // `data`: what the collider is made of, `way`: its poses, in device memory.
    void (*obstacle)(const body_run* b, const collider* c, const void* data,
                     const collider_pose* way, void* out);
    // A device_flow.
    void (*flow)(const body_run* b, const device_plan* p, const device_state* s, void* out);
} fill_functions;

extern const fill_functions fill_single, fill_double;
