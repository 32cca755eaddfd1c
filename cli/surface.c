// pliant surface: a liquid's surface around its particles, of one file or of a folder of frames.
#include "base/memory.h"
#include "base/platform.h"
#include "commands.h"
#include "export/path.h"
#include "facts.h"
#include "load.h"
#include "meshfile/format.h"
#include "progress.h"
#include "system/folder.h"
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *out, *format; // NULL: not given
    pliant_surface_def def;
    bool json;
} surface_settings;

// What came of all frames.
typedef struct {
    int frames;
    double particles, vertices, triangles, volume, area, seconds, radius, cell;
} surface_sums;

static pliant_result name_failure(pliant_result result, const char* name)
{
    char reason[600];
    snprintf(reason, sizeof reason, "%s", pliant_error_text());
    return strncmp(reason, name, strlen(name)) == 0 ? result
                                                    : fail(result, "%.300s: %s", name, reason);
}

static pliant_result check_loose(const pliant_mesh_arrays* m)
{
    int elements = m->tet_count + m->triangle_count + m->edge_count;
    if (elements == 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "it has %d tets, triangles and edges: a surface goes around loose particles "
                "(pliant mesh FILE --fill L makes some)",
                elements);
}

static pliant_result make_surface(const surface_settings* s, const pliant_mesh* points,
                                  pliant_mesh** out, surface_sums* sums)
{
    pliant_mesh_arrays m = pliant_mesh_view(points);
    pliant_result result = check_loose(&m);
    if (result) return result;
    const pliant_points p = {
        .positions = m.vertices, .radii = m.vertex_radius, .count = m.vertex_count};
    pliant_surface_report report;
    result = pliant_mesh_surface(&p, &s->def, out, &report);
    if (result) return result;
    pliant_release(report.normals);
    pliant_release(report.velocities);
    sums->particles += m.vertex_count;
    sums->radius = report.radius;
    sums->cell = report.cell;
    return PLIANT_OK;
}

static pliant_result add_up(const pliant_mesh* mesh, surface_sums* sums)
{
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result) return result;
    pliant_mesh_arrays m = pliant_mesh_view(mesh);
    sums->frames++;
    sums->vertices += m.vertex_count;
    sums->triangles += m.triangle_count;
    sums->volume = q.volume;
    sums->area = q.area;
    return PLIANT_OK;
}

static pliant_result do_file(const surface_settings* s, const char* from, const char* to,
                             surface_sums* sums)
{
    pliant_mesh *points = NULL, *mesh = NULL;
    pliant_result result = load_mesh(from, &points);
    double start = platform_seconds();
    if (!result) result = make_surface(s, points, &mesh, sums);
    sums->seconds += platform_seconds() - start;
    if (result) result = name_failure(result, from);
    pliant_mesh_destroy(points);
    if (!result && to) result = pliant_mesh_save(mesh, to);
    if (!result) result = add_up(mesh, sums);
    pliant_mesh_destroy(mesh);
    return result;
}

// ---- folders ------------------------------------------------------------------------------------

typedef struct {
    char** name;
    int count, capacity;
} name_list;

// Files of points, by their names: whether they hold some is seen when they are read.
static pliant_result add_name(const char* name, void* context)
{
    name_list* list = (name_list*)context;
    const mesh_format* format = format_of_extension(name);
    if (!format || !format->read || name[0] == '.') return PLIANT_OK;
    if (!mem_reserve((void**)&list->name, &list->capacity, (int64_t)list->count + 1, sizeof(char*)))
        return PLIANT_ERROR_MEMORY;
    char* copy = (char*)mem_alloc(strlen(name) + 1);
    if (!copy) return PLIANT_ERROR_MEMORY;
    memcpy(copy, name, strlen(name) + 1);
    list->name[list->count++] = copy;
    return PLIANT_OK;
}

