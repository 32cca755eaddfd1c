#include "graph/rows.h"

row* rows_find(const rows* r, int particle, int patch)
{
    row* first = r->row + r->g->node_offset[particle];
    for (int i = 0; i < r->row_count[particle]; ++i)
        if (first[i].patch == patch) return first + i;
    return NULL;
}

static void enter(rows* r, int particle, int patch)
{
    row* found = rows_find(r, particle, patch);
    if (found) {
        found->count++;
        return;
    }
    r->row[r->g->node_offset[particle] + r->row_count[particle]++] = (row){patch, 1};
    r->particle_count[patch] += r->l->width[particle];
}

static void leave(rows* r, int particle, int patch)
{
    row* found = rows_find(r, particle, patch);
    if (--found->count > 0) return;
    *found = r->row[r->g->node_offset[particle] + --r->row_count[particle]];
    r->particle_count[patch] -= r->l->width[particle];
}

void rows_move(rows* r, int node, int to)
{
    const graph* g = r->g;
    int from = r->patch[node];
    r->patch[node] = to;
    r->node_count[from] -= r->l->weight[node];
    r->node_count[to] += r->l->weight[node];
    r->particle_count[from] -= r->l->inner[node];
    r->particle_count[to] += r->l->inner[node];
    // Leaving first keeps the rows of a particle below the number of its nodes.
    for (int i = g->offset[node]; i < g->offset[node + 1]; ++i) {
        leave(r, g->particle[i], from);
        enter(r, g->particle[i], to);
    }
}

static void fill(rows* r)
{
    const graph* g = r->g;
    for (int j = 0; j < g->node_count; ++j) {
        if (r->patch[j] < 0) continue;
        r->node_count[r->patch[j]] += r->l->weight[j];
        r->particle_count[r->patch[j]] += r->l->inner[j];
    }
    for (int p = 0; p < g->particle_count; ++p)
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k)
            if (r->patch[g->node[k]] >= 0) enter(r, p, r->patch[g->node[k]]);
}

bool rows_create(const level* l, int* patch, int patch_count, rows* out)
{
    const graph* g = &l->g;
    *out = (rows){.l = l, .g = g, .patch = patch};
    out->row = mem_array((size_t)g->offset[g->node_count], sizeof *out->row);
    out->row_count = mem_array_zero((size_t)g->particle_count, sizeof *out->row_count);
    out->node_count = mem_array_zero((size_t)patch_count, sizeof *out->node_count);
    out->particle_count = mem_array_zero((size_t)patch_count, sizeof *out->particle_count);
    if (out->row && out->row_count && out->node_count && out->particle_count) {
        fill(out);
        return true;
    }
    rows_destroy(out);
    return false;
}

void rows_destroy(rows* r)
{
    mem_free(r->row);
    mem_free(r->row_count);
    mem_free(r->node_count);
    mem_free(r->particle_count);
    *r = (rows){0};
}
