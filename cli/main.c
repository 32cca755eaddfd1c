// Finds the command and leaves the rest to it.
#include "commands.h"
#include "pliant.h"
#include <stdio.h>
#include <string.h>

typedef struct {
    const char* name;
    command_fn* run;
    const char* summary;
} command;

static const command commands[] = {
#ifdef HAVE_COMMAND_RUN
    {"run", command_run, "simulate a scene; write frames and a picture"},
#endif
#ifdef HAVE_COMMAND_RENDER
    {"render", command_render, "draw a scene: a picture, a strip of them, or a film"},
#endif
#ifdef HAVE_COMMAND_MESH
    {"mesh", command_mesh, "convert, generate and clean meshes; fill surfaces with tets"},
#endif
#ifdef HAVE_COMMAND_INFO
    {"info", command_info, "counts, quality, colors and memory of a mesh or scene"},
#endif
#ifdef HAVE_COMMAND_BENCH
    {"bench", command_bench, "tables and figures of speed and accuracy"},
#endif
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void show_help(FILE* out)
{
    fprintf(out, "pliant %s: position-based dynamics of soft bodies\n\n", pliant_version());
    for (int i = 0; i < COMMAND_COUNT; ++i)
        fprintf(out, "  pliant %-6s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\npliant COMMAND --help lists the options of a command.\n"
                 "To begin with: pliant run drop --picture drop.png\n");
}

static bool is(const char* word, const char* either, const char* other)
{
    return strcmp(word, either) == 0 || strcmp(word, other) == 0;
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        show_help(stderr);
        return EXIT_USAGE;
    }
    if (is(argv[1], "--version", "-V")) {
        printf("pliant %s\n", pliant_version());
        return EXIT_DONE;
    }
    if (is(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0) {
        show_help(stdout);
        return EXIT_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; ++i)
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 2, argv + 2);
    fprintf(stderr, "pliant: there is no command '%.60s' (pliant --help lists the commands)\n",
            argv[1]);
    return EXIT_USAGE;
}
