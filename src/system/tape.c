#define _POSIX_C_SOURCE 200809L
#include "system/tape.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct tape {
    int file;
    int64_t bytes;
    char path[4096];
};

static pliant_result tape_problem(const char* path, const char* what)
{
    return fail(PLIANT_ERROR_FILE, "%s: cannot be %s: %s", path, what, strerror(errno));
}

pliant_result tape_open(const char* path, int64_t kept, tape** out)
{
    tape* t = (tape*)mem_alloc_zero(sizeof *t);
    pliant_result result = PLIANT_OK;
    *out = NULL;
    if (!t) return PLIANT_ERROR_MEMORY;
    snprintf(t->path, sizeof t->path, "%s", path);
    t->file = open(path, O_RDWR | O_CREAT, 0666);
    int64_t found = t->file < 0 ? 0 : (int64_t)lseek(t->file, 0, SEEK_END);
    if (t->file < 0)
        result = tape_problem(path, "created");
    else if (found < kept)
        result = fail(PLIANT_ERROR_FILE, "%s: it has %lld bytes, %lld are needed", path,
                      (long long)found, (long long)kept);
    else if (ftruncate(t->file, (off_t)kept) != 0)
        result = tape_problem(path, "written");
    t->bytes = kept;
    if (result)
        tape_close(t);
    else
        *out = t;
    return result;
}

pliant_result tape_add(tape* t, const void* data, size_t bytes)
{
    const char* at = (const char*)data;
    while (bytes > 0) {
        ssize_t done = pwrite(t->file, at, bytes, (off_t)t->bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return tape_problem(t->path, "written");
        at += done;
        bytes -= (size_t)done;
        t->bytes += done;
    }
    return PLIANT_OK;
}

pliant_result tape_read(const tape* t, int64_t from, void* out, size_t bytes)
{
    char* at = (char*)out;
    errno = 0;
    while (bytes > 0) {
        ssize_t done = pread(t->file, at, bytes, (off_t)from);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return tape_problem(t->path, "read");
        at += done;
        bytes -= (size_t)done;
        from += done;
    }
    return PLIANT_OK;
}

pliant_result tape_sync(tape* t)
{
    return fsync(t->file) == 0 ? PLIANT_OK : tape_problem(t->path, "written");
}

void tape_close(tape* t)
{
    if (!t) return;
    if (t->file >= 0) close(t->file);
    mem_free(t);
}
