#include "export/series.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/surfaces.h"
#include "mesh/format.h"
#include "mesh/vtu_writer.h"
#include <stdio.h>
#include <string.h>

static void frame_vtu(const frame* f, sink* out)
{
    const vtu_field field[] = {
        {"velocity", f->velocity, NULL, 3, false},
        {"contact_force", f->contact_force, NULL, 3, false},
        {"body", NULL, f->body, 1, false},
        {"color", NULL, f->color, 1, true},
    };
    pliant_mesh_arrays mesh = frame_volume(f);
    vtu_write(&mesh, field, sizeof field / sizeof field[0], out);
}

static void frame_obj(const frame* f, sink* out)
{
    pliant_mesh_arrays mesh = frame_surface(f);
    if (f->carries)
        surfaces_obj(f, out);
    else
        write_obj(&mesh, out);
}

static void frame_ply(const frame* f, sink* out)
{
    pliant_mesh_arrays mesh = frame_surface(f);
    write_ply(&mesh, out);
}

typedef struct {
    const char* extension;
    void (*write)(const frame* f, sink* out);
} frame_format;

static const frame_format formats[] = {{"vtu", frame_vtu}, {"obj", frame_obj}, {"ply", frame_ply}};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0], VTU = 1, OBJ = 2 };

unsigned series_formats(const char* list)
{
    unsigned bits = 0;
    for (const char* at = list;; ++at) {
        size_t length = strcspn(at, ",");
        unsigned found = 0;
        for (unsigned i = 0; i < FORMAT_COUNT; ++i)
            if (strlen(formats[i].extension) == length &&
                memcmp(formats[i].extension, at, length) == 0)
                found = 1u << i;
        if (!found) {
            fail(PLIANT_ERROR_ARGUMENT, "'%.*s' is not a format of frames; use vtu, obj, ply",
                 (int)length, at);
            return 0;
        }
        bits |= found;
        at += length;
        if (*at == 0) return bits;
    }
}

bool series_needs_particles(unsigned bits) { return bits & VTU; }

pliant_result series_open(series* out, const char* folder, unsigned bits)
{
    memset(out, 0, sizeof *out);
    out->folder = folder;
    out->formats = bits;
    return platform_make_directory(folder);
}

static pliant_result save(const series* s, const char* name, const sink* data)
{
    char path[4096];
    if (data->failed) return PLIANT_ERROR_MEMORY;
    int length = snprintf(path, sizeof path, "%s/%s", s->folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return fail(PLIANT_ERROR_FILE, "%.200s: the path is too long", s->folder);
    return platform_write_file(path, data->data, data->bytes);
}

static pliant_result write_pvd(series* s)
{
    sink out = {0};
    sink_text(&out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                    "byte_order=\"LittleEndian\">\n<Collection>\n");
    if (s->entries.bytes) sink_bytes(&out, s->entries.data, s->entries.bytes);
    sink_text(&out, "</Collection>\n</VTKFile>\n");
    if (s->entries.failed) out.failed = true;
    pliant_result result = save(s, "frames.pvd", &out);
    sink_release(&out);
    if (!result) s->listed = s->count;
    return result;
}

// The list is written anew as it grows; for long runs not with every frame, or the writing would
// grow with the square of the frames.
static pliant_result list_frame(series* s, const char* name, const char* seen, double time)
{
    sink_text(&s->entries, "<DataSet timestep=\"");
    sink_real(&s->entries, time);
    sink_print(&s->entries, "\" part=\"0\" file=\"%s\"/>\n", name);
    if (seen) {
        sink_text(&s->entries, "<DataSet timestep=\"");
        sink_real(&s->entries, time);
        sink_print(&s->entries, "\" part=\"1\" file=\"%s\"/>\n", seen);
    }
    s->count++;
    return s->count > s->listed + s->listed / 64 ? write_pvd(s) : PLIANT_OK;
}

// The surfaces that are carried, in a file beside the tets.
static pliant_result save_seen(const series* s, const frame* f, const char* name)
{
    sink out = {0};
    pliant_result result = surfaces_vtu(f, &out) ? save(s, name, &out) : PLIANT_ERROR_MEMORY;
    sink_release(&out);
    return result;
}

pliant_result series_add(series* s, const frame* f, int number, double time)
{
    pliant_result result = PLIANT_OK;
    char seen[64];
    snprintf(seen, sizeof seen, "surface_%05d.vtu", number);
    if (f->carries && (s->formats & OBJ) && !s->has_materials)
        result = surfaces_write_materials(f, s->folder);
    s->has_materials = true;
    if (!result && f->carries && (s->formats & VTU)) result = save_seen(s, f, seen);
    for (unsigned i = 0; i < FORMAT_COUNT && !result; ++i) {
        char name[64];
        sink out = {0};
        if (!(s->formats & 1u << i)) continue;
        snprintf(name, sizeof name, "frame_%05d.%s", number, formats[i].extension);
        formats[i].write(f, &out);
        result = save(s, name, &out);
        sink_release(&out);
        if (!result && 1u << i == VTU) result = list_frame(s, name, f->carries ? seen : NULL, time);
    }
    return result;
}

pliant_result series_close(series* s)
{
    bool behind = (s->formats & VTU) && s->listed < s->count;
    pliant_result result = behind ? write_pvd(s) : PLIANT_OK;
    sink_release(&s->entries);
    return result;
}
