// What contacts do: the part of the kernels in press.c.
#pragma once
#include "contact/pass_list.h"
#include "contact/system.h"

// A range of pairs or of points.
typedef void pass_fn(contact_set* s, int first, int last);

typedef struct {
    pass_fn* pass[PASS_COUNT];
    void (*take)(contact_set* s, int pair, const kept_contact* from, double carry);
    void (*describe)(const contact_set* s, int pair, contact_description* out);
    bool (*give)(const contact_set* s, int pair, kept_contact* out); // false: nothing to keep
    // Of corners (corner.h): a pair takes what another one lost. Whether a pair takes over what it
    // remembers; and whether it is one of a corner and a body, of which one is rigid, that touches
    // and remembers nothing. The corner and the body of such a pair, and of what is kept of one.
    void (*take_lost)(contact_set* s, int pair, const kept_contact* from, double carry);
    bool (*goes_on)(const contact_set* s, int pair);
    bool (*is_new)(const contact_set* s, int pair);
    uint64_t (*corner)(const contact_set* s, int pair);
    bool (*corner_of_kept)(const contact_set* s, uint64_t key, uint64_t* out);
    // A contact of a rigid body, in this pass, or one that bounces.
    bool (*presses)(const contact_set* s, int pair, bool bounces);
} pressing_kernels;

const pressing_kernels* pressing_kernels_for(int scalar_bytes);
