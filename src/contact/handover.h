// What corners of rigid bodies remember, where they change over to another element of a body.
#pragma once
#include "contact/system.h"

// Room for what pairs of the substep before may lose. False when memory runs out.
bool handover_reserve(contact_system* s);
// A pair that remembers something, and is none of this substep, or does not touch.
void handover_note(contact_system* s, const kept_contact* k);
// Pairs of the same corner and body take it.
void handover_finish(contact_system* s, double carry);
