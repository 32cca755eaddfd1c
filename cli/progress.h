// Progress of long work on stderr: a bar with the rate and the time left on a terminal, one line
// every few seconds elsewhere.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char* what; // "frames"
    double start, last_shown;
    bool terminal, quiet;
} progress;

progress progress_start(const char* what, bool quiet);
void progress_show(progress* p, double done, double total);
void progress_end(progress* p);

// The text of one state after `seconds`, with a bar or without.
void progress_format(const char* what, double done, double total, double seconds, bool bar,
                     char* out, size_t room);
// Takes the bar away so that a line of text can be printed; the next state shows it again.
void progress_clear(progress* p);
