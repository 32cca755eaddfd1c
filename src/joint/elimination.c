#include "joint/elimination.h"
#include "base/memory.h"
#include "base/sort.h"
#include <string.h>

// ---- the order ----------------------------------------------------------------------------------

typedef struct {
    int* node; // neighbors
    int count, room;
} neighbors;

typedef struct {
    neighbors* of;
    const bool* waits;
    bool *ready, *gone;
    int* mark;
    uint64_t* heap; // number of neighbors and node, least first; old entries stay until they come
    int heap_count, heap_room;
    bool good;
} planning;

static void append(planning* p, neighbors* n, int node)
{
    if (!mem_reserve((void**)&n->node, &n->room, (int64_t)n->count + 1, sizeof *n->node)) {
        p->good = false;
        return;
    }
    n->node[n->count++] = node;
}

static void push(planning* p, int node)
{
    uint64_t key = (uint64_t)p->of[node].count << 32 | (uint32_t)node;
    if (!mem_reserve((void**)&p->heap, &p->heap_room, (int64_t)p->heap_count + 1, sizeof key)) {
        p->good = false;
        return;
    }
    int i = p->heap_count++;
    for (; i > 0 && p->heap[(i - 1) / 2] > key; i = (i - 1) / 2) p->heap[i] = p->heap[(i - 1) / 2];
    p->heap[i] = key;
}

static uint64_t pop(planning* p)
{
    uint64_t least = p->heap[0], last = p->heap[--p->heap_count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= p->heap_count) break;
        if (child + 1 < p->heap_count && p->heap[child + 1] < p->heap[child]) child++;
        if (p->heap[child] >= last) break;
        p->heap[i] = p->heap[child];
        i = child;
    }
    p->heap[i] = last;
    return least;
}

// The next one: its entry is as it is now.
static int choose(planning* p)
{
    while (p->heap_count > 0) {
        uint64_t key = pop(p);
        int node = (int)(key & UINT32_MAX);
        if (!p->gone[node] && (uint64_t)p->of[node].count == key >> 32) return node;
    }
    return -1;
}

static void remove_from(neighbors* n, int node)
{
    int kept = 0;
    for (int i = 0; i < n->count; ++i)
        if (n->node[i] != node) n->node[kept++] = n->node[i];
    n->count = kept;
}

// Its neighbors become neighbors of each other.
static void eliminate(planning* p, int node)
{
    const neighbors* front = &p->of[node];
    p->gone[node] = true;
    for (int i = 0; i < front->count && p->good; ++i) {
        int other = front->node[i];
        neighbors* n = &p->of[other];
        remove_from(n, node);
        for (int k = 0; k < n->count; ++k) p->mark[n->node[k]] = other + 1;
        for (int k = 0; k < front->count; ++k)
            if (front->node[k] != other && p->mark[front->node[k]] != other + 1)
                append(p, n, front->node[k]);
        for (int k = 0; k < n->count; ++k) p->mark[n->node[k]] = 0;
        if (!p->waits[node]) p->ready[other] = true;
        if (p->ready[other]) push(p, other);
    }
}

static void sort_front(neighbors* n, uint64_t* scratch)
{
    for (int i = 0; i < n->count; ++i) scratch[i] = (uint64_t)n->node[i];
    sort_keys(scratch, n->count);
    for (int i = 0; i < n->count; ++i) n->node[i] = (int)scratch[i];
}

// ---- the plan -----------------------------------------------------------------------------------

static bool enter_front(elimination* e, const neighbors* n, int place, int node)
{
    int64_t count = (int64_t)e->front_count + n->count;
    if (!mem_reserve((void**)&e->front, &e->front_room, count, sizeof *e->front) ||
        !mem_reserve((void**)&e->at, &e->at_room, count, sizeof *e->at))
        return false;
    for (int i = 0; i < n->count; ++i) {
        e->front[e->front_count] = n->node[i];
        e->at[e->front_count++] = e->block_doubles;
        e->block_doubles += (int64_t)e->size[n->node[i]] * e->size[node];
    }
    e->start[place + 1] = e->front_count;
    return true;
}

