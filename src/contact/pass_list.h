// The passes of passes.h, guard.h and zones.h, for whoever runs them.
#pragma once
#include "contact/set.h"

// PAIRS: over the pairs of the substep. POINTS: over their points. ALL: over all points.
#define PASSES(PAIRS, POINTS, ALL)                                                                 \
    PAIRS(judge_pair)                                                                              \
    PAIRS(press_pair)                                                                              \
    PAIRS(settle_pair)                                                                             \
    PAIRS(warm_pair)                                                                               \
    PAIRS(store_impact)                                                                            \
    PAIRS(rebound_pair)                                                                            \
    PAIRS(look_at_pair)                                                                            \
    PAIRS(hold_pair)                                                                               \
    PAIRS(zone_join_pair)                                                                          \
    POINTS(load_all)                                                                               \
    POINTS(load_increment)                                                                         \
    POINTS(store_increment)                                                                        \
    POINTS(count_contacts)                                                                         \
    POINTS(move_point)                                                                             \
    POINTS(mark_point)                                                                             \
    POINTS(load_velocity)                                                                          \
    POINTS(share_point)                                                                            \
    POINTS(speed_up_point)                                                                         \
    POINTS(count_crossing)                                                                         \
    POINTS(hold_back_point)                                                                        \
    POINTS(zone_clear)                                                                             \
    POINTS(zone_count)                                                                             \
    POINTS(zone_measure)                                                                           \
    POINTS(zone_add)                                                                               \
    POINTS(zone_move)                                                                              \
    ALL(zone_start)

#define PASS_NAME(name) PASS_##name,
typedef enum { PASSES(PASS_NAME, PASS_NAME, PASS_NAME) PASS_COUNT } contact_pass;
#undef PASS_NAME

// How many there are for a pass.
INLINE int pass_size(const contact_set* s, contact_pass pass)
{
    if (pass < PASS_load_all) return s->pair_count;
    return pass < PASS_zone_start ? s->live_count : s->point_count;
}
