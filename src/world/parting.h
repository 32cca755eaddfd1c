// How a vertex of a body would come apart. Elements of its star pull at it; a way to part it puts
// each on one of two sides, and what they pull with, F_1 and F_2 [N], goes across the tear that
// comes of it: t = (F_2 - F_1) / 2, of which at least the smaller of -F_1 and F_2 along t is
// carried from one side to the other. (In balance they are equal, and what the particle's own mass
// takes is no load of the material.) What holds the sides together is the strength times the size
// of the faces between them, a third of each face of a tet, half of each edge of a triangle: the
// vertex's part. Faces behind the tip of a tear, which are open already, count as well: a tip has
// part of what is before it and behind it.
//
// Cloth parts along two edges of the vertex, or one where it is at the border; all pairs are looked
// at. Tets part along the faces that are nearest to the plane across which the star is pulled the
// most. Ropes part at the vertex.
#pragma once
#include "world/tearing.h"

// Where a tear takes energy, bonds hold what has parted until it has been taken (joint/bonds.h).
// At the tip of a tear energy decides: elements larger than the zone in which it opens would see
// no more than a part of the strength there, and so they part at a force of TIP_SHARE times the
// energy over their size, if that is less. Bonds that start there reach as far as it takes.
#define TIP_SHARE 0.125

typedef struct {
    double load;   // [-] force over what holds it; 0: it cannot part
    double force;  // [N]
    double size;   // [m^2] of tets and ropes, [m] of cloth
    double energy; // [J] that it takes
} parting;

// Places of particles and forces of elements as the body is now. False when memory runs out.
bool parting_measure(body* b);
// The way of a vertex that is loaded the most; `side` of the corners of its star, in their order.
bool parting_find(body* b, int vertex, parting* out, unsigned char* side);
