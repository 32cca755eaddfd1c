// The order of work where bodies meet, once after each sweep of places and once after velocities
// are known. The same source for the processor and for CUDA: each includes it with an ORDER of its
// own (static, or static __device__), a type `meeting`, and what it asks for:
//
//   contact_set* meeting_set(meeting*)
//   void meeting_run(meeting*, contact_pass)      a pass over all pairs or all live points, which
//                                                 everybody has done when it returns
//   bool meeting_said(meeting*, flag)             whether the last pass raised it
//   bool meeting_loose(meeting*, loose_step, double carry)
//                                                 likewise over pairs of loose particles; whether
//                                                 some take part
//   void meeting_look(meeting*)                   how far the substep moves points and elements
//   void meeting_look_again(meeting*)             likewise, after some point left its course
//   bool meeting_list(meeting*)                   elements that are near, where the list does not
//                                                 have all that may meet
//   bool meeting_pair(meeting*, double carry)     pairs of the substep. They take over what pairs
//                                                 before them remember, times that
//   bool meeting_press_rigid(meeting*)            contacts of rigid bodies in this pass,
//   bool meeting_rebound_rigid(meeting*)          and what impacts of these give back
//                                                 (order_rigid.h)
//   bool meeting_hold(meeting*)                   pairs that the guard holds back
//   bool meeting_find_crossed(meeting*)           who crosses whom
//   void meeting_note_round(meeting*)             of the guard,
//   void meeting_note_squeezed(meeting*)          and that it could not keep a pair apart
//   void meeting_go_on(meeting*)                  the end of the substep
//
// Those that return a bool return false where memory runs out, which ends the step.
#pragma once
#include "contact/pass_list.h"

typedef struct {
    int passes;        // in each iteration
    double carry;      // [-] how much of the last substep's pushes this one starts with
    bool first, last;  // of the substep's iterations
    bool look_crossed; // somebody crosses, or may do so: at the start of a step
} meeting_rules;

// ---- pairs --------------------------------------------------------------------------------------

ORDER bool find(meeting* m, double carry)
{
    if (!meeting_list(m) || !meeting_pair(m, carry)) return false;
    meeting_run(m, PASS_load_all);
    return true;
}

// Worlds without rigid bodies have no passes over them.
ORDER void run_rigid(meeting* m, contact_pass pass)
{
    if (meeting_set(m)->rigid_count > 0) meeting_run(m, pass);
}

ORDER bool has_escaped(meeting* m) { return meeting_said(m, &meeting_set(m)->flags->escaped); }

// Somebody goes farther than was thought: all is found again, and points keep what they have.
ORDER bool look_farther(meeting* m, bool escaped)
{
    if (!escaped) return true;
    meeting_look_again(m);
    return find(m, 1);
}

// ---- passes -------------------------------------------------------------------------------------

// Bodies, then points: those of rigid bodies go with them.
ORDER bool move(meeting* m, contact_pass bodies, contact_pass points)
{
    bool escaped = false;
    if (meeting_set(m)->rigid_count > 0) {
        meeting_run(m, bodies);
        escaped = has_escaped(m);
    }
    meeting_run(m, points);
    escaped = has_escaped(m) || escaped;
    return look_farther(m, escaped);
}

ORDER bool start_substep(meeting* m, const meeting_rules* r)
{
    meeting_look(m);
    if (r->look_crossed && !(meeting_list(m) && meeting_find_crossed(m))) return false;
    if (!find(m, r->carry)) return false;
    meeting_run(m, PASS_warm_pair);
    meeting_loose(m, LOOSE_WARM, r->carry);
    run_rigid(m, PASS_count_rigid);
    meeting_run(m, PASS_count_contacts);
    return move(m, PASS_move_rigid, PASS_move_point);
}

ORDER bool judge(meeting* m)
{
    meeting_run(m, PASS_judge_pair);
    bool touching = meeting_said(m, &meeting_set(m)->flags->touching);
    return meeting_loose(m, LOOSE_JUDGE, 1) || touching;
}

