// A device_body from what the host knows. Compiled once per precision (fill.c).
#pragma once
#include "solver/step.h"

// One kind of sweep, packed again where every group has one round of the same type (body.h).
typedef struct {
    bool any, uniform;
    constraint_type type;
    void *index, *field, *same;
} device_stream;

// A plan in device memory. What no kernel reads is not there.
typedef struct {
    void* memory; // all of the rest
    size_t bytes;
    void *patches, *color_group, *group, *round, *index, *field;
    void *source_start, *source, *before, *phantom;
    device_stream sweep[2];
    constraint_type in_order; // all rounds are of this type and lie in order; else TYPE_COUNT
    bool single;              // and every group has one
    size_t field_at, same_at; // of the first one, in elements
    size_t lambda_at[2], lambda_count;
} device_plan;

// A state in device memory.
typedef struct {
    void* memory;
    size_t bytes;
    void *row, *velocity, *residue, *force, *contact, *lambda, *share, *exchange[2];
    void* past; // NULL: of first order
} device_state;

// What a step brings along for one body, in device memory.
typedef struct {
    long long* diverged;
    long long first_meeting;
    const path* movers;
    path* holders;
    const void* obstacles;
} device_paths;

typedef struct {
    size_t body_bytes, obstacle_bytes;
    void (*body)(const body_run* b, const step_work* step, const device_plan* p,
                 const device_state* s, const device_paths* paths, void* out);
    // `samples`: those of the collider's field, in device memory.
    void (*obstacle)(const body_run* b, const collider* c, const float* samples, void* out);
} fill_functions;

extern const fill_functions fill_single, fill_double;
