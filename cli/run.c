// pliant run: a scene is simulated frame by frame, with files, a picture and a report.
#include "base/platform.h"
#include "commands.h"
#include "export/film.h"
#include "export/series.h"
#include "load.h"
#include "open.h"
#include "progress.h"
#include "render/picture.h"
#include "report.h"
#include "scene/words.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int frames, threads, lanes, substeps, iterations, every; // negative: as the scene says
    const char *out, *format, *picture;
    const char* backend; // NULL: as the scene says
    bool json, quiet, list, scene_help;
} settings;

// Everything of one run.
typedef struct {
    const settings* set;
    scene* scene;
    stage stage;
    frame frame;
    series series;
    film film; // instead, where --out is that of a film
    bool is_filmed;
    picture picture;
    progress progress;
    int frames;
} run;

static volatile sig_atomic_t interrupted;

// The second time the program ends at once.
static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

static void on_warning(pliant_log_level level, const char* text, void* context)
{
    if (level != PLIANT_LOG_WARNING) return;
    progress_clear((progress*)context);
    fprintf(stderr, "pliant run: %s\n", text);
}

static int complain(const char* text)
{
    fprintf(stderr, "pliant run: %s\n", text);
    return EXIT_FAILED;
}

// ---- frames -------------------------------------------------------------------------------------

static bool is_written(const run* r, int number)
{
    return r->set->out && number % r->set->every == 0;
}

static pliant_result keep_frame(run* r, int number, double time)
{
    bool write = is_written(r, number);
    if (!write && !r->set->picture) return PLIANT_OK;
    pliant_result result = frame_update(&r->frame, &r->stage);
    if (!result && write)
        result = r->is_filmed ? film_add(&r->film, &r->frame, time)
                              : series_add(&r->series, &r->frame, number, time);
    if (!result && r->set->picture) result = picture_note(&r->picture, &r->frame, time);
    return result;
}

// A GPU is waited for where its frame is needed, and at the end. Moving pins wait for it too: their
// time counts.
static pliant_result step(const run* r, int number, bool wait, double* out_seconds)
{
    double dt = r->scene->dt, start = platform_seconds();
    stage_drive(&r->stage, (number - 1) * dt, dt);
    pliant_result result = pliant_world_step(r->stage.world, (float)dt);
    if (wait && !result) result = pliant_world_wait(r->stage.world);
    *out_seconds = platform_seconds() - start;
    return result;
}

static pliant_result do_frame(run* r, int number, double* out_seconds)
{
    double dt = r->scene->dt;
    bool wait = r->set->json || r->set->picture || is_written(r, number) || number == r->frames;
    pliant_result result = step(r, number, wait, out_seconds);
    if (result) return result;
    if (r->set->json) report_frame(&r->stage, number, number * dt, *out_seconds);
    return keep_frame(r, number, number * dt);
}

static pliant_result do_frames(run* r, run_report* report)
{
    pliant_result result = keep_frame(r, 0, 0);
    for (int i = 1; i <= r->frames && !result && !interrupted; ++i) {
        double seconds;
        result = do_frame(r, i, &seconds);
        report->seconds += seconds;
        if (result) break;
        report->frames = i;
        report->simulated = i * r->scene->dt;
        progress_show(&r->progress, i, r->frames);
    }
    report->interrupted = interrupted != 0;
    return result || !interrupted ? result : pliant_world_wait(r->stage.world);
}

// ---- the run ------------------------------------------------------------------------------------

static pliant_result prepare(run* r, const char* name)
{
    const settings* set = r->set;
    pliant_backend backend = PLIANT_BACKEND_AUTO;
    bool chosen = set->backend && backend_of_word(set->backend, &backend);
    const stage_options options = {set->threads,
                                   set->lanes,
                                   set->substeps,
                                   set->iterations,
                                   chosen ? (int)backend : -1,
                                   load_mesh,
                                   set->out || set->picture ? load_bytes : NULL};
    unsigned formats = series_formats(set->format);
    pliant_result result = open_scene(name, &r->scene);
    if (!result) result = stage_create(r->scene, &options, &r->stage);
    if (result) return result;
    r->frames = set->frames < 0 ? r->scene->frames : set->frames;
    if (set->out || set->picture) result = frame_create(&r->stage, &r->frame);
    r->is_filmed = set->out && film_is_path(set->out);
    // What is on a GPU stays there but for its surface.
    r->frame.lean = !set->out || r->is_filmed || !series_needs_particles(formats);
    if (!result && r->is_filmed)
        result = film_open(&r->film, &r->stage, &r->frame, set->out);
    else if (!result && set->out)
        result = series_open(&r->series, set->out, formats);
    if (!result && set->picture) picture_begin(&r->picture, &r->scene->camera);
    return result;
}

