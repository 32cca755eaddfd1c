#include "base/sort.h"

// The heap's root is the largest.
static void sift_down(uint64_t* key, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && key[child + 1] > key[child]) child++;
        if (key[root] >= key[child]) return;
        uint64_t swapped = key[root];
        key[root] = key[child];
        key[child] = swapped;
    }
}

void sort_keys(uint64_t* key, int count)
{
    int in_order = 1;
    while (in_order < count && key[in_order - 1] <= key[in_order]) in_order++;
    if (in_order >= count) return;
    for (int i = count / 2 - 1; i >= 0; --i) sift_down(key, i, count);
    for (int last = count - 1; last > 0; --last) {
        uint64_t largest = key[0];
        key[0] = key[last];
        key[last] = largest;
        sift_down(key, 0, last);
    }
}
