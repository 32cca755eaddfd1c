// Sweeps of bodies of one-row constraints (body.h): several types, few constants each. What a lane
// needs is one record, which is asked for while the color before it of the same team is solved; so
// that nothing has to be waited for, the request is the same for all types, and lanes of a warp are
// of one type.
#pragma once
#include "cuda/sweep.cuh"

// What comes behind the types: kernels of one-row constraints with so many fields.
enum { ONE_ROW = TYPE_COUNT };

// Whether a kernel for lanes of so many constants knows a type.
template <class K, int FIELDS>
constexpr bool is_known =
    K::rows == 1 && K::same == 0 && K::particles > 1 && !K::on_motion && K::fields <= FIELDS;

// Most lanes are of these two, which are asked for first: a jump through a table of all types takes
// a hundred cycles. The compiler would make one table of it all if it knew the others to be types.
template <int FIELDS>
constexpr int other_common = FIELDS == ONE_ROW_FEW ? TYPE_solid_volume : TYPE_bending;
template <int TYPE, int FIELDS>
constexpr bool is_common = TYPE == TYPE_distance || TYPE == other_common<FIELDS>;

template <int FIELDS> struct one_row_record {
    uint4 piece[(8 + 4 * FIELDS) / 16];
    scalar lambda;
    unsigned type;
    __device__ unsigned at(int corner) const
    {
        unsigned two = corner < 2 ? piece[0].x : piece[0].y;
        return corner % 2 ? two >> 16 : two & 0xffff;
    }
    __device__ scalar field(int i) const
    {
        const uint4& p = piece[(i + 2) / 4];
        int word = (i + 2) % 4;
        return __uint_as_float(word == 0 ? p.x : word == 1 ? p.y : word == 2 ? p.z : p.w);
    }
    __device__ bool is_padding() const { return at(0) == at(1); }
};

template <int FIELDS, bool SEVERAL>
DEVICE one_row_record<FIELDS> fetch_one_row(const stream& st, const scalar* lambda, unsigned place)
{
    enum { PIECES = (8 + 4 * FIELDS) / 16 };
    one_row_record<FIELDS> r;
    const uint4* from = (const uint4*)st.lane + (size_t)place * PIECES;
#pragma unroll
    for (int i = 0; i < PIECES; ++i) r.piece[i] = __ldg(from + i);
    r.type = __ldg(st.unit_type + place / ONE_ROW_UNIT);
    r.lambda = SEVERAL ? lambda[place] : 0;
    return r;
}

// What a compliance looks like to the substep. In the classic manner it takes a while, and all of a
// type mostly have the same one: the last two are remembered.
struct seen_compliance {
    substep of;
    scalar known[2], seen[2];

    __device__ explicit seen_compliance(const substep& s) : of(s)
    {
        known[0] = known[1] = 0;
        seen[0] = seen[1] = xpbd_seen(ROWS_EITHER, &of, known[0]);
    }
    __device__ __forceinline__ scalar see(scalar compliance)
    {
        if (compliance == known[0]) return seen[0];
        scalar other = known[0], others = seen[0];
        known[0] = compliance;
        seen[0] = compliance == known[1] ? seen[1] : xpbd_seen(ROWS_EITHER, &of, compliance);
        known[1] = other, seen[1] = others;
        return seen[0];
    }
};

// A record that is prepared, of any type.
template <int FIELDS> struct one_row_ready {
    scalar field[FIELDS], w[4], lambda;
    vec3 edge[3]; // from the first corner, at the start of the substep
    unsigned at[4], type;
    bool waits; // to be solved
};

// The compliance is the first field of a record, and the last one of every type.
template <class K, int FIELDS, class R>
DEVICE void prepare_as(const one_row_record<FIELDS>& from, scalar compliance, const R& rows,
                       one_row_ready<FIELDS>* out)
{
    const substep as_it_is = substep_of(1, false);
    fetched<K> f;
#pragma unroll
    for (int i = 0; i < K::particles; ++i) f.at[i] = from.at(i);
#pragma unroll
    for (int i = 0; i < K::fields - 1; ++i) f.field[i] = from.field(i + 1);
    f.field[K::fields - 1] = compliance;
    const prepared<K> p = prepare<K>(f, as_it_is, rows);
    memcpy(out->field, &p.ready.constants, sizeof p.ready.constants);
#pragma unroll
    for (int i = 0; i < K::particles; ++i) {
        out->w[i] = p.ready.w[i];
        out->at[i] = p.at[i];
        if (i > 0) out->edge[i - 1] = p.edge[i];
    }
}

