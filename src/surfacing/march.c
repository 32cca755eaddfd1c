// From which nodes are inside to vertices and triangles.
#include "surfacing/blocks.h"
#include <string.h>

enum { OWN = (1 << BLOCK_CELLS) - 1 }; // bits of the nodes whose edges are the block's

bool block_look(const block_fields* from, surface_block* out)
{
    const float level = (float)LEVEL, *node = from->node[0];
    unsigned any = 0, all = 0xffff;
    for (int z = 0; z < BLOCK_NODES; ++z)
        for (int y = 0; y < BLOCK_NODES; ++y, node += BLOCK_NODES) {
            unsigned bits = 0;
            for (int x = 0; x < BLOCK_NODES; ++x) bits |= (unsigned)(node[x] > level) << x;
            out->inside[z][y] = (uint16_t)bits;
            any |= bits;
            all &= bits;
        }
    return any && all != 0xffff;
}

// Edges of a row of nodes that are cut: a bit for the lower end of each.
static unsigned cuts_of(const surface_block* b, int axis, int y, int z)
{
    unsigned here = b->inside[z][y];
    unsigned next = axis == 0 ? here >> 1 : axis == 1 ? b->inside[z][y + 1] : b->inside[z + 1][y];
    return (here ^ next) & OWN;
}

static int count_bits(unsigned bits) { return __builtin_popcount(bits); }

// Near the ends of an edge a vertex stays off them, so that no triangle is without area.
static float part_of(float from, float to)
{
    const float MARGIN = 0.01f;
    float part = ((float)LEVEL - from) / (to - from);
    return part < MARGIN ? MARGIN : part > 1 - MARGIN ? 1 - MARGIN : part;
}

static pliant_vec3 speed_at(const block_fields* from, int node, int other, float part)
{
    float value[FIELDS];
    for (int f = 0; f < FIELDS; ++f)
        value[f] = from->node[f][node] + part * (from->node[f][other] - from->node[f][node]);
    return (pliant_vec3){value[1] / value[0], value[2] / value[0], value[3] / value[0]};
}

static void cut_row(const block_fields* from, bool with_speed, int axis, int y, int z,
                    surface_block* b, block_cuts* out)
{
    static const int step[3] = {1, BLOCK_NODES, BLOCK_NODES * BLOCK_NODES};
    b->before[z][y][axis] = (uint16_t)b->vertices;
    for (unsigned bits = cuts_of(b, axis, y, z); bits; bits &= bits - 1) {
        int x = __builtin_ctz(bits), node = x + BLOCK_NODES * (y + BLOCK_NODES * z);
        float part = part_of(from->node[0][node], from->node[0][node + step[axis]]);
        if (with_speed) out->speed[b->vertices] = speed_at(from, node, node + step[axis], part);
        out->place[b->vertices++] = (block_cut_place){
            {(unsigned char)x, (unsigned char)y, (unsigned char)z}, (unsigned char)axis, part};
    }
}

// Cells of a row whose corners are not all alike, and the corners of one.
static unsigned mixed_cells(const surface_block* b, int y, int z)
{
    unsigned any =
        b->inside[z][y] | b->inside[z][y + 1] | b->inside[z + 1][y] | b->inside[z + 1][y + 1];
    unsigned all =
        b->inside[z][y] & b->inside[z][y + 1] & b->inside[z + 1][y] & b->inside[z + 1][y + 1];
    return (any | any >> 1) & ~(all & all >> 1) & OWN;
}

static int code_of(const surface_block* b, int x, int y, int z)
{
    return (int)((b->inside[z][y] >> x & 3) | (b->inside[z][y + 1] >> x & 3) << 2 |
                 (b->inside[z + 1][y] >> x & 3) << 4 | (b->inside[z + 1][y + 1] >> x & 3) << 6);
}

void block_cut(const block_fields* from, bool with_speed, const cell_cases* cases, surface_block* b,
               block_cuts* out)
{
    for (int z = 0; z < BLOCK_CELLS; ++z)
        for (int y = 0; y < BLOCK_CELLS; ++y) {
            for (int axis = 0; axis < 3; ++axis) cut_row(from, with_speed, axis, y, z, b, out);
            for (unsigned bits = mixed_cells(b, y, z); bits; bits &= bits - 1)
                b->triangles += cases->count[code_of(b, __builtin_ctz(bits), y, z)];
        }
}

// ---- triangles ----------------------------------------------------------------------------------

typedef struct {
    const block_list* b;
    const cell_cases* cases;
    int* triangle;
} connecting;

// The blocks at and behind one, by a bit for each axis; NULL where there is no surface.
static void find_around(const block_list* b, const surface_block* own, const surface_block* out[8])
{
    out[0] = own;
    for (int side = 1; side < 8; ++side) {
        uint64_t key = own->key + (uint64_t)(side & 1) +
                       (uint64_t)b->across[0] * ((uint64_t)(side >> 1 & 1) +
                                                 (uint64_t)b->across[1] * (uint64_t)(side >> 2));
        int low = (int)(own - b->surface), high = b->surface_count;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (b->surface[middle].key < key)
                low = middle + 1;
            else
                high = middle;
        }
        out[side] = low < b->surface_count && b->surface[low].key == key ? &b->surface[low] : NULL;
    }
}

// The vertex on an edge of a cell, in the block that owns it.
static int vertex_on(const surface_block* const around[8], int x, int y, int z, int edge)
{
    int axis = cell_edge_axis(edge), corner = cell_edge_corner(edge), side;
    x += corner & 1, y += corner >> 1 & 1, z += corner >> 2;
    side = (x == BLOCK_CELLS) | (y == BLOCK_CELLS) << 1 | (z == BLOCK_CELLS) << 2;
    x %= BLOCK_CELLS, y %= BLOCK_CELLS, z %= BLOCK_CELLS;
    const surface_block* b = around[side];
    unsigned below = cuts_of(b, axis, y, z) & ((1u << x) - 1);
    return b->first_vertex + b->before[z][y][axis] + count_bits(below);
}

static void connect_block(int index, void* argument)
{
    const connecting* c = (const connecting*)argument;
    const surface_block *b = &c->b->surface[index], *around[8];
    int* to = c->triangle + 3 * (ptrdiff_t)b->first_triangle;
    find_around(c->b, b, around);
    for (int z = 0; z < BLOCK_CELLS; ++z)
        for (int y = 0; y < BLOCK_CELLS; ++y)
            for (unsigned bits = mixed_cells(b, y, z); bits; bits &= bits - 1) {
                int x = __builtin_ctz(bits), code = code_of(b, x, y, z);
                for (int i = 0; i < 3 * c->cases->count[code]; ++i)
                    *to++ = vertex_on(around, x, y, z, c->cases->edge[code][i]);
            }
}

void blocks_connect(const surfacing* s, const block_list* b, int* triangles)
{
    cell_cases cases;
    cell_cases_make(&cases);
    connecting c = {b, &cases, triangles};
    workers_run(s->threads, connect_block, &c, b->surface_count);
}
