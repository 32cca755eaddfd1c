// pliant bench gpu: the sections, and how a body on a GPU is timed.
#include "bench/gpu.h"
#include "asset/asset.h"
#include "bench/papers.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

double gpu_floor(const pliant_asset* asset, int bodies, int substeps)
{
    const double bytes_per_second = 4.3e12, operations_per_second = 33.5e12;
    const plan* p = &asset->plan;
    double bytes =
        (double)p->index_count * p->index_bytes + (double)p->field_count * p->scalar_bytes;
    double operations = asset->def.solver.formulation == PLIANT_FORMULATION_TEN_ROWS ? 500 : 350;
    double stream = bytes / bytes_per_second;
    double compute = operations * asset->mesh->tet_count / operations_per_second;
    // Bodies of one asset share its constants.
    return substeps * fmax(stream, bodies * compute);
}

pliant_result gpu_time(runner* r, bool quick)
{
    enum { WARM_TURNS = 3, MOST_STEPS = 200 };
    const double long_enough = quick ? 0.01 : 0.05; // [s] of a turn: waiting costs some 20 us
    const race_length length = {quick ? 3 : 6, 1.5};
    double seconds = 0;
    r->turn = 2;
    pliant_result result = runner_open(r);
    for (int i = 0; i < WARM_TURNS && !result; ++i) result = runner_step(r, &seconds);
    r->turn = (int)fmax(1, fmin(MOST_STEPS, ceil(long_enough / fmax(seconds, 1e-6))));
    if (!result) result = race_run(r, 1, length);
    if (result != PLIANT_ERROR_DIVERGED) return result;
    r->best = NAN;
    return PLIANT_OK;
}

pliant_soft_def gpu_rubber(pliant_formulation formulation, const schedule_choice* choice)
{
    pliant_soft_def def = bench_rubber_as(formulation, choice);
    def.solver.target_backend = PLIANT_BACKEND_CUDA;
    return def;
}

static int run_there(bench_fn* run, const bench_settings* settings)
{
    bench_settings there = *settings;
    there.on_gpu = true;
    return run(&there);
}
static int gpu_converge(const bench_settings* settings)
{
    return run_there(bench_converge, settings);
}
static int gpu_paper_table2(const bench_settings* settings)
{
    return run_there(paper_table2, settings);
}

static const struct {
    const char* name;
    bench_fn* run;
} sections[] = {
    {"speed", gpu_speed},
    {"batch", gpu_batch},
    {"table2", gpu_paper_table2},
    {"converge", gpu_converge},
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

pliant_result gpu_greet(void)
{
    pliant_world_def def = pliant_world_defaults();
    pliant_world* world = NULL;
    def.backend = PLIANT_BACKEND_CUDA;
    def.threads = 1;
    pliant_result result = pliant_world_create(&def, &world);
    if (!result) fprintf(stderr, "%s\n", pliant_world_device(world));
    pliant_world_destroy(world);
    return result;
}

int bench_gpu(const bench_settings* settings)
{
    const char* wanted = settings->section ? settings->section : sections[0].name;
    bool all = strcmp(wanted, "all") == 0;
    int status = EXIT_DONE, ran = 0;
    for (int i = 0; i < SECTIONS; ++i) ran += all || strcmp(wanted, sections[i].name) == 0;
    if (!ran) return tell_usage("bench", "--section", "use speed, batch, table2, converge or all");
    if (gpu_greet()) return tell_failure("bench gpu");
    for (int i = 0; i < SECTIONS; ++i) {
        if (!all && strcmp(wanted, sections[i].name) != 0) continue;
        int one = sections[i].run(settings);
        if (one > status) status = one;
    }
    return status;
}
