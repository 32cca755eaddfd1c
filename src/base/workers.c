#include "base/workers.h"
#include "base/memory.h"
#include "base/platform.h"
#include <stdatomic.h>

typedef struct {
    workers* owner;
    platform_thread* thread;
    int number; // 1 and up; the caller is 0
} worker;

struct workers {
    int count;
    int spins; // pauses before sleeping
    worker* worker;
    platform_event* start;
    platform_event* done;
    pliant_task_fn* task;
    void* argument;
    int tasks;
    bool stop;
    // Each on a cache line of its own: one is written by the caller, the other by everyone.
    _Alignas(64) _Atomic unsigned int round; // grows by one per run
    _Alignas(64) _Atomic int pending;        // workers still busy in this round
    _Alignas(64) _Atomic int asleep;         // workers in or near a sleep on start
    _Atomic int caller_asleep;
};

typedef struct {
    workers* w;
    unsigned int seen;
} waiting;

static bool no_new_round(void* argument)
{
    waiting* wait = (waiting*)argument;
    return atomic_load(&wait->w->round) == wait->seen;
}

static bool someone_is_busy(void* argument)
{
    return atomic_load(&((workers*)argument)->pending) > 0;
}

static void run_share(workers* w, int number)
{
    for (int i = number; i < w->tasks; i += w->count) w->task(i, w->argument);
}

static void wait_for_round(workers* w, unsigned int seen)
{
    waiting wait = {w, seen};
    for (int i = 0; i < w->spins; ++i) {
        if (atomic_load_explicit(&w->round, memory_order_acquire) != seen) return;
        platform_pause();
    }
    atomic_fetch_add(&w->asleep, 1);
    platform_event_sleep_while(w->start, no_new_round, &wait);
    atomic_fetch_sub(&w->asleep, 1);
}

static void finish_share(workers* w)
{
    if (atomic_fetch_sub(&w->pending, 1) == 1 && atomic_load(&w->caller_asleep))
        platform_event_wake_all(w->done);
}

static void worker_main(void* argument)
{
    worker* self = (worker*)argument;
    workers* w = self->owner;
    platform_flush_denormals();
    for (unsigned int seen = 0;;) {
        wait_for_round(w, seen);
        ++seen;
        if (w->stop) return;
        run_share(w, self->number);
        finish_share(w);
    }
}

static void start_round(workers* w)
{
    atomic_store(&w->pending, w->count - 1);
    atomic_fetch_add(&w->round, 1);
    if (atomic_load(&w->asleep) > 0) platform_event_wake_all(w->start);
}

static void wait_for_all(workers* w)
{
    for (int i = 0; i < w->spins; ++i) {
        if (atomic_load_explicit(&w->pending, memory_order_acquire) == 0) return;
        platform_pause();
    }
    atomic_store(&w->caller_asleep, 1);
    platform_event_sleep_while(w->done, someone_is_busy, w);
    atomic_store(&w->caller_asleep, 0);
}

void workers_run(workers* w, pliant_task_fn* task, void* argument, int count)
{
    w->task = task;
    w->argument = argument;
    w->tasks = count;
    if (w->count > 1) start_round(w);
    run_share(w, 0);
    if (w->count > 1) wait_for_all(w);
}

int workers_count(const workers* w) { return w->count; }

workers* workers_create(int threads)
{
    workers* w = (workers*)mem_alloc_zero(sizeof *w);
    if (!w) return NULL;
    // Spinning pays only while every thread has a core of its own.
    w->spins = threads <= platform_core_count() ? 2000 : 20;
    w->count = 1;
    w->worker = (worker*)mem_array_zero((size_t)threads, sizeof(worker));
    w->start = platform_event_create();
    w->done = platform_event_create();
    bool good = w->worker && w->start && w->done;
    for (int i = 1; good && i < threads; ++i) {
        w->worker[i].owner = w;
        w->worker[i].number = i;
        w->worker[i].thread = platform_thread_start(worker_main, &w->worker[i]);
        good = w->worker[i].thread != NULL;
        if (good) w->count = i + 1;
    }
    if (good) return w;
    workers_destroy(w);
    return NULL;
}

void workers_destroy(workers* w)
{
    if (!w) return;
    w->stop = true;
    if (w->count > 1) start_round(w);
    for (int i = 1; i < w->count; ++i) platform_thread_join(w->worker[i].thread);
    platform_event_destroy(w->start);
    platform_event_destroy(w->done);
    mem_free(w->worker);
    mem_free(w);
}
