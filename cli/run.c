// pliant run: a scene is simulated frame by frame, with files, a picture and a report.
#include "base/platform.h"
#include "commands.h"
#include "export/checkpoint.h"
#include "export/probe_file.h"
#include "findings.h"
#include "load.h"
#include "open.h"
#include "plot.h"
#include "progress.h"
#include "render/picture.h"
#include "report.h"
#include "scene/words.h"
#include "stats.h"
#include "touch.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int frames, threads, lanes, substeps, iterations;      // negative: as the scene says
    int every, tets;                                       // 0: not given
    const char *out, *format, *picture, *probes, *changes; // NULL: not given
    const char* backend;                                   // NULL: as the scene says
    double keep; // [s] from state to state that the run could go on from; negative: not given
    bool resume, stats, json, quiet, list, scene_help;
} settings;

// Everything of one run.
typedef struct {
    const settings* set;
    scene* scene;
    stage stage;
    frame frame;
    output output; // where --out is given
    run_identity who;
    double last_kept; // seconds of the clock
    int kept;         // the step of the state that is on the disk; -1: there is none
    bool unwritten;   // a frame could not be written, but the state is good
    picture picture;
    probes probes;
    probe_file probe_file; // where --probes is given
    progress progress;
    stats stats;
    int first, frames; // the frame it goes on from, and the last
} run;

static volatile sig_atomic_t interrupted;

// The second time the program ends at once.
static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

static void on_warning(const char* text, void* context)
{
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
    return r->set->out && output_has(&r->output, number);
}

static pliant_result write_frame(run* r, int number, double time)
{
    bool write = is_written(r, number);
    if (!write && !r->set->picture) return PLIANT_OK;
    pliant_result result = frame_update(&r->frame, &r->stage);
    if (!result && write) result = output_add(&r->output, number);
    if (!result && r->set->picture) result = picture_note(&r->picture, &r->stage, &r->frame, time);
    return result;
}

// What the probes measure now, and its line in their file. A run that goes on has the first
// already.
static pliant_result measure(run* r, int number)
{
    if (r->probes.count == 0) return PLIANT_OK;
    pliant_result result = probes_update(&r->probes, r->scene->dt);
    bool there = number == r->first && r->first > 0;
    if (result || !r->probe_file.tape || there) return result;
    return probe_file_add(&r->probe_file, number * r->scene->dt);
}

// What is written is on the disk before the state that counts on it.
static pliant_result keep_state(run* r, int number)
{
    pliant_result result = output_sync(&r->output);
    if (!result) result = probe_file_sync(&r->probe_file);
    const frame* shown = is_written(r, number) ? &r->frame : NULL;
    if (!result) result = checkpoint_save(&r->stage, &r->who, number, shown, r->output.state_path);
    r->last_kept = platform_seconds();
    if (!result) r->kept = number;
    return result;
}

// After files could not be written: what is there can be used, once there is room. The reason why
// they could not stays the one that is told.
static void keep_what_is_there(run* r, int number)
{
    char problem[1024];
    snprintf(problem, sizeof problem, "%s", pliant_error_text());
    keep_state(r, number);
    fail(PLIANT_ERROR_FILE, "%s", problem);
}

// A GPU is waited for where its frame is needed, and at the end. Moving pins wait for it too: their
// time counts.
static pliant_result step(const run* r, int number, bool wait, double* out_seconds)
{
    double dt = r->scene->dt, start = platform_seconds();
    pliant_result result = stage_drive(&r->stage, (number - 1) * dt, dt);
    if (!result) result = pliant_world_step(r->stage.world, (float)dt);
    if (wait && !result) result = pliant_world_wait(r->stage.world);
    *out_seconds = platform_seconds() - start;
    return result;
}

static double keep_seconds(const settings* set) { return set->keep < 0 ? 10 : set->keep; }