template <class K, bool SEVERAL, int FIELDS, class R>
DEVICE void solve_as(one_row_ready<FIELDS>* r, const substep& s, const R& rows, bool first)
{
    prepared<K> p;
    memcpy(&p.ready.constants, r->field, sizeof p.ready.constants);
#pragma unroll
    for (int i = 0; i < K::particles; ++i) {
        p.ready.w[i] = r->w[i];
        p.at[i] = r->at[i];
        p.edge[i] = i > 0 ? r->edge[i - 1] : v3_zero();
    }
    solve<K>(p, s, rows, NULL, SEVERAL ? &r->lambda : NULL, first);
}

// Calls of a type's own function; others never come.
template <class K, int FIELDS, bool KNOWN = is_known<K, FIELDS>> struct one_row_type {
    template <class R>
    DEVICE void prepare(const one_row_record<FIELDS>& from, scalar compliance, const R& rows,
                        one_row_ready<FIELDS>* out)
    {
        prepare_as<K>(from, compliance, rows, out);
    }
    template <bool SEVERAL, class R>
    DEVICE void solve(one_row_ready<FIELDS>* r, const substep& s, const R& rows, bool first)
    {
        solve_as<K, SEVERAL>(r, s, rows, first);
    }
};
template <class K, int FIELDS> struct one_row_type<K, FIELDS, false> {
    template <class R>
    DEVICE void prepare(const one_row_record<FIELDS>&, scalar, const R&, one_row_ready<FIELDS>*)
    {
    }
    template <bool SEVERAL, class R>
    DEVICE void solve(one_row_ready<FIELDS>*, const substep&, const R&, bool)
    {
    }
};

template <int FIELDS, class R>
DEVICE one_row_ready<FIELDS> prepare_one_row(const one_row_record<FIELDS>& from,
                                             seen_compliance& sees, const R& rows)
{
    one_row_ready<FIELDS> r;
    r.type = from.type;
    r.lambda = from.lambda;
    r.waits = !from.is_padding();
    const scalar compliance = sees.see(from.field(0));
    if (from.type == TYPE_distance)
        one_row_type<kind<TYPE_distance>, FIELDS>::prepare(from, compliance, rows, &r);
    else if (from.type == other_common<FIELDS>)
        one_row_type<kind<other_common<FIELDS>>, FIELDS>::prepare(from, compliance, rows, &r);
    else
        switch (opaque(from.type)) {
#define PREPARE_TYPE(name, n, m, alike, how, acts_on)                                              \
    case TYPE_##name:                                                                              \
        if constexpr (!is_common<TYPE_##name, FIELDS>)                                             \
            one_row_type<kind<TYPE_##name>, FIELDS>::prepare(from, compliance, rows, &r);          \
        break;
            CONSTRAINT_LIST(PREPARE_TYPE)
#undef PREPARE_TYPE
        default:
            break;
        }
    return r;
}

template <int FIELDS, bool SEVERAL, class R>
DEVICE void solve_one_row(one_row_ready<FIELDS>* r, const substep& s, const R& rows, scalar* lambda,
                          unsigned place, bool first)
{
    if (!r->waits) return;
    if (r->type == TYPE_distance)
        one_row_type<kind<TYPE_distance>, FIELDS>::template solve<SEVERAL>(r, s, rows, first);
    else if (r->type == other_common<FIELDS>)
        one_row_type<kind<other_common<FIELDS>>, FIELDS>::template solve<SEVERAL>(r, s, rows,
                                                                                  first);
    else
        switch (opaque(r->type)) {
#define SOLVE_TYPE(name, n, m, alike, how, acts_on)                                                \
    case TYPE_##name:                                                                              \
        if constexpr (!is_common<TYPE_##name, FIELDS>)                                             \
            one_row_type<kind<TYPE_##name>, FIELDS>::template solve<SEVERAL>(r, s, rows, first);   \
        break;
            CONSTRAINT_LIST(SOLVE_TYPE)
#undef SOLVE_TYPE
        default:
            break;
        }
    if (SEVERAL) lambda[place] = r->lambda;
}
