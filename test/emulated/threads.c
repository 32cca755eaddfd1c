// Threads of kernels. Each is a fiber that runs until it has to wait: for its warp, at a barrier of
// its block or of the grid. Those that may go on stand in a queue.
#include "device.h"
#include "fiber.h"
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BARRIERS = 16, SHARED_VARIABLES = 16 };

typedef struct thread thread;
typedef struct block block;

// Threads that wait, in their order.
typedef struct {
    thread *first, *last;
    int arrived, expected;
} barrier;

typedef struct warp {
    uint64_t word[2][EMULATED_WARP];
    unsigned alive, arrived;
    emulated_meeting_kind kind;
    thread* lane[EMULATED_WARP];
    bool looked; // lanes looked for what others say, first when so many things were said:
    long long said;
    struct warp* next; // of those that sleep
} warp;

typedef enum {
    IS_READY,
    WAITS_FOR_WARP,
    WAITS_FOR_NEWS,
    WAITS_AT_BARRIER,
    WAITS_FOR_GRID,
    IS_DONE
} thread_state;

struct thread {
    emulated_thread seen;
    fiber* fiber; // NULL: it has not started
    thread* next; // at a barrier
    block* block;
    warp* warp;
    thread_state state;
    int barrier;
};

struct block {
    int alive;
    char* memory;
    barrier barrier[BARRIERS];
    struct {
        const char* key;
        void* memory;
    } shared[SHARED_VARIABLES];
    int shared_count;
};

// Blocks that are there at the same time, and their threads.
static struct {
    const emulated_launch* launch;
    void** arguments;
    thread* thread;
    block* block;
    warp* warp;
    int blocks, threads_per_block, warps_per_block;
    int thread_capacity, block_capacity, warp_capacity;
    thread** queue; // a ring
    int queue_capacity, queue_first, queue_count;
    barrier grid;
    int alive;
    bool shuffled;
    long long said; // things that some look for
    warp* sleeping; // they looked in vain, and nothing was said since then
} all;

emulated_thread* emulated_now;
emulated_sizes emulated_grid;

static thread* now(void) { return (thread*)(void*)emulated_now; }

// ---- the queue ----------------------------------------------------------------------------------

static thread** queue_at(int i)
{
    int at = all.queue_first + i;
    return &all.queue[at < all.queue_capacity ? at : at - all.queue_capacity];
}

static void make_ready(thread* t)
{
    t->state = IS_READY;
    *queue_at(all.queue_count++) = t;
}

static const char* name_of(emulated_meeting_kind kind)
{
    static const char* const names[] = {"__syncwarp",     "__shfl_sync",      "__shfl_xor_sync",
                                        "__shfl_up_sync", "__shfl_down_sync", "__ballot_sync",
                                        "__all_sync",     "__any_sync"};
    return names[kind];
}

static void tell_thread(const thread* t)
{
    const emulated_thread* s = &t->seen;
    fprintf(stderr, "  block %u, %u thread %u: ", s->block_index.x, s->block_index.y, s->index.x);
    switch (t->state) {
    case WAITS_FOR_WARP:
        fprintf(stderr, "in %s, where lanes %08x of %08x are\n", name_of(t->warp->kind),
                t->warp->arrived, t->warp->alive);
        break;
    case WAITS_FOR_NEWS:
        fprintf(stderr, "looks for what another block says\n");
        break;
    case WAITS_AT_BARRIER:
        fprintf(stderr, "at barrier %d, where %d of %d came\n", t->barrier,
                t->block->barrier[t->barrier].arrived,
                t->barrier ? t->block->barrier[t->barrier].expected : t->block->alive);
        break;
    case WAITS_FOR_GRID:
        fprintf(stderr, "at the grid's barrier, where %d of %d came\n", all.grid.arrived,
                all.blocks * all.threads_per_block);
        break;
    default:
        fprintf(stderr, t->state == IS_DONE ? "has ended\n" : "runs\n");
    }
}

