// Cookies of the definition structs: a ..._defaults() function sets one, and every function that
// takes a definition checks it, so that an uninitialized struct is caught at the door.
#pragma once
#include "base/error.h"

enum {
    COOKIE_BOX = 0x626f7831,
    COOKIE_CLEAN = 0x636c6e31,
    COOKIE_REGION = 0x72676e31,
    COOKIE_REPAIR = 0x72707231,
    COOKIE_TET = 0x74657431,
    COOKIE_WORLD = 0x776c6431,
    COOKIE_SOFT = 0x73667431,
    COOKIE_BODY = 0x62647931,
    COOKIE_COLLIDER = 0x636f6c31,
    COOKIE_SKIN = 0x736b6e31,
    COOKIE_RAY = 0x72617931,
    COOKIE_JOINT = 0x6a6e7431,
    COOKIE_FILL = 0x666c6c31,
    COOKIE_AIR = 0x61697231,
    COOKIE_WIND = 0x776e6431,
    COOKIE_PARTICLES = 0x70727431,
    COOKIE_SURFACE = 0x73726631,
};

// False, after the assert handler, for a null definition or one that did not come from its
// defaults: if (!REQUIRE_DEF(def, COOKIE_BOX)) return PLIANT_ERROR_ARGUMENT;
#define REQUIRE_DEF(def, kind) REQUIRE((def) && (def)->cookie == (kind))
