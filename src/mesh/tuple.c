#include "mesh/tuple.h"
#include <string.h>

bool tuples_allocate(tuple_list* list, int arity, int count)
{
    memset(list, 0, sizeof *list);
    list->arity = arity;
    list->count = count;
    list->item = (int*)mem_array((size_t)count * (size_t)arity, sizeof(int));
    list->order = (int*)mem_array((size_t)count, sizeof(int));
    return list->item && list->order;
}

void tuples_free(tuple_list* list)
{
    mem_free(list->item);
    mem_free(list->order);
    memset(list, 0, sizeof *list);
}

static const int* tuple_at(const tuple_list* list, int index)
{
    return list->item + (ptrdiff_t)index * list->arity;
}

void tuples_set(tuple_list* list, int index, const int* vertices)
{
    int* tuple = list->item + (ptrdiff_t)index * list->arity;
    for (int i = 0; i < list->arity; ++i) {
        int j = i;
        for (; j > 0 && tuple[j - 1] > vertices[i]; --j) tuple[j] = tuple[j - 1];
        tuple[j] = vertices[i];
    }
}

// A stable counting sort of the numbers in `from` by one place of their tuples.
static void sort_by_place(const tuple_list* list, int place, int limit, int* start, const int* from,
                          int* to)
{
    memset(start, 0, ((size_t)limit + 1) * sizeof(int));
    for (int i = 0; i < list->count; ++i) ++start[tuple_at(list, i)[place] + 1];
    for (int key = 0; key < limit; ++key) start[key + 1] += start[key];
    for (int i = 0; i < list->count; ++i) {
        int index = from ? from[i] : i;
        to[start[tuple_at(list, index)[place]]++] = index;
    }
}

bool tuples_sort(tuple_list* list, int limit)
{
    int* start = (int*)mem_array((size_t)limit + 1, sizeof(int));
    int* other = (int*)mem_array((size_t)list->count, sizeof(int));
    bool ok = start && other;
    for (int place = list->arity - 1; ok && place >= 0; --place) {
        sort_by_place(list, place, limit, start, place == list->arity - 1 ? NULL : list->order,
                      other);
        int* sorted = other;
        other = list->order;
        list->order = sorted;
    }
    mem_free(start);
    mem_free(other);
    return ok;
}

int tuples_run_end(const tuple_list* list, int first)
{
    const int* tuple = tuple_at(list, list->order[first]);
    int end = first + 1;
    while (end < list->count &&
           !memcmp(tuple, tuple_at(list, list->order[end]), (size_t)list->arity * sizeof(int)))
        ++end;
    return end;
}
