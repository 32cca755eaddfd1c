// Table 3 of the 2022 paper: memory for each model. Here it is all that the library holds for a
// body and its world after a step: mesh, constants, indices, state; on a GPU what the device holds.
#include "bench/gpu.h"
#include "bench/paper_models.h"
#include "bench/papers.h"
#include "facts.h"
#include "options.h"
#include <math.h>

static const column columns[] = {
    {"bench", COLUMN_TEXT, 6, 0},
    {"backend", COLUMN_TEXT, 7, 0},
    {"model", COLUMN_TEXT, 15, 0},
    {"vertices", COLUMN_INT, 8, 0},
    {"vertices_2022", COLUMN_INT, 13, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"tets_2022", COLUMN_INT, 9, 0},
    {"megabytes_clusters", COLUMN_NUMBER, 18, 2}, // their way: two rows, clusters of Algorithm 4
    {"megabytes_patches", COLUMN_NUMBER, 17, 2},  // the default: ten rows, patches
    {"megabytes_2022", COLUMN_NUMBER, 14, 2},
    {"bytes_per_tet_clusters", COLUMN_NUMBER, 22, 0},
    {"bytes_per_tet_patches", COLUMN_NUMBER, 21, 0},
    {"bytes_per_tet_2022", COLUMN_NUMBER, 18, 0},
};

static pliant_result measure(const bench_settings* settings, const trial* body,
                             pliant_formulation form, const char* schedule, double* out_bytes)
{
    size_t before = pliant_allocated_bytes();
    pliant_soft_def def = bench_rubber_as(form, schedule_of_word(schedule));
    pliant_asset* asset = NULL;
    if (settings->on_gpu) def.solver.target_backend = PLIANT_BACKEND_CUDA;
    pliant_result result = pliant_asset_create(body->mesh, &def, &asset);
    runner r = {.body = *body, .dt = 0.01f};
    r.body.asset = asset;
    r.body.substeps = r.body.threads = 1;
    if (settings->on_gpu) r.body.backend = PLIANT_BACKEND_CUDA;
    if (!result) result = runner_open(&r);
    if (!result) result = runner_step(&r, NULL);
    *out_bytes = (double)(pliant_allocated_bytes() - before);
    if (!result && settings->on_gpu)
        *out_bytes = (double)pliant_world_profile(r.world).device_bytes;
    runner_close(&r);
    pliant_asset_destroy(asset);
    return result == PLIANT_ERROR_DIVERGED ? PLIANT_OK : result;
}

static pliant_result run_model(const bench_settings* settings, const rows* t, const paper_model* m)
{
    pliant_mesh* mesh = NULL;
    trial body = {0};
    double clusters = NAN, patches = NAN;
    pliant_result result = paper_mesh(m, settings, &mesh, &body);
    if (result || !mesh) return result;
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    result = measure(settings, &body, PLIANT_FORMULATION_TWO_ROWS, "neighbors", &clusters);
    if (!result)
        result = measure(settings, &body, PLIANT_FORMULATION_TEN_ROWS, "patched", &patches);
    const cell row[] = {
        {.text = "table3"},
        {.text = backend_words[settings->on_gpu ? PLIANT_BACKEND_CUDA : PLIANT_BACKEND_CPU]},
        {.text = m->name},
        {.number = a.vertex_count},
        {.number = m->vertices},
        {.number = a.tet_count},
        {.number = m->tets},
        {.number = 1e-6 * clusters},
        {.number = 1e-6 * patches},
        {.number = m->megabytes},
        {.number = clusters / a.tet_count},
        {.number = patches / a.tet_count},
        {.number = 1e6 * m->megabytes / m->tets},
    };
    if (!result) rows_add(t, row);
    pliant_mesh_destroy(mesh);
    return result;
}

int paper_table3(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    int status = EXIT_DONE;
    rows_head(&t);
    for (int i = 0; i < (settings->quick ? 1 : PAPER_MODELS); ++i)
        if (run_model(settings, &t, &paper_models[i])) status = tell_failure("bench table3");
    return status;
}
