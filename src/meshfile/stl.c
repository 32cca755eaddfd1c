// STL, text and binary: triangles that each have corners of their own. They stay apart here;
// pliant_mesh_clean welds them.
#include "meshfile/format.h"
#include <math.h>
#include <string.h>

enum { HEADER_BYTES = 84, TRIANGLE_BYTES = 50 };

static int64_t binary_count(const cursor* file)
{
    cursor c = *file;
    c.encoding = ENCODING_LITTLE;
    skip_bytes(&c, HEADER_BYTES - 4);
    return read_integer(&c, SCALAR_U32);
}

// The size is the surest sign: some binary files begin with "solid" too.
static bool is_binary(const cursor* file)
{
    int64_t bytes = file->end - file->begin;
    return bytes >= HEADER_BYTES && bytes == HEADER_BYTES + TRIANGLE_BYTES * binary_count(file);
}

static bool is_text(const cursor* file)
{
    cursor c = *file;
    if (!span_is(next_word(&c), "solid")) return false;
    next_line(&c);
    span word = next_word(&c);
    return span_is(word, "facet") || span_is(word, "endsolid");
}

bool detect_stl(const cursor* file) { return is_binary(file) || is_text(file); }

static void close_triangle(cursor* c, draft* d, int first)
{
    for (int k = first; k < d->vertex_count; ++k) draft_corner(c, d, k, 0);
    draft_close(c, d, CELL_POLYGON, 0);
}

// Normals are not read: they follow from the corners, and many files have NaN there.
static void read_text(cursor* c, draft* d)
{
    bool inside = false;
    int first = 0;
    for (span word = next_word(c); word.length > 0 && cursor_ok(c); word = next_word(c)) {
        bool end = span_is(word, "endsolid");
        if (span_is(word, "solid") || end) {
            inside = !end;
            next_line(c);
        } else if (span_is(word, "facet") || span_is(word, "outer")) {
            first = d->vertex_count;
            next_line(c);
        } else if (span_is(word, "vertex")) {
            draft_read_vertex(c, d, SCALAR_NONE);
        } else if (span_is(word, "endloop")) {
            close_triangle(c, d, first);
            first = d->vertex_count;
        } else if (!span_is(word, "endfacet")) {
            expected(c, "'facet', 'vertex' or 'endsolid'");
        }
    }
    if (inside) expected(c, "'endsolid'");
}

static void read_binary(cursor* c, draft* d)
{
    c->encoding = ENCODING_LITTLE;
    skip_bytes(c, HEADER_BYTES - 4);
    int64_t found = read_integer(c, SCALAR_U32);
    int count = check_count(c, found, TRIANGLE_BYTES, "triangles");
    draft_reserve_vertices(c, d, 3 * count);
    draft_reserve_elements(c, d, TRIANGLE, count);
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        skip_bytes(c, 12);
        for (int k = 0; k < 3; ++k) draft_read_vertex(c, d, SCALAR_F32);
        skip_bytes(c, 2);
        close_triangle(c, d, 3 * i);
    }
}

void read_stl(cursor* c, draft* d)
{
    if (!is_binary(c) && begins_with_word(c, "solid"))
        read_text(c, d);
    else
        read_binary(c, d);
}

static void write_normal(const double* a, const double* b, const double* c, sink* out)
{
    double n[3], length = 0;
    for (int k = 0; k < 3; ++k) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        n[k] = (b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]);
        length += n[k] * n[k];
    }
    length = sqrt(length);
    for (int k = 0; k < 3; ++k) sink_f32(out, length > 0 ? (float)(n[k] / length) : 0);
}

// Coordinates become floats: that is what the format has.
void write_stl(const pliant_mesh_arrays* mesh, sink* out)
{
    char header[HEADER_BYTES - 4] = "binary STL";
    sink_bytes(out, header, sizeof header);
    sink_i32(out, mesh->triangle_count);
    for (int64_t i = 0; i < mesh->triangle_count; ++i) {
        const double* corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = mesh->vertices + 3 * (int64_t)mesh->triangles[3 * i + k];
        write_normal(corner[0], corner[1], corner[2], out);
        for (int k = 0; k < 3; ++k)
            for (int axis = 0; axis < 3; ++axis) sink_f32(out, (float)corner[k][axis]);
        sink_u16(out, 0);
    }
}
