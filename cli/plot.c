#include "plot.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// How full a cell is, from nothing to all.
static const char* const blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                     "\u2585", "\u2586", "\u2587", "\u2588"};
static const char* const letters[] = {" ", ".", ":", "|"};

void plot_resample(const double* time, const double* value, int count, double out[PLOT_COLUMNS])
{
    int at = 0;
    for (int column = 0; column < PLOT_COLUMNS; ++column) {
        double now = time[0] + (column + 0.5) / PLOT_COLUMNS * (time[count - 1] - time[0]);
        while (at + 2 < count && time[at + 1] < now) ++at;
        double span = at + 1 < count ? time[at + 1] - time[at] : 0;
        double part = span > 0 ? (now - time[at]) / span : 0;
        out[column] = part > 0 ? value[at] + part * (value[at + 1] - value[at]) : value[at];
    }
}

void plot_row(const double value[PLOT_COLUMNS], double low, double high, int row, int rows,
              bool unicode, char* out, size_t room)
{
    const char* const* cells = unicode ? blocks : letters;
    int steps = unicode ? 8 : 3;
    out[0] = 0;
    for (int column = 0; column < PLOT_COLUMNS; ++column) {
        double part = (value[column] - low) / (high - low);
        // Something of every value is seen, also where there is no range.
        double full = isfinite(part) ? floor(part * rows * steps + 0.5) : 0;
        double here = fmax(full, 1) - (rows - 1 - row) * steps;
        int level = here <= 0 ? 0 : here >= steps ? steps : (int)here;
        if (strlen(out) + strlen(cells[level]) + 1 > room) return;
        strcat(out, cells[level]);
    }
}

static bool names_utf8(const char* locale)
{
    for (; *locale; ++locale) {
        const char* at = locale;
        if ((at[0] | 32) != 'u' || (at[1] | 32) != 't' || (at[2] | 32) != 'f') continue;
        at += at[3] == '-' ? 4 : 3;
        if (*at == '8') return true;
    }
    return false;
}

bool plot_has_unicode(void)
{
    static const char* const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char* value = getenv(names[i]);
        if (value && value[0]) return names_utf8(value);
    }
    return false;
}
