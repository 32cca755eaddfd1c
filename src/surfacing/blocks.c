#include "surfacing/blocks.h"
#include "base/platform.h"
#include "mesh/limit.h"
#include <math.h>
#include <stdatomic.h>
#include <string.h>

extern const field_kernels field_1, field_4;
#ifdef PLIANT_X86
extern const field_kernels field_8_avx2, field_16_avx512;
#endif

const field_kernels* field_kernels_for(int lanes)
{
#ifdef PLIANT_X86
    if (lanes == 16 && platform_lanes() >= 16) return &field_16_avx512;
    if (lanes >= 8 && platform_lanes() >= 8) return &field_8_avx2;
#endif
    return lanes >= 4 ? &field_4 : &field_1;
}

// ---- which -------------------------------------------------------------------------------------

enum { BINS_AT_ONCE = 4096, SEEN = 256 };

typedef struct {
    uint64_t* key;
    int count, capacity;
    bool failed;
} key_list;

typedef struct {
    const surfacing* s;
    block_list* out;
    key_list* list; // of each piece
} block_search;

static double reach_of(const surfacing* s) { return SUPPORT * s->radius / s->cell; }

// Blocks along an axis that have nodes within reach of a bin.
static void range_of(const surfacing* s, int64_t bin, int64_t out[2])
{
    double low = (double)(bin * s->bins.width) - reach_of(s);
    double high = (double)((bin + 1) * s->bins.width) + reach_of(s);
    out[0] = (int64_t)ceil(low / BLOCK_CELLS - 1);
    out[1] = (int64_t)floor(high / BLOCK_CELLS);
}

// Keys that were there a moment ago are left out.
static void add_key(key_list* list, uint64_t seen[SEEN], uint64_t key)
{
    uint64_t* slot = &seen[(key * 0x9e3779b97f4a7c15u) >> 56];
    if (*slot == key + 1) return;
    *slot = key + 1;
    list->failed = list->failed || !mem_reserve((void**)&list->key, &list->capacity,
                                                (int64_t)list->count + 1, sizeof *list->key);
    if (!list->failed) list->key[list->count++] = key;
}

static void find_blocks(int piece, void* argument)
{
    const block_search* f = (const block_search*)argument;
    const bin_list* bins = &f->s->bins;
    const block_list* b = f->out;
    uint64_t seen[SEEN] = {0};
    int begin = piece * BINS_AT_ONCE;
    int end = begin + BINS_AT_ONCE < bins->count ? begin + BINS_AT_ONCE : bins->count;
    for (int bin = begin; bin < end; ++bin) {
        int64_t at[3], range[3][2];
        bin_place(bins, bins->key[bin], at);
        for (int k = 0; k < 3; ++k) range_of(f->s, at[k], range[k]);
        for (int64_t z = range[2][0]; z <= range[2][1]; ++z)
            for (int64_t y = range[1][0]; y <= range[1][1]; ++y)
                for (int64_t x = range[0][0]; x <= range[0][1]; ++x)
                    add_key(&f->list[piece], seen,
                            (uint64_t)(x - b->low[0] +
                                       b->across[0] *
                                           (y - b->low[1] + b->across[1] * (z - b->low[2]))));
    }
}

static void measure_blocks(const surfacing* s, block_list* out)
{
    for (int k = 0; k < 3; ++k) {
        int64_t first[2], last[2];
        range_of(s, s->bins.low[k], first);
        range_of(s, s->bins.low[k] + s->bins.across[k] - 1, last);
        out->low[k] = first[0];
        out->across[k] = last[1] - first[0] + 1;
    }
}

static bool join_lists(const key_list* list, int pieces, block_list* out)
{
    int64_t sum = 0;
    for (int i = 0; i < pieces; ++i) {
        if (list[i].failed) return fail_memory(sizeof(uint64_t)) == PLIANT_OK;
        sum += list[i].count;
    }
    if (!mem_reserve((void**)&out->key, &out->capacity, sum, sizeof *out->key)) return false;
    for (int i = 0; i < pieces; ++i) {
        if (list[i].count)
            memcpy(out->key + out->count, list[i].key, (size_t)list[i].count * sizeof *out->key);
        out->count += list[i].count;
    }
    out->count = sort_unique(out->key, out->count);
    return out->count >= 0;
}

