#include "base/workers.h"
#include "base/memory.h"
#include "base/platform.h"
#include <stdatomic.h>

// A run has a number. Each thread has a slot with a share of the tasks, next to each other, and
// takes those of its own slot first, so that it works on the same part of the data in run after
// run; then those that are left in the others', one at a time. When the system gives a worker's
// core to someone else, the others do its share, and nobody waits for more than the task at hand.
typedef struct {
    _Alignas(64) _Atomic uint64_t left; // number of the run, and how many tasks nobody has taken
} slot;

typedef struct {
    workers* owner;
    platform_thread* thread;
    int number; // 1 and up; the caller is 0
} worker;

struct workers {
    int count; // threads, the caller included
    int spins; // pauses before sleeping
    worker* worker;
    slot* slot;
    platform_event* start;
    platform_event* finish;
    // What a worker reads at the start of a run, on one cache line. Only who has taken a task reads
    // what it is: the run cannot end before, and the caller cannot change it. Anybody reads stop.
    _Alignas(64) _Atomic uint32_t run;
    int tasks;
    pliant_task_fn* task;
    void* argument;
    _Atomic bool stop;
    _Alignas(64) _Atomic int unfinished; // tasks of the run
    _Atomic int asleep;                  // workers in or near a sleep on start
    _Atomic bool caller_asleep;
};

static int slot_start(const workers* w, int number)
{
    return (int)((int64_t)w->tasks * number / w->count);
}

static uint64_t tasks_left(uint32_t run, int count)
{
    return (uint64_t)run << 32 | (uint32_t)count;
}

// Takes one task of a slot. Late or stale, it finds another run's number. Returns how many were
// left with it, 0: none.
static int take_task(slot* s, uint32_t run)
{
    uint64_t left = atomic_load_explicit(&s->left, memory_order_relaxed);
    while (left >> 32 == run && (uint32_t)left > 0)
        if (atomic_compare_exchange_weak(&s->left, &left, left - 1)) return (int)(uint32_t)left;
    return 0;
}

static void run_slot(workers* w, int number, uint32_t run)
{
    int done = 0;
    for (int left; (left = take_task(&w->slot[number], run)) > 0; ++done)
        w->task(slot_start(w, number + 1) - left, w->argument);
    if (done == 0) return;
    if (atomic_fetch_sub(&w->unfinished, done) == done && atomic_load(&w->caller_asleep))
        platform_event_wake_all(w->finish);
}

static void run_slots(workers* w, int first, uint32_t run)
{
    for (int i = 0; i < w->count; ++i) run_slot(w, (first + i) % w->count, run);
}

typedef struct {
    workers* w;
    uint32_t seen;
} waiting;

// Sleepers announce themselves and then look; who changes something changes it and then looks for
// sleepers. One of the two sees the other, provided that all four accesses are sequentially
// consistent: acquire and release would allow both to miss.
static bool no_new_run(void* argument)
{
    const waiting* wait = (const waiting*)argument;
    return atomic_load(&wait->w->run) == wait->seen;
}

static bool not_finished(void* argument)
{
    return atomic_load(&((workers*)argument)->unfinished) > 0;
}

// Returns the number of the run that ended the wait.
static uint32_t wait_for_run(workers* w, uint32_t seen)
{
    waiting wait = {w, seen};
    for (int i = 0; i < w->spins && no_new_run(&wait); ++i) platform_pause();
    if (no_new_run(&wait)) {
        atomic_fetch_add(&w->asleep, 1);
        platform_event_sleep_while(w->start, no_new_run, &wait);
        atomic_fetch_sub(&w->asleep, 1);
    }
    return atomic_load(&w->run);
}

static void worker_main(void* argument)
{
    worker* self = (worker*)argument;
    workers* w = self->owner;
    platform_standard_floats();
    for (uint32_t seen = 0;;) {
        seen = wait_for_run(w, seen);
        if (atomic_load(&w->stop)) return;
        run_slots(w, self->number, seen);
    }
}

static void start_run(workers* w)
{
    uint32_t run = atomic_load_explicit(&w->run, memory_order_relaxed) + 1;
    for (int i = 0; i < w->count; ++i)
        atomic_store_explicit(&w->slot[i].left,
                              tasks_left(run, slot_start(w, i + 1) - slot_start(w, i)),
                              memory_order_relaxed);
    atomic_store(&w->unfinished, w->tasks);
    atomic_store(&w->run, run);
    if (atomic_load(&w->asleep) > 0) platform_event_wake_all(w->start);
}

static void wait_for_finish(workers* w)
{
    for (int i = 0; i < w->spins && not_finished(w); ++i) platform_pause();
    if (!not_finished(w)) return;
    atomic_store(&w->caller_asleep, true);
    platform_event_sleep_while(w->finish, not_finished, w);
    atomic_store(&w->caller_asleep, false);
}

void workers_run(workers* w, pliant_task_fn* task, void* argument, int count)
{
    if (w->count == 1 || count == 1) {
        for (int i = 0; i < count; ++i) task(i, argument);
        return;
    }
    w->task = task;
    w->argument = argument;
    w->tasks = count;
    start_run(w);
    run_slots(w, 0, atomic_load(&w->run));
    wait_for_finish(w);
}

int workers_count(const workers* w) { return w->count; }

workers* workers_create(int threads)
{
    workers* w = (workers*)mem_alloc_zero(sizeof *w);
    if (!w) return NULL;
    // Spinning pays only while every thread has a core of its own.
    w->spins = threads <= platform_core_count() ? 2000 : 20;
    w->worker = (worker*)mem_array_zero((size_t)threads, sizeof *w->worker);
    w->slot = (slot*)mem_array_zero((size_t)threads, sizeof *w->slot);
    w->start = platform_event_create();
    w->finish = platform_event_create();
    w->count = threads;
    bool good = w->worker && w->slot && w->start && w->finish;
    for (int i = 1; good && i < threads; ++i) {
        w->worker[i].owner = w;
        w->worker[i].number = i;
        w->worker[i].thread = platform_thread_start(worker_main, &w->worker[i]);
        good = w->worker[i].thread != NULL;
    }
    if (good) return w;
    workers_destroy(w);
    return NULL;
}

void workers_destroy(workers* w)
{
    if (!w) return;
    atomic_store(&w->stop, true);
    w->tasks = 0;
    if (w->start && w->slot) start_run(w);
    for (int i = 1; w->worker && i < w->count; ++i) platform_thread_join(w->worker[i].thread);
    platform_event_destroy(w->start);
    platform_event_destroy(w->finish);
    mem_free(w->worker);
    mem_free(w->slot);
    mem_free(w);
}
