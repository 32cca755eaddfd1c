// Frequencies of a mesh at rest. The highest ones by power iteration on M^-1 K, matrix-free. K is
// split into the energy of shear, mu V |dev e|^2, and of volume, (lambda_s / 2 + mu / 3) V tr(e)^2,
// since the formulations treat the two differently.
#include "asset/asset.h"
#include "base/random.h"
#include "constraint/types.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double b[4][3];       // gradients of the shape functions [1/m]
    double shear, volume; // stiffness times V [Pa m^3]
} stiffness;

static void find_stiffness(const pliant_asset* a, int tet, stiffness* out)
{
    element e;
    double shape[MAX_FIELDS];
    asset_describe(a, tet, &e);
    type_infos[TYPE_deviatoric].rest(&e, shape); // b1 to b3 come first
    for (int k = 0; k < 3; ++k) {
        out->b[0][k] = 0;
        for (int i = 1; i < 4; ++i) {
            out->b[i][k] = shape[3 * (i - 1) + k];
            out->b[0][k] -= out->b[i][k];
        }
    }
    // An incompressible material has no finite frequency: its volume is implicit in every form.
    double lambda = e.volume_compliance > 0 ? 1 / e.volume_compliance - e.mu : 0;
    out->shear = 2 * e.mu * e.volume;
    out->volume = (lambda + 2 * e.mu / 3) * e.volume;
}

// The stiffness that each corner of a part's rows feels at rest, |gradient|^2 / compliance [N/m];
// false where there is none. What has no direction at rest, like a flat hinge, has one beside it.
static bool row_stiffness(const pliant_asset* a, int number, double out[ELEMENT_PARTICLES])
{
    body_part p = asset_part(a, number);
    if (!asset_has_rows(a, p.kind) ||
        a->def.research.stiffness_mode == PLIANT_STIFFNESS_MODE_CLASSIC)
        return false;
    const type_info* type = &type_infos[asset_row_type(a, p.kind)];
    element e;
    double field[MAX_FIELDS], sum = 0;
    row_state row[MAX_BLOCK_ROWS];
    asset_describe(a, number, &e);
    type->rest(&e, field);
    type->eval(field, e.rest, row);
    for (int r = 0; r < type->rows; ++r)
        if (!(row[r].compliance > 0)) return false;
    for (int beside = 0; beside < 2 && sum == 0; ++beside) {
        for (int i = 0; i < type->particles; ++i) {
            out[i] = 0;
            for (int r = 0; r < type->rows; ++r) {
                const double* g = row[r].grad[i];
                out[i] += (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / row[r].compliance;
            }
            sum += out[i];
        }
        for (int k = 0; k < 3; ++k) e.rest[0][k] += 1e-3 * (e.rest[1][k] - e.rest[0][k]);
        type->eval(field, e.rest, row);
    }
    return sum > 0;
}

// y += K x for one tet, with its part of K.
static void add_forces(const stiffness* s, const int* tet, bool shear, const double* x, double* y)
{
    double g[3][3] = {{0}}, stress[3][3];
    for (int i = 0; i < 4; ++i)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) g[r][c] += x[3 * tet[i] + r] * s->b[i][c];
    double trace = g[0][0] + g[1][1] + g[2][2];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            double strain = (g[r][c] + g[c][r]) / 2;
            stress[r][c] = shear ? s->shear * (strain - (r == c ? trace / 3 : 0))
                                 : (r == c ? s->volume * trace : 0);
        }
    for (int i = 0; i < 4; ++i)
        for (int r = 0; r < 3; ++r)
            y[3 * tet[i] + r] +=
                stress[r][0] * s->b[i][0] + stress[r][1] * s->b[i][1] + stress[r][2] * s->b[i][2];
}

// Those of shear come first. Below 0: who watches has ended it.
static double power_iteration(const pliant_asset* a, const stiffness* s, bool shear, double* x,
                              double* y, watcher* watch)
{
    enum { ITERATIONS = 40 };
    size_t n = 3 * (size_t)a->mesh->vertex_count;
    random_source random = {1};
    double square = 0;
    for (size_t i = 0; i < n; ++i) x[i] = random_range(&random, -1, 1);
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
        double energy = 0, norm = 0;
        if (!watcher_share(watch, (iteration + (shear ? 0.0 : ITERATIONS)) / (2 * ITERATIONS)))
            return -1;
        memset(y, 0, n * sizeof(double));
        for (int t = 0; t < a->mesh->tet_count; ++t)
            add_forces(&s[t], a->mesh->tets + 4 * (size_t)t, shear, x, y);
        for (size_t i = 0; i < n; ++i) {
            energy += x[i] * y[i];
            norm += a->mass[i / 3] * x[i] * x[i];
            x[i] = y[i] / a->mass[i / 3];
        }
        square = energy / norm;
        double scale = 0;
        for (size_t i = 0; i < n; ++i)
            if (fabs(x[i]) > scale) scale = fabs(x[i]);
        for (size_t i = 0; i < n && scale > 0; ++i) x[i] /= scale;
    }
    return square > 0 ? sqrt(square) : 0;
}

