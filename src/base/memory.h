// Memory through the allocator hooks, aligned to 64 bytes. Every function may return NULL or false
// and then has set the error text; nothing is lost.
#pragma once
#include "base/error.h"

void* mem_alloc(size_t bytes);
void* mem_alloc_zero(size_t bytes);
void mem_free(void* memory); // NULL is fine

// count * element bytes; an overflow of the product is refused like a failed allocation.
void* mem_array(size_t count, size_t element);
void* mem_array_zero(size_t count, size_t element);

// A growing array is a pointer, a count and a capacity. Makes room for `needed` elements:
//     if (!mem_reserve((void**)&a->item, &a->capacity, a->count + 1, sizeof *a->item)) return
//     false;
bool mem_reserve(void** data, int* capacity, int64_t needed, size_t element);
