// Loose particles that touch each other: the same contacts as those of passes.h, stored for lanes.
//
// Loose particles are the first points of the set. Sixteen of them, side by side, are a block, and
// each is a lane of it: entry (row, lane) of a block is the row-th of those that are near to its
// particle, in the order of their numbers. So a pair is stored twice, once for each side, and both
// sides compute the same with opposite signs, to the bit: nothing is handed from one to the other.
// A point adds up its own lane, in the order that pairs of other surfaces have, and before them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { LOOSE_BLOCK = 16 };

// What an entry has, and how many scalars.
enum {
    LOOSE_LAMBDA = 0, // [kg m] push so far,
    LOOSE_SLIDE = 1,  // [kg m] and friction: x, y, z
    LOOSE_SUNK = 4,   // [m] by which it may overlap
    LOOSE_PIVOT = 5,  // [1/kg] of the last pass
    LOOSE_STORED = 6, // [J] of impacts
    LOOSE_SUM = 7,    // [kg m] of the step so far: x, y, z
    LOOSE_NUMBERS = 10
};

// What an entry says.
typedef enum {
    LOOSE_ACTIVE,   // it takes part in the pass
    LOOSE_OVERLAPS, // its balls overlapped when the substep began
    LOOSE_PUSHED,   // its sum is not zero,
    LOOSE_SUNKEN,   // nor is what it may overlap
    LOOSE_FLAGS
} loose_flag;

// How two bodies meet, as pair_rules.
typedef struct {
    double stick, slip; // [-]
    double yield;       // [1/kg]
    double bounce;      // [-]
} loose_rules;

typedef struct {
    int count; // particles; 0: there are none, or their pairs are as all others

    // Lists, and what pairs remember.
    int* neighbors;    // of each particle: how many
    int* start;        // of each block: its first row; behind the last: how many rows there are
    int *depth, *room; // of each block: rows that are in use, and that it has; NULL, on a GPU: as
                       // many as to the next block
    int* other;        // [rows][LOOSE_BLOCK]: who is near; itself where nobody is
    void* number;      // [rows][LOOSE_NUMBERS][LOOSE_BLOCK] scalars
    void* flags;       // [rows][LOOSE_FLAGS] uint16_t, whose bits are lanes. On a GPU:
                       // [rows][LOOSE_BLOCK] bytes, whose bits are flags
    bool stores;       // some pair may have stored energy of an impact

    // How far lists reach. Particles are expected to go on as they did when they were listed, and
    // may deviate from that.
    float* from;     // [count][4] where each was [m], and by how much it may deviate
    float* course;   // [count][4] where it goes in a substep, against the mean of all [m], and how
                     // far pushes may take it in one
    double drift[3]; // [m] what all have gone since then, in the mean
    int age, life;   // substeps that the lists have seen, and will
    uint8_t* strays; // of each: it deviates by more, since the lists were mended; NULL on a GPU
    int turn;        // on a GPU: which of two memories has the list

    // Of the substep.
    void* ball; // [count][4] place and radius of each [m]; NULL on a GPU
    const void *place, *increment, *residue, *velocity; // of the set's points; the residue's last
                                                        // is the radius
    void* push;               // [count][4] what a particle's pairs do to it, and how many take part
    void* total;              // [count][4] of the whole substep; on a GPU: push
    void* lasting;            // [count][4] what of that goes on
    bool settled;             // the substep has ended
    const int* body;          // of each particle
    const loose_rules* rules; // [bodies][bodies]
    int bodies;               // that have loose particles
    bool alike;               // all rules are the same
    double carry;             // [-] as pairs take over
    double h, rest_speed, exit_speed;
} loose_pairs;

// The passes, as the order of work calls them.
// LOOSE_FINISH: what LOOSE_PRESS does, in the last pass of a substep.
typedef enum { LOOSE_WARM, LOOSE_JUDGE, LOOSE_PRESS, LOOSE_FINISH, LOOSE_SETTLE } loose_step;

// What happens to blocks first to last - 1. True: some pair takes part.
typedef bool loose_pass(const loose_pairs* p, int first, int last);

// Of balls `first` to `last` - 1, whose x, y, z and reach [m] are given, writes the numbers of
// those that meet ball `one`, itself too; returns how many.
typedef int loose_pick(const float* const ball[4], int first, int last, int one, int* out);

typedef struct {
    loose_pick* pick;
    loose_pass* warm;   // starts the substep with what pairs remember, and pushes with that
    loose_pass* judge;  // which pairs overlap, and how many does each particle have?
    loose_pass* press;  // they push
    loose_pass* finish; // they push, and the substep ends
    loose_pass* settle; // it ends
} loose_kernels;

const loose_kernels* loose_kernels_for(int lanes, int scalar_bytes);
