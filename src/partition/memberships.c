#include "partition/memberships.h"

row* rows_find(const rows* r, int particle, int patch)
{
    row* first = r->row + r->list[particle].first;
    for (int i = 0; i < r->list[particle].count; ++i)
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
    row_list* list = &r->list[particle];
    r->row[list->first + list->count++] = (row){patch, 1};
    r->particle_count[patch] += list->width;
}

static void leave(rows* r, int particle, int patch)
{
    row* found = rows_find(r, particle, patch);
    if (--found->count > 0) return;
    row_list* list = &r->list[particle];
    *found = r->row[list->first + --list->count];
    r->particle_count[patch] -= list->width;
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
        r->node_count[r->patch[j]] += r->l->weight[j];
        r->particle_count[r->patch[j]] += r->l->inner[j];
    }
    for (int p = 0; p < g->particle_count; ++p) {
        r->list[p] = (row_list){.first = g->node_offset[p], .width = r->l->width[p]};
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k)
            enter(r, p, r->patch[g->node[k]]);
    }
}

bool rows_create(const level* l, int* patch, int patch_count, rows* out)
{
    const graph* g = &l->g;
    *out = (rows){.l = l, .g = g, .patch = patch};
    out->row = mem_array((size_t)g->offset[g->node_count], sizeof *out->row);
    out->list = mem_array((size_t)g->particle_count, sizeof *out->list);
    out->node_count = mem_array_zero((size_t)patch_count, sizeof *out->node_count);
    out->particle_count = mem_array_zero((size_t)patch_count, sizeof *out->particle_count);
    if (out->row && out->list && out->node_count && out->particle_count) {
        fill(out);
        return true;
    }
    rows_destroy(out);
    return false;
}

void rows_destroy(rows* r)
{
    mem_free(r->row);
    mem_free(r->list);
    mem_free(r->node_count);
    mem_free(r->particle_count);
    *r = (rows){0};
}

// ---- sizes alone --------------------------------------------------------------------------------

void patch_sizes_destroy(patch_sizes* s)
{
    mem_free(s->nodes);
    mem_free(s->particles);
    *s = (patch_sizes){0};
}

// `last` is zero for each patch.
static void count_sizes(const level* l, const int* patch, int* last, patch_sizes* out)
{
    const graph* g = &l->g;
    for (int j = 0; j < g->node_count; ++j) {
        out->nodes[patch[j]] += l->weight[j];
        out->particles[patch[j]] += l->inner[j];
    }
    for (int p = 0; p < g->particle_count; ++p)
        for (int k = g->node_offset[p]; k < g->node_offset[p + 1]; ++k) {
            int at = patch[g->node[k]];
            if (last[at] <= p) out->particles[at] += l->width[p];
            last[at] = p + 1;
        }
}

bool patch_sizes_create(const level* l, const int* patch, int patch_count, patch_sizes* out)
{
    size_t patches = (size_t)patch_count;
    int* last = mem_array_zero(patches, sizeof *last);
    *out = (patch_sizes){.nodes = mem_array_zero(patches, sizeof *out->nodes),
                         .particles = mem_array_zero(patches, sizeof *out->particles)};
    bool done = last && out->nodes && out->particles;
    if (done)
        count_sizes(l, patch, last, out);
    else
        patch_sizes_destroy(out);
    mem_free(last);
    return done;
}
