#include "export/series.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/contacts.h"
#include "export/fields.h"
#include "export/liquids.h"
#include "export/path.h"
#include "export/surfaces.h"
#include "meshfile/format.h"
#include "meshfile/vtu_writer.h"
#include "system/folder.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With what is there alone.
static void write_present(const frame* f, sink* out, void (*write)(const frame* f, sink* out))
{
    frame there;
    if (f->absent_count == 0) {
        write(f, out);
    } else if (frame_without_absent(f, &there)) {
        write(&there, out);
        frame_destroy(&there);
    } else {
        out->failed = true;
    }
}

static void present_vtu(const frame* f, sink* out)
{
    fields d;
    if (!fields_find(f, &d)) {
        out->failed = true;
        return;
    }
    const vtu_field field[] = {
        {"displacement", d.displacement, NULL, 3, false, NULL},
        {"velocity", f->velocity, NULL, 3, false, NULL},
        {"contact_force", f->contact_force, NULL, 3, false, NULL},
        {"body", NULL, f->body, 1, false, NULL},
        {"strain", d.strain, NULL, 6, true, NULL},
        {"von_mises_stress", d.von_mises, NULL, 1, true, NULL},
        {"color", NULL, f->color, 1, true, NULL},
        {"patch", NULL, f->patch, 1, true, NULL},
        {"plastic_strain", d.plastic_strain, NULL, 1, true, NULL}, // the last ones are not of
        {"temperature", f->temperature, NULL, 1, false, NULL},
        {"radius", f->surface_radius ? f->radius : NULL, NULL, 1, false, NULL}, // all scenes
    };
    vtu_field there[sizeof field / sizeof field[0]];
    int count = 0;
    for (size_t i = 0; i < sizeof field / sizeof field[0]; ++i)
        if (field[i].real || field[i].integer || field[i].exact) there[count++] = field[i];
    pliant_mesh_arrays mesh = frame_volume(f);
    vtu_write(&mesh, (vtu_particles){f->loose, f->loose_count}, there, count, out);
    fields_release(&d);
}

static void present_obj(const frame* f, sink* out)
{
    pliant_mesh_arrays mesh = frame_surface(f);
    write_obj(&mesh, out);
}

static void present_ply(const frame* f, sink* out)
{
    pliant_mesh_arrays mesh = frame_surface(f);
    write_ply(&mesh, out);
}

static void frame_vtu(const frame* f, sink* out) { write_present(f, out, present_vtu); }
static void frame_ply(const frame* f, sink* out) { write_present(f, out, present_ply); }
static void frame_obj(const frame* f, sink* out)
{
    if (f->carries)
        surfaces_obj(f, out);
    else
        write_present(f, out, present_obj);
}

typedef struct {
    const char* name;             // of --format
    const char *word, *extension; // of its files
    void (*write)(const frame* f, sink* out);
} frame_format;

static const frame_format formats[] = {{"vtu", "frame", "vtu", frame_vtu},
                                       {"obj", "frame", "obj", frame_obj},
                                       {"ply", "frame", "ply", frame_ply},
                                       {"contacts", "contacts", "csv", contacts_csv}};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0], VTU = 1, OBJ = 2, CONTACTS = 8 };

const char* series_format_list(void) { return "vtu, obj, ply, contacts"; }

unsigned series_format(const char* name, size_t length)
{
    const span word = {name, (int64_t)length};
    for (unsigned i = 0; i < FORMAT_COUNT; ++i)
        if (span_is(word, formats[i].name)) return 1u << i;
    return 0;
}

bool series_needs_particles(unsigned bits) { return bits & VTU; }

bool series_needs_contacts(unsigned bits) { return bits & CONTACTS; }

pliant_result series_open(series* out, const char* folder, unsigned bits, double dt)
{
    memset(out, 0, sizeof *out);
    out->folder = folder;
    out->formats = bits;
    out->dt = dt;
    return folder_make(folder);
}

static pliant_result save(const series* s, const char* name, const sink* data)
{
    return data->failed ? PLIANT_ERROR_MEMORY : path_save(s->folder, name, data->data, data->bytes);
}

// ---- the list of .vtu files ---------------------------------------------------------------------

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

typedef struct {
    char text[64];
} file_name;

static file_name name_of(const char* word, int number, const char* extension)
{
    file_name name;
    snprintf(name.text, sizeof name.text, "%s_%05d.%s", word, number, extension);
    return name;
}

static void list_file(series* s, int number, int part, const char* word)
{
    sink_text(&s->entries, "<DataSet timestep=\"");
    sink_real(&s->entries, number * s->dt);
    sink_print(&s->entries, "\" part=\"%d\" file=\"%s\"/>\n", part,
               name_of(word, number, "vtu").text);
}

static void list_frame(series* s, const frame* f, int number)
{
    list_file(s, number, 0, "frame");
    if (f->carries) list_file(s, number, 1, "surface");
    if (liquids_any(f)) list_file(s, number, 2, "liquid");
    s->count++;
}

// ---- frames -------------------------------------------------------------------------------------

// The surfaces that are carried, in a file beside the tets.
static pliant_result save_seen(const series* s, const frame* f, int number)
{
    sink out = {0};
    pliant_result result = surfaces_vtu(f, &out)
                               ? save(s, name_of("surface", number, "vtu").text, &out)
                               : PLIANT_ERROR_MEMORY;
    sink_release(&out);
    return result;
}

