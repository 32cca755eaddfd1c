// All threads that meet for a world: passes with barriers where one needs what another did.
#pragma once
#include "contact/pass_list.h"
#include "cuda/crew.cuh"
#include "cuda/meeting.h"

// Compiled for worlds of loose particles alone, which need less.
#ifdef LOOSE_ALONE
enum { MEETS_ALONE = 1 };
#else
enum { MEETS_ALONE = 0 };
#endif

enum { MEETING_THREADS = CREW_THREADS, MEETING_BLOCKS = 2, MEETING_WARP = CREW_WARP };

// What was done since the last barrier, by its items: the next pass over the same ones needs none,
// since each thread has the same of them again.
typedef enum { WORK_NONE, WORK_PAIRS, WORK_TOUCH, WORK_HOLD, WORK_LIVE, WORK_OTHER } meeting_items;

// One of the threads that work on a world.
struct meeting : crew {
    device_meeting* of;
    const meeting_world* world; // as the step brings it
    contact_set* set;           // the block's
    bool listed[2];             // the lists have all that may meet
    bool loose_due;             // that of loose particles does not reach any more
    long long first_meeting;    // of the step
    meeting_items pending;
    bool has_met; // there was a barrier
    int round;    // of the guard
};

#define MEETING       static __device__
#define MEETING_LARGE static __device__ __noinline__ // what many places call

// Everybody has come here, and sees what the others wrote.
MEETING_LARGE void barrier(meeting* m)
{
    crew_barrier(m);
    m->pending = WORK_NONE;
    m->has_met = true;
}

// Before work on such items.
MEETING void barrier_before(meeting* m, meeting_items items)
{
    bool same = m->pending == items && items != WORK_OTHER;
    if (m->pending != WORK_NONE && !same) barrier(m);
    m->pending = items;
}

MEETING void start_time(const meeting* m)
{
    if (m->thread == 0) m->of->since = nanoseconds();
}
// The time since then was spent on a part.
MEETING void note_time(const meeting* m, meeting_part part)
{
    if (m->thread != 0) return;
    long long now = nanoseconds();
    m->of->spent[part] += now - m->of->since;
    m->of->since = now;
}

MEETING contact_set* meeting_set(meeting* m) { return m->set; }

// ---- passes -------------------------------------------------------------------------------------

// The number of the next pass, for all threads of the block.
MEETING void next_pass(meeting* m)
{
    if (threadIdx.x == 0) m->set->pass++;
    __syncthreads();
}

// A particle that is on a list, where nobody else is; what it reads and writes then is its own, but
// in some passes.
#ifdef LOOSE_ALONE
#define RUN(one, yes)                                                                              \
    case PASS_##one:                                                                               \
        for (int i = m->thread; i < s->point_count; i += m->threads)                               \
            if (yes) one(s, i);                                                                    \
        break;
#define RUN_ALL(one)    RUN(one, true)
#define RUN_LISTED(one) RUN(one, i<s->loose.count && s->loose.neighbors[i]> 0)

MEETING_LARGE void meeting_run(meeting* m, contact_pass pass)
{
    contact_set* s = m->set;
    next_pass(m);
    switch (pass) {
        RUN_ALL(look_point)
        RUN_ALL(widen_point)
        RUN_ALL(watch_point)
        RUN_LISTED(load_all)
        RUN_LISTED(load_increment)
        RUN_LISTED(move_point)
        RUN_LISTED(mark_point)
        RUN_LISTED(store_increment)
    default:
        return;
    }
    barrier(m);
}
#else
#define RUN(one, number)                                                                           \
    case PASS_##one:                                                                               \
        ROLLED for (int i = m->thread; i < count; i += m->threads) one(s, number);                 \
        break;
#define RUN_ALL(one)   RUN(one, i)
#define RUN_TOUCH(one) RUN(one, s->touch[i])
#define RUN_HOLD(one)  RUN(one, s->hold[i])
#define RUN_LIVE(one)  RUN(one, s->live[i])
#if MEETS_RIGID
// A manifold has room for contacts that do not press.
#define RUN_PRESS(one)                                                                             \
    case PASS_##one:                                                                               \
        ROLLED for (int i = m->thread; i < count; i += m->threads) if (s->press[i].pair >= 0)      \
            one(s, i);                                                                             \
        break;
#define RUN_RIGID(one) RUN(one, i)
#else
#define RUN_PRESS(one)
#define RUN_RIGID(one)
#endif

#define ITEMS(number, items)                                                                       \
    case PASS_##number:                                                                            \
        return items;
#define ITEMS_PAIRS(one) ITEMS(one, WORK_PAIRS)
#define ITEMS_TOUCH(one) ITEMS(one, WORK_TOUCH)
#define ITEMS_HOLD(one)  ITEMS(one, WORK_HOLD)
#define ITEMS_LIVE(one)  ITEMS(one, WORK_LIVE)
#define ITEMS_OTHER(one) ITEMS(one, WORK_OTHER)

// Pieces of the guard have numbers that several threads change.
MEETING meeting_items items_of(contact_pass pass)
{
    if (pass >= PASS_zone_clear && pass <= PASS_zone_move) return WORK_OTHER;
    if (pass == PASS_look_past_pieces) return WORK_OTHER;
    switch (pass) {
        PASSES(ITEMS_PAIRS, ITEMS_TOUCH, ITEMS_HOLD, ITEMS_OTHER, ITEMS_OTHER, ITEMS_LIVE,
               ITEMS_OTHER, ITEMS_OTHER, ITEMS_OTHER)
    default:
        return WORK_OTHER;
    }
}

MEETING_LARGE void meeting_run(meeting* m, contact_pass pass)
{
    contact_set* s = m->set;
    if (pass == PASS_warm_pair && !MEETS_RIGID) return;              // when they were found
    if (pass != PASS_watch_point) barrier_before(m, items_of(pass)); // that one reads rows alone
    next_pass(m);
    int count = pass_size(s, pass);
    switch (pass) {
        PASSES(RUN_ALL, RUN_TOUCH, RUN_HOLD, RUN_PRESS, RUN_RIGID, RUN_LIVE, RUN_RIGID, RUN_ALL,
               RUN_ALL)
    default:
        break;
    }
    if (pass == PASS_watch_point) m->pending = WORK_OTHER;
}
#endif

MEETING bool said(meeting* m, const unsigned* flag)
{
    barrier_before(m, WORK_NONE);
    bool yes = flag_is_raised(flag, m->set->pass);
    __syncthreads(); // before the number changes
    return yes;
}
MEETING bool meeting_said(meeting* m, const unsigned* flag) { return said(m, flag); }

MEETING void meeting_note_round(meeting* m)
{
    if (threadIdx.x == 0) m->set->guarded_rounds++;
}
MEETING void meeting_note_squeezed(meeting* m)
{
    if (threadIdx.x == 0) m->set->squeezed++;
}

// ---- room
// ----------------------------------------------------------------------------------------

// There is no room for what was found: the step ends here, and is repeated with more.
MEETING bool stop(meeting* m, int* needed, long long count)
{
    if (m->thread == 0) {
        *needed = (int)(count < INT32_MAX ? count : INT32_MAX);
        m->of->stopped = true;
    }
    return false;
}
