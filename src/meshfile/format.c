#include "meshfile/format.h"
#include "base/platform.h"
#include <stdio.h>
#include <string.h>

const mesh_format mesh_formats[MESH_FORMAT_COUNT] = {
    {"Gmsh", {"msh"}, detect_gmsh, read_gmsh, write_gmsh, false, true, true, false},
    {"MEDIT", {"mesh"}, detect_medit, read_medit, write_medit, false, true, true, false},
    {"VTU", {"vtu"}, detect_vtu, read_vtu, write_vtu, false, true, true, true},
    {"VTK", {"vtk"}, detect_vtk, read_vtk, NULL, false, true, true, false},
    {"TetGen", {"node", "ele"}, NULL, read_tetgen, NULL, false, false, true, false},
    {"Gaia", {"t"}, detect_gaia, read_gaia, NULL, false, false, false, false},
    {"PLY", {"ply"}, detect_ply, read_ply, write_ply, true, false, true, true},
    {"OFF", {"off"}, detect_off, read_off, write_off, true, false, true, false},
    {"STL", {"stl"}, detect_stl, read_stl, write_stl, true, false, false, false},
    {"OBJ", {"obj"}, NULL, read_obj, write_obj, true, true, true, false},
};

bool begins_with_word(const cursor* file, const char* word)
{
    cursor c = *file;
    c.comment = '#';
    return span_is(next_word(&c), word);
}

span path_extension(const char* path)
{
    int64_t end = (int64_t)strlen(path);
    span suffix = {path + (end > 3 ? end - 3 : 0), end > 3 ? 3 : 0};
    if (span_is(suffix, ".gz")) end -= 3;
    for (int64_t i = end - 1; i >= 0 && path[i] != '/'; --i)
        if (path[i] == '.') return (span){path + i, end - i};
    return (span){path + end, 0};
}

const mesh_format* format_of_extension(const char* path)
{
    span extension = path_extension(path);
    if (extension.length == 0) return NULL;
    span name = {extension.at + 1, extension.length - 1};
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i)
        for (int k = 0; k < 2 && mesh_formats[i].extensions[k]; ++k)
            if (span_is(name, mesh_formats[i].extensions[k])) return &mesh_formats[i];
    return NULL;
}

// " .msh .mesh ..." of the formats that can be read, or written.
static const char* list_extensions(bool written, char out[200])
{
    int length = 0;
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i) {
        const mesh_format* f = &mesh_formats[i];
        if (written ? !f->write : !f->read) continue;
        for (int k = 0; k < 2 && f->extensions[k]; ++k)
            length += snprintf(out + length, 200 - (size_t)length, " .%s", f->extensions[k]);
    }
    return out;
}

static const mesh_format* format_of_content(const cursor* file)
{
    for (int i = 0; i < MESH_FORMAT_COUNT; ++i)
        if (mesh_formats[i].detect && mesh_formats[i].detect(file)) return &mesh_formats[i];
    return NULL;
}

static pliant_result parse(cursor* c, pliant_mesh** out)
{
    char list[200];
    if (c->begin == c->end) return fail(PLIANT_ERROR_FORMAT, "%.400s: the file is empty", c->name);
    if (cursor_left(c) > 2 && memcmp(c->at, "\x1f\x8b", 2) == 0)
        return fail(PLIANT_ERROR_UNSUPPORTED, "%.400s: compressed (gzip); decompress it first",
                    c->name);
    // Some editors put a byte order mark in front of text.
    if (cursor_left(c) > 3 && memcmp(c->at, "\xef\xbb\xbf", 3) == 0) c->at += 3;
    const mesh_format* format = format_of_content(c);
    if (!format) format = format_of_extension(c->name);
    if (!format)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "%.400s: neither the content nor the extension is of a known mesh format; "
                    "known are%s (and .glb, .gltf to the program)",
                    c->name, list_extensions(false, list));
    draft d = {0};
    format->read(c, &d);
    pliant_result result = draft_finish(c, &d, out);
    draft_release(&d);
    return result;
}