static pliant_result do_frame(run* r, int number, double* out_seconds)
{
    double dt = r->scene->dt;
    bool wait = r->set->json || r->set->picture || r->probes.count || is_written(r, number) ||
                number == r->frames;
    pliant_result result = step(r, number, wait, out_seconds);
    if (result) return result;
    result = measure(r, number);
    if (result) return result;
    if (r->set->json) report_frame(&r->stage, &r->probes, number, number * dt, *out_seconds);
    if (ferror(stdout))
        return fail(PLIANT_ERROR_FILE, "the run has ended: its lines cannot be written");
    double start = platform_seconds();
    result = write_frame(r, number, number * dt);
    if (result) r->unwritten = true;
    bool due = r->set->out && platform_seconds() - r->last_kept >= keep_seconds(r->set);
    if (!result && due) result = keep_state(r, number);
    stats_add(&r->stats, *out_seconds, platform_seconds() - start);
    return result;
}

static void show_progress(run* r, int number)
{
    char lines[512] = "";
    stats_sample(&r->stats, number == r->frames);
    if (r->stats.stage && progress_is_due(&r->progress))
        stats_format(&r->stats, lines, sizeof lines);
    progress_show_with(&r->progress, number - r->first, r->frames - r->first, lines);
}

static pliant_result do_frames(run* r, run_report* report)
{
    pliant_result result = measure(r, r->first);
    if (!result && r->set->json && r->first == 0) report_frame(&r->stage, &r->probes, 0, 0, 0);
    if (!result) result = write_frame(r, r->first, r->first * r->scene->dt);
    report->frames = r->first;
    report->simulated = report->before = r->first * r->scene->dt;
    r->last_kept = platform_seconds();
    stats_sample(&r->stats, true);
    for (int i = r->first + 1; i <= r->frames && !result && !interrupted; ++i) {
        double seconds;
        result = do_frame(r, i, &seconds);
        report->seconds += seconds;
        if (result && r->unwritten && r->set->out) keep_what_is_there(r, i);
        if (result) break;
        report->frames = i;
        report->simulated = i * r->scene->dt;
        show_progress(r, i);
    }
    report->interrupted = interrupted != 0;
    if (result || !interrupted) return result;
    result = pliant_world_wait(r->stage.world);
    return result || !r->set->out ? result : keep_state(r, report->frames);
}

// ---- the run ------------------------------------------------------------------------------------

// The state of a run that was cut off, if there is one.
static pliant_result resume(run* r)
{
    int last = -1;
    const char* path = r->output.state_path;
    pliant_result result = checkpoint_restore(&r->stage, &r->who, path, &r->frame, &last);
    if (result) return result;
    if (last > r->frames)
        return fail(PLIANT_ERROR_ARGUMENT, "%.300s: the run is at frame %d already, beyond %d",
                    path, last, r->frames);
    r->first = last < 0 ? 0 : last;
    r->kept = last;
    if (r->set->quiet) return PLIANT_OK;
    if (last < 0)
        fprintf(stderr, "pliant run: nothing to resume (no %s): starting at frame 0\n", path);
    else
        fprintf(stderr, "pliant run: going on from frame %d of %d\n", last, r->frames);
    return PLIANT_OK;
}

static pliant_result open_output(run* r, const output_plan* plan, const stage_options* options)
{
    pliant_result result = output_place(&r->output, plan);
    r->who = identity_of(&r->stage, options, plan);
    if (!result && r->set->resume) result = resume(r);
    return result ? result : output_open(&r->output, &r->stage, &r->frame, r->first);
}

// A scene with probes that nobody asks for gets a word.
static pliant_result open_probes(run* r)
{
    const settings* set = r->set;
    if (r->scene->probes.count && !set->probes && !set->json)
        warn("the scene has probes: --probes FILE.csv writes what they measure");
    if (!set->probes && !set->json) return PLIANT_OK;
    pliant_result result = probes_create(&r->stage, set->probes != NULL, &r->probes);
    if (result || !set->probes) return result;
    return probe_file_open(&r->probe_file, &r->probes, set->probes, r->first);
}

static pliant_result read_plan(const settings* set, output_plan* out)
{
    return output_plan_read(set->out, set->format, set->every ? set->every : 1, out);
}

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
    output_plan plan;
    pliant_result result = read_plan(set, &plan);
    if (!result && set->picture) result = path_try(set->picture);
    if (!result && set->probes) result = path_try(set->probes);
    if (!result) result = open_scene(name, set->tets, set->changes, &r->scene);
    if (!result) result = stage_create(r->scene, &options, &r->stage);
    if (result) return result;
    r->frames = set->frames < 0 ? r->scene->frames : set->frames;
    if (set->json) result = touch_measure(&r->stage);
    if (!result && (set->out || set->picture)) result = frame_create(&r->stage, &r->frame);
    // What is on a GPU stays there but for its surface.
    r->frame.lean = !set->out || !series_needs_particles(plan.series_formats);
    r->frame.lists_contacts = set->out && series_needs_contacts(plan.series_formats);
    if (!result && set->out) result = open_output(r, &plan, &options);
    if (!result) result = open_probes(r);
    if (!result && set->picture) {
        album_warn_of_end(&r->scene->camera, r->frames * r->scene->dt);
        picture_begin(&r->picture, &r->scene->camera);
    }
    return result;
}

