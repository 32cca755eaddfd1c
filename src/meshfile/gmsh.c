// Gmsh .msh: sections between $Name and $EndName, whose numbers are text or binary of either byte
// order. Versions 2 and 4.1 differ in the sections' contents.
#include "meshfile/gmsh.h"
#include "meshfile/format.h"
#include <stdio.h>

bool detect_gmsh(const cursor* file)
{
    cursor c = *file;
    skip_blank(&c);
    return c.at < c.end && *c.at == '$';
}

gmsh_element gmsh_element_type(cursor* c, int64_t number)
{
    static const gmsh_element types[] = {
        [1] = {CELL_LINES, 2}, [2] = {CELL_POLYGON, 3},  [3] = {CELL_POLYGON, 4},
        [4] = {CELL_TET, 4},   [5] = {CELL_SOLID, 8},    [6] = {CELL_SOLID, 6},
        [7] = {CELL_SOLID, 5}, [15] = {CELL_IGNORED, 1},
    };
    enum { LAST_TYPE = 140 };
    int64_t known = sizeof types / sizeof types[0];
    if (number > 0 && number < known && types[number].corners) return types[number];
    if (number > 0 && number <= LAST_TYPE)
        refuse(c, PLIANT_ERROR_UNSUPPORTED,
               "element type %d is of second or higher order; save the mesh with linear elements",
               (int)number);
    else
        refuse(c, PLIANT_ERROR_FORMAT, "expected an element type from 1 to %d, found %lld",
               LAST_TYPE, (long long)number);
    return (gmsh_element){CELL_IGNORED, 0};
}

void gmsh_corner(cursor* c, draft* d, const gmsh* g, int64_t tag)
{
    if (!cursor_ok(c)) return;
    int index = tags_find(&g->nodes, tag);
    if (index >= 0)
        draft_corner(c, d, index, 0);
    else
        refuse(c, PLIANT_ERROR_FORMAT, "expected one of the %d nodes, found node %lld",
               g->nodes.count, (long long)tag);
}

// Version 2 or 4. A binary file has the number one here, which tells its byte order.
static int read_header(cursor* c, gmsh* g)
{
    double version = read_real(c, SCALAR_NONE);
    int major = version >= 2 && version < 3 ? 2 : version == 4.1 ? 4 : 0;
    if (major == 0) expected(c, "version 2.2 or 4.1 of the Gmsh format");
    int64_t binary = read_integer(c, SCALAR_NONE);
    if (binary != 0 && binary != 1) expected(c, "0 (text) or 1 (binary)");
    int64_t size = read_integer(c, SCALAR_NONE);
    if (size != 8 && !(size == 4 && major == 4)) expected(c, "numbers of 8 bytes");
    g->size = size == 4 ? SCALAR_U32 : SCALAR_U64;
    if (binary == 1) {
        next_line(c);
        c->encoding = ENCODING_LITTLE;
        int64_t one = read_integer(c, SCALAR_I32);
        g->encoding = one == 1 ? ENCODING_LITTLE : ENCODING_BIG;
        if (one != 1 && one != 1 << 24)
            refuse(c, PLIANT_ERROR_FORMAT, "expected the number 1 in either byte order");
        c->encoding = ENCODING_TEXT;
    }
    return major;
}

// Sections that do not matter here: names, comments, partitions.
static void skip_section(cursor* c, span name)
{
    char end[64];
    snprintf(end, sizeof end, "$End%.*s", name.length < 50 ? (int)name.length - 1 : 0, name.at + 1);
    if (!skip_past(c, end)) expected(c, "'%s'", end);
}

static void end_section(cursor* c, const char* name)
{
    c->encoding = ENCODING_TEXT;
    require_word(c, name);
}

// Returns whether that was the last section of interest.
static bool read_section(cursor* c, draft* d, gmsh* g, int version, span name)
{
    if (span_is(name, "$Nodes")) {
        if (version == 2)
            read_nodes2(c, d, g);
        else
            read_nodes4(c, d, g);
        tags_index(c, &g->nodes, "node");
        end_section(c, "$EndNodes");
    } else if (span_is(name, "$Elements")) {
        if (version == 2)
            read_elements2(c, d, g);
        else
            read_elements4(c, d, g);
        end_section(c, "$EndElements");
        return true;
    } else if (span_is(name, "$Entities") && version == 4) {
        read_entities4(c, g);
        tags_index(c, &g->volumes, "volume");
        end_section(c, "$EndEntities");
    } else if (name.length > 1 && name.at[0] == '$') {
        skip_section(c, name);
    } else {
        expected(c, "a section ($Nodes, $Elements ...)");
    }
    return false;
}

void read_gmsh(cursor* c, draft* d)
{
    gmsh g = {.encoding = ENCODING_TEXT};
    span name = next_word(c);
    if (span_is(name, "$Comments")) {
        skip_section(c, name);
        name = next_word(c);
    }
    if (!span_is(name, "$MeshFormat")) expected(c, "'$MeshFormat' (Gmsh version 2.2 or 4.1)");
    int version = read_header(c, &g);
    require_word(c, "$EndMeshFormat");
    while (cursor_ok(c) && !read_section(c, d, &g, version, next_word(c))) continue;
    tags_release(&g.nodes);
    tags_release(&g.volumes);
    mem_free(g.physical);
}
