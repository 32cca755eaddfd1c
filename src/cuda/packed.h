// The sweeps of a plan with patches once more, in the order in which the threads of a GPU read them
// (stream, body.h).
#pragma once
#include "cuda/fill_device_body.h"

typedef struct {
    // Of one type.
    uint16_t* index;
    float *field, *same;
    // Of one-row constraints.
    char* lane;
    unsigned char* unit_type;
    size_t group_count;
} packed;

typedef struct {
    packed sweep[2];  // of places, of motion
    int* color_group; // of one-row constraints: where its colors start; NULL: as in the plan
} packed_plan;

// Says in out->sweep, out->lambda_at and out->lambda_count how the sweeps are packed, and packs
// them. False when memory runs out; packed_destroy is due in any case.
bool packed_create(const plan* p, device_plan* out, packed_plan* into);
void packed_destroy(packed_plan* into);

// Shared memory gives eight rows at once if no two of them are in the same one of its eight
// columns. Which elements of a color are neighbors in a warp is free: so they are chosen eight by
// eight to collide little, each as the best of the next few, and swapped where both sides gain. A
// lane is 16 times its group in the plan, plus its place there.
typedef struct {
    uint32_t corner[ELEMENT_PARTICLES]; // how often it uses each column, four bits each
} column_counts;

typedef struct {
    const plan* plan;
    bool motion;
    int* lane; // of a color
    int count, capacity;
    column_counts *columns, *eight; // scratch: of each lane that is arranged, of eight together
} lane_order;

bool lane_order_reserve(lane_order* o, int color);
void lane_order_discard(lane_order* o);
void lane_order_arrange(lane_order* o, int first, int end);

// The first round of a group that belongs to a sweep of places or motion; how many there are.
const round_block* round_of(const plan* p, size_t group, bool motion, int* out_count);

// How many constants a lane has in a body of one-row constraints: all its groups have one round
// each, of one row with few constants. 0: it is no such body.
int one_row_fields(const plan* p);
bool one_row_create(const plan* p, int fields, packed_plan* out);
