// A 64-bit hash of bytes, the same on every machine of one byte order. Not for adversaries.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { HASH_SEED = 0x1505 };

static inline uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 32);
}

static inline uint64_t hash_bytes(uint64_t hash, const void* data, size_t bytes)
{
    const unsigned char* byte = (const unsigned char*)data;
    for (; bytes >= 8; bytes -= 8, byte += 8) {
        uint64_t word;
        memcpy(&word, byte, 8);
        hash = hash_mix(hash, word);
    }
    uint64_t rest = 0;
    if (bytes) memcpy(&rest, byte, bytes); // nothing may be nowhere
    return hash_mix(hash, rest ^ ((uint64_t)bytes << 56));
}
