// pliant info: what a mesh is like, and what it costs as a soft body.
#include "base/memory.h"
#include "base/platform.h"
#include "commands.h"
#include "facts.h"
#include "histogram.h"
#include "info_scene.h"
#include "load.h"
#include "open.h"
#include "quality.h"
#include "scene/stage.h"
#include "scene/words.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    pliant_soft_def soft;
    double dt; // [s]
    const char *formulation_word, *schedule_word;
    const schedule_choice* schedule; // NULL: all
    bool one_formulation;            // soft.formulation only; otherwise all
    bool plain, json, single, as_scene;
} info_settings;

// ---- schedules ----------------------------------------------------------------------------------

enum { SCHEDULE_COLUMNS = 11 };
static const column schedule_columns[SCHEDULE_COLUMNS] = {
    {"schedule", COLUMN_TEXT, 9, 0},        {"cluster_size", COLUMN_INT, 12, 0},
    {"clusters", COLUMN_INT, 8, 0},         {"patches", COLUMN_INT, 7, 0},
    {"copies", COLUMN_NUMBER, 6, 3},        {"colors", COLUMN_INT, 6, 0},
    {"largest_color", COLUMN_INT, 13, 0},   {"smallest_color", COLUMN_INT, 14, 0},
    {"bytes", COLUMN_INT, 11, 0},           {"seconds", COLUMN_NUMBER, 8, 3},
    {"load_seconds", COLUMN_NUMBER, 12, 4},
};

// [s] What a compiled asset takes to come back from memory; NAN where there is too little of it.
static double time_to_load(const pliant_asset* asset)
{
    size_t bytes = pliant_asset_write_size(asset);
    void* data = pliant_allocate(bytes);
    pliant_asset* loaded = NULL;
    double seconds = (double)NAN;
    if (data && pliant_asset_write(asset, data, bytes) == PLIANT_OK) {
        double start = platform_seconds();
        if (pliant_asset_parse(data, bytes, "asset", &loaded) == PLIANT_OK)
            seconds = platform_seconds() - start;
    }
    pliant_asset_destroy(loaded);
    pliant_release(data);
    return seconds;
}

static pliant_result describe_schedule(const pliant_mesh* mesh, const pliant_soft_def* soft,
                                       const schedule_choice* choice, cell* row,
                                       pliant_asset_info* out)
{
    pliant_soft_def def = *soft;
    def.solver.schedule = choice->schedule;
    def.research.clustering = choice->clustering;
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, &def, &asset);
    if (result) return result;
    *out = pliant_asset_describe(asset);
    double load = time_to_load(asset);
    pliant_asset_destroy(asset);
    bool clusters = choice->schedule == PLIANT_SCHEDULE_CLUSTERED;
    bool patched = choice->schedule == PLIANT_SCHEDULE_PATCHED,
         copied = choice->schedule > PLIANT_SCHEDULE_SERIAL;
    bool by_cell = clusters && choice->clustering == PLIANT_CLUSTERING_CELLS;
    const cell cells[SCHEDULE_COLUMNS] = {
        {.text = schedule_word(choice)},
        {.number = clusters && !by_cell ? def.research.cluster_size : (double)NAN},
        {.number = clusters ? out->clusters : (double)NAN},
        {.number = patched ? out->patches : (double)NAN},
        {.number = patched || copied ? out->copies : (double)NAN},
        {.number = out->colors},
        {.number = out->largest_color},
        {.number = out->smallest_color},
        {.number = (double)out->bytes},
        {.number = out->compile_seconds},
        {.number = load},
    };
    memcpy(row, cells, sizeof cells);
    return PLIANT_OK;
}

static bool applies(const info_settings* s, const schedule_choice* choice, const pliant_mesh* mesh)
{
    if (s->schedule) return choice == s->schedule;
    return choice->clustering != PLIANT_CLUSTERING_CELLS || pliant_mesh_view(mesh).tet_cell;
}

// `out` is what the last schedule says; the facts that matter here are the same for all.
static pliant_result report_schedules(facts* r, const info_settings* s, const pliant_mesh* mesh,
                                      pliant_asset_info* out)
{
    cell cells[SCHEDULES * SCHEDULE_COLUMNS];
    int count = 0;
    for (int i = 0; i < SCHEDULES; ++i) {
        if (!applies(s, &schedule_choices[i], mesh)) continue;
        pliant_result result = describe_schedule(mesh, &s->soft, &schedule_choices[i],
                                                 cells + SCHEDULE_COLUMNS * count++, out);
        if (result) return result;
    }
    facts_rows(r, "schedules", schedule_columns, SCHEDULE_COLUMNS, cells, count);
    return PLIANT_OK;
}

