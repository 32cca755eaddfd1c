// pliant mesh: converts, generates, cleans and fills with tets on request, and says what is wrong.
#include "base/error.h"
#include "base/platform.h"
#include "commands.h"
#include "export/path.h"
#include "facts.h"
#include "load.h"
#include "meshfile/format.h"
#include "progress.h"
#include "quality.h"
#include "scene/cache.h"
#include "scene/drop.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char* out;
    const char* scene; // NULL: none
    double weld;       // [m] NaN: not asked for
    double scale;
    int tets;    // 0: none
    double edge; // [m] 0: none
    int coarsen, threads;
    double fill; // [m] spacing of particles; 0: none
    const char* pattern;
    double radius, largest_radius; // [m]
    int seed;
    pliant_repair_def repair;
    bool asks_to_repair;
    bool separate_parts, close_holes, orient, drop_unreferenced, drop_degenerate, drop_duplicates,
        boundary, json, list;
} mesh_settings;

static bool asks_to_clean(const mesh_settings* s)
{
    return !isnan(s->weld) || s->orient || s->drop_unreferenced || s->drop_degenerate ||
           s->drop_duplicates;
}

static pliant_result clean(const mesh_settings* s, pliant_mesh* mesh, pliant_clean_report* out)
{
    pliant_clean_def def = pliant_clean_defaults();
    def.weld = !isnan(s->weld);
    def.weld_distance = def.weld ? s->weld : 0;
    def.orient = s->orient;
    def.drop_degenerate = s->drop_degenerate;
    def.drop_duplicates = s->drop_duplicates;
    def.drop_unreferenced = s->drop_unreferenced;
    return pliant_mesh_clean(mesh, &def, out);
}

static pliant_result replace_by_boundary(pliant_mesh** mesh)
{
    pliant_mesh* surface = NULL;
    pliant_result result = pliant_mesh_boundary(*mesh, &surface, NULL);
    if (result) return result;
    pliant_mesh_destroy(*mesh);
    *mesh = surface;
    return PLIANT_OK;
}

typedef struct {
    pliant_clean_report cleaning;
    pliant_tet_report filling;
    pliant_repair_report repair;
} work_report;

static bool asks_to_fill(const mesh_settings* s) { return s->tets > 0 || s->edge > 0; }

static void show_part(double part, void* context)
{
    progress_show((progress*)context, 100 * part, 100);
}

static pliant_result replace_by_tets(const mesh_settings* s, const char* name, pliant_mesh** mesh,
                                     pliant_tet_report* out)
{
    progress bar = progress_start("percent", s->json);
    pliant_tet_def def = pliant_tet_defaults();
    def.tets = s->tets;
    def.edge = s->edge;
    def.coarsening = s->coarsen;
    def.separate_parts = s->separate_parts;
    def.close_holes = s->close_holes;
    def.threads = s->threads;
    def.progress = show_part;
    def.context = &bar;
    pliant_mesh* filled = NULL;
    pliant_result result = pliant_mesh_tetrahedralize(*mesh, &def, &filled, out);
    progress_end(&bar);
    if (result) {
        char reason[400];
        snprintf(reason, sizeof reason, "%s", pliant_error_text());
        return fail(result, "%s: %s", name, reason);
    }
    if (s->scene) cache_keep(*mesh, &def, filled);
    pliant_mesh_destroy(*mesh);
    *mesh = filled;
    return PLIANT_OK;
}

// A scene in which the surface falls, for pliant run.
static const char* const patterns[] = {"hexagonal", "grid", "jittered", "noise", "surface"};
enum { PATTERNS = sizeof patterns / sizeof patterns[0] };

static int pattern_of(const char* word)
{
    for (int i = 0; i < PATTERNS; ++i)
        if (strcmp(word, patterns[i]) == 0) return i;
    return -1;
}

static bool show_filling(double part, void* context)
{
    show_part(part, context);
    return true;
}

