// What a run writes: files of single frames in a folder (series.h), files of the whole run
// (film.h), or both.
#pragma once
#include "export/film.h"
#include "export/series.h"

// What was asked for.
typedef struct {
    const char* path; // a folder, or the file of a film; outlives the output
    unsigned series_formats, film_formats;
    int every; // steps from frame to frame
} output_plan;

// `formats` is a list like "vtu,usda"; what it says does not count where `path` is that of a film.
pliant_result output_plan_read(const char* path, const char* formats, int every, output_plan* out);

typedef struct {
    output_plan plan;
    const frame* frame;
    series series;
    film film;
    char base[PATH_BYTES];       // folder/frames, or the path of the film
    char state_path[PATH_BYTES]; // of what a run goes on from (checkpoint.h)
} output;

// Finds the paths; nothing is written yet.
pliant_result output_place(output* out, const output_plan* plan);

// `last`: the step that a run goes on from, whose frames are there; -1: a run begins, and what an
// earlier one left to go on from is removed.
pliant_result output_open(output* o, const stage* s, const frame* f, int last);
// The frame after step `number`, if it is one of those that are written.
pliant_result output_add(output* o, int number);
static inline bool output_has(const output* o, int number) { return number % o->plan.every == 0; }
// All frames so far are on the disk.
pliant_result output_sync(output* o);
// Writes what is written at the end. `finished`: nothing will go on from here.
pliant_result output_close(output* o, bool finished);
