#pragma once

// Around a body after a step, and how fast its fastest point is.
typedef struct {
    float low[3], high[3]; // [m]
    float fastest;         // [m/s]
} body_bounds;
