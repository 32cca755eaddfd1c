// Slots with generations. An id is a slot's number plus one and its generation at the time; a freed
// slot takes the next generation, so that old ids are found out.
#pragma once
#include "base/memory.h"

typedef struct {
    uint32_t generation; // odd while in use
    int next_free;       // number plus one of the next free slot
} pool_slot;

typedef struct {
    pool_slot* slot;
    void* item; // item_bytes each
    size_t item_bytes;
    int count, capacity, item_capacity, free1;
} pool;

// A zeroed item and its id; NULL when memory runs out. Items move when the pool grows.
void* pool_add(pool* p, uint32_t* out_index1, uint32_t* out_generation);
void* pool_get(const pool* p, uint32_t index1, uint32_t generation); // NULL for a stale id
void pool_remove(pool* p, uint32_t index1);
void pool_destroy(pool* p);

// The item of a slot, or NULL while it is free: for loops from 0 to count - 1.
void* pool_at(const pool* p, int index);
static inline bool pool_has(const pool* p, int index) { return p->slot[index].generation % 2; }
