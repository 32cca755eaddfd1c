#include "export/gltf_file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/gltf.h"
#include "meshfile/format.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---- frames -------------------------------------------------------------------------------------

size_t gltf_numbers(const body_face* face)
{
    return face->look ? 6 * (size_t)face->look->vertex_count : 3 * (size_t)face->point_count;
}

static size_t frame_bytes(const frame* f)
{
    size_t numbers = 0;
    for (int i = 0; i < f->shown_count; ++i) numbers += gltf_numbers(f->shown[i].face);
    return numbers * sizeof(float);
}

pliant_result gltf_check(const film* f)
{
    const size_t most = ((size_t)1 << 32) - ((size_t)1 << 24);
    if (frame_bytes(f->frame) * (size_t)f->reel.frame_count <= most) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "%.300s: a film of %d frames has more than the 4 GB that the format holds: "
                "write fewer frames (--every), or a coarser surface",
                f->base, f->reel.frame_count);
}

// Frames of the reel as glTF has them.
typedef struct {
    const film* film;
    float *first, *now, *written;
    size_t bytes; // of `written`
} projector;

static bool projector_open(projector* p, const film* f)
{
    p->film = f;
    p->bytes = frame_bytes(f->frame);
    p->first = (float*)mem_array(f->reel.floats, sizeof(float));
    p->now = (float*)mem_array(f->reel.floats, sizeof(float));
    p->written = (float*)mem_alloc(p->bytes);
    return p->first && p->now && p->written;
}

static void projector_close(projector* p)
{
    mem_free(p->first);
    mem_free(p->now);
    mem_free(p->written);
}

// As they are in the first frame, and less those of the first in the others.
static float* spread(const float* now, const float* first, const int* which, int count, float* out)
{
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            size_t at = 3 * (size_t)(which ? which[i] : i) + (size_t)k;
            *out++ = now == first ? now[at] : now[at] - first[at];
        }
    return out;
}

// All positions of a body, then all its normals, body after body.
static pliant_result project(projector* p, int number)
{
    const reel* r = &p->film->reel;
    const frame* f = p->film->frame;
    float *now = number ? p->now : p->first, *out = p->written;
    pliant_result result = reel_read(r, number, 0, r->floats, now);
    for (int i = 0; i < f->shown_count && !result; ++i) {
        const shown_body* b = &f->shown[i];
        const visual* look = b->face->look;
        size_t points = reel_points(b), normals = reel_normals(r, b);
        out = spread(now + points, p->first + points, look ? look->vertex_point : NULL,
                     look ? look->vertex_count : b->face->point_count, out);
        if (look)
            out = spread(now + normals, p->first + normals, look->vertex_normal, look->vertex_count,
                         out);
    }
    return result;
}

static void find_bounds(const projector* p, double* bounds)
{
    const float* x = p->written;
    const frame* f = p->film->frame;
    for (int i = 0; i < f->shown_count; ++i, bounds += 6) {
        const body_face* face = f->shown[i].face;
        int count = face->look ? face->look->vertex_count : face->point_count;
        for (int k = 0; k < 3; ++k) bounds[k] = DBL_MAX, bounds[3 + k] = -DBL_MAX;
        for (int v = 0; v < count; ++v)
            for (int k = 0; k < 3; ++k) {
                double here = (double)x[3 * (size_t)v + (size_t)k];
                bounds[k] = fmin(bounds[k], here);
                bounds[3 + k] = fmax(bounds[3 + k], here);
            }
        x += gltf_numbers(face);
    }
}

// ---- the file -----------------------------------------------------------------------------------

static pliant_result add_frames(projector* p, platform_draft* out)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < p->film->reel.frame_count && !result; ++i) {
        result = project(p, i);
        if (!result) platform_draft_write(out, p->written, p->bytes);
    }
    return result;
}

static pliant_result write_binary(projector* p, const sink* head, const sink* fixed,
                                  const char* path)
{
    platform_draft* out = NULL;
    pliant_result result = head->failed ? PLIANT_ERROR_MEMORY : platform_draft_open(path, &out);
    if (result) return result;
    platform_draft_write(out, head->data, head->bytes);
    result = add_frames(p, out);
    platform_draft_write(out, fixed->data, fixed->bytes);
    pliant_result closed = platform_draft_close(out, result ? DRAFT_DROPPED : DRAFT_ON_DISK);
    return result ? result : closed;
}

static pliant_result write_glb(projector* p, const gltf_source* s, const gltf_document* d)
{
    sink head = {0};
    size_t padding = (4 - d->json_bytes % 4) % 4, json = d->json_bytes + padding;
    size_t binary = s->bytes + d->fixed.bytes; // a multiple of 4
    if (28 + json + binary > UINT32_MAX)
        return fail(PLIANT_ERROR_UNSUPPORTED, "%.300s: the film has more than 4 GB", s->path);
    sink_text(&head, "glTF");
    sink_i32(&head, 2);
    sink_i32(&head, (int32_t)(uint32_t)(28 + json + binary));
    sink_i32(&head, (int32_t)(uint32_t)json);
    sink_text(&head, "JSON");
    sink_bytes(&head, d->json, d->json_bytes);
    sink_bytes(&head, "   ", padding);
    sink_i32(&head, (int32_t)(uint32_t)binary);
    sink_bytes(&head, "BIN", 4);
    pliant_result result = write_binary(p, &head, &d->fixed, s->path);
    sink_release(&head);
    return result;
}

// What a .gltf names is there before it.
static pliant_result write_parts(projector* p, const gltf_source* s, const gltf_document* d)
{
    char path[PATH_BYTES];
    const sink nothing = {0};
    pliant_result result = path_beside(s->path, d->binary_name, path);
    if (!result) result = write_binary(p, &nothing, &d->fixed, path);
    for (int i = 0; i < d->file_count && !result; ++i) {
        const gltf_image_file* image = &d->files[i];
        result = path_beside(s->path, image->name, path);
        if (!result) result = platform_write_file(path, image->image->data, image->image->bytes);
    }
    return result ? result : platform_write_file(s->path, d->json, d->json_bytes);
}

static pliant_result describe_and_write(projector* p, gltf_source* s)
{
    gltf_document d;
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < s->frame_count && !result; ++i) {
        result = project(p, i);
        if (!result) find_bounds(p, s->bounds + 6 * (size_t)i * (size_t)s->frame->shown_count);
    }
    if (result) return result;
    result = gltf_describe(s, &d);
    if (!result) result = s->binary ? write_glb(p, s, &d) : write_parts(p, s, &d);
    gltf_release(&d);
    return result;
}

pliant_result gltf_write(const film* f, const char* path)
{
    projector p = {0};
    gltf_source s = {.film = f,
                     .frame = f->frame,
                     .path = path,
                     .binary = span_is(path_extension(path), ".glb"),
                     .frame_count = f->reel.frame_count};
    pliant_result result = projector_open(&p, f) ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    s.frame_bytes = p.bytes;
    s.bytes = p.bytes * (size_t)s.frame_count;
    s.bounds = (double*)mem_array((size_t)s.frame_count * (size_t)s.frame->shown_count,
                                  6 * sizeof(double));
    if (!s.bounds) result = PLIANT_ERROR_MEMORY;
    if (!result) result = describe_and_write(&p, &s);
    mem_free(s.bounds);
    projector_close(&p);
    return result;
}
