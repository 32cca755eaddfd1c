// Finds the command and leaves the rest to it.
#include "commands.h"
#include "manual.h"
#include "pliant.h"
#include "scene/nearest.h"
#include "scene/scene.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char* name;
    command_fn* run;
    const char* summary;
} command;

static command_fn help_on;

static const command commands[] = {
    {"run", command_run, "simulate a scene; write frames and a picture"},
    {"render", command_render, "draw a scene: a picture, a strip of them, or a film"},
    {"view", command_view, "run a scene in a browser: look, drag, change"},
    {"mesh", command_mesh, "convert, generate and clean meshes; fill surfaces with tets"},
    {"surface", command_surface, "a liquid's surface around its particles, of a file or of frames"},
    {"info", command_info, "counts, quality, colors and memory of a mesh or scene"},
    {"bench", command_bench, "tables and figures of speed and accuracy"},
    {"help", help_on, "options of a command; the keys of scene files; the manual page"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void show_help(FILE* out)
{
    fprintf(out, "pliant %s: position-based dynamics of soft bodies\n\n", pliant_version());
    for (int i = 0; i < COMMAND_COUNT; ++i)
        fprintf(out, "  pliant %-7s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\npliant COMMAND --help lists the options of a command.\n"
                 "To begin with: pliant run drop --picture drop.png\n");
}

static const command* find_command(const char* name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(name, commands[i].name) == 0) return &commands[i];
    return NULL;
}

static int run_command(const char* name, int argc, char** argv)
{
    const command* found = find_command(name);
    if (found) return found->run(argc, argv);
    nearest meant = nearest_to(name);
    for (int i = 0; i < COMMAND_COUNT; ++i) nearest_try(&meant, commands[i].name);
    fprintf(stderr, "pliant: there is no command '%.60s'%s (pliant --help lists the commands)\n",
            name, nearest_advice(&meant).text);
    return EXIT_USAGE;
}

static void show_manual(void)
{
    static char word[] = "--man";
    manual_begin();
    for (int i = 0; i < COMMAND_COUNT; ++i) commands[i].run(1, (char*[]){word});
    manual_end();
}

static int help_on(int argc, char** argv)
{
    bool markdown = false;
    static char word[] = "--help";
    const option options[] = {
        {"--markdown", OPTION_SWITCH, &markdown, NULL, "the keys of scenes as a page"},
    };
    const command_help help = {.name = "help",
                               .words = "[COMMAND|scene|man]",
                               .summary = "Options of a command, the keys of scene files, or this "
                                          "manual page.",
                               .option = options,
                               .option_count = sizeof options / sizeof options[0],
                               .most_words = 1};
    const char* words[MOST_WORDS];
    parsed p = options_parse(&help, argc, argv, words);
    if (p.leave) return p.exit_status;
    if (p.count == 0) {
        show_help(stdout);
    } else if (strcmp(p.word[0], "man") == 0) {
        show_manual();
    } else if (strcmp(p.word[0], "scene") == 0) {
        if (markdown)
            scene_print_page();
        else
            scene_print_help();
    } else {
        return run_command(p.word[0], 1, (char*[]){word});
    }
    return EXIT_DONE;
}

static bool is(const char* word, const char* either, const char* other)
{
    return strcmp(word, either) == 0 || strcmp(word, other) == 0;
}

static int run_words(int argc, char** argv)
{
    if (argc < 2) {
        show_help(stderr);
        return EXIT_USAGE;
    }
    if (is(argv[1], "--version", "-V")) {
        printf("pliant %s\n", pliant_version());
        return EXIT_DONE;
    }
    if (is(argv[1], "--help", "-h")) {
        show_help(stdout);
        return EXIT_DONE;
    }
    return run_command(argv[1], argc - 2, argv + 2);
}

// What was printed may have found a full disk.
static int finish_output(int status)
{
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !failed) return status;
    fprintf(stderr, "pliant: the standard output could not be written%s%s\n", errno ? ": " : "",
            errno ? strerror(errno) : "");
    return status ? status : EXIT_FAILED;
}

int main(int argc, char** argv) { return finish_output(run_words(argc, argv)); }
