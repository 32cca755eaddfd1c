#ifdef __linux__
#define _GNU_SOURCE // what is on its way to one disk
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "system/folder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

pliant_result folder_make(const char* path)
{
    char part[4096];
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof part)
        return fail(PLIANT_ERROR_FILE, "'%.200s' is not a usable folder name", path);
    for (size_t i = 1; i <= length; ++i) {
        if (path[i] != '/' && path[i] != 0) continue;
        memcpy(part, path, i);
        part[i] = 0;
        struct stat status;
        if (mkdir(part, 0777) == 0) continue;
        if (errno != EEXIST || stat(part, &status) != 0 || !S_ISDIR(status.st_mode))
            return fail(PLIANT_ERROR_FILE, "%s: the folder cannot be made: %s", part,
                        strerror(errno));
    }
    return PLIANT_OK;
}

pliant_result folder_sync(const char* path)
{
    int folder = open(path, O_RDONLY);
    if (folder < 0)
        return fail(PLIANT_ERROR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
#ifdef __linux__
    int failed = syncfs(folder);
#else
    int failed = 0;
    sync();
#endif
    int reason = errno;
    close(folder);
    return failed ? fail(PLIANT_ERROR_FILE, "%s: cannot be written: %s", path, strerror(reason))
                  : PLIANT_OK;
}

bool folder_exists(const char* path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

bool file_exists(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

pliant_result folder_list(const char* path, folder_visit_fn* visit, void* context)
{
    DIR* folder = opendir(path);
    if (!folder)
        return fail(PLIANT_ERROR_FILE, "%s: the folder cannot be read: %s", path, strerror(errno));
    pliant_result result = PLIANT_OK;
    for (const struct dirent* entry = readdir(folder); entry && !result; entry = readdir(folder))
        result = visit(entry->d_name, context);
    closedir(folder);
    return result;
}

void file_remove(const char* path) { remove(path); }
