#include "export/film.h"
#include "base/platform.h"
#include "export/gltf.h"
#include "mesh/format.h"
#include <float.h>
#include <math.h>
#include <string.h>

bool film_is_path(const char* path)
{
    span extension = path_extension(path);
    return span_is(extension, ".glb") || span_is(extension, ".gltf");
}

// A run must not end with a folder that is not there.
static pliant_result make_folder(const char* path)
{
    char folder[4096];
    const char* slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length == 0) return PLIANT_OK;
    if (length >= sizeof folder)
        return fail(PLIANT_ERROR_FILE, "%.200s: the path is too long", path);
    memcpy(folder, path, length);
    folder[length] = 0;
    return platform_make_directory(folder);
}

pliant_result film_open(film* out, const stage* s, const frame* f, const char* path)
{
    memset(out, 0, sizeof *out);
    out->path = path;
    out->stage = s;
    out->binary = span_is(path_extension(path), ".glb");
    pliant_result result = make_folder(path);
    if (result) return result;
    size_t numbers = 0;
    for (int i = 0; i < f->shown_count; ++i) numbers += film_numbers(f->shown[i].face);
    out->first = (float*)mem_array(numbers, sizeof(float));
    return out->first ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// ---- frames -------------------------------------------------------------------------------------

size_t film_numbers(const body_face* face)
{
    return face->look ? 6 * (size_t)face->look->vertex_count : 3 * (size_t)face->point_count;
}

static void widen(double bounds[6], const float x[3])
{
    for (int k = 0; k < 3; ++k) {
        bounds[k] = fmin(bounds[k], (double)x[k]);
        bounds[3 + k] = fmax(bounds[3 + k], (double)x[k]);
    }
}

// One position or normal: as it is in the first frame, and less that of the first in the others.
static void add_vector(film* reel, sink* out, size_t at, const float x[3], double* bounds)
{
    float *first = reel->first + at, written[3];
    for (int k = 0; k < 3; ++k) {
        written[k] = reel->frame_count ? x[k] - first[k] : x[k];
        if (!reel->frame_count) first[k] = x[k];
        sink_f32(out, written[k]);
    }
    if (bounds) widen(bounds, written);
}

// All positions of a body, then all its normals. `at` is where they begin among all numbers.
static void add_body(film* reel, const frame* f, const shown_body* b, size_t at, double bounds[6],
                     sink* out)
{
    const visual* look = b->face->look;
    const double* point = frame_points(f, b);
    const pliant_vec3* normal = frame_normals(f, b);
    int count = look ? look->vertex_count : b->face->point_count;
    for (int k = 0; k < 3; ++k) bounds[k] = DBL_MAX, bounds[3 + k] = -DBL_MAX;
    for (int i = 0; i < count; ++i, at += 3) {
        const double* p = point + 3 * (size_t)(look ? look->vertex_point[i] : i);
        const float x[3] = {(float)p[0], (float)p[1], (float)p[2]};
        add_vector(reel, out, at, x, bounds);
    }
    for (int i = 0; look && i < count; ++i, at += 3) {
        pliant_vec3 n = normal[look->vertex_normal[i]];
        const float x[3] = {n.x, n.y, n.z};
        add_vector(reel, out, at, x, NULL);
    }
}

pliant_result film_add(film* reel, const frame* f, double time)
{
    const size_t most = ((size_t)1 << 32) - ((size_t)1 << 24);
    int number = reel->frame_count, bodies = f->shown_count;
    if (!mem_reserve((void**)&reel->frames, &reel->frame_capacity, (int64_t)number + 1,
                     sizeof(sink)) ||
        !mem_reserve((void**)&reel->times, &reel->time_capacity, (int64_t)number + 1,
                     sizeof(float)) ||
        !mem_reserve((void**)&reel->bounds, &reel->bounds_capacity, ((int64_t)number + 1) * bodies,
                     6 * sizeof(double)))
        return PLIANT_ERROR_MEMORY;
    sink* out = &reel->frames[number];
    memset(out, 0, sizeof *out);
    size_t at = 0;
    for (int i = 0; i < bodies; ++i) {
        double* bounds = reel->bounds + 6 * ((size_t)number * (size_t)bodies + (size_t)i);
        add_body(reel, f, &f->shown[i], at, bounds, out);
        at += film_numbers(f->shown[i].face);
    }
    reel->times[number] = (float)time;
    reel->frame_count++;
    reel->bytes += out->bytes;
    if (out->failed) return PLIANT_ERROR_MEMORY;
    if (reel->bytes > most)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%.300s: a film of %d frames has more than the 4 GB that the format holds: "
                    "write fewer frames (--every), or a coarser surface",
                    reel->path, reel->frame_count);
    return PLIANT_OK;
}

