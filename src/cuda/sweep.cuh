// Projections by CUDA threads, one lane each, from the same formulas as everywhere.
//
// A projection is taken in three parts, so that only the last one waits for the color before:
//   fetch     constants and indices from memory
//   prepare   the places at the start of the substep, which a sweep does not change
//   solve     the increments
#pragma once
#include "cuda/body.h"
#include "cuda/machine.cuh"

// Four scalars that nobody writes.
#ifdef PRECISION_DOUBLE
DEVICE quad quad_load_constant(const scalar* a)
{
    return quad_of(__ldg(a), __ldg(a + 1), __ldg(a + 2), __ldg(a + 3));
}
#else
DEVICE quad quad_load_constant(const scalar* a)
{
    float4 q = __ldg((const float4*)a);
    return quad_of(q.x, q.y, q.z, q.w);
}
#endif

// ---- rows ---------------------------------------------------------------------------------------

// What a block has of shared memory is asked for by its name, since the compiler does not know
// where a pointer leads, and then takes a slower way.

// Of a patch in shared memory, places and increments apart: neighbors in memory are then neighbors
// in banks.
struct shared_rows {
    unsigned d; // where the increments start
    static __device__ quad* all() { return (quad*)block_memory; }
    __device__ quad place(unsigned i) const { return all()[i]; }
    __device__ quad increment(unsigned i) const { return all()[d + i]; }
    __device__ void set_increment(unsigned i, quad q) const { all()[d + i] = q; }
};

// Where the state is.
struct global_rows {
    scalar* row;
    __device__ quad place(unsigned i) const { return quad_load(row + (size_t)i * ROW); }
    __device__ quad increment(unsigned i) const { return quad_load(row + (size_t)i * ROW + ROW_D); }
    __device__ void set_increment(unsigned i, quad q) const
    {
        quad_store(row + (size_t)i * ROW + ROW_D, q);
    }
};

// ---- the types of the list ----------------------------------------------------------------------

template <int TYPE> struct kind;
#define DEFINE_KIND(name, n, m, alike, how, acts_on)                                               \
    template <> struct kind<TYPE_##name> {                                                         \
        typedef name constants;                                                                    \
        typedef name##_ready ready;                                                                \
        static constexpr int particles = n, rows = m, same = alike;                                \
        static constexpr int fields = sizeof(name) / sizeof(real), own = fields - same;            \
        static constexpr bool on_motion = ON_##acts_on;                                            \
        DEVICE ready prepare(const name* c, const substep* s, const real* w)                       \
        {                                                                                          \
            return name##_prepare(c, s, w);                                                        \
        }                                                                                          \
        DEVICE void finish(const ready* r, const substep* s, ends* e, real* lambda)                \
        {                                                                                          \
            name##_finish(r, s, e, lambda);                                                        \
        }                                                                                          \
    };
CONSTRAINT_LIST(DEFINE_KIND)
#undef DEFINE_KIND

// ---- fetch --------------------------------------------------------------------------------------

template <class K> struct fetched {
    unsigned at[K::particles];
    scalar field[K::fields];
};

// Blocks packed for it (body.h); a place is 16 times the group, plus the lane.
template <class K> struct packed_source {
    const uint16_t* index;
    const scalar* field;
    scalar same[K::same ? K::same : 1];

    __device__ explicit packed_source(const stream& s) : index(s.index), field(s.field)
    {
#pragma unroll
        for (int i = 0; i < K::same; ++i) same[i] = s.same[i];
    }

    __device__ __forceinline__ fetched<K> fetch(unsigned place) const
    {
        fetched<K> f;
        unsigned group = place / BLOCK, lane = place % BLOCK;
        const scalar* from = field + group * (K::own * BLOCK);
        static_assert(K::particles == 4, "four corners are one load");
        ushort4 i = __ldg((const ushort4*)index + place);
        f.at[0] = i.x, f.at[1] = i.y, f.at[2] = i.z, f.at[3] = i.w;
#pragma unroll
        for (int k = 0; k < K::own / 4; ++k) {
            quad q = quad_load_constant(from + (k * BLOCK + lane) * 4);
            for (int m = 0; m < 4; ++m) f.field[4 * k + m] = q[m];
        }
#pragma unroll
        for (int k = K::own / 4 * 4; k < K::own; ++k) f.field[k] = __ldg(from + k * BLOCK + lane);
#pragma unroll
        for (int k = 0; k < K::same; ++k) f.field[K::own + k] = same[k];
        return f;
    }
};

