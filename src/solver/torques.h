// Sweeps that do not turn what they work on (torque.h). Compiled once per precision (torques.c).
#pragma once
#include "solver/particles.h"

// Of a body without patches: what its threads tell each other.
typedef struct {
    void* sums;   // [strip_count] torque_total
    void* twists; // [component_count] twist
} torque_scratch;
bool torque_scratch_create(const plan* p, torque_scratch* out);
void torque_scratch_destroy(torque_scratch* s);

// `kept`: the sweep did not start from the prediction, but from the increments that were kept;
// `first`: it is the substep's first one.
typedef struct {
    // Rows first to last - 1 keep their increments.
    void (*keep)(const particle_work* w, int first, int last);
    // All components of a patch. Where constraints see less than the whole substep, its inner rows
    // get the increment of it, too, and the box around them is returned.
    row_box (*patch)(const particle_work* w, const patch* t, bool kept, bool first);
    // The same in three parts, for some of the strips and components of a body without patches.
    void (*sum)(const particle_work* w, const torque_scratch* t, int first, int last, bool kept);
    void (*solve)(const particle_work* w, const torque_scratch* t, int first, int last, bool kept);
    void (*untwist)(const particle_work* w, const torque_scratch* t, int first, int last,
                    bool kept);
} torque_kernels;

const torque_kernels* torque_kernels_for(int scalar_bytes);
