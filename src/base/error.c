#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char error_text[1024];
static _Thread_local bool hushed;

static void log_to_stderr(const char* text, void* context)
{
    (void)context;
    fprintf(stderr, "pliant: warning: %s\n", text);
}

static void abort_on_assert(const char* condition, const char* file, int line, void* context)
{
    (void)context;
    fprintf(stderr, "pliant: misuse: %s does not hold (%s:%d)\n", condition, file, line);
    abort();
}

static struct {
    pliant_log_fn* log;
    void* log_context;
    pliant_assert_fn* asserted;
    void* assert_context;
} hooks = {log_to_stderr, NULL, abort_on_assert, NULL};

void pliant_set_log(pliant_log_fn* log, void* context)
{
    hooks.log = log;
    hooks.log_context = context;
}

void pliant_set_assert(pliant_assert_fn* handler, void* context)
{
    hooks.asserted = handler ? handler : abort_on_assert;
    hooks.assert_context = context;
}

const char* pliant_error_text(void) { return error_text; }

const char* pliant_version(void)
{
#define TEXT_(a) #a
#define TEXT(a)  TEXT_(a)
    return TEXT(PLIANT_VERSION_MAJOR) "." TEXT(PLIANT_VERSION_MINOR) "." TEXT(PLIANT_VERSION_PATCH);
}

pliant_result pliant_check_version(int header_version)
{
    int major = header_version / 10000, minor = header_version / 100 % 100;
    bool same = major == PLIANT_VERSION_MAJOR && (major > 0 || minor == PLIANT_VERSION_MINOR);
    if (same) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "the program was compiled with the header of Pliant %d.%d.%d, and the library is "
                "%s: compile it again, or install that version",
                major, minor, header_version % 100, pliant_version());
}

const char* pliant_result_name(pliant_result result)
{
    switch (result) {
    case PLIANT_OK:
        return "ok";
    case PLIANT_ERROR_ARGUMENT:
        return "bad argument";
    case PLIANT_ERROR_FILE:
        return "file error";
    case PLIANT_ERROR_FORMAT:
        return "format error";
    case PLIANT_ERROR_MEMORY:
        return "out of memory";
    case PLIANT_ERROR_DIVERGED:
        return "diverged";
    case PLIANT_ERROR_UNSUPPORTED:
        return "unsupported";
    case PLIANT_ERROR_CANCELED:
        return "canceled";
    case PLIANT_ERROR_DEVICE:
        return "device error";
    }
    return "unknown result";
}

pliant_result fail(pliant_result result, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return result;
}

pliant_result fail_memory(size_t bytes)
{
    return fail(PLIANT_ERROR_MEMORY, "out of memory: %zu bytes were refused", bytes);
}

void warn_hush(bool hush) { hushed = hush; }

void warn(const char* format, ...)
{
    char text[1024];
    if (hushed) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (hooks.log) hooks.log(text, hooks.log_context);
}

// As it is in the project: where that was built is nobody's business.
static const char* file_in_project(const char* file)
{
    for (const char* at = file; (at = strstr(at, "src/")) != NULL; ++at)
        if (at == file || at[-1] == '/' || at[-1] == '\\') file = at;
    return file;
}

// Where the handler returns, the caller fails: with this sentence, not with that of an older
// failure.
bool assert_failed(const char* condition, const char* file, int line)
{
    file = file_in_project(file);
    fail(PLIANT_ERROR_ARGUMENT, "misuse: %s does not hold (%s:%d)", condition, file, line);
    hooks.asserted(condition, file, line, hooks.assert_context);
    return false;
}