static int compare(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static pliant_result find_names(const char* folder, name_list* out)
{
    pliant_result result = folder_list(folder, add_name, out);
    if (!result && out->count == 0)
        return fail(PLIANT_ERROR_FILE, "%.300s: there is no file of points in this folder", folder);
    if (!result) qsort((void*)out->name, (size_t)out->count, sizeof(char*), compare);
    return result;
}

static void release_names(name_list* list)
{
    for (int i = 0; i < list->count; ++i) mem_free(list->name[i]);
    mem_free((void*)list->name);
}

// frames/frame_00012.vtu to FOLDER/frame_00012.ply
static pliant_result do_frame(const surface_settings* s, const char* folder, const char* name,
                              surface_sums* sums)
{
    char from[PATH_BYTES], to[PATH_BYTES], stem[PATH_BYTES];
    snprintf(stem, sizeof stem, "%.*s.%s", (int)(path_extension(name).at - name), name,
             s->format ? s->format : "ply");
    pliant_result result = path_join(folder, name, from);
    if (!result && s->out) result = path_join(s->out, stem, to);
    return result ? result : do_file(s, from, s->out ? to : NULL, sums);
}

static pliant_result do_folder(const surface_settings* s, const char* folder, surface_sums* sums)
{
    name_list list = {.count = 0};
    pliant_result result = find_names(folder, &list);
    progress bar = progress_start("frames", s->json);
    if (!result && s->out) result = folder_make(s->out);
    for (int i = 0; i < list.count && !result; ++i) {
        progress_show(&bar, i, list.count);
        result = do_frame(s, folder, list.name[i], sums);
    }
    progress_end(&bar);
    release_names(&list);
    return result;
}

// ---- the command --------------------------------------------------------------------------------

static void report(const surface_settings* s, const char* name, const surface_sums* sums)
{
    facts r = facts_start(s->json);
    facts_text(&r, "particles_of", name);
    if (s->out) facts_text(&r, "out", s->out);
    facts_int(&r, "frames", sums->frames);
    facts_int(&r, "particles", sums->particles);
    facts_number(&r, "radius", sums->radius, "m");
    facts_number(&r, "cell", sums->cell, "m");
    facts_int(&r, "vertices", sums->vertices);
    facts_int(&r, "triangles", sums->triangles);
    facts_number(&r, "volume", sums->volume, sums->frames > 1 ? "m^3, of the last" : "m^3");
    facts_number(&r, "area", sums->area, sums->frames > 1 ? "m^2, of the last" : "m^2");
    facts_number(&r, "seconds", sums->seconds, "s");
    facts_end(&r);
}

static int check_words(const surface_settings* s, bool folder)
{
    const mesh_format* format = NULL;
    if (s->format && !folder)
        return tell_usage("surface", "--format", "it is for a folder: a file has its extension");
    if (folder && s->out && file_exists(s->out))
        return tell_usage("surface", "--out",
                          "this is a file: frames of a folder go into a folder");
    char name[80];
    snprintf(name, sizeof name, "a.%.60s", s->format ? s->format : "ply");
    if (!folder && s->out && !is_input(s->out) && format_to_write(s->out, &format))
        return tell_usage("surface", "--out", pliant_error_text());
    if (folder && format_to_write(name, &format))
        return tell_usage("surface", "--format", pliant_error_text());
    return 0;
}

static int process(const surface_settings* s, const char* name)
{
    surface_sums sums = {.frames = 0};
    bool folder = folder_exists(name);
    int refused = check_words(s, folder);
    if (refused) return refused;
    pliant_result result = s->out && !folder ? path_try(s->out) : PLIANT_OK;
    if (!result) result = folder ? do_folder(s, name, &sums) : do_file(s, name, s->out, &sums);
    if (result) return tell_failure("surface");
    report(s, name, &sums);
    return EXIT_DONE;
}

static const option_range ranges[] = {
    {"--radius", DBL_MIN, 1e9},
    {"--cell", DBL_MIN, 1e9},
    {"--smoothing", 0, 1000},
    {"--threads", 0, MOST_THREADS},
};

int command_surface(int argc, char** argv)
{
    surface_settings s = {.def = pliant_surface_defaults()};
    const option options[] = {
        {"--out", OPTION_TEXT, &s.out, "OUT",
         "write .ply .obj .vtu .msh ... or, of a folder, a folder (short: -o)"},
        {"--radius", OPTION_NUMBER, &s.def.radius, "R",
         "of the particles [m], half of the way from one to the next (what the file has)"},
        {"--cell", OPTION_NUMBER, &s.def.cell, "L",
         "edge of the grid's cells [m], as large as triangles (the smallest radius)"},
        {"--smoothing", OPTION_INT, &s.def.smoothing, "N",
         "how often the surface is made smoother (10)"},
        {"--format", OPTION_TEXT, &s.format, "NAME", "of a folder's frames (ply)"},
        {"--threads", OPTION_INT, &s.def.threads, "N", "0: one per core"},
        {"--json", OPTION_SWITCH, &s.json, NULL, "one JSON object"},
    };
    const command_help help = {.name = "surface",
                               .words = "IN",
                               .summary = "Puts a closed, smooth surface around the particles of a "
                                          "file (.ply .vtu .msh; -: standard input) or of each "
                                          "file in a folder of frames, as around a liquid.",
                               .option = options,
                               .option_count = sizeof options / sizeof options[0],
                               .least_words = 1,
                               .most_words = 1,
                               .range = ranges,
                               .range_count = sizeof ranges / sizeof ranges[0]};
    const char* words[MOST_WORDS];
    parsed in = options_parse(&help, argc, argv, words);
    return in.leave ? in.exit_status : process(&s, in.word[0]);
}
