// Colliders that meet the surfaces of bodies, their triangles and edges, and not particles alone.
//
// Such a collider is one more body of the contact system, behind all others: its points are those
// of a box or a mesh, of a capsule the two ends of its axis and of a ball its center, with their
// radius as half of a thickness. Nobody moves them: their inverse mass is 0. Where they are at the
// start and at the end of each substep follows from the collider's poses, so that contacts see its
// motion and the guard sees its way, whatever its speed.
//
// It is so for pairs of a body and a collider that need it (swept_add). For these, and as long as
// the step lasts, particles do not meet the collider by themselves (particle_work.swept).
#pragma once
#include "contact/system.h"

// Memory for the rows of a collider, and what is the same in all steps. False when there is none.
bool collider_rows_create(contact_body* b, int scalar_bytes);

// Before a step: a box around its whole way.
void collider_measure(contact_body* b, int substeps);
// In each substep: rows of those that meet somebody.
void colliders_place(contact_system* s, int number);

// Pairs of a body and a collider of this step: none; one more whose boxes meet, if it needs its
// surface; and what follows from all of them. It does so where the collider wants it always, where
// it is small against the elements of the body, and where one of them passes half of its thickness
// in a substep. False when memory runs out.
void swept_start(contact_system* s);
bool swept_add(contact_system* s, const select_rules* r, int body, int other);
bool swept_finish(contact_system* s);