static pliant_result replace_by_particles(const mesh_settings* s, const char* name,
                                          pliant_mesh** mesh)
{
    progress bar = progress_start("percent", s->json);
    pliant_fill_def def = pliant_fill_defaults();
    def.spacing = s->fill;
    def.pattern = (pliant_pattern)pattern_of(s->pattern);
    def.radius = s->radius;
    def.largest_radius = s->largest_radius;
    def.seed = s->seed;
    def.threads = s->threads;
    def.progress = show_filling;
    def.context = &bar;
    pliant_mesh* filled = NULL;
    pliant_result result = pliant_mesh_fill(*mesh, &def, &filled);
    progress_end(&bar);
    if (result) {
        char reason[400];
        snprintf(reason, sizeof reason, "%s", pliant_error_text());
        return fail(result, "%s: %s", name, reason);
    }
    pliant_mesh_destroy(*mesh);
    *mesh = filled;
    return PLIANT_OK;
}

static pliant_result write_scene(const mesh_settings* s, const char* name, const pliant_mesh* mesh)
{
    char file[4096];
    sink text = {0};
    if (!drop_name(s->scene, name, file))
        return fail(PLIANT_ERROR_ARGUMENT,
                    "%.300s: the scene needs to be in the folder of the surface, or the surface "
                    "given by its whole path",
                    s->scene);
    drop_scene(mesh, file, s->tets, &text);
    pliant_result result =
        text.failed ? PLIANT_ERROR_MEMORY : platform_write_file(s->scene, text.data, text.bytes);
    sink_release(&text);
    return result;
}

// Everything that changes the mesh, in the order of the report.
static pliant_result work_on(const mesh_settings* s, const char* name, pliant_mesh** mesh,
                             work_report* done)
{
    const double nowhere[3] = {0, 0, 0};
    pliant_result result = PLIANT_OK;
    if (s->scale != 1) pliant_mesh_transform(*mesh, s->scale, (pliant_quat){0, 0, 0, 1}, nowhere);
    if (asks_to_clean(s)) result = clean(s, *mesh, &done->cleaning);
    if (!result && s->scene) result = write_scene(s, name, *mesh);
    if (!result && asks_to_fill(s)) result = replace_by_tets(s, name, mesh, &done->filling);
    if (!result && s->asks_to_repair) result = pliant_mesh_repair(*mesh, &s->repair, &done->repair);
    if (!result && s->boundary) result = replace_by_boundary(mesh);
    if (!result && s->fill > 0) result = replace_by_particles(s, name, mesh);
    if (!result && s->out) result = pliant_mesh_save(*mesh, s->out);
    return result;
}

static void report_cleaning(facts* r, const pliant_clean_report* done)
{
    facts_heading(r, "cleaned");
    facts_int(r, "welded_vertices", done->welded);
    facts_int(r, "oriented_elements", done->oriented);
    facts_int(r, "dropped_degenerate", done->degenerate);
    facts_int(r, "dropped_duplicates", done->duplicates);
    facts_int(r, "dropped_unreferenced", done->unreferenced);
}

static void report_filling(facts* r, const pliant_tet_report* done)
{
    facts_heading(r, "filled");
    facts_number(r, "edge", done->edge, "m");
    facts_int(r, "surface_parts", done->surface_parts);
    facts_int(r, "parts", done->parts);
    facts_int(r, "dropped_parts", done->dropped_parts);
    facts_int(r, "dropped_tets", done->dropped_tets);
    facts_int(r, "stalks", done->stalks);
    facts_int(r, "stalk_tets", done->stalk_tets);
    facts_int(r, "plates", done->plates);
    facts_int(r, "plate_tets", done->plate_tets);
    facts_int(r, "missing_parts", done->missing_parts);
    if (done->missing_parts) {
        facts_place(r, "missing_place", done->missing_place, done->edge);
        facts_number(r, "missing_thickness", done->missing_thickness, "m");
    }
    facts_number(r, "enclosing", done->enclosing, "");
    facts_int(r, "closed_holes", done->closed_holes);
    facts_int(r, "open_holes", done->open_holes);
}

static void report_repair(facts* r, const pliant_repair_report* done)
{
    facts_heading(r, "repaired");
    facts_int(r, "splits", done->splits);
    facts_int(r, "collapses", done->collapses);
    facts_int(r, "swaps", done->swaps);
    facts_int(r, "shifts", done->shifts);
    facts_number(r, "surface_moved", done->out_distance, "m, new from old");
    facts_number(r, "surface_left", done->back_distance, "m, old from new");
    facts_number(r, "volume_change", 100 * done->volume_change, "%");
}

