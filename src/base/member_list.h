// Lines of a list of members: one for each member of a definition but for pointers. OF is the
// struct whose members follow; an effect of NULL is on everything.
//
//     #define OF pliant_material_def
//     static const key material_keys[] = {
//         NUMBER(density, 1000, POSITIVE, "kg/m^3", NULL, "mass per volume"),
//     };
//     #undef OF
#pragma once
#include "base/key.h"

// A member of any kind of key.h; the rest of the line are members of a key.
#define MEMBER(kind_of_member, member, ...)                                                        \
    {                                                                                              \
        KEY(kind_of_member, OF, member), __VA_ARGS__                                               \
    }

// The same under another name in scenes.
#define MEMBER_NAMED(key_name, kind_of_member, member, ...)                                        \
    {                                                                                              \
        .name = (key_name), .kind = KEY_##kind_of_member, .offset = offsetof(OF, member),          \
        __VA_ARGS__                                                                                \
    }

#define NUMBER(member, normal, range, of_unit, on, text)                                           \
    MEMBER(NUMBER, member, .standard = {normal}, range, .unit = of_unit, .effect = on, .help = text)
#define REAL(member, normal, range, of_unit, on, text)                                             \
    MEMBER(REAL, member, .standard = {normal}, range, .unit = of_unit, .effect = on, .help = text)
#define INTEGER(member, normal, range, on, text)                                                   \
    MEMBER(INT, member, .standard = {normal}, range, .effect = on, .help = text)
#define CHOICE(member, list, on, text)                                                             \
    MEMBER(WORD, member, .words = list, .effect = on, .help = text)
#define FLAG(member, normal, on, text)                                                             \
    MEMBER(FLAG, member, .standard = {normal}, .effect = on, .help = text)
#define STRUCT(member, table, on, text)                                                            \
    MEMBER(OBJECT, member, .inner = &(table), .effect = on, .help = text)

// A member that only programs set, no scene: MEMBER(INT, threads, WITHIN(0, 1024), NO_SCENE, ...)
#define NO_SCENE .not_in_scenes = true
