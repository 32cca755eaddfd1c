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

#define INFO(name, n, m, same, kind, acts_on)                                                      \
    {#name, n, m, sizeof(name) / sizeof(real), same, ON_##acts_on, rest_##name},
const type_info type_infos[TYPE_COUNT] = {CONSTRAINT_LIST(INFO)};

#define CHECK_FIELDS(name, n, m, same, kind, acts_on)                                              \
    _Static_assert(sizeof(name) <= MAX_FIELDS * sizeof(real) && (m) <= MAX_ROWS, #name);
CONSTRAINT_LIST(CHECK_FIELDS)
