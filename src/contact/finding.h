// Finding pairs that are near: the part of the kernels in find.c.
#pragma once
#include "contact/system.h"

// A pair comes nearer by the ways of both bodies, and has to stay apart by a part of its distance.
static const double ROOM = 1.125;

typedef struct {
    size_t box_bytes;   // of a node of a tree, or an element
    size_t state_bytes; // of a pair
    // Of a body: how far the substep moves its points.
    void (*look)(contact_system* s, int body);
    // Its tree around where it is at the start of the substep, with its margin.
    void (*fit)(contact_system* s, int body);
    // Elements of a part of a body that others are near, with margins; and pairs of their points
    // and edges that may meet in this substep, measured.
    void (*list)(contact_system* s, find_chunk* chunk);
    void (*pair)(contact_system* s, find_chunk* chunk);
    // How many of its near elements cross elements of a body; of any: other < 0.
    int (*cross)(contact_system* s, const find_chunk* chunk, int other);
} finding_kernels;

const finding_kernels* finding_kernels_for(int scalar_bytes);
