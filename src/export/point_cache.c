#include "export/point_cache.h"
#include "base/memory.h"
#include "base/platform.h"
#include "meshfile/format.h"
#include <stdio.h>
#include <string.h>

// Most significant byte first.
static void sink_big(sink* s, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) sink_u8(s, (uint8_t)(value >> shift));
}

static void sink_big_float(sink* s, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    sink_big(s, bits);
}

// ---- the mesh -----------------------------------------------------------------------------------

// NAME.obj for NAME.pc2.
static pliant_result mesh_path(const char* path, char out[PATH_BYTES])
{
    span extension = path_extension(path);
    char stem[PATH_BYTES];
    snprintf(stem, sizeof stem, "%.*s", (int)(extension.at - path), path);
    return path_extend(stem, ".obj", out);
}

static pliant_result write_mesh(const film* f, const float* numbers, const char* path)
{
    char beside[PATH_BYTES];
    pliant_mesh_arrays mesh = frame_surface(f->frame);
    size_t count = 3 * (size_t)mesh.vertex_count;
    double* vertices = (double*)mem_array(count, sizeof(double));
    sink out = {0};
    if (!vertices) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < count; ++i) vertices[i] = (double)numbers[i];
    mesh.vertices = vertices;
    write_obj(&mesh, &out);
    pliant_result result = out.failed ? PLIANT_ERROR_MEMORY : mesh_path(path, beside);
    if (!result) result = platform_write_file(beside, out.data, out.bytes);
    sink_release(&out);
    mem_free(vertices);
    return result;
}

// ---- frames -------------------------------------------------------------------------------------

typedef void put_float(sink* out, float value);

static pliant_result add_frames(const film* f, put_float* put, float* numbers, platform_draft* out)
{
    pliant_result result = PLIANT_OK;
    size_t count = 3 * f->reel.points;
    sink bytes = {0};
    for (int i = 0; i < f->reel.frame_count && !result; ++i) {
        bytes.bytes = 0;
        result = reel_read(&f->reel, i, 0, count, numbers);
        for (size_t k = 0; k < count; ++k) put(&bytes, numbers[k]);
        if (bytes.failed) result = PLIANT_ERROR_MEMORY;
        if (!result) platform_draft_write(out, bytes.data, bytes.bytes);
    }
    sink_release(&bytes);
    return result;
}

static pliant_result write_cache(const film* f, const sink* head, put_float* put, float* numbers,
                                 const char* path)
{
    platform_draft* out = NULL;
    pliant_result result = head->failed ? PLIANT_ERROR_MEMORY : platform_draft_open(path, &out);
    if (result) return result;
    platform_draft_write(out, head->data, head->bytes);
    result = add_frames(f, put, numbers, out);
    pliant_result closed = platform_draft_close(out, result ? DRAFT_DROPPED : DRAFT_ON_DISK);
    return result ? result : closed;
}

// The mesh, and the cache behind its head.
static pliant_result write_both(const film* f, sink* head, put_float* put, const char* path)
{
    size_t count = 3 * f->reel.points;
    float* numbers = (float*)mem_array(count, sizeof(float));
    pliant_result result =
        numbers ? reel_read(&f->reel, 0, 0, count, numbers) : PLIANT_ERROR_MEMORY;
    if (!result) result = write_mesh(f, numbers, path);
    if (!result) result = write_cache(f, head, put, numbers, path);
    mem_free(numbers);
    sink_release(head);
    return result;
}

pliant_result pc2_write(const film* f, const char* path)
{
    sink head = {0};
    sink_bytes(&head, "POINTCACHE2", 12);
    sink_i32(&head, 1);
    sink_i32(&head, (int32_t)f->reel.points);
    sink_f32(&head, 0);
    sink_f32(&head, 1);
    sink_i32(&head, f->reel.frame_count);
    return write_both(f, &head, sink_f32, path);
}

pliant_result mdd_write(const film* f, const char* path)
{
    sink head = {0};
    sink_big(&head, (uint32_t)f->reel.frame_count);
    sink_big(&head, (uint32_t)f->reel.points);
    for (int i = 0; i < f->reel.frame_count; ++i) sink_big_float(&head, (float)film_time(f, i));
    return write_both(f, &head, sink_big_float, path);
}