// The highest frequency of rows: omega^2 <= 2 sum of k_i / m_i, the bound of each with its share of
// the masses. Volumes apart from the others.
static double row_frequency(const pliant_asset* a, bool volumes)
{
    double highest = 0, k[ELEMENT_PARTICLES];
    for (int i = 0; i < asset_part_count(a); ++i) {
        body_part p = asset_part(a, i);
        if ((p.kind == PART_TET) != volumes || !row_stiffness(a, i, k)) continue;
        double sum = 0;
        for (int c = 0; c < part_corners[p.kind]; ++c) sum += k[c] / a->mass[p.corner[c]];
        highest = fmax(highest, 2 * sum);
    }
    return sqrt(highest);
}

// That of rods, likewise: of a particle that everything pulls at once.
static double rod_frequency(const pliant_asset* a, double* square)
{
    double highest = 0;
    memset(square, 0, (size_t)a->mesh->vertex_count * sizeof(double));
    rods_add_stiffness(&a->rods, square);
    for (int v = 0; v < a->mesh->vertex_count; ++v)
        highest = fmax(highest, 2 * square[v] / a->mass[v]);
    return sqrt(highest);
}

static int compare_numbers(const void* left, const void* right)
{
    double a = *(const double*)left, b = *(const double*)right;
    return a < b ? -1 : a > b;
}

// What the particles of a mesh feel: omega_i^2 is the mean diagonal stiffness of particle i over
// its mass, shear by mu V |b_i|^2 (4/3 + 2) of each tet, and all rows but those of volumes. The
// highest frequency of a graded mesh belongs to a few slivers that hold no energy; 19 of 20
// particles lie below this one.
static double typical_frequency(const pliant_asset* a, const stiffness* s, double* square)
{
    const pliant_mesh* m = a->mesh;
    int tet_count = asset_has_rows(a, PART_TET) ? 0 : m->tet_count;
    size_t count = (size_t)m->vertex_count;
    memset(square, 0, count * sizeof(double));
    for (int t = 0; t < tet_count; ++t)
        for (int i = 0; i < 4; ++i) {
            const double* b = s[t].b[i];
            double b2 = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
            square[m->tets[4 * (size_t)t + (size_t)i]] += s[t].shear * b2 * 5 / 3;
        }
    for (int i = m->tet_count; i < asset_part_count(a); ++i) {
        body_part p = asset_part(a, i);
        double k[ELEMENT_PARTICLES];
        if (!row_stiffness(a, i, k)) continue;
        for (int c = 0; c < part_corners[p.kind]; ++c) square[p.corner[c]] += k[c];
    }
    rods_add_stiffness(&a->rods, square);
    for (size_t i = 0; i < count; ++i) square[i] /= 3 * a->mass[i];
    qsort(square, count, sizeof(double), compare_numbers);
    return sqrt(square[(count - 1) * 19 / 20]);
}

bool asset_find_frequencies(pliant_asset* a, watcher* watch)
{
    size_t n = 3 * (size_t)a->mesh->vertex_count;
    if (a->def.rigid) return true; // it has none
    int tet_count = asset_has_rows(a, PART_TET) ? 0 : a->mesh->tet_count;
    stiffness* s = (stiffness*)mem_array((size_t)tet_count, sizeof *s);
    double *x = (double*)mem_array(n, sizeof(double)), *y = (double*)mem_array(n, sizeof(double));
    bool good = s && x && y;
    if (good) {
        for (int t = 0; t < tet_count; ++t) find_stiffness(a, t, &s[t]);
        a->shear_frequency = fmax(row_frequency(a, false), rod_frequency(a, x));
        a->volume_frequency = row_frequency(a, true);
        if (tet_count) {
            a->shear_frequency = fmax(a->shear_frequency, power_iteration(a, s, true, x, y, watch));
            a->volume_frequency = power_iteration(a, s, false, x, y, watch);
            good = a->volume_frequency >= 0;
        }
        a->typical_frequency = typical_frequency(a, s, x);
    }
    mem_free(s);
    mem_free(x);
    mem_free(y);
    return good;
}
