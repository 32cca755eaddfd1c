#define PRECISION_DOUBLE
#include "constraint/types.h"

#define DEFINE_REST(name, n, m, same, kind, acts_on)                                               \
    static void rest_##name(const element* e, double* out_fields)                                  \
    {                                                                                              \
        name c;                                                                                    \
        name##_rest(&c, e);                                                                        \
        memcpy(out_fields, &c, sizeof c);                                                          \
    }
CONSTRAINT_LIST(DEFINE_REST)

static void copy_rows(const row_set* r, int particles, int rows, bool pulls, row_state out[])
{
    for (int i = 0; i < rows; ++i) {
        row_state row = {.value = r->value[i], .compliance = r->compliance[i], .pulls = pulls};
        memcpy(row.grad, r->grad[i], (size_t)particles * sizeof row.grad[0]);
        out[i] = row;
    }
}

#define EVAL_rows(name, n, m, pulls)                                                               \
    static void eval_##name(const double* fields, double x[ELEMENT_PARTICLES][3], row_state out[]) \
    {                                                                                              \
        name c;                                                                                    \
        row_set r;                                                                                 \
        vec3 places[n];                                                                            \
        memcpy(&c, fields, sizeof c);                                                              \
        for (int i = 0; i < n; ++i) places[i] = v3(x[i][0], x[i][1], x[i][2]);                     \
        name##_eval(&c, places, &r);                                                               \
        copy_rows(&r, n, m, pulls, out);                                                           \
    }
#define EVAL_either(name, n, m) EVAL_rows(name, n, m, false)
#define EVAL_pull(name, n, m)   EVAL_rows(name, n, m, true)
#define EVAL_block(name, n, m)  EVAL_rows(name, n, m, false)
#define EVAL_own(name, n, m)
#define EVAL_split(name, n, m)
#define DEFINE_EVAL(name, n, m, same, kind, acts_on) EVAL_##kind(name, n, m)
CONSTRAINT_LIST(DEFINE_EVAL)

#define INFO(name, n, m, same, kind, acts_on)                                                      \
    {#name,                                                                                        \
     n,                                                                                            \
     m,                                                                                            \
     sizeof(name) / sizeof(real),                                                                  \
     same,                                                                                         \
     ON_##acts_on,                                                                                 \
     CLASSIC_##kind,                                                                               \
     rest_##name,                                                                                  \
     EVAL_OF_##kind(name)},
#define EVAL_OF_either(name) eval_##name
#define EVAL_OF_pull(name)   eval_##name
#define EVAL_OF_block(name)  eval_##name
#define EVAL_OF_own(name)    NULL
#define EVAL_OF_split(name)  NULL
enum { CLASSIC_block, CLASSIC_own = 0, CLASSIC_split = 0, CLASSIC_either = 1, CLASSIC_pull = 1 };
const type_info type_infos[TYPE_COUNT] = {CONSTRAINT_LIST(INFO)};

#define CHECK_FIELDS(name, n, m, same, kind, acts_on)                                              \
    _Static_assert(sizeof(name) <= MAX_FIELDS * sizeof(real) && (m) <= MAX_ROWS, #name);
CONSTRAINT_LIST(CHECK_FIELDS)
