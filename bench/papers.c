#include "bench/papers.h"
#include "base/error.h"
#include "base/platform.h"
#include "bench/gpu.h"
#include "facts.h"
#include "options.h"
#include "system/folder.h"
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 48 }; // of a table on the page

const experiment* experiment_named(const char* name)
{
    for (int i = 0; i < experiment_count; ++i)
        if (strcmp(experiments[i].name, name) == 0) return &experiments[i];
    return NULL;
}

void paper_path(const bench_settings* settings, const char* name, const char* word, char out[4096])
{
    snprintf(out, 4096, "%.3000s/%s-%s.png", settings->out, name, word);
}

// ---- meshes -------------------------------------------------------------------------------------

static pliant_result pass_by(const char* name, void* context)
{
    (void)name, (void)context;
    return PLIANT_OK;
}

static bool is_folder(const char* path) { return folder_list(path, pass_by, NULL) == PLIANT_OK; }

// Sections look into the folders below themselves; the others want that of the tets.
static void choose_meshes(const experiment* e, bench_settings* settings, char room[4096])
{
    if (!settings->meshes || e->section) return;
    snprintf(room, 4096, "%.4000s/tets", settings->meshes);
    if (is_folder(room)) settings->meshes = room;
}

// ---- pages --------------------------------------------------------------------------------------

// The number of a table or plot in a file's name: none for the first.
static void file_name(const experiment* e, int number, char out[256])
{
    if (number)
        snprintf(out, 256, "%s-%d", e->name, number + 1);
    else
        snprintf(out, 256, "%s", e->name);
}

static pliant_result open_file(const bench_settings* settings, const char* name, const char* ending,
                               FILE** out)
{
    char path[4096];
    snprintf(path, sizeof path, "%.3000s/%.200s%s", settings->out, name, ending);
    *out = fopen(path, "w");
    return *out ? PLIANT_OK : fail(PLIANT_ERROR_FILE, "%.300s: cannot be written", path);
}

static pliant_result write_data(const experiment* e, const bench_settings* settings, FILE* page)
{
    pliant_result result = PLIANT_OK;
    const sheet* s = settings->keep;
    for (int i = 0; i < s->count && !result; ++i) {
        char name[256];
        FILE* csv = NULL;
        file_name(e, i, name);
        result = open_file(settings, name, ".csv", &csv);
        if (result) break;
        table_write_csv(&s->table[i], csv);
        fclose(csv);
        bool curve = i > 0 && s->table[i].rows > MOST_ROWS; // a plot tells more
        if (!curve) table_write_markdown(&s->table[i], MOST_ROWS, page);
        fprintf(page, "[%s.csv](%s.csv)\n\n", name, name);
    }
    return result;
}

// A plot shows the last table that has its columns.
static pliant_result write_plots(const experiment* e, const bench_settings* settings, FILE* page)
{
    pliant_result result = PLIANT_OK;
    const sheet* s = settings->keep;
    for (int i = 0; i < MOST_CHARTS && e->plots[i].title && !result; ++i)
        for (int k = s->count - 1; k >= 0 && !result; --k) {
            char name[256], path[4096];
            const chart_def* def = &e->plots[i];
            if (table_column(&s->table[k], def->x) < 0 || table_column(&s->table[k], def->y) < 0)
                continue;
            file_name(e, i, name);
            snprintf(path, sizeof path, "%.3000s/%s", settings->out, name);
            result = chart_write(def, &s->table[k], path);
            snprintf(path, sizeof path, "%.3000s/%s.svg", settings->out, name);
            if (file_exists(path)) fprintf(page, "![%s](%s.svg)\n\n", def->title, name);
            break;
        }
    return result;
}

static void write_pictures(const experiment* e, const bench_settings* settings, FILE* page)
{
    for (int i = 0; i < MOST_PICTURES && e->pictures[i]; ++i) {
        char path[4096];
        paper_path(settings, e->name, e->pictures[i], path);
        if (file_exists(path))
            fprintf(page, "![%s, %s](%s-%s.png)\n\n", e->where, e->pictures[i], e->name,
                    e->pictures[i]);
    }
}

