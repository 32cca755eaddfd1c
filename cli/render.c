// pliant render: a scene is simulated and drawn.
#include "commands.h"
#include "facts.h"
#include "open.h"
#include "render/album.h"
#include "render/movie.h"
#include "render/png.h"
#include "scene/words.h"
#include "shoot.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int frames, every, threads, substeps; // negative: as the scene says
    int tets;                             // of a model; 0: not given
    const char *out, *by, *arrows, *changes, *map, *range, *clip, *times, *size, *backend, *eye,
        *target;
    double azimuth, elevation, rate, turn; // NaN: as the scene says
    bool smooth, points, quiet;
    style style;
    scene_numbers moments;
    int width, height;
    double from[3], to[3]; // of eye and target
} settings;

// ---- words --------------------------------------------------------------------------------------

static bool read_size(const char* text, settings* out)
{
    char* end = NULL;
    long width = strtol(text, &end, 10), height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    out->width = (int)width;
    out->height = (int)height;
    return *end == 0 && width >= 16 && height >= 16 && width <= 8192 && height <= 8192;
}

// "0.1,0.5,2", each later than the one before.
static bool read_times(const char* text, scene_numbers* out)
{
    for (char* end = NULL; out->count < MOST_TIMES; text = end + 1) {
        double value = strtod(text, &end);
        bool later = out->count == 0 || value >= out->value[out->count - 1];
        if (end == text || !(value >= 0 && value < 1e9) || !later) return false;
        out->value[out->count++] = value;
        if (*end == 0) return true;
        if (*end != ',') return false;
    }
    return false;
}

static bool read_range(const char* text, style* out)
{
    char* end = NULL;
    out->low = strtod(text, &end);
    if (end == text || *end != ':') return false;
    const char* second = end + 1;
    out->high = strtod(second, &end);
    return end != second && *end == 0 && out->high > out->low && isfinite(out->high - out->low);
}

static bool read_point(const char* text, double out[3])
{
    char* end = NULL;
    for (int k = 0; k < 3; ++k, text = end + 1) {
        out[k] = strtod(text, &end);
        if (end == text || !(fabs(out[k]) <= 1e9) || *end != (k < 2 ? ',' : 0)) return false;
    }
    return true;
}

static bool is_png(const char* path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".png") == 0;
}

static int usage(const char* about, const char* why) { return tell_usage("render", about, why); }

static int read_words(settings* set)
{
    pliant_backend backend;
    if (!set->out || (!is_png(set->out) && !movie_is_path(set->out)))
        return usage("--out", "name a .png, .mp4 or .gif");
    if (is_png(set->out) && !png_is_available())
        return usage("--out", "this program was built without libpng");
    if (set->by && !style_by_word(&set->style, set->by))
        return usage(
            "--by",
            "use body, color, cluster, patch, strain, stress, plastic_strain, speed, force or "
            "temperature");
    if (set->arrows && !style_arrows_word(&set->style, set->arrows))
        return usage("--arrows", "use force, contact or none");
    if (set->map && !style_map_word(&set->style, set->map))
        return usage("--map", "use even, jet or apart");
    if (set->clip && !style_clip_word(&set->style, set->clip))
        return usage("--clip", "use x:0.5 or -x:0.5, with x, y or z and a share of the body");
    if (set->range && !read_range(set->range, &set->style))
        return usage("--range", "use LOW:HIGH, two numbers");
    if (set->times && !read_times(set->times, &set->moments))
        return usage("--times", "use up to 8 rising numbers, as in 0.1,0.5,2");
    if (set->size && !read_size(set->size, set)) return usage("--size", "use WxH, 16 to 8192");
    if (!set->eye != !set->target) return usage("--eye and --target", "use both");
    if (set->eye && !(read_point(set->eye, set->from) && read_point(set->target, set->to)))
        return usage("--eye and --target", "use X,Y,Z, three numbers");
    if (set->eye && memcmp(set->from, set->to, sizeof set->from) == 0)
        return usage("--eye and --target", "they are the same place: there is nowhere to look");
    if (set->backend && !backend_of_word(set->backend, &backend))
        return usage("--backend", "use auto, cpu or cuda");
    set->style.wires = !set->smooth;
    set->style.points = set->points;
    return EXIT_DONE;
}

// ---- the command --------------------------------------------------------------------------------

static void choose_camera(const settings* set, scene_camera* c)
{
    if (set->size) c->width = set->width, c->height = set->height;
    movie_fit(set->out, &c->width, &c->height);
    if (set->times) c->times = set->moments;
    for (int k = 0; k < 3 && set->eye; ++k) c->eye[k] = set->from[k], c->target[k] = set->to[k];
    if (isnan(set->azimuth) && isnan(set->elevation)) return;
    for (int k = 0; k < 3; ++k) c->eye[k] = c->target[k] = (double)NAN; // fitted
    if (!isnan(set->azimuth)) c->azimuth = set->azimuth;
    if (!isnan(set->elevation)) c->elevation = set->elevation;
}

static void on_warning(const char* text, void* context)
{
    progress_clear((progress*)context);
    fprintf(stderr, "pliant render: %s\n", text);
}

// Moments that were asked for, and that the run does not reach. Those of the scene are told.
static int check_times(const settings* set, const scene* from)
{
    char why[160];
    int frames = set->frames < 0 ? from->frames : set->frames;
    double end = frames * from->dt,
           last = set->times ? set->moments.value[set->moments.count - 1] : 0;
    if (!set->times && is_png(set->out)) album_warn_of_end(&from->camera, end);
    if (last <= end * (1 + 1e-6)) return EXIT_DONE;
    snprintf(why, sizeof why,
             "%g s is beyond the end of the run at %g s: use --frames %.0f or more", last, end,
             ceil(last / from->dt * (1 - 1e-6)));
    return usage("--times", why);
}

