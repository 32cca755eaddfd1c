// The passes over pairs of loose particles, in `real`: of one block's lane, or of as many as there
// are lanes. The same source for the processor and for CUDA, where a thread has a lane.
#pragma once
#include "contact/loose.h"
#include "contact/push.h"
#include "contact/strip.h"

// ---- one side of pairs --------------------------------------------------------------------------

typedef struct {
    vec3 x, d, moved; // [m] place, increment, and that less its residue
    real w, n, r;     // [1/kg], contacts, radius [m]
} side;

// What a pass looks at: who is near, also how far pushes and constraints moved them, also how they
// slip. On a GPU all comes together.
typedef enum { SEE_PLACE, SEE_WAY, SEE_SLIP } sight;

INLINE side load_side(const loose_pairs* p, const unsigned* at, sight sees)
{
    side s;
#ifndef __CUDACC__
    if (sees != SEE_SLIP) {
        const real none = lane_splat(0);
        s.x = columns(p->ball, at, &s.r);
        s.w = s.n = none;
        s.d = sees == SEE_WAY ? columns(p->increment, at, &s.n) : v3_zero();
        s.moved = v3_zero();
        return s;
    }
#endif
    (void)sees;
    s.x = columns(p->place, at, &s.w);
    s.d = columns(p->increment, at, &s.n);
    s.moved = v3_sub(s.d, columns(p->residue, at, &s.r));
    return s;
}

// Some lanes of a block.
typedef struct {
    const loose_pairs* p;
    int first;          // particle
    int row, row_count; // of the block
    int lane;           // the first one
    unsigned at[LANES]; // its particles' rows, in pairs of scalars
    real neighbors;     // how many each has
    sight sees;
    side own;
} strip;

INLINE int rows_of_block(const loose_pairs* p, int block)
{
#ifdef __CUDACC__
    return p->start[block + 1] - p->start[block];
#else
    return p->depth[block];
#endif
}

INLINE strip open_strip(const loose_pairs* p, int block, int lane, sight sees)
{
    strip s;
    s.p = p;
    s.first = block * LOOSE_BLOCK + lane;
    s.lane = lane;
    scalar neighbors[LANES];
    s.row = p->start[block];
    s.row_count = rows_of_block(p, block);
    for (int i = 0; i < LANES; ++i) {
        int particle = s.first + i < p->count ? s.first + i : p->count - 1;
        s.at[i] = 2 * (unsigned)particle;
        neighbors[i] = s.first + i < p->count ? (scalar)p->neighbors[particle] : 0;
    }
    s.neighbors = lane_load(neighbors);
    s.own = load_side(p, s.at, sees);
    s.sees = sees;
    return s;
}

INLINE void close_strip(const strip* s, void* array, vec3 x, real last)
{
    scalar column[4][LANES];
    lane_store(column[0], x.x);
    lane_store(column[1], x.y);
    lane_store(column[2], x.z);
    lane_store(column[3], last);
    for (int i = 0; i < LANES && s->first + i < s->p->count; ++i)
        for (int k = 0; k < 4; ++k)
            ((scalar*)array)[4 * ((size_t)s->first + (size_t)i) + (size_t)k] = column[k][i];
}

// ---- pairs --------------------------------------------------------------------------------------

// As a substep sees them.
typedef struct {
    scalar* number; // of the row, from the strip's first lane on
    side other;
    unsigned at[LANES];
    vec3 normal; // to this side
    real distance, thickness;
    mask apart; // they are there, and not at the same place
} pairs;

INLINE scalar* numbers_of_row(const strip* s, int k)
{
    size_t row = (size_t)s->row + (size_t)k;
    return (scalar*)s->p->number + row * LOOSE_NUMBERS * LOOSE_BLOCK + s->lane;
}
INLINE real number_of(const pairs* q, int which)
{
    return lane_load(q->number + which * LOOSE_BLOCK);
}
INLINE void set_number(const pairs* q, int which, real value)
{
    lane_store(q->number + which * LOOSE_BLOCK, value);
}
INLINE vec3 slide_of(const pairs* q, int which)
{
    return v3(number_of(q, which), number_of(q, which + 1), number_of(q, which + 2));
}
INLINE void set_slide(const pairs* q, int which, vec3 value)
{
    set_number(q, which, value.x);
    set_number(q, which + 1, value.y);
    set_number(q, which + 2, value.z);
}

