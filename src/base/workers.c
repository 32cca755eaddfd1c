#include "base/workers.h"
#include "base/memory.h"
#include "base/platform.h"
#include <stdatomic.h>

// A run is a ticket: its number, how many tasks it has, and which is next. Whoever adds one to the
// ticket has claimed a task. A thread that comes late finds no task left, and nobody waits for it:
// when the system gives a worker's core to someone else, the others do its share.
enum { NEXT_BITS = 16, MOST_TASKS = (1 << NEXT_BITS) - 1 };
typedef uint64_t ticket; // number << 32 | tasks << 16 | next

static ticket make_ticket(uint64_t number, int tasks)
{
    return number << 2 * NEXT_BITS | (uint64_t)tasks << NEXT_BITS;
}
static uint64_t ticket_number(ticket t) { return t >> 2 * NEXT_BITS; }
static int ticket_tasks(ticket t) { return (int)(t >> NEXT_BITS & MOST_TASKS); }
static int ticket_next(ticket t) { return (int)(t & MOST_TASKS); }

struct workers {
    int count; // threads, the caller included
    int spins; // pauses before sleeping
    platform_thread** thread;
    platform_event* start;
    platform_event* finish;
    pliant_task_fn* task;
    void* argument;
    bool stop;
    // On cache lines of their own: everyone writes them.
    _Alignas(64) _Atomic ticket current;
    _Alignas(64) _Atomic int done;   // tasks of the current run
    _Alignas(64) _Atomic int asleep; // workers in or near a sleep on start
    _Atomic bool caller_asleep;
};

// Runs a task of the current run; false when none is left.
static bool run_one(workers* w)
{
    ticket t = atomic_load(&w->current);
    do {
        if (ticket_next(t) >= ticket_tasks(t)) return false;
    } while (!atomic_compare_exchange_weak(&w->current, &t, t + 1));
    w->task(ticket_next(t), w->argument);
    if (atomic_fetch_add(&w->done, 1) + 1 == ticket_tasks(t) && atomic_load(&w->caller_asleep))
        platform_event_wake_all(w->finish);
    return true;
}

typedef struct {
    workers* w;
    uint64_t seen;
} waiting;

static bool no_new_run(void* argument)
{
    waiting* wait = (waiting*)argument;
    return ticket_number(atomic_load(&wait->w->current)) == wait->seen;
}

static bool not_finished(void* argument)
{
    workers* w = (workers*)argument;
    return atomic_load(&w->done) < ticket_tasks(atomic_load(&w->current));
}

// Returns the number of the run that ended the wait.
static uint64_t wait_for_run(workers* w, uint64_t seen)
{
    waiting wait = {w, seen};
    for (int i = 0; i < w->spins && no_new_run(&wait); ++i) platform_pause();
    if (no_new_run(&wait)) {
        atomic_fetch_add(&w->asleep, 1);
        platform_event_sleep_while(w->start, no_new_run, &wait);
        atomic_fetch_sub(&w->asleep, 1);
    }
    return ticket_number(atomic_load(&w->current));
}

static void worker_main(void* argument)
{
    workers* w = (workers*)argument;
    platform_flush_denormals();
    for (uint64_t seen = 0;;) {
        seen = wait_for_run(w, seen);
        if (w->stop) return;
        while (run_one(w)) {
        }
    }
}

static void start_run(workers* w, int tasks)
{
    uint64_t number = (ticket_number(atomic_load(&w->current)) + 1) & UINT32_MAX;
    atomic_store(&w->done, 0);
    atomic_store(&w->current, make_ticket(number, tasks));
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
    start_run(w, count);
    while (run_one(w)) {
    }
    wait_for_finish(w);
}

int workers_count(const workers* w) { return w->count; }

workers* workers_create(int threads)
{
    workers* w = (workers*)mem_alloc_zero(sizeof *w);
    if (!w) return NULL;
    // Spinning pays only while every thread has a core of its own.
    w->spins = threads <= platform_core_count() ? 2000 : 20;
    w->count = 1;
    w->thread = (platform_thread**)mem_array_zero((size_t)threads, sizeof *w->thread);
    w->start = platform_event_create();
    w->finish = platform_event_create();
    bool good = w->thread && w->start && w->finish;
    for (int i = 1; good && i < threads; ++i) {
        w->thread[i] = platform_thread_start(worker_main, w);
        good = w->thread[i] != NULL;
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
    if (w->count > 1) start_run(w, 0);
    for (int i = 1; i < w->count; ++i) platform_thread_join(w->thread[i]);
    platform_event_destroy(w->start);
    platform_event_destroy(w->finish);
    mem_free(w->thread);
    mem_free(w);
}
