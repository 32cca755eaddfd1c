// Progress of long work on stderr: a bar with the rate and the time left on a terminal, one line
// every few seconds elsewhere.
#pragma once
#include <stdbool.h>

typedef struct {
    const char* what; // "frames"
    double start, last_shown;
    bool terminal, quiet;
} progress;

progress progress_start(const char* what, bool quiet);
void progress_show(progress* p, double done, double total);
void progress_end(progress* p);
