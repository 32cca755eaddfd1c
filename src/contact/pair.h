// A pair of elements that are near each other, and what is known of it in a substep. Four points
// with weights: a point and a triangle or a segment, or two edges.
#pragma once
#include "contact/closest.h"
#include <stdint.h>

typedef enum {
    PAIR_TRIANGLE, // a point, the corners of a triangle
    PAIR_SEGMENT,  // a point, the ends of a segment, the last of them again
    PAIR_EDGES,    // the ends of an edge, the ends of another one
    PAIR_PLANE,    // a point, three points of a plane
} pair_kind;

// Of the first side. The others are of the second.
INLINE int pair_first_side(pair_kind kind) { return kind == PAIR_EDGES ? 2 : 1; }

// Which pair of two elements: corners of the first against the second, corners of the second
// against the first, edges against edges. A pair is known by its elements and this, and pairs are
// in the order of that key.
enum {
    SUB_FIRST = 0,
    SUB_SECOND = 3,
    SUB_EDGES = 6,
    SUBS = 15,
    KEY_SUB_BITS = 8,
    KEY_ELEMENT_BITS = 28
};

INLINE uint64_t pair_key(int first, int second, int sub)
{
    return ((uint64_t)first << KEY_ELEMENT_BITS | (uint64_t)second) << KEY_SUB_BITS | (uint64_t)sub;
}
INLINE int key_sub(uint64_t key) { return (int)(key & ((1u << KEY_SUB_BITS) - 1)); }
INLINE int key_second(uint64_t key)
{
    return (int)(key >> KEY_SUB_BITS & ((1u << KEY_ELEMENT_BITS) - 1));
}
INLINE int key_first(uint64_t key) { return (int)(key >> (KEY_SUB_BITS + KEY_ELEMENT_BITS)); }

// As it is found.
typedef struct {
    uint64_t key;
    int point[4];
    int body[2];      // of the first and the second side
    pair_kind kind;   //
    bool touches;     // false: too near at rest, for the guard alone
    bool crossed;     // its bodies cross each other: they are pulled apart
    bool guarded;     // its sides may not cross
    double thickness; // [m] distance at which it touches
    double least;     // [m] nearer than this nobody approaches
} near_pair;

// What a substep makes of it.
typedef struct {
    scalar weight[4];
    scalar normal[3]; // from the second side to the first
    scalar distance;  // [m] at the start of the substep
    scalar depth;     // [m] of the pass at hand: above 0 it overlaps
    scalar pivot;     // [1/kg] of the last pass: sum of inverse masses, each for its part
    scalar lambda;    // [kg m] how hard it pushes, in all of the substep
    scalar slide[3];  // [kg m] friction likewise, on the first side
    scalar push[3];   // [kg m] what a pass adds to both, on the first side
    scalar sum[3];    // [kg m] of both, of all substeps of the step so far
    scalar sunk;      // [m] by which it may overlap: it did so when it was first seen, and rises
    scalar approach;  // [m/s] at which the sides came nearer when the substep began
    scalar impact;    // [m/s] of that, what no smooth force is about to bring
    scalar stored;    // [J] of impacts, which comes back when it parts
    bool goes_on;     // it takes over what it remembers of the substep before
    bool rests;       // it did push in that one, as it will go on to
    bool valid;       // it may touch: no other pair is nearer to the same place
    bool active;      // it takes part in the pass
    bool crosses;     // it would come too near
    bool bounces;     // it takes part in an impact, or gives back what it stored
    bool held;        // the guard held a collider's points back, in this substep
    bool met;         // what it took over is of a pair that touched
    scalar hold[4];   // weights of the places that the guard pushes apart, or a rebound does
} pair_state;

// What is kept of a pair that touched, from substep to substep and in snapshots.
typedef struct {
    uint64_t key;
    double lambda, slide[3]; // [kg m] of the last substep, what will go on of them
    double sum[3];           // [kg m] of the step so far
    double pivot;            // [1/kg] of the last pass
    double sunk;             // [m]
    double stored;           // [J]
    bool overlaps;           // its sunk is not that of a pair which nobody knows
    bool held;               // as the pair's state
    bool met;                // it has touched; false: only the guard knows it
    bool rests;              // within a substep: it pushed in the one before
} kept_contact;

INLINE bool kept_goes_on(const kept_contact* k)
{
    return k->lambda > 0 || k->stored > 0 || k->overlaps;
}

// Of a rigid body, on the way back (manifold.h): it pushes no more, and friction of this substep is
// still there to be taken back.
INLINE bool kept_has_slid(const kept_contact* k)
{
    return k->slide[0] != 0 || k->slide[1] != 0 || k->slide[2] != 0;
}

INLINE bool kept_has_pushed(const kept_contact* k)
{
    return k->sum[0] != 0 || k->sum[1] != 0 || k->sum[2] != 0;
}
