// Finding pairs that are near: the part of the kernels in find.c.
#pragma once
#include "contact/leaves.h"
#include "contact/measure.h"
#include "contact/system.h"

// An element of a body that has strayed too far for a list, and the bodies whose trees it is looked
// for in.
typedef struct {
    int body, element, of;
    const int* other;
    int count;
} stray_look;

typedef struct {
    size_t box_bytes;     // of a node of a tree, or an element
    size_t listed_bytes;  // of a pair in a list of a GPU,
    size_t watched_bytes; // and here
    size_t state_bytes;   // of a pair of the substep
    // Of a body: how the substep moves it, about.
    void (*look)(contact_set* s, int body);
    // Its tree: with margins for a list of pairs of two bodies or of one (OF_TWO, OF_ONE); and the
    // one for who crosses whom, without any.
    void (*fit)(contact_set* s, int body, const leaf_kernels* leaves, int of);
    void (*fit_tight)(contact_set* s, int body);
    // Pairs of a part of a body with other bodies, or with itself, as far as margins go; and those
    // of them that may meet in this substep, measured.
    void (*list)(const contact_set* s, const leaf_kernels* leaves, const int* other, int count,
                 find_chunk* chunk);
    // Pairs that an element gets when it may stray farther. Nothing changes where there is no room.
    void (*widen)(contact_set* s, const leaf_kernels* leaves, const stray_look* l, watch_sink* out);
    void (*pair)(const contact_set* s, measure_fn* measure, find_chunk* chunk);
    // How many elements of a body its elements cross.
    int (*cross)(const contact_set* s, const find_chunk* chunk, int other);
    double (*radius)(const contact_set* s, int element); // [m] half of its thickness
    // Of a pair: whether it touches or overlaps, may push, is held back by the guard, takes over
    // what is kept though it is not close.
    bool (*is_close)(const contact_set* s, int pair);
    bool (*may_push)(const contact_set* s, int pair);
    bool (*holds)(const contact_set* s, int pair);
    bool (*remembers)(const contact_set* s, int pair, const kept_contact* k);
} finding_kernels;

const finding_kernels* finding_kernels_for(int scalar_bytes);
