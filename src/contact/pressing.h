// What contacts do: the part of the kernels in press.c and guard.h.
#pragma once
#include "contact/system.h"

// A range of pairs or of live points.
typedef void part_fn(contact_system* s, int first, int last);

typedef struct {
    // Points: from rows, with all that a substep starts from, or increments alone; and back.
    part_fn *load, *load_increments, *store;
    // Pairs: how deep they overlap; what is done about it. At the end of the substep, what was done
    // is added to the step's, and what will go on is left.
    part_fn *judge, *press, *settle;
    // Pairs: what the substep before did. Points: the number of contacts; the pushes of a pass;
    // what all of it was, as rows remember it.
    part_fn *warm, *count, *move, *mark;
    // Bounces, once velocities are known: points, pairs, points.
    part_fn *load_velocities, *rebound, *speed_up;
    // The guard: pairs, points, pairs, points.
    part_fn *look, *count_crossing, *hold, *hold_back;
    bool (*crosses)(const contact_system* s, int pair);
    void (*take)(contact_system* s, int pair, const kept_contact* from, double carry);
    void (*describe)(const contact_system* s, int pair, contact_description* out);
    bool (*give)(const contact_system* s, int pair, kept_contact* out); // false: nothing to keep
} pressing_kernels;

const pressing_kernels* pressing_kernels_for(int scalar_bytes);