bool blocks_find(const surfacing* s, block_list* out)
{
    int pieces = (s->bins.count + BINS_AT_ONCE - 1) / BINS_AT_ONCE;
    measure_blocks(s, out);
    block_search f = {s, out, (key_list*)mem_array_zero((size_t)pieces, sizeof(key_list))};
    bool good = f.list != NULL;
    if (good) workers_run(s->threads, find_blocks, &f, pieces);
    good = good && join_lists(f.list, pieces, out);
    for (int i = 0; f.list && i < pieces; ++i) mem_free(f.list[i].key);
    mem_free(f.list);
    return good;
}

void blocks_release(block_list* b)
{
    mem_free(b->key);
    mem_free(b->surface);
    mem_free(b->vertex);
    mem_free(b->speed);
}

// ---- what is in them ---------------------------------------------------------------------------

enum { BLOCKS_AT_ONCE = 128 };

// A block while it is looked at.
typedef struct {
    block_particle* particle;
    int count, capacity;
    block_cuts cuts;
    surface_block found;
    bool failed;
} block_work;

typedef struct {
    const surfacing* s;
    block_list* b;
    const field_kernels* run;
    const cell_cases* cases;
    block_work* work;
    int first; // of the blocks at hand
} sampling;

// What a particle is to a block, if it reaches one of its nodes.
static bool sees(const surfacing* s, int i, const float bin[3], block_particle* out)
{
    float square = 0;
    out->tight = s->tight[i];
    out->share = s->share[i];
    for (int k = 0; k < 3; ++k) {
        out->bin[k] = bin[k];
        out->place[k] = s->place[k][i];
        out->speed[k] = s->speed[k] ? s->speed[k][i] : 0;
        float at = bin[k] + out->place[k], off = at < 0             ? at
                                                 : at > BLOCK_CELLS ? at - BLOCK_CELLS
                                                                    : 0;
        square += off * off;
    }
    return square * out->tight < 1.0001f;
}

static bool collect_row(const surfacing* s, const int64_t corner[3], int begin, int end,
                        block_work* w)
{
    const bin_list* b = &s->bins;
    int particles = b->start[end] - b->start[begin];
    if (!mem_reserve((void**)&w->particle, &w->capacity, (int64_t)w->count + particles,
                     sizeof *w->particle))
        return false;
    for (int bin = begin; bin < end; ++bin) {
        int64_t at[3];
        float from[3];
        bin_place(b, b->key[bin], at);
        for (int k = 0; k < 3; ++k) from[k] = (float)(at[k] * b->width - corner[k]);
        for (int i = b->start[bin]; i < b->start[bin + 1]; ++i)
            w->count += sees(s, i, from, &w->particle[w->count]);
    }
    return true;
}

static int64_t floor_of(double a) { return (int64_t)floor(a); }

// Particles that reach the block with that lowest corner [cells], in the order of their bins.
static bool collect(const surfacing* s, const int64_t corner[3], block_work* w)
{
    double reach = reach_of(s), width = s->bins.width;
    int64_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = floor_of(((double)corner[k] - reach) / width);
        high[k] = floor_of(((double)corner[k] + BLOCK_CELLS + reach) / width);
    }
    w->count = 0;
    for (int64_t z = low[2]; z <= high[2]; ++z)
        for (int64_t y = low[1]; y <= high[1]; ++y) {
            int begin, end;
            if (bins_row(&s->bins, low[0], high[0], y, z, &begin, &end) &&
                !collect_row(s, corner, begin, end, w))
                return false;
        }
    return true;
}

static void sample_block(int index, void* argument)
{
    const sampling* c = (const sampling*)argument;
    const surfacing* s = c->s;
    block_work* w = &c->work[index];
    block_fields fields;
    int64_t corner[3];
    bool all = s->speed[0] != NULL;
    w->found.key = c->b->key[c->first + index];
    w->found.vertices = w->found.triangles = 0;
    block_place(c->b, w->found.key, corner);
    for (int k = 0; k < 3; ++k) corner[k] *= BLOCK_CELLS;
    w->failed = !collect(s, corner, w);
    if (w->failed || w->count == 0) return;
    memset(fields.node, 0, (all ? FIELDS : 1) * sizeof fields.node[0]);
    c->run->add(w->particle, w->count, all, &fields);
    if (block_look(&fields, &w->found)) block_cut(&fields, all, c->cases, &w->found, &w->cuts);
}

