// OBJ: lines "v x y z" or "v x y z red green blue", "f a/b/c ..." and "l a b ...". Everything else
// (texture coordinates, normals, groups, materials) does not matter here.
#include "meshfile/format.h"
#include "meshfile/number.h"
#include <math.h>

// The vertex of "7", "7/1", "7//2" or "7/1/2"; negative ones count back from the last vertex.
static void read_corner(cursor* c, draft* d)
{
    int64_t index = 0;
    span word = next_word(c);
    const char* after = scan_integer(word.at, word.at + word.length, &index);
    if (after == word.at || (after < word.at + word.length && *after != '/')) {
        expected(c, "the number of a vertex");
        return;
    }
    draft_corner(c, d, index < 0 ? d->vertex_count + 1 + index : index, 1);
}

// Three numbers behind the place are a color; a single one is a weight, and whatever else is there
// does not matter.
static void read_vertex(cursor* c, draft* d)
{
    double color[3] = {0, 0, 0};
    int count = 0;
    draft_read_vertex(c, d, SCALAR_NONE);
    while (cursor_ok(c) && count < 4 && more_on_line(c)) {
        span word = next_word(c);
        double value;
        const char* after = scan_real(word.at, word.at + word.length, &value);
        if (after != word.at + word.length || !isfinite(value)) return;
        if (count < 3) color[count] = value;
        ++count;
    }
    if (count == 3) draft_color(c, d, color);
}

static void read_line(cursor* c, draft* d)
{
    span word = next_word(c);
    bool face = span_is(word, "f"), line = span_is(word, "l");
    if (span_is(word, "v")) read_vertex(c, d);
    while ((face || line) && more_on_line(c)) {
        if (*c->at == '\\')
            next_line(c); // goes on there
        else
            read_corner(c, d);
    }
    if (face || line) draft_close(c, d, face ? CELL_POLYGON : CELL_LINES, 0);
    if (cursor_ok(c)) next_line(c);
}

void read_obj(cursor* c, draft* d)
{
    c->comment = '#';
    c->lines = true;
    for (skip_blank(c); c->at < c->end && cursor_ok(c); skip_blank(c)) read_line(c, d);
}

static void write_cells(sink* out, const char* keyword, const int* corner, int count, int corners)
{
    for (int64_t i = 0; i < count; ++i) {
        sink_text(out, keyword);
        sink_integers(out, corner + corners * i, corners, 1);
        sink_text(out, "\n");
    }
}

void write_obj(const pliant_mesh_arrays* mesh, sink* out)
{
    for (int64_t i = 0; i < mesh->vertex_count; ++i) {
        sink_text(out, "v ");
        sink_reals(out, mesh->vertices + 3 * i, 3);
        if (mesh->vertex_color) sink_text(out, " ");
        if (mesh->vertex_color) sink_reals(out, mesh->vertex_color + 3 * i, 3);
        sink_text(out, "\n");
    }
    write_cells(out, "f ", mesh->triangles, mesh->triangle_count, 3);
    write_cells(out, "l ", mesh->edges, mesh->edge_count, 2);
}
