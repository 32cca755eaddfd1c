// What is seen of a run, frame after frame, in a file beside the one that is made of it at the end:
// a run takes no memory for its frames, and one that was killed goes on from those it has.
#pragma once
#include "export/frame.h"
#include "system/tape.h"

typedef struct tape tape;

typedef struct {
    tape* tape;
    float* buffer;                  // one frame
    size_t points, normals, floats; // of a frame: 3 numbers for each point, then for each normal
    int frame_count;
} reel;

// Keeps the first `frames` of a reel that is there already, and refuses one that has fewer.
pliant_result reel_open(reel* out, const frame* f, const char* path, int frames);
pliant_result reel_add(reel* r, const frame* f);
// Numbers of frame `number`, `count` from number `first` on.
pliant_result reel_read(const reel* r, int number, size_t first, size_t count, float* out);
// What was added is on the disk.
pliant_result reel_sync(reel* r);
void reel_close(reel* r);

// Where positions and normals of a body begin among the numbers of a frame.
static inline size_t reel_points(const shown_body* b) { return 3 * (size_t)b->first_point; }
static inline size_t reel_normals(const reel* r, const shown_body* b)
{
    return 3 * (r->points + (size_t)b->first_normal);
}