// What the body itself changes comes the usual way.
template <bool FLOWS> DEVICE scalar load_constant(const scalar* a) { return FLOWS ? *a : __ldg(a); }

// From the plan's blocks as they are.
template <class K, bool FLOWS>
DEVICE fetched<K> fetch_block(const device_body& b, const round_block& r, int lane)
{
    fetched<K> f;
    const scalar *field = b.field + r.field_at + lane, *same = b.field + r.same_at;
#pragma unroll
    for (int i = 0; i < K::particles; ++i) {
        size_t at = r.index_at + i * BLOCK + lane;
        f.at[i] = b.index_bytes == 2 ? ((const uint16_t*)b.index)[at] : ((const int*)b.index)[at];
    }
#pragma unroll
    for (int i = 0; i < K::fields; ++i)
        f.field[i] = i < K::own || r.mixed ? load_constant<FLOWS>(field + i * BLOCK)
                                           : load_constant<FLOWS>(same + i - K::own);
    return f;
}

// ---- prepare ------------------------------------------------------------------------------------

template <class K> struct prepared {
    typename K::ready ready;
    unsigned at[K::particles];
    vec3 edge[K::particles]; // at the start of the substep
};

template <class K, class R>
DEVICE prepared<K> prepare(const fetched<K>& f, const substep& s, const R& rows)
{
    prepared<K> p;
    typename K::constants c;
    real w[K::particles];
    memcpy(&c, f.field, sizeof c);
    quad first = rows.place(f.at[0]);
#pragma unroll
    for (int i = 0; i < K::particles; ++i) {
        quad x = i ? rows.place(f.at[i]) : first;
        p.at[i] = f.at[i];
        p.edge[i] = v3_sub(quad_xyz(x), quad_xyz(first));
        w[i] = x[3];
    }
    p.ready = K::prepare(&c, &s, w);
    return p;
}

// ---- solve --------------------------------------------------------------------------------------

// Multipliers go along (see sweep.c).
template <class K>
DEVICE void relax(scalar factor, const scalar* lambda, bool first_iteration, ends* e, real* l)
{
#pragma unroll
    for (int i = 0; i < K::particles; ++i) e->dx[i] = v3_scale(factor, e->dx[i]);
#pragma unroll
    for (int r = 0; r < K::rows; ++r) {
        real before = lambda && !first_iteration ? lambda[r * BLOCK] : 0;
        l[r] = before + factor * (l[r] - before);
    }
}

// Multipliers of a lane: `lambda` is where its first one is, NULL with a single iteration, which is
// then a constant. `residue` is that of the first row; only sweeps of motion look at it.
template <class K, class R>
DEVICE void solve(const prepared<K>& p, const substep& seen, const R& rows, const quad* residue,
                  scalar* lambda, bool first_iteration, scalar relaxation = 1)
{
    substep s = seen;
    s.multipliers = lambda != NULL;
    quad d[K::particles];
    real l[K::rows];
    ends e;
#pragma unroll
    for (int i = 0; i < K::particles; ++i) d[i] = rows.increment(p.at[i]);
#pragma unroll
    for (int i = 0; i < K::particles; ++i) {
        vec3 moved = v3_sub(quad_xyz(d[i]), quad_xyz(d[0]));
        e.x[i] = i ? v3_add(p.edge[i], moved) : v3_zero();
        if (K::on_motion) e.moved[i] = v3_sub(quad_xyz(d[i]), quad_xyz(residue[p.at[i]]));
    }
#pragma unroll
    for (int r = 0; r < K::rows; ++r)
        l[r] = s.multipliers && !first_iteration ? lambda[r * BLOCK] : 0;
    K::finish(&p.ready, &s, &e, l);
    if (relaxation != 1) relax<K>(relaxation, lambda, first_iteration, &e, l);
#pragma unroll
    for (int i = 0; i < K::particles; ++i)
        rows.set_increment(p.at[i], quad_with_xyz(d[i], v3_add(quad_xyz(d[i]), e.dx[i])));
    if (!s.multipliers) return;
#pragma unroll
    for (int r = 0; r < K::rows; ++r) lambda[r * BLOCK] = l[r];
}

