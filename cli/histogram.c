#include "histogram.h"
#include "mesh/face.h"
#include "mesh/shape.h"
#include "mesh/tuple.h"

enum { MOST_BINS = 20, BAR = 40 };

typedef struct {
    const double* limit; // bins + 1, ascending: what is outside goes to the first or last bin
    int bins;
    double count[MOST_BINS];
} histogram;

static void add(histogram* h, double value)
{
    int bin = 0;
    while (bin < h->bins - 1 && value >= h->limit[bin + 1]) bin++;
    h->count[bin]++;
}

// Every bin that has something gets a mark, at least.
static void draw_bar(double share, char out[BAR + 1])
{
    int length = (int)(share * BAR + 0.5);
    if (share > 0 && length == 0) length = 1;
    for (int i = 0; i < BAR; ++i) out[i] = i < length ? '#' : 0;
    out[BAR] = 0;
}

static void report(facts* r, const char* key, const histogram* h, int decimals)
{
    enum { COLUMNS = 4 };
    const column columns[COLUMNS] = {{"from", COLUMN_NUMBER, 11, decimals},
                                     {"to", COLUMN_NUMBER, 11, decimals},
                                     {"count", COLUMN_INT, 9, 0},
                                     {key, COLUMN_TEXT, 0, 0}};
    cell cells[MOST_BINS * COLUMNS];
    char bars[MOST_BINS][BAR + 1];
    double most = 1;
    for (int i = 0; i < h->bins; ++i) most = fmax(most, h->count[i]);
    for (int i = 0; i < h->bins; ++i) {
        draw_bar(h->count[i] / most, bars[i]);
        cells[COLUMNS * i + 0].number = h->limit[i];
        cells[COLUMNS * i + 1].number = h->limit[i + 1];
        cells[COLUMNS * i + 2].number = h->count[i];
        cells[COLUMNS * i + 3].text = r->root ? NULL : bars[i];
    }
    facts_rows(r, key, columns, COLUMNS, cells, h->bins);
}

// ---- angles -------------------------------------------------------------------------------------

static void add_angles(histogram* h, const double* vertices, const int tet[4])
{
    point normal[4];
    for (int f = 0; f < 4; ++f) {
        int corner[3];
        read_tet_face(tet, f, corner);
        normal[f] = triangle_area_vector(vertices, corner);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            point across = point_cross(normal[i], normal[j]);
            double sine = sqrt(point_dot(across, across)),
                   cosine = -point_dot(normal[i], normal[j]);
            add(h, atan2(sine, cosine) * (180 / 3.14159265358979323846));
        }
}

static void report_angles(facts* r, const pliant_mesh_arrays* a)
{
    static const double limit[] = {0,   1,   5,   10,  20,  40,  60,  80,
                                   100, 120, 140, 160, 170, 175, 179, 180};
    histogram h = {.limit = limit, .bins = sizeof limit / sizeof limit[0] - 1};
    for (int t = 0; t < a->tet_count; ++t) add_angles(&h, a->vertices, a->tets + 4 * (size_t)t);
    report(r, "dihedral_angles", &h, 0);
}

// ---- lengths and valences -----------------------------------------------------------------------

typedef struct {
    const int* corner;
    int count, arity;
} elements;

static elements main_elements(const pliant_mesh_arrays* a)
{
    const elements tets = {a->tets, a->tet_count, 4};
    const elements triangles = {a->triangles, a->triangle_count, 3};
    const elements edges = {a->edges, a->edge_count, 2};
    return tets.count ? tets : triangles.count ? triangles : edges;
}

static pliant_result report_lengths(facts* r, const pliant_mesh_arrays* a, elements e, double mean)
{
    static const double limit[] = {0, 0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 5, 10};
    histogram h = {.limit = limit, .bins = sizeof limit / sizeof limit[0] - 1};
    tuple_list edges;
    int next = 0;
    bool ok = tuples_allocate(&edges, 2, e.count * (e.arity * (e.arity - 1) / 2));
    for (int i = 0; ok && i < e.count; ++i)
        for (int k = 0; k < e.arity; ++k)
            for (int l = k + 1; l < e.arity; ++l) {
                const int* corner = e.corner + (size_t)i * (size_t)e.arity;
                tuples_set(&edges, next++, (const int[2]){corner[k], corner[l]});
            }
    ok = ok && tuples_sort(&edges, a->vertex_count);
    for (int first = 0; ok && first < edges.count; first = tuples_run_end(&edges, first)) {
        const int* ends = edges.item + 2 * (size_t)edges.order[first];
        add(&h, sqrt(squared_distance(a->vertices, ends[0], ends[1])) / mean);
    }
    tuples_free(&edges);
    if (ok) report(r, "edge_lengths_over_mean", &h, 2);
    return ok ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

static pliant_result report_valences(facts* r, const pliant_mesh_arrays* a, elements e)
{
    static const double limit[] = {0, 4, 8, 16, 24, 32, 40, 60, 100, 200, 1000};
    histogram h = {.limit = limit, .bins = sizeof limit / sizeof limit[0] - 1};
    int* valence = (int*)mem_array_zero((size_t)a->vertex_count, sizeof(int));
    if (!valence) return PLIANT_ERROR_MEMORY;
    for (size_t i = 0; i < (size_t)e.count * (size_t)e.arity; ++i) valence[e.corner[i]]++;
    for (int v = 0; v < a->vertex_count; ++v)
        if (valence[v]) add(&h, valence[v]);
    mem_free(valence);
    report(r, "valences", &h, 0);
    return PLIANT_OK;
}

pliant_result report_histograms(facts* r, const pliant_mesh* mesh, double mean_edge)
{
    pliant_mesh_arrays a = pliant_mesh_view(mesh);
    elements e = main_elements(&a);
    if (e.count == 0 || !(mean_edge > 0)) return PLIANT_OK;
    if (a.tet_count) report_angles(r, &a);
    pliant_result result = report_lengths(r, &a, e, mean_edge);
    return result ? result : report_valences(r, &a, e);
}
