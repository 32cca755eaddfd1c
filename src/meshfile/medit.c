// MEDIT .mesh, as text: keywords, each with a count and as many lines of numbers. Vertices count
// from one; every element ends with a reference number.
#include "meshfile/format.h"

bool detect_medit(const cursor* file) { return begins_with_word(file, "MeshVersionFormatted"); }

static void read_header(cursor* c)
{
    require_word(c, "MeshVersionFormatted");
    read_integer(c, SCALAR_NONE);
    require_word(c, "Dimension");
    int64_t dimension = read_integer(c, SCALAR_NONE);
    if (dimension != 3) expected(c, "a mesh of dimension 3");
}

static void read_vertices(cursor* c, draft* d)
{
    int count = check_count(c, read_integer(c, SCALAR_NONE), 8, "vertices");
    draft_reserve_vertices(c, d, count);
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        draft_read_vertex(c, d, SCALAR_NONE);
        read_integer(c, SCALAR_NONE);
    }
}

typedef struct {
    const char* keyword;
    cell_kind kind;
    int corners;
} section;

static void read_cells(cursor* c, draft* d, const section* s)
{
    int64_t found = read_integer(c, SCALAR_NONE);
    int count = check_count(c, found, 2 * (s->corners + 1), s->keyword);
    if (s->kind == CELL_TET) draft_reserve_elements(c, d, TET, count);
    for (int i = 0; i < count && cursor_ok(c); ++i) {
        for (int k = 0; k < s->corners; ++k) draft_corner(c, d, read_integer(c, SCALAR_NONE), 1);
        draft_close(c, d, s->kind, read_integer(c, SCALAR_NONE));
    }
}

static const section* find_section(span word)
{
    static const section sections[] = {
        {"Edges", CELL_LINES, 2},
        {"Triangles", CELL_POLYGON, 3},
        {"Quadrilaterals", CELL_POLYGON, 4},
        {"Tetrahedra", CELL_TET, 4},
        {"Hexahedra", CELL_SOLID, 8},
        {"Hexaedra", CELL_SOLID, 8},
        {"Prisms", CELL_SOLID, 6},
        {"Pentahedra", CELL_SOLID, 6},
        {"Pyramids", CELL_SOLID, 5},
        {"EdgesP2", CELL_CURVED, 3},
        {"TrianglesP2", CELL_CURVED, 6},
        {"TetrahedraP2", CELL_CURVED, 10},
    };
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i)
        if (span_is(word, sections[i].keyword)) return &sections[i];
    return NULL;
}

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// Corners, ridges, required elements, normals: numbers up to the next keyword.
static void skip_numbers(cursor* c)
{
    for (skip_blank(c); c->at < c->end && !is_letter(*c->at); skip_blank(c)) next_word(c);
}

// Some writers leave the End out. Behind tets that does no harm; elsewhere the file may be cut off.
static bool may_end(const draft* d) { return d->elements[TET].count > 0; }

void read_medit(cursor* c, draft* d)
{
    c->comment = '#';
    read_header(c);
    while (cursor_ok(c)) {
        span word = next_word(c);
        const section* s = find_section(word);
        if (span_is(word, "End") || (word.length == 0 && may_end(d))) break;
        if (span_is(word, "Vertices"))
            read_vertices(c, d);
        else if (s)
            read_cells(c, d, s);
        else if (word.length > 0 && is_letter(word.at[0]))
            skip_numbers(c);
        else
            expected(c, "a keyword (Vertices, Tetrahedra, End ...)");
    }
}

static void write_cells(sink* out, const char* keyword, const int* corner, int count, int corners,
                        const int* reference)
{
    if (count == 0) return;
    sink_print(out, "%s\n%d\n", keyword, count);
    for (int64_t i = 0; i < count; ++i) {
        sink_integers(out, corner + corners * i, corners, 1);
        sink_text(out, " ");
        sink_integer(out, reference ? reference[i] : 0);
        sink_text(out, "\n");
    }
}

void write_medit(const pliant_mesh_arrays* mesh, sink* out)
{
    sink_print(out, "MeshVersionFormatted 2\nDimension 3\nVertices\n%d\n", mesh->vertex_count);
    for (int64_t i = 0; i < mesh->vertex_count; ++i) {
        sink_reals(out, mesh->vertices + 3 * i, 3);
        sink_text(out, " 0\n");
    }
    write_cells(out, "Tetrahedra", mesh->tets, mesh->tet_count, 4, mesh->tet_region);
    write_cells(out, "Triangles", mesh->triangles, mesh->triangle_count, 3, NULL);
    write_cells(out, "Edges", mesh->edges, mesh->edge_count, 2, NULL);
    sink_text(out, "End\n");
}
