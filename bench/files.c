#include "bench/files.h"
#include "base/memory.h"
#include "base/platform.h"
#include "load.h"
#include "system/folder.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pliant_result mesh_list_add(mesh_list* list, const char* folder, const char* name)
{
    size_t bytes = strlen(name) + (folder ? strlen(folder) + 1 : 0) + 1;
    if (!mem_reserve((void**)&list->name, &list->capacity, list->count + 1, sizeof(char*)))
        return PLIANT_ERROR_MEMORY;
    char* joined = (char*)mem_alloc(bytes);
    if (!joined) return PLIANT_ERROR_MEMORY;
    snprintf(joined, bytes, "%s%s%s", folder ? folder : "", folder ? "/" : "", name);
    list->name[list->count++] = joined;
    return PLIANT_OK;
}

pliant_result mesh_list_add_all(mesh_list* list, const char* folder, const char* const* names,
                                int count)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count && !result; ++i) result = mesh_list_add(list, folder, names[i]);
    return result;
}

static pliant_result add_file(mesh_list* list, const char* folder, const char* name)
{
    static const char* const endings[] = {".mesh.gz", ".mesh"};
    for (int i = 0; i < 2; ++i) {
        char file[256];
        snprintf(file, sizeof file, "%s%s", name, endings[i]);
        pliant_result result = mesh_list_add(list, folder, file);
        if (result || file_exists(list->name[list->count - 1])) return result;
        mem_free(list->name[--list->count]);
    }
    fprintf(stderr, "%s/%s.mesh: not there, left out\n", folder, name);
    return PLIANT_OK;
}

pliant_result mesh_list_add_files(mesh_list* list, const char* folder, const char* const* names,
                                  int count)
{
    pliant_result result = PLIANT_OK;
    for (int i = 0; i < count && !result; ++i) result = add_file(list, folder, names[i]);
    return result;
}

// The length of `name` without `ending`, or 0 when it ends otherwise.
static size_t length_before(const char* name, size_t length, const char* ending)
{
    size_t end = strlen(ending);
    return length > end && strncmp(name + length - end, ending, end) == 0 ? length - end : 0;
}

// TetGen's .ele goes with its .node.
static const char* const tet_endings[] = {".mesh", ".msh", ".node", ".vtk", ".vtu", ".t", NULL};
static const char* const surface_endings[] = {".obj", ".off", ".ply", ".stl", NULL};

// The length of a mesh's name without its extensions, or 0 for other files.
static size_t stem_length(const char* name, const char* const* endings)
{
    size_t length = strlen(name), packed = length_before(name, length, ".gz");
    if (packed) length = packed;
    for (; *endings; ++endings) {
        size_t stem = length_before(name, length, *endings);
        if (stem) return stem;
    }
    return 0;
}

typedef struct {
    mesh_list* list;
    const char* folder;
    const char* const* endings;
} collector;

static pliant_result collect(const char* name, void* context)
{
    collector* c = (collector*)context;
    return stem_length(name, c->endings) ? mesh_list_add(c->list, c->folder, name) : PLIANT_OK;
}

static int compare_names(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static pliant_result add_folder(mesh_list* list, const char* folder, const char* const* endings)
{
    collector c = {list, folder, endings};
    int first = list->count;
    pliant_result result = folder_list(folder, collect, &c);
    if (list->count > first)
        qsort(list->name + first, (size_t)(list->count - first), sizeof(char*), compare_names);
    return result;
}

pliant_result mesh_list_add_folder(mesh_list* list, const char* folder)
{
    return add_folder(list, folder, tet_endings);
}

pliant_result mesh_list_add_surfaces(mesh_list* list, const char* folder)
{
    return add_folder(list, folder, surface_endings);
}

void mesh_list_destroy(mesh_list* list)
{
    for (int i = 0; i < list->count; ++i) mem_free(list->name[i]);
    mem_free(list->name);
    *list = (mesh_list){0};
}

void mesh_short_name(const char* name, char out[64])
{
    const char* slash = strrchr(name, '/');
    const char* file = slash ? slash + 1 : name;
    size_t stem = stem_length(file, tet_endings);
    if (!stem) stem = stem_length(file, surface_endings);
    snprintf(out, 64, "%.*s", stem ? (int)stem : 63, file);
}

static void tell_repairs(const char* name, const pliant_clean_report* done)
{
    if (done->oriented + done->degenerate + done->unreferenced == 0) return;
    fprintf(stderr, "%s: %d tets turned, %d flat elements and %d unused vertices removed\n", name,
            done->oriented, done->degenerate, done->unreferenced);
}

pliant_result load_tets(const char* name, pliant_mesh** out)
{
    pliant_result result = load_mesh(name, out);
    if (result) return result;
    pliant_clean_def clean = pliant_clean_defaults();
    clean.orient = clean.drop_degenerate = clean.drop_unreferenced = true;
    pliant_clean_report done = {0};
    result = pliant_mesh_clean(*out, &clean, &done);
    if (!result) tell_repairs(name, &done);
    if (!result && pliant_mesh_view(*out).tet_count == 0)
        result = fail(PLIANT_ERROR_ARGUMENT, "%s: the mesh has no tets", name);
    if (!result) return PLIANT_OK;
    pliant_mesh_destroy(*out);
    *out = NULL;
    return result;
}

pliant_result mesh_scale_to(pliant_mesh* mesh, double longest_side)
{
    const double nowhere[3] = {0, 0, 0}; // [m]
    pliant_mesh_quality q;
    pliant_result result = pliant_mesh_measure(mesh, &q);
    if (result) return result;
    double side = fmax(q.max[0] - q.min[0], fmax(q.max[1] - q.min[1], q.max[2] - q.min[2]));
    pliant_mesh_transform(mesh, longest_side / side, (pliant_quat){0, 0, 0, 1}, nowhere);
    return PLIANT_OK;
}

pliant_result load_body(const char* name, pliant_mesh** out_mesh, trial* out)
{
    pliant_result result = load_tets(name, out_mesh);
    if (result) return result;
    bool is_file = stem_length(name, tet_endings) > 0;
    if (is_file) result = mesh_scale_to(*out_mesh, 2);
    out->mesh = *out_mesh;
    out->pinned = is_file ? 0.05 : 0;
    if (result) {
        pliant_mesh_destroy(*out_mesh);
        *out_mesh = NULL;
    }
    return result;
}
