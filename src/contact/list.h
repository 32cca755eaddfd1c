// Lists of elements that are near, made anew when a body has left its margin, and of the pairs of a
// substep.
#pragma once
#include "contact/system.h"

// How far the substep moves each body, and with that how far it may go until pairs have to be
// looked for again. From all points of the bodies as rows have them, or from the live ones as they
// are now.
void reach_look(contact_system* s);
void reach_look_again(contact_system* s);
// Whether the list of elements has all that may meet in this substep.
bool reach_is_listed(const contact_system* s);
// At the end of the substep.
void reach_go_on(contact_system* s);

// Elements, around where the bodies are at the start of the substep. False when memory runs out.
bool list_make(contact_system* s);

// Pairs of the substep. They take over what pairs before them remember, of a substep with `carry`
// times as much to push. False when memory runs out; then there are none, and nothing is forgotten.
bool pairs_make(contact_system* s, double carry);
// What pairs remember, into s->kept. False when memory runs out.
bool pairs_keep(contact_system* s);

// Calls part(argument, first, last) for parts of what is counted, on the executor's threads where
// that is worth it.
typedef void split_fn(void* argument, int first, int last);
void split_run(executor* exec, split_fn* part, void* argument, int count, int grain);
