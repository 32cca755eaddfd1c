#ifdef __linux__
#define _GNU_SOURCE // the cores that a process may use
#include <sched.h>
#else
#define _POSIX_C_SOURCE 200809L
#endif
#include "base/memory.h"
#include "base/platform.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#define ON_X86 1
#else
#define ON_X86 0
#endif

double platform_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int platform_core_count(void)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

int platform_lanes(void)
{
#ifdef PLIANT_X86 // the kernels are there
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return 16;
    if (__builtin_cpu_supports("avx2")) return 8;
#endif
    return 4;
}

platform_float_mode platform_standard_floats(void)
{
    platform_float_mode mode = {0};
#if ON_X86
    mode.saved = _mm_getcsr();
    _mm_setcsr(0x1f80u); // as a process starts with
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    mode.saved = (unsigned int)control;
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
#endif
    return mode;
}

void platform_restore_float_mode(platform_float_mode mode)
{
#if ON_X86
    _mm_setcsr(mode.saved);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode.saved));
#else
    (void)mode;
#endif
}

static pliant_result read_stream(FILE* file, const char* path, void** out_data, size_t* out_bytes)
{
    size_t bytes = 0, capacity = 0;
    char* data = NULL;
    for (;;) {
        if (bytes + 1 >= capacity) {
            size_t larger = capacity ? 2 * capacity : 1 << 16;
            char* grown = (char*)mem_alloc(larger);
            if (!grown) {
                mem_free(data);
                return PLIANT_ERROR_MEMORY;
            }
            if (bytes) memcpy(grown, data, bytes);
            mem_free(data);
            data = grown;
            capacity = larger;
        }
        size_t got = fread(data + bytes, 1, capacity - 1 - bytes, file);
        bytes += got;
        if (got == 0) break;
    }
    if (ferror(file)) {
        mem_free(data);
        return fail(PLIANT_ERROR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    }
    data[bytes] = 0;
    *out_data = data;
    *out_bytes = bytes;
    return PLIANT_OK;
}

pliant_result platform_read_file(const char* path, void** out_data, size_t* out_bytes)
{
    FILE* file = fopen(path, "rb");
    if (!file) return fail(PLIANT_ERROR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    errno = 0;
    pliant_result result = read_stream(file, path, out_data, out_bytes);
    fclose(file);
    return result;
}

pliant_result platform_read_input(void** out_data, size_t* out_bytes)
{
    errno = 0;
    return read_stream(stdin, "standard input", out_data, out_bytes);
}

// ---- files that appear whole --------------------------------------------------------------------

struct platform_draft {
    FILE* file;
    bool failed;
    int reason; // errno of the first failure
    char path[4096], temporary[4096];
};

pliant_result platform_draft_open(const char* path, platform_draft** out)
{
    platform_draft* d = (platform_draft*)mem_alloc_zero(sizeof *d);
    *out = NULL;
    if (!d) return PLIANT_ERROR_MEMORY;
    int length = snprintf(d->path, sizeof d->path, "%s", path);
    int longer = snprintf(d->temporary, sizeof d->temporary, "%s.part%ld", path, (long)getpid());
    pliant_result result = PLIANT_OK;
    if (length == 0)
        result = fail(PLIANT_ERROR_FILE, "the name of the file to write is empty");
    else if (length < 0 || longer < 0 || (size_t)longer >= sizeof d->temporary)
        result = fail(PLIANT_ERROR_FILE, "%.200s...: the path is too long", path);
    else if (!(d->file = fopen(d->temporary, "wb")))
        result = fail(PLIANT_ERROR_FILE, "%s: cannot be created: %s", path, strerror(errno));
    if (result)
        mem_free(d);
    else
        *out = d;
    return result;
}

static void note_failure(platform_draft* d)
{
    if (!d->failed) d->reason = errno;
    d->failed = true;
}

void platform_draft_write(platform_draft* d, const void* data, size_t bytes)
{
    if (d->failed || bytes == 0) return;
    errno = 0;
    if (fwrite(data, 1, bytes, d->file) != bytes) note_failure(d);
}

pliant_result platform_draft_close(platform_draft* d, draft_end end)
{
    pliant_result result = PLIANT_OK;
    errno = 0;
    if (!d->failed && end == DRAFT_ON_DISK && (fflush(d->file) != 0 || fsync(fileno(d->file)) != 0))
        note_failure(d);
    if (fclose(d->file) != 0) note_failure(d);
    if (!d->failed && end != DRAFT_DROPPED && rename(d->temporary, d->path) != 0) note_failure(d);
    if (d->failed || end == DRAFT_DROPPED) remove(d->temporary);
    if (d->failed && end != DRAFT_DROPPED)
        result = fail(PLIANT_ERROR_FILE, "%s: cannot be written: %s", d->path, strerror(d->reason));
    mem_free(d);
    return result;
}

static pliant_result write_whole(const char* path, const void* data, size_t bytes, draft_end end)
{
    platform_draft* d = NULL;
    pliant_result result = platform_draft_open(path, &d);
    if (result) return result;
    platform_draft_write(d, data, bytes);
    return platform_draft_close(d, end);
}

pliant_result platform_write_file(const char* path, const void* data, size_t bytes)
{
    return write_whole(path, data, bytes, DRAFT_KEPT);
}

pliant_result platform_write_to_disk(const char* path, const void* data, size_t bytes)
{
    return write_whole(path, data, bytes, DRAFT_ON_DISK);
}

void platform_pause(void)
{
#if ON_X86
    _mm_pause();
#endif
}

struct platform_thread {
    pthread_t handle;
    platform_thread_fn* run;
    void* argument;
};

static void* thread_main(void* self)
{
    platform_thread* thread = (platform_thread*)self;
    thread->run(thread->argument);
    return NULL;
}

platform_thread* platform_thread_start(platform_thread_fn* run, void* argument)
{
    platform_thread* thread = (platform_thread*)mem_alloc(sizeof *thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->argument = argument;
    if (pthread_create(&thread->handle, NULL, thread_main, thread) == 0) return thread;
    mem_free(thread);
    fail(PLIANT_ERROR_MEMORY, "a worker thread cannot be started");
    return NULL;
}

void platform_thread_join(platform_thread* thread)
{
    if (!thread) return;
    pthread_join(thread->handle, NULL);
    mem_free(thread);
}

struct platform_mutex {
    pthread_mutex_t handle;
};

platform_mutex* platform_mutex_create(void)
{
    platform_mutex* mutex = (platform_mutex*)mem_alloc(sizeof *mutex);
    if (mutex) pthread_mutex_init(&mutex->handle, NULL);
    return mutex;
}

void platform_mutex_destroy(platform_mutex* mutex)
{
    if (!mutex) return;
    pthread_mutex_destroy(&mutex->handle);
    mem_free(mutex);
}

void platform_mutex_lock(platform_mutex* mutex) { pthread_mutex_lock(&mutex->handle); }
void platform_mutex_unlock(platform_mutex* mutex) { pthread_mutex_unlock(&mutex->handle); }

struct platform_event {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
};

platform_event* platform_event_create(void)
{
    platform_event* event = (platform_event*)mem_alloc(sizeof *event);
    if (!event) return NULL;
    pthread_mutex_init(&event->mutex, NULL);
    pthread_cond_init(&event->condition, NULL);
    return event;
}

void platform_event_destroy(platform_event* event)
{
    if (!event) return;
    pthread_cond_destroy(&event->condition);
    pthread_mutex_destroy(&event->mutex);
    mem_free(event);
}

void platform_event_sleep_while(platform_event* event, bool (*predicate)(void*), void* argument)
{
    pthread_mutex_lock(&event->mutex);
    while (predicate(argument)) pthread_cond_wait(&event->condition, &event->mutex);
    pthread_mutex_unlock(&event->mutex);
}

void platform_event_wake_all(platform_event* event)
{
    pthread_mutex_lock(&event->mutex);
    pthread_cond_broadcast(&event->condition);
    pthread_mutex_unlock(&event->mutex);
}
