#include "export/reel.h"
#include "base/memory.h"
#include "base/platform.h"
#include "system/tape.h"
#include <string.h>

pliant_result reel_open(reel* out, const frame* f, const char* path, int frames)
{
    memset(out, 0, sizeof *out);
    out->points = (size_t)f->surface_count;
    out->normals = (size_t)f->normal_count;
    out->floats = 3 * (out->points + out->normals);
    out->frame_count = frames;
    out->buffer = (float*)mem_array(out->floats, sizeof(float));
    if (!out->buffer) return PLIANT_ERROR_MEMORY;
    int64_t kept = frames * (int64_t)(out->floats * sizeof(float));
    pliant_result result = tape_open(path, kept, &out->tape);
    if (result) reel_close(out);
    return result;
}

pliant_result reel_add(reel* r, const frame* f)
{
    float* to = r->buffer;
    for (size_t i = 0; i < 3 * r->points; ++i) *to++ = (float)f->surface_vertices[i];
    if (r->normals) memcpy(to, f->normals, 3 * r->normals * sizeof(float));
    pliant_result result = tape_add(r->tape, r->buffer, r->floats * sizeof(float));
    if (!result) r->frame_count++;
    return result;
}

pliant_result reel_read(const reel* r, int number, size_t first, size_t count, float* out)
{
    int64_t from = number * (int64_t)r->floats + (int64_t)first;
    return tape_read(r->tape, from * (int64_t)sizeof(float), out, count * sizeof(float));
}

pliant_result reel_sync(reel* r) { return tape_sync(r->tape); }

void reel_close(reel* r)
{
    tape_close(r->tape);
    mem_free(r->buffer);
    memset(r, 0, sizeof *r);
}