static bool open_plan(elimination* e, int nodes, const int* size)
{
    if (!mem_reserve((void**)&e->size, &e->size_room, nodes, sizeof *e->size) ||
        !mem_reserve((void**)&e->order, &e->order_room, 2 * (int64_t)nodes, sizeof *e->order) ||
        !mem_reserve((void**)&e->start, &e->start_room, (int64_t)nodes + 1, sizeof *e->start) ||
        !mem_reserve((void**)&e->own, &e->own_room, nodes, sizeof *e->own) ||
        !mem_reserve((void**)&e->first, &e->first_room, nodes, sizeof *e->first))
        return false;
    e->nodes = nodes;
    e->front_count = e->unknowns = 0;
    e->block_doubles = 0;
    e->start[0] = 0;
    for (int i = 0; i < nodes; ++i) {
        e->size[i] = size[i];
        e->own[i] = e->block_doubles;
        e->block_doubles += (int64_t)size[i] * size[i];
        e->first[i] = e->unknowns;
        e->unknowns += size[i];
    }
    return true;
}

static bool open_planning(planning* p, int nodes, const bool* waits, const uint64_t* pair,
                          int pairs)
{
    *p = (planning){.waits = waits, .good = true};
    p->of = (neighbors*)mem_array_zero((size_t)nodes + 1, sizeof *p->of);
    p->ready = (bool*)mem_array_zero(2 * (size_t)nodes + 1, sizeof *p->ready);
    p->mark = (int*)mem_array_zero((size_t)nodes + 1, sizeof *p->mark);
    if (!p->of || !p->ready || !p->mark) return false;
    p->gone = p->ready + nodes;
    for (int i = 0; i < pairs && p->good; ++i) {
        int one = (int)(pair[i] >> 32), other = (int)(pair[i] & UINT32_MAX);
        append(p, &p->of[one], other);
        append(p, &p->of[other], one);
    }
    for (int i = 0; i < nodes && p->good; ++i) {
        p->ready[i] = !waits[i];
        if (p->ready[i]) push(p, i);
    }
    return p->good;
}

static void close_planning(planning* p, int nodes)
{
    for (int i = 0; p->of && i < nodes; ++i) mem_free(p->of[i].node);
    mem_free(p->of);
    mem_free(p->ready);
    mem_free(p->mark);
    mem_free(p->heap);
}

static bool plan_all(elimination* e, planning* p, uint64_t* scratch)
{
    for (int place = 0; place < e->nodes; ++place) {
        int node = choose(p);
        if (!p->good || node < 0) return false;
        sort_front(&p->of[node], scratch);
        e->order[place] = node;
        e->order[e->nodes + node] = place;
        if (!enter_front(e, &p->of[node], place, node)) return false;
        eliminate(p, node);
        if (!p->good) return false;
    }
    return mem_reserve((void**)&e->block, &e->block_room, e->block_doubles, sizeof *e->block);
}

bool elimination_plan(elimination* e, int nodes, const int* size, const bool* waits,
                      const uint64_t* pair, int pairs)
{
    planning p;
    uint64_t* scratch = (uint64_t*)mem_array((size_t)nodes + 1, sizeof *scratch);
    bool good = open_planning(&p, nodes, waits, pair, pairs) && scratch &&
                open_plan(e, nodes, size) && plan_all(e, &p, scratch);
    close_planning(&p, nodes);
    mem_free(scratch);
    return good;
}

void elimination_destroy(elimination* e)
{
    void* const owned[] = {e->size, e->order, e->start, e->front,
                           e->at,   e->own,   e->first, e->block};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) mem_free(owned[i]);
    memset(e, 0, sizeof *e);
}

// ---- blocks -------------------------------------------------------------------------------------

void elimination_clear(elimination* e)
{
    memset(e->block, 0, (size_t)e->block_doubles * sizeof *e->block);
}

double* elimination_own(elimination* e, int node) { return e->block + e->own[node]; }

static int place_of(const elimination* e, int node) { return e->order[e->nodes + node]; }

