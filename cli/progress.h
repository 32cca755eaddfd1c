// Progress of long work on stderr: a bar with the rate and the time left on a terminal, one line
// every few seconds elsewhere.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char* what; // "frames"
    double start, last_shown;
    bool terminal, quiet;
    int lines; // that stand on the terminal
} progress;

progress progress_start(const char* what, bool quiet);
void progress_restart(progress* p); // another piece of work begins: rates count from here
void progress_show(progress* p, double done, double total);
// Whether it is time to show something again.
bool progress_is_due(const progress* p);
// The same with lines of text below: in place on a terminal, behind the first line elsewhere.
void progress_show_with(progress* p, double done, double total, const char* more);
void progress_end(progress* p);

// The text of one state after `seconds`, with a bar or without.
void progress_format(const char* what, double done, double total, double seconds, bool bar,
                     char* out, size_t room);
// Takes the bar away so that a line of text can be printed; the next state shows it again.
void progress_clear(progress* p);
