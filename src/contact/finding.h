// Finding pairs that are near: the part of the kernels in find.c.
#pragma once
#include "contact/system.h"

typedef struct {
    size_t box_bytes;     // of a node of a tree, or an element
    size_t element_bytes; // of two elements that are near
    size_t state_bytes;   // of a pair
    // Of a body: how far the substep moves its points.
    void (*look)(contact_set* s, int body);
    // Its tree around where it is at the start of the substep, with its margin.
    void (*fit)(contact_set* s, int body);
    // Elements of a part of a body that others are near, with margins; and pairs of their points
    // and edges that may meet in this substep, measured.
    void (*list)(const contact_set* s, const partner_list* partners, find_chunk* chunk);
    void (*pair)(const contact_set* s, find_chunk* chunk);
    // How many of its near elements cross elements of a body; of any: other < 0.
    int (*cross)(const contact_set* s, const find_chunk* chunk, int other);
} finding_kernels;

const finding_kernels* finding_kernels_for(int scalar_bytes);
