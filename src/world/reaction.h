// What an element does now: energy and forces of its corners, in double precision from positions
// with all their digits.
#pragma once
#include "world/world.h"

typedef struct {
    const int* corner;
    int corners;
    double energy;                      // [J] above rest
    double force[ELEMENT_PARTICLES][3]; // [N] on the corners
    double
        stiffness[ELEMENT_PARTICLES]; // [N/m] that a corner feels at rest, mean over the
                                      // directions; infinite where the part is not compliant at all
} reaction;

// Part `number` of the body.
void reaction_find(const body* b, int number, reaction* out);

// The share that a triangle of cloth has of the edge from its corner `side` to the next one: forces
// on both. And the number of the first part of a kind.
void reaction_find_side(const body* b, int triangle, int side, reaction* out);
int reaction_first_part(const pliant_asset* asset, part_kind kind);
