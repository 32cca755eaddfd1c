// Results with a sentence, warnings, and asserts with a hook.
#pragma once
#include "pliant.h"

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

// Keeps the sentence for pliant_error_text() and returns `result`:
//     return fail(PLIANT_ERROR_FORMAT, "%s:%d: expected 3 numbers", name, line);
pliant_result fail(pliant_result result, const char* format, ...) PRINTF_LIKE(2, 3);
pliant_result fail_memory(size_t bytes);

void warn(const char* format, ...) PRINTF_LIKE(1, 2);

// While true, this thread's warnings go nowhere: for work that nobody asked for.
void warn_hush(bool hush);

// Calls the assert handler; always false, so that a caller can leave: if (!REQUIRE(x)) return 0;
bool assert_failed(const char* condition, const char* file, int line);
#define REQUIRE(condition) ((condition) ? true : assert_failed(#condition, __FILE__, __LINE__))
