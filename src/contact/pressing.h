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
} pressing_kernels;

const pressing_kernels* pressing_kernels_for(int scalar_bytes);
