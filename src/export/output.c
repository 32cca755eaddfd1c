#include "export/output.h"
#include "base/platform.h"
#include "export/liquids.h"
#include "system/folder.h"
#include <string.h>

static pliant_result read_formats(const char* list, output_plan* out)
{
    for (const char* at = list;; ++at) {
        size_t length = strcspn(at, ",");
        unsigned of_frames = series_format(at, length), of_films = film_format(at, length);
        if (!of_frames && !of_films)
            return fail(PLIANT_ERROR_ARGUMENT, "'%.*s' is not a format of frames; use %s, %s",
                        length < 40 ? (int)length : 40, at, series_format_list(),
                        film_format_list());
        out->series_formats |= of_frames;
        out->film_formats |= of_films;
        at += length;
        if (*at == 0) return PLIANT_OK;
    }
}

// What else people may want by an extension, and what to type instead.
static pliant_result refuse_path(const char* path)
{
    const char* ending = path_ending(path);
    static const char* const drawn[] = {".png", ".mp4", ".gif"};
    for (int i = 0; i < 3; ++i)
        if (strcmp(ending, drawn[i]) == 0)
            return fail(PLIANT_ERROR_ARGUMENT,
                        "--out: %s files are drawn: pliant render SCENE -o %.300s", ending, path);
    if (series_format(ending + 1, strlen(ending + 1)))
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "--out: %s files hold one frame each and go into a folder: --out FOLDER --format %s",
            ending, ending + 1);
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "--out: '%.100s' is no format of a run: use one of %s as the extension, or a folder, "
        "%.300s/, with --format %s, %s",
        ending, film_format_list(), path, series_format_list(), film_format_list());
}

pliant_result output_plan_read(const char* path, const char* formats, int every, output_plan* out)
{
    *out = (output_plan){.path = path, .every = every};
    if (path && !path[0])
        return fail(PLIANT_ERROR_ARGUMENT, "--out: the name is empty: name a folder or a file");
    pliant_result result = read_formats(formats ? formats : "vtu", out);
    if (result || !path || path_means_folder(path)) return result;
    unsigned format = film_of_path(path);
    if (!format) return refuse_path(path);
    if (formats && (out->film_formats != format || out->series_formats))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "--format: %.300s is one file; other formats go into a folder: --out FOLDER",
                    path);
    *out = (output_plan){.path = path, .film_formats = format, .alone = true, .every = every};
    return PLIANT_OK;
}

pliant_result output_place(output* out, const output_plan* plan)
{
    memset(out, 0, sizeof *out);
    out->plan = *plan;
    pliant_result result = plan->alone ? path_extend(plan->path, "", out->base)
                                       : path_join(plan->path, "frames", out->base);
    return result ? result : path_extend(out->base, ".state", out->state_path);
}

static void tidy(const output* o)
{
    char stem[PATH_BYTES];
    const char *name = path_name(o->base), *dot = strrchr(name, '.');
    bool alone = o->film.alone && dot;
    memcpy(stem, name, strlen(name) + 1);
    stem[alone ? dot - name : 0] = 0;
    path_tidy(o->base, stem);
}

static pliant_result open_series(output* o, const stage* s, int first)
{
    pliant_result result =
        series_open(&o->series, o->plan.path, o->plan.series_formats, s->scene->dt);
    for (int i = 0; i < first && !result; i += o->plan.every)
        result = series_skip(&o->series, o->frame, i);
    return result;
}

static pliant_result open_film(output* o, const stage* s)
{
    o->film.stage = s;
    o->film.frame = o->frame;
    o->film.base = o->base;
    o->film.formats = o->plan.film_formats;
    o->film.every = o->plan.every;
    o->film.alone = o->plan.alone;
    return film_open(&o->film, o->frames);
}

pliant_result output_open(output* o, const stage* s, const frame* f, int first)
{
    pliant_result result = PLIANT_OK;
    o->frame = f;
    o->frames = (first + o->plan.every - 1) / o->plan.every;
    if (first == 0) file_remove(o->state_path);
    if (o->plan.series_formats) result = open_series(o, s, first);
    if (o->plan.film_formats && liquids_any(o->frame))
        warn("films hold the particles of liquids: their surfaces, which have other triangles in "
             "every "
             "frame, are in --format vtu, obj and ply");
    if (!result && o->plan.film_formats) result = open_film(o, s);
    if (!result) tidy(o);
    return result;
}

pliant_result output_add(output* o, int number)
{
    pliant_result result = PLIANT_OK;
    if (!output_has(o, number)) return PLIANT_OK;
    if (o->plan.series_formats) result = series_add(&o->series, o->frame, number);
    if (!result && o->plan.film_formats) result = film_add(&o->film);
    if (result) return result;
    o->frames++;
    o->last = number;
    return PLIANT_OK;
}

pliant_result output_sync(output* o)
{
    pliant_result result = o->plan.series_formats ? folder_sync(o->plan.path) : PLIANT_OK;
    return result || !o->plan.film_formats ? result : reel_sync(&o->film.reel);
}

pliant_result output_write(output* o)
{
    pliant_result result = PLIANT_OK, written = PLIANT_OK;
    if (o->plan.series_formats) result = series_close(&o->series);
    if (o->film.reel.tape) written = film_write(&o->film);
    return result ? result : written;
}

// The state goes before the reel that it counts on.
void output_close(output* o, bool finished)
{
    if (finished) file_remove(o->state_path);
    film_close(&o->film, !file_exists(o->state_path));
    if (finished && o->plan.series_formats)
        o->older = series_remove_older(&o->series, o->frame, o->last, o->plan.every);
}

void output_print(const output* o, FILE* out)
{
    if (o->plan.series_formats) series_print(&o->series, o->frames, o->last, out);
    if (o->plan.film_formats) film_print(&o->film, o->frames, out);
}
