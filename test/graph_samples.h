// Graphs for the tests, and the checks that every coloring and clustering must pass.
#pragma once
#include "base/random.h"
#include "graph/graph.h"

#include "check.h" // last: cmocka has a macro fail

static inline int* sample_ints(int count)
{
    int* values = mem_array((size_t)count, sizeof *values);
    assert_non_null(values);
    return values;
}

// Nodes of `size` particles each.
static inline graph sample_of_elements(int node_count, int particle_count, int size,
                                       const int* element)
{
    int* offset = sample_ints(node_count + 1);
    for (int i = 0; i <= node_count; ++i) offset[i] = size * i;
    graph g;
    assert_true(graph_create(node_count, particle_count, offset, element, &g));
    mem_free(offset);
    return g;
}

// Tets of a cell by its corners x + 2 y + 4 z. Five: four corners cut off, mirrored in x in every
// other cell. Six: around the diagonal from corner 0 to 7, the same in every cell.
static const int sample_five[5][4] = {
    {0, 1, 2, 4}, {3, 1, 7, 2}, {5, 1, 4, 7}, {6, 2, 7, 4}, {1, 2, 4, 7}};
static const int sample_six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                     {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

// A box of nx * ny * nz cells, x fastest. out_cell (may be NULL) has the cell of each tet.
static inline graph sample_box(const int cells[3], int tets_per_cell, int* out_cell)
{
    int nx = cells[0], ny = cells[1], nz = cells[2], tets = nx * ny * nz * tets_per_cell;
    int* element = sample_ints(4 * tets);
    for (int t = 0; t < tets; ++t) {
        int cell = t / tets_per_cell, at = t % tets_per_cell;
        int i = cell % nx, j = cell / nx % ny, k = cell / nx / ny;
        bool mirror = tets_per_cell == 5 && ((i + j + k) & 1);
        for (int c = 0; c < 4; ++c) {
            int corner = tets_per_cell == 5 ? sample_five[at][c] : sample_six[at][c];
            int x = (corner & 1) ^ (mirror ? 1 : 0), y = corner >> 1 & 1, z = corner >> 2;
            element[4 * t + c] = i + x + (nx + 1) * (j + y + (ny + 1) * (k + z));
        }
        if (out_cell) out_cell[t] = cell;
    }
    graph g = sample_of_elements(tets, (nx + 1) * (ny + 1) * (nz + 1), 4, element);
    mem_free(element);
    return g;
}

// Nodes with 0 to `most` random particles, repeats included.
static inline graph sample_random(int node_count, int particle_count, int most, uint64_t seed)
{
    random_source r = {seed};
    int* offset = sample_ints(node_count + 1);
    int* particle = sample_ints(node_count * most);
    offset[0] = 0;
    for (int j = 0; j < node_count; ++j) {
        offset[j + 1] = offset[j] + random_index(&r, most + 1);
        for (int i = offset[j]; i < offset[j + 1]; ++i)
            particle[i] = random_index(&r, particle_count);
    }
    graph g;
    assert_true(graph_create(node_count, particle_count, offset, particle, &g));
    mem_free(particle);
    mem_free(offset);
    return g;
}

// `count` nodes that meet in particle 0; each has a particle of its own as well.
static inline graph sample_star(int count)
{
    int* element = sample_ints(2 * count);
    for (int j = 0; j < count; ++j) {
        element[2 * j] = j + 1;
        element[2 * j + 1] = 0;
    }
    graph g = sample_of_elements(count, count + 1, 2, element);
    mem_free(element);
    return g;
}

// Separate chains: node j of a chain has the particles j and j + 1 of that chain.
static inline graph sample_chains(int chain_count, int length)
{
    int* element = sample_ints(2 * chain_count * length);
    for (int j = 0; j < chain_count * length; ++j) {
        element[2 * j] = j + j / length;
        element[2 * j + 1] = element[2 * j] + 1;
    }
    graph g = sample_of_elements(chain_count * length, chain_count * (length + 1), 2, element);
    mem_free(element);
    return g;
}

enum { SAMPLE_COUNT = 12 };

// All kinds of graphs, by number.
static inline graph sample(int number)
{
    switch (number) {
    case 0:
        return sample_random(0, 0, 1, 1);
    case 1:
        return sample_random(0, 5, 1, 1);
    case 2:
        return sample_chains(1, 1);
    case 3:
        return sample_random(50, 10, 0, 1); // nodes without particles
    case 4:
        return sample_chains(300, 7);
    case 5:
        return sample_star(700);
    case 6:
        return sample_random(2000, 20000, 4, 11);
    case 7:
        return sample_random(2000, 2000, 4, 12);
    case 8:
        return sample_random(2000, 300, 4, 13);
    case 9:
        return sample_random(400, 20, 9, 14);
    case 10:
        return sample_box((int[3]){9, 5, 4}, 5, NULL);
    default:
        return sample_box((int[3]){6, 6, 5}, 6, NULL);
    }
}

// No two nodes of a color share a particle, every color below `count` is used, and there are at
// least as many as the clique.
static inline void check_coloring(const graph* g, const int* color, int count)
{
    int* last = sample_ints(count); // of each color, the last particle that had it
    int* size = sample_ints(count);
    for (int c = 0; c < count; ++c) {
        last[c] = -1;
        size[c] = 0;
    }
    for (int j = 0; j < g->node_count; ++j) {
        assert_in_range(color[j], 0, count - 1);
        size[color[j]]++;
    }
    for (int c = 0; c < count; ++c)
        if (size[c] == 0) fail_msg("color %d of %d has no node", c, count);
    for (int p = 0; p < g->particle_count; ++p)
        for (int i = g->node_offset[p]; i < g->node_offset[p + 1]; ++i) {
            int c = color[g->node[i]];
            if (last[c] == p) fail_msg("two nodes of color %d at particle %d", c, p);
            last[c] = p;
        }
    if (count < graph_clique(g)) fail_msg("%d colors, clique %d", count, graph_clique(g));
    mem_free(size);
    mem_free(last);
}
