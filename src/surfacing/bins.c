#include "surfacing/surfacing.h"
#include <limits.h>
#include <math.h>

enum { PIECE = 1 << 15 }; // particles at a time

typedef struct {
    surfacing* s;
    uint64_t* key;
} binning;

static double grid_place(const surfacing* s, int i, int axis)
{
    return s->in->positions[3 * (ptrdiff_t)i + axis] / s->cell;
}

static int64_t bin_of(const surfacing* s, double place)
{
    return (int64_t)floor(place / s->bins.width);
}

static void find_keys(int piece, void* argument)
{
    const binning* b = (const binning*)argument;
    surfacing* s = b->s;
    const bin_list* bins = &s->bins;
    int begin = piece * PIECE, end = begin + PIECE < s->count ? begin + PIECE : s->count;
    for (int i = begin; i < end; ++i) {
        uint64_t at[3];
        for (int k = 0; k < 3; ++k)
            at[k] = (uint64_t)(bin_of(s, grid_place(s, i, k)) - bins->low[k]);
        b->key[i] = at[0] + (uint64_t)bins->across[0] * (at[1] + (uint64_t)bins->across[1] * at[2]);
        s->order[i] = i;
    }
}

static double radius_of(const surfacing* s, int i)
{
    return s->in->radii && !(s->def->radius > 0) ? s->in->radii[i] : s->radius;
}

// Particles in their order, each seen from its bin.
static void take_particles(int piece, void* argument)
{
    const binning* b = (const binning*)argument;
    surfacing* s = b->s;
    int begin = piece * PIECE, end = begin + PIECE < s->count ? begin + PIECE : s->count;
    for (int i = begin; i < end; ++i) {
        int from = s->order[i];
        double support = SUPPORT * radius_of(s, from) / s->cell;
        for (int k = 0; k < 3; ++k) {
            double place = grid_place(s, from, k);
            s->place[k][i] = (float)(place - (double)(bin_of(s, place) * s->bins.width));
        }
        s->tight[i] = (float)(1 / (support * support));
        if (!s->speed[0]) continue;
        const pliant_vec3* v = &s->in->velocities[from];
        s->speed[0][i] = v->x, s->speed[1][i] = v->y, s->speed[2][i] = v->z;
    }
}

static pliant_result measure(surfacing* s, const double low[3], const double high[3])
{
    bin_list* b = &s->bins;
    double keys = 1;
    for (int k = 0; k < 3; ++k) {
        double first = low[k] / s->cell, last = high[k] / s->cell;
        if (!(first > -(double)CELL_LIMIT && last < (double)CELL_LIMIT))
            return fail(PLIANT_ERROR_ARGUMENT,
                        "surface: particles at %g to %g m are more than 2^30 cells of %g m from "
                        "the origin: use larger cells, or move them nearer",
                        low[k], high[k], s->cell);
        b->low[k] = bin_of(s, first);
        b->across[k] = bin_of(s, last) - b->low[k] + 1;
        keys *= (double)b->across[k];
    }
    if (keys < 0x1p62) return PLIANT_OK;
    return fail(
        PLIANT_ERROR_ARGUMENT,
        "surface: particles are spread over %g x %g x %g m, too far for cells of %g m: leave "
        "out those far away, or use larger cells",
        high[0] - low[0], high[1] - low[1], high[2] - low[2], s->cell);
}

static bool list_bins(bin_list* b, const uint64_t* key, int count)
{
    for (int i = 0; i < count; ++i) b->count += i == 0 || key[i] != key[i - 1];
    b->key = (uint64_t*)mem_array((size_t)b->count, sizeof *b->key);
    b->start = (int*)mem_array((size_t)b->count + 1, sizeof *b->start);
    if (!b->key || !b->start) return false;
    for (int i = 0, at = 0; i < count; ++i)
        if (i == 0 || key[i] != key[i - 1]) b->key[at] = key[i], b->start[at++] = i;
    b->start[b->count] = count;
    return true;
}