static bool is_alike(const thread* a, const thread* b)
{
    return a->state == b->state && a->block == b->block &&
           (a->state != WAITS_FOR_WARP || a->warp == b->warp) &&
           (a->state != WAITS_AT_BARRIER || a->barrier == b->barrier);
}

static _Noreturn void stop_all(const char* why)
{
    enum { MOST = 64 };
    int told = 0;
    fprintf(stderr, "emulated device: kernel %p: %s\n", all.launch->kernel, why);
    for (int i = 0; i < all.blocks * all.threads_per_block && told < MOST; ++i)
        if (i == 0 || !is_alike(&all.thread[i], &all.thread[i - 1])) {
            tell_thread(&all.thread[i]);
            told++;
        }
    abort();
}

static thread* take_next(void)
{
    if (all.queue_count == 0) stop_all("all threads wait for others");
    if (all.shuffled) {
        thread **first = queue_at(0),
               **other = queue_at((int)device_random((unsigned)all.queue_count));
        thread* t = *first;
        *first = *other;
        *other = t;
    }
    thread* t = *queue_at(0);
    if (++all.queue_first == all.queue_capacity) all.queue_first = 0;
    all.queue_count--;
    return t;
}

// ---- threads that run ---------------------------------------------------------------------------

static void run_threads(void);

static void go_to(fiber* from, thread* t)
{
    emulated_now = &t->seen;
    if (!t->fiber) t->fiber = fiber_take(run_threads);
    fiber_switch(from, t->fiber);
}

// Until somebody makes it ready.
static void wait_here(thread_state state)
{
    thread *me = now(), *next;
    me->state = state;
    next = take_next();
    if (next != me) go_to(me->fiber, next);
}

static void open_barrier(barrier* b)
{
    thread* next;
    for (thread* t = b->first; t; t = next) {
        next = t->next;
        make_ready(t);
    }
    b->first = b->last = NULL;
    b->arrived = 0;
}

static void stand_in_line(barrier* b)
{
    thread* me = now();
    me->next = NULL;
    if (b->last)
        b->last->next = me;
    else
        b->first = me;
    b->last = me;
}

static void open_warp(warp* w, const thread* but)
{
    for (int i = 0; i < EMULATED_WARP; ++i)
        if (w->arrived >> i & 1 && w->lane[i] != but) make_ready(w->lane[i]);
    w->arrived = 0;
    w->looked = false;
}

// A warp that looks for something again and again sleeps until there is something new.
static bool looks_in_vain(const warp* w)
{
    if (!w->looked || w->kind != EMULATED_ALL || w->said != all.said) return false;
    unsigned parity = now()->seen.parity;
    for (int i = 0; i < EMULATED_WARP; ++i)
        if (w->alive >> i & 1 && w->word[parity][i]) return true;
    return false;
}

static void sleep_here(warp* w)
{
    w->next = all.sleeping;
    all.sleeping = w;
    for (int i = 0; i < EMULATED_WARP; ++i)
        if (w->alive >> i & 1) w->lane[i]->state = WAITS_FOR_NEWS;
    wait_here(WAITS_FOR_NEWS);
}

// Nobody waits for it any more.
static void end_thread(thread* t)
{
    block* b = t->block;
    warp* w = t->warp;
    t->state = IS_DONE;
    all.alive--;
    b->alive--;
    w->alive &= ~(1u << t->seen.lane);
    // Others may still read what it brought to their last meeting, but not to the next one.
    device_spoil(&w->word[!t->seen.parity][t->seen.lane], sizeof(uint64_t));
    if (w->arrived && w->arrived == w->alive) open_warp(w, t);
    if (b->alive > 0 && b->barrier[0].arrived == b->alive) open_barrier(&b->barrier[0]);
}

// One thread after the other on this stack, until one comes that has another.
static void run_threads(void)
{
    for (;;) {
        thread* me = now();
        fiber* mine = me->fiber;
        all.launch->run(all.launch->kernel, all.arguments);
        end_thread(me);
        thread* next = all.alive > 0 ? take_next() : NULL;
        if (next && !next->fiber) {
            next->fiber = mine;
            emulated_now = &next->seen;
            continue;
        }
        if (next) emulated_now = &next->seen;
        fiber_give_back(mine);
        fiber_leave(mine, next ? next->fiber : fiber_main());
    }
}

