// A hand: a spring from where a body is gripped to a point that the mouse moves. Soft bodies are
// held by their particles around the place, rigid ones by a joint with the world.
#pragma once
#include "scene/stage.h"

enum { GRIP_MOST = 64 };

typedef struct {
    bool holds;
    int body;           // number in the stage
    double stiffness;   // [N/m] of all together
    double target[3];   // [m] where the mouse is
    double velocity[3]; // [m/s] of the body, for the damper
    // Of a soft body: particles, and where each is beside the target.
    pliant_attachment_id attached[GRIP_MOST];
    int particle[GRIP_MOST];
    double offset[GRIP_MOST][3];
    int count;
    pliant_joint_id joint; // of a rigid one
    double from[3], force; // [m, N] where the spring begins, and how strong it is
} grip;

// What the ray meets first; nothing is held where it meets no body. Refused: what cannot be moved.
pliant_result grip_take(grip* g, const stage* s, const double origin[3], const double direction[3]);
// Before each step.
void grip_pull(grip* g, const stage* s, double dt);
// After it.
void grip_measure(grip* g, const stage* s);
void grip_let_go(grip* g, const stage* s);
