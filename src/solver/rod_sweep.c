// Passes over rods. Compiled once per width and precision: -DLANES=1|4|8|16 [-DPRECISION_DOUBLE]
// with the matching -m flags and -DKERNELS=the table's name.
#include "constraint/rod.h"
#include "math/narrow.h"
#include "math/turn.h"
#include "solver/gather.h"
#include "solver/rods.h"

// ---- before and after the sweeps ----------------------------------------------------------------

static quaternion turn_at(const double* from, int i)
{
    const double* q = from + 4 * (size_t)i;
    return (quaternion){q[0], q[1], q[2], q[3]};
}

// The rotation that is left of `q` where floats have `rounded`: small, twice the vector of q
// rounded^-1, which is that of (q - rounded) rounded^-1.
static void find_left(quaternion q, quaternion rounded, double out[3])
{
    const quaternion off = {q.x - rounded.x, q.y - rounded.y, q.z - rounded.z, q.w - rounded.w};
    const quaternion left = turn_after(off, turn_back(rounded));
    out[0] = 2 * left.x, out[1] = 2 * left.y, out[2] = 2 * left.z;
}

static void begin_segment(const rod_set* r, rod_state* s, size_t i)
{
    scalar* row = (scalar*)s->row + i * ROW;
    const quaternion q = turn_at(s->turn, (int)i);
    const double part[4] = {q.x, q.y, q.z, q.w};
    for (int k = 0; k < 4; ++k)
        row[k] = sizeof(scalar) == sizeof(float) ? (scalar)narrow(part[k]) : (scalar)part[k];
    const quaternion rounded = {(double)row[0], (double)row[1], (double)row[2], (double)row[3]};
    find_left(q, rounded, s->left + 3 * i);
    row[ROW_RADIUS] = s->clamped[i] ? 0 : (scalar)(1 / r->inertia[i]);
}

static void set_turn(rod_state* s, size_t i, double h)
{
    scalar* row = (scalar*)s->row + i * ROW;
    for (size_t k = 0; k < 3; ++k)
        row[ROW_D + k] = (scalar)(s->left[3 * i + k] + h * s->spin[3 * i + k]);
}

// The padding's.
static void begin_last(const rod_set* r, rod_state* s, int last)
{
    scalar* row = (scalar*)s->row + (size_t)r->count * ROW;
    for (int k = 0; k < ROW && last == r->count; ++k) row[k] = k == 3;
}

static void coast(const rod_set* r, rod_state* s, const rod_step* h, int first, int last)
{
    for (int i = first; i < last; ++i) {
        begin_segment(r, s, (size_t)i);
        set_turn(s, (size_t)i, h->h);
    }
    begin_last(r, s, last);
}

static void predict_spin(const rod_set* r, rod_state* s, const rod_step* h, size_t i)
{
    const scalar* row = (const scalar*)s->row + i * ROW;
    double *spin = s->spin + 3 * i, gain = h->h / r->inertia[i];
    for (size_t k = 0; k < 3; ++k) {
        double had = h->damped ? ((double)row[ROW_D + k] - s->left[3 * i + k]) / h->h : spin[k];
        spin[k] = h->keep * had + gain * s->torque[3 * i + k];
    }
}

static void predict(const rod_set* r, rod_state* s, const rod_step* h, int first, int last)
{
    for (int i = first; i < last; ++i) {
        if (!s->clamped[i]) predict_spin(r, s, h, (size_t)i);
        if (!h->damped) begin_segment(r, s, (size_t)i);
        set_turn(s, (size_t)i, h->seen);
    }
    begin_last(r, s, last);
}

// Eight segments side by side, whatever the width of the kernels.
enum { CHUNK = 8 };
typedef double octet __attribute__((vector_size(CHUNK * sizeof(double))));
typedef struct {
    octet x, y, z, w;
} octet_turn;

// turn_by for small angles: a series to all digits.
static octet_turn small_turn(const octet angle[3])
{
    const octet x = angle[0] / 2, y = angle[1] / 2, z = angle[2] / 2, s = x * x + y * y + z * z;
    octet sinc = 1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72)));
    octet cosine = 1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56)));
    return (octet_turn){sinc * x, sinc * y, sinc * z, cosine};
}

