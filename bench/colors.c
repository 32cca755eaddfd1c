// Colors of every schedule: parallel rounds of barriers in a sweep.
#include "bench/bench.h"
#include "bench/files.h"
#include "facts.h"
#include "options.h"
#include "progress.h"
#include <math.h>

// Clusters hold up to 5 nodes, as in the 2022 paper.
enum { CLUSTER_SIZE = 5 };

static const struct {
    const char* schedule; // a word of schedule_choices
    pliant_formulation formulation;
} variants[] = {
    {"colored", PLIANT_FORMULATION_TWO_ROWS},   {"colored", PLIANT_FORMULATION_DECOUPLED_NODES},
    {"clustered", PLIANT_FORMULATION_TWO_ROWS}, {"neighbors", PLIANT_FORMULATION_TWO_ROWS},
    {"cells", PLIANT_FORMULATION_TWO_ROWS},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},         {"mesh", COLUMN_TEXT, 20, 0},
    {"tets", COLUMN_INT, 8, 0},           {"schedule", COLUMN_TEXT, 9, 0},
    {"formulation", COLUMN_TEXT, 15, 0},  {"cluster_size", COLUMN_INT, 12, 0},
    {"clique", COLUMN_INT, 6, 0},         {"colors", COLUMN_INT, 6, 0},
    {"largest_color", COLUMN_INT, 14, 0}, {"smallest_color", COLUMN_INT, 14, 0},
    {"seconds", COLUMN_NUMBER, 8, 3},
};

static pliant_result count_colors(progress* bar, const rows* t, const char* name,
                                  const pliant_mesh* mesh, int variant)
{
    const schedule_choice* choice = schedule_of_word(variants[variant].schedule);
    pliant_soft_def def = bench_rubber_as(variants[variant].formulation, choice);
    def.research.cluster_size = CLUSTER_SIZE;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, &def, &asset);
    if (result) return result;
    pliant_asset_info info = pliant_asset_describe(asset);
    const cell row[] = {
        {.text = "colors"},
        {.text = name},
        {.number = pliant_mesh_view(mesh).tet_count},
        {.text = schedule_word(choice)},
        {.text = formulation_word(def.solver.formulation)},
        {.number = choice->schedule == PLIANT_SCHEDULE_CLUSTERED ? CLUSTER_SIZE : (double)NAN},
        {.number = info.clique},
        {.number = info.colors},
        {.number = info.largest_color},
        {.number = info.smallest_color},
        {.number = info.compile_seconds},
    };
    bench_row(bar, t, row);
    pliant_asset_destroy(asset);
    return PLIANT_OK;
}

static pliant_result count_variants(progress* bar, const rows* t, const char* path)
{
    pliant_mesh* mesh = NULL;
    pliant_result result = load_tets(path, &mesh);
    if (result) return result;
    char name[64];
    mesh_short_name(path, name);
    for (int v = 0; v < VARIANTS && !result; ++v) {
        bool by_cell =
            schedule_of_word(variants[v].schedule)->clustering == PLIANT_CLUSTERING_CELLS;
        if (!by_cell || pliant_mesh_view(mesh).tet_cell)
            result = count_colors(bar, t, name, mesh, v);
    }
    pliant_mesh_destroy(mesh);
    return result;
}

static pliant_result list_meshes(const bench_settings* settings, mesh_list* list)
{
    static const char* const beams[] = {"beam:21x6x6", "beam:40x10x10", "beam:56x14x14",
                                        "beam:80x20x20", "beam:147x37x37"};
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < (settings->quick ? 2 : 5) && !result; ++i)
        result = mesh_list_add(list, NULL, beams[i]);
    if (result || settings->quick || !settings->meshes) return result;
    return mesh_list_add_folder(list, settings->meshes);
}

int bench_colors(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    mesh_list list = {0};
    int status = EXIT_DONE;
    if (list_meshes(settings, &list)) status = tell_failure("bench colors");
    progress bar = progress_start("meshes", false);
    if (!status) rows_head(&t);
    for (int i = 0; i < list.count; ++i) {
        if (count_variants(&bar, &t, list.name[i])) status = tell_failure("bench colors");
        progress_show(&bar, i + 1, list.count);
    }
    progress_end(&bar);
    mesh_list_destroy(&list);
    return status;
}
