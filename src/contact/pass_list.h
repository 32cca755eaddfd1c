// The passes of passes.h, impacts.h, guard.h, zones.h and zones_rigid.h, for whoever runs them.
#pragma once
#include "contact/set.h"

// PAIRS: over the pairs of the substep; TOUCH: over those that may touch; HOLD: over those that the
// guard holds back. PRESS: over contacts of rigid bodies; COLOR: over manifolds of the color at
// hand. LIVE: over points of pairs. BODIES, POINTS and ELEMENTS: over all.
#define PASSES(PAIRS, TOUCH, HOLD, PRESS, COLOR, LIVE, BODIES, POINTS, ELEMENTS)                   \
    PAIRS(look_at_pair)                                                                            \
    PAIRS(look_past_pieces)                                                                        \
    PAIRS(zone_join_pair)                                                                          \
    TOUCH(judge_pair)                                                                              \
    TOUCH(press_pair)                                                                              \
    TOUCH(settle_pair)                                                                             \
    TOUCH(warm_pair)                                                                               \
    TOUCH(store_impact)                                                                            \
    TOUCH(rebound_pair)                                                                            \
    HOLD(hold_pair)                                                                                \
    PRESS(start_press)                                                                             \
    PRESS(measure_round)                                                                           \
    PRESS(follow_round)                                                                            \
    PRESS(start_rebound)                                                                           \
    PRESS(end_rebound)                                                                             \
    COLOR(press_manifold)                                                                          \
    COLOR(rebound_manifold)                                                                        \
    LIVE(load_all)                                                                                 \
    LIVE(load_increment)                                                                           \
    LIVE(store_increment)                                                                          \
    LIVE(count_contacts)                                                                           \
    LIVE(move_point)                                                                               \
    LIVE(mark_point)                                                                               \
    LIVE(load_velocity)                                                                            \
    LIVE(share_point)                                                                              \
    LIVE(speed_up_point)                                                                           \
    LIVE(count_crossing)                                                                           \
    LIVE(hold_back_point)                                                                          \
    LIVE(zone_clear)                                                                               \
    LIVE(zone_count)                                                                               \
    LIVE(zone_measure)                                                                             \
    LIVE(zone_add)                                                                                 \
    LIVE(zone_move)                                                                                \
    BODIES(start_bodies)                                                                           \
    BODIES(measure_islands)                                                                        \
    BODIES(follow_bodies)                                                                          \
    BODIES(count_rigid)                                                                            \
    BODIES(move_rigid)                                                                             \
    BODIES(count_crossing_rigid)                                                                   \
    BODIES(hold_back_rigid)                                                                        \
    BODIES(share_rigid)                                                                            \
    BODIES(rebound_rigid)                                                                          \
    BODIES(zone_clear_rigid)                                                                       \
    BODIES(zone_count_rigid)                                                                       \
    BODIES(zone_measure_rigid)                                                                     \
    BODIES(zone_add_rigid)                                                                         \
    BODIES(zone_move_rigid)                                                                        \
    POINTS(zone_start)                                                                             \
    POINTS(look_point)                                                                             \
    POINTS(widen_point)                                                                            \
    POINTS(watch_point)                                                                            \
    ELEMENTS(look_element)

#define PASS_NAME(name) PASS_##name,
typedef enum {
    PASSES(PASS_NAME, PASS_NAME, PASS_NAME, PASS_NAME, PASS_NAME, PASS_NAME, PASS_NAME, PASS_NAME,
           PASS_NAME) PASS_COUNT
} contact_pass;
#undef PASS_NAME

// How many there are for a pass.
INLINE int pass_size(const contact_set* s, contact_pass pass)
{
    if (pass < PASS_judge_pair) return s->pair_count;
    if (pass < PASS_hold_pair) return s->touch_count;
    if (pass < PASS_start_press) return s->hold_count;
    if (pass < PASS_press_manifold) return s->press_count;
    if (pass < PASS_load_all) return s->color_start[s->color + 1] - s->color_start[s->color];
    if (pass < PASS_start_bodies) return s->live_count;
    if (pass < PASS_zone_start) return s->body_count;
    return pass < PASS_look_element ? s->point_count : s->element_count;
}