// Those of liquids, in the formats of the frames that hold triangles.
static pliant_result save_liquids(const series* s, const frame* f, int number)
{
    static void (*const write[])(const liquid_list*, sink*) = {liquids_vtu, liquids_obj,
                                                               liquids_ply};
    liquid_list list = {NULL, 0};
    bool any = s->formats & ((1u << (sizeof write / sizeof write[0])) - 1);
    if (!any || !liquids_any(f)) return PLIANT_OK;
    pliant_result result = liquids_make(f, &list);
    for (unsigned i = 0; i < sizeof write / sizeof write[0] && !result; ++i) {
        if (!(s->formats & 1u << i)) continue;
        sink out = {0};
        write[i](&list, &out);
        result = save(s, name_of("liquid", number, formats[i].extension).text, &out);
        sink_release(&out);
    }
    liquids_release(&list);
    return result;
}

static pliant_result save_frame(const series* s, const frame* f, int number, unsigned format)
{
    sink out = {0};
    const frame_format* form = &formats[format];
    form->write(f, &out);
    pliant_result result = save(s, name_of(form->word, number, form->extension).text, &out);
    sink_release(&out);
    return result;
}

// The list is written anew as it grows, behind the files that it names; for long runs not with
// every frame, or the writing would grow with the square of the frames.
pliant_result series_add(series* s, const frame* f, int number)
{
    pliant_result result = PLIANT_OK;
    if (f->carries && (s->formats & OBJ) && !s->has_materials)
        result = surfaces_write_materials(f, s->folder);
    s->has_materials = true;
    if (!result && f->carries && (s->formats & VTU)) result = save_seen(s, f, number);
    for (unsigned i = 0; i < FORMAT_COUNT && !result; ++i)
        if (s->formats & 1u << i) result = save_frame(s, f, number, i);
    if (!result) result = save_liquids(s, f, number);
    if (result || !(s->formats & VTU)) return result;
    list_frame(s, f, number);
    return s->count > s->listed + s->listed / 64 ? write_pvd(s) : PLIANT_OK;
}

static pliant_result find_file(const series* s, file_name name)
{
    char path[PATH_BYTES];
    pliant_result result = path_join(s->folder, name.text, path);
    if (result || file_exists(path)) return result;
    return fail(PLIANT_ERROR_FILE, "%.300s: a frame of the run that was to go on is missing", path);
}

pliant_result series_skip(series* s, const frame* f, int number)
{
    pliant_result result = PLIANT_OK;
    for (unsigned i = 0; i < FORMAT_COUNT && !result; ++i)
        if (s->formats & 1u << i)
            result = find_file(s, name_of(formats[i].word, number, formats[i].extension));
    if (!result && (s->formats & VTU)) list_frame(s, f, number);
    return result;
}

pliant_result series_close(series* s)
{
    bool behind = (s->formats & VTU) && s->listed < s->count;
    pliant_result result = behind ? write_pvd(s) : PLIANT_OK;
    sink_release(&s->entries);
    return result;
}

// "frame_00000.vtu to frame_00120.vtu", or the only one.
void series_print(const series* s, int frames, int last, FILE* out)
{
    for (unsigned i = 0; i < FORMAT_COUNT && frames > 0; ++i) {
        const char *word = formats[i].word, *extension = formats[i].extension;
        char path[PATH_BYTES];
        if (!(s->formats & 1u << i)) continue;
        if (path_join(s->folder, name_of(word, 0, extension).text, path)) continue;
        fprintf(out, "  wrote %s", path);
        if (frames > 1)
            fprintf(out, " to %s (%d frames)", name_of(word, last, extension).text, frames);
        fprintf(out, "%s\n", 1u << i == VTU ? ", frames.pvd with the times" : "");
    }
}

// ---- frames of an earlier run -------------------------------------------------------------------

typedef struct {
    const series* series;
    bool carries, liquids;
    int last, every, removed;
} removal;

// WORD_NUMBER.EXTENSION, as they are named here, of a step that this run has not written.
static bool is_older(const removal* r, const char* file, const char* word, const char* extension,
                     bool written)
{
    size_t length = strlen(word);
    if (strncmp(file, word, length) != 0 || file[length] != '_') return false;
    char* end = NULL;
    long number = strtol(file + length + 1, &end, 10);
    if (number < 0 || number > INT_MAX) return false;
    if (strcmp(file, name_of(word, (int)number, extension).text) != 0) return false;
    return !written || number > r->last || number % r->every != 0;
}

static pliant_result remove_one(const char* file, void* context)
{
    removal* r = (removal*)context;
    char path[PATH_BYTES];
    bool older = (r->series->formats & VTU) && is_older(r, file, "surface", "vtu", r->carries);
    for (unsigned i = 0; i < FORMAT_COUNT && !older; ++i)
        older = (r->series->formats & 1u << i) &&
                (is_older(r, file, formats[i].word, formats[i].extension, true) ||
                 is_older(r, file, "liquid", formats[i].extension, r->liquids));
    if (!older || path_join(r->series->folder, file, path)) return PLIANT_OK;
    file_remove(path);
    r->removed++;
    return PLIANT_OK;
}

int series_remove_older(const series* s, const frame* f, int last, int every)
{
    removal r = {s, f->carries, liquids_any(f), last, every, 0};
    folder_list(s->folder, remove_one, &r);
    return r.removed;
}
