#include "meshfile/vtu_writer.h"
#include "base/memory.h"
#include "meshfile/format.h"
#include <stdio.h>
#include <string.h>

// The numbers of an array are gathered behind room for their size and then encoded together.
static void begin_array(sink* out, sink* raw, const char* attributes)
{
    sink_print(out, "<DataArray %s format=\"binary\">\n", attributes);
    raw->bytes = 0;
    sink_i64(raw, 0);
}

static void end_array(sink* out, sink* raw)
{
    if (raw->failed) out->failed = true;
    if (out->failed) return;
    size_t end = raw->bytes;
    raw->bytes = 0;
    sink_i64(raw, (int64_t)end - 8);
    sink_base64(out, raw->data, end);
    sink_text(out, "\n</DataArray>\n");
}

typedef struct {
    const int* corner; // NULL: cell i is vertex i
    int count, corners, type;
} cell_group;
enum { GROUPS = 4 };

static void write_connectivity(const cell_group* groups, sink* out, sink* raw)
{
    begin_array(out, raw, "type=\"Int32\" Name=\"connectivity\"");
    for (int g = 0; g < GROUPS; ++g)
        for (int64_t i = 0; i < (int64_t)groups[g].count * groups[g].corners; ++i)
            sink_i32(raw, groups[g].corner ? groups[g].corner[i] : (int)i);
    end_array(out, raw);
}

static void write_offsets(const cell_group* groups, sink* out, sink* raw)
{
    int64_t end = 0;
    begin_array(out, raw, "type=\"Int64\" Name=\"offsets\"");
    for (int g = 0; g < GROUPS; ++g)
        for (int i = 0; i < groups[g].count; ++i) sink_i64(raw, end += groups[g].corners);
    end_array(out, raw);
}

static void write_types(const cell_group* groups, sink* out, sink* raw)
{
    begin_array(out, raw, "type=\"UInt8\" Name=\"types\"");
    for (int g = 0; g < GROUPS; ++g)
        for (int i = 0; i < groups[g].count; ++i) sink_u8(raw, (uint8_t)groups[g].type);
    end_array(out, raw);
}

static void write_field(const vtu_field* field, int64_t count, sink* out, sink* raw)
{
    char attributes[200];
    snprintf(attributes, sizeof attributes, "type=\"%s\" Name=\"%.60s\" NumberOfComponents=\"%d\"",
             field->exact  ? "Float64"
             : field->real ? "Float32"
                           : "Int32",
             field->name, field->components);
    begin_array(out, raw, attributes);
    for (int64_t i = 0; i < count * field->components; ++i)
        if (field->exact)
            sink_f64(raw, field->exact[i]);
        else if (field->real)
            sink_f32(raw, field->real[i]);
        else
            sink_i32(raw, field->integer[i]);
    end_array(out, raw);
}

// The fields of the points, or of the cells.
static void write_fields(const vtu_field* field, int field_count, bool on_cells, int64_t count,
                         sink* out, sink* raw)
{
    sink_text(out, on_cells ? "<CellData>\n" : "<PointData>\n");
    for (int i = 0; i < field_count; ++i)
        if (field[i].on_cells == on_cells) write_field(&field[i], count, out, raw);
    sink_text(out, on_cells ? "</CellData>\n" : "</PointData>\n");
}

static void write_points(const pliant_mesh_arrays* mesh, sink* out, sink* raw)
{
    sink_text(out, "<Points>\n");
    begin_array(out, raw, "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"");
    for (int64_t i = 0; i < 3 * (int64_t)mesh->vertex_count; ++i) sink_f64(raw, mesh->vertices[i]);
    end_array(out, raw);
    sink_text(out, "</Points>\n");
}

static void write_cells(const pliant_mesh_arrays* mesh, vtu_particles loose, sink* out, sink* raw)
{
    const cell_group groups[GROUPS] = {{mesh->tets, mesh->tet_count, 4, 10},
                                       {mesh->triangles, mesh->triangle_count, 3, 5},
                                       {mesh->edges, mesh->edge_count, 2, 3},
                                       {loose.vertex, loose.count, 1, 1}};
    sink_text(out, "<Cells>\n");
    write_connectivity(groups, out, raw);
    write_offsets(groups, out, raw);
    write_types(groups, out, raw);
    sink_text(out, "</Cells>\n");
}

void vtu_write(const pliant_mesh_arrays* mesh, vtu_particles loose, const vtu_field* field,
               int field_count, sink* out)
{
    int cells = mesh->tet_count + mesh->triangle_count + mesh->edge_count + loose.count;
    sink raw = {0};
    sink_text(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                   "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    sink_print(out, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", mesh->vertex_count,
               cells);
    write_fields(field, field_count, false, mesh->vertex_count, out, &raw);
    write_fields(field, field_count, true, cells, out, &raw);
    write_points(mesh, out, &raw);
    write_cells(mesh, loose, out, &raw);
    sink_text(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    sink_release(&raw);
}

// The regions of the tets; triangles and edges have none.
static int* cell_regions(const pliant_mesh_arrays* mesh)
{
    size_t cells =
        (size_t)mesh->tet_count + (size_t)mesh->triangle_count + (size_t)mesh->edge_count;
    int* region = (int*)mem_array_zero(cells, sizeof *region);
    if (region) memcpy(region, mesh->tet_region, (size_t)mesh->tet_count * sizeof *region);
    return region;
}

void write_vtu(const pliant_mesh_arrays* mesh, sink* out)
{
    int* region = mesh->tet_region ? cell_regions(mesh) : NULL;
    bool loose = mesh->tet_count + mesh->triangle_count + mesh->edge_count == 0;
    const vtu_particles particles = {NULL, loose ? mesh->vertex_count : 0};
    vtu_field field[2];
    int count = 0;
    if (region) field[count++] = (vtu_field){"region", NULL, region, 1, true, NULL};
    if (mesh->vertex_radius)
        field[count++] = (vtu_field){"radius", NULL, NULL, 1, false, mesh->vertex_radius};
    if (mesh->tet_region && !region)
        out->failed = true;
    else
        vtu_write(mesh, particles, field, count, out);
    mem_free(region);
}
