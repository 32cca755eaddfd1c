// Contacts of near pairs. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "contact/guard.h"
#include "contact/near.h"
#include "contact/pressing.h"
#include "contact/zones_rigid.h"

#define OVER(one, number)                                                                          \
    static void all_##one(contact_set* s, int first, int last)                                     \
    {                                                                                              \
        for (int i = first; i < last; ++i) one(s, number);                                         \
    }
#define OVER_ALL(one)   OVER(one, i)
#define OVER_TOUCH(one) OVER(one, s->touch[i])
#define OVER_HOLD(one)  OVER(one, s->hold[i])
#define OVER_LIVE(one)  OVER(one, s->live[i])
PASSES(OVER_ALL, OVER_TOUCH, OVER_HOLD, OVER_ALL, OVER_ALL, OVER_LIVE, OVER_ALL, OVER_ALL, OVER_ALL)

static void take(contact_set* s, int pair, const kept_contact* from, double carry)
{
    take_kept_contact(s, pair, from, carry);
}

static bool give(const contact_set* s, int pair, kept_contact* out)
{
    return give_kept_contact(s, pair, out);
}

static void describe(const contact_set* s, int pair, contact_description* out)
{
    const pair_state* c = state_of(s, pair);
    *out = (contact_description){.depth = (double)c->depth, .pushes = c->active};
    out->touches = pair_is_close(s, pair) || c->held || c->bounces || c->stored > 0;
    for (int k = 0; k < 4; ++k) out->weight[k] = (double)c->weight[k];
    for (int k = 0; k < 3; ++k) {
        out->normal[k] = (double)c->normal[k];
        out->sum[k] = (double)c->sum[k];
    }
}

static bool goes_on(const contact_set* s, int pair)
{
    const pair_state* c = state_of(s, pair);
    return c->valid && (c->goes_on || !s->looks_first);
}

static bool is_new(const contact_set* s, int pair)
{
    const pair_state* c = state_of(s, pair);
    return s->pair[pair].kind != PAIR_EDGES && goes_on(s, pair) && !(c->lambda > 0) &&
           !(c->stored > 0) && has_rigid_side(s, &s->pair[pair]);
}

static bool presses(const contact_set* s, int pair, bool bounces)
{
    const pair_state* c = state_of(s, pair);
    return (bounces ? c->bounces : c->active) && has_rigid_side(s, &s->pair[pair]);
}

#define PASS_ENTRY(one) [PASS_##one] = all_##one,
extern const pressing_kernels KERNELS;
const pressing_kernels KERNELS = {
    {PASSES(PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY,
            PASS_ENTRY, PASS_ENTRY)},
    take,
    describe,
    give,
    goes_on,
    is_new,
    presses};
