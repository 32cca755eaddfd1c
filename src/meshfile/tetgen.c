// TetGen: a .node file with the vertices and an .ele file with the tets, numbered from zero or one.
// Attributes and boundary markers of vertices are passed over; the first attribute of a tet is its
// region.
#include "meshfile/format.h"
#include <limits.h>
#include <string.h>

// Returns the number of the first vertex: 0 or 1.
static int read_nodes(cursor* c, draft* d)
{
    c->comment = '#';
    c->lines = true;
    skip_blank(c);
    int count = check_count(c, read_integer(c, SCALAR_NONE), 8, "vertices");
    int64_t dimension = read_integer(c, SCALAR_NONE);
    if (dimension != 3) expected(c, "vertices of dimension 3");
    next_line(c);
    draft_reserve_vertices(c, d, count);
    int64_t first = 0;
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        skip_blank(c);
        int64_t number = read_integer(c, SCALAR_NONE);
        if (i == 0) first = number == 1;
        if (number != first + i) expected(c, "vertex %lld", (long long)first + i);
        draft_read_vertex(c, d, SCALAR_NONE);
        if (cursor_ok(c)) next_line(c);
    }
    return (int)first;
}

// An attribute is a real; one that is not a whole number is not a region.
static int64_t read_region(cursor* c, draft* d, bool given)
{
    double value = given ? read_real(c, SCALAR_NONE) : 0;
    if (value >= INT_MIN && value <= INT_MAX && value == (double)(int)value) return (int)value;
    d->no_regions = true;
    return 0;
}

static void read_tets(cursor* c, draft* d, int first_vertex)
{
    c->comment = '#';
    c->lines = true;
    skip_blank(c);
    int64_t found = read_integer(c, SCALAR_NONE), corners = read_integer(c, SCALAR_NONE);
    if (corners == 10)
        draft_close(c, d, CELL_CURVED, 0);
    else if (corners != 4)
        expected(c, "4 corners a tet");
    int count = check_count(c, found, 10, "tets");
    bool attributes = more_on_line(c) && read_integer(c, SCALAR_NONE) > 0;
    next_line(c);
    draft_reserve_elements(c, d, TET, count);
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        skip_blank(c);
        read_integer(c, SCALAR_NONE);
        for (int k = 0; k < 4; ++k) draft_corner(c, d, read_integer(c, SCALAR_NONE), first_vertex);
        draft_close(c, d, CELL_TET, read_region(c, d, attributes));
        if (cursor_ok(c)) next_line(c);
    }
}

// The path with the other extension in place of this one, before a last ".gz"; from mem_alloc.
static char* sibling_path(cursor* c, const char* extension)
{
    span old = path_extension(c->name);
    size_t stem = (size_t)(old.at - c->name), added = strlen(extension);
    const char* tail = old.at + old.length;
    char* path = (char*)mem_alloc(stem + added + strlen(tail) + 1);
    if (!got_memory(c, path)) return NULL;
    memcpy(path, c->name, stem);
    memcpy(path + stem, extension, added);
    memcpy(path + stem + added, tail, strlen(tail) + 1);
    return path;
}

// The file at the cursor and its sibling, in the order that the indices need.
static void read_pair(cursor* c, draft* d, cursor* sibling, bool nodes_first)
{
    int first = read_nodes(nodes_first ? c : sibling, d);
    if (cursor_ok(c) && cursor_ok(sibling)) read_tets(nodes_first ? sibling : c, d, first);
    if (cursor_ok(c)) c->result = sibling->result;
}

void read_tetgen(cursor* c, draft* d)
{
    bool nodes_first = span_is(path_extension(c->name), ".node");
    if (!c->opener) {
        refuse(c, PLIANT_ERROR_UNSUPPORTED,
               "a .node and an .ele file belong together; load them by name");
        return;
    }
    char* path = sibling_path(c, nodes_first ? ".ele" : ".node");
    if (!path) return;
    void* data = NULL;
    size_t bytes = 0;
    pliant_result beside = c->opener->read(path, &data, &bytes, c->opener->context);
    if (beside == PLIANT_ERROR_FILE && nodes_first) {
        read_nodes(c, d);
        if (cursor_ok(c))
            warn("%.300s: there is no %.300s: its vertices are particles", c->name, path);
        mem_free(path);
        return;
    }
    c->result = beside;
    if (cursor_ok(c)) {
        cursor sibling = cursor_over(data, bytes, path);
        read_pair(c, d, &sibling, nodes_first);
    }
    mem_free(data);
    mem_free(path);
}
