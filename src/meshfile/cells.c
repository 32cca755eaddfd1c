#include "meshfile/cells.h"

void cells_release(cell_lists* cells)
{
    mem_free(cells->type);
    mem_free(cells->end);
    mem_free(cells->corner);
    mem_free(cells->region);
    *cells = (cell_lists){0};
}

int* read_integers(cursor* c, int count, scalar type, int low, int high, const char* what)
{
    check_count(c, count, least_bytes(c, type, 1), what);
    if (!cursor_ok(c)) return NULL;
    int* list = (int*)mem_array((size_t)count, sizeof(int));
    if (!got_memory(c, list)) return NULL;
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        int64_t value = read_integer(c, type);
        if (value < low || value > high)
            refuse(c, PLIANT_ERROR_FORMAT, "expected %s from %d to %d, found %lld", what, low, high,
                   (long long)value);
        else
            list[i] = (int)value;
    }
    if (cursor_ok(c)) return list;
    mem_free(list);
    return NULL;
}

static cell_kind kind_of_type(int type)
{
    enum { VERTICES = 2, POLYLINE = 4, TRIANGLE_CELL = 5, POLYGON = 7, QUAD = 9, TET_CELL = 10 };
    enum { FIRST_SOLID = 11, LAST_SOLID = 16, POLYHEDRON = 42 };
    if (type <= VERTICES) return CELL_IGNORED;
    if (type <= POLYLINE) return CELL_LINES;
    if (type == TRIANGLE_CELL || type == POLYGON || type == QUAD) return CELL_POLYGON;
    if (type == TET_CELL) return CELL_TET;
    if ((type >= FIRST_SOLID && type <= LAST_SOLID) || type == POLYHEDRON) return CELL_SOLID;
    return CELL_CURVED;
}

// The flat types whose corners do not go around: no writer of meshes uses them.
static bool is_strip_or_pixel(int type) { return type == 6 || type == 8; }

static int cell_end(cursor* c, const cell_lists* cells, int i, int begin)
{
    int end = cells->end[i];
    if (end >= begin && end <= cells->corner_count) return end;
    refuse(c, PLIANT_ERROR_FORMAT, "cell %d: expected an offset from %d to %d, found %d", i, begin,
           cells->corner_count, end);
    return begin;
}

void cells_assemble(cursor* c, draft* d, const cell_lists* cells)
{
    int at = 0;
    for (int i = 0; i < cells->count && cursor_ok(c); ++i) {
        int end = cell_end(c, cells, i, at);
        for (; at < end; ++at) draft_corner(c, d, cells->corner[at], 0);
        if (is_strip_or_pixel(cells->type[i]))
            refuse(c, PLIANT_ERROR_UNSUPPORTED, "cell %d is a strip or a pixel; use triangles", i);
        draft_close(c, d, kind_of_type(cells->type[i]), cells->region ? cells->region[i] : 0);
    }
}
