#include "export/film.h"
#include "base/platform.h"
#include "export/gltf_file.h"
#include "export/point_cache.h"
#include "export/usda.h"
#include "meshfile/format.h"
#include "system/folder.h"
#include <string.h>

typedef struct {
    const char* name; // and extension
    pliant_result (*write)(const film* f, const char* path);
    pliant_result (*check)(const film* f); // whether it holds so many frames; NULL: it does
} film_writer;

static const film_writer writers[] = {
    {"glb", gltf_write, gltf_check}, {"gltf", gltf_write, gltf_check}, {"pc2", pc2_write, NULL},
    {"mdd", mdd_write, NULL},        {"usda", usda_write, NULL},
};
enum { WRITERS = sizeof writers / sizeof writers[0] };

const char* film_format_list(void) { return "glb, gltf, pc2, mdd, usda"; }

unsigned film_format(const char* name, size_t length)
{
    const span word = {name, (int64_t)length};
    for (unsigned i = 0; i < WRITERS; ++i)
        if (span_is(word, writers[i].name)) return 1u << i;
    return 0;
}

unsigned film_of_path(const char* path)
{
    span extension = path_extension(path);
    return extension.length > 1 ? film_format(extension.at + 1, (size_t)extension.length - 1) : 0;
}

pliant_result film_open(film* f, int frames)
{
    pliant_result result = path_make_folder(f->base);
    if (!result) result = path_extend(f->base, ".reel", f->reel_path);
    return result ? result : reel_open(&f->reel, f->frame, f->reel_path, frames);
}

pliant_result film_add(film* f)
{
    if (f->frame->version)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%.300s: a film has the same elements in all of its frames, and a body has "
                    "come apart: write frames, --format vtu, obj or ply",
                    f->base);
    pliant_result result = reel_add(&f->reel, f->frame);
    for (unsigned i = 0; i < WRITERS && !result; ++i)
        if ((f->formats & 1u << i) && writers[i].check) result = writers[i].check(f);
    return result;
}

static pliant_result path_of(const film* f, const film_writer* w, char out[PATH_BYTES])
{
    char ending[16] = ".";
    strcat(ending, w->name);
    return path_extend(f->base, f->alone ? "" : ending, out);
}

static pliant_result write_one(const film* f, const film_writer* w)
{
    char path[PATH_BYTES];
    pliant_result result = path_of(f, w, path);
    return result ? result : w->write(f, path);
}

void film_print(const film* f, int frames, FILE* out)
{
    char path[PATH_BYTES];
    for (unsigned i = 0; i < WRITERS; ++i)
        if ((f->formats & 1u << i) && !path_of(f, &writers[i], path))
            fprintf(out, "  wrote %s (%d %s)\n", path, frames, frames == 1 ? "frame" : "frames");
}

pliant_result film_write(const film* f)
{
    pliant_result result = PLIANT_OK;
    if (f->frame->version) return PLIANT_OK; // film_add has told why there is none
    for (unsigned i = 0; i < WRITERS && !result && f->reel.frame_count; ++i)
        if (f->formats & 1u << i) result = write_one(f, &writers[i]);
    return result;
}

void film_close(film* f, bool finished)
{
    bool was_open = f->reel.tape != NULL;
    reel_close(&f->reel);
    if (finished && was_open) file_remove(f->reel_path);
}
