// pliant view: a scene runs, and pages in browsers show it and take part.
#include "commands.h"
#include "load.h"
#include "open.h"
#include "scene/backend.h"
#include "scene/words.h"
#include "serve/page.h"
#include "serve/show.h"
#include "system/child.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int port, threads, lanes, substeps, tets;
    const char *address, *token, *out, *backend, *changes;
    bool open, paused, quiet;
} settings;

static atomic_int interrupted;

static void on_interrupt(int number)
{
    interrupted = 1;
    signal(number, SIG_DFL);
}

static int complain(const char* text)
{
    fprintf(stderr, "pliant view: %s\n", text);
    return EXIT_FAILED;
}

static int usage(const char* text)
{
    fprintf(stderr, "pliant view: %s (pliant view --help lists the options)\n", text);
    return EXIT_USAGE;
}

// The address is the only line on the standard output: programs may read it.
static void on_opened(const char* url, void* context)
{
    const settings* set = (const settings*)context;
    printf("%s\n", url);
    fflush(stdout);
    if (!page_bytes)
        fprintf(stderr,
                "pliant view: this program was built without the page: its build needs node "
                "and npm; other programs may take part\n");
    if (!set->quiet) fprintf(stderr, "pliant view: Ctrl+C ends it\n");
    if (set->open) {
        const char* const words[] = {"xdg-open", url, NULL};
        child_program* browser = child_program_start(words);
        if (!browser || child_program_end(browser) != 0)
            fprintf(stderr, "pliant view: --open: no browser could be started (xdg-open)\n");
    }
}

static int view_scene(settings* set, const char* name)
{
    pliant_backend backend = PLIANT_BACKEND_AUTO;
    if (set->backend && !backend_of_word(set->backend, &backend))
        return usage("--backend: use auto, cpu or cuda");
    const stage_options options = {
        set->threads, set->lanes, set->substeps, -1, set->backend ? (int)backend : -1,
        load_mesh,    load_bytes};
    scene* from = NULL;
    session s = {.scene = NULL};
    pliant_result result = open_scene(name, set->tets, set->changes, &from);
    if (!result) result = session_create(from, &options, &s);
    if (!result) {
        const show how = {set->address, set->port, set->out, set->token,
                          &interrupted, on_opened, set};
        s.paused = set->paused;
        signal(SIGINT, on_interrupt);
        signal(SIGTERM, on_interrupt);
        result = show_run(&s, &how);
    }
    int status = result ? complain(pliant_error_text()) : EXIT_DONE;
    session_destroy(&s);
    return status;
}

static int check_token(const char* token)
{
    size_t length = token ? strlen(token) : 8;
    if (length < 8 || length > 64 ||
        (token && strspn(token, "0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_") < length))
        return usage("--token: 8 to 64 letters, digits, - and _");
    return EXIT_DONE;
}

int command_view(int argc, char** argv)
{
    settings set = {.port = 8765,
                    .threads = -1,
                    .lanes = -1,
                    .substeps = -1,
                    .address = "127.0.0.1",
                    .out = "."};
    const option options[] = {
        {"--port", OPTION_INT, &set.port, "N", "where the page is; default 8765, 0: a free one"},
        {"--bind", OPTION_TEXT, &set.address, "ADDRESS",
         "who may come: 127.0.0.1, this machine alone; 0.0.0.0: all that reach it"},
        {"--token", OPTION_TEXT, &set.token, "WORD", "part of the address; a random one if absent"},
        {"--open", OPTION_SWITCH, &set.open, NULL, "show the page in a browser"},
        {"--paused", OPTION_SWITCH, &set.paused, NULL, "begin with a pause"},
        {"--out", OPTION_TEXT, &set.out, "DIR", "folder for recordings; default: this one"},
        {"--set", OPTION_TEXT, &set.changes, "KEY=VALUE",
         "change the scene, as in 'bodies.*.copies=[2,1,1]'"},
        {"--tets", OPTION_INT, &set.tets, "N", "fill a model with about N tets (20000)"},
        {"--backend", OPTION_TEXT, &set.backend, "NAME",
         "cpu, cuda, or auto: a GPU, if there is one, from 20000 tets on"},
        {"--threads", OPTION_INT, &set.threads, "N", "0: one per core"},
        {"--lanes", OPTION_INT, &set.lanes, "N", "constraints at once: 1, 4, 8, 16; 0: the widest"},
        {"--substeps", OPTION_INT, &set.substeps, "N", "per frame; 0: what the bodies need"},
        {"--quiet", OPTION_SWITCH, &set.quiet, NULL, "only the address"},
    };
    static const option_range ranges[] = {
        {"--port", 0, 65535}, {"--tets", 1, MOST_TETS},   {"--threads", 0, MOST_THREADS},
        {"--lanes", 0, 16},   {"--substeps", 0, 1000000},
    };
    const command_help help = {
        .name = "view",
        .words = "SCENE.json|MODEL|NAME",
        .summary = "Runs a scene and shows it in a browser: drag bodies with the mouse, pause, "
                   "step, change materials and forces. The page is on this machine alone, behind "
                   "a token in its address.",
        .option = options,
        .option_count = sizeof options / sizeof options[0],
        .least_words = 1,
        .most_words = 1,
        .range = ranges,
        .range_count = sizeof ranges / sizeof ranges[0]};
    const char* words[MOST_WORDS];
    parsed p = options_parse(&help, argc, argv, words);
    if (p.leave) return p.exit_status;
    if (set.lanes > 1 && set.lanes != 4 && set.lanes != 8 && set.lanes != 16)
        return usage("--lanes: use 0, 1, 4, 8 or 16");
    int status = check_token(set.token);
    return status ? status : view_scene(&set, p.word[0]);
}
