#include "manual.h"
#include "pliant.h"
#include <stdio.h>

// roff's own characters lose their meaning; a dash is one that can be copied and typed.
static void put(const char* text)
{
    if (*text == '.' || *text == '\'') printf("\\&");
    for (; *text; ++text) {
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
    }
}

void manual_begin(void)
{
    printf(".\\\" Written by the program: pliant help man. make documents renews it.\n"
           ".TH PLIANT 1 \"\" \"pliant %s\" \"User Commands\"\n",
           pliant_version());
    printf(".SH NAME\n"
           "pliant \\- position-based dynamics of soft bodies, cloth and ropes\n"
           ".SH SYNOPSIS\n"
           ".B pliant\n"
           ".I COMMAND\n"
           "[\\fIWORD\\fR ...] [\\fIOPTION\\fR ...]\n"
           ".SH DESCRIPTION\n"
           "Simulates soft bodies by XPBD: rubber, gel, cloth, ropes. A scene is a JSON file;\n"
           ".B pliant help scene\n"
           "lists its keys. Results are frames for other programs, films and pictures. The same\n"
           "scene gives the same bits on every run and with any number of threads.\n"
           ".PP\n"
           "Options are written \\fB\\-\\-name\\fR \\fIVALUE\\fR or "
           "\\fB\\-\\-name=\\fIVALUE\\fR, anywhere after the command; \\fB\\-\\-\\fR ends them,\n"
           "\\fB\\-o\\fR is short for \\fB\\-\\-out\\fR, and \\fB\\-\\-help\\fR lists those of a "
           "command.\n"
           ".SH COMMANDS\n");
}

void manual_command(const command_help* help)
{
    printf(".SS pliant ");
    put(help->name);
    printf(" ");
    put(help->words);
    printf("\n");
    put(help->summary);
    printf("\n");
    for (int i = 0; i < help->option_count; ++i) {
        const option* o = &help->option[i];
        printf(".TP\n\\fB");
        put(o->name);
        printf("\\fR");
        if (o->argument) {
            printf(" \\fI");
            put(o->argument);
            printf("\\fR");
        }
        printf("\n");
        put(o->help);
        printf("\n");
    }
}

void manual_end(void)
{
    printf(".SH EXIT STATUS\n"
           ".TP\n0\nEverything was done.\n"
           ".TP\n1\nSomething failed; a sentence on the standard error says what.\n"
           ".TP\n2\nThe command line is wrong.\n"
           ".SH ENVIRONMENT\n"
           ".TP\n.B PLIANT_CACHE\n"
           "The folder in which the tets of surfaces are kept from run to run, or\n"
           ".BR off .\n"
           "Without it,\n.I $XDG_CACHE_HOME/pliant\nor\n.IR \\(ti/.cache/pliant .\n"
           ".SH EXAMPLES\n"
           ".TP\nA scene of the program, and a picture of its end:\n"
           ".B pliant run drop \\-\\-picture drop.png\n"
           ".TP\nA model, filled with tets; it falls, and a film is made:\n"
           ".B pliant run model.obj \\-o film.glb\n"
           ".TP\nA mesh, its quality and the substeps that it needs:\n"
           ".B pliant info beam:21x6x6 \\-\\-dt 0.01\n"
           ".SH SEE ALSO\n"
           "The documents that come with the source: README.md, and in docs/ scenes.md,\n"
           "tutorial.md, outputs.md, theory.md.\n");
}
