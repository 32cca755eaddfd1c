// Writes .vtu: every array as base64 in place, with 64-bit sizes, little-endian.
#include "mesh/format.h"

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
    const int* corner;
    int count, corners, type;
} cell_group;

static void write_connectivity(const cell_group* groups, sink* out, sink* raw)
{
    begin_array(out, raw, "type=\"Int32\" Name=\"connectivity\"");
    for (int g = 0; g < 3; ++g)
        for (int64_t i = 0; i < (int64_t)groups[g].count * groups[g].corners; ++i)
            sink_i32(raw, groups[g].corner[i]);
    end_array(out, raw);
}

static void write_offsets(const cell_group* groups, sink* out, sink* raw)
{
    int64_t end = 0;
    begin_array(out, raw, "type=\"Int64\" Name=\"offsets\"");
    for (int g = 0; g < 3; ++g)
        for (int i = 0; i < groups[g].count; ++i) sink_i64(raw, end += groups[g].corners);
    end_array(out, raw);
}

static void write_types(const cell_group* groups, sink* out, sink* raw)
{
    begin_array(out, raw, "type=\"UInt8\" Name=\"types\"");
    for (int g = 0; g < 3; ++g)
        for (int i = 0; i < groups[g].count; ++i) sink_u8(raw, (uint8_t)groups[g].type);
    end_array(out, raw);
}

static void write_regions(const pliant_mesh_arrays* mesh, sink* out, sink* raw)
{
    sink_text(out, "<CellData Scalars=\"region\">\n");
    begin_array(out, raw, "type=\"Int32\" Name=\"region\"");
    for (int i = 0; i < mesh->tet_count; ++i) sink_i32(raw, mesh->tet_region[i]);
    for (int i = 0; i < mesh->triangle_count + mesh->edge_count; ++i) sink_i32(raw, 0);
    end_array(out, raw);
    sink_text(out, "</CellData>\n");
}

void write_vtu(const pliant_mesh_arrays* mesh, sink* out)
{
    const cell_group groups[3] = {{mesh->tets, mesh->tet_count, 4, 10},
                                  {mesh->triangles, mesh->triangle_count, 3, 5},
                                  {mesh->edges, mesh->edge_count, 2, 3}};
    sink raw = {0};
    sink_text(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                   "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n");
    sink_print(out, "<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n", mesh->vertex_count,
               mesh->tet_count + mesh->triangle_count + mesh->edge_count);
    if (mesh->tet_region) write_regions(mesh, out, &raw);
    sink_text(out, "<Points>\n");
    begin_array(out, &raw, "type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"");
    for (int64_t i = 0; i < 3 * (int64_t)mesh->vertex_count; ++i) sink_f64(&raw, mesh->vertices[i]);
    end_array(out, &raw);
    sink_text(out, "</Points>\n<Cells>\n");
    write_connectivity(groups, out, &raw);
    write_offsets(groups, out, &raw);
    write_types(groups, out, &raw);
    sink_text(out, "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    sink_release(&raw);
}
