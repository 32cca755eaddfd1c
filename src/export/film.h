// A run as one file in each of some formats, made from its reel when the run ends:
//   .glb, .gltf   glTF 2.0: every body is a mesh whose frames are morph targets (gltf_file.h)
//   .pc2, .mdd    point caches, beside an .obj with the points' first places (point_cache.h)
//   .usda         USD as text, with time samples (usda.h)
#pragma once
#include "export/path.h"
#include "export/reel.h"
#include <stdio.h>

typedef struct {
    const stage* stage;
    const frame* frame; // for its topology
    reel reel;
    char reel_path[PATH_BYTES];
    const char* base; // path of the only file, or what all paths begin with; outlives the film
    unsigned formats; // bits
    bool alone;       // base is a path
    int every;        // steps from frame to frame
} film;

// The bit of a format by its name ("glb"); 0: it is none of a film.
unsigned film_format(const char* name, size_t length);
// All their names.
const char* film_format_list(void);
// The bit of the path of a film; 0: it is none.
unsigned film_of_path(const char* path);

// What all of a film's files have in common, before it is opened: stage, frame, base, formats,
// alone, every. Goes on behind the first `frames` of a reel that is there.
pliant_result film_open(film* f, int frames);
pliant_result film_add(film* f);
// Writes the files of the frames so far. Each appears whole or not at all.
pliant_result film_write(const film* f);
// A line for each file.
void film_print(const film* f, int frames, FILE* out);
// Releases the film; `finished`: its reel goes, too.
void film_close(film* f, bool finished);

// When a frame of the reel is seen [s].
static inline double film_time(const film* f, int number)
{
    return (double)number * f->every * f->stage->scene->dt;
}