static octet_turn after(octet_turn a, octet_turn b)
{
    return (octet_turn){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                        a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Of length 1 but for rounding: one step of Newton's.
static octet_turn straighten(octet_turn t)
{
    octet unit = 1.5 - (t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w) / 2;
    return (octet_turn){unit * t.x, unit * t.y, unit * t.z, unit * t.w};
}

// The whole turn of a segment, from what constraints saw and did.
static bool complete_segment(rod_state* s, const rod_step* h, size_t i, double out[3])
{
    const scalar* row = (const scalar*)s->row + i * ROW;
    double* spin = s->spin + 3 * i;
    const bool held = s->clamped[i];
    for (size_t k = 0; k < 3; ++k) {
        double saw = h->seen * spin[k],
               pushed = held ? 0 : (double)row[ROW_D + k] - s->left[3 * i + k] - saw;
        out[k] = h->h * spin[k] + h->whole * pushed;
    }
    if (!isfinite(out[0] + out[1] + out[2])) return false;
    for (size_t k = 0; k < 3 && !held; ++k) spin[k] = out[k] / h->h;
    return true;
}

static void turn_far(rod_state* s, size_t i, const double turn[3])
{
    quaternion to = turn_unit(turn_after(turn_by(turn), turn_at(s->turn, (int)i)));
    double* q = s->turn + 4 * i;
    q[0] = to.x, q[1] = to.y, q[2] = to.z, q[3] = to.w;
}

static bool update_chunk(rod_state* s, const rod_step* h, size_t first, int count)
{
    double turn[CHUNK][3] = {{0}};
    octet angle[3] = {{0}};
    octet_turn q = {{0}, {0}, {0}, {0}};
    bool good = true;
    for (int i = 0; i < count; ++i) {
        const double* from = s->turn + 4 * (first + (size_t)i);
        good = complete_segment(s, h, first + (size_t)i, turn[i]) && good;
        for (int k = 0; k < 3; ++k) angle[k][i] = turn[i][k];
        q.x[i] = from[0], q.y[i] = from[1], q.z[i] = from[2], q.w[i] = from[3];
    }
    if (!good) return false;
    q = straighten(after(small_turn(angle), q));
    for (int i = 0; i < count; ++i) {
        const double* t = turn[i];
        double* to = s->turn + 4 * (first + (size_t)i);
        if (t[0] * t[0] + t[1] * t[1] + t[2] * t[2] < 4e-2)
            to[0] = q.x[i], to[1] = q.y[i], to[2] = q.z[i], to[3] = q.w[i];
        else
            turn_far(s, first + (size_t)i, t);
    }
    return true;
}

static bool update(const rod_set* r, rod_state* s, const rod_step* h, int first, int last)
{
    bool good = true;
    (void)r;
    for (int i = first; i < last; i += CHUNK)
        good = update_chunk(s, h, (size_t)i, last - i < CHUNK ? last - i : CHUNK) && good;
    return good;
}

// ---- sweeps -------------------------------------------------------------------------------------

typedef struct {
    const rod_set* r;
    rod_rules rules;
    scalar *row, *turn, *lambda; // of particles, of orientations; multipliers, or NULL
    bool first;
} rod_pass;

INLINE const unsigned* index_of(const rod_pass* p, int group, int corner, int lane)
{
    return p->r->index + ((size_t)group * ROD_CORNERS + (size_t)corner) * BLOCK + lane;
}

INLINE real field_of(const rod_pass* p, int group, int field, int lane)
{
    return lane_load((const scalar*)p->r->field +
                     ((size_t)group * ROD_FIELDS + (size_t)field) * BLOCK + lane);
}

INLINE scalar* lambda_of(const rod_pass* p, int group, int row, int lane)
{
    return p->lambda + ((size_t)group * 3 + (size_t)row) * BLOCK + lane;
}

INLINE void load_lambda(const rod_pass* p, int group, int lane, real out[3])
{
    UNROLL
    for (int k = 0; k < 3; ++k)
        out[k] = p->lambda && !p->first ? lane_load(lambda_of(p, group, k, lane)) : lane_splat(0);
}

INLINE void store_lambda(const rod_pass* p, int group, int lane, const real lambda[3])
{
    if (!p->lambda) return;
    UNROLL
    for (int k = 0; k < 3; ++k) lane_store(lambda_of(p, group, k, lane), lambda[k]);
}

// The rows of an orientation; `t` stays for scatter_add.
INLINE void load_turn(const rod_pass* p, const unsigned* at, rows* t, quat* q, vec3* turn,
                      real* inverse)
{
    rows first;
    rows_load_long(p->turn, at, &first, t);
    rows_transpose(first, &q->v, &q->w);
    rows_transpose(*t, turn, inverse);
}

INLINE void sweep_segments(const rod_pass* p, int group, int lane)
{
    const unsigned *from = index_of(p, group, 0, lane), *to = index_of(p, group, 1, lane),
                   *own = index_of(p, group, 2, lane);
    rod_segment c = {field_of(p, group, 0, lane), field_of(p, group, 1, lane),
                     field_of(p, group, 2, lane)};
    rows x[2], d[2], t, start;
    segment_ends e;
    real lambda[3], unused;
    vec3 nowhere;
    rows_load_long(p->row, from, &x[0], &d[0]);
    rows_load_long(p->row, to, &x[1], &d[1]);
    UNROLL
    for (int k = 0; k < 4; ++k) start.m[k] = x[1].m[k] - x[0].m[k];
    rows_transpose(start, &e.start, &unused);
    rows_transpose(rows_edge(&x[1], &d[1], &x[0], &d[0]), &e.edge, &e.w[1]);
    rows_transpose(x[0], &nowhere, &e.w[0]);
    load_turn(p, own, &t, &e.q, &e.turn, &e.inverse);
    load_lambda(p, group, lane, lambda);
    rod_segment_project(&c, &p->rules, &e, lambda);
    scatter_add(p->row + ROW_D, from, &d[0], e.dx[0]);
    scatter_add(p->row + ROW_D, to, &d[1], e.dx[1]);
    scatter_add(p->turn + ROW_D, own, &t, e.dturn);
    store_lambda(p, group, lane, lambda);
}

INLINE void sweep_joints(const rod_pass* p, int group, int lane)
{
    const unsigned* at[2] = {index_of(p, group, 0, lane), index_of(p, group, 1, lane)};
    rod_joint c = {
        {{field_of(p, group, 0, lane), field_of(p, group, 1, lane), field_of(p, group, 2, lane)},
         field_of(p, group, 3, lane)},
        field_of(p, group, 4, lane),
        field_of(p, group, 5, lane)};
    rows t[2];
    joint_ends e;
    real lambda[3];
    UNROLL
    for (int k = 0; k < 2; ++k) load_turn(p, at[k], &t[k], &e.q[k], &e.turn[k], &e.inverse[k]);
    load_lambda(p, group, lane, lambda);
    rod_joint_project(&c, &p->rules, &e, lambda);
    UNROLL
    for (int k = 0; k < 2; ++k) scatter_add(p->turn + ROW_D, at[k], &t[k], e.dturn[k]);
    store_lambda(p, group, lane, lambda);
}

static void sweep(const rod_set* r, rod_state* s, state* of, const rod_step* h, int first, int last)
{
    const bool keeps = s->lambda && !h->braking;
    const rod_pass p = {.r = r,
                        .rules = {(scalar)h->scale, keeps, h->braking},
                        .row = (scalar*)of->row,
                        .turn = (scalar*)s->row,
                        .lambda = keeps ? (scalar*)s->lambda : NULL,
                        .first = h->first};
    for (int g = first; g < last; ++g)
        for (int lane = 0; lane < BLOCK; lane += LANES)
            if (g < r->segment_groups)
                sweep_segments(&p, g, lane);
            else
                sweep_joints(&p, g, lane);
}

extern const rod_kernels KERNELS;
const rod_kernels KERNELS = {LANES, sizeof(scalar), coast, predict, sweep, update};