ORDER bool order_press(meeting* m, const meeting_rules* r)
{
    for (int i = 0; i < r->passes; ++i) {
        if (!judge(m)) return true;
        run_rigid(m, PASS_count_rigid);
        meeting_run(m, PASS_count_contacts);
        meeting_run(m, PASS_press_pair);
        meeting_loose(m, r->last && i + 1 == r->passes ? LOOSE_FINISH : LOOSE_PRESS, 1);
        if (!meeting_press_rigid(m)) return false;
        if (!move(m, PASS_move_rigid, PASS_move_point)) return false;
    }
    return true;
}

// ---- the guard ----------------------------------------------------------------------------------

ORDER bool is_crossing(meeting* m, contact_pass look)
{
    meeting_run(m, look);
    return meeting_said(m, &meeting_set(m)->flags->violated);
}

// The last resort (zones.h).
ORDER bool join_pieces(meeting* m)
{
    meeting_run(m, PASS_zone_start);
    while (is_crossing(m, PASS_look_past_pieces)) {
        meeting_run(m, PASS_zone_join_pair);
        if (!meeting_said(m, &meeting_set(m)->flags->grown)) {
            meeting_note_squeezed(m);
            return true;
        }
        run_rigid(m, PASS_zone_clear_rigid);
        meeting_run(m, PASS_zone_clear);
        run_rigid(m, PASS_zone_count_rigid);
        meeting_run(m, PASS_zone_count);
        run_rigid(m, PASS_zone_measure_rigid);
        meeting_run(m, PASS_zone_measure);
        run_rigid(m, PASS_zone_add_rigid);
        meeting_run(m, PASS_zone_add);
        if (!move(m, PASS_zone_move_rigid, PASS_zone_move)) return false;
    }
    return true;
}

ORDER bool guard(meeting* m)
{
    enum { ROUNDS = 16 };
    for (int round = 0; round < ROUNDS; ++round) {
        if (!is_crossing(m, PASS_look_at_pair)) return true;
        meeting_note_round(m);
        if (!meeting_hold(m)) return false;
        run_rigid(m, PASS_count_crossing_rigid);
        meeting_run(m, PASS_count_crossing);
        meeting_run(m, PASS_hold_pair);
        if (!move(m, PASS_hold_back_rigid, PASS_hold_back_point)) return false;
    }
    return join_pieces(m);
}

// ---- a substep ----------------------------------------------------------------------------------

// After a sweep: order_start, order_press, order_guard, order_end.
ORDER bool order_start(meeting* m, const meeting_rules* r)
{
    if (r->first) return start_substep(m, r);
    meeting_run(m, PASS_load_increment);
    meeting_run(m, PASS_watch_point);
    return look_farther(m, has_escaped(m));
}

ORDER bool order_guard(meeting* m, const meeting_rules* r)
{
    return !r->last || !meeting_set(m)->guards || guard(m);
}

ORDER void order_end(meeting* m, const meeting_rules* r)
{
    if (r->last) {
        meeting_loose(m, LOOSE_SETTLE, 1);
        meeting_run(m, PASS_mark_point);
    }
    meeting_run(m, PASS_store_increment);
    if (!r->last) return;
    meeting_run(m, PASS_settle_pair);
    meeting_go_on(m);
}

// Bounces, once velocities are known.
ORDER bool order_bounce(meeting* m)
{
    run_rigid(m, PASS_share_rigid);
    meeting_run(m, PASS_share_point);
    meeting_run(m, PASS_store_impact);
    if (!meeting_said(m, &meeting_set(m)->flags->parting)) return true;
    meeting_run(m, PASS_load_velocity);
    run_rigid(m, PASS_share_rigid);
    meeting_run(m, PASS_share_point);
    meeting_run(m, PASS_rebound_pair);
    if (!meeting_rebound_rigid(m)) return false;
    meeting_run(m, PASS_speed_up_point);
    return true;
}
