#include "export/output.h"
#include "base/platform.h"
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

pliant_result output_plan_read(const char* path, const char* formats, int every, output_plan* out)
{
    *out = (output_plan){.path = path, .every = every};
    pliant_result result = read_formats(formats, out);
    unsigned bit = path ? film_of_path(path) : 0;
    if (bit) *out = (output_plan){.path = path, .film_formats = bit, .every = every};
    return result;
}

pliant_result output_place(output* out, const output_plan* plan)
{
    memset(out, 0, sizeof *out);
    out->plan = *plan;
    bool alone = film_of_path(plan->path);
    pliant_result result =
        alone ? path_extend(plan->path, "", out->base) : path_join(plan->path, "frames", out->base);
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

static pliant_result open_series(output* o, const stage* s, int last)
{
    pliant_result result =
        series_open(&o->series, o->plan.path, o->plan.series_formats, s->scene->dt);
    for (int i = 0; i <= last && !result; i += o->plan.every)
        result = series_skip(&o->series, o->frame, i);
    return result;
}

static pliant_result open_film(output* o, const stage* s, int last)
{
    o->film.stage = s;
    o->film.frame = o->frame;
    o->film.base = o->base;
    o->film.formats = o->plan.film_formats;
    o->film.every = o->plan.every;
    o->film.alone = !o->plan.series_formats && film_of_path(o->plan.path);
    return film_open(&o->film, last < 0 ? 0 : last / o->plan.every + 1);
}

pliant_result output_open(output* o, const stage* s, const frame* f, int last)
{
    pliant_result result = PLIANT_OK;
    o->frame = f;
    if (last < 0) platform_remove_file(o->state_path);
    if (o->plan.series_formats) result = open_series(o, s, last);
    if (!result && o->plan.film_formats) result = open_film(o, s, last);
    if (!result) tidy(o);
    return result;
}

pliant_result output_add(output* o, int number)
{
    pliant_result result = PLIANT_OK;
    if (!output_has(o, number)) return PLIANT_OK;
    if (o->plan.series_formats) result = series_add(&o->series, o->frame, number);
    if (!result && o->plan.film_formats) result = film_add(&o->film);
    return result;
}

pliant_result output_sync(output* o)
{
    pliant_result result = o->plan.series_formats ? platform_sync_folder(o->plan.path) : PLIANT_OK;
    return result || !o->plan.film_formats ? result : reel_sync(&o->film.reel);
}

// The state goes before the reel that it counts on.
pliant_result output_close(output* o, bool finished)
{
    pliant_result result = PLIANT_OK, written = PLIANT_OK;
    if (o->plan.series_formats) result = series_close(&o->series);
    if (o->film.reel.tape) written = film_write(&o->film);
    finished = finished && !result && !written;
    if (finished) platform_remove_file(o->state_path);
    film_close(&o->film, finished);
    return result ? result : written;
}