INLINE bool same_bits(real a, real b)
{
#if LANES == 1
    uint64_t bits[2] = {0, 0};
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return bits[0] == bits[1];
#else
    return lane_bits((mask)a != (mask)b) == 0;
#endif
}

// Of numbers that are known, to memory where they change: that is what takes the time.
INLINE void renew_number(const pairs* q, int which, real before, real after)
{
    if (!same_bits(before, after)) set_number(q, which, after);
}
INLINE void renew_slide(const pairs* q, int which, vec3 before, vec3 after)
{
    renew_number(q, which, before.x, after.x);
    renew_number(q, which + 1, before.y, after.y);
    renew_number(q, which + 2, before.z, after.z);
}

INLINE pairs look_at_pairs(const strip* s, int k)
{
    pairs q;
    size_t row = (size_t)s->row + (size_t)k;
    const int* other = s->p->other + row * LOOSE_BLOCK + s->lane;
    q.number = numbers_of_row(s, k);
    for (int i = 0; i < LANES; ++i) q.at[i] = 2 * (unsigned)other[i];
    q.other = load_side(s->p, q.at, s->sees);
    vec3 apart = v3_sub(s->own.x, q.other.x);
    real square = v3_dot(apart, apart);
    q.apart = (square >= SCALAR_LEAST * 4) & (s->neighbors > lane_splat((scalar)k));
    real length = lane_sqrt(lane_select(q.apart, square, lane_splat(1)));
    q.distance = lane_select(q.apart, length, lane_splat(0));
    q.normal = v3_scale(1 / length, apart);
    q.thickness = s->own.r + q.other.r;
    return q;
}

INLINE real depth_of(const strip* s, const pairs* q, real thickness)
{
    return thickness - q->distance - v3_dot(q->normal, v3_sub(s->own.d, q->other.d));
}

INLINE real pivot_of(const strip* s, const pairs* q)
{
    return s->own.n * s->own.w + q->other.n * q->other.w;
}

typedef struct {
    real stick, slip, yield;
} lane_rules;

INLINE lane_rules rules_of_pairs(const strip* s, const pairs* q)
{
    const loose_pairs* p = s->p;
    lane_rules r;
    r.stick = lane_splat((scalar)p->rules->stick);
    r.slip = lane_splat((scalar)p->rules->slip);
    r.yield = lane_splat((scalar)p->rules->yield);
    if (p->alike) return r;
    scalar stick[LANES], slip[LANES], yield[LANES];
    for (int i = 0; i < LANES; ++i) {
        const loose_rules* of =
            &p->rules[p->body[s->at[i] / 2] * p->bodies + p->body[q->at[i] / 2]];
        stick[i] = (scalar)of->stick;
        slip[i] = (scalar)of->slip;
        yield[i] = (scalar)of->yield;
    }
    r.stick = lane_load(stick);
    r.slip = lane_load(slip);
    r.yield = lane_load(yield);
    return r;
}

// What lanes of a row say: as bits of words of the whole block, which one thread has. On a GPU an
// entry has a byte.
#ifdef __CUDACC__
INLINE unsigned char* flags_at(const strip* s, int k)
{
    return (unsigned char*)s->p->flags + ((size_t)s->row + (size_t)k) * LOOSE_BLOCK + s->lane;
}
INLINE mask flags_of(const strip* s, loose_flag which, int k)
{
    return *flags_at(s, k) >> which & 1;
}
INLINE void set_flags(const strip* s, loose_flag which, int k, mask m)
{
    unsigned before = *flags_at(s, k), after = (before & ~(1u << which)) | (unsigned)!!m << which;
    if (after != before) *flags_at(s, k) = (unsigned char)after;
}
INLINE bool has_flags(const strip* s, loose_flag which, int k)
{
    return flags_of(s, which, k) != 0;
}
#else
INLINE uint16_t* flags_at(const strip* s, loose_flag which, int k)
{
    return (uint16_t*)s->p->flags + ((size_t)s->row + (size_t)k) * LOOSE_FLAGS + which;
}
INLINE mask flags_of(const strip* s, loose_flag which, int k)
{
    return lanes_of((unsigned)*flags_at(s, which, k) >> s->lane);
}
INLINE void set_flags(const strip* s, loose_flag which, int k, mask m)
{
    const unsigned all = (1u << LANES) - 1;
    uint16_t* at = flags_at(s, which, k);
    *at = (uint16_t)(((unsigned)*at & ~(all << s->lane)) | lane_bits(m) << s->lane);
}
INLINE bool has_flags(const strip* s, loose_flag which, int k)
{
    const unsigned all = (1u << LANES) - 1;
    return ((unsigned)*flags_at(s, which, k) >> s->lane & all) != 0;
}
#endif

