// What goes on in a run: energies, the worst element, contacts, where the time goes.
#pragma once
#include "scene/stage.h"
#include <stdio.h>

// The element with the largest strain.
typedef struct {
    const char* kind; // "tet", "triangle", "edge"; NULL: there are no elements
    int body, number;
    double strain; // norm of Green's strain [-]
    int inverted;  // tets that are inside out
} worst_element;

typedef enum {
    TIME_PREDICT,
    TIME_SWEEP,
    TIME_CONTACTS,
    TIME_UPDATE,
    TIME_REST, // of a step
    TIME_FILES,
    TIME_PHASES
} time_phase;

// Energies [J], and the time [s].
typedef enum {
    HISTORY_KINETIC,
    HISTORY_ELASTIC,
    HISTORY_GRAVITY,
    HISTORY_ALL,
    HISTORY_TIME,
    HISTORIES
} history_kind;

typedef struct {
    const stage* stage; // NULL: nobody asks
    double seconds[TIME_PHASES];
    int steps, contacts, most_contacts;
    pliant_energies energies; // of the last sample,
    worst_element worst;
    double last_sample, cost;   // [s] of the clock, and what a sample takes
    double* history[HISTORIES]; // of each sample
    int count, capacity[HISTORIES];
} stats;

// `s` NULL: nothing is counted.
void stats_begin(stats* out, const stage* s);
// After a step and what was written of it; wall-clock [s].
void stats_add(stats* s, double step_seconds, double file_seconds);
// Looks at the bodies. That takes time: unless it must, it is left out where it would take more
// than a twentieth of the run.
void stats_sample(stats* s, bool must);
// Lines for the progress.
void stats_format(const stats* s, char* out, size_t room);
// The summary: shares of time, and the energies over the run.
void stats_print(const stats* s, FILE* out, bool unicode);
void stats_release(stats* s);
