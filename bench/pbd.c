// pliant bench pbd: the tables and figures of the 2013 and 2015 papers, section by section.
#include "bench/pbd.h"
#include "bench/gpu.h"
#include <string.h>

static const struct {
    const char* name;
    bench_fn* run;
    bool can_there; // on a GPU
} sections[] = {
    {"solvers", pbd_solvers_section, false},   // 2013: figure 5; 2015: Table 2, figures 6, 9, 10
    {"scenes", pbd_counts_section, false},     // 2013: Table 1; 2015: Table 2
    {"phantoms", pbd_phantoms_section, false}, // 2015: figures 7 and 8
    {"frames", pbd_frames_section, true},      // 2013: Table 1; 2015: Table 2
    {"kernels", pbd_kernels_section, true},    // 2015: Table 1
    {"error", pbd_error_section, false},       // 2015: figure 5
    {"momentum", pbd_momentum_section, false}, {"lanes", pbd_lanes_section, false},
    {"fall", pbd_fall_section, false}, // 2013: figure 4
};
enum { SECTIONS = sizeof sections / sizeof sections[0], FIRST = 0, FIRST_THERE = 3 };

static bool is_wanted(int number, const char* word, bool there)
{
    bool all = strcmp(word, "all") == 0;
    return strcmp(word, sections[number].name) == 0 ||
           (all && (sections[number].can_there || !there));
}

int bench_pbd(const bench_settings* settings)
{
    bool there = settings->on_gpu;
    const char* word =
        settings->section ? settings->section : sections[there ? FIRST_THERE : FIRST].name;
    int status = EXIT_DONE, wanted = 0;
    for (int i = 0; i < SECTIONS; ++i) {
        if (!is_wanted(i, word, there)) continue;
        if (there && !sections[i].can_there)
            return tell_usage("bench", "--section", "only frames and kernels run on a GPU");
        ++wanted;
    }
    if (!wanted)
        return tell_usage("bench", "--section",
                          "use solvers, scenes, phantoms, frames, kernels, error, momentum, lanes, "
                          "fall or all");
    if (there && gpu_greet()) return tell_failure("bench pbd");
    for (int i = 0; i < SECTIONS; ++i) {
        int one = is_wanted(i, word, there) ? sections[i].run(settings) : EXIT_DONE;
        if (one > status) status = one;
    }
    return status;
}
