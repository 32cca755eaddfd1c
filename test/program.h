// Runs the program and keeps what it prints.
#pragma once
#include "check.h"
#include <jansson.h>
#include <sys/wait.h>

typedef struct {
    int status;
    char text[65536]; // stdout, or stderr
} program_run;

// `arguments` go through the shell; "2>&1 >/dev/null" keeps stderr instead of stdout.
static inline void run_program(const char* arguments, program_run* out)
{
    char command[8192];
    snprintf(command, sizeof command, "'%s' %s", PROGRAM, arguments);
    FILE* pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t used = fread(out->text, 1, sizeof out->text - 1, pipe);
    out->text[used] = 0;
    int status = pclose(pipe);
    out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void check_status(const char* arguments, int expected)
{
    program_run run;
    char quiet[1024];
    snprintf(quiet, sizeof quiet, "%s 2>&1", arguments);
    run_program(quiet, &run);
    if (run.status != expected)
        fail_msg("pliant %s left with %d, expected %d:\n%s", arguments, run.status, expected,
                 run.text);
}

// The sentence on stderr has `part` in it, and the exit status is as expected.
static inline void check_complaint(const char* arguments, int status, const char* part)
{
    program_run run;
    char complaint[1024];
    snprintf(complaint, sizeof complaint, "%s 2>&1 >/dev/null", arguments);
    run_program(complaint, &run);
    if (run.status != status || !strstr(run.text, part))
        fail_msg("pliant %s left with %d and said \"%s\"; expected %d and \"%s\"", arguments,
                 run.status, run.text, status, part);
}

// The only line of output as JSON; the caller releases it.
static inline json_t* run_json(const char* arguments)
{
    program_run run;
    json_error_t error;
    run_program(arguments, &run);
    json_t* root = json_loads(run.text, 0, &error);
    if (run.status != 0 || !root)
        fail_msg("pliant %s left with %d: %s: %s", arguments, run.status, error.text, run.text);
    return root;
}

static inline long long json_int_at(const json_t* object, const char* key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}