// Too large a radius makes everyone a neighbor of everyone.
static pliant_result check_crowd(const surfacing* s)
{
    enum { CROWDED = 20000 };
    const bin_list* b = &s->bins;
    double sum = 0;
    for (int i = 0; i < b->count; ++i) {
        double here = b->start[i + 1] - b->start[i];
        sum += here * here;
    }
    double bin = b->width / (SUPPORT * s->radius / s->cell);
    double near = sum / s->count * 4.19 / (bin * bin * bin);
    if (near < CROWDED) return PLIANT_OK;
    return fail(PLIANT_ERROR_ARGUMENT,
                "surface: about %.3g particles are within %g m of each other, %g times the radius: "
                "the radius is too large for how near they are",
                near, SUPPORT * s->radius, SUPPORT);
}

static bool allocate(surfacing* s)
{
    float** const array[] = {&s->place[0], &s->place[1], &s->place[2], &s->tight, &s->share};
    size_t count = (size_t)s->count;
    bool good = true;
    for (int i = 0; i < 5; ++i)
        good = good && (*array[i] = (float*)mem_array(count, sizeof(float))) != NULL;
    for (int k = 0; k < 3 && s->in->velocities; ++k)
        good = good && (s->speed[k] = (float*)mem_array(count, sizeof(float))) != NULL;
    return good;
}

static void bounds(const surfacing* s, double low[3], double high[3])
{
    const double* x = s->in->positions;
    for (int k = 0; k < 3; ++k) low[k] = high[k] = x[k];
    for (ptrdiff_t i = 0; i < s->count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = x[3 * i + k] < low[k] ? x[3 * i + k] : low[k];
            high[k] = x[3 * i + k] > high[k] ? x[3 * i + k] : high[k];
        }
}

pliant_result bins_fill(surfacing* s)
{
    double low[3], high[3];
    int pieces = (s->count + PIECE - 1) / PIECE;
    s->bins.width = (int)ceil(SUPPORT * s->radius / s->cell);
    bounds(s, low, high);
    pliant_result result = measure(s, low, high);
    if (result) return result;
    binning b = {s, (uint64_t*)mem_array((size_t)s->count, sizeof(uint64_t))};
    s->order = (int*)mem_array((size_t)s->count, sizeof(int));
    bool good = b.key && s->order;
    if (good) workers_run(s->threads, find_keys, &b, pieces);
    good = good && sort_with_order_by(s->threads, b.key, s->order, s->count) &&
           list_bins(&s->bins, b.key, s->count);
    mem_free(b.key);
    if (!good) return PLIANT_ERROR_MEMORY;
    result = check_crowd(s);
    if (!result && !allocate(s)) result = PLIANT_ERROR_MEMORY;
    if (!result) workers_run(s->threads, take_particles, &b, pieces);
    return result;
}

void bins_release(surfacing* s)
{
    mem_free(s->bins.key);
    mem_free(s->bins.start);
    mem_free(s->order);
    mem_free(s->tight);
    mem_free(s->share);
    for (int k = 0; k < 3; ++k) mem_free(s->place[k]), mem_free(s->speed[k]);
}

int bins_seek(const bin_list* b, uint64_t key)
{
    int low = 0, high = b->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (b->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool bins_row(const bin_list* b, int64_t low, int64_t high, int64_t y, int64_t z, int* out_begin,
              int* out_end)
{
    int64_t first = low - b->low[0], last = high - b->low[0], row;
    y -= b->low[1], z -= b->low[2];
    if (y < 0 || z < 0 || y >= b->across[1] || z >= b->across[2]) return false;
    if (first < 0) first = 0;
    if (last >= b->across[0]) last = b->across[0] - 1;
    if (first > last) return false;
    row = b->across[0] * (y + b->across[1] * z);
    int at = bins_seek(b, (uint64_t)(row + first)), end = at;
    while (end < b->count && b->key[end] <= (uint64_t)(row + last)) end++;
    *out_begin = at;
    *out_end = end;
    return at < end;
}
