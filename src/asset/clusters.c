#define PRECISION_DOUBLE
#include "asset/clusters.h"
#include "base/memory.h"
#include <limits.h>
#include <string.h>

// ---- a grid of centers --------------------------------------------------------------------------

typedef struct {
    double low[3], cell; // [m]
    int side[3];         // cells
    int* head;           // of each cell: its last center; -1: none
    int* next;           // of each center
    int* particle;       // of each center
    int count;
} center_grid;

static int cell_along(const center_grid* g, int axis, double x)
{
    double at = floor((x - g->low[axis]) / g->cell);
    return (int)fmin(fmax(at, 0), g->side[axis] - 1);
}

// No more cells than a few for each particle: where they are far apart, larger ones.
static void choose_cells(const cluster_source* s, double cell, center_grid* g)
{
    double high[3];
    for (int k = 0; k < 3; ++k) {
        g->low[k] = INFINITY, high[k] = -INFINITY;
        for (int i = 0; i < s->count; ++i) {
            g->low[k] = fmin(g->low[k], s->place[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], s->place[3 * (size_t)i + (size_t)k]);
        }
    }
    for (g->cell = cell;; g->cell *= 2) {
        double cells = 1;
        for (int k = 0; k < 3; ++k) cells *= floor((high[k] - g->low[k]) / g->cell) + 1;
        if (cells <= 8.0 * s->count + 64) break;
    }
    for (int k = 0; k < 3; ++k) g->side[k] = (int)floor((high[k] - g->low[k]) / g->cell) + 1;
}

static bool grid_create(const cluster_source* s, center_grid* g)
{
    *g = (center_grid){0};
    choose_cells(s, s->spacing, g);
    size_t cells = (size_t)g->side[0] * (size_t)g->side[1] * (size_t)g->side[2];
    g->head = (int*)mem_array(cells, sizeof(int));
    g->next = (int*)mem_array((size_t)s->count, sizeof(int));
    g->particle = (int*)mem_array((size_t)s->count, sizeof(int));
    for (size_t i = 0; g->head && i < cells; ++i) g->head[i] = -1;
    return g->head && g->next && g->particle;
}

static void grid_destroy(center_grid* g)
{
    mem_free(g->head);
    mem_free(g->next);
    mem_free(g->particle);
}

static double squared(const double* a, const double* b)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

// Numbers of the centers within `reach` of a place, ascending, into `out` if it is not NULL.
// Returns how many.
static int find_centers(const center_grid* g, const cluster_source* s, const double* x,
                        double reach, int* out)
{
    int low[3], high[3], count = 0;
    for (int k = 0; k < 3; ++k) {
        low[k] = cell_along(g, k, x[k] - reach);
        high[k] = cell_along(g, k, x[k] + reach);
    }
    for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
            for (int i = low[0]; i <= high[0]; ++i) {
                int c = g->head[((size_t)z * (size_t)g->side[1] + (size_t)y) * (size_t)g->side[0] +
                                (size_t)i];
                for (; c >= 0; c = g->next[c]) {
                    if (squared(x, s->place + 3 * (size_t)g->particle[c]) > reach * reach) continue;
                    int at = count++;
                    for (; out && at > 0 && out[at - 1] > c; --at) out[at] = out[at - 1];
                    if (out) out[at] = c;
                }
            }
    return count;
}

static void add_center(center_grid* g, const double* x, int particle)
{
    size_t cell = 0;
    for (int k = 2; k >= 0; --k) cell = cell * (size_t)g->side[k] + (size_t)cell_along(g, k, x[k]);
    g->particle[g->count] = particle;
    g->next[g->count] = g->head[cell];
    g->head[cell] = g->count++;
}

static void choose_centers(center_grid* g, const cluster_source* s)
{
    for (int i = 0; i < s->count; ++i) {
        const double* x = s->place + 3 * (size_t)i;
        if (find_centers(g, s, x, s->spacing, NULL) == 0) add_center(g, x, i);
    }
}

// ---- members ------------------------------------------------------------------------------------

static double reach_of(const cluster_source* s) { return s->size > 0 ? s->size : 1.5 * s->spacing; }

static bool reserve(cluster_set* c)
{
    size_t clusters = (size_t)c->count, members = (size_t)c->member_count;
    c->first = (int*)mem_array_zero(clusters + 1, sizeof(int));
    c->first_piece = (int*)mem_array_zero(clusters + 1, sizeof(int));
    c->particle = (int*)mem_array(members, sizeof(int));
    c->owner = (int*)mem_array(members, sizeof(int));
    c->weight = (double*)mem_array(members, sizeof(double));
    c->rest = (double*)mem_array(3 * members, sizeof(double));
    c->center = (double*)mem_array_zero(3 * clusters, sizeof(double));
    c->radius = (double*)mem_array_zero(clusters, sizeof(double));
    c->member = (int*)mem_array(members, sizeof(int));
    c->of = (int*)mem_array(members, sizeof(int));
    return c->first && c->first_piece && c->particle && c->owner && c->weight && c->rest &&
           c->center && c->radius && c->member && c->of;
}