pliant_result pliant_mesh_parse(const void* data, size_t bytes, const char* name, pliant_mesh** out)
{
    if (!REQUIRE((data || bytes == 0) && name && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    cursor c = cursor_over(data, bytes, name);
    return parse(&c, out);
}

static pliant_result load(const char* path, const file_opener* opener, pliant_mesh** out)
{
    void* data = NULL;
    size_t bytes = 0;
    pliant_result result = opener->read(path, &data, &bytes, opener->context);
    if (result) return result;
    cursor c = cursor_over(data, bytes, path);
    c.opener = opener;
    result = parse(&c, out);
    mem_free(data);
    return result;
}

static pliant_result read_plain(const char* path, void** out_data, size_t* out_bytes, void* context)
{
    (void)context;
    return platform_read_file(path, out_data, out_bytes);
}

pliant_result pliant_mesh_load(const char* path, pliant_mesh** out)
{
    if (!REQUIRE(path && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    file_opener opener = {read_plain, NULL};
    return load(path, &opener, out);
}

// The caller's function cannot set the error text, so its failures get one here.
static pliant_result read_by_caller(const char* path, void** out_data, size_t* out_bytes,
                                    void* context)
{
    const file_opener* caller = (const file_opener*)context;
    pliant_result result = caller->read(path, out_data, out_bytes, caller->context);
    if (!result) return PLIANT_OK;
    return fail(result, "%.400s: cannot be read (%s)", path, pliant_result_name(result));
}

pliant_result pliant_mesh_load_with(const char* path, pliant_read_fn* read, void* context,
                                    pliant_mesh** out)
{
    if (!REQUIRE(path && read && out)) return PLIANT_ERROR_ARGUMENT;
    *out = NULL;
    file_opener caller = {read, context};
    file_opener opener = {read_by_caller, &caller};
    return load(path, &opener, out);
}

static pliant_result save(const pliant_mesh* mesh, const mesh_format* format, const char* path)
{
    pliant_mesh_arrays view = pliant_mesh_view(mesh);
    bool loose = mesh_is_loose(mesh) && mesh->vertex_count > 0;
    if (!(loose && format->points) && view.tet_count + view.triangle_count == 0 &&
        !(view.edge_count > 0 && format->edges))
        return fail(PLIANT_ERROR_ARGUMENT, "%.400s: the mesh has nothing that %s files hold", path,
                    format->name);
    if (loose && view.vertex_radius && !format->radii)
        warn("%.400s: %s files hold no radii: they were left out (.ply and .vtu hold them)", path,
             format->name);
    sink out = {0};
    format->write(&view, &out);
    pliant_result result =
        out.failed ? PLIANT_ERROR_MEMORY : platform_write_file(path, out.data, out.bytes);
    sink_release(&out);
    return result;
}

static pliant_result save_surface(const pliant_mesh* mesh, const mesh_format* format,
                                  const char* path)
{
    pliant_mesh* boundary = NULL;
    if (mesh->tet_count > 0) {
        pliant_result result = pliant_mesh_boundary(mesh, &boundary, NULL);
        if (result) return result;
        mesh = boundary;
    }
    pliant_result result = save(mesh, format, path);
    pliant_mesh_destroy(boundary);
    return result;
}

pliant_result format_to_write(const char* path, const mesh_format** out)
{
    char list[200];
    span extension = path_extension(path);
    bool compressed = extension.at[extension.length] != 0; // a ".gz" behind it
    *out = format_of_extension(path);
    if (*out && (*out)->write && !compressed) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "%.400s: not an extension that meshes are written to; use one of%s", path,
                list_extensions(true, list));
}

pliant_result pliant_mesh_save(const pliant_mesh* mesh, const char* path)
{
    if (!REQUIRE(mesh && path)) return PLIANT_ERROR_ARGUMENT;
    const mesh_format* format = NULL;
    pliant_result result = format_to_write(path, &format);
    if (result) return result;
    return format->surface ? save_surface(mesh, format, path) : save(mesh, format, path);
}
