// Where a skin is, as a number.
#pragma once
#include "base/hash.h"
#include "pliant.h"

static inline uint64_t skin_hash(const pliant_skin* skin)
{
    pliant_skin_info info = pliant_skin_describe(skin);
    uint64_t hash = hash_bytes(HASH_SEED, pliant_skin_positions(skin),
                               (size_t)info.vertices * sizeof(pliant_vec3));
    return hash_bytes(hash, pliant_skin_normals(skin), (size_t)info.normals * sizeof(pliant_vec3));
}