// Few pairs overlapped when they were first seen.
INLINE real sunk_of(const strip* s, const pairs* q, int k)
{
    return has_flags(s, LOOSE_SUNKEN, k) ? number_of(q, LOOSE_SUNK) : lane_splat(0);
}
INLINE void set_sunk(const strip* s, const pairs* q, int k, real sunk)
{
    bool was = has_flags(s, LOOSE_SUNKEN, k);
    if (!was && !lane_any(sunk > 0)) return;
    set_number(q, LOOSE_SUNK, sunk);
    set_flags(s, LOOSE_SUNKEN, k, sunk > 0);
}

// ---- passes -------------------------------------------------------------------------------------

// How hard pairs push, and hold by friction [kg m].
typedef struct {
    real lambda;
    vec3 slide;
} grips;

INLINE grips grips_of(const pairs* q)
{
    grips g = {number_of(q, LOOSE_LAMBDA), slide_of(q, LOOSE_SLIDE)};
    return g;
}
INLINE void renew_grips(const pairs* q, const grips* before, const grips* after)
{
    renew_number(q, LOOSE_LAMBDA, before->lambda, after->lambda);
    renew_slide(q, LOOSE_SLIDE, before->slide, after->slide);
}
INLINE grips part_of_grips(const grips* g, real part)
{
    grips less = {part * g->lambda, v3_scale(part, g->slide)};
    return less;
}

// What pairs take over of what they had, and what they start from (take_kept_contact, fill_found in
// near.h).
INLINE grips take_over(const strip* s, const pairs* q, int k, const grips* had)
{
    const real none = lane_splat(0);
    vec3 way = v3_sub(s->own.d, q->other.d);
    real stored = s->p->stores ? number_of(q, LOOSE_STORED) : none;
    mask known = (had->lambda > 0) | (stored > 0) | flags_of(s, LOOSE_PUSHED, k) |
                 flags_of(s, LOOSE_OVERLAPS, k);
    mask goes_on = known & courses_meet(q->distance, q->thickness, lane_sqrt(v3_dot(way, way)));
    real carry = lane_select(goes_on & q->apart, lane_splat((scalar)s->p->carry), none);
    real overlap = lane_max(q->thickness - q->distance, none);
    set_sunk(s, q, k, lane_select(goes_on, sunk_of(s, q, k), overlap));
    if (s->p->stores) set_number(q, LOOSE_STORED, lane_select(goes_on, stored, none));
    set_flags(s, LOOSE_OVERLAPS, k, q->distance < q->thickness);
    return part_of_grips(had, carry);
}

// What the last substep did is tried first (pair_warm).
INLINE vec3 warm_push(const strip* s, const pairs* q, mask warm, grips* g)
{
    vec3 n = q->normal, along = v3_add_scaled(g->slide, -v3_dot(g->slide, n), n);
    lane_rules r = rules_of_pairs(s, q);
    vec3 limited = coulomb(r.stick, r.slip, g->lambda, along);
    g->slide = select3(warm, limited, g->slide);
    return select3(warm, v3_add_scaled(limited, g->lambda, n), v3_zero());
}

