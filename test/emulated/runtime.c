// Devices, memory, streams, events and graphs.
//
// What is put into a stream waits there until the host waits for it, or until another stream does
// that the host waits for: as late as a device may be. So the host that reads too early, or writes
// too early what is still to be copied, finds out. Where things are shuffled, streams go on by
// themselves now and then.
#include "device.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- settings -----------------------------------------------------------------------------------

static pthread_mutex_t lock;
static void make_lock(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
}
void device_lock(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_lock);
    if (pthread_mutex_lock(&lock)) device_stop("a kernel was left before it ended");
}
void device_unlock(void) { pthread_mutex_unlock(&lock); }

_Noreturn void device_stop(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "emulated device: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    abort();
}

long device_setting(const char* name, long usual)
{
    const char* text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : usual;
}

int device_processors(void)
{
    static int count;
    if (!count) count = (int)device_setting("PLIANT_EMULATED_PROCESSORS", 2);
    return count;
}

static uint64_t* random_state(void)
{
    static uint64_t state;
    static bool known;
    if (!known) state = (uint64_t)device_setting("PLIANT_EMULATED_SEED", 0);
    known = true;
    return &state;
}
bool device_is_shuffled(void) { return *random_state() != 0; }
unsigned device_random(unsigned below)
{
    uint64_t* state = random_state();
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 32) * below >> 32);
}

long long emulated_nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

// ---- errors and devices -------------------------------------------------------------------------

static _Thread_local cudaError_t last_error;
static cudaError_t report(cudaError_t error)
{
    if (error) last_error = error;
    return error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

#define ERRORS(X)                                                                                  \
    X(cudaSuccess, "no error")                                                                     \
    X(cudaErrorInvalidValue, "invalid argument")                                                   \
    X(cudaErrorMemoryAllocation, "out of memory")                                                  \
    X(cudaErrorInsufficientDriver, "insufficient driver")                                          \
    X(cudaErrorNotReady, "not ready")                                                              \
    X(cudaErrorLaunchOutOfResources, "too many resources requested for launch")
const char* cudaGetErrorName(cudaError_t error)
{
    switch (error) {
#define NAME(error, text)                                                                          \
    case error:                                                                                    \
        return #error;
        ERRORS(NAME)
#undef NAME
    }
    return "unknown";
}
const char* cudaGetErrorString(cudaError_t error)
{
    switch (error) {
#define TEXT(error, text)                                                                          \
    case error:                                                                                    \
        return text;
        ERRORS(TEXT)
#undef TEXT
    }
    return "unknown";
}

// As large as those of a GPU of 2022; how much fits decides how a patch is held.
enum {
    BLOCK_BYTES = 227 * 1024,
    PROCESSOR_BYTES = 228 * 1024,
    RESERVED_BYTES = 1024,
    PROCESSOR_THREADS = 2048,
    BLOCK_THREADS = 1024
};

cudaError_t cudaGetDeviceCount(int* out)
{
    *out = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* out)
{
    *out = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    return report(device ? cudaErrorInvalidValue : cudaSuccess);
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* out, int device)
{
    memset(out, 0, sizeof *out);
    snprintf(out->name, sizeof out->name, "emulated device, %d multiprocessors",
             device_processors());
    out->major = 9;
    return report(device ? cudaErrorInvalidValue : cudaSuccess);
}
cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device)
{
    (void)device;
    *out = attribute == cudaDevAttrMultiProcessorCount                ? device_processors()
           : attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? PROCESSOR_BYTES
                                                                      : BLOCK_BYTES;
    return cudaSuccess;
}

int emulated_blocks_per_processor(int threads, size_t shared_bytes)
{
    size_t each = shared_bytes + EMULATED_STATIC_BYTES + RESERVED_BYTES;
    if (threads > BLOCK_THREADS || shared_bytes + EMULATED_STATIC_BYTES > BLOCK_BYTES) return 0;
    int by_memory = (int)(PROCESSOR_BYTES / each), by_threads = PROCESSOR_THREADS / threads;
    return by_memory < by_threads ? by_memory : by_threads;
}

// ---- memory -------------------------------------------------------------------------------------