// All corners of padding are on one row.
template <class K> DEVICE bool is_padding(const fetched<K>& f)
{
    return K::particles > 1 && f.at[0] == f.at[K::particles - 1];
}

// What the first round of a lane needs of the device's memory, asked for before it is its turn:
// three loads that wait for each other. Types with more constants come without.
enum { MOST_AHEAD = 5 };
struct ahead {
    lane_group group; // lanes: 0 where there is nothing to do
    round_block round;
    unsigned at[4];
    scalar field[MOST_AHEAD];
};

template <class K> constexpr bool comes_ahead = K::fields <= MOST_AHEAD && !K::on_motion;

DEVICE ahead fetch_ahead(const device_body& b, int group, int lane)
{
    ahead a;
    a.group = b.group[group];
    if (lane >= a.group.lanes) a.group.lanes = 0;
    a.round = b.round[a.group.first_round];
    switch (a.round.type) {
#define FETCH_TYPE(name, n, m, alike, how, acts_on)                                                \
    case TYPE_##name: {                                                                            \
        typedef kind<TYPE_##name> K;                                                               \
        if (!comes_ahead<K>) break;                                                                \
        const fetched<K> f = fetch_block<K, false>(b, a.round, lane);                              \
        for (int i = 0; i < K::particles && i < 4; ++i) a.at[i] = f.at[i];                         \
        for (int i = 0; i < K::fields && i < MOST_AHEAD; ++i) a.field[i] = f.field[i];             \
        break;                                                                                     \
    }
        CONSTRAINT_LIST(FETCH_TYPE)
#undef FETCH_TYPE
    default:
        break;
    }
    return a;
}

template <class K> DEVICE fetched<K> take_ahead(const ahead& a)
{
    fetched<K> f;
#pragma unroll
    for (int i = 0; i < K::particles; ++i) f.at[i] = a.at[i < 4 ? i : 3];
#pragma unroll
    for (int i = 0; i < K::fields; ++i) f.field[i] = a.field[i < MOST_AHEAD ? i : 0];
    return f;
}

// A round of one lane, of whatever type. `came`: it was fetched ahead.
template <bool FLOWS, class R>
DEVICE void solve_round(const device_body& b, const round_block& r, int lane, int seen,
                        bool first_iteration, const R& rows, const quad* residue, scalar relaxation,
                        bool came, const ahead& a)
{
    const substep& s = b.sees_substep[seen];
    const bool braking = seen == SEEN_MOTION;
    scalar* lambda = s.multipliers ? b.lambda + r.lambda_at + lane : NULL;
    switch (r.type) {
#define SOLVE_TYPE(name, n, m, alike, how, acts_on)                                                \
    case TYPE_##name: {                                                                            \
        typedef kind<TYPE_##name> K;                                                               \
        if (K::on_motion != braking) break;                                                        \
        const fetched<K> f =                                                                       \
            came && comes_ahead<K> ? take_ahead<K>(a) : fetch_block<K, FLOWS>(b, r, lane);         \
        if (!is_padding(f))                                                                        \
            solve<K>(prepare<K>(f, s, rows), s, rows, residue, lambda, first_iteration,            \
                     relaxation);                                                                  \
        break;                                                                                     \
    }
        CONSTRAINT_LIST(SOLVE_TYPE)
#undef SOLVE_TYPE
    default:
        break;
    }
}

// All rounds of a lane of a group, the first of which may have come ahead.
template <bool FLOWS, class R>
DEVICE void solve_lane(const device_body& b, const lane_group& g, int lane, int seen,
                       bool first_iteration, const R& rows, const quad* residue, scalar relaxation,
                       bool came, const ahead& a)
{
    for (int i = 0; i < g.round_count; ++i) {
        bool here = came && i == 0;
        const round_block r = here ? a.round : b.round[g.first_round + i];
        solve_round<FLOWS>(b, r, lane, seen, first_iteration, rows, residue, relaxation, here, a);
    }
}
