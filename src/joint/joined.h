// Which points of surfaces are no contacts of each other, since joints hold them together: where
// two bodies are joined, their surfaces are nearer than their thickness.
#pragma once
#include "math/lane.h"
#include <stdbool.h>
#include <stdint.h>

// Pairs of points, by the numbers that contacts have for them; ascending.
typedef struct {
    uint64_t* pair;
    int* start; // of each pair, into owner; and the end
    int* owner; // joints that hold it, by their numbers in the joint system
    int count, owner_count;
    const unsigned char* broken; // of each joint, where that changes by itself: on a GPU. Or NULL
    uint64_t known;              // hash of the joints and surfaces that it was made of; 0: of none
} joined_points;

FUNCTION uint64_t joined_key(int a, int b)
{
    uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
    return (uint64_t)low << 32 | high;
}

// Whether some joint of a pair still holds it.
FUNCTION bool is_still_joined(const joined_points* j, int pair)
{
    bool holds = !j->broken;
    for (int i = j->start[pair]; i < j->start[pair + 1] && !holds; ++i)
        holds = !j->broken[j->owner[i]];
    return holds;
}

// Whether a joint holds the two points, or one of them and a neighbor of the other: no pair of
// elements that has both is a contact, and the guard does not look at it.
FUNCTION bool points_are_joined(const joined_points* j, int a, int b)
{
    uint64_t key = joined_key(a, b);
    int low = 0, high = j->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (j->pair[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < j->count && j->pair[low] == key && is_still_joined(j, low);
}
