#define PRECISION_DOUBLE
#include "tetra/coarse.h"
#include "geometry/morton.h"

// ---- levels -------------------------------------------------------------------------------------

static bool is_center(const lattice* l, int v) { return l->key[v] & 1; }

static uint64_t cell_of(const lattice* l, int center) { return l->key[center] >> 3; }

// Neither on the surface nor beside it, nor warped.
static bool is_deep(const lattice* l, int v)
{
    if (l->sign[v] >= 0) return false;
    for (int k = 0; k < NEIGHBORS; ++k)
        if (l->neighbor[v][k] < 0 || l->sign[l->neighbor[v][k]] >= 0) return false;
    return true;
}

static bool is_deep_cell(const lattice* l, int center)
{
    if (!is_deep(l, center)) return false;
    for (int k = 0; k < NEIGHBORS; ++k)
        if (!is_long_edge(k) && !is_deep(l, l->neighbor[center][k])) return false;
    return true;
}

// Blocks of one size that can be cells, ascending.
typedef keyset block_set;

static const uint64_t* block_keys(const block_set* s) { return (const uint64_t*)(void*)s->keys; }

static bool list_deep_cells(const lattice* l, block_set* out)
{
    int count = 0;
    for (int v = 0; v < l->count; ++v) count += is_center(l, v) && is_deep_cell(l, v);
    if (!keyset_create(out, sizeof(uint64_t), count)) return false;
    for (int v = 0; v < l->count; ++v) {
        if (!is_center(l, v) || !is_deep_cell(l, v)) continue;
        uint64_t cell = cell_of(l, v);
        keyset_add(out, &cell);
    }
    return true;
}

static bool has_block(const block_set* s, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0) return false;
    uint64_t key = morton_key((uint32_t)x, (uint32_t)y, (uint32_t)z);
    return keyset_find(s, &key) >= 0;
}

// All blocks of half the size in a block and around it.
static bool is_surrounded(const block_set* halves, uint64_t block)
{
    int at[3];
    lattice_coordinates(block, at);
    for (int i = 0; i < 64; ++i)
        if (!has_block(halves, 2 * at[0] - 1 + i % 4, 2 * at[1] - 1 + i / 4 % 4,
                       2 * at[2] - 1 + i / 16))
            return false;
    return true;
}

// Blocks twice as large. Those of two small cells have no need to be surrounded: cells near the
// surface are half as large as they are.
static bool list_doubles(const block_set* halves, bool surrounded, block_set* out)
{
    const uint64_t* half = block_keys(halves);
    if (!keyset_create(out, sizeof(uint64_t), halves->count / 8)) return false;
    for (int i = 0; i + 7 < halves->count; ++i) {
        uint64_t block = half[i] >> 3;
        bool whole = (half[i] & 7) == 0 && half[i + 7] >> 3 == block;
        if (whole && (!surrounded || is_surrounded(halves, block))) keyset_add(out, &block);
    }
    return true;
}

static void raise_levels(coarse* c, const block_set* blocks, int level)
{
    for (int v = 0; v < c->lattice->count; ++v) {
        if (!is_center(c->lattice, v)) continue;
        uint64_t block = cell_of(c->lattice, v) >> (3 * level);
        if (keyset_find(blocks, &block) >= 0) c->level[v] = (unsigned char)level;
    }
}

static bool find_levels(coarse* c, int levels)
{
    block_set blocks, doubles;
    if (!list_deep_cells(c->lattice, &blocks)) return false;
    bool ok = true;
    for (int level = 1; ok && level <= levels && blocks.count >= 8; ++level) {
        ok = list_doubles(&blocks, level > 1, &doubles);
        if (!ok) break;
        keyset_destroy(&blocks);
        blocks = doubles;
        raise_levels(c, &blocks, level);
    }
    keyset_destroy(&blocks);
    return ok;
}

bool coarse_create(const lattice* l, int levels, coarse* out)
{
    *out = (coarse){.lattice = l};
    out->level = (unsigned char*)mem_array_zero((size_t)l->count, 1);
    if (!out->level || !keyset_create(&out->keys, sizeof *l->key, l->count)) {
        coarse_destroy(out);
        return false;
    }
    for (int v = 0; v < l->count; ++v) keyset_add(&out->keys, &l->key[v]);
    if (find_levels(out, levels)) return true;
    coarse_destroy(out);
    return false;
}

void coarse_destroy(coarse* c)
{
    mem_free(c->level);
    keyset_destroy(&c->keys);
    *c = (coarse){0};
}

// ---- tets ---------------------------------------------------------------------------------------

typedef struct {
    int at[3]; // in half small cells
} spot;

// A large cell and one of its six faces.
typedef struct {
    const coarse* coarse;
    coarse_tet_fn* add;
    void* context;
    int first[3];            // small cell, coordinates in cells
    int size;                // small cells on a side
    int axis, across, along; // the face is across the first
    int side;                // -1 or 1
} large_face;

