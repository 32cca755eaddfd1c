// Every constraint type as data, and random elements in every condition, for tests of projections
// in the precision of the including file.
#pragma once
#include "base/random.h"
#include "check.h"
#include "constraint/list.h"

typedef struct {
    const char* name;
    int particles, rows;
    bool on_motion, pulls;
    void (*rest)(void* constants, const element* e);
    void (*apply)(const void* constants, const substep* s, ends* e, real* lambda);
    void (*eval)(const void* constants, const vec3* x, row_set* out); // NULL: its own projection
} type_sample;

#define EVAL_block(name)                                                                           \
    static void eval_##name(const void* c, const vec3* x, row_set* out)                            \
    {                                                                                              \
        name##_eval((const name*)c, x, out);                                                       \
    }
#define EVAL_either EVAL_block
#define EVAL_pull   EVAL_block
#define EVAL_own(name)
#define EVAL_split(name)
#define EVAL_OF_block(name) eval_##name
#define EVAL_OF_either      EVAL_OF_block
#define EVAL_OF_pull        EVAL_OF_block
#define EVAL_OF_own(name)   NULL
#define EVAL_OF_split       EVAL_OF_own
enum { PULLS_block, PULLS_own = 0, PULLS_split = 0, PULLS_either = 0, PULLS_pull = 1 };
#define DEFINE_SAMPLE(name, n, m, same, kind, acts_on)                                             \
    EVAL_##kind(name) static void rest_##name(void* c, const element* e)                           \
    {                                                                                              \
        name##_rest((name*)c, e);                                                                  \
    }                                                                                              \
    static void apply_##name(const void* c, const substep* s, ends* e, real* lambda)               \
    {                                                                                              \
        name##_apply((const name*)c, s, e, lambda);                                                \
    }
CONSTRAINT_LIST(DEFINE_SAMPLE)

