#include "plan/piece.h"
#include <string.h>

bool piece_create(const plan_source* s, int most_nodes, piece* t)
{
    size_t nodes = (size_t)most_nodes, most_corners = nodes * ELEMENT_PARTICLES;
    size_t particles = (size_t)s->particle_count;
    *t = (piece){.s = s,
                 .p = {.offset = (int*)mem_array(nodes + 1, sizeof(int)),
                       .row = (int*)mem_array(most_corners, sizeof(int)),
                       .color = (int*)mem_array(nodes, sizeof(int)),
                       .copy = (int*)mem_array(2 * most_corners, sizeof(int))},
                 .row_of = (int*)mem_array(particles, sizeof(int)),
                 .sorted = (int*)mem_array(nodes, sizeof(int))};
    if (!t->p.offset || !t->p.row || !t->p.color || !t->p.copy || !t->row_of || !t->sorted)
        return false;
    memset(t->row_of, 0xff, particles * sizeof(int));
    return true;
}

void piece_destroy(piece* t)
{
    mem_free(t->p.offset);
    mem_free(t->p.row);
    mem_free(t->p.color);
    mem_free(t->p.copy);
    mem_free(t->row_of);
    mem_free(t->sorted);
}

int piece_take(piece* t, const int* node, int count)
{
    placement* p = &t->p;
    int *times = p->copy, most = 0; // of each row, for now
    t->node = node;
    p->node_count = count;
    p->row_count = 0;
    p->offset[0] = 0;
    for (int n = 0; n < count; ++n) {
        const int *first = t->s->offset + node[n], *particle = t->s->particle + first[0];
        int corners = first[1] - first[0];
        p->offset[n + 1] = p->offset[n] + corners;
        for (int i = 0; i < corners; ++i) {
            int* row = &t->row_of[particle[i]];
            if (*row < 0) {
                times[p->row_count] = 0;
                *row = p->row_count++;
            }
            if (++times[*row] > most) most = times[*row];
            p->row[p->offset[n] + i] = *row;
        }
    }
    memset(p->copy, 0, (size_t)p->row_count * sizeof(int));
    return most;
}

void piece_forget(piece* t)
{
    for (int n = 0; n < t->p.node_count; ++n) {
        const int* first = t->s->offset + t->node[n];
        for (int c = first[0]; c < first[1]; ++c) t->row_of[t->s->particle[c]] = -1;
    }
}

bool piece_graph(const piece* t, graph* out)
{
    const placement* p = &t->p;
    bool good = graph_create(p->node_count, p->row_count, p->offset, p->row, out);
    out->watch = t->watch;
    return good;
}

void piece_read_copies(const piece* t, int* out_corner_copy)
{
    const placement* p = &t->p;
    for (int n = 0; n < p->node_count; ++n)
        for (int c = p->offset[n]; c < p->offset[n + 1]; ++c)
            out_corner_copy[t->s->offset[t->node[n]] + c - p->offset[n]] = p->copy[p->row[c]];
}

// ---- recipe by recipe ---------------------------------------------------------------------------

const int* piece_sort(piece* t, const int* node, int count)
{
    enum { RECIPES = 256 };
    int start[RECIPES + 1] = {0};
    for (int n = 0; n < count; ++n) start[t->s->recipe[node[n]] + 1]++;
    for (int r = 0; r < RECIPES; ++r) start[r + 1] += start[r];
    for (int n = 0; n < count; ++n) t->sorted[start[t->s->recipe[node[n]]]++] = node[n];
    return t->sorted;
}

int piece_run_end(const piece* t, const int* node, int first, int count)
{
    const unsigned char* of = t->s->recipe;
    int end = first + 1;
    while (end < count && of[node[end]] == of[node[first]]) ++end;
    return end;
}
