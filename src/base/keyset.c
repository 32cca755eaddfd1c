#include "base/keyset.h"
#include "base/hash.h"
#include <limits.h>

// At least half of the slots stay empty, so that runs of full ones are short.
static size_t slots_for(int64_t capacity)
{
    size_t slots = 16;
    while (slots < 2 * (size_t)capacity) slots *= 2;
    return slots;
}

bool keyset_create(keyset* out, size_t key_bytes, int64_t capacity)
{
    *out = (keyset){.key_bytes = key_bytes};
    if (capacity >= INT_MAX) {
        fail_memory(SIZE_MAX);
        return false;
    }
    size_t slots = slots_for(capacity);
    out->capacity = (int)capacity;
    out->slot_mask = slots - 1;
    out->keys = (unsigned char*)mem_array((size_t)capacity, key_bytes);
    out->slot = (int*)mem_array_zero(slots, sizeof(int));
    if (out->keys && out->slot) return true;
    keyset_destroy(out);
    return false;
}

void keyset_destroy(keyset* set)
{
    mem_free(set->keys);
    mem_free(set->slot);
    *set = (keyset){0};
}

// The slot of the key, or the empty one where it would be.
static size_t find_slot(const keyset* set, const void* key)
{
    size_t at = (size_t)hash_bytes(HASH_SEED, key, set->key_bytes) & set->slot_mask;
    for (; set->slot[at]; at = (at + 1) & set->slot_mask) {
        size_t index = (size_t)set->slot[at] - 1;
        if (!memcmp(set->keys + index * set->key_bytes, key, set->key_bytes)) return at;
    }
    return at;
}

int keyset_find(const keyset* set, const void* key) { return set->slot[find_slot(set, key)] - 1; }

int keyset_add(keyset* set, const void* key)
{
    size_t at = find_slot(set, key);
    if (set->slot[at]) return set->slot[at] - 1;
    if (!REQUIRE(set->count < set->capacity)) return 0;
    memcpy(set->keys + (size_t)set->count * set->key_bytes, key, set->key_bytes);
    set->slot[at] = ++set->count;
    return set->count - 1;
}
