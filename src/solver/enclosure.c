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

static int piece_count(const enclosure* e)
{
    return (e->particle_count + ENCLOSURE_PIECE - 1) / ENCLOSURE_PIECE;
}

bool enclosure_sums_create(const enclosure* e, enclosure_sums* out)
{
    *out = (enclosure_sums){
        .grad = (double*)mem_array_zero(3 * (size_t)e->particle_count, sizeof(double)),
        .sum = (double*)mem_array_zero(2 * (size_t)piece_count(e), sizeof(double))};
    return out->grad && out->sum;
}

void enclosure_sums_destroy(enclosure_sums* s)
{
    mem_free(s->grad);
    mem_free(s->sum);
    memset(s, 0, sizeof *s);
}

// ---- reduce, solve, apply -----------------------------------------------------------------------

// A particle seen from the first one.
static void seen_place(const state* s, int particle, double out[3])
{
    const size_t at = (size_t)particle * ROW;
    for (size_t k = 0; k < 3; ++k)
        out[k] = state_get(s->row, at + k, s->scalar_bytes) -
                 state_get(s->row, k, s->scalar_bytes) +
                 (state_get(s->row, at + ROW_D + k, s->scalar_bytes) -
                  state_get(s->row, ROW_D + k, s->scalar_bytes));
}

// The same between steps, with all its digits.
static void read_place(const state* s, int particle, double out[3])
{
    double origin[3];
    state_read_position(s, 0, origin);
    state_read_position(s, particle, out);
    for (int k = 0; k < 3; ++k) out[k] -= origin[k];
}

typedef void place_fn(const state* s, int particle, double out[3]);

static void find_gradient(const enclosure* e, const state* s, place_fn* place, int particle,
                          double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = e->start[particle]; i < e->start[particle + 1]; ++i) {
        double a[3], b[3];
        place(s, e->pair[2 * (size_t)i], a);
        place(s, e->pair[2 * (size_t)i + 1], b);
        for (int k = 0; k < 3; ++k) {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            out[k] += (a[p] * b[q] - a[q] * b[p]) / 6;
        }
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void reduce_piece(const enclosure* e, const state* s, int first, int last,
                         enclosure_sums* out)
{
    double* sum = out->sum + 2 * (size_t)(first / ENCLOSURE_PIECE);
    sum[0] = sum[1] = 0;
    for (int i = first; i < last; ++i) {
        double *g = out->grad + 3 * (size_t)i, x[3];
        find_gradient(e, s, seen_place, i, g);
        seen_place(s, i, x);
        sum[0] += dot(x, g);
        sum[1] += state_get(s->row, (size_t)i * ROW + ROW_W, s->scalar_bytes) * dot(g, g);
    }
}

void enclosure_reduce(const enclosure* e, const state* s, int first, int last, enclosure_sums* out)
{
    for (int end; first < last; first = end) {
        end = first + ENCLOSURE_PIECE < last ? first + ENCLOSURE_PIECE : last;
        reduce_piece(e, s, first, end, out);
    }
}

double enclosure_solve(const enclosure* e, double h, bool first_iteration, enclosure_sums* sums)
{
    double volume = 0, pivot = 0, alpha = e->compliance / (h * h);
    if (first_iteration) sums->lambda = 0;
    for (int i = 0; i < piece_count(e); ++i) {
        volume += sums->sum[2 * (size_t)i] / 3;
        pivot += sums->sum[2 * (size_t)i + 1];
    }
    if (!(pivot + alpha > 0)) return 0;
    double change = -(volume - e->wanted + alpha * sums->lambda) / (pivot + alpha);
    sums->lambda += change;
    return change;
}

void enclosure_apply(const enclosure_sums* sums, double change, int first, int last, state* s)
{
    for (int i = first; i < last; ++i) {
        const size_t at = (size_t)i * ROW;
        double push = change * state_get(s->row, at + ROW_W, s->scalar_bytes);
        for (size_t k = 0; k < 3; ++k) {
            double d = state_get(s->row, at + ROW_D + k, s->scalar_bytes);
            state_set(s->row, at + ROW_D + k, d + push * sums->grad[3 * (size_t)i + k],
                      s->scalar_bytes);
        }
    }
}

double enclosure_volume(const enclosure* e, const state* s)
{
    double sum = 0;
    for (int i = 0; i < e->particle_count; ++i) {
        double g[3], x[3];
        find_gradient(e, s, read_place, i, g);
        read_place(s, i, x);
        sum += dot(x, g);
    }
    return sum / 3;
}
