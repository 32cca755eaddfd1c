// The rows of many bodies. A store has chunks, a chunk one block of memory for each array, and a
// body's state is a slice of them: small bodies lie side by side, so that many of them are copied
// to a device at once, and a large one has a chunk of its own. Chunks never move: pointers into
// them stay good until the body goes.
//
// Bodies of one chunk have the same precision and order, and are all stepped here or all on a
// device, where the chunk has its mirror image (cuda/mirror.h).
#pragma once
#include "solver/row.h"
#include <stdbool.h>
#include <stddef.h>

typedef enum {
    STORE_ROW,      // ROW scalars each
    STORE_VELOCITY, // ROW4
    STORE_RESIDUE,  // ROW4
    STORE_FORCE,    // ROW4
    STORE_CONTACT,  // CONTACT
    STORE_LAST,     // what is remembered of the substep before: of second order PAST, else ROW4
    STORE_ARRAYS,
} store_array;

typedef struct {
    int scalar_bytes;
    bool second_order, on_device;
} store_kind;

// Scalars of a row in an array.
static inline int store_stride(store_kind k, store_array a)
{
    static const int stride[STORE_ARRAYS] = {ROW, ROW4, ROW4, ROW4, CONTACT, ROW4};
    return a == STORE_LAST && k.second_order ? PAST : stride[a];
}
static inline size_t store_row_bytes(store_kind k, store_array a)
{
    return (size_t)store_stride(k, a) * (size_t)k.scalar_bytes;
}

typedef struct {
    int first, count; // rows
} row_span;

typedef struct {
    store_kind kind;
    void* array[STORE_ARRAYS];
    int capacity;   // [rows]
    row_span* free; // in their order, none beside another
    int free_count, slices;
    void* mirror; // on a device, or NULL
} store_chunk;

typedef struct {
    store_chunk** chunk;
    int count, capacity;
} store;

// Rows of one body. A slice begins where vectors like it.
typedef struct {
    store_chunk* chunk;
    row_span rows;
} store_slice;

// Rows are not cleared (state.h). False when memory runs out.
bool store_take(store* s, store_kind kind, int rows, store_slice* out);
void store_give_back(store* s, store_slice* slice); // an empty one is fine
void store_destroy(store* s);                       // after all slices were given back

static inline void* slice_array(const store_slice* s, store_array a)
{
    return (char*)s->chunk->array[a] + (size_t)s->rows.first * store_row_bytes(s->chunk->kind, a);
}
