// Distances of pairs, many at once: the part of finding that is done in lanes. All widths give the
// same bits, which are those of pair_measure.
#pragma once
#include "contact/pair.h"

enum { MEASURED = 128 }; // at once, at most

// Pairs of one kind. What behind `count` fills up the last lanes is measured, too, and means
// nothing.
typedef struct {
    int count;
    unsigned point[4][MEASURED]; // of the world, twice their numbers
    // What is found, as in pair_state.
    scalar weight[4][MEASURED], normal[3][MEASURED], distance[MEASURED];
    scalar course[MEASURED], all[MEASURED]; // as pair_way
    // How long they sleep, as watched_pair, if no point strays and nothing is thick.
    float wake[MEASURED], rate[MEASURED];
} measured_pairs;

// Rows of four of the points of the world: their places, where they go in this substep, with their
// leeways, and where the list expects them to go in each [m]. Its age is in substeps.
typedef struct {
    const void *place, *course, *along;
    int age;
} measured_points;

typedef void measure_fn(const measured_points* of, pair_kind kind, measured_pairs* p);

measure_fn* measure_for(int lanes, int scalar_bytes);
