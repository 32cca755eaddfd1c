// The local operations. Each tries one thing and returns whether it was done: a mesh of positive
// tets stays one, its surface stays a manifold of the same parts and near to the original one.
#pragma once
#include "repair/change.h"

// What all of them need.
typedef struct {
    complex c;
    envelope surface;
    change change;
    double low2, high2; // squared length: shorter edges are collapsed, longer ones split
    double goal;        // quality (angle.h) that is wanted of all tets
    double good;        // of tets that nothing is tried for
    int most_valence;
    int splits, collapses, swaps, shifts;
} repair;

// Whether the surface around a vertex that was just moved stays near to the original one, both
// ways.
bool star_stays_near(repair* r, int v);
// Points of the original surface go to the nearest faces around a vertex that has moved.
void star_hosts_again(repair* r, int v);

// A vertex in the middle of an edge.
bool split_edge(repair* r, int a, int b);
// a goes into b. What comes is not worse than `least`, or than what goes.
bool collapse_edge(repair* r, int a, int b, double least);
// Other tets around an edge, without it: flips 3-2, 4-4 and so on; at the surface 2-2, and the
// removal of flat tets.
bool swap_edge(repair* r, int a, int b);
// The same for an inner edge and any tets that reach the goal: its ends have two tets less each.
bool swap_away(repair* r, int a, int b);
// Three tets in place of two: the flip 2-3 of one face.
bool swap_face(repair* r, int tet, int face);
// Moves a vertex to where its worst tet is better.
bool shift_knot(repair* r, int v);
// Toward the middle of its neighbors, if nothing becomes bad.
bool relax_knot(repair* r, int v);
