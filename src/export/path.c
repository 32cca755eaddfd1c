#include "export/path.h"
#include "base/platform.h"
#include <stdio.h>
#include <string.h>

static pliant_result checked(int length, const char* about)
{
    if (length > 0 && length < PATH_BYTES) return PLIANT_OK;
    return fail(PLIANT_ERROR_FILE, "%.200s: the path is too long", about);
}

pliant_result path_join(const char* folder, const char* name, char out[PATH_BYTES])
{
    return checked(snprintf(out, PATH_BYTES, "%s/%s", folder, name), folder);
}

const char* path_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
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
    return folder_of(path, folder) ? platform_make_directory(folder) : PLIANT_OK;
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
    static const char* const endings[] = {".vtu", ".pvd", ".obj",  ".ply",  ".mtl",
                                          ".png", ".jpg", ".glb",  ".bin",  ".gltf",
                                          ".pc2", ".mdd", ".usda", ".state"};
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
    if (is_left(name, t->prefix) && !path_beside(t->path, name, path)) platform_remove_file(path);
    return PLIANT_OK;
}

void path_tidy(const char* path, const char* prefix)
{
    char folder[PATH_BYTES];
    tidying t = {path, prefix};
    platform_list_directory(folder_of(path, folder) ? folder : ".", tidy_one, &t);
}
