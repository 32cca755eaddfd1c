#include "cuda/mirror.h"
#include <string.h>

// ---- mirrors ------------------------------------------------------------------------------------

typedef struct {
    void* array[STORE_ARRAYS];
    char* memory;
    char* before; // as it was before a step that may have to be repeated; or NULL
    size_t bytes;
    int users;
} mirror;

static pliant_result allocate(device* d, size_t bytes, char** out)
{
    cudaError_t error = cudaMalloc((void**)out, bytes);
    if (!error) error = cudaMemsetAsync(*out, 0, bytes, d->stream);
    if (!error) return PLIANT_OK;
    cudaFree(*out);
    *out = NULL;
    return cuda_check(error, "a body's state");
}

static pliant_result mirror_create(device* d, store_chunk* c)
{
    mirror* m = (mirror*)mem_alloc_zero(sizeof *m);
    if (!m) return PLIANT_ERROR_MEMORY;
    for (int i = 0; i < STORE_ARRAYS; ++i)
        m->bytes += (size_t)c->capacity * store_row_bytes(c->kind, (store_array)i);
    pliant_result result = allocate(d, m->bytes, &m->memory);
    if (result) {
        mem_free(m);
        return result;
    }
    char* at = m->memory;
    for (int i = 0; i < STORE_ARRAYS; ++i) {
        m->array[i] = at;
        at += (size_t)c->capacity * store_row_bytes(c->kind, (store_array)i);
    }
    c->mirror = m;
    d->bytes += m->bytes;
    return PLIANT_OK;
}

pliant_result mirror_open(device* d, store_chunk* c)
{
    pliant_result result = c->mirror ? PLIANT_OK : mirror_create(d, c);
    if (!result) ((mirror*)c->mirror)->users++;
    return result;
}

void mirror_close(device* d, store_chunk* c)
{
    mirror* m = c ? (mirror*)c->mirror : NULL;
    if (!m || --m->users > 0) return;
    cudaFree(m->memory);
    d->bytes -= m->before ? 2 * m->bytes : m->bytes;
    cudaFree(m->before);
    mem_free(m);
    c->mirror = NULL;
}

void* mirror_array(const store_slice* s, store_array a)
{
    const mirror* m = (const mirror*)s->chunk->mirror;
    return (char*)m->array[a] + (size_t)s->rows.first * store_row_bytes(s->chunk->kind, a);
}

cudaError_t mirror_keep(device* d, const store_chunk* c)
{
    mirror* m = (mirror*)c->mirror;
    if (!m->before) {
        cudaError_t error = cudaMalloc((void**)&m->before, m->bytes);
        if (error) return error;
        d->bytes += m->bytes;
    }
    return cudaMemcpyAsync(m->before, m->memory, m->bytes, cudaMemcpyDeviceToDevice, d->stream);
}

cudaError_t mirror_take_back(device* d, const store_chunk* c)
{
    const mirror* m = (const mirror*)c->mirror;
    return cudaMemcpyAsync(m->memory, m->before, m->bytes, cudaMemcpyDeviceToDevice, d->stream);
}

// ---- the arena ----------------------------------------------------------------------------------

// A block is as large as all before it, up to a limit.
enum { MOST_BYTES = 1 << 24, ALIGNMENT = 256 };

static pliant_result add_block(device* d, size_t bytes)
{
    if (!mem_reserve((void**)&d->arena, &d->arena_capacity, (int64_t)d->arena_count + 1,
                     sizeof *d->arena))
        return PLIANT_ERROR_MEMORY;
    arena_block* b = (arena_block*)mem_alloc_zero(sizeof *b);
    if (!b) return PLIANT_ERROR_MEMORY;
    size_t all = 0;
    for (int i = 0; i < d->arena_count && all < MOST_BYTES; ++i) all += d->arena[i]->capacity;
    if (all > MOST_BYTES) all = MOST_BYTES;
    b->capacity = bytes > all ? bytes : all;
    pliant_result result = allocate(d, b->capacity, &b->memory);
    if (result) {
        mem_free(b);
        return result;
    }
    d->bytes += b->capacity;
    d->arena[d->arena_count++] = b;
    return PLIANT_OK;
}

pliant_result arena_take(device* d, size_t bytes, void** out, arena_block** out_block)
{
    *out = NULL;
    *out_block = NULL;
    if (bytes == 0) return PLIANT_OK;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    arena_block* b = d->arena_count ? d->arena[d->arena_count - 1] : NULL;
    if (!b || b->capacity - b->used < bytes) {
        pliant_result result = add_block(d, bytes);
        if (result) return result;
        b = d->arena[d->arena_count - 1];
    }
    *out = b->memory + b->used;
    *out_block = b;
    b->used += bytes;
    b->users++;
    return PLIANT_OK;
}

static void discard_block(device* d, arena_block* b)
{
    d->bytes -= b->capacity;
    cudaFree(b->memory);
    mem_free(b);
}

void arena_give_back(device* d, arena_block* block)
{
    if (!block || --block->users > 0) return;
    int i = 0;
    while (d->arena[i] != block) ++i;
    memmove(&d->arena[i], &d->arena[i + 1], (size_t)(--d->arena_count - i) * sizeof *d->arena);
    discard_block(d, block);
}

void arena_destroy(device* d)
{
    for (int i = 0; i < d->arena_count; ++i) discard_block(d, d->arena[i]);
    mem_free(d->arena);
}
