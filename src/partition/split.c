#include "partition/split.h"
#include "graph/members.h"
#include "partition/bisect.h"

typedef struct {
    bisector b;
    patch_set* set;
    int* patch; // of each node
    int least_nodes;
} splitter;

// The second half gets a new number. Halves of an uneven number of parts keep their shares.
static bool split_patch(splitter* s, int patch, int* node, int node_count)
{
    struct patch_info whole = s->set->patch[patch], rest = whole;
    if (whole.parts < 2 || node_count < 2 || node_count < s->least_nodes) return true;
    int half = whole.parts / 2, added = s->set->count;
    int left = bisect(&s->b, half, whole.parts, node, node_count);
    rest.home += half;
    rest.parts -= half;
    if (left < 0 || !patch_set_append(s->set, rest)) return false;
    s->set->patch[patch].parts = half;
    for (int i = left; i < node_count; ++i) s->patch[node[i]] = added;
    return split_patch(s, patch, node, left) &&
           split_patch(s, added, node + left, node_count - left);
}

static bool split_all(splitter* s, const graph* g)
{
    int count = s->set->count;
    int* first = mem_array((size_t)count + 1, sizeof *first);
    int* node = mem_array((size_t)g->node_count, sizeof *node);
    bool done = first && node;
    if (done) list_members(s->patch, g->node_count, count, first, node);
    for (int i = 0; i < count && done; ++i)
        done = split_patch(s, i, node + first[i], first[i + 1] - first[i]);
    mem_free(node);
    mem_free(first);
    return done;
}

static bool is_whole(const patch_set* set)
{
    for (int i = 0; i < set->count; ++i)
        if (set->patch[i].parts > 1) return false;
    return true;
}

bool split(const level* l, int least_nodes, patch_set* set, int* patch, bool* out_whole)
{
    splitter s = {.set = set, .patch = patch, .least_nodes = least_nodes};
    *out_whole = is_whole(set);
    if (*out_whole) return true;
    if (!bisector_create(l, &s.b)) return false;
    bool done = split_all(&s, &l->g);
    bisector_destroy(&s.b);
    *out_whole = is_whole(set);
    return done;
}
