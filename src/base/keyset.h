// A set of keys of one size, numbered from 0 in the order in which they first came: vertices by
// position, edges by their two ends. Keys are compared byte by byte, so they have no padding and
// no -0.0.
#pragma once
#include "base/memory.h"

typedef struct keyset {
    unsigned char* keys; // key i is at keys + i * key_bytes
    size_t key_bytes;
    int count, capacity;
    int* slot; // number of the key + 1, or 0 for an empty slot
    size_t slot_mask;
} keyset;

// Room for `capacity` different keys. False when memory runs out; nothing is left behind then.
bool keyset_create(keyset* out, size_t key_bytes, int64_t capacity);
void keyset_destroy(keyset* set);

// The number of the key, which is added if it is new.
int keyset_add(keyset* set, const void* key);

// The number of the key, or -1 if it is not there.
int keyset_find(const keyset* set, const void* key);