static pliant_result report_mesh(const mesh_settings* s, const char* name, const pliant_mesh* mesh,
                                 const work_report* done)
{
    pliant_mesh_quality q;
    problem problems[MOST_PROBLEMS];
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result) return result;
    int count = find_problems(mesh, &q, problems);
    facts r = facts_start(s->json);
    facts_text(&r, "mesh", name);
    if (s->out) facts_text(&r, "out", s->out);
    report_quality(&r, mesh, &q);
    report_colors(&r, mesh);
    if (asks_to_clean(s)) report_cleaning(&r, &done->cleaning);
    if (asks_to_fill(s)) report_filling(&r, &done->filling);
    if (s->asks_to_repair) report_repair(&r, &done->repair);
    report_problems(&r, problems, count);
    facts_end(&r);
    return PLIANT_OK;
}

// Told before the work.
static pliant_result check_files(const mesh_settings* s)
{
    pliant_result result = s->out ? path_try(s->out) : PLIANT_OK;
    return result || !s->scene ? result : path_try(s->scene);
}

// A scene of a surface is tried out: it is filled here. Tets of the file's own stay.
static void choose_tets(mesh_settings* s, const pliant_mesh* mesh)
{
    if (s->scene && s->tets == 0 && pliant_mesh_view(mesh).tet_count == 0)
        s->tets = pliant_tet_defaults().tets;
}

static int process(mesh_settings* s, const char* name)
{
    pliant_mesh* mesh = NULL;
    work_report done = {0};
    pliant_result result = check_files(s);
    if (!result) result = load_mesh(name, &mesh);
    if (!result) choose_tets(s, mesh);
    if (!result) result = work_on(s, name, &mesh, &done);
    if (!result) result = report_mesh(s, name, mesh, &done);
    pliant_mesh_destroy(mesh);
    return result ? tell_failure("mesh") : EXIT_DONE;
}

static const option_range ranges[] = {
    {"--weld", 0, 1e9},
    {"--scale", DBL_MIN, 1e9},
    {"--tets", 1, MOST_TETS},
    {"--edge", DBL_MIN, 1e9},
    {"--coarsen", 0, 8},
    {"--threads", 0, MOST_THREADS},
    {"--min-angle", 0, 20},
    {"--max-valence", 30, 1000000},
    {"--tolerance", 0, 1e9},
    {"--repair-edge", 0, 1e9},
    {"--fill", DBL_MIN, 1e9},
    {"--radius", DBL_MIN, 1e9},
    {"--largest-radius", DBL_MIN, 1e9},
    {"--seed", 0, INT_MAX},
};
static const option_need needs[] = {
    {"--pattern", {"--fill"}},
    {"--radius", {"--fill"}},
    {"--largest-radius", {"--fill"}},
    {"--seed", {"--fill"}},
    {"--coarsen", {"--tets", "--edge"}},
    {"--separate-parts", {"--tets", "--edge"}},
    {"--close-holes", {"--tets", "--edge"}},
    {"--min-angle", {"--repair"}},
    {"--max-valence", {"--repair"}},
    {"--tolerance", {"--repair"}},
    {"--repair-edge", {"--repair"}},
};

// Options that do not go together; 0 when all do.
static int refuse_together(const mesh_settings* s)
{
    if (pattern_of(s->pattern) < 0)
        return tell_usage("mesh", "--pattern", "hexagonal, grid, jittered, noise or surface");
    if (s->fill > 0 && asks_to_fill(s))
        return tell_usage("mesh", "--fill and --tets", "use one of them");
    if (s->scene && s->fill > 0)
        return tell_usage("mesh", "--scene",
                          "it goes with --tets; a scene fills by itself, by "
                          "\"fill\" of a body");
    if (s->tets > 0 && s->edge > 0)
        return tell_usage("mesh", "--tets and --edge", "use one of them");
    if (s->scene && (s->edge > 0 || s->scale != 1 || s->coarsen || s->separate_parts ||
                     s->close_holes || asks_to_clean(s)))
        return tell_usage("mesh", "--scene", "it goes with --tets and no other change");
    return 0;
}