static pliant_result write_part(const experiment* e, const bench_settings* settings, double seconds,
                                FILE* page)
{
    fprintf(page, "## %s: %s\n\n%s\n\n`pliant bench %s` (%.0f s)\n\n", e->where, e->summary,
            e->text, e->name, seconds);
    write_pictures(e, settings, page);
    pliant_result result = write_plots(e, settings, page);
    return result ? result : write_data(e, settings, page);
}

// ---- runs ---------------------------------------------------------------------------------------

static int run_to_page(const experiment* e, const bench_settings* settings, FILE* page)
{
    bench_settings own = *settings;
    sheet kept = {0};
    char room[4096];
    double start = platform_seconds();
    own.section = e->section;
    own.brief = true;
    if (page) own.keep = &kept;
    choose_meshes(e, &own, room);
    int status = e->run(&own);
    if (page && (kept.failed || write_part(e, &own, platform_seconds() - start, page)))
        status = tell_failure("bench");
    sheet_release(&kept);
    return status;
}

static int complain(const char* path)
{
    fprintf(stderr, "pliant bench: %s cannot be written\n", path);
    return EXIT_FAILED;
}

int experiment_run(const experiment* e, const bench_settings* settings)
{
    FILE* page = NULL;
    if (!settings->out) return run_to_page(e, settings, NULL);
    if (folder_make(settings->out) || open_file(settings, e->name, ".md", &page))
        return tell_failure("bench");
    int status = run_to_page(e, settings, page);
    return fclose(page) ? complain(settings->out) : status;
}

static void write_head(FILE* page, const bench_settings* settings)
{
    fprintf(
        page,
        "# The papers' tables and figures\n\nWritten by `pliant bench all --out DIR`%s: Pliant "
        "%s, %d threads, %d lanes. Columns that end in `_2022` or begin with `paper_` are the "
        "papers'. What a row has in common with all others of its table stands above it. Times "
        "are wall-clock times of the best step; the papers' are of their own machines, so ratios "
        "say more than times.\n\n",
        settings->quick ? " --quick" : "", pliant_version(), platform_core_count(),
        platform_lanes());
}

static bool has_gpu(void)
{
    pliant_world_def def = pliant_world_defaults();
    def.contacts = false; // as published
    pliant_world* world = NULL;
    def.backend = PLIANT_BACKEND_CUDA;
    bool there = pliant_world_create(&def, &world) == PLIANT_OK;
    if (world) pliant_world_destroy(world);
    return there;
}

// What runs on a GPU, where there is one.
static int run_there(const bench_settings* settings, FILE* page)
{
    static const char* const names[] = {"table2", "table3", "pbd-frames", "pbd-kernels"};
    bench_settings there = *settings;
    int status = EXIT_DONE;
    if (!has_gpu()) return EXIT_DONE;
    fprintf(page, "# On the GPU\n\n");
    there.on_gpu = true;
    for (int i = 0; i < 4; ++i) {
        experiment e = *experiment_named(names[i]);
        char name[64];
        snprintf(name, sizeof name, "gpu-%s", e.name);
        e.name = name;
        int one = run_to_page(&e, &there, page);
        if (one > status) status = one;
    }
    return status;
}

int experiments_run_all(const bench_settings* settings)
{
    FILE* page = NULL;
    int status = EXIT_DONE;
    double start = platform_seconds();
    if (!settings->out) return tell_usage("bench", "all", "name a folder: --out DIR");
    if (folder_make(settings->out) || open_file(settings, "README", ".md", &page))
        return tell_failure("bench");
    write_head(page, settings);
    for (int i = 0; i < experiment_count; ++i) {
        printf("%s%s: %s\n", i ? "\n" : "", experiments[i].name, experiments[i].where);
        int one = run_to_page(&experiments[i], settings, page);
        if (one > status) status = one;
        fflush(page);
    }
    int there = run_there(settings, page);
    fprintf(page, "All of it took %.0f s.\n", platform_seconds() - start);
    if (fclose(page)) return complain(settings->out);
    return there > status ? there : status;
}
