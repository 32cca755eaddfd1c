// What the scenes of the papers consist of, and into how many colors it falls: sections scenes and
// phantoms of `bench pbd`.
#include "asset/asset.h"
#include "base/memory.h"
#include "bench/pbd.h"
#include <math.h>
#include <string.h>

typedef struct {
    const rows* table;
    const bench_settings* settings;
    progress bar;
    double done, total;
} counts;

static counts start(const rows* t, const bench_settings* settings, double total)
{
    counts c = {t, settings, progress_start("rows", false), 0, total};
    rows_head(t);
    return c;
}

// ---- scenes -------------------------------------------------------------------------------------

static const column scene_columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"section", COLUMN_TEXT, 8, 0},
    {"scene", COLUMN_TEXT, 8, 0},
    {"paper", COLUMN_TEXT, 18, 0},
    {"mesh", COLUMN_TEXT, 17, 0},
    {"bodies", COLUMN_INT, 6, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"paper_particles", COLUMN_INT, 15, 0},
    {"stretch", COLUMN_INT, 8, 0},
    {"paper_stretch", COLUMN_INT, 13, 0},
    {"bend", COLUMN_INT, 6, 0},
    {"paper_bend", COLUMN_INT, 10, 0},
    {"tets", COLUMN_INT, 8, 0},
    {"paper_tets", COLUMN_INT, 10, 0},
    {"colors_stretch", COLUMN_INT, 14, 0},
    {"paper_colors_stretch", COLUMN_INT, 20, 0},
    {"colors_bend", COLUMN_INT, 11, 0},
    {"paper_colors_bend", COLUMN_INT, 17, 0},
    {"colors_tets", COLUMN_INT, 11, 0},
    {"paper_colors_tets", COLUMN_INT, 17, 0},
    {"colors_in_one_graph", COLUMN_INT, 19, 0},
    {"largest_clique", COLUMN_INT, 14, 0},
};

// The number of colors that parts of a kind have; NAN where there are none.
static double colors_of(const pliant_asset* a, part_kind kind)
{
    int first = 0, lowest = 1 << 30, highest = -1;
    for (int k = 0; k < (int)kind; ++k) first += a->parts[k].count;
    for (int i = first; i < first + a->parts[kind].count; ++i) {
        int color = a->plan.node_color[i];
        if (color < lowest) lowest = color;
        if (color > highest) highest = color;
    }
    return highest < 0 ? (double)NAN : highest - lowest + 1;
}

static double count_of(const pliant_asset* a, part_kind kind)
{
    return a->parts[kind].count ? a->parts[kind].count : (double)NAN;
}

static double stated(int number) { return number ? number : (double)NAN; }

static void print_scene(counts* c, const pbd_scene* s, const pliant_asset* apart,
                        const pliant_asset_info* all)
{
    const cell row[] = {
        {.text = "pbd"},
        {.text = "scenes"},
        {.text = s->name},
        {.text = s->paper},
        {.text = s->mesh},
        {.number = s->across[0] * s->across[1]},
        {.number = all->particles},
        {.number = s->theirs.particles},
        {.number = count_of(apart, PART_EDGE)},
        {.number = s->theirs.stretch},
        {.number = count_of(apart, PART_HINGE)},
        {.number = s->theirs.bend},
        {.number = count_of(apart, PART_TET)},
        {.number = s->theirs.tets},
        {.number = colors_of(apart, PART_EDGE)},
        {.number = stated(s->colors[0])},
        {.number = colors_of(apart, PART_HINGE)},
        {.number = stated(s->colors[1])},
        {.number = colors_of(apart, PART_TET)},
        {.number = stated(s->colors[2])},
        {.number = all->colors},
        {.number = all->clique},
    };
    bench_row(&c->bar, c->table, row);
}

static pliant_result run_scene(counts* c, const pbd_scene* s)
{
    pliant_mesh* mesh = NULL;
    pliant_asset *apart = NULL, *all = NULL;
    pliant_soft_def def = pbd_scene_soft(s, PLIANT_SCHEDULE_COLORED);
    pliant_result result = pbd_scene_mesh(s, c->settings->meshes, true, &mesh);
    if (!result && mesh) {
        result = pliant_asset_create(mesh, &def, &all);
        def.research.color_scope = PLIANT_COLOR_SCOPE_TYPE;
        if (!result) result = pliant_asset_create(mesh, &def, &apart);
        if (!result) {
            pliant_asset_info info = pliant_asset_describe(all);
            print_scene(c, s, apart, &info);
        }
    }
    pliant_asset_destroy(apart);
    pliant_asset_destroy(all);
    pliant_mesh_destroy(mesh);
    progress_show(&c->bar, ++c->done, c->total);
    return result;
}

int pbd_counts_section(const bench_settings* settings)
{
    rows t = bench_rows(settings, scene_columns, sizeof scene_columns / sizeof scene_columns[0]);
    counts c = start(&t, settings, PBD_SCENES);
    int status = EXIT_DONE;
    for (int i = 0; i < PBD_SCENES; ++i) {
        const pbd_scene* s = &pbd_scenes[i];
        bool large = s->across[0] > 1 || s->fill > 100000;
        if (settings->brief && s->fill > 100000) continue;
        if (settings->quick && (large || (s->is_file && !settings->meshes))) continue;
        if (run_scene(&c, s)) status = tell_failure("bench pbd");
    }
    progress_end(&c.bar);
    return status;
}

