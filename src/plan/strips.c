#include "plan/strips.h"
#include "graph/members.h"

enum { NOBODY = -1 }; // of rows that no constraint works on

// ---- which rows hang together -------------------------------------------------------------------

static int find_root(int* parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The row of a corner for the sums: of a patch, its copy; else the particle, whose copies come
// together in every sweep.
static int row_of(const plan_source* s, const plan* p, const int* corner_row, int node, int corner)
{
    return p->patched ? p->patch[p->node_patch[node]].first_row + corner_row[corner]
                      : s->particle[corner];
}

// The least row of a component is its root.
static void join(const plan_source* s, const plan* p, const int* corner_row, int* parent)
{
    for (int node = 0; node < s->node_count; ++node) {
        int first = row_of(s, p, corner_row, node, s->offset[node]);
        for (int c = s->offset[node]; c < s->offset[node + 1]; ++c) {
            int row = row_of(s, p, corner_row, node, c);
            if (parent[row] == NOBODY) parent[row] = row;
            int a = find_root(parent, first), b = find_root(parent, row);
            if (a < b)
                parent[b] = a;
            else
                parent[a] = b;
        }
    }
}

// Numbers them in the order of their first rows, which is that of the patches. `group`: of each
// row; the last group is that of nobody.
static int number_components(int* parent, int rows, int* group)
{
    int count = 0;
    for (int i = 0; i < rows; ++i)
        if (parent[i] == i) group[i] = count++;
    for (int i = 0; i < rows; ++i)
        group[i] = parent[i] == NOBODY ? count : group[find_root(parent, i)];
    return count;
}

// ---- strips -------------------------------------------------------------------------------------

// Cuts the rows of a component, ascending, into strips. Without `out` it only counts.
static int cut_strips(const int* row, int count, int number, strip* out)
{
    int strips = 0;
    for (int i = 0, end; i < count; i = end, ++strips) {
        for (end = i + 1; end < count && end - i < STRIP && row[end] == row[i] + (end - i);) ++end;
        if (out) out[strips] = (strip){row[i], end - i, number};
    }
    return strips;
}

static void give_to_patches(plan* p)
{
    int next = 0;
    for (int i = 0; i < p->patch_count; ++i) {
        patch* t = &p->patch[i];
        int end = t->first_row + t->row_count;
        t->first_component = next;
        while (next < p->component_count &&
               p->strip[p->component[next].first_strip].first_row < end)
            ++next;
        t->component_count = next - t->first_component;
    }
}

static bool fill(plan* p, const int* first, const int* row)
{
    int strips = 0;
    for (int i = 0; i < p->component_count; ++i)
        strips += cut_strips(row + first[i], first[i + 1] - first[i], i, NULL);
    p->component = (component*)mem_array((size_t)p->component_count, sizeof *p->component);
    p->strip = (strip*)mem_array((size_t)strips, sizeof *p->strip);
    if (!p->component || !p->strip) return false;
    for (int i = 0; i < p->component_count; ++i) {
        int more =
            cut_strips(row + first[i], first[i + 1] - first[i], i, p->strip + p->strip_count);
        p->component[i] = (component){p->strip_count, more};
        p->strip_count += more;
    }
    give_to_patches(p);
    return true;
}

bool strips_create(const plan_source* s, const int* corner_row, plan* p)
{
    int rows = p->patched ? p->row_count : p->particle_count;
    int* parent = (int*)mem_array((size_t)rows, sizeof(int));
    int* group = (int*)mem_array((size_t)rows, sizeof(int));
    int* first = (int*)mem_array((size_t)rows + 2, sizeof(int));
    int* row = (int*)mem_array((size_t)rows, sizeof(int));
    bool good = parent && group && first && row;
    for (int i = 0; i < rows && good; ++i) parent[i] = NOBODY;
    if (good) {
        join(s, p, corner_row, parent);
        p->component_count = number_components(parent, rows, group);
        list_members(group, rows, p->component_count + 1, first, row);
        good = fill(p, first, row);
    }
    mem_free(parent);
    mem_free(group);
    mem_free(first);
    mem_free(row);
    return good;
}
