// Where ropes bend: particles at which two edges meet.
#include "asset/asset.h"
#include "asset/seams.h"

enum { ENDS = 2 };

// The other ends of the edges of each particle, as far as there are two, and how many it has.
static void find_neighbors(const pliant_mesh* m, int* other, int* count)
{
    for (int i = 0; i < 2 * m->edge_count; ++i) {
        int here = m->edges[i], there = m->edges[i ^ 1];
        if (count[here] < ENDS) other[ENDS * (size_t)here + (size_t)count[here]] = there;
        count[here]++;
    }
}

static void add_kinks(const pliant_mesh* m, const int* other, const int* count, part_list* p)
{
    for (int i = 0; i < m->vertex_count; ++i) {
        const int* end = other + ENDS * (size_t)i;
        if (count[i] != ENDS || end[0] == end[1]) continue;
        int* corner = p->corner + 3 * (size_t)p->count++;
        corner[0] = end[0];
        corner[1] = i;
        corner[2] = end[1];
    }
}

bool asset_make_kinks(pliant_asset* a)
{
    const pliant_mesh* m = a->mesh;
    size_t count = (size_t)m->vertex_count;
    if (m->edge_count == 0) return true;
    part_list* p = &a->parts[PART_KINK];
    int *other = (int*)mem_array(ENDS * count, sizeof(int)),
        *edges = (int*)mem_array_zero(count, sizeof(int));
    p->corner = (int*)mem_array(3 * count, sizeof(int));
    p->owned = true;
    bool good = other && edges && p->corner;
    if (good) {
        find_neighbors(m, other, edges);
        add_kinks(m, other, edges, p);
    }
    mem_free(other);
    mem_free(edges);
    return good;
}
