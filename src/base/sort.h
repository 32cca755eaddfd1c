// Sorting without memory: for a step, which takes none.
#pragma once
#include <stdint.h>

// Ascending. Takes one comparison each when they are in order already.
void sort_keys(uint64_t* key, int count);