// ---- what threads ask for -----------------------------------------------------------------------

void emulated_barrier(int number, int threads)
{
    block* b = now()->block;
    barrier* at = &b->barrier[number];
    int expected = threads ? threads : b->alive;
    if (threads && at->arrived > 0 && at->expected != threads)
        stop_all("threads at a barrier wait for different numbers of them");
    at->expected = threads;
    if (++at->arrived == expected) {
        open_barrier(at);
        emulated_pause();
        return;
    }
    stand_in_line(at);
    now()->barrier = number;
    wait_here(WAITS_AT_BARRIER);
}

void emulated_arrive(int number, int threads)
{
    barrier* at = &now()->block->barrier[number];
    if (at->arrived > 0 && at->expected != threads)
        stop_all("threads at a barrier wait for different numbers of them");
    at->expected = threads;
    if (++at->arrived == threads) open_barrier(at);
}

void emulated_grid_barrier(void)
{
    if (!all.launch->cooperative) stop_all("a barrier of the grid in a launch that has none");
    if (++all.grid.arrived == all.blocks * all.threads_per_block) {
        open_barrier(&all.grid);
        emulated_pause();
        return;
    }
    stand_in_line(&all.grid);
    wait_here(WAITS_FOR_GRID);
}

void emulated_meet(emulated_meeting_kind kind, unsigned lanes, uint64_t word)
{
    thread* me = now();
    warp* w = me->warp;
    if (~lanes) stop_all("lanes that meet without the others of their warp are not emulated");
    if (w->arrived && w->kind != kind) stop_all("lanes of a warp meet in different manners");
    me->seen.parity ^= 1;
    w->word[me->seen.parity][me->seen.lane] = word;
    w->kind = kind;
    w->arrived |= 1u << me->seen.lane;
    if (w->arrived == w->alive && looks_in_vain(w)) {
        sleep_here(w);
    } else if (w->arrived == w->alive) {
        open_warp(w, me);
        emulated_pause();
    } else {
        wait_here(WAITS_FOR_WARP);
    }
}

unsigned emulated_vote(emulated_meeting_kind kind, unsigned lanes, bool yes)
{
    const warp* w = now()->warp;
    unsigned all_yes = 0, there = w->alive;
    emulated_meet(kind, lanes, yes);
    for (int i = 0; i < EMULATED_WARP; ++i)
        if (there >> i & 1 && emulated_word_of(i) == 1) all_yes |= 1u << i;
    return all_yes;
}

void emulated_pause(void)
{
    if (!all.shuffled || all.queue_count == 0) return;
    make_ready(now());
    wait_here(IS_READY);
}

void emulated_note_look(void)
{
    warp* w = now()->warp;
    if (!w->looked) w->said = all.said;
    w->looked = true;
}

void emulated_note_change(void)
{
    all.said++;
    for (; all.sleeping; all.sleeping = all.sleeping->next) open_warp(all.sleeping, NULL);
}

void* emulated_shared(const char* key, size_t bytes)
{
    block* b = now()->block;
    int i = 0;
    while (i < b->shared_count && b->shared[i].key != key) ++i;
    if (i == b->shared_count) {
        if (i == SHARED_VARIABLES) stop_all("too many shared variables");
        b->shared[i].key = key;
        b->shared[i].memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (!b->shared[i].memory) stop_all("no memory");
        device_spoil(b->shared[i].memory, bytes);
        b->shared_count++;
    }
    return b->shared[i].memory;
}

// ---- kernels ------------------------------------------------------------------------------------

static void reserve(void** array, int* capacity, int count, size_t each)
{
    if (count <= *capacity) return;
    free(*array);
    *array = aligned_alloc(64, ((size_t)count * each + 63) / 64 * 64);
    if (!*array) device_stop("no memory for the threads of a kernel");
    *capacity = count;
}

