#include "progress.h"
#include "base/platform.h"
#include "system/terminal.h"
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
    progress p = {what, now, now, terminal_is_read(), quiet, 0};
    return p;
}

// To the beginning of what stands there.
static void go_back(progress* p)
{
    if (p->lines > 1) fprintf(stderr, "\033[%dA", p->lines - 1);
    fputs("\r", stderr);
    p->lines = 0;
}

void progress_clear(progress* p)
{
    if (p->quiet || !p->terminal) return;
    go_back(p);
    fputs("\033[J", stderr);
    fflush(stderr);
}

void progress_restart(progress* p)
{
    progress_clear(p);
    p->start = p->last_shown = platform_seconds();
}

bool progress_is_due(const progress* p)
{
    double pause = p->terminal ? 0.1 : 5;
    return !p->quiet && platform_seconds() - p->last_shown >= pause;
}

// Lines that the terminal would break are cut, or the way back would be another.
static void show_in_place(progress* p, const char* text)
{
    int columns = terminal_columns() - 1;
    go_back(p);
    for (const char* at = text;; ++at) {
        int length = (int)strcspn(at, "\n");
        fprintf(stderr, "%.*s\033[K", length < columns ? length : columns, at);
        p->lines++;
        at += length;
        if (*at == 0) break;
        fputc('\n', stderr);
    }
}

static void show_behind(const char* text)
{
    for (; *text; ++text)
        if (*text == '\n')
            fputs("; ", stderr);
        else
            fputc(*text, stderr);
    fputc('\n', stderr);
}

void progress_show_with(progress* p, double done, double total, const char* more)
{
    char text[1024];
    if (!progress_is_due(p)) return;
    p->last_shown = platform_seconds();
    progress_format(p->what, done, total, p->last_shown - p->start, p->terminal, text, sizeof text);
    size_t length = strlen(text);
    if (more[0]) snprintf(text + length, sizeof text - length, "\n%s", more);
    if (p->terminal)
        show_in_place(p, text);
    else
        show_behind(text);
    fflush(stderr);
}

void progress_show(progress* p, double done, double total)
{
    progress_show_with(p, done, total, "");
}

void progress_end(progress* p) { progress_clear(p); }