// ---- substeps -----------------------------------------------------------------------------------

static pliant_result report_substeps(facts* r, const info_settings* s, const pliant_mesh* mesh)
{
    enum { COLUMNS = 2 };
    static const column columns[COLUMNS] = {{"formulation", COLUMN_TEXT, 15, 0},
                                            {"substeps", COLUMN_INT, 8, 0}};
    cell cells[FORMULATIONS * COLUMNS];
    int count = 0;
    for (int f = 0; f < FORMULATIONS; ++f) {
        if (s->one_formulation && f != (int)s->soft.solver.formulation) continue;
        if (f > 0 && pliant_mesh_view(mesh).tet_count == 0) continue; // cloth and ropes have none
        pliant_soft_def def = s->soft;
        def.solver.formulation = (pliant_formulation)f;
        def.solver.schedule =
            PLIANT_SCHEDULE_SERIAL; // the order does not matter here, and this one is free
        pliant_asset* asset = NULL;
        pliant_result result = pliant_asset_create(mesh, &def, &asset);
        if (result) return result;
        cells[COLUMNS * count].text = formulation_of(mesh, def.solver.formulation);
        cells[COLUMNS * count++ + 1].number = pliant_asset_substeps(asset, (float)s->dt);
        pliant_asset_destroy(asset);
    }
    facts_rows(r, "substeps", columns, COLUMNS, cells, count);
    return PLIANT_OK;
}

// ---- the whole ----------------------------------------------------------------------------------

static void report_body(facts* r, const info_settings* s, const pliant_asset_info* info)
{
    facts_heading(r, "body");
    facts_number(r, "young", s->soft.material.young, "Pa");
    facts_number(r, "poisson", s->soft.material.poisson, "");
    facts_number(r, "density", s->soft.material.density, "kg/m^3");
    facts_number(r, "mass", info->mass, "kg");
    facts_int(r, "particles", info->particles);
    facts_int(r, "constraints", info->constraints);
    facts_int(r, "clique", info->clique);
    facts_number(r, "shear_frequency", info->shear_frequency, "rad/s");
    facts_number(r, "volume_frequency", info->volume_frequency, "rad/s");
    facts_number(r, "typical_frequency", info->typical_frequency, "rad/s");
    facts_number(r, "dt", s->dt, "s");
    facts_heading(r, NULL);
}

static pliant_result report_soft(facts* r, const info_settings* s, const pliant_mesh* mesh)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    if (a.tet_count == 0 && a.edge_count == 0 && a.triangle_count == 0) return PLIANT_OK;
    pliant_asset_info info = {0};
    pliant_result result = report_schedules(r, s, mesh, &info);
    if (!result) report_body(r, s, &info);
    return result ? result : report_substeps(r, s, mesh);
}

static pliant_result report_all(const info_settings* s, const char* name, const pliant_mesh* mesh)
{
    pliant_mesh_quality q;
    problem problems[MOST_PROBLEMS];
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result) return result;
    facts r = facts_start(s->json);
    facts_text(&r, "mesh", name);
    report_quality(&r, mesh, &q);
    report_colors(&r, mesh);
    report_problems(&r, problems, find_problems(mesh, &q, problems));
    result = report_histograms(&r, mesh, q.mean_edge);
    if (!result) result = report_soft(&r, s, mesh);
    facts_end(&r);
    return result;
}

// What is told of: one of the two.
typedef struct {
    scene* scene;
    pliant_mesh* mesh;
} subject;

// The first letter tells what the standard input holds.
static pliant_result open_input(subject* out)
{
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = load_bytes("-", &data, &bytes, NULL);
    const char* text = (const char*)data;
    size_t first = result ? 0 : strspn(text, " \t\r\n\xef\xbb\xbf");
    if (!result)
        result = text[first] == '{' ? scene_parse(data, bytes, INPUT_NAME, &out->scene)
                                    : load_input_mesh(data, bytes, &out->mesh);
    mem_free(data);
    return result;
}