FUNCTION bool warm_strip(const loose_pairs* p, int block, int lane)
{
    strip s = open_strip(p, block, lane, SEE_WAY);
    vec3 push = v3_zero();
    real contacts = lane_splat(0);
    for (int k = 0; k < s.row_count; ++k) {
        pairs q = look_at_pairs(&s, k);
        grips had = grips_of(&q), has = take_over(&s, &q, k, &had);
        mask warm = q.apart & (has.lambda > 0);
        if (lane_any(warm)) {
            push = v3_add(push, warm_push(&s, &q, warm, &has));
            contacts = contacts + lane_select(warm, lane_splat(1), lane_splat(0));
        }
        renew_grips(&q, &had, &has);
    }
    close_strip(&s, p->push, push, contacts);
    return lane_any(contacts > 0);
}

FUNCTION bool judge_strip(const loose_pairs* p, int block, int lane)
{
    strip s = open_strip(p, block, lane, SEE_WAY);
    const scalar little = (scalar)(CALM_OF_BALLS * p->rest_speed * p->h);
    real contacts = lane_splat(0);
    for (int k = 0; k < s.row_count; ++k) {
        pairs q = look_at_pairs(&s, k);
        real thickness = q.thickness - sunk_of(&s, &q, k);
        real depth = depth_of(&s, &q, thickness);
        depth = calmed_depth(depth, thickness - q.distance, little);
        mask active = q.apart & ((depth > 0) | (number_of(&q, LOOSE_LAMBDA) > 0));
        set_flags(&s, LOOSE_ACTIVE, k, active);
        contacts = contacts + lane_select(active, lane_splat(1), lane_splat(0));
    }
    close_strip(&s, p->push, v3_zero(), contacts);
    return lane_any(contacts > 0);
}

// One pass (pair_press): the change of what the pair does.
INLINE vec3 press_pairs(const strip* s, const pairs* q, int k, mask active, grips* g)
{
    const real none = lane_splat(0);
    const scalar little = (scalar)(CALM_OF_BALLS * s->p->rest_speed * s->p->h);
    real sunk = sunk_of(s, q, k);
    vec3 n = q->normal;
    real thickness = q->thickness - sunk, pivot = pivot_of(s, q);
    real depth = calmed_depth(depth_of(s, q, thickness), thickness - q->distance, little);
    lane_rules r = rules_of_pairs(s, q);
    mask free = active & (pivot > 0); // else both sides are held
    pivot = lane_select(free, pivot, lane_splat(1));
    real change = push_change(depth, g->lambda, pivot, r.yield), pushed = g->lambda + change;
    vec3 slip = v3_sub(s->own.moved, q->other.moved);
    slip = v3_add_scaled(slip, -v3_dot(slip, n), n);
    vec3 held = coulomb(r.stick, r.slip, pushed, v3_add_scaled(g->slide, -1 / pivot, slip));
    vec3 push = select3(free, v3_add_scaled(v3_sub(held, g->slide), change, n), v3_zero());
    real before = number_of(q, LOOSE_PIVOT);
    renew_number(q, LOOSE_PIVOT, before, lane_select(free, pivot, before));
    g->lambda = lane_select(active, lane_select(free, pushed, none), g->lambda);
    g->slide = select3(active, select3(free, held, v3_zero()), g->slide);
    return push;
}

FUNCTION bool press_strip(const loose_pairs* p, int block, int lane)
{
    strip s = open_strip(p, block, lane, SEE_SLIP);
    vec3 push = v3_zero();
    real contacts = lane_splat(0);
    for (int k = 0; k < s.row_count; ++k) {
        if (!has_flags(&s, LOOSE_ACTIVE, k)) continue;
        pairs q = look_at_pairs(&s, k);
        mask active = flags_of(&s, LOOSE_ACTIVE, k);
        grips had = grips_of(&q), has = had;
        push = v3_add(push, press_pairs(&s, &q, k, active, &has));
        contacts = contacts + lane_select(active, lane_splat(1), lane_splat(0));
        renew_grips(&q, &had, &has);
    }
    close_strip(&s, p->push, push, contacts);
    return true;
}

// ---- the end of the substep ---------------------------------------------------------------------

