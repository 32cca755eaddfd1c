// What every test needs: cmocka with its includes, and checks that show their numbers.
#pragma once
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// base/error.h has a function fail().
#undef fail
#undef fail_msg
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        print_error(__VA_ARGS__);                                                                  \
        print_error("\n");                                                                         \
        _fail(__FILE__, __LINE__);                                                                 \
    } while (0)

#include "get.h"

// |actual - expected| <= relative * |expected|
#define CHECK_CLOSE(actual, expected, relative)                                                    \
    check_close(#actual, (double)(actual), (double)(expected), (double)(relative), __FILE__,       \
                __LINE__)
static inline void check_close(const char* what, double actual, double expected, double relative,
                               const char* file, int line)
{
    if (fabs(actual - expected) <= relative * fabs(expected)) return;
    print_error("%s is %.9g, expected %.9g within %.3g (off by %.3g)\n", what, actual, expected,
                relative, fabs(actual - expected) / fabs(expected));
    _fail(file, line);
}

// low <= actual <= high
#define CHECK_BETWEEN(actual, low, high)                                                           \
    check_between(#actual, (double)(actual), (double)(low), (double)(high), __FILE__, __LINE__)
static inline void check_between(const char* what, double actual, double low, double high,
                                 const char* file, int line)
{
    if (low <= actual && actual <= high) return;
    print_error("%s is %.9g, expected %.9g to %.9g\n", what, actual, low, high);
    _fail(file, line);
}

#define CHECK_OK(call)                                                                             \
    do {                                                                                           \
        if ((call) != PLIANT_OK) {                                                                 \
            print_error("%s: %s\n", #call, pliant_error_text());                                   \
            _fail(__FILE__, __LINE__);                                                             \
        }                                                                                          \
    } while (0)

// ---- how much is run

// BRIEF under sanitizers, which look at memory, threads and undefined behavior and take ten times
// as long, and on an emulated device (test/emulated), which takes a hundred times as long as a GPU;
// USUAL elsewhere; ALL everywhere by PLIANT_TEST_ALL=1 (make test-all).
#ifndef ON_EMULATED_DEVICE
#define ON_EMULATED_DEVICE 0
#endif
typedef enum { BRIEF, USUAL, ALL } test_scope;
static inline test_scope scope_now(void)
{
    const char* all = getenv("PLIANT_TEST_ALL");
    if (all && strcmp(all, "1") == 0) return ALL;
    return UNDER_SANITIZER || ON_EMULATED_DEVICE ? BRIEF : USUAL;
}

// How many: combinations, steps, cells.
static inline int by_scope(int brief, int usual, int all)
{
    return scope_now() == BRIEF ? brief : scope_now() == USUAL ? usual : all;
}

typedef void test_function(void** state);

static inline void skip_known_threads(void** unused)
{
    (void)unused;
    print_message("nothing new for the thread sanitizer\n");
    skip();
}
static inline test_function* known_threads(test_function* f)
{
    return UNDER_THREAD_SANITIZER ? skip_known_threads : f;
}

static inline void leave_out(void** unused)
{
    (void)unused;
    print_message("left to make test-all\n"); // scripts/test.sh looks for it
    skip();
}
static inline test_function* from_scope(test_scope least, test_function* f)
{
    return scope_now() < least ? leave_out : f;
}

// In the place of cmocka_unit_test; those that end in _with have a setup and a teardown.
#define test_with(f, function, setup, teardown)                                                    \
    {                                                                                              \
#f, function, setup, teardown, NULL                                                        \
    }
// Long, and in one thread, or with threads what others do too: there is nothing new in it for the
// thread sanitizer, which never has it.
#define known_threads_test(f)                       known_threads_test_with(f, NULL, NULL)
#define known_threads_test_with(f, setup, teardown) test_with(f, known_threads(f), setup, teardown)
// The same, but the thread sanitizer has it in test-all.
#define spare_threads_test(f) spare_threads_test_with(f, NULL, NULL)
#define spare_threads_test_with(f, setup, teardown)                                                \
    test_with(f, UNDER_THREAD_SANITIZER ? from_scope(USUAL, f) : f, setup, teardown)
// Long for the sake of its numbers, on ways through the code that other tests go too: not for
// sanitizers.
#define numbers_test(f) numbers_test_with(f, NULL, NULL)
#define numbers_test_with(f, setup, teardown)                                                      \
    test_with(f, known_threads(from_scope(USUAL, f)), setup, teardown)
// As numbers_test, with threads of its own.
#define usual_test(f)                       usual_test_with(f, NULL, NULL)
#define usual_test_with(f, setup, teardown) test_with(f, from_scope(USUAL, f), setup, teardown)
// Too long for every day.
#define long_test(f) test_with(f, from_scope(ALL, f), NULL, NULL)

// Meshes beside the project, for tests that skip with a word where they are missing.
#define SHARED_MESHES SOURCE_DIR "/../shared/meshes/"
