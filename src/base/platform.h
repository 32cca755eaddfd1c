// Everything that asks the operating system: time, files, threads' primitives, the processor.
// The only place with POSIX calls.
#pragma once
#include "base/error.h"

double platform_seconds(void); // monotonic
int platform_core_count(void); // that this process may use

// Widest vectors that the processor and this build can use: 4, 8 or 16 floats.
int platform_lanes(void);

// Denormals flushed to zero in this thread, so that every worker rounds alike.
typedef struct {
    unsigned int saved;
} platform_float_mode;
platform_float_mode platform_flush_denormals(void);
void platform_restore_float_mode(platform_float_mode mode);

// A whole file in memory from mem_alloc. One zero byte follows the data.
pliant_result platform_read_file(const char* path, void** out_data, size_t* out_bytes);

// Writes to a temporary name beside `path` and renames: the file appears whole or not at all.
pliant_result platform_write_file(const char* path, const void* data, size_t bytes);
// The same for a file in pieces.
typedef struct {
    const void* data;
    size_t bytes;
} file_piece;
pliant_result platform_write_pieces(const char* path, const file_piece* piece, int count);

pliant_result platform_make_directory(const char* path); // and its parents; fine if it exists
bool platform_is_file(const char* path);                 // exists and is no folder
bool platform_errors_on_terminal(void);                  // stderr is read by a person

void platform_pause(void); // in a spin loop

// Calls visit(name, context) for what is in a folder, in no order, and stops at the first failure.
typedef pliant_result platform_visit_fn(const char* name, void* context);
pliant_result platform_list_directory(const char* path, platform_visit_fn* visit, void* context);

// Another program that reads what is written to it on its standard input; what it prints goes
// nowhere. NULL when it cannot be started: that it is not there is told by its end.
typedef struct platform_child platform_child;
platform_child* platform_child_start(const char* const* arguments); // NULL after the last
bool platform_child_write(platform_child* child, const void* data, size_t bytes); // false: it ended
// Closes its input and waits: its exit status; 127: there is no such program.
int platform_child_end(platform_child* child);

typedef struct platform_thread platform_thread;
typedef void platform_thread_fn(void* argument);
platform_thread* platform_thread_start(platform_thread_fn* run, void* argument);
void platform_thread_join(platform_thread* thread);

// A place to sleep until somebody wakes everyone: a mutex and a condition.
typedef struct platform_event platform_event;
platform_event* platform_event_create(void);
void platform_event_destroy(platform_event* event);
// Sleeps while predicate(argument) holds. The predicate is evaluated under the event's lock.
void platform_event_sleep_while(platform_event* event, bool (*predicate)(void*), void* argument);
void platform_event_wake_all(platform_event* event);
