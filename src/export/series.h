// Frames as numbered files in a folder: frame_00012.vtu and so on, and frames.pvd, which lists the
// .vtu files with their times for ParaView. Where bodies carry surfaces, those are in .obj and .ply
// instead of the tets' own, with frames.mtl and textures, and in surface_00012.vtu. Every file
// appears whole or not at all.
#pragma once
#include "export/frame.h"
#include "mesh/sink.h"

typedef struct {
    const char* folder; // outlives the series
    unsigned formats;   // bits, in the order of the table in series.c
    sink entries;       // of the .pvd
    int count, listed;  // frames so far, and those in the .pvd on disk
    bool has_materials; // those of .obj files are written
} series;

// "vtu,obj,ply" to bits; 0 and an error text for anything else.
unsigned series_formats(const char* list);

// Whether files of these formats hold particles, and not only what is seen.
bool series_needs_particles(unsigned bits);

// Makes the folder.
pliant_result series_open(series* out, const char* folder, unsigned formats);
pliant_result series_add(series* s, const frame* f, int number, double time);
// Brings the .pvd up to date and releases the series.
pliant_result series_close(series* s);
