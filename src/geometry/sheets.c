#include "geometry/sheets.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"
#include <string.h>

// 1 if the corners are an even permutation of their ascending order, -1 if odd.
static int sense(const int c[3])
{
    bool even = ((c[0] < c[1]) + (c[1] < c[2]) + (c[2] < c[0])) == 2;
    return even ? 1 : -1;
}

enum { GOES, STAYS, TWO_SIDED };

typedef struct {
    double all, two_sided; // [m^2] areas
} sheet_areas;

// Which of the triangles of a run stays; they are in ascending order.
static void judge_run(const pliant_mesh* m, const int* run, int count, unsigned char* fate,
                      sheet_areas* areas)
{
    int net = 0;
    for (int i = 0; i < count; ++i) net += sense(m->triangles + 3 * (ptrdiff_t)run[i]);
    double area = triangle_area(m->vertices, m->triangles + 3 * (ptrdiff_t)run[0]);
    areas->all += area;
    if (net == 0) {
        areas->two_sided += area;
        fate[run[0]] = TWO_SIDED;
        return;
    }
    for (int i = 0; i < count; ++i) {
        if (sense(m->triangles + 3 * (ptrdiff_t)run[i]) * net < 0) continue;
        fate[run[i]] = STAYS;
        return;
    }
}

static void keep_chosen(pliant_mesh* m, const unsigned char* fate, int last)
{
    int kept = 0;
    for (int t = 0; t < m->triangle_count; ++t) {
        if (fate[t] == GOES || fate[t] > last) continue;
        memmove(m->triangles + 3 * (ptrdiff_t)kept++, m->triangles + 3 * (ptrdiff_t)t,
                3 * sizeof(int));
    }
    m->triangle_count = kept;
}

pliant_result join_sheets(pliant_mesh* surface)
{
    tuple_list list;
    int count = surface->triangle_count;
    unsigned char* fate = (unsigned char*)mem_array_zero((size_t)count, 1);
    bool ok = tuples_allocate(&list, 3, count) && fate;
    for (int t = 0; ok && t < count; ++t)
        tuples_set(&list, t, surface->triangles + 3 * (ptrdiff_t)t);
    ok = ok && tuples_sort(&list, surface->vertex_count);
    sheet_areas areas = {0, 0};
    for (int first = 0, end; ok && first < count; first = end) {
        end = tuples_run_end(&list, first);
        judge_run(surface, list.order + first, end - first, fate, &areas);
    }
    if (ok) keep_chosen(surface, fate, areas.two_sided > 0.5 * areas.all ? TWO_SIDED : STAYS);
    tuples_free(&list);
    mem_free(fate);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}
