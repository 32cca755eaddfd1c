#include "serve/recording.h"
#include "base/memory.h"
#include "render/movie.h"
#include "render/picture.h"
#include "system/folder.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

// Of a film about a minute, of which each frame waits in memory.
enum { MOST_FRAMES_OF_FILM = 1800, FRAMES_A_SECOND = 30, MOST_NAMES = 1000 };

static const char* ending_of(recording_kind kind) { return kind == RECORDING_GLB ? "glb" : "mp4"; }

// The scene's name without folders and ending.
static void base_name(const char* name, char out[64])
{
    const char* slash = strrchr(name, '/');
    snprintf(out, 64, "%s", slash ? slash + 1 : name);
    for (char* c = out; *c; ++c)
        if (*c == '.' || *c < '!' || *c > '~') *c = *c == '.' ? 0 : '_';
    if (!out[0]) snprintf(out, 64, "scene");
}

static pliant_result find_name(recording* r, const char* folder)
{
    char base[64];
    base_name(r->session->scene->name, base);
    for (int i = 1; i <= MOST_NAMES; ++i) {
        snprintf(r->name, sizeof r->name, "%s-%d.%s", base, i, ending_of(r->kind));
        int length = snprintf(r->path, sizeof r->path, "%s/%s", folder, r->name);
        if (length < 0 || length >= (int)sizeof r->path)
            return fail(PLIANT_ERROR_FILE, "%.200s: the path is too long", folder);
        if (!file_exists(r->path)) return PLIANT_OK;
    }
    return fail(PLIANT_ERROR_FILE, "%.200s: there are %d recordings of '%s' already", folder,
                MOST_NAMES, base);
}

static pliant_result begin_film(recording* r)
{
    r->frame.lean = true;
    r->film = (film){.stage = &r->session->stage,
                     .frame = &r->frame,
                     .base = r->path,
                     .formats = film_format("glb", 3),
                     .alone = true,
                     .every = r->every};
    return film_open(&r->film, 0);
}

static pliant_result begin_album(recording* r)
{
    const style how = style_defaults();
    scene_camera camera = r->session->scene->camera;
    pliant_result result = movie_check(r->path);
    if (result) return result;
    camera.width = 960;
    camera.height = 540;
    return album_open(&r->album, &r->session->stage, &r->frame, &how, &camera);
}

static void release(recording* r)
{
    if (r->kind == RECORDING_MP4) album_release(&r->album);
    if (r->kind == RECORDING_GLB && r->film.stage) film_close(&r->film, true);
    frame_destroy(&r->frame);
    memset(r, 0, sizeof *r);
}

pliant_result recording_begin(recording* r, const session* s, recording_kind kind,
                              const char* folder)
{
    *r = (recording){.kind = kind, .session = s};
    r->every = (int)fmax(1, floor(1 / (FRAMES_A_SECOND * s->scene->dt) + 0.5));
    pliant_result result = folder_make(folder);
    if (!result) result = find_name(r, folder);
    if (!result) result = frame_create(&s->stage, &r->frame);
    if (!result) result = kind == RECORDING_GLB ? begin_film(r) : begin_album(r);
    if (!result) result = recording_add(r);
    if (result) release(r);
    return result;
}

pliant_result recording_add(recording* r)
{
    if (r->kind == RECORDING_NONE || r->steps++ % r->every) return PLIANT_OK;
    if (r->frames >= MOST_FRAMES_OF_FILM)
        return fail(PLIANT_ERROR_UNSUPPORTED, "a recording has %d frames at most: it ends here",
                    MOST_FRAMES_OF_FILM);
    pliant_result result = frame_update(&r->frame, &r->session->stage);
    if (!result) result = r->kind == RECORDING_GLB ? film_add(&r->film) : album_keep(&r->album);
    r->frames += !result;
    return result;
}

static pliant_result draw_film(recording* r)
{
    album* a = &r->album;
    movie out_movie = {0};
    double rate = 1 / (r->session->scene->dt * r->every);
    pliant_result result = movie_open(&out_movie, r->path, a->camera.width, a->camera.height, rate);
    if (result) return result;
    for (int i = 0; i < a->moment_count && !result; ++i) {
        image out = {a->camera.width, a->camera.height, NULL};
        result = album_draw(a, i, 1, 0, &out);
        if (!result) result = movie_add(&out_movie, &out);
        mem_free(out.rgb);
    }
    pliant_result closed = movie_close(&out_movie, !result);
    return result ? result : closed;
}

pliant_result recording_end(recording* r, bool keep)
{
    pliant_result result = PLIANT_OK;
    if (keep && r->kind == RECORDING_GLB) result = film_write(&r->film);
    if (keep && r->kind == RECORDING_MP4) result = draw_film(r);
    if (r->kind != RECORDING_NONE) release(r);
    return result;
}
