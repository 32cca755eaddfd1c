// What a corner of a rigid body remembers of another body goes on, whichever of its elements the
// corner is nearest to: where faces and edges of bodies lie exactly over each other, rounding says
// which that is, and says something else in the next substep. So a pair of a corner that is new
// takes what another pair of the same corner and body loses: the first one by its key what the
// first one had, and so on. The same source for the processor and for CUDA.
#pragma once
#include "contact/passes.h"

// A corner and the other body.
INLINE uint64_t corner_key(int point, int other)
{
    return (uint64_t)(uint32_t)point << 32 | (uint32_t)other;
}

INLINE uint64_t corner_of_pair(const near_pair* p) { return corner_key(p->point[0], p->body[1]); }

// Of a pair that is kept: false where it is of two edges, or nobody is rigid.
INLINE bool corner_of_kept(const contact_set* s, uint64_t key, uint64_t* out)
{
    int sub = key_sub(key), number[2] = {key_first(key), key_second(key)};
    if (sub >= SUB_EDGES) return false;
    int side = sub >= SUB_SECOND;
    const int body[2] = {contact_body_of(s, number[0]), contact_body_of(s, number[1])};
    const contact_body *b = &s->body[body[side]], *other = &s->body[body[!side]];
    if (!is_rigid(b) && !is_rigid(other)) return false;
    int point = b->surface->element[number[side] - b->first_element].point[sub % 3];
    *out = corner_key(b->first_point + point, body[!side]);
    return true;
}

// Whether a pair takes over what it remembers.
INLINE bool pair_goes_on(const contact_set* s, int pair)
{
    const pair_state* c = state_of(s, pair);
    return c->valid && (c->goes_on || !s->looks_first);
}

// Of a corner, it touches and remembers nothing.
INLINE bool pair_is_new(const contact_set* s, int pair)
{
    const pair_state* c = state_of(s, pair);
    return s->pair[pair].kind != PAIR_EDGES && pair_goes_on(s, pair) && !(c->lambda > 0) &&
           !(c->stored > 0) && has_rigid_side(s, &s->pair[pair]);
}

// Whether it has something to lose.
INLINE bool kept_has_any(const kept_contact* k) { return k->lambda > 0 || k->stored > 0; }

// Its force in this step stays its own.
INLINE void pair_take_lost(contact_set* s, int pair, const kept_contact* from, double carry)
{
    kept_contact taken = *from, own;
    give_kept_contact(s, pair, &own);
    for (int k = 0; k < 3; ++k) taken.sum[k] = own.sum[k];
    take_kept_contact(s, pair, &taken, carry);
}
