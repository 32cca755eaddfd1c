// What a run says: lines of JSON, or a summary for people.
#pragma once
#include "export/probe.h"

typedef struct {
    const char* scene; // its name
    const stage* stage;
    int frames;       // done
    double seconds;   // wall-clock of the steps
    double simulated; // [s]
    double before;    // [s] of that by an earlier run, which this one goes on from
    bool interrupted;
    const char* problem; // the sentence of a failure, or NULL
} run_report;

// One JSON object in one line on stdout for the frame that the last step made.
// `seconds`: wall-clock.
void report_frame(const stage* s, const probes* measured, int frame, double time, double seconds);
void report_end_json(const run_report* r);
void report_end(const run_report* r);
