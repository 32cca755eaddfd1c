#include "export/probe_file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/path.h"
#include "system/tape.h"
#include <string.h>

// The bytes of the first `lines` lines; -1: there are fewer.
static int64_t bytes_of_lines(const char* text, size_t bytes, int lines)
{
    const char *at = text, *end = text + bytes;
    for (int i = 0; i < lines; ++i) {
        const char* line_end = (const char*)memchr(at, '\n', (size_t)(end - at));
        if (!line_end) return -1;
        at = line_end + 1;
    }
    return at - text;
}

// What a run that was cut off has left: the head, and a line for each step from 0 to `first`.
static pliant_result find_kept(const char* path, const sink* head, int first, int64_t* out_bytes)
{
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = platform_read_file(path, &data, &bytes);
    if (result) return result;
    *out_bytes = bytes_of_lines((const char*)data, bytes, 2 + first);
    bool same = bytes >= head->bytes && memcmp(data, head->data, head->bytes) == 0;
    mem_free(data);
    if (same && *out_bytes >= 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_FILE, "%.300s: %s; without --resume the run starts anew", path,
                same ? "lines of the run that was to go on are missing"
                     : "it has other columns than the run that is to go on");
}

pliant_result probe_file_open(probe_file* out, const probes* p, const char* path, int first)
{
    int64_t kept = 0;
    sink head = {0};
    *out = (probe_file){.probes = p};
    probes_print_head(p, &head);
    pliant_result result = head.failed ? PLIANT_ERROR_MEMORY : PLIANT_OK;
    if (!result) result = first ? find_kept(path, &head, first, &kept) : path_try(path);
    if (!result) result = tape_open(path, kept, &out->tape);
    if (!result && !first) result = tape_add(out->tape, head.data, head.bytes);
    sink_release(&head);
    return result;
}

pliant_result probe_file_add(probe_file* f, double time)
{
    sink row = {0};
    probes_print_row(f->probes, time, &row);
    pliant_result result =
        row.failed ? PLIANT_ERROR_MEMORY : tape_add(f->tape, row.data, row.bytes);
    sink_release(&row);
    return result;
}

pliant_result probe_file_sync(probe_file* f) { return f->tape ? tape_sync(f->tape) : PLIANT_OK; }

void probe_file_close(probe_file* f)
{
    if (f->tape) tape_close(f->tape);
    *f = (probe_file){0};
}