// From the clusters of each particle: who is in each of them.
static void fill_members(const cluster_source* s, cluster_set* c)
{
    for (int i = 0; i < c->member_count; ++i) c->first[c->of[i] + 1]++;
    for (int i = 0; i < c->count; ++i) c->first[i + 1] += c->first[i];
    for (int i = 0; i < s->count; ++i)
        for (int k = c->start[i]; k < c->start[i + 1]; ++k) {
            int m = c->first[c->of[k]]++;
            c->member[k] = m;
            c->particle[m] = i;
            c->owner[m] = c->of[k];
            c->weight[m] = s->mass[i] / (c->start[i + 1] - c->start[i]);
        }
    for (int i = c->count; i > 0; --i) c->first[i] = c->first[i - 1];
    c->first[0] = 0;
}

static void measure_cluster(const cluster_source* s, cluster_set* c, int number)
{
    double sum = 0, *center = c->center + 3 * (size_t)number;
    const double* base = s->place + 3 * (size_t)c->particle[c->first[number]];
    for (int m = c->first[number]; m < c->first[number + 1]; ++m) {
        sum += c->weight[m];
        for (int k = 0; k < 3; ++k)
            center[k] +=
                c->weight[m] * (s->place[3 * (size_t)c->particle[m] + (size_t)k] - base[k]);
    }
    for (int k = 0; k < 3; ++k) center[k] = base[k] + center[k] / sum;
    for (int m = c->first[number]; m < c->first[number + 1]; ++m) {
        const double* x = s->place + 3 * (size_t)c->particle[m];
        for (int k = 0; k < 3; ++k) c->rest[3 * (size_t)m + (size_t)k] = x[k] - center[k];
        c->radius[number] = fmax(c->radius[number], sqrt(squared(x, center)));
    }
}

static bool cut_pieces(cluster_set* c)
{
    for (int i = 0; i < c->count; ++i)
        c->first_piece[i + 1] =
            c->first_piece[i] + (c->first[i + 1] - c->first[i] + MATCH_PIECE - 1) / MATCH_PIECE;
    c->piece_count = c->first_piece[c->count];
    c->piece_cluster = (int*)mem_array((size_t)c->piece_count, sizeof(int));
    for (int i = 0; c->piece_cluster && i < c->count; ++i)
        for (int k = c->first_piece[i]; k < c->first_piece[i + 1]; ++k) c->piece_cluster[k] = i;
    return c->piece_cluster != NULL;
}

static bool count_members(const cluster_source* s, const center_grid* g, cluster_set* c)
{
    int64_t members = 0;
    c->start = (int*)mem_array((size_t)s->count + 1, sizeof(int));
    if (!c->start) return false;
    for (int i = 0; i < s->count; ++i) {
        c->start[i] = (int)members;
        members += g ? find_centers(g, s, s->place + 3 * (size_t)i, reach_of(s), NULL) : 1;
        if (members > INT_MAX / 8) {
            fail(PLIANT_ERROR_UNSUPPORTED,
                 "particles are in too many clusters: about %lld of each; make the size of "
                 "clusters smaller or their spacing larger",
                 (long long)(members / (i + 1)));
            return false;
        }
    }
    c->start[s->count] = c->member_count = (int)members;
    return true;
}

static bool fill(const cluster_source* s, const center_grid* g, cluster_set* c)
{
    c->particle_count = s->count;
    c->count = g ? g->count : 1;
    if (!count_members(s, g, c) || !reserve(c)) return false;
    for (int i = 0; i < s->count; ++i)
        if (g)
            find_centers(g, s, s->place + 3 * (size_t)i, reach_of(s), c->of + c->start[i]);
        else
            c->of[i] = 0;
    fill_members(s, c);
    for (int i = 0; i < c->count; ++i) measure_cluster(s, c, i);
    return cut_pieces(c);
}

bool cluster_set_create(const cluster_source* source, cluster_set* out)
{
    center_grid g = {0};
    *out = (cluster_set){0};
    bool many = source->spacing > 0, good = !many || grid_create(source, &g);
    if (good && many) choose_centers(&g, source);
    good = good && fill(source, many ? &g : NULL, out);
    grid_destroy(&g);
    if (!good) cluster_set_destroy(out);
    return good;
}

void cluster_set_destroy(cluster_set* c)
{
    mem_free(c->first);
    mem_free(c->first_piece);
    mem_free(c->piece_cluster);
    mem_free(c->particle);
    mem_free(c->owner);
    mem_free(c->weight);
    mem_free(c->rest);
    mem_free(c->center);
    mem_free(c->radius);
    mem_free(c->start);
    mem_free(c->member);
    mem_free(c->of);
    memset(c, 0, sizeof *c);
}
