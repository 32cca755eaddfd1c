// OFF: counts, a line per vertex, a line per polygon. Colors, normals and texture coordinates
// (COFF, NOFF, STOFF) stand behind what is read, on the same line.
#include "meshfile/format.h"

// OFF behind any of the prefixes that do not change the place of the coordinates.
static bool is_off_word(span word)
{
    span rest = word;
    if (rest.length > 2 && rest.at[0] == 'S' && rest.at[1] == 'T')
        rest = (span){rest.at + 2, rest.length - 2};
    for (const char* prefix = "CN"; *prefix; ++prefix)
        if (rest.length > 3 && rest.at[0] == *prefix) rest = (span){rest.at + 1, rest.length - 1};
    return span_is(rest, "OFF");
}

bool detect_off(const cursor* file)
{
    cursor c = *file;
    c.comment = '#';
    return is_off_word(next_word(&c));
}

static void read_polygons(cursor* c, draft* d, int count)
{
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        skip_blank(c);
        int corners = check_count(c, read_integer(c, SCALAR_NONE), 2, "corners");
        for (int k = 0; k < corners && cursor_ok(c); ++k)
            draft_corner(c, d, read_integer(c, SCALAR_NONE), 0);
        draft_close(c, d, CELL_POLYGON, 0);
        next_line(c);
    }
}

void read_off(cursor* c, draft* d)
{
    c->comment = '#';
    c->lines = true;
    span word = next_word(c);
    if (!is_off_word(word)) c->at = word.at; // the keyword may be left out
    skip_blank(c);
    int vertices = check_count(c, read_integer(c, SCALAR_NONE), 6, "vertices");
    int polygons = check_count(c, read_integer(c, SCALAR_NONE), 2, "polygons");
    next_line(c); // the number of edges, which nobody needs
    draft_reserve_vertices(c, d, vertices);
    for (int i = 0; i < vertices && cursor_ok(c); ++i) {
        skip_blank(c);
        draft_read_vertex(c, d, SCALAR_NONE);
        if (cursor_ok(c)) next_line(c);
    }
    read_polygons(c, d, polygons);
}

void write_off(const pliant_mesh_arrays* mesh, sink* out)
{
    sink_print(out, "OFF\n%d %d 0\n", mesh->vertex_count, mesh->triangle_count);
    for (int64_t i = 0; i < mesh->vertex_count; ++i) {
        sink_reals(out, mesh->vertices + 3 * i, 3);
        sink_text(out, "\n");
    }
    for (int64_t i = 0; i < mesh->triangle_count; ++i) {
        sink_text(out, "3 ");
        sink_integers(out, mesh->triangles + 3 * i, 3, 0);
        sink_text(out, "\n");
    }
}
