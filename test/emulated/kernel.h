// What kernels ask of the emulated device: who they are, and to wait for each other. Valid C17 and
// C++.
#pragma once
#include "cuda_runtime_api.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EMULATED_WARP = 32, EMULATED_STATIC_BYTES = 8192 };

typedef struct {
    unsigned x, y, z;
} emulated_index;

// A kernel that is to run. `run` calls it with the arguments.
typedef struct {
    void* kernel;
    void (*run)(void* kernel, void** arguments);
    emulated_index grid, block;
    size_t shared_bytes;
    bool cooperative;
} emulated_launch;

// Arguments are copied.
cudaError_t emulated_enqueue(const emulated_launch* l, void** arguments, const size_t* bytes,
                             int count, cudaStream_t stream);
int emulated_blocks_per_processor(int threads, size_t shared_bytes);

// ---- in a kernel --------------------------------------------------------------------------------

// The thread that runs.
typedef struct {
    emulated_index index, block_index;
    char* memory; // of the block, from the launch
    int lane;
    unsigned parity; // of its warp's meetings
    uint64_t* words; // of its warp: of even meetings, and of odd ones
} emulated_thread;
typedef struct {
    emulated_index grid, block;
} emulated_sizes;

extern emulated_thread* emulated_now;
extern emulated_sizes emulated_grid;

// Memory of the block, one for each key.
void* emulated_shared(const char* key, size_t bytes);

// Threads wait for each other at a barrier of the block; 0 threads: for all that are left.
void emulated_barrier(int number, int threads);
void emulated_arrive(int number, int threads);
void emulated_grid_barrier(void);

// Lanes of a warp meet, each with a word; all of them in the same manner.
typedef enum {
    EMULATED_SYNC,
    EMULATED_SHFL,
    EMULATED_SHFL_XOR,
    EMULATED_SHFL_UP,
    EMULATED_SHFL_DOWN,
    EMULATED_BALLOT,
    EMULATED_ALL,
    EMULATED_ANY,
} emulated_meeting_kind;
void emulated_meet(emulated_meeting_kind kind, unsigned lanes, uint64_t word);
// Then: what another lane brought, or which lanes brought a one.
static inline uint64_t emulated_word_of(int lane)
{
    return emulated_now->words[emulated_now->parity * EMULATED_WARP + (unsigned)lane];
}
unsigned emulated_vote(emulated_meeting_kind kind, unsigned lanes, bool yes);
static inline int emulated_lane(void) { return emulated_now->lane; }

// Others may run here, where the order of threads is shuffled.
void emulated_pause(void);
// Something that others say was looked at, perhaps in vain, or is said now.
void emulated_note_look(void);
void emulated_note_change(void);

long long emulated_nanoseconds(void);

#ifdef __cplusplus
}
#endif
