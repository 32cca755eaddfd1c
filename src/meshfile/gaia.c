// Gaia's .t: lines "Vertex i x y z" and "Tet i a b c d", numbered in order from any first number.
#include "meshfile/format.h"

bool detect_gaia(const cursor* file) { return begins_with_word(file, "Vertex"); }

static void check_number(cursor* c, int64_t number, int64_t wanted)
{
    if (number != wanted) expected(c, "number %lld", (long long)wanted);
}

void read_gaia(cursor* c, draft* d)
{
    c->comment = '#';
    c->lines = true;
    int64_t first_vertex = 0, first_tet = 0;
    for (span word = next_word(c); word.length > 0 && cursor_ok(c); word = next_word(c)) {
        bool tet = span_is(word, "Tet");
        if (!tet && !span_is(word, "Vertex")) {
            expected(c, "'Vertex' or 'Tet'");
            return;
        }
        int64_t number = read_integer(c, SCALAR_NONE);
        int64_t* first = tet ? &first_tet : &first_vertex;
        int before = tet ? d->elements[TET].count : d->vertex_count;
        if (before == 0) *first = number == 1 ? 1 : 0;
        check_number(c, number, *first + before);
        if (!tet) draft_read_vertex(c, d, SCALAR_NONE);
        for (int k = 0; tet && k < 4; ++k)
            draft_corner(c, d, read_integer(c, SCALAR_NONE), (int)first_vertex);
        if (tet) draft_close(c, d, CELL_TET, 0);
        next_line(c);
    }
}