static emulated_index index_of(emulated_index size, unsigned number)
{
    emulated_index i = {number % size.x, number / size.x % size.y, number / size.x / size.y};
    return i;
}

static void set_up_block(int i, emulated_index index)
{
    const emulated_launch* l = all.launch;
    block* b = &all.block[i];
    memset(b, 0, sizeof *b);
    b->alive = all.threads_per_block;
    if (l->shared_bytes && posix_memalign((void**)&b->memory, 64, l->shared_bytes))
        device_stop("no memory for the blocks of a kernel");
    device_spoil(b->memory, l->shared_bytes);
    for (int k = 0; k < all.threads_per_block; ++k) {
        thread* t = &all.thread[i * all.threads_per_block + k];
        warp* w = &all.warp[i * all.warps_per_block + k / EMULATED_WARP];
        int lane = k % EMULATED_WARP;
        if (lane == 0) *w = (warp){0};
        w->alive |= 1u << lane;
        w->lane[lane] = t;
        *t = (thread){.seen = {.index = index_of(l->block, (unsigned)k),
                               .block_index = index,
                               .memory = b->memory,
                               .lane = lane,
                               .words = w->word[0]},
                      .block = b,
                      .warp = w};
        make_ready(t);
    }
}

static void clear_block(block* b)
{
    free(b->memory);
    for (int i = 0; i < b->shared_count; ++i) free(b->shared[i].memory);
    for (int i = 1; i < BARRIERS; ++i)
        if (b->barrier[i].arrived > 0)
            device_stop("a kernel left a barrier %d where %d threads came", i,
                        b->barrier[i].arrived);
}

static void run_blocks(const unsigned* numbers, int count)
{
    int threads = count * all.threads_per_block;
    all.blocks = count;
    reserve((void**)&all.block, &all.block_capacity, count, sizeof *all.block);
    reserve((void**)&all.warp, &all.warp_capacity, count * all.warps_per_block, sizeof *all.warp);
    reserve((void**)&all.thread, &all.thread_capacity, threads, sizeof *all.thread);
    reserve((void**)&all.queue, &all.queue_capacity, threads, sizeof(thread*));
    all.queue_first = all.queue_count = 0;
    all.sleeping = NULL;
    all.alive = threads;
    memset(&all.grid, 0, sizeof all.grid);
    for (int i = 0; i < count; ++i) set_up_block(i, index_of(all.launch->grid, numbers[i]));
    go_to(fiber_main(), take_next());
    emulated_now = NULL;
    for (int i = 0; i < count; ++i) clear_block(&all.block[i]);
}

// All of them, in their order or shuffled.
static unsigned* number_blocks(unsigned count)
{
    unsigned* number = (unsigned*)malloc(count * sizeof *number);
    if (!number) device_stop("no memory for the blocks of a kernel");
    for (unsigned i = 0; i < count; ++i) number[i] = i;
    for (unsigned i = count; device_is_shuffled() && i > 1; --i) {
        unsigned other = device_random(i), kept = number[i - 1];
        number[i - 1] = number[other];
        number[other] = kept;
    }
    return number;
}

void threads_run(const emulated_launch* l, void** arguments)
{
    enum { MOST_AT_ONCE = 3 };
    unsigned count = l->grid.x * l->grid.y * l->grid.z;
    unsigned* number = number_blocks(count);
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    all.launch = l;
    all.shuffled = device_is_shuffled();
    all.arguments = arguments;
    all.threads_per_block = (int)(l->block.x * l->block.y * l->block.z);
    all.warps_per_block = (all.threads_per_block + EMULATED_WARP - 1) / EMULATED_WARP;
    emulated_grid = (emulated_sizes){l->grid, l->block};
    for (unsigned i = 0, at_once; i < count; i += at_once) {
        at_once = l->cooperative         ? count
                  : device_is_shuffled() ? 1 + device_random(MOST_AT_ONCE)
                                         : 1;
        if (at_once > count - i) at_once = count - i;
        run_blocks(number + i, (int)at_once);
    }
    fesetenv(&callers);
    free(number);
}
