#include "solver/enclosure.h"
#include <string.h>

// ---- memory -------------------------------------------------------------------------------------

static void fill_pairs(const int* triangles, int triangle_count, enclosure* e)
{
    for (int i = 0; i < 3 * triangle_count; ++i) e->start[triangles[i]]++;
    for (int v = 0; v < e->particle_count; ++v) e->start[v + 1] += e->start[v];
    for (int t = triangle_count - 1; t >= 0; --t)
        for (int i = 2; i >= 0; --i) {
            const int* corner = triangles + 3 * (size_t)t;
            int* pair = e->pair + 2 * (size_t)--e->start[corner[i]];
            pair[0] = corner[(i + 1) % 3];
            pair[1] = corner[(i + 2) % 3];
        }
}

bool enclosure_create(const int* triangles, int triangle_count, int particle_count, enclosure* out)
{
    *out = (enclosure){.particle_count = particle_count,
                       .start = (int*)mem_array_zero((size_t)particle_count + 1, sizeof(int)),
                       .pair = (int*)mem_array(6 * (size_t)triangle_count, sizeof(int))};
    if (!out->start || !out->pair) return false;
    fill_pairs(triangles, triangle_count, out);
    return true;
}

void enclosure_destroy(enclosure* e)
{
    mem_free(e->start);
    mem_free(e->pair);
    memset(e, 0, sizeof *e);
}

int enclosure_piece_count(const enclosure* e)
{
    return (e->particle_count + ENCLOSURE_PIECE - 1) / ENCLOSURE_PIECE;
}

bool enclosure_sums_create(const enclosure* e, enclosure_sums* out)
{
    *out = (enclosure_sums){
        .grad = (double*)mem_array_zero(3 * (size_t)e->particle_count, sizeof(double)),
        .sum =
            (enclosed_sum*)mem_array_zero((size_t)enclosure_piece_count(e), sizeof(enclosed_sum))};
    return out->grad && out->sum;
}

void enclosure_sums_destroy(enclosure_sums* s)
{
    mem_free(s->grad);
    mem_free(s->sum);
    memset(s, 0, sizeof *s);
}

// ---- numbers ------------------------------------------------------------------------------------

enclosed_rules enclosure_rules(const enclosure* e, double h)
{
    return (enclosed_rules){e->wanted, e->compliance / (h * h)};
}

// A particle seen from the first one, with all its digits.
static void read_place(const state* s, int particle, double out[3])
{
    double origin[3];
    state_read_position(s, 0, origin);
    state_read_position(s, particle, out);
    for (int k = 0; k < 3; ++k) out[k] -= origin[k];
}

// Each triangle is seen from its three corners.
double enclosure_volume(const enclosure* e, const state* s)
{
    double sum = 0;
    for (int i = 0; i < e->particle_count; ++i) {
        double x[3], a[3], b[3];
        read_place(s, i, x);
        for (int p = e->start[i]; p < e->start[i + 1]; ++p) {
            read_place(s, e->pair[2 * (size_t)p], a);
            read_place(s, e->pair[2 * (size_t)p + 1], b);
            double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
            sum += (x[0] * cross[0] + x[1] * cross[1] + x[2] * cross[2]) / 6;
        }
    }
    return sum / 3;
}
