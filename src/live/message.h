// What a page says: messages of a byte that names them and of numbers behind it, little-endian, of
// exactly the length that the kind has. Anything else is refused with a sentence.
#pragma once
#include "live/parameter.h"

typedef enum {
    MESSAGE_PAUSE = 1, // u8: 1 pauses, 0 goes on
    MESSAGE_STEP,      // u16: so many steps, paused
    MESSAGE_RESET,
    MESSAGE_SET,    // u8 parameter, f32
    MESSAGE_COLORS, // u8: one of live_colors
    MESSAGE_GRAB,   // 3 f32 origin [m], 3 f32 direction: what the ray meets first
    MESSAGE_DRAG,   // 3 f32 [m]: where to
    MESSAGE_LET_GO,
    MESSAGE_DIGEST, // the next status has one
    // For the server:
    MESSAGE_SHOWN,  // u32: this frame is on the screen
    MESSAGE_STEER,  // this page wants to steer
    MESSAGE_RECORD, // u8: 0 ends, 1 begins a .glb, 2 an .mp4
    MESSAGE_END,
} message_kind;

enum { MESSAGE_MOST_BYTES = 25, MESSAGE_MOST_STEPS = 1000 };

typedef struct {
    message_kind kind;
    unsigned number;
    double value;
    double point[3], direction[3];
} message;

// No memory is taken and nothing is trusted: numbers are finite and in their ranges.
pliant_result message_read(const void* data, size_t bytes, message* out);
