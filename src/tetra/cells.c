// Which cells a lattice needs: an octree that looks closer only where the surface is near. A block
// without surface is inside or outside as a whole.
#define PRECISION_DOUBLE
#include "geometry/morton.h"
#include "tetra/lattice.h"
#include <stdatomic.h>

// Away from the surface a closed one has whole winding numbers. In front of a hole they are between
// and change slowly: such blocks are divided.
static const double CLEAR = 0.42; // from 1/2

enum { TASK_LEVELS = 3 };

typedef struct {
    const lattice* lattice;
    int task_level; // blocks of 2^task_level cells
    key_list* list; // of each task
    _Atomic int64_t total;
    _Atomic bool no_memory;
} search;

static void emit(search* s, key_list* list, uint64_t first, int64_t count)
{
    if (atomic_fetch_add(&s->total, count) + count > s->lattice->most_cells ||
        atomic_load(&s->no_memory))
        return;
    if (!mem_reserve((void**)&list->key, &list->capacity, list->count + count, sizeof *list->key)) {
        atomic_store(&s->no_memory, true);
        return;
    }
    for (int64_t i = 0; i < count; ++i) list->key[list->count++] = first + (uint64_t)i;
}

typedef enum { OUTSIDE, INSIDE, MIXED } block_kind;

static block_kind look_at(const lattice* l, uint64_t block, int level)
{
    double cell = 2 * l->half, side = cell * (double)(1 << level);
    vec3 center = v3_add(l->origin, v3(side * (morton_gather(block) + 0.5),
                                       side * (morton_gather(block >> 1) + 0.5),
                                       side * (morton_gather(block >> 2) + 0.5)));
    double reach = 0.867 * side; // a little more than half of the diagonal
    if (tree_distance(&l->solid->tree, center, reach, NULL) < reach) return MIXED;
    double winding = tree_winding(&l->solid->tree, center);
    if (level == 0) return winding > 0.5 ? INSIDE : OUTSIDE;
    if (fabs(winding - 0.5) < CLEAR) return MIXED;
    return winding > 0.5 ? INSIDE : OUTSIDE;
}

// `block` is the Morton number of a block among those of its level.
static void visit(search* s, key_list* list, uint64_t block, int level)
{
    block_kind kind = look_at(s->lattice, block, level);
    if (kind == OUTSIDE ||
        atomic_load_explicit(&s->total, memory_order_relaxed) > s->lattice->most_cells)
        return;
    if (kind == INSIDE || level == 0) {
        emit(s, list, block << (3 * level), (int64_t)1 << (3 * level));
        return;
    }
    for (uint64_t child = 0; child < 8; ++child) visit(s, list, block << 3 | child, level - 1);
}

static void visit_task(int task, void* argument)
{
    search* s = (search*)argument;
    visit(s, &s->list[task], (uint64_t)task, s->task_level);
}

static pliant_result gather(search* s, int tasks, key_list* out)
{
    int64_t total = atomic_load(&s->total);
    if (atomic_load(&s->no_memory)) return PLIANT_ERROR_MEMORY;
    if (total > s->lattice->most_cells)
        return fail(PLIANT_ERROR_UNSUPPORTED,
                    "the lattice would have more than %d cells, the most there may be: use longer "
                    "edges or fewer tets",
                    s->lattice->most_cells);
    if (!mem_reserve((void**)&out->key, &out->capacity, total + 1, sizeof *out->key))
        return PLIANT_ERROR_MEMORY;
    for (int t = 0; t < tasks; ++t)
        for (int i = 0; i < s->list[t].count; ++i) out->key[out->count++] = s->list[t].key[i];
    return PLIANT_OK;
}

pliant_result lattice_find_cells(const lattice* l, key_list* out)
{
    *out = (key_list){0};
    int divided = l->levels < TASK_LEVELS ? l->levels : TASK_LEVELS, tasks = 1 << (3 * divided);
    search s = {.lattice = l, .task_level = l->levels - divided};
    s.list = (key_list*)mem_array_zero((size_t)tasks, sizeof *s.list);
    if (!s.list) return PLIANT_ERROR_MEMORY;
    workers_run(l->threads, visit_task, &s, tasks);
    pliant_result result = gather(&s, tasks, out);
    for (int t = 0; t < tasks; ++t) mem_free(s.list[t].key);
    mem_free(s.list);
    if (result) mem_free(out->key);
    return result;
}
