// The state of a run in a file, from which a run that was cut off goes on to the same bits.
#pragma once
#include "export/output.h"

// Options that a run has to have in common with the one that it goes on from.
enum { SAME_OPTIONS = 5 };

// What two runs must have in common for one to go on where the other was: hashes, and numbers that
// tell one setting of an option from another.
typedef struct {
    uint64_t program, scene, meshes;
    int64_t option[SAME_OPTIONS];
} run_identity;

// `options` as the stage was made with.
run_identity identity_of(const stage* s, const stage_options* options, const output_plan* plan);

// Writes the state after step `number`; the file appears whole or not at all. `shown`: the frame of
// this step, whose contacts a world that is restored does not know; or NULL.
pliant_result checkpoint_save(const stage* s, const run_identity* who, int number,
                              const frame* shown, const char* path);

// Brings the stage to the state of the file, tells its step, and gives the contacts of its frame to
// `shown`, for the next update; step -1: there is no such file. A file of another run is refused
// with what differs.
pliant_result checkpoint_restore(stage* s, const run_identity* who, const char* path, frame* shown,
                                 int* out_number);