// ---- phantoms -----------------------------------------------------------------------------------

static const column phantom_columns[] = {
    {"bench", COLUMN_TEXT, 5, 0},
    {"section", COLUMN_TEXT, 8, 0},
    {"mesh", COLUMN_TEXT, 17, 0},
    {"particles", COLUMN_INT, 9, 0},
    {"tets", COLUMN_INT, 8, 0},
    {"largest_clique", COLUMN_INT, 14, 0},
    {"schedule", COLUMN_TEXT, 8, 0},
    {"phantoms", COLUMN_TEXT, 8, 0},
    {"most_colors", COLUMN_INT, 11, 0}, // that were allowed
    {"colors", COLUMN_INT, 6, 0},
    {"largest_color", COLUMN_INT, 13, 0}, // [tets]
    {"smallest_color", COLUMN_INT, 14, 0},
    {"share", COLUMN_NUMBER, 8, 2}, // [%] phantoms over particles
    {"seconds", COLUMN_NUMBER, 8, 3},
};
enum { SINGLE_TETS = 100000 }; // beyond, one phantom for each constraint takes minutes

static void print_phantoms(counts* c, const char* name, const pliant_soft_def* def,
                           const pliant_asset* asset)
{
    pliant_asset_info info = pliant_asset_describe(asset);
    bool phantom = def->solver.schedule == PLIANT_SCHEDULE_PHANTOM;
    const cell row[] = {
        {.text = "pbd"},
        {.text = "phantoms"},
        {.text = name},
        {.number = info.particles},
        {.number = asset->mesh->tet_count},
        {.number = info.clique},
        {.text = schedule_words[def->solver.schedule]},
        {.text = phantom ? phantoms_words[def->research.phantoms] : NULL},
        {.number = phantom ? def->research.most_colors : (double)NAN},
        {.number = info.colors},
        {.number = info.largest_color},
        {.number = info.smallest_color},
        {.number = phantom ? 100 * (info.copies - 1) : (double)NAN},
        {.number = info.compile_seconds},
    };
    bench_row(&c->bar, c->table, row);
}

// Constraints are the tets. The clique is that of the first row.
static pliant_result run_partition(counts* c, const char* name, const pliant_mesh* mesh,
                                   pliant_soft_def* def, int* clique)
{
    pliant_asset* asset = NULL;
    pliant_result result = pliant_asset_create(mesh, def, &asset);
    if (!result) print_phantoms(c, name, def, asset);
    if (!result) *clique = pliant_asset_describe(asset).clique;
    pliant_asset_destroy(asset);
    return result;
}

static pliant_result run_partitions(counts* c, const char* name, const pliant_mesh* mesh)
{
    pliant_soft_def def = pliant_soft_defaults();
    int clique = 0, colors[5] = {0};
    def.solver.schedule = PLIANT_SCHEDULE_COLORED;
    pliant_result result = run_partition(c, name, mesh, &def, &clique);
    colors[0] = clique / 2, colors[1] = clique / 4, colors[2] = 4, colors[3] = 2;
    def.solver.schedule = PLIANT_SCHEDULE_PHANTOM;
    for (int way = 0; way < 2 && !result; ++way) {
        bool single = way == PLIANT_PHANTOMS_SINGLE;
        def.research.phantoms = (pliant_phantoms)way;
        if (single && pliant_mesh_view(mesh).tet_count > SINGLE_TETS) continue;
        for (int i = 0; colors[i] > 0 && !result; ++i) {
            if (single && i == 1) continue; // figure 8 is of one way
            def.research.most_colors = colors[i];
            result = run_partition(c, name, mesh, &def, &clique);
        }
    }
    progress_show(&c->bar, ++c->done, c->total);
    return result;
}

// Of --meshes by its name, or generated.
static pliant_result run_mesh(counts* c, const char* name, bool is_file, int fill)
{
    const pbd_scene s = {
        .name = name, .mesh = name, .is_file = is_file, .fill = fill, .across = {1, 1}};
    pliant_mesh* mesh = NULL;
    pliant_result result = pbd_scene_mesh(&s, c->settings->meshes, true, &mesh);
    if (!result && mesh) result = run_partitions(c, name, mesh);
    pliant_mesh_destroy(mesh);
    return result;
}

int pbd_phantoms_section(const bench_settings* settings)
{
    static const char* const files[] = {"spot",  "octopus",           "bunny_8k",
                                        "bunny", "squirrel_small_hv", "squirrel"};
    enum { FILES = sizeof files / sizeof files[0] };
    rows t =
        bench_rows(settings, phantom_columns, sizeof phantom_columns / sizeof phantom_columns[0]);
    counts c = start(&t, settings, settings->quick ? 1 : FILES + 3);
    pliant_result result = PLIANT_OK;
    if (settings->quick)
        result = run_mesh(&c, "torus:1:0.4:4", false, 0);
    else
        result = run_mesh(&c, pbd_scene_named("torus")->mesh, false, 0);
    for (int i = 0; i < FILES && settings->meshes && !result; ++i)
        result = run_mesh(&c, files[i], true, 0);
    for (int i = 0; i < 2 && settings->meshes && !settings->quick && !settings->brief && !result;
         ++i) {
        const pbd_scene* s = pbd_scene_named(i ? "squishy" : "fat");
        result = run_mesh(&c, s->mesh, true, s->fill);
    }
    progress_end(&c.bar);
    return result ? tell_failure("bench pbd") : EXIT_DONE;
}
