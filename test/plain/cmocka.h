// What our tests use of cmocka, for machines that do not have it: one line for each test, and a
// summary. A test program that finds this header before the real one needs no library.
#pragma once
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char* name;
    void (*test_func)(void** state);
    int (*setup_func)(void** state);
    int (*teardown_func)(void** state);
    void* initial_state;
};

enum { PLAIN_PASSED = 1, PLAIN_FAILED, PLAIN_SKIPPED };
static jmp_buf plain_way_out;

#define print_message(...) ((void)printf(__VA_ARGS__))
#define print_error(...)   ((void)fprintf(stderr, __VA_ARGS__))
#define skip()             longjmp(plain_way_out, PLAIN_SKIPPED)

static inline void _fail(const char* file, int line)
{
    print_error("%s:%d: error\n", file, line);
    longjmp(plain_way_out, PLAIN_FAILED);
}

static inline void plain_require(bool holds, const char* what, const char* file, int line)
{
    if (holds) return;
    print_error("%s does not hold\n", what);
    _fail(file, line);
}

static inline void plain_equal(long long a, long long b, const char* what, const char* file,
                               int line)
{
    if (a == b) return;
    print_error("%s: %lld is not %lld\n", what, a, b);
    _fail(file, line);
}

#define assert_true(what)     plain_require((what) ? true : false, #what, __FILE__, __LINE__)
#define assert_false(what)    plain_require(!(what), "!(" #what ")", __FILE__, __LINE__)
#define assert_non_null(what) plain_require((what) != NULL, #what, __FILE__, __LINE__)
#define assert_null(what)     plain_require((what) == NULL, "!" #what, __FILE__, __LINE__)
#define assert_int_equal(a, b)                                                                     \
    plain_equal((long long)(a), (long long)(b), #a " == " #b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, bytes)                                                           \
    plain_require(memcmp(a, b, bytes) == 0, #a " == " #b, __FILE__, __LINE__)

#define cmocka_unit_test(function)                                                                 \
    {                                                                                              \
#function, function, NULL, NULL, NULL                                                      \
    }

static inline int plain_run_one(const struct CMUnitTest* t)
{
    static const char* const words[] = {"", "OK", "FAILED", "SKIPPED"};
    void* first = t->initial_state;
    int outcome = setjmp(plain_way_out);
    if (outcome == 0) {
        t->test_func(&first);
        outcome = PLAIN_PASSED;
    }
    printf("[ %-7s ] %s\n", words[outcome], t->name);
    fflush(stdout);
    return outcome;
}

// Returns the number of failures. PLAIN_SHARE=2/4 runs the second of four shares alone, for slow
// tools that several processes can be waited for at once.
static inline int plain_run(const struct CMUnitTest* tests, size_t count)
{
    int number[4] = {0};
    size_t share = 1, shares = 1;
    const char* wanted = getenv("PLAIN_SHARE");
    if (wanted && (sscanf(wanted, "%zu/%zu", &share, &shares) != 2 || share < 1 || shares < share))
        return print_error("PLAIN_SHARE=%s: use SHARE/SHARES, like 2/4\n", wanted), 1;
    for (size_t i = share - 1; i < count; i += shares) number[plain_run_one(&tests[i])]++;
    printf("%d passed, %d failed, %d skipped\n", number[PLAIN_PASSED], number[PLAIN_FAILED],
           number[PLAIN_SKIPPED]);
    return number[PLAIN_FAILED];
}

static inline void cmocka_set_test_filter(const char* pattern)
{
    print_error("'%s': no patterns without cmocka\n", pattern);
    exit(2);
}

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    ((void)(setup), (void)(teardown), plain_run(tests, sizeof(tests) / sizeof((tests)[0])))