// The frames and what remains of them, whatever happened on the way.
static pliant_result perform(run* r, run_report* report, char problem[1024])
{
    r->progress = progress_start("frames", r->set->quiet);
    stats_begin(&r->stats, r->set->stats && !r->set->quiet ? &r->stage : NULL);
    if (!r->set->quiet && !r->first) findings_warn(&r->stage);
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    pliant_result result = do_frames(r, report);
    progress_end(&r->progress);
    if (result) snprintf(problem, 1024, "%s", pliant_error_text());
    pliant_result closed = PLIANT_OK;
    if (r->set->out) {
        closed = output_write(&r->output);
        if (closed) keep_what_is_there(r, report->frames);
        r->unwritten = r->unwritten || closed;
        output_close(&r->output, !result && !closed && !report->interrupted);
    }
    if (!closed && r->set->picture)
        closed = picture_write(&r->picture, &r->stage, &r->frame, r->set->picture);
    if (!result && closed) snprintf(problem, 1024, "%s", pliant_error_text());
    return result ? result : closed;
}

static void print_files(const run* r, FILE* out)
{
    if (r->set->out) output_print(&r->output, out);
    if (r->set->out && r->output.older)
        fprintf(out,
                "  removed what an earlier run left in %s: %d %s of frames that this one has not\n",
                r->set->out, r->output.older, r->output.older == 1 ? "file" : "files");
    if (r->set->picture) fprintf(out, "  wrote %s\n", r->set->picture);
    if (r->set->probes)
        fprintf(out, "  wrote %s (%d %s)\n", r->set->probes, r->probes.count,
                r->probes.count == 1 ? "probe" : "probes");
}

static int conclude(const run* r, run_report* report, pliant_result result, const char* problem)
{
    if (result) report->problem = problem;
    if (r->set->json)
        report_end_json(report);
    else if (!r->set->quiet)
        report_end(report);
    if (!r->set->quiet && !result) print_files(r, r->set->json ? stderr : stdout);
    stats_print(&r->stats, r->set->json ? stderr : stdout, plot_has_unicode());
    if (result && r->unwritten && r->kept >= 0)
        fprintf(stderr, "pliant run: --resume goes on from frame %d\n", r->kept);
    if (result) return complain(problem);
    if (!report->interrupted) return EXIT_DONE;
    fprintf(stderr, "pliant run: interrupted after %d of %d frames%s\n", report->frames, r->frames,
            r->set->out ? "; what is written is whole, and --resume goes on" : "");
    return EXIT_FAILED;
}

static void release(run* r)
{
    stats_release(&r->stats);
    if (r->set->picture) picture_release(&r->picture);
    probe_file_close(&r->probe_file);
    probes_destroy(&r->probes);
    frame_destroy(&r->frame);
    if (r->scene) stage_destroy(&r->stage);
    scene_destroy(r->scene);
}

static int run_scene(const settings* set, const char* name)
{
    run r = {.set = set, .kept = -1};
    char problem[1024] = "";
    int status;
    pliant_set_log(set->quiet ? NULL : on_warning, &r.progress);
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
    output_plan plan;
    if (set->lanes > 1 && set->lanes != 4 && set->lanes != 8 && set->lanes != 16)
        return usage("--lanes: use 0, 1, 4, 8 or 16");
    if (set->resume && !set->out) return usage("--resume: --out tells where the run was");
    if (!set->out && (set->format || set->every || set->keep >= 0))
        return usage("--format, --every, --keep: nothing is written without --out FOLDER");
    if (read_plan(set, &plan)) return usage(pliant_error_text());
    if (set->resume && set->picture)
        return usage("--resume: no picture can be drawn of frames that were simulated before");
    if (set->backend && !backend_of_word(set->backend, &backend))
        return usage("--backend: use auto, cpu or cuda");
    if (set->picture && strcmp(path_ending(set->picture), ".png") != 0)
        return usage("--picture: only .png is drawn: name a FILE.png");
    if (set->probes && strcmp(path_ending(set->probes), ".csv") != 0)
        return usage("--probes: comma-separated values are written: name a FILE.csv");
    if (set->picture && !picture_is_available())
        return usage("--picture: this program was built without libpng");
    return EXIT_DONE;
}

