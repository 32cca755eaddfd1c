// The order of work where joints pull, once after each sweep of places. The same source for the
// processor and for CUDA: each includes it with an ORDER of its own (static, or static __device__),
// a type `joining`, and what it asks for:
//
//   void joining_run(joining*, joint_pass)  a pass over all joints or all points, which everybody
//                                           has done when it returns
//   bool joining_pull(joining*)             likewise: all joints pull. Whether some was not done
//   yet
#pragma once
#include "joint/passes.h"

// A joint whose points have no other is done by one pass, and by the second it is known. Those that
// share points come nearer with every pass, and start from where the substep before has ended.
ORDER void order_pull(joining* m)
{
    enum { PASSES = 16 };
    bool off = true;
    for (int pass = 0; pass < PASSES && off; ++pass) {
        off = joining_pull(m);
        joining_run(m, JOINT_move_joint_point);
    }
}

// `first`, `last`: of the substep's iterations.
ORDER void order_join(joining* m, bool first, bool last)
{
    if (first) {
        joining_run(m, JOINT_load_joint_point);
        joining_run(m, JOINT_begin_joint);
        joining_run(m, JOINT_move_joint_point);
    } else {
        joining_run(m, JOINT_load_joint_motion);
    }
    order_pull(m);
    joining_run(m, JOINT_store_joint_motion);
    if (!last) return;
    joining_run(m, JOINT_end_joint);
    joining_run(m, JOINT_lift_joint_point);
}
