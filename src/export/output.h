// What a run writes: files of single frames in a folder (series.h), files of the whole run
// (film.h), or both.
#pragma once
#include "export/film.h"
#include "export/series.h"
#include <stdio.h>

// What was asked for.
typedef struct {
    const char* path; // a folder, or the file of a film; outlives the output
    unsigned series_formats, film_formats;
    bool alone; // the path is that of a film
    int every;  // steps from frame to frame
} output_plan;

// The path's extension is that of a film, or the path means a folder, into which all of `formats`
// go: a list like "vtu,usda", NULL: vtu. Anything else is refused with a way out.
pliant_result output_plan_read(const char* path, const char* formats, int every, output_plan* out);

typedef struct {
    output_plan plan;
    const frame* frame;
    series series;
    film film;
    int frames, last;            // how many it has, and the step of the last
    int older;                   // files of an earlier run that were removed
    char base[PATH_BYTES];       // folder/frames, or the path of the film
    char state_path[PATH_BYTES]; // of what a run goes on from (checkpoint.h)
} output;

// Finds the paths; nothing is written yet.
pliant_result output_place(output* out, const output_plan* plan);

// `first`: the step that a run goes on from: the frames before it are there, and its own is written
// again. 0: a run begins, and what an earlier one left to go on from is removed.
pliant_result output_open(output* o, const stage* s, const frame* f, int first);
// The frame after step `number`, if it is one of those that are written.
pliant_result output_add(output* o, int number);
static inline bool output_has(const output* o, int number) { return number % o->plan.every == 0; }
// All frames so far are on the disk.
pliant_result output_sync(output* o);
// Writes what is written at the end; a run that fails here can still keep its state.
pliant_result output_write(output* o);
// Releases it. `finished`: nothing will go on from here, and frames of an earlier run in the same
// folder that this one has not replaced are removed (`older` counts them). Where there is no state,
// nothing that only a resumed run could use is left.
void output_close(output* o, bool finished);
// A line for each kind of file: "  wrote film.glb (121 frames)".
void output_print(const output* o, FILE* out);
