// Figure 4 of the 2022 paper: which tets are solved at the same time, with clusters and without, in
// the jet map. Spot, and the beam.
#include "bench/paper_models.h"
#include "bench/paper_scene.h"
#include "facts.h"
#include "options.h"
#include <math.h>
#include <string.h>

static const column columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"model", COLUMN_TEXT, 5, 0},
    {"tets", COLUMN_INT, 6, 0},
    {"tets_2022", COLUMN_INT, 9, 0},
    {"way", COLUMN_TEXT, 8, 0},
    {"colors", COLUMN_INT, 6, 0},
    {"colors_2022", COLUMN_INT, 11, 0},
    {"reduction", COLUMN_NUMBER, 9, 2},
    {"reduction_2022", COLUMN_NUMBER, 14, 2},
};

typedef struct {
    const char *word, *schedule, *clustering;
} way;
static const way ways[] = {{"clusters", "clustered", "neighbors"}, {"colors", "colored", NULL}};
enum { WAYS = 2, MODELS = 2 };
static const char* const models[MODELS] = {"Spot", "Beam"};

static const paper_model* model_named(const char* name)
{
    for (int i = 0; i < PAPER_MODELS; ++i)
        if (strcmp(paper_models[i].name, name) == 0) return &paper_models[i];
    return NULL;
}

static pliant_result draw(const bench_settings* settings, const paper_model* m, const char* path,
                          const way* how)
{
    char word[64];
    style look = style_defaults();
    const paper_way body = {NULL, NULL, how->schedule, how->clustering, 1e7, 0.45, {0, 0, 0}};
    snprintf(word, sizeof word, "%s-%s", m->is_file ? "spot" : "beam", how->word);
    style_by_word(&look, "color");
    return paper_shoot(settings, "fig4", word,
                       json_pack("{s:i, s:[o], s:{s:i, s:i, s:f, s:f}}", "frames", 0, "bodies",
                                 paper_body(json_string(path), &body), "camera", "width", 900,
                                 "height", m->is_file ? 640 : 420, "azimuth",
                                 m->is_file ? 205.0 : 30.0, "elevation", 15.0),
                       &look);
}

static pliant_result run_way(const rows* t, const paper_model* m, const pliant_mesh* mesh,
                             int number, int colors[WAYS])
{
    pliant_soft_def def = bench_rubber_as(PLIANT_FORMULATION_TWO_ROWS,
                                          schedule_of_word(number ? "colored" : "neighbors"));
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, &def, &asset);
    if (result) return result;
    colors[number] = pliant_asset_describe(asset).colors;
    pliant_asset_destroy(asset);
    double fewer = number ? (double)colors[0] / colors[1] : (double)NAN;
    const cell row[] = {
        {.text = "fig4"},
        {.text = m->name},
        {.number = pliant_mesh_view(mesh).tet_count},
        {.number = m->tets},
        {.text = ways[number].word},
        {.number = colors[number]},
        {.number = m->colors[number ? 0 : 1]},
        {.number = fewer},
        {.number = number ? (double)m->colors[1] / m->colors[0] : (double)NAN},
    };
    rows_add(t, row);
    return PLIANT_OK;
}

static pliant_result run_model(const bench_settings* settings, const rows* t, const paper_model* m)
{
    mesh_list file = {0};
    pliant_mesh* mesh = NULL;
    trial body = {0};
    int colors[WAYS];
    pliant_result result = paper_mesh(m, settings, &mesh, &body);
    if (result || !mesh) return result;
    if (m->is_file) result = mesh_list_add_files(&file, settings->meshes, &m->mesh, 1);
    for (int i = 0; i < WAYS && !result; ++i) {
        result = run_way(t, m, mesh, i, colors);
        if (!result) result = draw(settings, m, m->is_file ? file.name[0] : m->mesh, &ways[i]);
    }
    mesh_list_destroy(&file);
    pliant_mesh_destroy(mesh);
    return result;
}

int paper_fig4(const bench_settings* settings)
{
    rows t = bench_rows(settings, columns, sizeof columns / sizeof columns[0]);
    int status = EXIT_DONE;
    rows_head(&t);
    for (int i = settings->quick ? 1 : 0; i < MODELS; ++i)
        if (run_model(settings, &t, model_named(models[i]))) status = tell_failure("bench fig4");
    return status;
}
