// Contacts of near pairs. Compiled once per precision: -DKERNELS=the table's name
// [-DPRECISION_DOUBLE].
#include "contact/corner.h"
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
    // A pair that is here for the leeways of its points alone is not here in every run.
    bool close = (c->valid && c->goes_on) || (double)c->distance < s->pair[pair].thickness;
    out->touches = close || c->active || c->held || c->bounces || c->stored > 0;
    for (int k = 0; k < 4; ++k) out->weight[k] = (double)c->weight[k];
    for (int k = 0; k < 3; ++k) {
        out->normal[k] = (double)c->normal[k];
        out->sum[k] = (double)c->sum[k];
    }
}

static void take_lost(contact_set* s, int pair, const kept_contact* from, double carry)
{
    pair_take_lost(s, pair, from, carry);
}

static bool goes_on(const contact_set* s, int pair) { return pair_goes_on(s, pair); }
static bool is_new(const contact_set* s, int pair) { return pair_is_new(s, pair); }
static uint64_t corner_of(const contact_set* s, int pair) { return corner_of_pair(&s->pair[pair]); }
static bool corner_kept(const contact_set* s, uint64_t key, uint64_t* out)
{
    return corner_of_kept(s, key, out);
}
static bool presses(const contact_set* s, int pair, bool bounces)
{
    return pair_presses(s, pair, bounces);
}

#define PASS_ENTRY(one) [PASS_##one] = all_##one,
extern const pressing_kernels KERNELS;
const pressing_kernels KERNELS = {
    {PASSES(PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY, PASS_ENTRY,
            PASS_ENTRY, PASS_ENTRY)},
    take,
    describe,
    give,
    take_lost,
    goes_on,
    is_new,
    corner_of,
    corner_kept,
    presses};
