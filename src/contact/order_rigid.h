// The order of work for contacts of rigid bodies in a pass, and for what impacts of them give back.
// As order.h, which asks for both, it asks for:
//
//   bool meeting_color(meeting*, bool bounces)    contacts of rigid bodies in this pass, or those
//                                                 that bounce, and their manifolds by colors
//   void meeting_choose_color(meeting*, int color, bool backward)
#pragma once
#include "contact/pass_list.h"

ORDER void there_and_back(meeting* m, contact_pass pass)
{
    int colors = meeting_set(m)->color_count;
    for (int i = 0; i < 2 * colors; ++i) {
        bool back = i >= colors;
        meeting_choose_color(m, back ? 2 * colors - 1 - i : i, back);
        meeting_run(m, pass);
    }
}

// False: all islands have come to rest.
ORDER bool go_on_as_before(meeting* m)
{
    meeting_run(m, PASS_measure_round);
    meeting_run(m, PASS_measure_islands);
    if (!meeting_said(m, &meeting_set(m)->flags->unsettled)) return false;
    meeting_run(m, PASS_follow_round);
    meeting_run(m, PASS_follow_bodies);
    return true;
}

// Several rounds over contacts of rigid bodies, which move along a line meanwhile, there and back:
// what they leave over is then a symmetric part of what there was. A substep starts with what the
// one before did, and what it leaves over moves bodies; with rounds in one direction alone both
// together would rock a stack until it falls.
ORDER bool meeting_press_rigid(meeting* m)
{
    enum { MOST_ROUNDS = 12 };
    contact_set* s = meeting_set(m);
    if (s->rigid_count == 0) return true;
    if (!meeting_color(m, false)) return false;
    meeting_run(m, PASS_start_bodies);
    meeting_run(m, PASS_start_press);
    there_and_back(m, PASS_press_manifold);
    for (int i = 1; i < MOST_ROUNDS && go_on_as_before(m); ++i)
        there_and_back(m, PASS_press_manifold);
    return true;
}

ORDER bool meeting_rebound_rigid(meeting* m)
{
    if (meeting_set(m)->rigid_count == 0) return true;
    if (!meeting_color(m, true)) return false;
    meeting_run(m, PASS_start_bodies);
    meeting_run(m, PASS_start_rebound);
    for (int i = 0; i < REBOUND_ROUNDS; ++i) there_and_back(m, PASS_rebound_manifold);
    meeting_run(m, PASS_end_rebound);
    meeting_run(m, PASS_rebound_rigid);
    return true;
}
