#include "progress.h"
#include "base/platform.h"
#include <stdio.h>
#include <string.h>

static void format_seconds(double seconds, char* out, size_t room)
{
    long whole = seconds < 1e9 ? (long)(seconds + 0.5) : 1000000000;
    if (whole >= 3600)
        snprintf(out, room, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    else if (whole >= 60)
        snprintf(out, room, "%ld min %02ld s", whole / 60, whole % 60);
    else
        snprintf(out, room, "%ld s", whole);
}

void progress_format(const char* what, double done, double total, double seconds, bool bar,
                     char* out, size_t room)
{
    enum { WIDTH = 30 };
    char cells[WIDTH + 4] = "", left[32] = "?";
    double part = total > 0 ? done / total : 1, rate = seconds > 0 ? done / seconds : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    if (rate > 0) format_seconds((total - done) / rate, left, sizeof left);
    if (bar) {
        int full = (int)(part * WIDTH);
        cells[0] = '[';
        memset(cells + 1, '#', (size_t)full);
        memset(cells + 1 + full, '.', (size_t)(WIDTH - full));
        memcpy(cells + 1 + WIDTH, "] ", 3);
    }
    snprintf(out, room, "%s%3.0f %%  %.0f of %.0f %s, %.3g per second, %s left", cells, 100 * part,
             done, total, what, rate, left);
}

progress progress_start(const char* what, bool quiet)
{
    double now = platform_seconds();
    progress p = {what, now, now, platform_errors_on_terminal(), quiet};
    return p;
}

void progress_show(progress* p, double done, double total)
{
    char text[200];
    double now = platform_seconds(), pause = p->terminal ? 0.1 : 5;
    if (p->quiet || now - p->last_shown < pause) return;
    p->last_shown = now;
    progress_format(p->what, done, total, now - p->start, p->terminal, text, sizeof text);
    fprintf(stderr, p->terminal ? "\r%s\033[K" : "%s\n", text);
    fflush(stderr);
}

void progress_clear(progress* p)
{
    if (p->quiet || !p->terminal) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

void progress_end(progress* p) { progress_clear(p); }
