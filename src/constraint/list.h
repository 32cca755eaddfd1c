// Every constraint type, once. Kernels for every width, names, packing and the generic tests are
// derived from here. A type is a struct of reals (its constants) with two functions:
//   NAME_rest(NAME*, const element*)                       the constants from the rest state
// and, by its kind,
//   block   NAME_eval(const NAME*, const vec3 x[], row_set*)  value, compliance, gradient of 1 to 3
//                                                          rows; the projection is XPBD's
//   either  the same with one row, in either manner (xpbd.h): element.compliance is its compliance
//   pull    the same, but the row only pulls: its value is at rest below zero, too
//   own     NAME_project(const NAME*, const substep*, ends*, real lambda[])   its own projection
//   split   the same, in two parts that may run apart: NAME_prepare gives a NAME_ready, with what
//           positions do not change, and NAME_finish does the rest
// The last `same` of its constants depend on the material alone: elements that are solved together
// mostly share them. It acts on the places of the particles in every sweep, or, before the
// prediction, on the motion that their velocities bring (then it also sees that motion).
#pragma once
#include "constraint/area.h"
#include "constraint/attachment.h"
#include "constraint/bending.h"
#include "constraint/deviatoric.h"
#include "constraint/dihedral.h"
#include "constraint/distance.h"
#include "constraint/hydrostatic.h"
#include "constraint/kink.h"
#include "constraint/membrane.h"
#include "constraint/plate.h"
#include "constraint/rate.h"
#include "constraint/ten_rows.h"
#include "constraint/tether.h"
#include "constraint/two_rows.h"
#include "constraint/viscous.h"
#include "constraint/volume.h"

RATE_OF(distance, 2, false)
RATE_OF(tether, 2, true)
RATE_OF(surface_area, 3, false)
RATE_OF(solid_volume, 4, false)
RATE_OF(bending, 4, false)
RATE_OF(dihedral, 4, false)
RATE_OF(kink, 3, false)
RATE_OF_BLOCK(membrane, 3, 3)
RATE_OF_BLOCK(plate, 6, 3)
RATE_OF_BLOCK(plate_side, 5, 3)
RATE_OF_BLOCK(plate_end, 4, 3)

// clang-format off
//    name               particles  rows  same  kind    acts on
#define CONSTRAINT_LIST(X) \
    X(ten_rows,          4,         10,   3,    split,  places) \
    X(two_rows,          4,         2,    1,    block,  places) \
    X(deviatoric,        4,         1,    0,    block,  places) \
    X(hydrostatic,       4,         1,    1,    block,  places) \
    X(viscous,           4,         7,    1,    own,    motion) \
    X(distance,          2,         1,    0,    either, places) \
    X(tether,            2,         1,    0,    pull,   places) \
    X(surface_area,      3,         1,    0,    either, places) \
    X(solid_volume,      4,         1,    0,    either, places) \
    X(bending,           4,         1,    0,    either, places) \
    X(dihedral,          4,         1,    0,    either, places) \
    X(kink,              3,         1,    0,    either, places) \
    X(distance_rate,     2,         1,    0,    own,    motion) \
    X(tether_rate,       2,         1,    0,    own,    motion) \
    X(surface_area_rate, 3,         1,    0,    own,    motion) \
    X(solid_volume_rate, 4,         1,    0,    own,    motion) \
    X(bending_rate,      4,         1,    0,    own,    motion) \
    X(dihedral_rate,     4,         1,    0,    own,    motion) \
    X(kink_rate,         3,         1,    0,    own,    motion) \
    X(membrane,          3,         3,    1,    block,  places) \
    X(membrane_rate,     3,         3,    1,    own,    motion) \
    X(plate,             6,         3,    0,    block,  places) \
    X(plate_side,        5,         3,    0,    block,  places) \
    X(plate_end,         4,         3,    0,    block,  places) \
    X(plate_rate,        6,         3,    0,    own,    motion) \
    X(plate_side_rate,   5,         3,    0,    own,    motion) \
    X(plate_end_rate,    4,         3,    0,    own,    motion) \
    X(attachment,        1,         3,    0,    block,  places)
// clang-format on

enum { MAX_ROWS = 10, MAX_FIELDS = 16 };
enum { ON_places = 0, ON_motion = 1 };

#define CONSTRAINT_ID(name, particles, rows, same, kind, acts_on) TYPE_##name,
typedef enum { CONSTRAINT_LIST(CONSTRAINT_ID) TYPE_COUNT } constraint_type;
#undef CONSTRAINT_ID

// NAME_prepare, NAME_ready and NAME_finish for all kinds, and NAME_apply(const NAME*, const
// substep*, ends*, real lambda[]): the whole projection.
#define PARTS_split(name, n, m)
#define PARTS_block(name, n, m)                                                                    \
    INLINE void name##_project(const name* c, const substep* s, ends* e, real lambda[])            \
    {                                                                                              \
        row_set r;                                                                                 \
        name##_eval(c, e->x, &r);                                                                  \
        xpbd_see_rows(m, s, &r);                                                                   \
        xpbd_project(n, m, ROWS_HOLD, &r, s, e, lambda);                                           \
    }                                                                                              \
    PARTS_own(name, n, m)
// Their compliance is seen ahead.
#define PARTS_row(name, n, m, kind)                                                                \
    INLINE void name##_project(const name* c, const substep* s, ends* e, real lambda[])            \
    {                                                                                              \
        row_set r;                                                                                 \
        name##_eval(c, e->x, &r);                                                                  \
        xpbd_project(n, m, kind, &r, s, e, lambda);                                                \
    }                                                                                              \
    PARTS_both(name, n, m, r.constants.compliance = xpbd_seen(kind, s, c->compliance))
#define PARTS_either(name, n, m) PARTS_row(name, n, m, ROWS_EITHER)
#define PARTS_pull(name, n, m)   PARTS_row(name, n, m, ROWS_PULL)
#define PARTS_own(name, n, m)    PARTS_both(name, n, m, (void)s)
#define PARTS_both(name, n, m, see)                                                                \
    typedef struct {                                                                               \
        name constants;                                                                            \
        real w[n];                                                                                 \
    } name##_ready;                                                                                \
    INLINE name##_ready name##_prepare(const name* c, const substep* s, const real w[])            \
    {                                                                                              \
        name##_ready r;                                                                            \
        r.constants = *c;                                                                          \
        see;                                                                                       \
        UNROLL                                                                                     \
        for (int i = 0; i < n; ++i) r.w[i] = w[i];                                                 \
        return r;                                                                                  \
    }                                                                                              \
    INLINE void name##_finish(const name##_ready* r, const substep* s, ends* e, real lambda[])     \
    {                                                                                              \
        UNROLL                                                                                     \
        for (int i = 0; i < n; ++i) e->w[i] = r->w[i];                                             \
        name##_project(&r->constants, s, e, lambda);                                               \
    }
#define DEFINE_PARTS(name, n, m, same, kind, acts_on)                                              \
    PARTS_##kind(name, n, m)                                                                       \
        INLINE void name##_apply(const name* c, const substep* s, ends* e, real lambda[])          \
    {                                                                                              \
        name##_ready ready = name##_prepare(c, s, e->w);                                           \
        name##_finish(&ready, s, e, lambda);                                                       \
    }
CONSTRAINT_LIST(DEFINE_PARTS)
#undef DEFINE_PARTS