// The frames and what remains of them, whatever happened on the way.
static pliant_result perform(run* r, run_report* report, char problem[1024])
{
    r->progress = progress_start("frames", r->set->quiet);
    pliant_set_log(r->set->quiet ? NULL : on_warning, &r->progress);
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    pliant_result result = do_frames(r, report);
    progress_end(&r->progress);
    if (result) snprintf(problem, 1024, "%s", pliant_error_text());
    pliant_result closed = PLIANT_OK;
    if (r->set->out)
        closed = r->is_filmed ? film_close(&r->film, &r->frame) : series_close(&r->series);
    if (!closed && r->set->picture)
        closed = picture_write(&r->picture, &r->stage, &r->frame, r->set->picture);
    if (!result && closed) snprintf(problem, 1024, "%s", pliant_error_text());
    return result ? result : closed;
}

static int conclude(const run* r, run_report* report, pliant_result result, const char* problem)
{
    if (result) report->problem = problem;
    if (r->set->json)
        report_end_json(report);
    else if (!r->set->quiet)
        report_end(report);
    if (result) return complain(problem);
    if (!report->interrupted) return EXIT_DONE;
    fprintf(stderr, "pliant run: interrupted after %d of %d frames; what is written is whole\n",
            report->frames, r->frames);
    return EXIT_FAILED;
}

static void release(run* r)
{
    if (r->set->picture) picture_release(&r->picture);
    frame_destroy(&r->frame);
    if (r->scene) stage_destroy(&r->stage);
    scene_destroy(r->scene);
}

static int run_scene(const settings* set, const char* name)
{
    run r = {.set = set};
    char problem[1024] = "";
    int status;
    if (prepare(&r, name)) {
        status = complain(pliant_error_text());
    } else {
        run_report report = {.scene = name, .stage = &r.stage};
        pliant_result result = perform(&r, &report, problem);
        status = conclude(&r, &report, result, problem);
    }
    pliant_set_log(NULL, NULL);
    release(&r);
    return status;
}

static int usage(const char* text)
{
    fprintf(stderr, "pliant run: %s (pliant run --help lists the options)\n", text);
    return EXIT_USAGE;
}

static int check_settings(const settings* set)
{
    pliant_backend backend;
    if (set->frames < -1 || set->threads < -1 || set->substeps < -1 || set->iterations < -1)
        return usage("--frames, --threads, --substeps, --iterations: no negative numbers");
    if (set->every < 1) return usage("--every: 1 or more is needed");
    if (!series_formats(set->format)) return usage(pliant_error_text());
    if (set->backend && !backend_of_word(set->backend, &backend))
        return usage("--backend: use auto, cpu or cuda");
    if (set->picture && !picture_is_available())
        return usage("--picture: this program was built without libpng");
    return EXIT_DONE;
}

int command_run(int argc, char** argv)
{
    settings set = {.frames = -1,
                    .threads = -1,
                    .lanes = -1,
                    .substeps = -1,
                    .iterations = -1,
                    .every = 1,
                    .format = "vtu"};
    const option options[] = {
        {"--frames", OPTION_INT, &set.frames, "N", "how many, instead of the scene's number"},
        {"--out", OPTION_TEXT, &set.out, "DIR|FILE",
         "folder for the frames, or FILE.glb: a film with textures (-o too)"},
        {"--format", OPTION_TEXT, &set.format, "LIST", "of the frames: vtu,obj,ply; vtu if absent"},
        {"--every", OPTION_INT, &set.every, "N", "write every N-th frame"},
        {"--picture", OPTION_TEXT, &set.picture, "FILE.png",
         "draw the scene at the end, or at "
         "its camera's times"},
        {"--backend", OPTION_TEXT, &set.backend, "NAME",
         "cpu, cuda, or auto: a GPU, if there is one, from 20000 tets on"},
        {"--threads", OPTION_INT, &set.threads, "N", "0: one per core"},
        {"--lanes", OPTION_INT, &set.lanes, "N", "constraints at once: 1, 4, 8, 16; 0: the widest"},
        {"--substeps", OPTION_INT, &set.substeps, "N", "per frame; 0: what the bodies need"},
        {"--iterations", OPTION_INT, &set.iterations, "N", "sweeps per substep"},
        {"--json", OPTION_SWITCH, &set.json, NULL, "a line of JSON per frame, and one at the end"},
        {"--quiet", OPTION_SWITCH, &set.quiet, NULL, "no progress, warnings or summary"},
        {"--list", OPTION_SWITCH, &set.list, NULL, "the scenes that the program brings along"},
        {"--scene-help", OPTION_SWITCH, &set.scene_help, NULL, "all keys of scene files"},
    };
    const command_help help = {"run",
                               "SCENE.json|MODEL|NAME",
                               "Simulates a scene: a file, or one of the program's own. A model "
                               "(.obj, .glb, ...) is filled with tets and falls on the ground.",
                               options,
                               sizeof options / sizeof options[0],
                               0,
                               1};
    const char* words[MOST_WORDS];
    parsed p = options_parse(&help, argc, argv, words);
    if (p.leave) return p.exit_status;
    if (set.scene_help) scene_print_help();
    if (set.list) list_scenes();
    if (set.scene_help || set.list) return EXIT_DONE;
    if (p.count == 0) return usage("a scene is missing; pliant run --list shows some");
    int status = check_settings(&set);
    return status ? status : run_scene(&set, p.word[0]);
}
