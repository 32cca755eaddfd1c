#include "base/memory.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Every block has a header of one alignment unit that holds its size.
enum { ALIGNMENT = 64 };

static void* default_allocate(size_t bytes, size_t alignment, void* context)
{
    (void)context;
    return aligned_alloc(alignment, bytes);
}

static void default_release(void* memory, void* context)
{
    (void)context;
    free(memory);
}

static const pliant_allocator default_allocator = {default_allocate, default_release, NULL};
static pliant_allocator hooks = {default_allocate, default_release, NULL};
static _Atomic size_t held;
static _Atomic uint64_t allocations;

void pliant_set_allocator(const pliant_allocator* allocator)
{
    hooks = allocator ? *allocator : default_allocator;
}

size_t pliant_allocated_bytes(void) { return atomic_load(&held); }
uint64_t pliant_allocation_count(void) { return atomic_load(&allocations); }
void* pliant_allocate(size_t bytes) { return mem_alloc(bytes); }
void pliant_release(void* memory) { mem_free(memory); }

void* mem_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - 2 * ALIGNMENT) {
        fail_memory(bytes);
        return NULL;
    }
    size_t total = (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char* block = (char*)hooks.allocate(total, ALIGNMENT, hooks.context);
    if (!block) {
        fail_memory(bytes);
        return NULL;
    }
    memcpy(block, &total, sizeof total);
    atomic_fetch_add(&held, total);
    atomic_fetch_add(&allocations, 1);
    return block + ALIGNMENT;
}

void* mem_alloc_zero(size_t bytes)
{
    void* memory = mem_alloc(bytes);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void mem_free(void* memory)
{
    if (!memory) return;
    char* block = (char*)memory - ALIGNMENT;
    size_t total;
    memcpy(&total, block, sizeof total);
    atomic_fetch_sub(&held, total);
    hooks.release(block, hooks.context);
}

void* mem_array(size_t count, size_t element)
{
    if (element && count > SIZE_MAX / element) {
        fail_memory(SIZE_MAX);
        return NULL;
    }
    return mem_alloc(count * element);
}

void* mem_array_zero(size_t count, size_t element)
{
    void* memory = mem_array(count, element);
    if (memory) memset(memory, 0, count * element);
    return memory;
}

bool mem_reserve(void** data, int* capacity, int64_t needed, size_t element)
{
    if (needed <= *capacity) return true;
    if (needed > INT_MAX) {
        fail_memory(SIZE_MAX);
        return false;
    }
    int64_t larger = 2 * (int64_t)*capacity;
    if (larger < needed) larger = needed;
    if (larger < 16) larger = 16;
    if (larger > INT_MAX) larger = INT_MAX;
    void* grown = mem_array((size_t)larger, element);
    if (!grown) return false;
    if (*data) memcpy(grown, *data, (size_t)*capacity * element);
    mem_free(*data);
    *data = grown;
    *capacity = (int)larger;
    return true;
}
