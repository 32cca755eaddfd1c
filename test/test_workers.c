// Threads that wait for work together: every task once, for any number of threads and tasks.
#include "base/workers.h"
#undef fail
#include "check.h"
#include <stdatomic.h>

enum { MOST = 100 };

typedef struct {
    _Atomic int runs[MOST];
} tally;

static void count_run(int index, void* argument)
{
    atomic_fetch_add(&((tally*)argument)->runs[index], 1);
}

static void every_task_runs_once(void** state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 8};
    for (int t = 0; t < 4; ++t) {
        workers* w = workers_create(threads[t]);
        assert_non_null(w);
        assert_int_equal(workers_count(w), threads[t]);
        for (int count = 0; count <= MOST; count += 7) {
            tally all = {0};
            workers_run(w, count_run, &all, count);
            for (int i = 0; i < MOST; ++i)
                if (atomic_load(&all.runs[i]) != (i < count))
                    fail_msg("%d threads: task %d of %d ran %d times", threads[t], i, count,
                             atomic_load(&all.runs[i]));
        }
        workers_destroy(w);
    }
}

static void add_one(int index, void* argument)
{
    int* sums = (int*)argument;
    sums[16 * index]++; // plain memory: the end of a run must order it before the next
}

static void runs_follow_each_other(void** state)
{
    (void)state;
    workers* w = workers_create(3);
    int sums[16 * 3] = {0};
    for (int run = 0; run < 20000; ++run) workers_run(w, add_one, sums, 3);
    for (int i = 0; i < 3; ++i) assert_int_equal(sums[16 * i], 20000);
    workers_destroy(w);
}

static void workers_leave_nothing_behind(void** state)
{
    (void)state;
    size_t before = pliant_allocated_bytes();
    for (int i = 0; i < 50; ++i) workers_destroy(workers_create(4));
    assert_int_equal(pliant_allocated_bytes(), before);
}

// A worker that is late for the last run meets the end: for thread sanitizers.
static void workers_end_right_after_a_run(void** state)
{
    (void)state;
    for (int i = 0; i < 200; ++i) {
        workers* w = workers_create(4);
        assert_non_null(w);
        int sums[16 * 4] = {0};
        workers_run(w, add_one, sums, 4);
        workers_destroy(w);
        for (int k = 0; k < 4; ++k) assert_int_equal(sums[16 * k], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(runs_follow_each_other),
        cmocka_unit_test(workers_leave_nothing_behind),
        cmocka_unit_test(workers_end_right_after_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