#define SAMPLE(name, n, m, same, kind, acts_on)                                                    \
    [TYPE_##name] = {                                                                              \
        #name, n, m, ON_##acts_on, PULLS_##kind, rest_##name, apply_##name, EVAL_OF_##kind(name)},
static const type_sample types[TYPE_COUNT] = {CONSTRAINT_LIST(SAMPLE)};

// What the particles of an element are like.
typedef enum {
    NEAR_REST,
    STRETCHED,
    INVERTED,
    FLAT,
    COLLAPSED,
    AT_REST,
    CONDITION_COUNT
} condition;
static const char* const condition_name[] = {"near rest", "stretched", "inverted",
                                             "flat",      "collapsed", "at rest"};

typedef struct {
    element e;
    ends ends;
    substep s;
    scalar constants[MAX_FIELDS];
    real lambda[MAX_ROWS];
} sample;

static inline substep make_substep(double h) { return substep_of((scalar)h, true); }

// A well-shaped tet with corners in random places, of about 0.1 m.
static inline element random_element(random_source* r, double poisson)
{
    static const double corner[ELEMENT_PARTICLES][3] = {{0, 0, 0}, {1, 0, 0},     {0, 1, 0},
                                                        {0, 0, 1}, {1, 0.9, 0.3}, {-1, 0.6, 0.2}};
    element e = {.mu = 3e5, .damping = 0.01, .relaxation = 1, .compliance = 1e-4};
    e.warp = 3e4, e.weft = 1e4, e.shear = 2e3, e.poisson = 0.4;
    e.along[0] = 0.3, e.along[1] = 1, e.along[2] = -0.2;
    e.gamma = 2 - 2 * poisson;
    e.volume_compliance = (1 - 2 * poisson) / e.mu;
    e.bend[0] = 2, e.bend[1] = 0.7;
    random_source more = {7}; // of what lies around a triangle
    for (int i = 0; i < ELEMENT_PARTICLES; ++i)
        for (int k = 0; k < 3; ++k)
            e.rest[i][k] = 0.1 * (corner[i][k] + random_range(i < 4 ? r : &more, -0.15, 0.15));
    double d[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) d[i][k] = e.rest[i + 1][k] - e.rest[0][k];
    e.volume = (d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) +
                d[0][1] * (d[1][2] * d[2][0] - d[1][0] * d[2][2]) +
                d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
               6;
    return e;
}

static inline double place_coordinate(random_source* r, condition what, const double* rest,
                                      int axis)
{
    switch (what) {
    case NEAR_REST:
        return rest[axis] + random_range(r, -0.005, 0.005);
    case STRETCHED:
        return rest[axis] * (axis == 1 ? 3 : 0.7) + random_range(r, -0.05, 0.05);
    case INVERTED:
        return (axis == 2 ? -1 : 1) * rest[axis] + random_range(r, -0.01, 0.01);
    case FLAT:
        return axis == 2 ? 0 : rest[axis] + random_range(r, -0.01, 0.01);
    case COLLAPSED:
        return 0;
    default:
        return rest[axis];
    }
}

// Places relative to the first particle, inverse masses of 10 to 100 / kg, a motion of about a
// twentieth of the size, zero multipliers.
static inline sample make_sample(random_source* r, constraint_type type, condition what,
                                 double poisson)
{
    sample out = {.e = random_element(r, poisson), .s = make_substep(1e-3)};
    random_source more = {8};
    for (int i = 0; i < ELEMENT_PARTICLES; ++i) {
        random_source* from = i < 4 ? r : &more;
        double x[3], moved[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = place_coordinate(from, what, out.e.rest[i], k);
            moved[k] = random_range(from, -0.005, 0.005);
        }
        out.ends.x[i] = v3((scalar)x[0], (scalar)x[1], (scalar)x[2]);
        out.ends.moved[i] = v3((scalar)moved[0], (scalar)moved[1], (scalar)moved[2]);
        out.ends.w[i] = (scalar)random_range(from, 10, 100);
    }
    for (int i = ELEMENT_PARTICLES - 1; i >= 0 && type != TYPE_attachment; --i)
        out.ends.x[i] = v3_sub(out.ends.x[i], out.ends.x[0]);
    types[type].rest(out.constants, &out.e);
    return out;
}

static inline void apply(sample* s, constraint_type type)
{
    types[type].apply(s->constants, &s->s, &s->ends, s->lambda);
}

static inline double length3(vec3 a)
{
    return sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
}

static inline bool finite_result(const sample* s, constraint_type type)
{
    bool finite = true;
    for (int i = 0; i < types[type].particles; ++i)
        finite = finite && isfinite(length3(s->ends.dx[i]));
    for (int i = 0; i < types[type].rows; ++i) finite = finite && isfinite((double)s->lambda[i]);
    return finite;
}

// Momentum that a correction adds, times h: sum of dx / w; and the scale of its rounding: what it
// would be without cancellation, within a row (dx) and between rows (the size of the element).
static inline double momentum(const sample* s, int particles, double* out_scale)
{
    vec3 sum = v3_zero();
    *out_scale = 0;
    for (int i = 0; i < particles; ++i) {
        sum = v3_add_scaled(sum, 1 / s->ends.w[i], s->ends.dx[i]);
        *out_scale += (length3(s->ends.dx[i]) + 0.1) / (double)s->ends.w[i];
    }
    return length3(sum);
}

// The same for the moment: sum of x cross dx / w.
static inline vec3 moment(const sample* s, int particles, const vec3* x, double* out_scale)
{
    vec3 sum = v3_zero();
    *out_scale = 0;
    for (int i = 0; i < particles; ++i) {
        sum = v3_add_scaled(sum, 1 / s->ends.w[i], v3_cross(x[i], s->ends.dx[i]));
        *out_scale += length3(x[i]) * (length3(s->ends.dx[i]) + 0.1) / (double)s->ends.w[i];
    }
    return sum;
}

// How much of its own motion a sample of ten rows takes into account (ten_rows.h).
static inline double ten_rows_beta(const sample* s)
{
    const ten_rows* c = (const ten_rows*)s->constants;
    double x = (double)(s->s.h2 * c->stiffness * s3_trace(tet_mobility(&c->shape, s->ends.w)));
    return (double)c->relaxation * ((double)s->s.own + x) / (1 + x);
}