static int64_t find_block(const elimination* e, int place, int node)
{
    int low = e->start[place], high = e->start[place + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (e->front[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return e->at[low];
}

double* elimination_block(elimination* e, int one, int other, bool* out_rows_of_one)
{
    *out_rows_of_one = place_of(e, one) > place_of(e, other);
    int early = *out_rows_of_one ? other : one, late = *out_rows_of_one ? one : other;
    return e->block + find_block(e, place_of(e, early), late);
}

// ---- the factors --------------------------------------------------------------------------------

// L D L^T of a small matrix, in its lower half.
static void factor_own(double* a, int n)
{
    for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i) {
            double part = a[i * n + j] / a[j * n + j];
            for (int k = j + 1; k <= i; ++k) a[i * n + k] -= part * a[k * n + j];
        }
    for (int j = 0; j < n; ++j)
        for (int i = j + 1; i < n; ++i) a[i * n + j] /= a[j * n + j];
}

// x is the solution of it for the right side x.
static void solve_own(const double* a, int n, double* x)
{
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k) x[i] -= a[i * n + k] * x[k];
    for (int i = 0; i < n; ++i) x[i] /= a[i * n + i];
    for (int i = n - 1; i >= 0; --i)
        for (int k = i + 1; k < n; ++k) x[i] -= a[k * n + i] * x[k];
}

// to -= one * solved^T, where `one` has rows x n, `solved` columns x n; the lower half of an own
// block alone.
static void subtract(double* to, const double* one, int rows, const double* solved, int columns,
                     int n, bool turned)
{
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < columns; ++k) {
            double sum = 0;
            for (int m = 0; m < n; ++m) sum += one[i * n + m] * solved[k * n + m];
            to[turned ? k * rows + i : i * columns + k] -= sum;
        }
}

// What the node gives to the block of two of its neighbors.
static void give(elimination* e, int place, int i, int k, const double* solved)
{
    int n = e->size[e->order[place]], one = e->front[i], other = e->front[k];
    const double* block = e->block + e->at[i];
    if (i == k) {
        subtract(elimination_own(e, one), block, e->size[one], solved, e->size[one], n, false);
        return;
    }
    bool rows_of_one;
    double* to = elimination_block(e, one, other, &rows_of_one);
    subtract(to, block, e->size[one], solved, e->size[other], n, !rows_of_one);
}

static void factor_place(elimination* e, int place)
{
    int node = e->order[place], n = e->size[node];
    double* own = elimination_own(e, node);
    factor_own(own, n);
    for (int k = e->start[place]; k < e->start[place + 1]; ++k) {
        double solved[ELIMINATION_ROWS * ELIMINATION_ROWS];
        int rows = e->size[e->front[k]];
        memcpy(solved, e->block + e->at[k], (size_t)(rows * n) * sizeof *solved);
        for (int i = 0; i < rows; ++i) solve_own(own, n, solved + i * n);
        for (int i = k; i < e->start[place + 1]; ++i) give(e, place, i, k, solved);
    }
}

void elimination_factor(elimination* e)
{
    for (int place = 0; place < e->nodes; ++place) factor_place(e, place);
}

void elimination_solve(const elimination* e, double* x)
{
    for (int place = 0; place < e->nodes; ++place) {
        int node = e->order[place], n = e->size[node];
        double part[ELIMINATION_ROWS];
        memcpy(part, x + e->first[node], (size_t)n * sizeof *part);
        solve_own(e->block + e->own[node], n, part);
        for (int k = e->start[place]; k < e->start[place + 1]; ++k) {
            const double* block = e->block + e->at[k];
            double* to = x + e->first[e->front[k]];
            for (int i = 0; i < e->size[e->front[k]]; ++i)
                for (int m = 0; m < n; ++m) to[i] -= block[i * n + m] * part[m];
        }
    }
    for (int place = e->nodes - 1; place >= 0; --place) {
        int node = e->order[place], n = e->size[node];
        double* to = x + e->first[node];
        for (int k = e->start[place]; k < e->start[place + 1]; ++k) {
            const double *block = e->block + e->at[k], *from = x + e->first[e->front[k]];
            for (int i = 0; i < e->size[e->front[k]]; ++i)
                for (int m = 0; m < n; ++m) to[m] -= block[i * n + m] * from[i];
        }
        solve_own(e->block + e->own[node], n, to);
    }
}