// ---- the file -----------------------------------------------------------------------------------

// The static part and the frames, one after the other.
static file_piece* list_pieces(const film* reel, const gltf_document* d, int extra)
{
    file_piece* piece =
        (file_piece*)mem_array((size_t)(reel->frame_count + 1 + extra), sizeof *piece);
    if (!piece) return NULL;
    for (int i = 0; i < reel->frame_count; ++i)
        piece[extra + i] = (file_piece){reel->frames[i].data, reel->frames[i].bytes};
    piece[extra + reel->frame_count] = (file_piece){d->fixed.data, d->fixed.bytes};
    return piece;
}

static pliant_result write_glb(const film* reel, const gltf_document* d)
{
    enum { JSON = 1 }; // pieces in front of the numbers
    sink head = {0};
    size_t padding = (4 - d->json_bytes % 4) % 4, json = d->json_bytes + padding;
    size_t binary = reel->bytes + d->fixed.bytes; // a multiple of 4
    if (28 + json + binary > UINT32_MAX)
        return fail(PLIANT_ERROR_UNSUPPORTED, "%.300s: the film has more than 4 GB", reel->path);
    sink_text(&head, "glTF");
    sink_i32(&head, 2);
    sink_i32(&head, (int32_t)(uint32_t)(28 + json + binary));
    sink_i32(&head, (int32_t)(uint32_t)json);
    sink_text(&head, "JSON");
    sink_bytes(&head, d->json, d->json_bytes);
    sink_bytes(&head, "   ", padding);
    sink_i32(&head, (int32_t)(uint32_t)binary);
    sink_bytes(&head, "BIN", 4);
    file_piece* piece = head.failed ? NULL : list_pieces(reel, d, JSON);
    pliant_result result = PLIANT_ERROR_MEMORY;
    if (piece) {
        piece[0] = (file_piece){head.data, head.bytes};
        result = platform_write_pieces(reel->path, piece, reel->frame_count + 1 + JSON);
    }
    mem_free(piece);
    sink_release(&head);
    return result;
}

// What a .gltf names is there before it.
static pliant_result write_gltf(const film* reel, const gltf_document* d)
{
    char path[4096];
    file_piece* piece = list_pieces(reel, d, 0);
    pliant_result result = piece ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    if (!result) result = gltf_path_beside(reel->path, d->binary_name, path);
    if (!result) result = platform_write_pieces(path, piece, reel->frame_count + 1);
    for (int i = 0; i < d->file_count && !result; ++i) {
        const gltf_image_file* image = &d->files[i];
        result = gltf_path_beside(reel->path, image->name, path);
        if (!result) result = platform_write_file(path, image->image->data, image->image->bytes);
    }
    if (!result) result = platform_write_file(reel->path, d->json, d->json_bytes);
    mem_free(piece);
    return result;
}

pliant_result film_close(film* reel, const frame* f)
{
    gltf_document d;
    pliant_result result = PLIANT_OK;
    if (reel->frame_count) {
        result = gltf_describe(reel, f, &d);
        if (!result) result = reel->binary ? write_glb(reel, &d) : write_gltf(reel, &d);
        gltf_release(&d);
    }
    for (int i = 0; i < reel->frame_count; ++i) sink_release(&reel->frames[i]);
    mem_free(reel->frames);
    mem_free(reel->bounds);
    mem_free(reel->times);
    mem_free(reel->first);
    memset(reel, 0, sizeof *reel);
    return result;
}