typedef struct {
    char* memory;
    size_t bytes;
    bool on_device; // else pinned
} piece_of_memory;
static piece_of_memory* pieces;
static int piece_count, piece_capacity;

void device_spoil(void* memory, size_t bytes)
{
    static const uint32_t word = 0x7ffadead;
    for (size_t i = 0; i < bytes; i += sizeof word)
        memcpy((char*)memory + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
}

static piece_of_memory* find_piece(const void* at)
{
    for (int i = 0; i < piece_count; ++i)
        if ((const char*)at >= pieces[i].memory &&
            (const char*)at < pieces[i].memory + pieces[i].bytes)
            return &pieces[i];
    return NULL;
}
bool memory_is_on_device(const void* at)
{
    const piece_of_memory* p = find_piece(at);
    return p && p->on_device;
}
bool memory_is_pinned(const void* at)
{
    const piece_of_memory* p = find_piece(at);
    return p && !p->on_device;
}

static cudaError_t allocate(void** out, size_t bytes, bool on_device)
{
    *out = NULL;
    if (bytes == 0) return cudaSuccess;
    if (posix_memalign(out, 256, bytes)) return report(cudaErrorMemoryAllocation);
    device_spoil(*out, bytes);
    device_lock();
    if (piece_count == piece_capacity) {
        piece_capacity = 2 * piece_capacity + 64;
        pieces = (piece_of_memory*)realloc(pieces, (size_t)piece_capacity * sizeof *pieces);
        if (!pieces) device_stop("no memory");
    }
    pieces[piece_count++] = (piece_of_memory){(char*)*out, bytes, on_device};
    device_unlock();
    return cudaSuccess;
}

static cudaError_t release(void* memory, bool on_device)
{
    if (!memory) return cudaSuccess;
    cudaDeviceSynchronize();
    device_lock();
    piece_of_memory* p = find_piece(memory);
    if (!p || p->memory != memory || p->on_device != on_device)
        device_stop("%p is freed, and was not allocated", memory);
    device_spoil(memory, p->bytes); // who looks at it later
    *p = pieces[--piece_count];
    device_unlock();
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void** out, size_t bytes) { return allocate(out, bytes, true); }
cudaError_t cudaMallocHost(void** out, size_t bytes) { return allocate(out, bytes, false); }
cudaError_t cudaFree(void* memory) { return release(memory, true); }
cudaError_t cudaFreeHost(void* memory) { return release(memory, false); }

static bool is_within(const void* at, size_t bytes, bool on_device)
{
    const piece_of_memory* p = find_piece(at);
    if (!p || !p->on_device) return !on_device;
    return on_device && (const char*)at + bytes <= p->memory + p->bytes;
}

static void check_copy(const void* to, const void* from, size_t bytes, cudaMemcpyKind kind)
{
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (!is_within(to, bytes, to_device) || !is_within(from, bytes, from_device))
        device_stop("a copy of %zu bytes from %p to %p leaves its memory, or is of another kind",
                    bytes, from, to);
}

// ---- streams ------------------------------------------------------------------------------------

typedef enum { ITEM_KERNEL, ITEM_COPY, ITEM_FILL, ITEM_RECORD, ITEM_WAIT, ITEM_GRAPH } item_kind;
typedef struct emulated_stream stream;
typedef struct emulated_graph graph;
typedef struct emulated_event event;

// Something that is to be done.
typedef struct item {
    item_kind kind;
    emulated_launch launch;
    void** arguments; // in one piece with what they point to
    void *to, *owned; // owned: a copy of what is to be copied
    const void* from;
    size_t bytes;
    int value;
    stream* other; // whom to wait for, until it has done so many
    long long number;
    graph* graph;
    struct item* next;
} item;

typedef struct {
    item *first, *last;
} item_list;

struct emulated_stream {
    item_list list;
    long long put, done; // items
    graph* capture;      // what is put into it now, or NULL
    bool runs;
    stream* next; // of all
};

struct emulated_event {
    stream* of;
    long long number; // of the stream's items that have to be done
};

struct emulated_graph {
    item_list list;
    int users;
};

static stream usual; // that of those who name none
static stream* streams;

static stream* stream_of(cudaStream_t s) { return s ? s : &usual; }

static item* new_item(item_kind kind)
{
    item* i = (item*)calloc(1, sizeof *i);
    if (!i) device_stop("no memory");
    i->kind = kind;
    return i;
}

static void append(item_list* l, item* i)
{
    i->next = NULL;
    if (l->last)
        l->last->next = i;
    else
        l->first = i;
    l->last = i;
}

static void release_graph(graph* g);
static void discard_item(item* i)
{
    free(i->arguments);
    free(i->owned);
    if (i->graph) release_graph(i->graph);
    free(i);
}

static void release_graph(graph* g)
{
    if (--g->users > 0) return;
    for (item *i = g->list.first, *next; i; i = next) {
        next = i->next;
        discard_item(i);
    }
    free(g);
}

static void run_until(stream* s, long long number);

static void run_item(const item* i)
{
    switch (i->kind) {
    case ITEM_KERNEL:
        threads_run(&i->launch, i->arguments);
        break;
    case ITEM_COPY:
        memmove(i->to, i->owned ? i->owned : i->from, i->bytes);
        break;
    case ITEM_FILL:
        memset(i->to, i->value, i->bytes);
        break;
    case ITEM_RECORD:
        break;
    case ITEM_WAIT:
        run_until(i->other, i->number);
        break;
    case ITEM_GRAPH:
        for (const item* k = i->graph->list.first; k; k = k->next) run_item(k);
        break;
    }
}

static void run_one(stream* s)
{
    item* i = s->list.first;
    if (s->runs) device_stop("streams wait for each other");
    s->runs = true;
    run_item(i);
    s->runs = false;
    s->list.first = i->next;
    if (!i->next) s->list.last = NULL;
    s->done++;
    discard_item(i);
}

static void run_until(stream* s, long long number)
{
    while (s->done < number) run_one(s);
}

// Some of what waits may be done at any time.
static void run_some(void)
{
    if (!device_is_shuffled()) return;
    for (stream* s = streams; s; s = s->next)
        if (s->list.first && device_random(4) == 0)
            run_until(s, s->done + 1 + (long long)device_random((unsigned)(s->put - s->done)));
}

static void put(stream* s, item* i)
{
    if (s->capture) {
        append(&s->capture->list, i);
        return;
    }
    append(&s->list, i);
    s->put++;
    run_some();
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags)
{
    (void)flags;
    stream* s = (stream*)calloc(1, sizeof *s);
    if (!s) device_stop("no memory");
    device_lock();
    s->next = streams;
    streams = *out = s;
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    stream** at = &streams;
    device_lock();
    run_until(s, s->put);
    while (*at != s) at = &(*at)->next;
    *at = s->next;
    device_unlock();
    free(s);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    device_lock();
    run_until(stream_of(s), stream_of(s)->put);
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    device_lock();
    run_until(&usual, usual.put);
    for (stream* s = streams; s; s = s->next) run_until(s, s->put);
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    (void)flags;
    if (!e->of) return cudaSuccess;
    item* i = new_item(ITEM_WAIT);
    device_lock();
    i->other = e->of;
    i->number = e->number;
    put(stream_of(s), i);
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags)
{
    (void)flags;
    *out = (event*)calloc(1, sizeof **out);
    if (!*out) device_stop("no memory");
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    free(e);
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    device_lock();
    e->of = stream_of(s);
    put(e->of, new_item(ITEM_RECORD));
    e->number = e->of->put;
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    device_lock();
    if (e->of) run_until(e->of, e->number);
    device_unlock();
    return cudaSuccess;
}

// Whoever asks again and again waits, too.
cudaError_t cudaEventQuery(cudaEvent_t e)
{
    device_lock();
    bool done = !e->of || e->of->done >= e->number;
    if (!done) run_one(e->of);
    device_unlock();
    return done ? cudaSuccess : cudaErrorNotReady;
}

// ---- copies -------------------------------------------------------------------------------------

// Memory of the host that is not pinned is copied before the call returns; to such memory, the call
// waits.
static void copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, stream* s)
{
    item* i = new_item(ITEM_COPY);
    i->to = to;
    i->from = from;
    i->bytes = bytes;
    if (kind == cudaMemcpyHostToDevice && !memory_is_pinned(from)) {
        i->owned = malloc(bytes);
        if (!i->owned) device_stop("no memory");
        memcpy(i->owned, from, bytes);
    }
    put(s, i);
    if (kind == cudaMemcpyDeviceToHost && !memory_is_pinned(to)) run_until(s, s->put);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t s)
{
    if (bytes == 0) return cudaSuccess;
    device_lock();
    check_copy(to, from, bytes, kind);
    copy(to, from, bytes, kind, stream_of(s));
    device_unlock();
    return cudaSuccess;
}

