#include "base/pool.h"
#include <string.h>

static void* item_at(const pool* p, int index)
{
    return (char*)p->item + (size_t)index * p->item_bytes;
}

static int take_slot(pool* p)
{
    if (p->free1) {
        int index = p->free1 - 1;
        p->free1 = p->slot[index].next_free;
        return index;
    }
    if (!mem_reserve((void**)&p->slot, &p->capacity, (int64_t)p->count + 1, sizeof *p->slot) ||
        !mem_reserve(&p->item, &p->item_capacity, (int64_t)p->count + 1, p->item_bytes))
        return -1;
    p->slot[p->count].generation = 0;
    return p->count++;
}

void* pool_add(pool* p, uint32_t* out_index1, uint32_t* out_generation)
{
    int index = take_slot(p);
    if (index < 0) return NULL;
    *out_generation = ++p->slot[index].generation;
    *out_index1 = (uint32_t)index + 1;
    return memset(item_at(p, index), 0, p->item_bytes);
}

void* pool_at(const pool* p, int index) { return pool_has(p, index) ? item_at(p, index) : NULL; }

void* pool_get(const pool* p, uint32_t index1, uint32_t generation)
{
    if (index1 == 0 || index1 > (uint32_t)p->count) return NULL;
    return p->slot[index1 - 1].generation == generation ? pool_at(p, (int)index1 - 1) : NULL;
}

void pool_remove(pool* p, uint32_t index1)
{
    pool_slot* slot = &p->slot[index1 - 1];
    slot->generation++;
    slot->next_free = p->free1;
    p->free1 = (int)index1;
}

void pool_destroy(pool* p)
{
    mem_free(p->slot);
    mem_free(p->item);
    pool none = {.item_bytes = p->item_bytes};
    *p = none;
}
