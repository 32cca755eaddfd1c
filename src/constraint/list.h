// Every constraint type, once. Kernels for every width, names, packing and the generic tests are
// derived from here. A type is a struct of reals (its constants) with two functions:
//   NAME_rest(NAME*, const element*)                       the constants from the rest state
// and, by its kind,
//   block   NAME_eval(const NAME*, const vec3 x[], row_set*)  value, compliance, gradient of 1 to 3
//                                                          rows; the projection is XPBD's
//   own     NAME_project(const NAME*, const substep*, ends*, real lambda[])   its own projection
//   split   the same, in two parts that may run apart: NAME_prepare gives a NAME_ready, with what
//           positions do not change, and NAME_finish does the rest
// The last `same` of its constants depend on the material alone: elements that are solved together
// mostly share them. It acts on the places of the particles in every sweep, or, before the
// prediction, on the motion that their velocities bring (then it also sees that motion).
#pragma once
#include "constraint/attachment.h"
#include "constraint/deviatoric.h"
#include "constraint/distance.h"
#include "constraint/hydrostatic.h"
#include "constraint/ten_rows.h"
#include "constraint/two_rows.h"
#include "constraint/viscous.h"

// clang-format off
//    name         particles  rows  same  kind    acts on
#define CONSTRAINT_LIST(X) \
    X(ten_rows,    4,         10,   3,    split,  places) \
    X(two_rows,    4,         2,    1,    block,  places) \
    X(deviatoric,  4,         1,    0,    block,  places) \
    X(hydrostatic, 4,         1,    1,    block,  places) \
    X(viscous,     4,         7,    1,    own,    motion) \
    X(distance,    2,         1,    0,    block,  places) \
    X(attachment,  1,         3,    0,    block,  places)
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
        xpbd_project(n, m, &r, s, e, lambda);                                                      \
    }                                                                                              \
    PARTS_own(name, n, m)
#define PARTS_own(name, n, m)                                                                      \
    typedef struct {                                                                               \
        name constants;                                                                            \
        real w[n];                                                                                 \
    } name##_ready;                                                                                \
    INLINE name##_ready name##_prepare(const name* c, const substep* s, const real w[])            \
    {                                                                                              \
        name##_ready r;                                                                            \
        (void)s;                                                                                   \
        r.constants = *c;                                                                          \
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
