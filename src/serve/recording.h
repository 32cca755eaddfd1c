// What runs is recorded: as a .glb, frame by frame on the disk, or as a film that is drawn when the
// recording ends.
#pragma once
#include "export/film.h"
#include "live/session.h"
#include "render/album.h"

typedef enum { RECORDING_NONE, RECORDING_GLB, RECORDING_MP4 } recording_kind;

typedef struct {
    recording_kind kind;
    const session* session;
    frame frame;
    film film;
    album album;
    int every, steps, frames; // steps from frame to frame; both of them so far
    char name[128], path[4096];
} recording;

// Into a new file of the folder, named after the scene. Refused where no such file can be made.
pliant_result recording_begin(recording* r, const session* s, recording_kind kind,
                              const char* folder);
// After each step. One that would become too long is refused, and can be ended.
pliant_result recording_add(recording* r);
// Writes the file; `keep`: false drops it.
pliant_result recording_end(recording* r, bool keep);