// Of a particle's pairs.
typedef struct {
    vec3 velocity; // [m/s] the particle's
    vec3 all, lasting;
} settling;

// The sums of the substep, and what will go on (total_push, settle_pair).
INLINE grips settle_pairs(const strip* s, const pairs* q, int k, const grips* g, settling* sums)
{
    const real none = lane_splat(0);
    real last;
    mask pushes = q->apart & (g->lambda > 0);
    vec3 push = select3(pushes, v3_add_scaled(g->slide, g->lambda, q->normal), v3_zero());
    vec3 faster = v3_sub(sums->velocity, columns(s->p->velocity, q->at, &last));
    real share = share_that_lasts(g->lambda, number_of(q, LOOSE_PIVOT), -v3_dot(q->normal, faster),
                                  (scalar)s->p->h, (scalar)s->p->rest_speed);
    share = lane_select(pushes, (scalar)BALLS_LAST * share, none);
    sums->all = v3_add(sums->all, push);
    sums->lasting = v3_add_scaled(sums->lasting, share, push);
    vec3 sum = v3_add(slide_of(q, LOOSE_SUM), push);
    set_slide(q, LOOSE_SUM, sum);
    set_flags(s, LOOSE_PUSHED, k, (sum.x != 0) | (sum.y != 0) | (sum.z != 0));
    return part_of_grips(g, share);
}

// What may overlap is let out.
INLINE void let_out(const strip* s, int k)
{
    if (!has_flags(s, LOOSE_SUNKEN, k)) return;
    pairs at;
    at.number = numbers_of_row(s, k);
    real rise = lane_splat((scalar)(s->p->exit_speed * s->p->h));
    set_sunk(s, &at, k, lane_max(number_of(&at, LOOSE_SUNK) - rise, lane_splat(0)));
}

INLINE settling open_settling(const strip* s)
{
    real last;
    settling sums = {columns(s->p->velocity, s->at, &last), v3_zero(), v3_zero()};
    return sums;
}
INLINE void close_settling(const strip* s, const settling* sums)
{
    close_strip(s, s->p->total, sums->all, lane_splat(0));
    close_strip(s, s->p->lasting, sums->lasting, lane_splat(0));
}

FUNCTION bool settle_strip(const loose_pairs* p, int block, int lane)
{
    strip s = open_strip(p, block, lane, SEE_PLACE);
    settling sums = open_settling(&s);
    for (int k = 0; k < s.row_count; ++k) {
        pairs at;
        at.number = numbers_of_row(&s, k);
        real lambda = number_of(&at, LOOSE_LAMBDA);
        let_out(&s, k);
        set_flags(&s, LOOSE_ACTIVE, k, lambda > 0);
        if (!lane_any(lambda > 0)) continue;
        pairs q = look_at_pairs(&s, k);
        grips had = grips_of(&q), has = settle_pairs(&s, &q, k, &had, &sums);
        renew_grips(&q, &had, &has);
    }
    close_settling(&s, &sums);
    return true;
}

// The last pass of a substep and its end, in one go.
FUNCTION bool finish_strip(const loose_pairs* p, int block, int lane)
{
    strip s = open_strip(p, block, lane, SEE_SLIP);
    settling sums = open_settling(&s);
    vec3 push = v3_zero();
    real contacts = lane_splat(0);
    for (int k = 0; k < s.row_count; ++k) {
        mask active = flags_of(&s, LOOSE_ACTIVE, k);
        if (!has_flags(&s, LOOSE_ACTIVE, k)) {
            let_out(&s, k);
            continue;
        }
        pairs q = look_at_pairs(&s, k);
        grips had = grips_of(&q), has = had;
        push = v3_add(push, press_pairs(&s, &q, k, active, &has));
        contacts = contacts + lane_select(active, lane_splat(1), lane_splat(0));
        let_out(&s, k);
        set_flags(&s, LOOSE_ACTIVE, k, has.lambda > 0);
        if (lane_any(has.lambda > 0)) has = settle_pairs(&s, &q, k, &has, &sums);
        renew_grips(&q, &had, &has);
    }
    close_strip(&s, p->push, push, contacts);
    close_settling(&s, &sums);
    return true;
}
