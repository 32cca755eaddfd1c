// Frames as numbered files in a folder: frame_00012.vtu and so on, and frames.pvd, which lists the
// .vtu files with their times for ParaView. Where bodies carry surfaces, those are in .obj and .ply
// instead of the tets' own, with frames.mtl and textures, and in surface_00012.vtu. Contacts
// between bodies are in contacts_00012.csv, surfaces of liquids in liquid_00012.vtu, .obj and .ply.
// Every file appears whole or not at all.
#pragma once
#include "export/frame.h"
#include "meshfile/sink.h"
#include <stdio.h>

typedef struct {
    const char* folder; // outlives the series
    unsigned formats;   // bits, in the order of the table in series.c
    double dt;          // [s] of a step
    sink entries;       // of the .pvd
    int count, listed;  // frames so far, and those in the .pvd on disk
    bool has_materials; // those of .obj files are written
} series;

// The bit of a format by its name ("vtu"); 0: it is none of frames.
unsigned series_format(const char* name, size_t length);
// "vtu, obj, ply, contacts"
const char* series_format_list(void);

// Whether files of these formats hold particles, and not only what is seen.
bool series_needs_particles(unsigned bits);
// Whether they hold contacts between bodies.
bool series_needs_contacts(unsigned bits);

// Makes the folder.
pliant_result series_open(series* out, const char* folder, unsigned formats, double dt);
// The frame after step `number`.
pliant_result series_add(series* s, const frame* f, int number);
// Counts a frame whose files are there already, and refuses where one is missing.
pliant_result series_skip(series* s, const frame* f, int number);
// Brings the .pvd up to date and releases the series.
pliant_result series_close(series* s);
// Removes the frames of an earlier run in the formats of this one: those behind the step `last`,
// and those between every `every`-th. Returns how many files went.
int series_remove_older(const series* s, const frame* f, int last, int every);
// A line for each format, with the number of frames and the step of the last.
void series_print(const series* s, int frames, int last, FILE* out);
