// Experiments of the papers: each is a benchmark that prints the paper's numbers beside ours and,
// with a folder, leaves data, plots, pictures and a page there.
#pragma once
#include "bench/bench.h"
#include "bench/chart.h"

bench_fn paper_table2, paper_table3, paper_fig4, paper_fig5, paper_fig6, paper_fig7, paper_fig8,
    paper_slides, paper_quality;

enum { MOST_CHARTS = 3, MOST_PICTURES = 4 };

typedef struct {
    const char* name;    // "table2"
    const char* where;   // "2022, Table 2"
    const char* summary; // one line
    bench_fn* run;
    const char* section;                 // of a benchmark that has sections
    chart_def plots[MOST_CHARTS];        // NAME.svg, NAME-2.svg, ...
    const char* pictures[MOST_PICTURES]; // that it leaves: NAME-WORD.png
    const char* text;                    // what the paper shows, what is different here, and why
} experiment;

extern const experiment experiments[];
extern const int experiment_count;

const experiment* experiment_named(const char* name); // NULL: there is none
// Runs it; with a folder, its files and NAME.md go there.
int experiment_run(const experiment* e, const bench_settings* settings);
// All of them, and README.md with everything in it. A folder is needed.
int experiments_run_all(const bench_settings* settings);

// Pictures of what figures 6 to 8 measure. Nothing without a folder.
pliant_result paper_draw_fig6(const bench_settings* settings);
pliant_result paper_draw_fig7(const bench_settings* settings);

// A path in the folder of the results: "fig4-spot.png" of ("fig4", "spot").
void paper_path(const bench_settings* settings, const char* name, const char* word, char out[4096]);
