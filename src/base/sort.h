// Sorting of keys.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Ascending, without memory: for a step, which takes none. Takes one comparison each when they are
// in order already.
void sort_keys(uint64_t* key, int count);

// Ascending, in linear time; `order` (0, 1, 2 ... before, or any numbers) moves with the keys, and
// equal keys keep their order. Takes as much memory again; false when it runs out.
bool sort_with_order(uint64_t* key, int* order, int count);

// The same on threads, with the same result.
struct workers;
bool sort_with_order_by(struct workers* w, uint64_t* key, int* order, int count);

// Ascending, each key once; returns how many are left, or -1 when memory runs out.
int sort_unique(uint64_t* key, int count);
