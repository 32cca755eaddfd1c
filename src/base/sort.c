#include "base/sort.h"
#include "base/memory.h"
#include <string.h>

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

// ---- by digits ----------------------------------------------------------------------------------

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = (64 + DIGIT_BITS - 1) / DIGIT_BITS };

typedef struct {
    uint64_t* key;
    int* order;
} sequence;

static int digit_of(uint64_t key, int pass)
{
    return (int)(key >> (pass * DIGIT_BITS) & (DIGITS - 1));
}

// False if all keys have the same digit: then there is nothing to move.
static bool find_starts(const sequence* from, int count, int pass, int start[DIGITS])
{
    memset(start, 0, DIGITS * sizeof *start);
    for (int i = 0; i < count; ++i) ++start[digit_of(from->key[i], pass)];
    if (start[digit_of(from->key[0], pass)] == count) return false;
    for (int digit = 0, sum = 0; digit < DIGITS; ++digit) {
        int here = start[digit];
        start[digit] = sum;
        sum += here;
    }
    return true;
}

static void deal_out(const sequence* from, int count, int pass, int start[DIGITS], sequence* to)
{
    for (int i = 0; i < count; ++i) {
        int at = start[digit_of(from->key[i], pass)]++;
        to->key[at] = from->key[i];
        to->order[at] = from->order[i];
    }
}

bool sort_with_order(uint64_t* key, int* order, int count)
{
    if (count < 2) return true;
    sequence here = {key, order}, there = {NULL, NULL};
    there.key = (uint64_t*)mem_array((size_t)count, sizeof *key);
    there.order = (int*)mem_array((size_t)count, sizeof *order);
    uint64_t* room_keys = there.key;
    int* room_order = there.order;
    bool ok = room_keys && room_order;
    for (int pass = 0, start[DIGITS]; ok && pass < PASSES; ++pass) {
        if (!find_starts(&here, count, pass, start)) continue;
        deal_out(&here, count, pass, start, &there);
        sequence swapped = here;
        here = there;
        there = swapped;
    }
    if (ok && here.key != key) {
        memcpy(key, here.key, (size_t)count * sizeof *key);
        memcpy(order, here.order, (size_t)count * sizeof *order);
    }
    mem_free(room_keys);
    mem_free(room_order);
    return ok;
}

static int drop_repeated(uint64_t* key, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (kept == 0 || key[i] != key[kept - 1]) key[kept++] = key[i];
    return kept;
}

int sort_unique(uint64_t* key, int count)
{
    int* order = (int*)mem_array_zero((size_t)count, sizeof(int));
    bool ok = order && sort_with_order(key, order, count);
    mem_free(order);
    return ok ? drop_repeated(key, count) : -1;
}
