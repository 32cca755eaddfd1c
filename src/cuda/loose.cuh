// Loose particles that touch each other, by all threads of a meeting: their passes, a lane for each
// thread, and their lists. The formulas are those of the CPU (loose_pass.h, loose_reach.h).
#pragma once
#include "contact/loose_pass.h"
#include "contact/loose_reach.h"
#include "cuda/meeting.cuh"

// ---- passes -------------------------------------------------------------------------------------

MEETING bool run_strip(const loose_pairs* p, loose_step which, int i)
{
    int block = i / LOOSE_BLOCK, lane = i % LOOSE_BLOCK;
    switch (which) {
    case LOOSE_WARM:
        return warm_strip(p, block, lane);
    case LOOSE_JUDGE:
        return judge_strip(p, block, lane);
    case LOOSE_PRESS:
    case LOOSE_FINISH:
        return press_strip(p, block, lane);
    case LOOSE_SETTLE:
        return settle_strip(p, block, lane);
    }
    return false;
}

// Where nobody else is, a particle knows its contacts as soon as its lane is done, and at the end
// of a substep looks at nothing but what that left.
MEETING_LARGE bool meeting_loose(meeting* m, loose_step which, double carry)
{
    contact_set* s = m->set;
    bool any = false;
    if (s->loose.count == 0) return false;
    barrier_before(m, WORK_OTHER);
    if (threadIdx.x == 0) {
        s->pass++;
        s->loose.carry = carry;
    }
    __syncthreads();
    for (int i = m->thread; i < s->loose.count; i += m->threads) {
        any |= run_strip(&s->loose, which, i);
        if (MEETS_ALONE && (which == LOOSE_WARM || which == LOOSE_JUDGE)) count_contacts(s, i);
    }
    // A flag is raised again when all blocks have read it: there is a barrier between.
    if (any && which == LOOSE_JUDGE) flag_raise(&s->flags->pressing, s->pass);
    if (which == LOOSE_JUDGE) return said(m, &s->flags->pressing);
    if (MEETS_ALONE && which != LOOSE_SETTLE) barrier(m);
    return any;
}

// ---- who goes on --------------------------------------------------------------------------------

// As a step brings it.
MEETING void open_loose(meeting* m, double h)
{
    loose_pairs* p = &m->set->loose;
    const device_loose* l = &m->of->loose;
    p->place = m->set->place;
    p->increment = m->set->increment;
    p->residue = m->set->residue;
    p->velocity = m->set->velocity;
    p->body = m->set->owner;
    p->total = p->push;
    p->rules = l->rules;
    p->bodies = l->bodies;
    p->h = h;
    p->rest_speed = m->set->rest_speed;
    p->exit_speed = m->set->exit_speed;
}

// The next substep of the list.
MEETING void go_on_loose(meeting* m)
{
    contact_set* s = m->set;
    if (s->loose.count == 0) return;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < 3; ++k) s->loose.drift[k] += s->frame_before[k];
        s->loose.age++;
    }
    __syncthreads();
    if (s->loose.age >= s->loose.life) m->loose_due = true;
}

MEETING void note_strayed(meeting* m)
{
    if (m->of->loose.count > 0 && said(m, &m->set->flags->strayed)) m->loose_due = true;
}

// ---- a step begins ------------------------------------------------------------------------------

// One number of an entry.
MEETING size_t number_at(long long entry, int which)
{
    return (size_t)((entry / LOOSE_BLOCK * LOOSE_NUMBERS + which) * LOOSE_BLOCK +
                    entry % LOOSE_BLOCK);
}

MEETING int loose_block_count(const contact_set* s)
{
    return (s->loose.count + LOOSE_BLOCK - 1) / LOOSE_BLOCK;
}

// Sums start at zero, and what there is is kept for a step that has to be repeated.
MEETING void save_entry(const loose_pairs* p, const loose_list_memory* to, long long entry)
{
    const unsigned pushed = 1u << LOOSE_PUSHED;
    scalar *from = (scalar*)p->number, *saved = (scalar*)to->number;
    unsigned char* flags = (unsigned char*)p->flags;
    unsigned char* saved_flags = (unsigned char*)to->flags;
    if (flags[entry] & pushed) {
        for (int k = 0; k < 3; ++k) from[number_at(entry, LOOSE_SUM + k)] = 0;
        flags[entry] = (unsigned char)(flags[entry] & ~pushed);
    }
    to->other[entry] = p->other[entry];
    saved_flags[entry] = flags[entry];
    for (int k = 0; k < LOOSE_SUM; ++k) saved[number_at(entry, k)] = from[number_at(entry, k)];
}

MEETING_LARGE void start_loose(meeting* m, double h)
{
    contact_set* s = m->set;
    const loose_pairs* p = &s->loose;
    device_loose* l = &m->of->loose;
    const loose_list_memory* to = &l->list[LOOSE_SAVED];
    int blocks = loose_block_count(s);
    for (int i = m->thread; i < l->bodies * l->bodies; i += m->threads)
        l->rules[i] = loose_rules_of(&s->body[i / l->bodies], &s->body[i % l->bodies], h,
                                     sizeof(scalar) == sizeof(float));
    for (int i = m->thread; i < p->count; i += m->threads) to->neighbors[i] = p->neighbors[i];
    for (int i = m->thread; i <= blocks && p->count > 0; i += m->threads)
        to->start[i] = p->start[i];
    long long entries = p->count > 0 ? (long long)p->start[blocks] * LOOSE_BLOCK : 0;
    for (long long i = m->thread; i < entries; i += m->threads) save_entry(p, to, i);
    if (m->thread == 0) l->saved_count = p->count;
}
