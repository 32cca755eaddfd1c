#include "solver/store.h"
#include "base/memory.h"
#include <limits.h>
#include <string.h>

// Rows of a slice and its beginning are multiples of ALIGNED. A chunk has room for as many rows as
// all before it: none too many for one body, and few chunks for many. A large body has its own.
enum { ALIGNED = 16, MOST_ROWS = 1 << 18, LARGE = MOST_ROWS / 16 };

static bool same_kind(store_kind a, store_kind b)
{
    return a.scalar_bytes == b.scalar_bytes && a.second_order == b.second_order &&
           a.on_device == b.on_device;
}

// ---- chunks -------------------------------------------------------------------------------------

static void chunk_destroy(store_chunk* c)
{
    if (!c) return;
    for (int i = 0; i < STORE_ARRAYS; ++i) mem_free(c->array[i]);
    mem_free(c->free);
    mem_free(c);
}

static store_chunk* chunk_create(store_kind kind, int rows)
{
    store_chunk* c = (store_chunk*)mem_alloc_zero(sizeof *c);
    int gaps =
        rows / (2 * ALIGNED) + 1; // between slices as small as can be: giving back cannot fail
    bool good = c && (c->free = (row_span*)mem_array((size_t)gaps, sizeof *c->free));
    for (int i = 0; i < STORE_ARRAYS && good; ++i) {
        c->array[i] = mem_array((size_t)rows, store_row_bytes(kind, (store_array)i));
        good = c->array[i] != NULL;
    }
    if (!good) {
        chunk_destroy(c);
        return NULL;
    }
    c->kind = kind;
    c->capacity = rows;
    c->free[c->free_count++] = (row_span){0, rows};
    return c;
}

// The first gap that is large enough.
static bool chunk_take(store_chunk* c, int rows, row_span* out)
{
    for (int i = 0; i < c->free_count; ++i) {
        row_span* gap = &c->free[i];
        if (gap->count < rows) continue;
        *out = (row_span){gap->first, rows};
        *gap = (row_span){gap->first + rows, gap->count - rows};
        if (gap->count == 0) memmove(gap, gap + 1, (size_t)(--c->free_count - i) * sizeof *gap);
        return true;
    }
    return false;
}

static void chunk_give_back(store_chunk* c, row_span s)
{
    int i = 0;
    while (i < c->free_count && c->free[i].first < s.first) ++i;
    row_span *before = i > 0 ? &c->free[i - 1] : NULL, *after = &c->free[i];
    bool joins = before && before->first + before->count == s.first;
    bool touches = i < c->free_count && s.first + s.count == after->first;
    if (joins && touches) {
        before->count += s.count + after->count;
        memmove(after, after + 1, (size_t)(--c->free_count - i) * sizeof *after);
    } else if (joins) {
        before->count += s.count;
    } else if (touches) {
        *after = (row_span){s.first, s.count + after->count};
    } else {
        memmove(after + 1, after, (size_t)(c->free_count++ - i) * sizeof *after);
        *after = s;
    }
}

// ---- the store ----------------------------------------------------------------------------------

static int rows_of_next(const store* s, store_kind kind, int rows)
{
    int64_t all = 0;
    for (int i = 0; i < s->count; ++i)
        if (same_kind(s->chunk[i]->kind, kind)) all += s->chunk[i]->capacity;
    if (all > MOST_ROWS) all = MOST_ROWS;
    return rows >= LARGE || rows > all ? rows : (int)all;
}

static store_chunk* add_chunk(store* s, store_kind kind, int rows)
{
    if (!mem_reserve((void**)&s->chunk, &s->capacity, (int64_t)s->count + 1, sizeof(void*)))
        return NULL;
    store_chunk* c = chunk_create(kind, rows_of_next(s, kind, rows));
    if (c) s->chunk[s->count++] = c;
    return c;
}

static bool take_from(store_chunk* c, int rows, store_slice* out)
{
    row_span span;
    if (!chunk_take(c, rows, &span)) return false;
    c->slices++;
    *out = (store_slice){c, span};
    return true;
}

bool store_take(store* s, store_kind kind, int rows, store_slice* out)
{
    *out = (store_slice){0};
    if (rows > INT_MAX - ALIGNED) return false;
    rows = (rows + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (rows == 0) rows = ALIGNED;
    for (int i = s->count - 1; i >= 0; --i)
        if (same_kind(s->chunk[i]->kind, kind) && take_from(s->chunk[i], rows, out)) return true;
    store_chunk* c = add_chunk(s, kind, rows);
    return c && take_from(c, rows, out);
}

void store_give_back(store* s, store_slice* slice)
{
    store_chunk* c = slice->chunk;
    if (!c) return;
    chunk_give_back(c, slice->rows);
    *slice = (store_slice){0};
    if (--c->slices > 0) return;
    for (int i = 0; i < s->count; ++i)
        if (s->chunk[i] == c) s->chunk[i] = s->chunk[--s->count];
    chunk_destroy(c);
}

void store_destroy(store* s)
{
    for (int i = 0; i < s->count; ++i) chunk_destroy(s->chunk[i]);
    mem_free(s->chunk);
    memset(s, 0, sizeof *s);
}
