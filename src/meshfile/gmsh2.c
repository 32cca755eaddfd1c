// Sections of Gmsh version 2: counts are text even in binary files.
#include "meshfile/gmsh.h"

static int64_t begin_numbers(cursor* c, const gmsh* g)
{
    int64_t count = read_integer(c, SCALAR_NONE);
    if (g->encoding != ENCODING_TEXT && cursor_ok(c)) {
        next_line(c);
        c->encoding = g->encoding;
    }
    return count;
}

void read_nodes2(cursor* c, draft* d, gmsh* g)
{
    int64_t found = begin_numbers(c, g);
    int64_t each = least_bytes(c, SCALAR_I32, 1) + least_bytes(c, SCALAR_F64, 3);
    int count = check_count(c, found, each, "nodes");
    draft_reserve_vertices(c, d, count);
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        tags_add(c, &g->nodes, read_integer(c, SCALAR_I32));
        draft_read_vertex(c, d, SCALAR_F64);
    }
}

// Behind the element's number and header: tags (the physical and the elementary entity first) and
// nodes.
static void read_element(cursor* c, draft* d, const gmsh* g, gmsh_element type, int64_t tags)
{
    int64_t physical = 0, elementary = 0;
    for (int64_t i = 0; i < tags && cursor_ok(c); ++i) {
        int64_t tag = read_integer(c, SCALAR_I32);
        if (i == 0) physical = tag;
        if (i == 1) elementary = tag;
    }
    for (int k = 0; k < type.corners; ++k) gmsh_corner(c, d, g, read_integer(c, SCALAR_I32));
    draft_close(c, d, type.kind, physical ? physical : elementary);
}

static void read_text(cursor* c, draft* d, const gmsh* g, int count)
{
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        read_integer(c, SCALAR_I32);
        gmsh_element type = gmsh_element_type(c, read_integer(c, SCALAR_I32));
        read_element(c, d, g, type, read_integer(c, SCALAR_I32));
    }
}

// In blocks of one type and number of tags.
static void read_binary(cursor* c, draft* d, const gmsh* g, int count)
{
    while (count > 0 && cursor_ok(c)) {
        gmsh_element type = gmsh_element_type(c, read_integer(c, SCALAR_I32));
        int64_t block = read_integer(c, SCALAR_I32), tags = read_integer(c, SCALAR_I32);
        if (cursor_ok(c) && (block < 1 || block > count))
            refuse(c, PLIANT_ERROR_FORMAT, "expected a block of 1 to %d elements, found %lld",
                   count, (long long)block);
        if (!cursor_ok(c)) return;
        for (int64_t i = 0; i < block && cursor_ok(c); ++i) {
            read_integer(c, SCALAR_I32);
            read_element(c, d, g, type, tags);
        }
        count -= (int)block;
    }
}

void read_elements2(cursor* c, draft* d, gmsh* g)
{
    int64_t found = begin_numbers(c, g);
    int count = check_count(c, found, least_bytes(c, SCALAR_I32, 2), "elements");
    if (c->encoding == ENCODING_TEXT)
        read_text(c, d, g, count);
    else
        read_binary(c, d, g, count);
}