int command_mesh(int argc, char** argv)
{
    mesh_settings s = {.weld = NAN,
                       .scale = 1,
                       .repair = pliant_repair_defaults(),
                       .pattern = patterns[0],
                       .seed = 1};
    const option options[] = {
        {"--out", OPTION_TEXT, &s.out, "OUT", "write .msh .mesh .vtu .obj .ply (short: -o)"},
        {"--weld", OPTION_NUMBER, &s.weld, "D", "join vertices no farther than D; 0: same place"},
        {"--orient", OPTION_SWITCH, &s.orient, NULL, "turn inverted tets and triangles"},
        {"--drop-unreferenced", OPTION_SWITCH, &s.drop_unreferenced, NULL,
         "remove unused vertices"},
        {"--drop-degenerate", OPTION_SWITCH, &s.drop_degenerate, NULL, "remove flat elements"},
        {"--drop-duplicates", OPTION_SWITCH, &s.drop_duplicates, NULL, "remove repeated elements"},
        {"--scale", OPTION_NUMBER, &s.scale, "S", "multiply all coordinates first"},
        {"--tets", OPTION_INT, &s.tets, "N", "fill a surface with about N tets"},
        {"--edge", OPTION_NUMBER, &s.edge, "L", "or with tets whose edges have the length L"},
        {"--coarsen", OPTION_INT, &s.coarsen, "N",
         "of these, tets deep inside are up to 2^N times as long"},
        {"--separate-parts", OPTION_SWITCH, &s.separate_parts, NULL,
         "fill each part of the surface by itself"},
        {"--close-holes", OPTION_SWITCH, &s.close_holes, NULL,
         "close all holes of the surface first; without that, those in a plane"},
        {"--fill", OPTION_NUMBER, &s.fill, "L",
         "fill a closed surface or tets with particles at a spacing of L"},
        {"--pattern", OPTION_TEXT, &s.pattern, "NAME",
         "of these: hexagonal (default), grid, jittered, noise, surface"},
        {"--radius", OPTION_NUMBER, &s.radius, "R", "of particles (half of the spacing)"},
        {"--largest-radius", OPTION_NUMBER, &s.largest_radius, "R",
         "of noise: radii from --radius to this"},
        {"--seed", OPTION_INT, &s.seed, "N", "of random particles (1)"},
        {"--scene", OPTION_TEXT, &s.scene, "FILE.json",
         "write a scene for pliant run in which the filled surface falls"},
        {"--threads", OPTION_INT, &s.threads, "N", "for filling; 0: one per core"},
        {"--repair", OPTION_SWITCH, &s.asks_to_repair, NULL,
         "better tets: no slivers, fewer tets at a vertex"},
        {"--min-angle", OPTION_NUMBER, &s.repair.min_dihedral, "A",
         "of repaired tets, 0 to 20 degrees (8)"},
        {"--max-valence", OPTION_INT, &s.repair.max_valence, "N",
         "most tets at a vertex, 30 or more (60)"},
        {"--tolerance", OPTION_NUMBER, &s.repair.tolerance, "D",
         "how far repair may move the surface [m] (1/150 of its longest side)"},
        {"--repair-edge", OPTION_NUMBER, &s.repair.edge, "L",
         "edges of repaired tets [m] (about as many tets as before)"},
        {"--boundary", OPTION_SWITCH, &s.boundary, NULL, "keep the surface of the tets only"},
        {"--json", OPTION_SWITCH, &s.json, NULL, "one JSON object"},
        {"--list", OPTION_SWITCH, &s.list, NULL, "show the words of the generators"},
    };
    const command_help help = {
        .name = "mesh",
        .words = "IN",
        .summary = "Converts a file (-: standard input) or a generator's word (beam:21x6x6), "
                   "cleans and fills with tets on request, lists its defects.",
        .option = options,
        .option_count = sizeof options / sizeof options[0],
        .most_words = 1,
        .range = ranges,
        .range_count = sizeof ranges / sizeof ranges[0],
        .need = needs,
        .need_count = sizeof needs / sizeof needs[0]};
    const char* words[MOST_WORDS];
    parsed in = options_parse(&help, argc, argv, words);
    if (in.leave) return in.exit_status;
    if (s.list) return puts(pliant_mesh_generate_help()) < 0 ? EXIT_FAILED : EXIT_DONE;
    if (in.count == 0)
        return tell_usage("mesh", "IN is missing", "a mesh file or a generator's word is needed");
    const mesh_format* format = NULL;
    if (s.out && format_to_write(s.out, &format))
        return tell_usage("mesh", "--out", pliant_error_text());
    int refused = refuse_together(&s);
    return refused ? refused : process(&s, in.word[0]);
}
