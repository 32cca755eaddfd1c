// .vtu, the XML format of VTK: one piece, with arrays as text, as base64 in place, or appended
// behind the XML (base64 or raw). Compressed files are refused.
#include "meshfile/base64.h"
#include "meshfile/cells.h"
#include "meshfile/format.h"
#include "meshfile/number.h"
#include "meshfile/xml.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

typedef enum { POINTS, CONNECTIVITY, OFFSETS, TYPES, REGION, RADIUS, ARRAY_COUNT } array_name;

typedef struct {
    bool found, text, appended;
    scalar type;
    const char* tag;  // for messages
    const char* data; // what follows the tag
    int64_t offset;   // of appended data
} data_array;

typedef struct {
    data_array arrays[ARRAY_COUNT];
    encoding encoding;
    scalar header;        // type of the number of bytes before binary data
    const char* appended; // behind the underscore; NULL: none
    bool raw;
    int64_t points, cells;
    bool has_piece;
} grid_file;

bool detect_vtu(const cursor* file)
{
    cursor c = *file;
    if (!span_is(next_word(&c), "<VTKFile") && !begins_with_word(file, "<?xml")) return false;
    c.at = c.begin;
    return span_is(xml_next(&c).name, "VTKFile");
}

static int64_t attribute_integer(cursor* c, const xml_tag* tag, const char* name)
{
    int64_t value = 0;
    span text = xml_attribute(tag, name);
    const char* after = scan_integer(text.at, text.at + text.length, &value);
    if (text.length == 0 || after != text.at + text.length || value < 0)
        expected(c, "a number as %s", name);
    return value;
}

static void open_file(cursor* c, grid_file* v, const xml_tag* tag)
{
    if (!span_is(xml_attribute(tag, "type"), "UnstructuredGrid"))
        refuse(c, PLIANT_ERROR_UNSUPPORTED, "expected a VTKFile of type UnstructuredGrid");
    if (xml_attribute(tag, "compressor").length > 0)
        refuse(c, PLIANT_ERROR_UNSUPPORTED, "compressed data; save the file without compression");
    bool big = span_is(xml_attribute(tag, "byte_order"), "BigEndian");
    v->encoding = big ? ENCODING_BIG : ENCODING_LITTLE;
    v->header = span_is(xml_attribute(tag, "header_type"), "UInt64") ? SCALAR_U64 : SCALAR_U32;
}

static void open_piece(cursor* c, grid_file* v, const xml_tag* tag)
{
    if (v->has_piece) refuse(c, PLIANT_ERROR_UNSUPPORTED, "a second piece; save it as one piece");
    v->has_piece = true;
    v->points = attribute_integer(c, tag, "NumberOfPoints");
    v->cells = attribute_integer(c, tag, "NumberOfCells");
}

static array_name name_of_array(span section, const xml_tag* tag)
{
    span name = xml_attribute(tag, "Name");
    if (span_is(section, "Points")) return POINTS;
    if (span_is(section, "CellData")) return span_is(name, "region") ? REGION : ARRAY_COUNT;
    if (span_is(section, "PointData")) return span_is(name, "radius") ? RADIUS : ARRAY_COUNT;
    if (!span_is(section, "Cells")) return ARRAY_COUNT;
    if (span_is(name, "connectivity")) return CONNECTIVITY;
    if (span_is(name, "offsets")) return OFFSETS;
    return span_is(name, "types") ? TYPES : ARRAY_COUNT;
}

static void open_array(cursor* c, grid_file* v, array_name name, const xml_tag* tag)
{
    if (name == ARRAY_COUNT) return;
    span format = xml_attribute(tag, "format");
    data_array array = {.found = true,
                        .text = format.length == 0 || span_is(format, "ascii"),
                        .appended = span_is(format, "appended"),
                        .type = scalar_named(xml_attribute(tag, "type")),
                        .tag = c->mark,
                        .data = c->at};
    if (array.type == SCALAR_NONE) expected(c, "an array with a known type");
    if (array.appended) array.offset = attribute_integer(c, tag, "offset");
    if (name == POINTS && attribute_integer(c, tag, "NumberOfComponents") != 3)
        expected(c, "points of 3 components");
    v->arrays[name] = array;
}

static void open_appended(cursor* c, grid_file* v, const xml_tag* tag)
{
    v->raw = !span_is(xml_attribute(tag, "encoding"), "base64");
    skip_blank(c);
    if (c->at >= c->end || *c->at != '_') expected(c, "'_' before the appended data");
    v->appended = c->at + 1;
}

static void read_tags(cursor* c, grid_file* v)
{
    span section = {c->at, 0};
    bool is_vtk = false;
    while (cursor_ok(c) && !v->appended) {
        xml_tag tag = xml_next(c);
        if (tag.name.length == 0 || (is_vtk && tag.closing && span_is(tag.name, "VTKFile"))) break;
        if (tag.closing) continue;
        is_vtk = is_vtk || span_is(tag.name, "VTKFile");
        if (span_is(tag.name, "VTKFile"))
            open_file(c, v, &tag);
        else if (span_is(tag.name, "Piece"))
            open_piece(c, v, &tag);
        else if (span_is(tag.name, "AppendedData"))
            open_appended(c, v, &tag);
        else if (span_is(tag.name, "DataArray"))
            open_array(c, v, name_of_array(section, &tag), &tag);
        else
            section = tag.name;
    }
    if (cursor_ok(c) && !v->has_piece) expected(c, "a Piece of an UnstructuredGrid");
}

