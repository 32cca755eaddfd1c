// The values of probes as a file of comma-separated values that grows by a line with each frame, so
// that it can be looked at while a run goes on; a resumed run goes on in it.
#pragma once
#include "export/probe.h"
#include "system/tape.h"

typedef struct tape tape;

typedef struct {
    const probes* probes;
    tape* tape; // NULL: not open
} probe_file;

// `first`: the step that a run goes on from: the lines up to its own are there and stay. 0: the
// file is written anew.
pliant_result probe_file_open(probe_file* out, const probes* p, const char* path, int first);
// A line with what the probes have measured.
pliant_result probe_file_add(probe_file* f, double time);
pliant_result probe_file_sync(probe_file* f); // what was added is on the disk
void probe_file_close(probe_file* f);