// A few scenes of the program have the name of a generator: the mesh goes first.
static pliant_result open_subject(const info_settings* s, const char* name, subject* out)
{
    if (is_input(name)) return open_input(out);
    if (s->as_scene) return open_scene(name, 0, NULL, &out->scene);
    if (!names_scene(name)) return load_mesh(name, &out->mesh);
    bool generated = !names_file(name) && pliant_mesh_generate(name, &out->mesh) == PLIANT_OK;
    return generated ? PLIANT_OK : open_scene(name, 0, NULL, &out->scene);
}

static int process(const info_settings* s, const char* name)
{
    subject of = {0};
    int status = EXIT_DONE;
    if (open_subject(s, name, &of) || (of.mesh && report_all(s, name, of.mesh)))
        status = tell_failure("info");
    else if (of.scene)
        status = info_scene(name, of.scene, s->json);
    pliant_mesh_destroy(of.mesh);
    scene_destroy(of.scene);
    return status;
}

static int check(info_settings* s)
{
    if (s->plain) s->soft.research.lame_convention = PLIANT_LAME_PLAIN;
    s->one_formulation = s->formulation_word != NULL;
    if (s->one_formulation &&
        !formulation_of_word(s->formulation_word, &s->soft.solver.formulation))
        return tell_usage("info", s->formulation_word,
                          "use ten_rows, two_rows, decoupled, decoupled_nodes or edges_and_volume");
    s->schedule = s->schedule_word ? schedule_of_word(s->schedule_word) : NULL;
    if (s->schedule_word && !s->schedule)
        return tell_usage("info", s->schedule_word,
                          "use patched, serial, colored, clustered, neighbors, cells, phantom, "
                          "hybrid or jacobi");
    if (s->single) s->soft.research.phantoms = PLIANT_PHANTOMS_SINGLE;
    return EXIT_DONE;
}

int command_info(int argc, char** argv)
{
    info_settings s = {.soft = pliant_soft_defaults(), .dt = 1.0 / 60};
    pliant_material_def* m = &s.soft.material;
    const option options[] = {
        {"--json", OPTION_SWITCH, &s.json, NULL, "one JSON object"},
        {"--scene", OPTION_SWITCH, &s.as_scene, NULL,
         "the scene of this name, where a mesh has it too (torus, cloth)"},
        {"--young", OPTION_NUMBER, &m->young, "E", "Young's modulus [Pa] (1e6)"},
        {"--poisson", OPTION_NUMBER, &m->poisson, "NU", "Poisson's ratio (0.45)"},
        {"--density", OPTION_NUMBER, &m->density, "RHO", "[kg/m^3] (1000)"},
        {"--plain", OPTION_SWITCH, &s.plain, NULL, "the papers' plain parameters"},
        {"--dt", OPTION_NUMBER, &s.dt, "DT", "step to find substeps for [s] (1/60)"},
        {"--formulation", OPTION_TEXT, &s.formulation_word, "F", "only this one"},
        {"--schedule", OPTION_TEXT, &s.schedule_word, "S", "only this one"},
        {"--cluster-size", OPTION_INT, &s.soft.research.cluster_size, "K",
         "most nodes in a cluster (5)"},
        {"--most-colors", OPTION_INT, &s.soft.research.most_colors, "Q",
         "of phantom and hybrid (0: half of the clique)"},
        {"--single", OPTION_SWITCH, &s.single, NULL, "phantoms of one constraint each"},
    };
    static const option_range ranges[] = {
        {"--young", DBL_MIN, 1e15}, {"--poisson", 0, 0.5},     {"--density", DBL_MIN, 1e9},
        {"--dt", DBL_MIN, 10},      {"--cluster-size", 1, 64}, {"--most-colors", 0, 256},
    };
    const command_help help = {.name = "info",
                               .words = "MESH|SCENE.json|NAME",
                               .summary =
                                   "Counts, quality, histograms of angles, lengths and valences, "
                                   "colors of every schedule, memory, frequencies and "
                                   "substeps; the bodies of a scene. - is the standard input.",
                               .option = options,
                               .option_count = sizeof options / sizeof options[0],
                               .least_words = 1,
                               .most_words = 1,
                               .range = ranges,
                               .range_count = sizeof ranges / sizeof ranges[0]};
    const char* words[MOST_WORDS];
    parsed in = options_parse(&help, argc, argv, words);
    if (in.leave) return in.exit_status;
    int status = check(&s);
    if (status) return status;
    return process(&s, in.word[0]);
}
