#include "base/sort.h"
#include "base/memory.h"
#include "base/workers.h"
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

// ---- by digits, on threads ----------------------------------------------------------------------

// Each piece counts its digits, and knows from the others' counts where its own go: keys keep
// their order, so that the number of pieces changes nothing.
typedef struct {
    sequence from, to;
    int (*start)[DIGITS]; // of each piece
    int count, pieces, pass;
} piecewise;

static int piece_start(const piecewise* p, int piece)
{
    return (int)((int64_t)p->count * piece / p->pieces);
}

static void count_piece(int piece, void* argument)
{
    const piecewise* p = (const piecewise*)argument;
    int* sum = p->start[piece];
    memset(sum, 0, DIGITS * sizeof *sum);
    for (int i = piece_start(p, piece); i < piece_start(p, piece + 1); ++i)
        ++sum[digit_of(p->from.key[i], p->pass)];
}

// False if all keys have the same digit.
static bool find_piece_starts(piecewise* p)
{
    for (int digit = 0, sum = 0; digit < DIGITS; ++digit) {
        int before = sum;
        for (int piece = 0; piece < p->pieces; ++piece) {
            int here = p->start[piece][digit];
            p->start[piece][digit] = sum;
            sum += here;
        }
        if (sum - before == p->count) return false;
    }
    return true;
}

static void deal_out_piece(int piece, void* argument)
{
    const piecewise* p = (const piecewise*)argument;
    int begin = piece_start(p, piece), count = piece_start(p, piece + 1) - begin;
    sequence from = {p->from.key + begin, p->from.order + begin}, to = p->to;
    deal_out(&from, count, p->pass, p->start[piece], &to);
}

bool sort_with_order_by(workers* w, uint64_t* key, int* order, int count)
{
    enum { WORTH_IT = 1 << 16 };
    if (workers_count(w) == 1 || count < WORTH_IT) return sort_with_order(key, order, count);
    piecewise p = {.from = {key, order}, .count = count, .pieces = 2 * workers_count(w)};
    uint64_t* keys = p.to.key = (uint64_t*)mem_array((size_t)count, sizeof *key);
    int* orders = p.to.order = (int*)mem_array((size_t)count, sizeof *order);
    p.start = (int(*)[DIGITS])mem_array((size_t)p.pieces, sizeof *p.start);
    bool ok = keys && orders && p.start;
    for (; ok && p.pass < PASSES; ++p.pass) {
        workers_run(w, count_piece, &p, p.pieces);
        if (!find_piece_starts(&p)) continue;
        workers_run(w, deal_out_piece, &p, p.pieces);
        sequence swapped = p.from;
        p.from = p.to;
        p.to = swapped;
    }
    if (ok && p.from.key != key) {
        memcpy(key, p.from.key, (size_t)count * sizeof *key);
        memcpy(order, p.from.order, (size_t)count * sizeof *order);
    }
    mem_free(keys);
    mem_free(orders);
    mem_free(p.start);
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
