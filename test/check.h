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

#include "pliant.h"

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

// In the place of cmocka_unit_test, for what is long and runs in one thread, or does with threads
// what others do too: there is nothing new in it for the thread sanitizer, which skips it.
#if defined __SANITIZE_THREAD__
#define UNDER_THREAD_SANITIZER 1
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#endif
#ifndef UNDER_THREAD_SANITIZER
#define UNDER_THREAD_SANITIZER 0
#endif
static inline void skip_known_threads(void** unused)
{
    (void)unused;
    print_message("nothing new for the thread sanitizer\n");
    skip();
}
#define known_threads_test(f)                                                                      \
    {                                                                                              \
#f, UNDER_THREAD_SANITIZER ? skip_known_threads : (f), NULL, NULL, NULL                    \
    }

// Meshes beside the project, for tests that skip with a word where they are missing.
#define SHARED_MESHES SOURCE_DIR "/../shared/meshes/"
