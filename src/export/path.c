#include "export/path.h"
#include "base/platform.h"
#include "system/folder.h"
#include <stdio.h>
#include <string.h>

static pliant_result checked(int length, const char* about)
{
    if (length > 0 && length < PATH_BYTES) return PLIANT_OK;
    return fail(PLIANT_ERROR_FILE, "%.200s: the path is too long", about);
}

const char* path_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

pliant_result path_join(const char* folder, const char* name, char out[PATH_BYTES])
{
    const char* slash = folder[0] && path_name(folder)[0] == 0 ? "" : "/";
    return checked(snprintf(out, PATH_BYTES, "%s%s%s", folder, slash, name), folder);
}

pliant_result path_beside(const char* path, const char* name, char out[PATH_BYTES])
{
    int folder = (int)(path_name(path) - path);
    return checked(snprintf(out, PATH_BYTES, "%.*s%s", folder, path, name), path);
}

pliant_result path_extend(const char* base, const char* ending, char out[PATH_BYTES])
{
    return checked(snprintf(out, PATH_BYTES, "%s%s", base, ending), base);
}

// The part in front of the last slash; false: there is none.
static bool folder_of(const char* path, char out[PATH_BYTES])
{
    size_t length = (size_t)(path_name(path) - path);
    if (length < 2 || length > PATH_BYTES) return false;
    memcpy(out, path, length - 1);
    out[length - 1] = 0;
    return true;
}

pliant_result path_make_folder(const char* path)
{
    char folder[PATH_BYTES];
    return folder_of(path, folder) ? folder_make(folder) : PLIANT_OK;
}

const char* path_ending(const char* path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name && dot[1] ? dot : "";
}

bool path_means_folder(const char* path)
{
    return path_name(path)[0] == 0 || path_ending(path)[0] == 0 || folder_exists(path);
}

pliant_result path_try(const char* path)
{
    platform_draft* d = NULL;
    if (path_name(path)[0] == 0 || folder_exists(path))
        return fail(PLIANT_ERROR_FILE, "%.300s: this is a folder, and a file is needed", path);
    pliant_result result = path_make_folder(path);
    if (!result) result = platform_draft_open(path, &d);
    return result ? result : platform_draft_close(d, DRAFT_DROPPED);
}

pliant_result path_save(const char* folder, const char* name, const void* data, size_t bytes)
{
    char path[PATH_BYTES];
    pliant_result result = path_join(folder, name, path);
    return result ? result : platform_write_file(path, data, bytes);
}

// ---- what was left ------------------------------------------------------------------------------

typedef struct {
    const char *path, *prefix;
} tidying;

// NAME.ENDING.partNUMBER
static bool is_left(const char* name, const char* prefix)
{
    static const char* const endings[] = {".vtu", ".pvd", ".obj",  ".ply", ".mtl",
                                          ".png", ".jpg", ".glb",  ".bin", ".gltf",
                                          ".pc2", ".mdd", ".usda", ".csv", ".state"};
    const char* part = strstr(name, ".part");
    if (strncmp(name, prefix, strlen(prefix)) != 0 || !part || part[5] == 0) return false;
    if (strspn(part + 5, "0123456789") != strlen(part + 5)) return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        size_t length = strlen(endings[i]);
        if ((size_t)(part - name) > length && memcmp(part - length, endings[i], length) == 0)
            return true;
    }
    return false;
}

static pliant_result tidy_one(const char* name, void* context)
{
    const tidying* t = (const tidying*)context;
    char path[PATH_BYTES];
    if (is_left(name, t->prefix) && !path_beside(t->path, name, path)) file_remove(path);
    return PLIANT_OK;
}

void path_tidy(const char* path, const char* prefix)
{
    char folder[PATH_BYTES];
    tidying t = {path, prefix};
    folder_list(folder_of(path, folder) ? folder : ".", tidy_one, &t);
}