int command_run(int argc, char** argv)
{
    settings set = {
        .frames = -1, .threads = -1, .lanes = -1, .substeps = -1, .iterations = -1, .keep = -1};
    const option options[] = {
        {"--frames", OPTION_INT, &set.frames, "N", "how many, instead of the scene's number"},
        {"--set", OPTION_TEXT, &set.changes, "KEY=VALUE",
         "change the scene, as in 'frames=20; bodies.*.copies=[2,1,1]'"},
        {"--tets", OPTION_INT, &set.tets, "N", "fill a model with about N tets (20000)"},
        {"--out", OPTION_TEXT, &set.out, "DIR|FILE",
         "folder for the frames, or all in one FILE: .glb, .gltf, .usda, .pc2, .mdd (-o too)"},
        {"--format", OPTION_TEXT, &set.format, "LIST",
         "in the folder: vtu,obj,ply,contacts,glb,gltf,pc2,mdd,usda; vtu if absent"},
        {"--every", OPTION_INT, &set.every, "N", "write every N-th frame"},
        {"--resume", OPTION_SWITCH, &set.resume, NULL,
         "continue an interrupted run into the same --out"},
        {"--keep", OPTION_NUMBER, &set.keep, "SECONDS",
         "save the state for --resume this often; default 10, 0: each frame"},
        {"--picture", OPTION_TEXT, &set.picture, "FILE.png",
         "draw the scene at the end, or at "
         "its camera's times"},
        {"--probes", OPTION_TEXT, &set.probes, "FILE.csv",
         "values of the scene's probes, or of each body: position, velocity, forces, strain"},
        {"--backend", OPTION_TEXT, &set.backend, "NAME",
         "cpu, cuda, or auto: a GPU, if there is one, from 20000 tets on"},
        {"--threads", OPTION_INT, &set.threads, "N", "0: one per core"},
        {"--lanes", OPTION_INT, &set.lanes, "N", "constraints at once: 1, 4, 8, 16; 0: the widest"},
        {"--substeps", OPTION_INT, &set.substeps, "N", "per frame; 0: what the bodies need"},
        {"--iterations", OPTION_INT, &set.iterations, "N", "sweeps per substep"},
        {"--stats", OPTION_SWITCH, &set.stats, NULL,
         "energies, worst element, contacts, shares of time while it runs, and a plot"},
        {"--json", OPTION_SWITCH, &set.json, NULL,
         "a line of JSON per frame, from the start on, and one at the end"},
        {"--quiet", OPTION_SWITCH, &set.quiet, NULL, "no progress, warnings or summary"},
        {"--list", OPTION_SWITCH, &set.list, NULL, "list the built-in scenes"},
        {"--scene-help", OPTION_SWITCH, &set.scene_help, NULL, "all keys of scene files"},
    };
    static const option_range ranges[] = {
        {"--frames", 0, MOST_FRAMES}, {"--tets", 1, MOST_TETS},       {"--every", 1, MOST_FRAMES},
        {"--keep", 0, 1e9},           {"--threads", 0, MOST_THREADS}, {"--lanes", 0, 16},
        {"--substeps", 0, 1000000},   {"--iterations", 1, 1000000},
    };
    const command_help help = {
        .name = "run",
        .words = "SCENE.json|MODEL|NAME",
        .summary = "Simulates a scene: a file, one of the program's own, or - from the standard "
                   "input. A model (.obj, .glb, ...) is filled with tets, unless it has some, and "
                   "falls on the ground.",
        .option = options,
        .option_count = sizeof options / sizeof options[0],
        .least_words = 0,
        .most_words = 1,
        .range = ranges,
        .range_count = sizeof ranges / sizeof ranges[0]};
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
