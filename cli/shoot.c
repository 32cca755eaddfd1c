#include "shoot.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/path.h"
#include "load.h"
#include "render/album.h"
#include "render/movie.h"
#include <math.h>
#include <stdio.h>

// Everything of one shot.
typedef struct {
    const shot* shot;
    stage stage;
    frame frame;
    album album;
    bool is_film;
} shooting;

shot shot_of(const scene* s, const char* out)
{
    shot made = {.scene = s, .camera = s->camera, .out = out, .style = style_defaults()};
    made.frames = made.substeps = made.backend = -1;
    made.every = 1;
    made.rate = (double)NAN;
    return made;
}

static void show(const shooting* r, int done, int all)
{
    if (r->shot->bar) progress_show(r->shot->bar, done, all);
}

// ---- moments ------------------------------------------------------------------------------------

static int frame_count(const shot* s) { return s->frames < 0 ? s->scene->frames : s->frames; }

static pliant_result prepare(shooting* r)
{
    const shot* s = r->shot;
    r->is_film = movie_is_path(s->out);
    pliant_result result = path_try(s->out);
    if (!result && r->is_film) result = movie_check(s->out);
    if (result) return result;
    const stage_options options = {s->threads, -1,        s->substeps, -1,
                                   s->backend, load_mesh, load_bytes};
    result = stage_create(s->scene, &options, &r->stage);
    if (result) return result;
    result = frame_create(&r->stage, &r->frame);
    r->frame.lists_contacts = s->style.arrows == ARROWS_CONTACT;
    if (s->bar) progress_restart(s->bar);
    return result ? result : album_open(&r->album, &r->stage, &r->frame, &s->style, &s->camera);
}

// Films have every so-many-th frame; pictures the camera's moments, or the end.
static pliant_result note(shooting* r, int number)
{
    const scene_numbers* wanted = &r->album.camera.times;
    double time = number * r->shot->scene->dt * (1 + 1e-6);
    bool due = r->is_film ? number % r->shot->every == 0
                          : r->album.moment_count < wanted->count &&
                                time >= wanted->value[r->album.moment_count];
    bool last = number == frame_count(r->shot) && !r->is_film && wanted->count == 0;
    pliant_result result = frame_update(&r->frame, &r->stage);
    return !result && (due || last) ? album_keep(&r->album) : result;
}

// Nothing is simulated beyond the last moment.
static int last_frame(const shooting* r)
{
    const scene_numbers* wanted = &r->album.camera.times;
    int frames = frame_count(r->shot);
    if (r->is_film || wanted->count == 0) return frames;
    double end = ceil(wanted->value[wanted->count - 1] / r->shot->scene->dt * (1 - 1e-6));
    return end < frames ? (int)end : frames;
}

// A body that leaves the finite numbers is shown where it was before.
static pliant_result simulate(shooting* r)
{
    double dt = r->shot->scene->dt;
    int last = last_frame(r);
    pliant_result result = note(r, 0);
    for (int i = 1; i <= last && !result; ++i) {
        result = stage_drive(&r->stage, (i - 1) * dt, dt);
        if (!result) result = pliant_world_step(r->stage.world, (float)dt);
        if (!result) result = note(r, i);
        show(r, i, last);
    }
    // A scene that ends before its moments shows its end.
    if (!result && !r->is_film && r->album.moment_count < r->album.camera.times.count)
        result = album_keep(&r->album);
    return result;
}

// ---- files --------------------------------------------------------------------------------------

static pliant_result write_picture(const shooting* r)
{
    const album* a = &r->album;
    image out = {a->camera.width, a->camera.height, NULL};
    pliant_result result = album_draw(a, 0, a->moment_count, r->shot->threads, &out);
    if (!result) result = png_write(&out, r->shot->out);
    mem_free(out.rgb);
    return result;
}

static pliant_result write_film(shooting* r)
{
    album* a = &r->album;
    const shot* s = r->shot;
    movie film = {0};
    if (s->bar) progress_restart(s->bar);
    double rate = isnan(s->rate) ? 1 / (s->scene->dt * s->every) : s->rate;
    pliant_result result = movie_open(&film, s->out, a->camera.width, a->camera.height, rate);
    if (result) return result;
    a->goes_around = s->turn != 0;
    for (int i = 0; i < a->moment_count && !result; ++i) {
        image out = {a->camera.width, a->camera.height, NULL};
        result = album_draw(a, i, 1, s->threads, &out);
        if (!result) result = movie_add(&film, &out);
        mem_free(out.rgb);
        album_turn(a, s->turn / a->moment_count);
        show(r, i + 1, a->moment_count);
    }
    char problem[1024];
    snprintf(problem, sizeof problem, "%s", pliant_error_text());
    pliant_result closed = movie_close(&film, !result);
    return result ? fail(result, "%s", problem) : closed;
}

pliant_result shoot(const shot* s, shot_report* out_report)
{
    shooting r = {.shot = s};
    double start = platform_seconds();
    pliant_result result = prepare(&r);
    if (!result) result = simulate(&r);
    double simulated = platform_seconds();
    if (!result && !r.is_film) album_turn(&r.album, s->turn);
    if (!result) result = r.is_film ? write_film(&r) : write_picture(&r);
    if (out_report)
        *out_report =
            (shot_report){r.album.moment_count, simulated - start, platform_seconds() - simulated};
    album_release(&r.album);
    frame_destroy(&r.frame);
    stage_destroy(&r.stage);
    return result;
}