// The bytes of a base64 array, with a name for messages behind them; from mem_alloc.
static char* decode(cursor* c, const char* text, cursor* out)
{
    enum { NAME_BYTES = 512 };
    int64_t capacity = (c->end - text) / 4 * 3 + 3;
    char* memory = (char*)mem_alloc((size_t)capacity + NAME_BYTES);
    if (!got_memory(c, memory)) return NULL;
    int64_t bytes = base64_decode(text, c->end, (unsigned char*)memory);
    if (bytes < 0) refuse(c, PLIANT_ERROR_FORMAT, "expected base64 in groups of four");
    snprintf(memory + capacity, NAME_BYTES, "%.400s:%lld: the array's data", c->name,
             (long long)cursor_line(c));
    *out = cursor_over(memory, (size_t)(bytes > 0 ? bytes : 0), memory + capacity);
    return memory;
}

// A cursor over the array's numbers, and memory to release afterwards (or NULL).
static cursor begin_array(cursor* c, const grid_file* v, const data_array* a, char** out_memory)
{
    cursor data = *c;
    *out_memory = NULL;
    c->mark = a->tag;
    data.at = data.mark = a->data;
    if (a->text) {
        const char* end = (const char*)memchr(a->data, '<', (size_t)(c->end - a->data));
        if (end) data.end = end;
        return data;
    }
    if (a->appended && (!v->appended || a->offset > c->end - v->appended)) {
        refuse(c, PLIANT_ERROR_FORMAT, "expected appended data at offset %lld, found the end",
               (long long)a->offset);
        return data;
    }
    if (a->appended) data.at = data.mark = v->appended + a->offset;
    if (!a->appended || !v->raw) *out_memory = decode(c, data.at, &data);
    data.encoding = v->encoding;
    return data;
}

static void check_bytes(cursor* data, const grid_file* v, const data_array* a, int64_t count)
{
    if (a->text) return;
    int64_t bytes = read_integer(data, v->header);
    if (bytes != count * scalar_bytes(a->type))
        refuse(data, PLIANT_ERROR_FORMAT, "expected %lld bytes, found %lld",
               (long long)count * scalar_bytes(a->type), (long long)bytes);
}

static void read_points(cursor* c, draft* d, const grid_file* v)
{
    const data_array* a = &v->arrays[POINTS];
    char* memory;
    cursor data = begin_array(c, v, a, &memory);
    if (cursor_ok(c)) {
        int count = check_count(&data, v->points, least_bytes(&data, a->type, 3), "points");
        check_bytes(&data, v, a, 3 * (int64_t)count);
        draft_reserve_vertices(&data, d, count);
        for (int i = 0; i < count && cursor_ok(&data); ++i) draft_read_vertex(&data, d, a->type);
        c->result = data.result;
    }
    mem_free(memory);
}

static void read_radii(cursor* c, draft* d, const grid_file* v)
{
    const data_array* a = &v->arrays[RADIUS];
    char* memory;
    cursor data = begin_array(c, v, a, &memory);
    if (cursor_ok(c)) {
        int count = check_count(&data, v->points, least_bytes(&data, a->type, 1), "radii");
        check_bytes(&data, v, a, count);
        for (int i = 0; i < count && cursor_ok(&data); ++i)
            draft_radius(&data, d, read_real(&data, a->type));
        c->result = data.result;
    }
    mem_free(memory);
}

static int* read_list(cursor* c, const grid_file* v, array_name name, int64_t count, int high)
{
    static const char* what[] = {"a point", "a point", "an offset", "a cell type", "a region"};
    const data_array* a = &v->arrays[name];
    int* list = NULL;
    char* memory;
    cursor data = begin_array(c, v, a, &memory);
    if (cursor_ok(c)) {
        int checked = check_count(&data, count, least_bytes(&data, a->type, 1), "numbers");
        check_bytes(&data, v, a, checked);
        int low = name == REGION ? INT_MIN : 0;
        list = read_integers(&data, checked, a->type, low, high, what[name]);
        c->result = data.result;
    }
    mem_free(memory);
    return list;
}

static void read_cells(cursor* c, draft* d, const grid_file* v, cell_lists* cells)
{
    cells->end = read_list(c, v, OFFSETS, v->cells, INT_MAX);
    if (!cursor_ok(c)) return;
    cells->count = (int)v->cells;
    cells->corner_count = cells->count > 0 ? cells->end[cells->count - 1] : 0;
    cells->corner = read_list(c, v, CONNECTIVITY, cells->corner_count, d->vertex_count - 1);
    if (cursor_ok(c)) cells->type = read_list(c, v, TYPES, cells->count, 255);
    if (cursor_ok(c) && v->arrays[REGION].found)
        cells->region = read_list(c, v, REGION, cells->count, INT_MAX);
    if (!cursor_ok(c)) return;
    c->mark = v->arrays[OFFSETS].tag;
    cells_assemble(c, d, cells);
}

void read_vtu(cursor* c, draft* d)
{
    static const char* names[] = {"Points", "connectivity", "offsets", "types"};
    grid_file v = {0};
    cell_lists cells = {0};
    read_tags(c, &v);
    for (int i = POINTS; i <= TYPES; ++i)
        if (cursor_ok(c) && !v.arrays[i].found)
            refuse(c, PLIANT_ERROR_FORMAT, "expected a DataArray for %s, found none", names[i]);
    if (cursor_ok(c)) read_points(c, d, &v);
    if (cursor_ok(c)) read_cells(c, d, &v, &cells);
    if (cursor_ok(c) && v.arrays[RADIUS].found && draft_is_loose(d)) read_radii(c, d, &v);
    cells_release(&cells);
}
