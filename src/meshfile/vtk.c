// Legacy .vtk, text and binary (big-endian): unstructured grids of file versions up to 5.1.
#include "meshfile/cells.h"
#include "meshfile/format.h"

typedef struct {
    encoding encoding; // of the numbers; keywords are text
    bool has_cells;
    cell_lists cells;
} legacy;

bool detect_vtk(const cursor* file)
{
    cursor c = *file;
    return span_is(next_word(&c), "#") && span_is(next_word(&c), "vtk") &&
           span_is(next_word(&c), "DataFile");
}

static void read_header(cursor* c, legacy* v)
{
    next_line(c);
    next_line(c); // the title
    span word = next_word(c);
    if (span_is(word, "BINARY"))
        v->encoding = ENCODING_BIG;
    else if (!span_is(word, "ASCII"))
        expected(c, "ASCII or BINARY");
    require_word(c, "DATASET");
    require_word(c, "UNSTRUCTURED_GRID");
}

static scalar read_type(cursor* c)
{
    scalar type = scalar_named(next_word(c));
    if (type == SCALAR_NONE) expected(c, "a type (float, double, int ...)");
    return type;
}

// Binary numbers begin on the line after their keyword.
static void begin_numbers(cursor* c, const legacy* v)
{
    if (v->encoding == ENCODING_TEXT || !cursor_ok(c)) return;
    next_line(c);
    c->encoding = v->encoding;
}

static void end_numbers(cursor* c) { c->encoding = ENCODING_TEXT; }

static void read_points(cursor* c, draft* d, legacy* v)
{
    int64_t found = read_integer(c, SCALAR_NONE);
    scalar type = read_type(c);
    begin_numbers(c, v);
    int count = check_count(c, found, least_bytes(c, type, 3), "points");
    draft_reserve_vertices(c, d, count);
    for (int i = 0; i < count && cursor_ok(c); ++i) draft_read_vertex(c, d, type);
    end_numbers(c);
}

// Up to version 4: the number of corners, then the corners, for each cell.
static void read_counted(cursor* c, draft* d, legacy* v, int64_t cells, int64_t numbers)
{
    begin_numbers(c, v);
    int64_t each = least_bytes(c, SCALAR_I32, 1);
    v->cells.count = check_count(c, cells, each, "cells");
    v->cells.corner_count = check_count(c, numbers, each, "numbers") - v->cells.count;
    if (v->cells.corner_count < 0)
        refuse(c, PLIANT_ERROR_FORMAT, "expected a number for each of %d cells", v->cells.count);
    if (!cursor_ok(c)) return;
    v->cells.end = (int*)mem_array((size_t)v->cells.count, sizeof(int));
    v->cells.corner = (int*)mem_array((size_t)v->cells.corner_count, sizeof(int));
    if (!got_memory(c, v->cells.end) || !got_memory(c, v->cells.corner)) return;
    int filled = 0;
    for (int i = 0; i < v->cells.count && cursor_ok(c); ++i) {
        int64_t corners = read_integer(c, SCALAR_I32);
        if (corners < 0 || corners > v->cells.corner_count - filled)
            refuse(c, PLIANT_ERROR_FORMAT, "expected at most %d corners, found %lld",
                   v->cells.corner_count - filled, (long long)corners);
        for (; corners > 0 && cursor_ok(c); --corners) {
            int64_t index = read_integer(c, SCALAR_I32);
            draft_corner(c, d, index, 0);
            v->cells.corner[filled++] = (int)index;
        }
        d->cell_count = 0; // checked; the cell is made when its type is known
        v->cells.end[i] = filled;
    }
    if (filled < v->cells.corner_count)
        refuse(c, PLIANT_ERROR_FORMAT, "expected %d corners in all cells, found %d",
               v->cells.corner_count, filled);
    end_numbers(c);
}

static int* read_list(cursor* c, const legacy* v, const char* keyword, int count, int high)
{
    require_word(c, keyword);
    scalar type = read_type(c);
    begin_numbers(c, v);
    int* list = read_integers(c, count, type, 0, high, "an index");
    end_numbers(c);
    return list;
}

// From version 5: where each cell begins and the last one ends, then all corners.
static void read_offsets(cursor* c, draft* d, legacy* v, int64_t offsets, int64_t corners)
{
    int count = check_count(c, offsets, least_bytes(c, SCALAR_I8, 1), "offsets");
    v->cells.corner_count = check_count(c, corners, least_bytes(c, SCALAR_I8, 1), "corners");
    v->cells.end = read_list(c, v, "OFFSETS", count, v->cells.corner_count);
    if (!cursor_ok(c)) return;
    v->cells.count = count > 0 ? count - 1 : 0;
    for (int i = 0; i < v->cells.count; ++i) v->cells.end[i] = v->cells.end[i + 1];
    v->cells.corner = read_list(c, v, "CONNECTIVITY", v->cells.corner_count, d->vertex_count - 1);
}

static void read_cells(cursor* c, draft* d, legacy* v)
{
    if (v->has_cells) expected(c, "one list of cells");
    v->has_cells = true;
    int64_t cells = read_integer(c, SCALAR_NONE);
    int64_t numbers = read_integer(c, SCALAR_NONE);
    cursor ahead = *c;
    if (span_is(next_word(&ahead), "OFFSETS"))
        read_offsets(c, d, v, cells, numbers);
    else
        read_counted(c, d, v, cells, numbers);
}

static void read_types(cursor* c, draft* d, legacy* v)
{
    int64_t found = read_integer(c, SCALAR_NONE);
    if (found != v->cells.count) expected(c, "%d cell types", v->cells.count);
    begin_numbers(c, v);
    v->cells.type = read_integers(c, v->cells.count, SCALAR_I32, 0, 255, "a cell type");
    if (cursor_ok(c)) cells_assemble(c, d, &v->cells);
    end_numbers(c);
}

// Arrays that belong to the file as a whole, such as the time.
static void skip_field(cursor* c, const legacy* v)
{
    next_word(c);
    int64_t arrays = read_integer(c, SCALAR_NONE);
    for (int64_t i = 0; i < arrays && cursor_ok(c); ++i) {
        next_word(c);
        int64_t components = read_integer(c, SCALAR_NONE), tuples = read_integer(c, SCALAR_NONE);
        scalar type = read_type(c);
        begin_numbers(c, v);
        int width = check_count(c, components, least_bytes(c, type, 1), "components");
        int count = check_count(c, tuples, least_bytes(c, type, width > 0 ? width : 1), "tuples");
        for (int64_t k = 0; k < (int64_t)width * count && cursor_ok(c); ++k) skip_scalar(c, type);
        end_numbers(c);
    }
}

// Ends at an empty line.
static void skip_metadata(cursor* c)
{
    next_line(c);
    while (c->at < c->end && rest_of_line(c).length > 0) continue;
}

void read_vtk(cursor* c, draft* d)
{
    legacy v = {.encoding = ENCODING_TEXT};
    read_header(c, &v);
    while (cursor_ok(c) && !v.cells.type) {
        span word = next_word(c);
        if (span_is(word, "POINTS"))
            read_points(c, d, &v);
        else if (span_is(word, "CELLS"))
            read_cells(c, d, &v);
        else if (span_is(word, "CELL_TYPES"))
            read_types(c, d, &v);
        else if (span_is(word, "FIELD"))
            skip_field(c, &v);
        else if (span_is(word, "METADATA"))
            skip_metadata(c);
        else
            expected(c, "POINTS, CELLS or CELL_TYPES");
    }
    cells_release(&v.cells);
}
