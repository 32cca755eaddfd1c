#include "world/paths.h"
#include "base/sort.h"

// Each row of the particle of item `number`, as a key: by row, then in the order of the items.
static int add_keys(const plan* p, int particle, int number, uint64_t* out)
{
    int count = plan_copy_count(p, particle);
    for (int i = 0; i < count; ++i)
        out[i] = (uint64_t)plan_row(p, particle, i) << 32 | (uint64_t)number;
    return count;
}

static int row_of_key(uint64_t key) { return (int)(key >> 32); }
static int number_of_key(uint64_t key) { return (int)(key & UINT32_MAX); }

static bool list_movers(body* b, particle_work* out)
{
    const plan* p = &b->asset->plan;
    int64_t rows = 0;
    for (int i = 0; i < b->mover_count; ++i) rows += plan_copy_count(p, b->movers[i].particle);
    if (!mem_reserve((void**)&b->row_movers, &b->row_mover_capacity, rows, sizeof(mover)) ||
        !mem_reserve((void**)&b->path_keys, &b->path_key_capacity, rows, sizeof(uint64_t)))
        return false;
    int count = 0;
    for (int i = 0; i < b->mover_count; ++i)
        count += add_keys(p, b->movers[i].particle, i, b->path_keys + count);
    sort_keys(b->path_keys, count);
    for (int i = 0; i < count; ++i) {
        b->row_movers[i] = b->movers[number_of_key(b->path_keys[i])];
        b->row_movers[i].row = row_of_key(b->path_keys[i]);
    }
    out->movers = b->row_movers;
    out->mover_count = count;
    return true;
}

static bool list_holders(body* b, particle_work* out)
{
    const plan* p = &b->asset->plan;
    int64_t rows = 0;
    for (int i = 0; i < b->holder_count; ++i) rows += plan_copy_count(p, b->holders[i].particle);
    if (!mem_reserve((void**)&b->row_holders, &b->row_holder_capacity, rows, sizeof(holder)) ||
        !mem_reserve((void**)&b->path_keys, &b->path_key_capacity, rows, sizeof(uint64_t)))
        return false;
    int count = 0;
    for (int i = 0; i < b->holder_count; ++i)
        count += add_keys(p, b->holders[i].particle, i, b->path_keys + count);
    sort_keys(b->path_keys, count);
    for (int i = 0; i < count; ++i) {
        b->row_holders[i] = b->holders[number_of_key(b->path_keys[i])];
        b->row_holders[i].row = row_of_key(b->path_keys[i]);
    }
    out->holders = b->row_holders;
    out->holder_count = count;
    return true;
}

bool body_list_paths(body* b, particle_work* out)
{
    return list_movers(b, out) && list_holders(b, out);
}
