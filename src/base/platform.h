// What the library asks the operating system for: time, whole files, threads, the processor. What
// only the program needs is in system/. No other place has POSIX calls.
#pragma once
#include "base/error.h"

double platform_seconds(void); // monotonic
int platform_core_count(void); // that this process may use

// Widest vectors that the processor and this build can use: 4, 8 or 16 floats.
int platform_lanes(void);

// Floating point in this thread as IEEE 754 has it, whatever the caller has set: rounded to
// nearest, denormal numbers kept, nothing trapped. It is all that processors have in common:
// WebAssembly and RISC-V cannot flush denormals, and x86 and ARM flush different ones.
typedef struct {
    unsigned int saved;
} platform_float_mode;
platform_float_mode platform_standard_floats(void);
void platform_restore_float_mode(platform_float_mode mode);

// A whole file in memory from mem_alloc, or all of the standard input. One zero byte follows the
// data.
pliant_result platform_read_file(const char* path, void** out_data, size_t* out_bytes);
pliant_result platform_read_input(void** out_data, size_t* out_bytes);

// A file that is written piece by piece under a temporary name beside `path`, PATH.part and the
// number of the process, and appears whole or not at all. Failures stick; the end tells them.
// DRAFT_ON_DISK: it has its name only when its bytes are on the disk, so that also a machine that
// stops leaves no file that is cut off; that takes some milliseconds.
typedef enum { DRAFT_DROPPED, DRAFT_KEPT, DRAFT_ON_DISK } draft_end;
typedef struct platform_draft platform_draft;
pliant_result platform_draft_open(const char* path, platform_draft** out);
void platform_draft_write(platform_draft* d, const void* data, size_t bytes);
pliant_result platform_draft_close(platform_draft* d, draft_end end);
// The same in one call: kept, or on the disk.
pliant_result platform_write_file(const char* path, const void* data, size_t bytes);
pliant_result platform_write_to_disk(const char* path, const void* data, size_t bytes);

void platform_pause(void); // in a spin loop

typedef struct platform_thread platform_thread;
typedef void platform_thread_fn(void* argument);
platform_thread* platform_thread_start(platform_thread_fn* run, void* argument);
void platform_thread_join(platform_thread* thread);

typedef struct platform_mutex platform_mutex;
platform_mutex* platform_mutex_create(void);
void platform_mutex_destroy(platform_mutex* mutex);
void platform_mutex_lock(platform_mutex* mutex);
void platform_mutex_unlock(platform_mutex* mutex);

// A place to sleep until somebody wakes everyone: a mutex and a condition.
typedef struct platform_event platform_event;
platform_event* platform_event_create(void);
void platform_event_destroy(platform_event* event);
// Sleeps while predicate(argument) holds. The predicate is evaluated under the event's lock.
void platform_event_sleep_while(platform_event* event, bool (*predicate)(void*), void* argument);
void platform_event_wake_all(platform_event* event);