static int find_vertex(const coarse* c, spot s)
{
    uint64_t key = morton_key((uint32_t)s.at[0], (uint32_t)s.at[1], (uint32_t)s.at[2]);
    return keyset_find(&c->keys, &key);
}

static int level_at(const coarse* c, const int cell[3])
{
    spot center = {{2 * cell[0] + 1, 2 * cell[1] + 1, 2 * cell[2] + 1}};
    int v = find_vertex(c, center);
    return v < 0 ? 0 : c->level[v];
}

static int volume_sign(const spot s[4])
{
    int64_t e[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) e[i][k] = s[i + 1].at[k] - s[0].at[k];
    int64_t volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                     e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                     e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    return volume > 0 ? 1 : -1;
}

static bool add_tet(const large_face* f, spot a, spot b, spot c, spot d)
{
    spot s[4] = {a, b, c, d};
    int vertex[4];
    if (volume_sign(s) < 0) s[0] = b, s[1] = a;
    for (int i = 0; i < 4; ++i) vertex[i] = find_vertex(f->coarse, s[i]);
    return f->add(vertex, f->context);
}

// A point of the face: -1, 0 or 1 along each of its directions, from its middle. `rise` goes
// outward from the face, in half small cells.
static spot face_spot(const large_face* f, double across, double along, int rise)
{
    spot s;
    for (int k = 0; k < 3; ++k) s.at[k] = 2 * f->first[k] + f->size;
    s.at[f->axis] += f->side * (f->size + rise);
    s.at[f->across] += (int)(across * f->size);
    s.at[f->along] += (int)(along * f->size);
    return s;
}

// Whether a smaller cell beside the face's edge at (across, along), one of which is 0, has a vertex
// in its middle.
static bool edge_is_halved(const large_face* f, int across, int along)
{
    for (int beyond = 0; beyond < 2; ++beyond) {
        int cell[3] = {f->first[0], f->first[1], f->first[2]};
        int axis = across ? f->across : f->along, side = across ? across : along;
        cell[axis] += side > 0 ? f->size : -1;
        if (beyond) cell[f->axis] += f->side > 0 ? f->size : -1;
        if ((1 << level_at(f->coarse, cell)) < f->size) return true;
    }
    return false;
}

static const int ring[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};

static bool fill_toward_equal(const large_face* f)
{
    spot here = face_spot(f, 0, 0, -f->size), there = face_spot(f, 0, 0, f->size);
    bool ok = true;
    for (int i = 0; i < 4 && ok; ++i) {
        int across = (ring[i][0] + ring[i + 1][0]) / 2, along = (ring[i][1] + ring[i + 1][1]) / 2;
        spot from = face_spot(f, ring[i][0], ring[i][1], 0);
        spot to = face_spot(f, ring[i + 1][0], ring[i + 1][1], 0);
        spot middle = face_spot(f, across, along, 0);
        if (edge_is_halved(f, across, along))
            ok = add_tet(f, here, there, from, middle) && add_tet(f, here, there, middle, to);
        else
            ok = add_tet(f, here, there, from, to);
    }
    return ok;
}

static bool fill_toward_smaller(const large_face* f)
{
    spot here = face_spot(f, 0, 0, -f->size), middle = face_spot(f, 0, 0, 0);
    bool ok = true;
    for (int i = 0; i < 4 && ok; ++i) {
        int a = ring[i][0], b = ring[i][1];
        spot corner = face_spot(f, a, b, 0), there = face_spot(f, 0.5 * a, 0.5 * b, f->size / 2);
        for (int k = 0; k < 2 && ok; ++k) {
            spot half = k ? face_spot(f, a, 0, 0) : face_spot(f, 0, b, 0);
            ok = add_tet(f, here, middle, corner, half) && add_tet(f, there, middle, corner, half);
        }
    }
    return ok;
}

static bool fill_face(const large_face* f)
{
    int cell[3] = {f->first[0], f->first[1], f->first[2]};
    cell[f->axis] += f->side > 0 ? f->size : -1;
    int size = 1 << level_at(f->coarse, cell);
    if (size < f->size) return fill_toward_smaller(f);
    return size > f->size || f->side < 0 ? true : fill_toward_equal(f);
}

bool coarse_fill(const coarse* c, int center, coarse_tet_fn* add, void* context)
{
    int level = c->level[center];
    uint64_t cell = cell_of(c->lattice, center);
    if (level == 0 || cell & (((uint64_t)1 << (3 * level)) - 1)) return true;
    large_face f = {.coarse = c, .add = add, .context = context, .size = 1 << level};
    lattice_coordinates(cell, f.first);
    for (int i = 0; i < 6; ++i) {
        f.axis = i / 2, f.across = (f.axis + 1) % 3, f.along = (f.axis + 2) % 3;
        f.side = i % 2 ? 1 : -1;
        if (!fill_face(&f)) return false;
    }
    return true;
}
