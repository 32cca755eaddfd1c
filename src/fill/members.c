#include "fill/members.h"
#include "base/cookie.h"
#include "base/member_list.h"
#include <limits.h>

static bool is_jittered(const void* def)
{
    return ((const pliant_fill_def*)def)->pattern == PLIANT_PATTERN_JITTERED;
}
static bool is_noise(const void* def)
{
    return ((const pliant_fill_def*)def)->pattern == PLIANT_PATTERN_NOISE;
}
static bool is_random(const void* def)
{
    return ((const pliant_fill_def*)def)->pattern >= PLIANT_PATTERN_JITTERED;
}
static const key_effect of_jittered = {is_jittered, "the pattern jittered"},
                        of_noise = {is_noise, "the pattern noise"},
                        of_random = {is_random, "the patterns jittered, noise and surface"};

// In the order of the enumeration.
static const char* const patterns[] = {"hexagonal", "grid", "jittered", "noise", "surface", NULL};

// clang-format off
#define OF pliant_fill_def
static const key fill_keys[] = {
    MEMBER(NUMBER, spacing, POSITIVE, .unit = "m", .required = true,
           .help = "from the center of a particle to the next"),
    CHOICE(pattern, patterns, NULL,
           "hexagonal: closest packing; grid; jittered: a grid whose points are moved; noise: "
           "random places that keep apart; surface: such places on the triangles"),
    NUMBER(radius, 0, ZERO_OR_MORE, "m", NULL,
           "of the particles; 0: half of the spacing, or what jitter leaves of it"),
    NUMBER(largest_radius, 0, ZERO_OR_MORE, "m", &of_noise,
           "particles have radii from radius to this; 0: all the same"),
    NUMBER(jitter, 0.3, WITHIN(0, 1), NULL, &of_jittered,
           "how far points are moved, of half of the spacing"),
    INTEGER(seed, 1, WITHIN(0, INT_MAX), &of_random, "of what is random"),
    MEMBER(INT, threads, WITHIN(0, 1024), NO_SCENE, .help = "0: one per core"),
};
#undef OF
// clang-format on
const key_table fill_members = {
    TABLE(fill_keys, pliant_fill_def), .name = "fill",
    .help = "How a closed surface, or what tets enclose, is filled with particles."};

pliant_fill_def pliant_fill_defaults(void)
{
    pliant_fill_def def;
    table_defaults(&fill_members, &def);
    def.cookie = COOKIE_FILL;
    return def;
}
