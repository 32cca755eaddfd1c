#define PRECISION_DOUBLE
#include "tetra/lattice.h"
#include "base/keyset.h"
#include "base/sort.h"
#include "geometry/morton.h"
#include "tetra/thin.h"
#include <stdatomic.h>

const int lattice_step[NEIGHBORS][3] = {
    {2, 0, 0},  {0, 2, 0},  {0, 0, 2},  {1, 1, 1},    {1, 1, -1},  {1, -1, 1},  {1, -1, -1},
    {-2, 0, 0}, {0, -2, 0}, {0, 0, -2}, {-1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {-1, 1, 1},
};

void lattice_coordinates(uint64_t key, int out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = (int)morton_gather(key >> k);
}

vec3 lattice_place(const lattice* l, const int at[3])
{
    return v3_add_scaled(l->origin, l->half, v3(at[0], at[1], at[2]));
}

// The key of a neighbor, or UINT64_MAX beyond the ends of the coordinates.
static uint64_t neighbor_key(uint64_t key, int neighbor)
{
    int at[3];
    lattice_coordinates(key, at);
    for (int k = 0; k < 3; ++k) {
        at[k] += lattice_step[neighbor][k];
        if (at[k] < 0 || at[k] >= 1 << MORTON_BITS) return UINT64_MAX;
    }
    return morton_key((uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
}

// ---- keys and values ----------------------------------------------------------------------------

// Eight corners and the center of every cell.
static bool list_vertices(lattice* l, const key_list* cells)
{
    uint64_t* key = (uint64_t*)mem_array(9 * (size_t)cells->count, sizeof *key);
    int count = 0;
    for (int c = 0; key && c < cells->count; ++c) {
        uint64_t center = cells->key[c] << 3 | 7;
        key[count++] = center;
        for (int k = 0; k < NEIGHBORS; ++k)
            if (!is_long_edge(k)) key[count++] = neighbor_key(center, k);
    }
    l->key = key;
    l->count = key ? sort_unique(key, count) : 0;
    return key && l->count >= 0;
}

typedef struct {
    const lattice* lattice;
    const uint64_t* key;
    float* value;
    int count;
    _Atomic bool overlaps;
} evaluation;

static void evaluate_piece(int piece, void* argument)
{
    evaluation* e = (evaluation*)argument;
    double cell = 2 * e->lattice->half, winding;
    for (int v = piece * PIECE; v < piece_end(piece, e->count); ++v) {
        int at[3];
        lattice_coordinates(e->key[v], at);
        vec3 point = lattice_place(e->lattice, at);
        double distance = solid_distance(e->lattice->solid, point, 1.05 * cell, &winding);
        e->value[v] = (float)(distance / cell);
        if (winding > 1.5) atomic_store_explicit(&e->overlaps, true, memory_order_relaxed);
    }
}

static void evaluate(lattice* l, const uint64_t* key, float* value, int count)
{
    evaluation e = {l, key, value, count, l->overlaps};
    workers_run(l->threads, evaluate_piece, &e, piece_count(count));
    l->overlaps = atomic_load(&e.overlaps);
}

// ---- neighbors ----------------------------------------------------------------------------------

typedef struct {
    lattice* lattice;
    const keyset* keys;
} connection;

static void connect_piece(int piece, void* argument)
{
    const connection* c = (const connection*)argument;
    lattice* l = c->lattice;
    for (int v = piece * PIECE; v < piece_end(piece, l->count); ++v)
        for (int k = 0; k < NEIGHBORS; ++k) {
            uint64_t key = neighbor_key(l->key[v], k);
            l->neighbor[v][k] = key == UINT64_MAX ? -1 : keyset_find(c->keys, &key);
        }
}

static bool connect(lattice* l)
{
    keyset keys;
    mem_free(l->neighbor);
    l->neighbor = (int(*)[NEIGHBORS])mem_array((size_t)l->count, sizeof *l->neighbor);
    if (!l->neighbor || !keyset_create(&keys, sizeof *l->key, l->count)) return false;
    for (int v = 0; v < l->count; ++v) keyset_add(&keys, &l->key[v]);
    connection c = {l, &keys};
    workers_run(l->threads, connect_piece, &c, piece_count(l->count));
    keyset_destroy(&keys);
    return true;
}

// ---- growth -------------------------------------------------------------------------------------

// Keys of the neighbors that inner vertices lack, and those that may become inner ones.
static bool list_missing(const lattice* l, key_list* out)
{
    for (int v = 0; v < l->count; ++v) {
        if (!(l->value[v] < 0) && !l->thin[v]) continue;
        for (int k = 0; k < NEIGHBORS; ++k) {
            if (l->neighbor[v][k] >= 0) continue;
            uint64_t key = neighbor_key(l->key[v], k);
            if (key == UINT64_MAX) continue;
            if (!mem_reserve((void**)&out->key, &out->capacity, out->count + 1, sizeof key))
                return false;
            out->key[out->count++] = key;
        }
    }
    if (out->count) out->count = sort_unique(out->key, out->count);
    return out->count >= 0;
}

static bool mark_thin(lattice* l, const key_list* thin)
{
    mem_free(l->thin);
    l->thin = (unsigned char*)mem_array_zero((size_t)l->count, 1);
    if (!l->thin) return false;
    for (int v = 0, i = 0; i < thin->count && v < l->count;) {
        if (l->key[v] == thin->key[i]) l->thin[v] = THIN_MIDDLE;
        l->key[v] < thin->key[i] ? ++v : ++i;
    }
    return true;
}

// Merges new keys, which are in order too, into the lattice.
static bool add_vertices(lattice* l, const uint64_t* key, int count)
{
    size_t all = (size_t)l->count + (size_t)count;
    uint64_t* merged = (uint64_t*)mem_array(all, sizeof *merged);
    float* value = (float*)mem_array(all, sizeof *value);
    float* added = (float*)mem_array((size_t)count, sizeof *added);
    bool ok = merged && value && added;
    if (ok) evaluate(l, key, added, count);
    for (int i = 0, j = 0; ok && i + j < (int)all;) {
        bool old = j == count || (i < l->count && l->key[i] < key[j]);
        merged[i + j] = old ? l->key[i] : key[j];
        value[i + j] = old ? l->value[i] : added[j];
        old ? ++i : ++j;
    }
    mem_free(added);
    mem_free(ok ? l->key : merged);
    mem_free(ok ? (void*)l->value : value);
    if (ok) l->key = merged, l->value = value, l->count = (int)all;
    return ok;
}

// Every neighbor of an inner vertex has to be there, so that no tet is missing. Where the octree
// took a block in front of a hole for outside they are not.
static bool grow(lattice* l, const key_list* thin)
{
    for (;;) {
        key_list missing = {0};
        bool ok = connect(l) && mark_thin(l, thin) && list_missing(l, &missing);
        int count = missing.count;
        if (ok && count) ok = add_vertices(l, missing.key, count);
        mem_free(missing.key);
        if (!ok || count == 0) return ok;
    }
}

// ---- the lattice --------------------------------------------------------------------------------

// Two cells stay empty on every side of the solid, whose longest side is 1.
static pliant_result lay_out(lattice* l, double cell)
{
    double cells = ceil(1 / cell) + 4;
    if (!(cells <= 1 << (MORTON_BITS - 1)))
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the longest side would have %.3g cells, and %d is the most: use longer edges "
                    "or fewer tets",
                    cells, 1 << (MORTON_BITS - 1));
    l->half = cell / 2;
    while (1 << l->levels < (int)cells) ++l->levels;
    // Off the center, so that the planes of vertices enter a symmetric solid one by one and the
    // number of tets changes in small steps.
    double start = -cell * (double)(1 << l->levels) / 2;
    l->origin = v3(start + 0.137 * cell, start + 0.311 * cell, start + 0.461 * cell);
    return PLIANT_OK;
}

void lattice_unwarp(lattice* l)
{
    for (int v = 0; v < l->count; ++v) {
        int at[3];
        lattice_coordinates(l->key[v], at);
        l->place[v] = lattice_place(l, at);
        l->sign[v] = (signed char)((l->value[v] > 0) - (l->value[v] < 0));
    }
}

static bool place_vertices(lattice* l)
{
    size_t count = (size_t)l->count;
    l->place = (vec3*)mem_array(count, sizeof *l->place);
    l->sign = (signed char*)mem_array(count, 1);
    l->cut = (float(*)[FORWARD])mem_array(count, sizeof *l->cut);
    if (!l->place || !l->sign || !l->cut) return false;
    lattice_unwarp(l);
    return true;
}

static bool fill(lattice* l, const key_list* cells)
{
    if (!list_vertices(l, cells)) return false;
    l->value = (float*)mem_array((size_t)l->count, sizeof *l->value);
    if (!l->value) return false;
    evaluate(l, l->key, l->value, l->count);
    if (l->clears_plates) thin_clear_plates(l);
    key_list thin = {0};
    bool ok = grow(l, &thin) && thin_find(l, &thin);
    if (ok && thin.count) ok = grow(l, &thin);
    mem_free(thin.key);
    return ok && place_vertices(l);
}

pliant_result lattice_create(const solid* s, workers* threads, const lattice_options* o,
                             lattice* out)
{
    *out = (lattice){.solid = s,
                     .threads = threads,
                     .most_cells = o->most_cells,
                     .clears_plates = o->clear_plates};
    key_list cells = {0};
    pliant_result result = lay_out(out, o->cell);
    if (!result) result = lattice_find_cells(out, &cells);
    if (result) return result;
    if (!fill(out, &cells)) result = PLIANT_ERROR_MEMORY;
    mem_free(cells.key);
    if (result) lattice_destroy(out);
    return result;
}

void lattice_destroy(lattice* l)
{
    mem_free(l->key);
    mem_free(l->value);
    mem_free(l->place);
    mem_free(l->sign);
    mem_free(l->thin);
    mem_free(l->neighbor);
    mem_free(l->cut);
    *l = (lattice){0};
}