static pliant_result render_scene(const settings* set, const scene* from, progress* bar)
{
    pliant_backend backend = PLIANT_BACKEND_AUTO;
    shot s = shot_of(from, set->out);
    shot_report report;
    s.style = set->style;
    choose_camera(set, &s.camera);
    s.frames = set->frames;
    s.every = set->every;
    s.threads = set->threads;
    s.substeps = set->substeps;
    s.rate = set->rate;
    s.turn = set->turn;
    s.bar = bar;
    if (set->backend && backend_of_word(set->backend, &backend)) s.backend = (int)backend;
    pliant_result result = shoot(&s, &report);
    progress_end(bar);
    if (!result && !set->quiet)
        printf("%s: %d %s of %dx%d, %.2f s to simulate, %.2f s to draw\n", set->out,
               report.pictures, report.pictures == 1 ? "picture" : "pictures", s.camera.width,
               s.camera.height, report.simulated, report.drawn);
    return result;
}

int command_render(int argc, char** argv)
{
    settings set = {.frames = -1,
                    .every = 1,
                    .substeps = -1,
                    .azimuth = (double)NAN,
                    .elevation = (double)NAN,
                    .rate = (double)NAN,
                    .style = style_defaults()};
    const option options[] = {
        {"--out", OPTION_TEXT, &set.out, "FILE", "a .png; or .mp4, .gif by ffmpeg (-o too)"},
        {"--by", OPTION_TEXT, &set.by, "WHAT",
         "colors: body, color, cluster, patch, strain, stress, plastic_strain, speed, force, "
         "temperature"},
        {"--arrows", OPTION_TEXT, &set.arrows, "WHAT",
         "force: on each particle; contact: both ways at contacts between bodies"},
        {"--map", OPTION_TEXT, &set.map, "MAP", "even (to the eye), jet, apart"},
        {"--range", OPTION_TEXT, &set.range, "LOW:HIGH", "of the map; default: that of the values"},
        {"--clip", OPTION_TEXT, &set.clip, "AXIS:SHARE",
         "look inside: x:0.5 removes tets beyond the middle along x, -x:0.5 before it"},
        {"--points", OPTION_SWITCH, &set.points, NULL, "particles instead of surfaces"},
        {"--smooth", OPTION_SWITCH, &set.smooth, NULL, "no edges of triangles"},
        {"--times", OPTION_TEXT, &set.times, "LIST", "[s] moments side by side, as in 0.1,0.5,2"},
        {"--set", OPTION_TEXT, &set.changes, "KEY=VALUE",
         "change the scene, as in 'frames=20; bodies.*.copies=[2,1,1]'"},
        {"--tets", OPTION_INT, &set.tets, "N", "fill a model with about N tets (20000)"},
        {"--frames", OPTION_INT, &set.frames, "N", "simulate so many; a film has them all"},
        {"--every", OPTION_INT, &set.every, "N", "a film has every N-th frame"},
        {"--rate", OPTION_NUMBER, &set.rate, "FPS", "of a film; absent: real time"},
        {"--turn", OPTION_NUMBER, &set.turn, "DEGREES", "the camera goes around during a film"},
        {"--azimuth", OPTION_NUMBER, &set.azimuth, "DEGREES", "a fitted camera, from z toward x"},
        {"--elevation", OPTION_NUMBER, &set.elevation, "DEGREES", "a fitted camera, upward"},
        {"--eye", OPTION_TEXT, &set.eye, "X,Y,Z", "[m] where the camera stands"},
        {"--target", OPTION_TEXT, &set.target, "X,Y,Z", "[m] what it looks at"},
        {"--size", OPTION_TEXT, &set.size, "WxH", "[pixels]"},
        {"--backend", OPTION_TEXT, &set.backend, "NAME", "of the simulation: auto, cpu, cuda"},
        {"--substeps", OPTION_INT, &set.substeps, "N", "per frame; 0: what the bodies need"},
        {"--threads", OPTION_INT, &set.threads, "N", "0: one per core; the same bytes for any"},
        {"--quiet", OPTION_SWITCH, &set.quiet, NULL, "no progress or summary"},
    };
    static const option_range ranges[] = {
        {"--tets", 1, MOST_TETS},  {"--frames", 0, MOST_FRAMES}, {"--every", 1, MOST_FRAMES},
        {"--rate", DBL_MIN, 1000}, {"--turn", -36000, 36000},    {"--azimuth", -360, 360},
        {"--elevation", -89, 89},  {"--substeps", 0, 1000000},   {"--threads", 0, MOST_THREADS},
    };
    const command_help help = {
        .name = "render",
        .words = "SCENE.json|MODEL|NAME",
        .summary =
            "Simulates a scene, a model or - (a scene from the standard input) and draws it, "
            "without a window or a GPU.",
        .option = options,
        .option_count = sizeof options / sizeof options[0],
        .least_words = 1,
        .most_words = 1,
        .range = ranges,
        .range_count = sizeof ranges / sizeof ranges[0]};
    const char* words[MOST_WORDS];
    parsed p = options_parse(&help, argc, argv, words);
    if (p.leave) return p.exit_status;
    int status = read_words(&set);
    if (status) return status;
    progress bar = progress_start("frames", set.quiet);
    pliant_set_log(set.quiet ? NULL : on_warning, &bar);
    scene* from = NULL;
    pliant_result result = open_scene(p.word[0], set.tets, set.changes, &from);
    status = result ? EXIT_DONE : check_times(&set, from);
    if (!result && !status) result = render_scene(&set, from, &bar);
    scene_destroy(from);
    pliant_set_log(NULL, NULL);
    return result ? tell_failure("render") : status;
}
