// An allocator that fails once, at a chosen allocation: for tests that nothing crashes or leaks.
#pragma once
#include "check.h"

typedef struct {
    int until_failure; // allocations that still succeed
} failing_allocator;

static void* allocate_or_fail(size_t bytes, size_t alignment, void* context)
{
    failing_allocator* f = (failing_allocator*)context;
    return f->until_failure-- == 0 ? NULL : aligned_alloc(alignment, bytes);
}

static void release_allocated(void* memory, void* context)
{
    (void)context;
    free(memory);
}

// Something that allocates. It returns its result and gives back all that it got.
typedef pliant_result attempt_fn(const void* context);

// Runs `attempt` with the first allocation failing, then with the one that is `step` later, until
// none is left to fail. Returns how many there were, or up to a step more.
static inline int check_some_failures(attempt_fn* attempt, const void* context, int step)
{
    size_t held = pliant_allocated_bytes();
    for (int n = 0;; n += step) {
        failing_allocator failing = {n};
        pliant_allocator hooks = {allocate_or_fail, release_allocated, &failing};
        pliant_set_allocator(&hooks);
        pliant_result result = attempt(context);
        pliant_set_allocator(NULL);
        assert_int_equal(pliant_allocated_bytes(), held);
        if (failing.until_failure >= 0) {
            assert_int_equal(result, PLIANT_OK);
            return n;
        }
        assert_int_equal(result, PLIANT_ERROR_MEMORY);
        assert_non_null(strstr(pliant_error_text(), "out of memory"));
    }
}

static inline int check_every_failure(attempt_fn* attempt, const void* context)
{
    return check_some_failures(attempt, context, 1);
}

// Counts calls of the assert handler: pliant_set_assert(count_misuse, &calls).
static inline void count_misuse(const char* condition, const char* file, int line, void* context)
{
    if (strncmp(file, "src/", 4) != 0) fail_msg("%s:%d: not in the project", file, line);
    (void)condition;
    ++*(int*)context;
}
