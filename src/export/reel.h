// What is seen of a run, frame after frame, in a file beside the one that is made of it at the end:
// a run takes no memory for its frames, and one that was killed goes on from those it has.
#pragma once
#include "export/frame.h"

typedef struct platform_tape platform_tape;

typedef struct {
    platform_tape* tape;
    float* buffer;                  // one frame
    size_t points, normals, floats; // of a frame: 3 numbers for each point, then for each normal
    int frame_count;
} reel;

// Keeps the first `frames` of a reel that is there already, and refuses one that has fewer.
pliant_result reel_open(reel* out, const frame* f, const char* path, int frames);
pliant_result reel_add(reel* r, const frame* f);
// Frame `number` into `out`, which has room for `floats`.
pliant_result reel_read(const reel* r, int number, float* out);
// What was added is on the disk.
pliant_result reel_sync(reel* r);
void reel_close(reel* r);

// Where positions and normals of a body begin in a frame of the reel.
static inline const float* reel_points(const float* numbers, const shown_body* b)
{
    return numbers + 3 * (size_t)b->first_point;
}
static inline const float* reel_normals(const reel* r, const float* numbers, const shown_body* b)
{
    return numbers + 3 * (r->points + (size_t)b->first_normal);
}
