// Columns of a table as lines over each other: .svg and, where the program has libpng, .png.
// Written here and not by gnuplot: the same picture everywhere, and nothing to install.
#pragma once
#include "pliant.h"
#include "sheet.h"

enum { CHART_GROUPS = 5, CHART_FILTERS = 2 };

typedef struct {
    const char* title;
    const char *x, *y; // keys of columns
    const char*
        group[CHART_GROUPS]; // rows with the same in these columns are one line, by rising x
    struct {
        const char *key, *text;
    } only[CHART_FILTERS]; // rows with these texts in these columns; NULL: all
    bool log_x, log_y;
} chart_def;

// Writes `path` with .svg and .png behind it. A plot without points writes nothing.
pliant_result chart_write(const chart_def* def, const data_table* t, const char* path);