// From the host's memory that is not pinned, the copy may still be on its way.
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind)
{
    if (bytes == 0) return cudaSuccess;
    device_lock();
    check_copy(to, from, bytes, kind);
    run_until(&usual, usual.put);
    copy(to, from, bytes, kind, &usual);
    bool waits = kind == cudaMemcpyDeviceToHost ||
                 (kind == cudaMemcpyHostToDevice && memory_is_pinned(from));
    if (waits) run_until(&usual, usual.put);
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t s)
{
    if (bytes == 0) return cudaSuccess;
    item* i = new_item(ITEM_FILL);
    i->to = to;
    i->value = value;
    i->bytes = bytes;
    device_lock();
    if (!is_within(to, bytes, true)) device_stop("what is filled at %p is not the device's", to);
    put(stream_of(s), i);
    device_unlock();
    return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

// ---- kernels and graphs -------------------------------------------------------------------------

static void** copy_arguments(void** arguments, const size_t* bytes, int count)
{
    enum { ALIGNED = 32 };
    size_t all = ((size_t)count * sizeof(void*) + ALIGNED - 1) / ALIGNED * ALIGNED, at = all;
    for (int i = 0; i < count; ++i) all += (bytes[i] + ALIGNED - 1) / ALIGNED * ALIGNED;
    void** copied = (void**)aligned_alloc(ALIGNED, all + ALIGNED);
    if (!copied) device_stop("no memory");
    for (int i = 0; i < count; ++i) {
        copied[i] = (char*)copied + at;
        memcpy(copied[i], arguments[i], bytes[i]);
        at += (bytes[i] + ALIGNED - 1) / ALIGNED * ALIGNED;
    }
    return copied;
}

static cudaError_t check_launch(const emulated_launch* l)
{
    long long blocks = (long long)l->grid.x * l->grid.y * l->grid.z;
    int threads = (int)(l->block.x * l->block.y * l->block.z);
    if (blocks < 1 || threads < 1) return cudaErrorInvalidValue;
    int at_once = emulated_blocks_per_processor(threads, l->shared_bytes) * device_processors();
    if (at_once == 0 || (l->cooperative && blocks > at_once)) return cudaErrorLaunchOutOfResources;
    return cudaSuccess;
}

cudaError_t emulated_enqueue(const emulated_launch* l, void** arguments, const size_t* bytes,
                             int count, cudaStream_t s)
{
    cudaError_t error = check_launch(l);
    if (error) return report(error);
    item* i = new_item(ITEM_KERNEL);
    i->launch = *l;
    i->arguments = copy_arguments(arguments, bytes, count);
    device_lock();
    put(stream_of(s), i);
    device_unlock();
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode)
{
    (void)mode;
    graph* g = (graph*)calloc(1, sizeof *g);
    if (!g) device_stop("no memory");
    g->users = 1;
    s->capture = g;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* out)
{
    *out = s->capture;
    s->capture = NULL;
    return cudaSuccess;
}

// What is launched is the graph itself: it does not change.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t g, unsigned flags)
{
    (void)flags;
    g->users++;
    *out = g;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    device_lock();
    release_graph(g);
    device_unlock();
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g) { return cudaGraphDestroy(g); }

cudaError_t cudaGraphLaunch(cudaGraphExec_t g, cudaStream_t s)
{
    item* i = new_item(ITEM_GRAPH);
    device_lock();
    i->graph = g;
    g->users++;
    put(stream_of(s), i);
    device_unlock();
    return cudaSuccess;
}
