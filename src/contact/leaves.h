// Which elements of two bodies, or of one, come near each other as long as a list lasts, looked at
// in lanes: a leaf of four
// elements against another one is sixteen pairs of elements, and each of those up to fifteen pairs
// of points and edges. A list may have more than is near, never less, so that the width of lanes
// and how boxes are rounded change no bit of what contacts do.
//
// The tree above the leaves has sixteen children to a node, whose boxes are looked at together.
#pragma once
#include "contact/set.h"

typedef struct {
    scalar low[3][16], high[3][16]; // [m]
} sixteen_boxes;

// Sixteen elements, four leaves. Corners and edges that do not belong to an element (own_point,
// own_edge) are infinitely far away from all.
typedef struct {
    sixteen_boxes corner[3], edge[3], box; // the last of all of the element
    scalar reach[16];   // [m] how far around that it is looked for; -infinity: it is none
    scalar touch[16];   // [m] of that, how near it touches
    scalar away[6][16]; // [m] of corners and edges: 0, or infinity where they are not its own
    int point[3][16];   // of the world
} element_block;

// Two elements of the world, which pair of them (sub), and until when it sleeps: it may meet when
// how far both have strayed (reach.h) and rate times the list's age come to `wake`.
typedef struct {
    uint32_t first, second; // the second with the sub above its number
    float wake, rate;       // [m], [m] in a substep
} watched_pair;

INLINE int watched_first(const watched_pair* p) { return (int)p->first; }
INLINE int watched_second(const watched_pair* p)
{
    return (int)(p->second & ((1u << KEY_ELEMENT_BITS) - 1));
}
INLINE int watched_sub(const watched_pair* p) { return (int)(p->second >> KEY_ELEMENT_BITS); }

// Where they go. The count is of what was found, also where there was no room.
typedef struct {
    watched_pair* at;
    int count, capacity;
} watch_sink;

// The boxes of sixteen leaves, or of sixteen nodes below.
typedef struct {
    sixteen_boxes box;
    scalar reach[16];
} node_block;

enum { LEAF_LEVELS = 8 };

typedef struct leaf_tree {
    int element_count, leaf_count;
    int first_element; // its number in the world
    int levels;        // of nodes; the last has one block
    int start[LEAF_LEVELS + 1];
    element_block* element;
    node_block* node;
} leaf_tree;

typedef struct {
    size_t element_bytes, node_bytes; // of a block
    // The points and elements of a body have other numbers in the world.
    void (*number)(leaf_tree* t, const contact_body* b);
    // How far around an element is looked for, and how near it touches [m]; and the latter.
    void (*reach)(leaf_tree* t, int element, double reach, double touch);
    double (*touch)(const leaf_tree* t, int element);
    // Boxes around points: their places, and where they are after `life` substeps, `along` in each.
    void (*fit)(leaf_tree* t, const void* place, const void* along, int life);
    // An element is to be looked for farther around than before, by another tree than its own or by
    // that: pairs that this adds. And then, when all trees have been asked, it is.
    void (*more)(const leaf_tree* a, int element, double reach, const leaf_tree* b,
                 watch_sink* out);
    void (*widen)(leaf_tree* t, int element, double reach);
    // Pairs of a leaf and another body's leaves, or those of its own body behind it (and its own).
    void (*list)(const leaf_tree* a, int leaf, const leaf_tree* b, watch_sink* out);
} leaf_kernels;

const leaf_kernels* leaf_kernels_for(int lanes, int scalar_bytes);

// NULL when memory runs out. leaf_kernels.number makes it one of a body.
leaf_tree* leaf_tree_create(int elements, const leaf_kernels* kernels);
void leaf_tree_destroy(leaf_tree* t); // NULL is fine
