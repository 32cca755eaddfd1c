// Small plots of a curve in text, for a terminal.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { PLOT_COLUMNS = 60 };

// One row of a plot of values, which stand as columns between `low` and `high`, without a line end:
// with Unicode's blocks, or plain characters. `row` 0 is the upper one of `rows`.
void plot_row(const double value[PLOT_COLUMNS], double low, double high, int row, int rows,
              bool unicode, char* out, size_t room);

// Values at increasing times, as they are in the middle of each column.
void plot_resample(const double* time, const double* value, int count, double out[PLOT_COLUMNS]);

// Whether the user's terminal shows UTF-8, by LC_ALL, LC_CTYPE and LANG.
bool plot_has_unicode(void);
