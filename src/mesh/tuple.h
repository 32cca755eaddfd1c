// Small tuples of vertex numbers (edges, faces, elements) brought into order, so that equal ones
// come together: the way that boundaries, unique edges and duplicates are found.
#pragma once
#include "base/memory.h"

typedef struct {
    int* item;  // arity * count, each tuple ascending
    int* order; // tuple numbers in lexicographic order, equal ones by ascending number
    int arity, count;
} tuple_list;

// Room for `count` tuples; false when memory runs out. Free it in every case.
bool tuples_allocate(tuple_list* list, int arity, int count);
void tuples_free(tuple_list* list);

// Sets tuple `index` to the vertices in ascending order.
void tuples_set(tuple_list* list, int index, const int* vertices);

// Fills `order`; numbers are below `limit`. Linear in count + limit.
bool tuples_sort(tuple_list* list, int limit);

// The end of the run of equal tuples that starts at `first` in the order.
int tuples_run_end(const tuple_list* list, int first);
