#include "serve/sha1.h"
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, MOST_BLOCKS = 4 };

static uint32_t turn(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

static uint32_t big_at(const unsigned char* at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// What a round mixes, and its constant: four kinds of twenty rounds.
static uint32_t mix(int round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round / 20) {
    case 0:
        return ((b & c) | (~b & d)) + 0x5a827999u;
    case 1:
        return (b ^ c ^ d) + 0x6ed9eba1u;
    case 2:
        return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    default:
        return (b ^ c ^ d) + 0xca62c1d6u;
    }
}

static void add_block(uint32_t state[5], const unsigned char block[BLOCK])
{
    uint32_t w[80], s[5];
    for (int i = 0; i < 16; ++i) w[i] = big_at(block + 4 * i);
    for (int i = 16; i < 80; ++i) w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 80; ++i) {
        uint32_t next = turn(s[0], 5) + mix(i, s[1], s[2], s[3]) + s[4] + w[i];
        s[4] = s[3];
        s[3] = s[2];
        s[2] = turn(s[1], 30);
        s[1] = s[0];
        s[0] = next;
    }
    for (int i = 0; i < 5; ++i) state[i] += s[i];
}

void sha1(const void* data, size_t bytes, unsigned char out[SHA1_BYTES])
{
    uint32_t state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned char text[MOST_BLOCKS * BLOCK] = {0};
    size_t most = sizeof text - 9;
    if (bytes > most) bytes = most;
    memcpy(text, data, bytes);
    text[bytes] = 0x80;
    size_t blocks = (bytes + 9 + BLOCK - 1) / BLOCK;
    for (int i = 0; i < 8; ++i)
        text[blocks * BLOCK - 1 - (size_t)i] = (unsigned char)((uint64_t)bytes * 8 >> (8 * i));
    for (size_t i = 0; i < blocks; ++i) add_block(state, text + i * BLOCK);
    for (int i = 0; i < SHA1_BYTES; ++i)
        out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
