// A folder of a test's own, or of all tests of a program: made before, removed behind. (A program
// defines _POSIX_C_SOURCE before its first include.)
#pragma once
#include "check.h"

static char folder[32];

static inline int make_folder(void** state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/pliant_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void** state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
