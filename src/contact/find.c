// Near pairs, by trees of boxes. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "contact/finding.h"
#include "contact/near.h"

// ---- how far a body goes ------------------------------------------------------------------------

static void mean_increment(const contact_body* b, double out[3])
{
    double sum[3] = {0, 0, 0};
    int count = b->surface->point_count;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) sum[k] += (double)row_at_point(b, i)[ROW_D + k];
    for (int k = 0; k < 3; ++k) out[k] = sum[k] / count;
}

static void look(contact_set* s, int number)
{
    contact_body* b = &s->body[number];
    double most = 0;
    memset(b->mean, 0, sizeof b->mean);
    b->self_way = 0;
    b->frozen = b->run && *b->run->failed;
    if (b->frozen || b->still) return;
    mean_increment(b, b->mean);
    for (int i = 0; i < b->surface->point_count; ++i) {
        const scalar* d = row_at_point(b, i) + ROW_D;
        double square = 0;
        for (int k = 0; k < 3; ++k)
            square += ((double)d[k] - b->mean[k]) * ((double)d[k] - b->mean[k]);
        most = square > most ? square : most;
        if (!(square < INFINITY)) b->frozen = true;
    }
    b->self_way = sqrt(most);
}

// ---- lists --------------------------------------------------------------------------------------

static void fit(contact_set* s, int number)
{
    contact_body* b = &s->body[number];
    const contact_surface* of = b->surface;
    const node_box* root = (const node_box*)b->box;
    for (int leaf = 0; leaf < of->leaf_count; ++leaf) fit_leaf(b, leaf);
    for (int i = of->leaf_count - 2; i >= 0; --i) fit_node(b, i);
    for (int k = 0; k < 3; ++k) {
        b->low[k] = (double)root->low[k];
        b->high[k] = (double)root->high[k];
    }
}

static void list(const contact_set* s, const partner_list* partners, find_chunk* chunk)
{
    element_sink out = {(element_pair*)chunk->elements, 0, chunk->element_capacity};
    for (int i = chunk->first; i < chunk->last; ++i)
        for (int k = partners->start[chunk->body]; k < partners->start[chunk->body + 1]; ++k) {
            int other = partners->other[k];
            search(s, &out, chunk->body, other, i, other == chunk->body ? i + 1 : 0);
        }
    chunk->element_count = out.count;
}

static void pair(const contact_set* s, find_chunk* chunk)
{
    pair_sink out = {chunk->pair, (pair_state*)chunk->state, 0, chunk->pair_room};
    near_elements n = {.s = s, .out = &out};
    element_pair* elements = (element_pair*)chunk->elements;
    for (int i = 0; i < chunk->element_count; ++i) pair_if_near(&n, chunk->body, &elements[i]);
    chunk->pair_count = out.count;
}

static int cross(const contact_set* s, const find_chunk* chunk, int other)
{
    const element_pair* elements = (const element_pair*)chunk->elements;
    int count = 0;
    for (int i = 0; i < chunk->element_count; ++i)
        if (other < 0 || elements[i].other == other)
            count += near_elements_cross(s, chunk->body, &elements[i]);
    return count;
}

extern const finding_kernels KERNELS;
const finding_kernels KERNELS = {
    sizeof(node_box), sizeof(element_pair), sizeof(pair_state), look, fit, list, pair, cross};