typedef struct {
    const surfacing* s;
    const block_list* b;
    const block_work* work;
} keeping;

static void keep_vertices(int index, void* argument)
{
    const keeping* c = (const keeping*)argument;
    const block_work* w = &c->work[index];
    int64_t corner[3];
    block_place(c->b, w->found.key, corner);
    for (int i = 0; i < w->found.vertices; ++i) {
        const block_cut_place* cut = &w->cuts.place[i];
        ptrdiff_t to = w->found.first_vertex + i;
        for (int k = 0; k < 3; ++k)
            c->b->vertex[3 * to + k] = ((double)(BLOCK_CELLS * corner[k] + cut->node[k]) +
                                        (k == cut->axis ? cut->part : 0)) *
                                       c->s->cell;
        if (c->b->speed) c->b->speed[to] = w->cuts.speed[i];
    }
}

static pliant_result reserve(const surfacing* s, block_list* b, int64_t vertices)
{
    if (vertices > ELEMENT_LIMIT || b->triangle_count > ELEMENT_LIMIT)
        return fail(PLIANT_ERROR_ARGUMENT,
                    "surface: cells of %g m give more than %d vertices: use larger cells", s->cell,
                    (int)ELEMENT_LIMIT);
    bool good =
        mem_reserve((void**)&b->vertex, &b->vertex_capacity, vertices, 3 * sizeof(double)) &&
        (!s->speed[0] ||
         mem_reserve((void**)&b->speed, &b->speed_capacity, vertices, sizeof *b->speed));
    return good ? PLIANT_OK : PLIANT_ERROR_MEMORY;
}

// Gives the blocks that were looked at their numbers, and keeps those with a surface.
static pliant_result keep(const sampling* c, int count)
{
    block_list* b = c->b;
    int64_t vertices = b->vertex_count;
    for (int i = 0; i < count; ++i) {
        surface_block* found = &c->work[i].found;
        if (c->work[i].failed) return fail_memory(sizeof(block_particle)); // told by another thread
        if (!found->vertices && !found->triangles) continue;
        if (!mem_reserve((void**)&b->surface, &b->surface_capacity, (int64_t)b->surface_count + 1,
                         sizeof *b->surface))
            return PLIANT_ERROR_MEMORY;
        found->first_vertex = (int)vertices;
        found->first_triangle = b->triangle_count;
        vertices += found->vertices;
        b->triangle_count += found->triangles;
        b->surface[b->surface_count++] = *found;
    }
    pliant_result result = reserve(c->s, b, vertices);
    if (result) return result;
    b->vertex_count = (int)vertices;
    keeping k = {c->s, b, c->work};
    workers_run(c->s->threads, keep_vertices, &k, count);
    return PLIANT_OK;
}

pliant_result blocks_sample(const surfacing* s, block_list* b)
{
    cell_cases cases;
    cell_cases_make(&cases);
    sampling c = {.s = s, .b = b, .run = field_kernels_for(16), .cases = &cases};
    c.work = (block_work*)mem_array(BLOCKS_AT_ONCE, sizeof *c.work);
    for (int i = 0; c.work && i < BLOCKS_AT_ONCE; ++i)
        c.work[i].particle = NULL, c.work[i].capacity = 0;
    pliant_result result = c.work ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (c.first = 0; c.first < b->count && !result; c.first += BLOCKS_AT_ONCE) {
        int count = b->count - c.first < BLOCKS_AT_ONCE ? b->count - c.first : BLOCKS_AT_ONCE;
        workers_run(s->threads, sample_block, &c, count);
        result = keep(&c, count);
        if (!result && !watcher_share(s->watch, (double)c.first / b->count))
            result = PLIANT_ERROR_CANCELED;
    }
    for (int i = 0; c.work && i < BLOCKS_AT_ONCE; ++i) mem_free(c.work[i].particle);
    mem_free(c.work);
    return result;
}
